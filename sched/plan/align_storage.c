#include "sched/rewrite.h"

/* rewrite: allocate f B  ->  allocate f B align(x, i)
 * The number of cells of dimension x in memory is rounded up to a multiple of i.
 */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  int64_t number;
  return hy_plan_is_ours(context, tgt, d, diagnostics) && hy_plan_number(context, d, diagnostics, &number) &&
         hy_plan_once(context, d, hy_plan_before(tgt, d->func).align[d->dim] != 1, diagnostics);
}

// DIR.Align-Storage
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  hy_plan plan = hy_plan_before(tgt, d->func);
  int64_t number;
  bool fits = hy_plan_number(context, d, diagnostics, &number);
  HY_ASSERT(fits);
  hy_context_hit(context, HY_RULE_DIR_ALIGN_STORAGE);
  plan.align[d->dim] = number;
  return hy_plan_put(context, tgt, d->func, &plan);
}

const hy_directive_type hy_directive_align_storage = {
    .name = "align_storage",
    .form = "align_storage(f, x, number)",
    .summary = "rounds the number of cells of f in that dimension up to a multiple",
    .alone = "align_storage(func, x, number), or in a chain .align_storage(x, number)",
    .in_chain = "align_storage(func, x, number), or in a chain .align_storage(x, number)",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_DIMENSION, HY_TAKES_NUMBER},
    .applies = applies,
    .apply = apply};
