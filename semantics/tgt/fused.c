#include "semantics/tgt/fused.h"

// rewrite: (a*b)*c -> a, b, c
static bool add_factors(const hy_fused_scope *scope, const hy_expr *expr, hy_product *product) {
  if (expr->kind == HY_EXPR_OP && expr->op == HY_OP_MUL)
    return add_factors(scope, expr->args[0], product) && add_factors(scope, expr->args[1], product);
  const hy_expr *normal = hy_affine_normal(scope->table, expr);
  if (normal != expr && normal->kind == HY_EXPR_OP && normal->op == HY_OP_MUL)
    return add_factors(scope, normal, product);
  if (product->count == HY_MOST_FACTORS) return false;
  product->factors[product->count++] = normal;
  return true;
}

static bool take_factor(hy_product *product, const hy_expr *factor) {
  for (int i = 0; i < product->count; i++) {
    if (product->factors[i] != factor) continue;
    product->factors[i] = product->factors[--product->count];
    return true;
  }
  return false;
}

// What is loaded for a length may be another number by the time that something is divided by it.
static bool values_of_loop(const hy_fused_scope *scope, const hy_var *var, hy_product *values) {
  const hy_expr *length = scope->length(scope->self, var);
  bool known = length && !length->has_access && add_factors(scope, length, values);
  for (int i = 0; i < values->count && known; i++) known = scope->is_natural(scope->self, values->factors[i]);
  return known;
}

bool hy_fused_values(const hy_fused_scope *scope, const hy_expr *node, hy_product *values) {
  values->count = 0;
  if (node->type != HY_INT) return false;
  if (node->kind == HY_EXPR_VAR) return values_of_loop(scope, node->var, values);
  if (node->kind != HY_EXPR_OP || (node->op != HY_OP_DIV && node->op != HY_OP_MOD)) return false;
  hy_product divisor = {0};
  if (!hy_fused_values(scope, node->args[0], values) || !add_factors(scope, node->args[1], &divisor)) return false;
  for (int i = 0; i < divisor.count; i++)
    if (!take_factor(values, divisor.factors[i])) return false;
  if (node->op == HY_OP_MOD) *values = divisor;
  return true;
}

const hy_expr *hy_product_expr(hy_context *context, const hy_product *product) {
  const hy_expr *all = hy_expr_int(context, 1);
  for (int i = 0; i < product->count; i++) all = hy_index_mul(context, all, product->factors[i]);
  return all;
}
