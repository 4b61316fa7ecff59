#include "semantics/expr/expr.h"

/* Index arithmetic with constants folded and neutral elements dropped: identities of Z (simplifier class INDEX). What
 * does not fit 64 bits is left as it stands.
 */

static bool constants(const hy_expr *a, const hy_expr *b, int64_t *x, int64_t *y) {
  return hy_expr_is_int(a, x) && hy_expr_is_int(b, y);
}

static bool is_number(const hy_expr *e, int64_t number) {
  int64_t value;
  return hy_expr_is_int(e, &value) && value == number;
}

// rewrite: a + 0 -> a, 0 + a -> a, 2 + 3 -> 5
const hy_expr *hy_index_add(hy_context *context, const hy_expr *a, const hy_expr *b) {
  int64_t x, y, sum;
  if (constants(a, b, &x, &y) && !__builtin_add_overflow(x, y, &sum)) return hy_expr_int(context, sum);
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  return hy_expr_binary(context, HY_OP_ADD, a, b);
}

// rewrite: a - 0 -> a, 5 - 3 -> 2
const hy_expr *hy_index_sub(hy_context *context, const hy_expr *a, const hy_expr *b) {
  int64_t x, y, difference;
  if (constants(a, b, &x, &y) && !__builtin_sub_overflow(x, y, &difference)) return hy_expr_int(context, difference);
  if (is_number(b, 0)) return a;
  return hy_expr_binary(context, HY_OP_SUB, a, b);
}

// rewrite: 1 * a -> a, a * 1 -> a, 2 * 3 -> 6
const hy_expr *hy_index_mul(hy_context *context, const hy_expr *a, const hy_expr *b) {
  int64_t x, y, product;
  if (constants(a, b, &x, &y) && !__builtin_mul_overflow(x, y, &product)) return hy_expr_int(context, product);
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  return hy_expr_binary(context, HY_OP_MUL, a, b);
}

// rewrite: a / 1 -> a, 7 / 2 -> 3
const hy_expr *hy_index_div(hy_context *context, const hy_expr *a, const hy_expr *b) {
  int64_t x, y;
  if (constants(a, b, &x, &y) && y > 0) return hy_expr_int(context, x / y - (x % y < 0));
  if (is_number(b, 1)) return a;
  return hy_expr_binary(context, HY_OP_DIV, a, b);
}

// rewrite: min(2, 3) -> 2, min(a, a) -> a
const hy_expr *hy_index_min(hy_context *context, const hy_expr *a, const hy_expr *b) {
  int64_t x, y;
  if (a == b) return a;
  if (constants(a, b, &x, &y)) return x < y ? a : b;
  return hy_expr_binary(context, HY_OP_MIN, a, b);
}
