#include "oracle/fill/demand.h"

hy_constraint hy_demand_of(const hy_constraint *constraints, size_t count, const hy_func *func, int dim) {
  hy_constraint all = {.func = func, .dim = dim};
  for (size_t i = 0; i < count; i++) {
    const hy_constraint *c = &constraints[i];
    if (c->func != func || c->dim != dim) continue;
    if (c->min) all.min = c->min;
    if (c->len) all.len = c->len;
    if (c->modulus && all.modulus)
      (void)hy_alignment_join(&all.modulus, &all.remainder, c->modulus, c->remainder);
    else if (c->modulus)
      all.modulus = c->modulus, all.remainder = c->remainder;
  }
  return all;
}

bool hy_demand_is_any(const hy_constraint *c) { return c->min || c->len || c->modulus; }
bool hy_demand_is_given(const hy_constraint *c) { return c->min || c->len; }

// remainder + modulus * ((value - remainder + more) / modulus)
static const hy_expr *round_to(hy_affine_table *table, hy_context *context, const hy_constraint *c,
                               const hy_expr *value, int64_t more) {
  const hy_expr *steps = hy_affine_add_int(table, value, more - c->remainder), *modulus;
  modulus = hy_expr_int(context, c->modulus);
  steps = hy_expr_binary(context, HY_OP_MUL, modulus, hy_expr_binary(context, HY_OP_DIV, steps, modulus));
  return hy_affine_add_int(table, hy_affine_normal(table, steps), c->remainder);
}

hy_interval hy_demand_apply(hy_affine_table *table, hy_context *context, const hy_constraint *c, hy_interval i) {
  const hy_expr *end = hy_affine_add(table, i.min, i.len);
  if (c->min)
    i.min = c->min;
  else if (c->modulus > 1)
    i.min = round_to(table, context, c, i.min, 0);
  if (c->len)
    i.len = c->len;
  else if (c->modulus > 1)
    i.len = hy_affine_sub(table, round_to(table, context, c, end, c->modulus - 1), i.min);
  return i;
}
