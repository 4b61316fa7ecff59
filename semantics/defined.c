#include "semantics/expr.h"

// Conjunction of "the divisor is not zero" over every division that evaluating "expr" performs (decision D27).
typedef struct {
  hy_context *context;
  const hy_expr *condition;
} collector;

const hy_expr *hy_expr_divisor_maybe_zero(const hy_expr *node) {
  if (node->kind != HY_EXPR_OP || (node->op != HY_OP_DIV && node->op != HY_OP_MOD)) return NULL;
  if (!hy_type_is_integral(node->type)) return NULL;
  const hy_expr *divisor = node->args[1];
  bool is_zero = divisor->kind != HY_EXPR_CONST || hy_value_same(divisor->value, hy_value_zero(divisor->type));
  return is_zero ? divisor : NULL;
}

static void collect(void *self, const hy_expr *node) {
  collector *c = self;
  const hy_expr *divisor = hy_expr_divisor_maybe_zero(node);
  if (!divisor || (HY_MUTANT(D27_Remainder_Always_Defined) && node->op == HY_OP_MOD)) return;
  const hy_expr *zero = hy_expr_const(c->context, hy_value_zero(divisor->type));
  c->condition = hy_expr_and(c->context, c->condition, hy_expr_binary(c->context, HY_OP_NE, divisor, zero));
}

const hy_expr *hy_expr_defined(hy_context *context, const hy_expr *expr) {
  collector c = {context, hy_expr_bool(context, true)};
  hy_expr_visit(expr, collect, &c);
  return c.condition;
}
