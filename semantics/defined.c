#include "semantics/expr.h"

// Conjunction of "the divisor is not zero" over every division that evaluating "expr" performs (decision D27).
typedef struct {
  hy_context *context;
  const hy_expr *condition;
} collector;

static void collect(void *self, const hy_expr *node) {
  collector *c = self;
  if (node->kind != HY_EXPR_OP ||
      (node->op != HY_OP_DIV && (HY_MUTANT(D27_Remainder_Always_Defined) || node->op != HY_OP_MOD)))
    return;
  if (!hy_type_is_integral(node->type)) return;
  const hy_expr *divisor = node->args[1];
  hy_value zero = hy_value_zero(divisor->type);
  if (divisor->kind == HY_EXPR_CONST && !divisor->value.error && !hy_value_same(divisor->value, zero)) return;
  c->condition = hy_expr_and(c->context, c->condition,
                             hy_expr_binary(c->context, HY_OP_NE, divisor, hy_expr_const(c->context, zero)));
}

const hy_expr *hy_expr_defined(hy_context *context, const hy_expr *expr) {
  collector c = {context, hy_expr_bool(context, true)};
  hy_expr_visit(expr, collect, &c);
  return c.condition;
}
