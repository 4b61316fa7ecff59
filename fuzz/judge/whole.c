#include "fuzz/judge/whole.h"

static hy_evaluated in_range(hy_whole v, hy_whole *value) {
  *value = v;
  return v >= INT64_MIN && v <= INT64_MAX ? HY_EVALUATED : HY_EVALUATED_ERROR;
}

hy_whole hy_whole_rest(hy_whole a, hy_whole b) {
  hy_whole size = b < 0 ? -b : b;
  return (a % size + size) % size;
}

static hy_evaluated divide(hy_whole a, hy_whole b, bool rest, hy_whole *value) {
  if (b == 0) return HY_EVALUATED_ERROR;
  hy_whole r = hy_whole_rest(a, b);
  return in_range(rest ? r : (a - r) / b, value);
}

static hy_evaluated apply(hy_op op, hy_whole a, hy_whole b, hy_whole *value) {
  if (op == HY_OP_ADD) return in_range(a + b, value);
  if (op == HY_OP_SUB) return in_range(a - b, value);
  if (op == HY_OP_MUL) return in_range(a * b, value);
  if (op == HY_OP_DIV || op == HY_OP_MOD) return divide(a, b, op == HY_OP_MOD, value);
  if (op == HY_OP_MIN) return in_range(a < b ? a : b, value);
  if (op == HY_OP_MAX) return in_range(a > b ? a : b, value);
  if (op == HY_OP_EQ) return in_range(a == b, value);
  if (op == HY_OP_NE) return in_range(a != b, value);
  if (op == HY_OP_LT) return in_range(a < b, value);
  if (op == HY_OP_LE) return in_range(a <= b, value);
  if (op == HY_OP_GT) return in_range(a > b, value);
  if (op == HY_OP_GE) return in_range(a >= b, value);
  return HY_NOT_EVALUATED;
}

static hy_evaluated apply_one(hy_op op, hy_whole a, hy_whole *value) {
  if (op == HY_OP_NEG) return in_range(-a, value);
  if (op == HY_OP_NOT) return in_range(!a, value);
  if (op == HY_OP_ABS) return in_range(a < 0 ? -a : a, value);
  return HY_NOT_EVALUATED;
}

static hy_evaluated evaluate_op(const hy_expr *e, hy_leaf *leaf, void *self, hy_whole *value) {
  hy_whole a, b;
  for (int i = 0; i < e->count; i++)
    if (e->args[i]->type != HY_INT && e->args[i]->type != HY_BOOL) return HY_NOT_EVALUATED;
  hy_evaluated first = hy_whole_of(e->args[0], leaf, self, &a);
  if (first != HY_EVALUATED || e->count == 1) return first == HY_EVALUATED ? apply_one(e->op, a, value) : first;
  if (e->op == HY_OP_SELECT) return hy_whole_of(e->args[a ? 1 : 2], leaf, self, value);
  if ((e->op == HY_OP_AND && !a) || (e->op == HY_OP_OR && a)) return in_range(a, value);
  hy_evaluated second = hy_whole_of(e->args[1], leaf, self, &b);
  if (second != HY_EVALUATED) return second;
  return e->op == HY_OP_AND || e->op == HY_OP_OR ? in_range(b, value) : apply(e->op, a, b, value);
}

hy_evaluated hy_whole_of(const hy_expr *e, hy_leaf *leaf, void *self, hy_whole *value) {
  if (e->type != HY_INT && e->type != HY_BOOL) return HY_NOT_EVALUATED;
  switch (e->kind) {
  case HY_EXPR_CONST: return e->value.error ? HY_EVALUATED_ERROR : in_range(e->value.i, value);
  case HY_EXPR_VAR:
  case HY_EXPR_HOLE: return leaf(self, e, value) ? in_range(*value, value) : HY_NOT_EVALUATED;
  case HY_EXPR_OP: return e->op == HY_OP_CAST ? HY_NOT_EVALUATED : evaluate_op(e, leaf, self, value);
  case HY_EXPR_TUPLE:
  case HY_EXPR_ACCESS: return HY_NOT_EVALUATED;
  }
  HY_UNREACHABLE();
}
