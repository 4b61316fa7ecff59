#include "sched/rewrite.h"

/* rewrite: allocate f B  ->  allocate f B in stack | in heap */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  return hy_plan_is_ours(context, tgt, d, diagnostics) &&
         hy_plan_once(context, d, hy_plan_before(tgt, d->func).store != HY_STORE_ANYWHERE, diagnostics);
}

// DIR.Store-In
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_plan plan = hy_plan_before(tgt, d->func);
  hy_context_hit(context, HY_RULE_DIR_STORE_IN);
  plan.store = d->store;
  return hy_plan_put(context, tgt, d->func, &plan);
}

const hy_directive_type hy_directive_store_in = {
    .name = "store_in",
    .form = "store_in(f, stack)  or  store_in(f, heap)",
    .summary = "where f's cells lie, if they fit there",
    .alone = "store_in(func, stack) or store_in(func, heap), or in a chain .store_in(stack)",
    .in_chain = "store_in(func, stack) or store_in(func, heap), or in a chain .store_in(stack)",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_STORE},
    .applies = applies,
    .apply = apply};
