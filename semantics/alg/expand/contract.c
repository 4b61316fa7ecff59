/* The contract on floats that a pipeline is under: which of its sums are rounded once with the product beside them. One
 * syntactic rule, applied to what is written before anything else looks at it, so that every engine computes the same
 * bits.
 */

#include "semantics/alg/expand/expand.h"

#include <string.h>

const char *hy_float_contract_name(hy_float_contract contract) {
  static const char *const names[HY_FLOATS_COUNT] = {
      [HY_FLOATS_EXACT] = "exact", [HY_FLOATS_FMA] = "fma", [HY_FLOATS_REAL] = "real"};
  return names[contract];
}

bool hy_float_contract_find(const char *name, hy_float_contract *contract) {
  for (int i = 0; i < HY_FLOATS_COUNT; i++)
    if (strcmp(name, hy_float_contract_name((hy_float_contract)i)) == 0) return *contract = (hy_float_contract)i, true;
  return false;
}

static bool is_product(const hy_expr *e) { return e->kind == HY_EXPR_OP && e->op == HY_OP_MUL; }

static const hy_expr *negated(hy_context *context, const hy_expr *e) {
  return hy_expr_op(context, HY_OP_NEG, e->type, &e);
}

// ALG.Expand.Contract: of two products the left one
//   a*b + c -> fma(a, b, c)     c + a*b -> fma(a, b, c)     a*b - c -> fma(a, b, -c)     c - a*b -> fma(-a, b, c)
const hy_expr *hy_expand_contract(hy_context *context, hy_float_contract contract, hy_op op, hy_type type,
                                  const hy_expr *const *args) {
  bool is_sum = (op == HY_OP_ADD || op == HY_OP_SUB) && hy_type_class_of(type) == HY_CLASS_FLOAT;
  int k = is_sum && is_product(args[0]) ? 0 : 1;
  if (contract != HY_FLOATS_FMA || !is_sum || !is_product(args[k])) return hy_expr_op(context, op, type, args);
  const hy_expr *a = args[k]->args[0], *b = args[k]->args[1], *c = args[1 - k];
  hy_context_hit(context, HY_RULE_ALG_EXPAND_CONTRACT);
  if (op == HY_OP_SUB && k == 0) c = negated(context, c);
  if (op == HY_OP_SUB && k == 1) a = negated(context, a);
  return hy_expr_op(context, HY_OP_FMA, type, (const hy_expr *[]){a, b, c});
}
