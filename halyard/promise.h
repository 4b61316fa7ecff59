#ifndef HY_PROMISE_H
#define HY_PROMISE_H

/* What directives from outside the tree claim, proved for one program: structure and L3 of every step from the first of
 * them on. Programs without any need no such proof, the rules of sched/ are the paper's; but that a reduction may be
 * combined in another order (rfactor), which the paper does not have, is proved of every program.
 */

#include "halyard/pipeline.h"

// HY_YES also if there is nothing to prove. Otherwise something was reported, and the pipeline says of which step.
hy_answer hy_promise_check(hy_pipeline *pipeline, unsigned z3_limit, hy_diagnostics *diagnostics);

// Whose fault a broken promise is, in words. Of a directive of Halyard's own, a plug-in is at fault only if nobody
// could tell before whether it keeps what it claims ("open": the last such one; NULL: all were proved).
const char *hy_promise_culprit(hy_context *context, const hy_directive *broken, const hy_directive *open);

#endif
