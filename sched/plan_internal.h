#ifndef HY_PLAN_INTERNAL_H
#define HY_PLAN_INTERNAL_H

/* The plan phase: what the directives share that change the storage plan of an allocation, and nothing else. Whether a
 * plan is right is no question of theirs: B judges it as if it had been written by hand (B.Fold).
 */

#include "sched/rewrite.h"

// Is the func's storage the program's own? Reports if it is the output's.
bool hy_plan_is_ours(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                     hy_diagnostics *diagnostics);
// The plan of the func's allocation.
hy_plan hy_plan_before(const hy_tgt *tgt, const hy_func *func);
// The program with that plan in its place.
const hy_tgt *hy_plan_put(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_plan *plan);

#endif
