/* What a condition says outright of startup variables: "v == 8 && .." makes v a constant wherever it holds, and so
 * lengths that are made of v. Specialized branches have constant extents by it (FIN.Extent, GEN.Specialize; D45).
 */

#include "semantics/expr/expr.h"

static bool is_variable(const hy_expr *e) {
  return e->kind == HY_EXPR_VAR && e->type == HY_INT && hy_var_is_startup(e->var);
}

size_t hy_expr_equations(const hy_expr *condition, hy_binding *bindings, size_t room) {
  if (condition->kind != HY_EXPR_OP || room == 0) return 0;
  if (condition->op == HY_OP_AND) {
    size_t count = hy_expr_equations(condition->args[0], bindings, room);
    return count + hy_expr_equations(condition->args[1], bindings + count, room - count);
  }
  if (condition->op != HY_OP_EQ) return 0;
  for (int i = 0; i < 2; i++) {
    const hy_expr *variable = condition->args[i], *constant = condition->args[1 - i];
    if (!is_variable(variable) || constant->kind != HY_EXPR_CONST) continue;
    bindings[0] = (hy_binding){variable->var, constant};
    return 1;
  }
  return 0;
}
