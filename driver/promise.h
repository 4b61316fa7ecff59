#ifndef HY_PROMISE_H
#define HY_PROMISE_H

/* What directives from outside the tree claim, proved for one program: structure and L3 of every step from the first of
 * them on. Programs without any need no such proof: the rules of sched/ are the paper's.
 */

#include "driver/pipeline.h"

// HY_YES also if there is nothing to prove. Otherwise something was reported.
hy_answer hy_promise_check(const hy_pipeline *pipeline, unsigned limit_ms, hy_diagnostics *diagnostics);

#endif
