#include "sched/rewrite.h"

/* rewrite: allocate f B order(..)  ->  allocate f B order(.., y, .., x, ..)
 * The named dimensions take the places that they have in the order between them, the first named the innermost; the
 * others stay where they are (as in Halide).
 */

static bool is_named(const hy_directive *d, int dim) {
  for (int i = 0; i < d->dim_count; i++)
    if (d->dims[i] == dim) return true;
  return false;
}

// DIR.Reorder-Storage.Twice
static bool are_different(hy_context *context, const hy_directive *d, hy_diagnostics *diagnostics) {
  for (int i = 1; i < d->dim_count; i++) {
    int k = 0;
    while (d->dims[k] != d->dims[i]) k++;
    if (k == i) continue;
    hy_context_hit(context, HY_RULE_DIR_REORDER_STORAGE_TWICE);
    hy_report(diagnostics, HY_E_PLAN_DIMENSION_TWICE, hy_directive_at(d, d->at.dims[i]), "DIR.Reorder-Storage.Twice",
              "name each dimension once, the one whose neighbours are to lie side by side first; those left out keep "
              "their places",
              "'%s' is named twice", d->func->dims[d->dims[i]]);
    return false;
  }
  return true;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  return hy_plan_is_ours(context, tgt, directive, diagnostics) && are_different(context, directive, diagnostics);
}

// DIR.Reorder-Storage
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_plan plan = hy_plan_before(tgt, d->func);
  hy_context_hit(context, HY_RULE_DIR_REORDER_STORAGE);
  int next = 0;
  for (int i = 0; i < d->func->rank; i++)
    if (is_named(d, plan.order[i]) && next < d->dim_count) plan.order[i] = d->dims[next++];
  return hy_plan_put(context, tgt, d->func, &plan);
}

const hy_directive_type hy_directive_reorder_storage = {
    .name = "reorder_storage",
    .form = "reorder_storage(f, y, x)",
    .summary = "the order in which the dimensions of f lie in memory, that whose neighbours lie side by side first",
    .alone = "reorder_storage(func, y, x), or in a chain .reorder_storage(y, x), innermost first",
    .in_chain = "reorder_storage(func, y, x), or in a chain .reorder_storage(y, x), innermost first",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_DIMENSIONS},
    .applies = applies,
    .apply = apply};
