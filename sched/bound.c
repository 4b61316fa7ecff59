#include "sched/bounds_internal.h"

/* rewrite: compute f on (..., (?cpu.min, ?cpu.len), ...): s
 *       -> compute f on (...): constrain ?cpu.min(f, x) == m && ?cpu.len(f, x) == l; assume need(f) inside Cpu(f); s
 * The constraint is a proof obligation, satisfied by Cpu := (m, l); that the region is large enough is checked when the
 * computation begins (decision D43).
 */

static hy_constraint constraint_of(const hy_directive *d) {
  return (hy_constraint){.func = d->func, .dim = d->dim, .min = d->args[0], .len = d->args[1]};
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  hy_constraint constraint = constraint_of(directive);
  return hy_bounds_length(context, directive, constraint.len, diagnostics) &&
         hy_bounds_combine(context, tgt, directive, &constraint, diagnostics);
}

// DIR.Bound
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_constraint constraint = constraint_of(directive);
  hy_context_hit(context, HY_RULE_DIR_BOUND);
  return hy_bounds_add(context, tgt, &constraint);
}

const hy_directive_type hy_directive_bound = {
    .name = "bound",
    .form = "bound(f, x, min, length)",
    .summary = "fixes the region of f that is computed in one dimension; what is needed must lie inside",
    .alone = "bound(func, x, min, length), or in a chain .bound(x, min, length)",
    .in_chain = "bound(func, x, min, length), or in a chain .bound(x, min, length)",
    .phase = HY_PHASE_BOUNDS,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_DIMENSION, HY_TAKES_EXPR, HY_TAKES_LENGTH},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds,
    .may_add = hy_bounds_may_add};
