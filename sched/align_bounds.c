#include "sched/bounds_internal.h"
#include "semantics/expr/affine.h"

/* rewrite: compute f on (...): s
 *       -> compute f on (...): constrain ?cpu.min(f, x) % m == r && ?cpu.len(f, x) % m == 0; s
 * Satisfied by rounding the box out, so nothing is checked at run time (decision D43).
 */

static bool is_constant(hy_context *context, const hy_expr *e, int64_t *value) {
  hy_affine_table *table = hy_affine_table_new(context);
  bool constant = hy_expr_is_int(hy_affine_normal(table, e), value);
  hy_affine_table_free(table);
  return constant;
}

static bool constraint_of(hy_context *context, const hy_directive *d, hy_constraint *c) {
  *c = (hy_constraint){.func = d->func, .dim = d->dim};
  if (!is_constant(context, d->args[0], &c->modulus) || !is_constant(context, d->args[1], &c->remainder)) return false;
  return c->modulus >= 1 && c->modulus <= INT64_C(1) << 31 && c->remainder >= 0 && c->remainder < c->modulus;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  hy_constraint constraint;
  if (constraint_of(context, directive, &constraint))
    return hy_bounds_combine(context, tgt, directive, &constraint, diagnostics);
  // DIR.Align-Bounds.Constant
  hy_context_hit(context, HY_RULE_DIR_ALIGN_BOUNDS_CONSTANT);
  hy_report(diagnostics, HY_E_ALIGNMENT, hy_directive_at(directive, directive->at.args[0]),
            "DIR.Align-Bounds.Constant (decision D43)",
            "write constants: a modulus of at least 1, and a remainder from 0 up to below the modulus",
            "the bounds of '%s' cannot be aligned like this", directive->func->name);
  return false;
}

// DIR.Align-Bounds
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_constraint constraint;
  bool fits = constraint_of(context, directive, &constraint);
  HY_ASSERT(fits);
  hy_context_hit(context, HY_RULE_DIR_ALIGN_BOUNDS);
  return hy_bounds_add(context, tgt, &constraint);
}

const hy_directive_type hy_directive_align_bounds = {
    .name = "align_bounds",
    .form = "align_bounds(f, x, modulus, remainder)",
    .summary = "rounds that region out, so that its minimum leaves the remainder and the modulus divides its length",
    .alone = "align_bounds(func, x, modulus, remainder), or in a chain .align_bounds(x, modulus, remainder)",
    .in_chain = "align_bounds(func, x, modulus, remainder), or in a chain .align_bounds(x, modulus, remainder)",
    .phase = HY_PHASE_BOUNDS,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_DIMENSION, HY_TAKES_EXPR, HY_TAKES_REMAINDER},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds};
