#include "sched/rewrite.h"

/* rewrite: allocate f B  ->  allocate f B fold(x, i)
 * Points of f whose x are equal modulo i share a cell. Whether all that is computed of f at a time fits is no question
 * of this directive: B.Fold judges the fold as if it had been written by hand.
 */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  int64_t number;
  return hy_plan_is_ours(context, tgt, d, diagnostics) && hy_plan_number(context, d, diagnostics, &number) &&
         hy_plan_once(context, d, hy_plan_before(tgt, d->func).fold[d->dim] != 0, diagnostics);
}

// DIR.Fold-Storage
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  hy_plan plan = hy_plan_before(tgt, d->func);
  int64_t number;
  bool fits = hy_plan_number(context, d, diagnostics, &number);
  HY_ASSERT(fits);
  hy_context_hit(context, HY_RULE_DIR_FOLD_STORAGE);
  plan.fold[d->dim] = number;
  return hy_plan_put(context, tgt, d->func, &plan);
}

const hy_directive_type hy_directive_fold_storage = {
    .name = "fold_storage",
    .form = "fold_storage(f, x, number)",
    .summary = "points of f that are equal modulo that in x share a cell; that they fit is proved",
    .alone = "fold_storage(func, x, number), or in a chain .fold_storage(x, number)",
    .in_chain = "fold_storage(func, x, number), or in a chain .fold_storage(x, number)",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_DIMENSION, HY_TAKES_NUMBER},
    .applies = applies,
    .apply = apply};
