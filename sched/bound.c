#include "sched/bounds_internal.h"

/* rewrite: compute f on (..., (?cpu.min, ?cpu.len), ...): s
 *       -> compute f on (...): constrain ?cpu.min(f, x) == m && ?cpu.len(f, x) == l; assume need(f) inside Cpu(f); s
 * The constraint is a proof obligation, satisfied by Cpu := (m, l); that the region is large enough is checked when the
 * computation begins (decision D43).
 */

static hy_constraint constraint_of(const hy_directive *d) {
  return (hy_constraint){
      .func = d->func, .dim = d->dim, .min = d->args[0], .len = HY_MUTANT(BOUND_Length_Forgotten) ? NULL : d->args[1]};
}

bool hy_applies_bound(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                      hy_diagnostics *diagnostics) {
  hy_constraint constraint = constraint_of(directive);
  return hy_bounds_length(context, directive, constraint.len, diagnostics) &&
         hy_bounds_combine(context, tgt, directive, &constraint, diagnostics);
}

// DIR.Bound
const hy_tgt *hy_apply_bound(hy_context *context, const hy_tgt *tgt, const hy_directive *directive) {
  hy_constraint constraint = constraint_of(directive);
  hy_context_hit(context, HY_RULE_DIR_BOUND);
  return hy_bounds_add(context, tgt, &constraint);
}
