#include "sched/bounds_internal.h"

/* rewrite: compute f on (...): s
 *       -> compute f on (...): constrain ?cpu.len(f, x) == l; assume need(f) inside Cpu(f); s
 */

static hy_constraint constraint_of(const hy_directive *d) {
  return (hy_constraint){.func = d->func, .dim = d->dim, .len = d->args[0]};
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  hy_constraint constraint = constraint_of(directive);
  return hy_bounds_length(context, directive, constraint.len, diagnostics) &&
         hy_bounds_combine(context, tgt, directive, &constraint, diagnostics);
}

// DIR.Bound-Extent
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_constraint constraint = constraint_of(directive);
  hy_context_hit(context, HY_RULE_DIR_BOUND_EXTENT);
  return hy_bounds_add(context, tgt, &constraint);
}

const hy_directive_type hy_directive_bound_extent = {
    .name = "bound_extent",
    .form = "bound_extent(f, x, length)",
    .summary = "fixes the length of that region; what is needed must fit",
    .alone = "bound_extent(func, x, length), or in a chain .bound_extent(x, length)",
    .in_chain = "bound_extent(func, x, length), or in a chain .bound_extent(x, length)",
    .phase = HY_PHASE_BOUNDS,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_DIMENSION, HY_TAKES_LENGTH},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds,
    .may_add = hy_bounds_may_add};
