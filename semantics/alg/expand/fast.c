/* fast_exp, fast_log, fast_sin, fast_cos of f32, in f32 arithmetic alone, every operator of which rounds: the bits are
 * the same in every engine because those of the operators are. What they promise stands in docs/language.md and is held
 * by semantics_accuracy. Coefficients interpolate at Chebyshev's nodes, and are rounded to f32.
 */

#include "semantics/alg/expand/expand.h"

static const hy_expr *real(hy_context *c, double d) { return hy_expr_const(c, hy_value_from_double(HY_F32, d)); }
static const hy_expr *whole(hy_context *c, int64_t i) { return hy_expr_const(c, hy_value_integral(HY_I32, i)); }
static const hy_expr *make(hy_context *c, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(c, op, a, b);
}
static const hy_expr *add(hy_context *c, const hy_expr *a, const hy_expr *b) { return make(c, HY_OP_ADD, a, b); }
static const hy_expr *sub(hy_context *c, const hy_expr *a, const hy_expr *b) { return make(c, HY_OP_SUB, a, b); }
static const hy_expr *mul(hy_context *c, const hy_expr *a, const hy_expr *b) { return make(c, HY_OP_MUL, a, b); }

// By Horner's scheme, the highest coefficient first.
static const hy_expr *polynomial(hy_context *c, const hy_expr *x, const double *coefficients, int count) {
  const hy_expr *sum = real(c, coefficients[0]);
  for (int i = 1; i < count; i++) sum = add(c, mul(c, sum, x), real(c, coefficients[i]));
  return sum;
}

static const hy_expr *float_of(hy_context *c, const hy_expr *bits) {
  return hy_expr_unary(c, HY_OP_F32_FROM_BITS, hy_expr_cast(c, HY_U32, bits));
}
static const hy_expr *nearest_whole(hy_context *c, const hy_expr *e) { return hy_expr_unary(c, HY_OP_ROUND, e); }

// x = k ln 2 + r; 2^k (1 + r + r^2 P(r)). k ln 2 in two products, the first of which is exact.
const hy_expr *hy_expand_fast_exp(hy_context *c, const hy_expr *x) {
  static const double p[] = {0x1.a12a34p-13, 0x1.6d4910p-10, 0x1.1110e0p-7, 0x1.5554e4p-5, 0x1.555556p-3, 0.5};
  const hy_expr *inside = make(c, HY_OP_MAX, make(c, HY_OP_MIN, x, real(c, 88)), real(c, -87));
  const hy_expr *k = nearest_whole(c, mul(c, inside, real(c, 0x1.715476p+0)));
  const hy_expr *near = sub(c, inside, mul(c, k, real(c, 0x1.62ep-1)));
  const hy_expr *r = sub(c, near, mul(c, k, real(c, 0x1.0bfbe8p-15)));
  const hy_expr *small = add(c, mul(c, mul(c, r, r), polynomial(c, r, p, 6)), r);
  const hy_expr *exponent = add(c, hy_expr_cast(c, HY_I32, k), whole(c, 127));
  const hy_expr *scale = float_of(c, make(c, HY_OP_SHL, exponent, whole(c, 23)));
  return mul(c, add(c, small, real(c, 1)), scale);
}

// x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); s = f / (2 + f), log(1 + f) = 2 s + s^3 P(s^2) = f - s (f - s^2 P(s^2)).
const hy_expr *hy_expand_fast_log(hy_context *c, const hy_expr *x) {
  static const double p[] = {0x1.ddf01ap-3, 0x1.245ba6p-2, 0x1.9999ecp-2, 0x1.555556p-1};
  const hy_expr *bits = hy_expr_cast(c, HY_I32, hy_expr_unary(c, HY_OP_F32_BITS, x));
  const hy_expr *k = make(c, HY_OP_SHR, sub(c, bits, whole(c, 0x3f3504f3)), whole(c, 23));
  const hy_expr *f = sub(c, float_of(c, sub(c, bits, make(c, HY_OP_SHL, k, whole(c, 23)))), real(c, 1));
  const hy_expr *s = make(c, HY_OP_DIV, f, add(c, real(c, 2), f)), *z = mul(c, s, s);
  const hy_expr *half = mul(c, mul(c, f, f), real(c, 0.5)), *power = hy_expr_cast(c, HY_F32, k);
  const hy_expr *rest = mul(c, s, add(c, half, mul(c, z, polynomial(c, z, p, 4))));
  const hy_expr *tail = add(c, rest, mul(c, power, real(c, 0x1.0bfbe8p-15)));
  return sub(c, mul(c, power, real(c, 0x1.62ep-1)), sub(c, sub(c, half, tail), f));
}

const hy_expr *hy_expand_fast_pow(hy_context *c, const hy_expr *x, const hy_expr *y) {
  const hy_expr *power = hy_expand_fast_exp(c, mul(c, hy_expand_fast_log(c, x), y)), *zero = real(c, 0);
  const hy_expr *of_zero = hy_expr_select(c, make(c, HY_OP_EQ, y, zero), real(c, 1), zero);
  return hy_expr_select(c, make(c, HY_OP_EQ, x, zero), of_zero, power);
}

// x = k pi/2 + r, pi/2 in three pieces; "turn" quarters more. Bit 0 of k chooses between sine and cosine, bit 1 the sign.
const hy_expr *hy_expand_fast_sin(hy_context *c, const hy_expr *x, int turn) {
  static const double of_sine[] = {-0x1.9abd4ep-13, 0x1.110c12p-7, -0x1.555552p-3};
  static const double of_cosine[] = {0x1.9bceaep-16, -0x1.6c12c0p-10, 0x1.555554p-5};
  const hy_expr *k = nearest_whole(c, mul(c, x, real(c, 0x1.45f306p-1)));
  const hy_expr *near = sub(c, x, mul(c, k, real(c, 0x1.92p+0)));
  const hy_expr *nearer = sub(c, near, mul(c, k, real(c, 0x1.fbp-12)));
  const hy_expr *r = sub(c, nearer, mul(c, k, real(c, 0x1.5110b4p-22))), *z = mul(c, r, r);
  const hy_expr *sine = add(c, r, mul(c, r, mul(c, z, polynomial(c, z, of_sine, 3))));
  const hy_expr *flat = sub(c, real(c, 1), mul(c, z, real(c, 0.5)));
  const hy_expr *cosine = add(c, flat, mul(c, mul(c, z, z), polynomial(c, z, of_cosine, 3)));
  const hy_expr *quarter = add(c, hy_expr_cast(c, HY_I32, k), whole(c, turn)), *none = whole(c, 0);
  const hy_expr *is_odd = make(c, HY_OP_NE, make(c, HY_OP_BIT_AND, quarter, whole(c, 1)), none);
  const hy_expr *is_turned = make(c, HY_OP_NE, make(c, HY_OP_BIT_AND, quarter, whole(c, 2)), none);
  const hy_expr *value = hy_expr_select(c, is_odd, cosine, sine);
  return hy_expr_select(c, is_turned, hy_expr_unary(c, HY_OP_NEG, value), value);
}
