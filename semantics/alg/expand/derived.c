/* Derived operators: those of Halide's language that the core's conversions and operators make.
 *
 * Halide defines most of them through a type of twice the width. Where that is 128 bits the same value is computed
 * without it; so are halves and rounding shifts of every width.
 */

#include "semantics/alg/expand/expand.h"

#include <string.h>

static const struct {
  const char *name;
  int arity;
  hy_derived_result result;
  hy_derived_operands operands;
  uint32_t copies, own;
} rows[] = {
#define HY_DERIVED(name, spelling, arity, result, operands, copies, own)                                               \
  {spelling, arity, HY_RESULT_##result, HY_OPERANDS_##operands, copies, own},
#include "semantics/alg/expand/expansions.def"
#undef HY_DERIVED
};

const char *hy_derived_name(hy_derived derived) { return rows[derived].name; }
int hy_derived_arity(hy_derived derived) { return rows[derived].arity; }
hy_derived_result hy_derived_result_of(hy_derived derived) { return rows[derived].result; }
hy_derived_operands hy_derived_operands_of(hy_derived derived) { return rows[derived].operands; }
uint32_t hy_derived_copies(hy_derived derived) { return rows[derived].copies; }
uint32_t hy_derived_own(hy_derived derived) { return rows[derived].own; }

bool hy_derived_find(const char *name, hy_derived *derived) {
  for (int i = 0; i < HY_DERIVED_COUNT; i++)
    if (rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0) return *derived = (hy_derived)i, true;
  return false;
}

/* -- types -- */

static bool is_signed(hy_type type) { return hy_type_class_of(type) == HY_CLASS_SIGNED; }

static hy_type fixed(int bits, bool is_signed) {
  static const hy_type types[2][4] = {{HY_U8, HY_U16, HY_U32, HY_U64}, {HY_I8, HY_I16, HY_I32, HY_I64}};
  int row = 0;
  while (8 << row < bits) row++;
  return types[is_signed][row];
}

bool hy_derived_takes(hy_derived derived, hy_type type) {
  bool is_natural = hy_type_class_of(type) == HY_CLASS_UNSIGNED, is_fixed = is_signed(type) || is_natural;
  bool is_narrow = hy_type_bits(type) < 64, is_real = hy_type_class_of(type) == HY_CLASS_FLOAT;
  switch (rows[derived].operands) {
  case HY_OPERANDS_FIXED: return is_fixed;
  case HY_OPERANDS_NARROW: return is_fixed && is_narrow;
  case HY_OPERANDS_WHOLE: return is_fixed || type == HY_INT;
  case HY_OPERANDS_NUMBERS: return hy_type_is_numeric(type);
  case HY_OPERANDS_FLOATS: return is_real && hy_type_is_numeric(type);
  case HY_OPERANDS_SINGLE: return type == HY_F32;
  case HY_OPERANDS_WEIGHED: return (is_real && hy_type_is_numeric(type)) || (is_natural && is_narrow);
  case HY_OPERANDS_ALIKE:
    return (is_fixed || is_real) && hy_type_bits(type) == hy_type_bits(hy_derived_type(derived, type));
  case HY_OPERANDS_PARTS: return is_natural && is_narrow;
  case HY_OPERANDS_RIGHT: return is_fixed && is_narrow;
  case HY_OPERANDS_PATTERN: return is_fixed || is_real;
  }
  HY_UNREACHABLE();
}

int hy_derived_leading(hy_derived derived) { return rows[derived].operands == HY_OPERANDS_RIGHT ? 1 : 0; }

hy_type hy_derived_operand_type(hy_derived derived, hy_type type, int position) {
  if (rows[derived].operands == HY_OPERANDS_RIGHT && position == 0) return hy_derived_type(derived, type);
  return rows[derived].operands == HY_OPERANDS_PATTERN && position == 1 ? HY_INT : type;
}

hy_type hy_derived_type(hy_derived derived, hy_type type) {
  int bits = hy_type_bits(type);
  switch (rows[derived].result) {
  case HY_RESULT_SAME: return type;
  case HY_RESULT_UNSIGNED: return fixed(bits, false);
  case HY_RESULT_WIDE: return fixed(2 * bits, is_signed(type));
  case HY_RESULT_WIDE_SIGNED: return fixed(2 * bits, true);
  case HY_RESULT_U8: return HY_U8;
  case HY_RESULT_U16: return HY_U16;
  case HY_RESULT_U32: return HY_U32;
  case HY_RESULT_U64: return HY_U64;
  case HY_RESULT_I8: return HY_I8;
  case HY_RESULT_I16: return HY_I16;
  case HY_RESULT_I32: return HY_I32;
  case HY_RESULT_I64: return HY_I64;
  case HY_RESULT_F32: return HY_F32;
  case HY_RESULT_F64: return HY_F64;
  case HY_RESULT_F16: return HY_F16;
  case HY_RESULT_BF16: return HY_BF16;
  case HY_RESULT_BOOL: return HY_BOOL;
  }
  HY_UNREACHABLE();
}

/* -- expressions; all operands of one have one type -- */

typedef struct {
  hy_context *context;
  hy_type type;             // of a, b, q, or of the leading one
  const hy_expr *a, *b, *q; // the operands; NULL where there are less
} operands;

static const hy_expr *make(const operands *o, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(o->context, op, a, b);
}

static const hy_expr *number(const operands *o, hy_type type, int64_t i) {
  return hy_expr_const(o->context, hy_value_integral(type, i));
}

static const hy_expr *cast(const operands *o, hy_type type, const hy_expr *e) {
  return hy_expr_cast(o->context, type, e);
}

static const hy_expr *choose(const operands *o, const hy_expr *condition, const hy_expr *a, const hy_expr *b) {
  return hy_expr_select(o->context, condition, a, b);
}

static const hy_expr *is_negative(const operands *o, const hy_expr *e) {
  return make(o, HY_OP_LT, e, number(o, e->type, 0));
}

static const hy_expr *least(const operands *o) {
  int64_t low, high;
  hy_type_range(o->type, &low, &high);
  return number(o, o->type, low);
}

static const hy_expr *greatest(const operands *o) {
  int64_t low, high;
  hy_type_range(o->type, &low, &high);
  return number(o, o->type, o->type == HY_U64 ? -1 : high);
}

static const hy_expr *widened(const operands *o, hy_type wide, hy_op op) {
  const hy_expr *b = cast(o, wide, o->b);
  return make(o, op, cast(o, wide, o->a), b);
}

// The value of the type that is nearest to a wide one.
static const hy_expr *saturated(const operands *o, const hy_expr *wide) {
  int64_t low, high;
  hy_type_range(o->type, &low, &high);
  const hy_expr *below = make(o, HY_OP_MIN, wide, number(o, wide->type, high));
  if (!is_signed(wide->type)) return cast(o, o->type, below);
  return cast(o, o->type, make(o, HY_OP_MAX, below, number(o, wide->type, low)));
}

/* -- 64 bits: the sum or difference wraps, and where it did is seen from it -- */

// Signed: it did if "sign" is negative; the true value lies beyond the end where a is.
static const hy_expr *saturated_signed(const operands *o, const hy_expr *wrapped, const hy_expr *sign) {
  const hy_expr *above = greatest(o), *below = least(o), *end = choose(o, is_negative(o, o->a), below, above);
  return choose(o, is_negative(o, sign), end, wrapped);
}

static const hy_expr *saturating_add_64(const operands *o) {
  const hy_expr *sum = make(o, HY_OP_ADD, o->a, o->b);
  if (!is_signed(o->type)) {
    const hy_expr *end = greatest(o);
    return choose(o, make(o, HY_OP_LT, sum, o->a), end, sum);
  }
  const hy_expr *beside_b = make(o, HY_OP_BIT_XOR, o->b, sum), *beside_a = make(o, HY_OP_BIT_XOR, o->a, sum);
  return saturated_signed(o, sum, make(o, HY_OP_BIT_AND, beside_a, beside_b));
}

static const hy_expr *saturating_sub_64(const operands *o) {
  const hy_expr *difference = make(o, HY_OP_SUB, o->a, o->b);
  if (!is_signed(o->type)) {
    const hy_expr *zero = number(o, o->type, 0);
    return choose(o, make(o, HY_OP_LT, o->a, o->b), zero, difference);
  }
  const hy_expr *beside = make(o, HY_OP_BIT_XOR, o->a, difference), *apart = make(o, HY_OP_BIT_XOR, o->a, o->b);
  return saturated_signed(o, difference, make(o, HY_OP_BIT_AND, apart, beside));
}

/* -- the operators -- */

static const hy_expr *saturating(const operands *o, hy_op op) {
  int bits = hy_type_bits(o->type);
  if (bits == 64) return op == HY_OP_ADD ? saturating_add_64(o) : saturating_sub_64(o);
  return saturated(o, widened(o, fixed(2 * bits, is_signed(o->type) || op == HY_OP_SUB), op));
}

static const hy_expr *absolute_difference(const operands *o) {
  hy_type type = fixed(hy_type_bits(o->type), false);
  const hy_expr *lesser = cast(o, type, make(o, HY_OP_MIN, o->a, o->b));
  return make(o, HY_OP_SUB, cast(o, type, make(o, HY_OP_MAX, o->a, o->b)), lesser);
}

// half(e) = e >> 1, of what is left of a sum when the bits that both have are taken out
static const hy_expr *half(const operands *o, const hy_expr *e) { return make(o, HY_OP_SHR, e, number(o, o->type, 1)); }

static const hy_expr *halving_add(const operands *o) {
  const hy_expr *rest = half(o, make(o, HY_OP_BIT_XOR, o->a, o->b));
  return make(o, HY_OP_ADD, make(o, HY_OP_BIT_AND, o->a, o->b), rest);
}

static const hy_expr *rounding_halving_add(const operands *o) {
  const hy_expr *rest = half(o, make(o, HY_OP_BIT_XOR, o->a, o->b));
  return make(o, HY_OP_SUB, make(o, HY_OP_BIT_OR, o->a, o->b), rest);
}

static const hy_expr *halving_sub(const operands *o) {
  const hy_expr *one = number(o, o->type, 1), *complement = hy_expr_unary(o->context, HY_OP_BIT_NOT, o->a);
  const hy_expr *borrow = make(o, HY_OP_BIT_AND, make(o, HY_OP_BIT_AND, complement, o->b), one);
  const hy_expr *half_b = half(o, o->b), *half_a = half(o, o->a);
  return make(o, HY_OP_SUB, make(o, HY_OP_SUB, half_a, half_b), borrow);
}

// (a >> b) + the last bit that was shifted out, a and b of any one type
static const hy_expr *rounding_right(const operands *o, const hy_expr *a, const hy_expr *b) {
  const hy_expr *one = number(o, a->type, 1), *zero = number(o, a->type, 0);
  const hy_expr *is_right = choose(o, make(o, HY_OP_GT, b, zero), one, zero);
  const hy_expr *last = make(o, HY_OP_SHR, a, make(o, HY_OP_SUB, b, one));
  const hy_expr *rounding = make(o, HY_OP_BIT_AND, is_right, last);
  return make(o, HY_OP_ADD, make(o, HY_OP_SHR, a, b), rounding);
}

static const hy_expr *rounding_left(const operands *o) {
  if (!is_signed(o->type)) return make(o, HY_OP_SHL, o->a, o->b);
  const hy_expr *one = number(o, o->type, 1), *zero = number(o, o->type, 0);
  const hy_expr *is_right = choose(o, is_negative(o, o->b), one, zero);
  const hy_expr *last = make(o, HY_OP_SHL, o->a, make(o, HY_OP_ADD, o->b, one));
  const hy_expr *rounding = make(o, HY_OP_BIT_AND, is_right, last);
  return make(o, HY_OP_ADD, make(o, HY_OP_SHL, o->a, o->b), rounding);
}

static const hy_expr *mul_shift_right(const operands *o, bool rounds) {
  hy_type wide = fixed(2 * hy_type_bits(o->type), is_signed(o->type));
  const hy_expr *product = widened(o, wide, HY_OP_MUL), *q = cast(o, wide, o->q);
  return saturated(o, rounds ? rounding_right(o, product, q) : make(o, HY_OP_SHR, product, q));
}

static uint64_t top(hy_type type) {
  int64_t low, high;
  hy_type_range(type, &low, &high);
  return type == HY_U64 ? UINT64_MAX : (uint64_t)high;
}

// The operand, of any type of numbers, as the nearest value of another: a float's conversion is that already
// (VAL.Cast).
static const hy_expr *saturating_conversion(const operands *o, hy_type result) {
  const hy_expr *e = o->a;
  int64_t low, high, least_of_operand;
  hy_type_range(result, &low, &high);
  if (hy_type_class_of(o->type) == HY_CLASS_FLOAT) return cast(o, result, e);
  hy_type_range(o->type, &least_of_operand, &high);
  if (top(result) < top(o->type)) e = make(o, HY_OP_MIN, e, number(o, o->type, (int64_t)top(result)));
  if (low > least_of_operand) e = make(o, HY_OP_MAX, e, number(o, o->type, low));
  return cast(o, result, e);
}

/* -- quotients that are rounded to zero: of a negative number that is no multiple the Euclidean one lies further -- */

static const hy_expr *is_rounded(const operands *o) {
  const hy_expr *rest = make(o, HY_OP_MOD, o->a, o->b), *is_none = make(o, HY_OP_NE, rest, number(o, o->type, 0));
  return make(o, HY_OP_AND, is_none, is_negative(o, o->a));
}

static const hy_expr *div_round_to_zero(const operands *o) {
  const hy_expr *quotient = make(o, HY_OP_DIV, o->a, o->b), *zero = number(o, o->type, 0);
  if (hy_type_class_of(o->type) == HY_CLASS_UNSIGNED) return quotient;
  const hy_expr *one = number(o, o->type, 1), *less = number(o, o->type, -1);
  const hy_expr *back = choose(o, is_negative(o, o->b), less, one);
  return make(o, HY_OP_ADD, quotient, choose(o, is_rounded(o), back, zero));
}

// It loses |b|, written so that nothing overflows: -|b| is min(b, ~b), and one more where b is not negative.
static const hy_expr *mod_round_to_zero(const operands *o) {
  const hy_expr *rest = make(o, HY_OP_MOD, o->a, o->b), *zero = number(o, o->type, 0);
  if (hy_type_class_of(o->type) == HY_CLASS_UNSIGNED) return rest;
  const hy_expr *below = make(o, HY_OP_MIN, o->b, hy_expr_unary(o->context, HY_OP_BIT_NOT, o->b));
  const hy_expr *size = make(o, HY_OP_ADD, below, choose(o, is_negative(o, o->b), zero, number(o, o->type, 1)));
  return make(o, HY_OP_ADD, rest, choose(o, is_rounded(o), size, zero));
}

/* -- between a and b, at q of the way; of integers the greatest is all of it -- */

static const hy_expr *real(const operands *o, double d) {
  return hy_expr_const(o->context, hy_value_from_double(o->type, d));
}

static const hy_expr *lerp(const operands *o) {
  if (hy_type_class_of(o->type) == HY_CLASS_FLOAT) {
    const hy_expr *rest = make(o, HY_OP_SUB, real(o, 1), o->q), *of_a = make(o, HY_OP_MUL, o->a, rest);
    return make(o, HY_OP_ADD, of_a, make(o, HY_OP_MUL, o->b, o->q));
  }
  int bits = hy_type_bits(o->type);
  hy_type wide = fixed(2 * bits, false);
  int64_t all = (INT64_C(1) << bits) - 1;
  const hy_expr *whole = number(o, wide, all), *q = cast(o, wide, o->q);
  const hy_expr *of_a = make(o, HY_OP_MUL, cast(o, wide, o->a), make(o, HY_OP_SUB, whole, q));
  const hy_expr *sum = make(o, HY_OP_ADD, of_a, make(o, HY_OP_MUL, cast(o, wide, o->b), q));
  return cast(o, o->type, make(o, HY_OP_DIV, make(o, HY_OP_ADD, sum, number(o, wide, all / 2)), whole));
}

/* -- floats -- */

static const hy_expr *beside_infinity(const operands *o, hy_op op) {
  const hy_expr *infinity = make(o, HY_OP_DIV, real(o, 1), real(o, 0)); // as it is written
  return make(o, op, hy_expr_unary(o->context, HY_OP_ABS, o->a), infinity);
}

static const hy_expr *fraction(const operands *o) {
  return make(o, HY_OP_SUB, o->a, hy_expr_unary(o->context, HY_OP_TRUNC, o->a));
}

static const hy_expr *hypotenuse(const operands *o) {
  const hy_expr *sum = make(o, HY_OP_ADD, make(o, HY_OP_MUL, o->a, o->a), make(o, HY_OP_MUL, o->b, o->b));
  return hy_expr_unary(o->context, HY_OP_SQRT, sum);
}

static const hy_expr *inverse(const operands *o, const hy_expr *e) { return make(o, HY_OP_DIV, real(o, 1), e); }

/* -- patterns of bits, by way of the unsigned type of their width -- */

static const hy_expr *pattern(const operands *o) {
  bool is_real = hy_type_class_of(o->type) == HY_CLASS_FLOAT;
  return is_real ? hy_expr_unary(o->context, hy_op_of_bits(o->type, false), o->a)
                 : cast(o, fixed(hy_type_bits(o->type), false), o->a);
}

// A part of each, the first lowest.
static const hy_expr *concatenated(const operands *o, hy_type result) {
  const hy_expr *above = make(o, HY_OP_SHL, cast(o, result, o->b), number(o, result, hy_type_bits(o->type)));
  return make(o, HY_OP_BIT_OR, above, cast(o, result, o->a));
}

// The bits from the place b on; those that there are none of are 0, below, too.
static const hy_expr *extracted(const operands *o, hy_type result) {
  const hy_expr *bits = pattern(o), *zero = number(o, HY_INT, 0);
  const hy_expr *most = number(o, HY_INT, hy_type_bits(o->type)), *least = number(o, HY_INT, -hy_type_bits(o->type));
  const hy_expr *right = make(o, HY_OP_MAX, make(o, HY_OP_MIN, o->b, most), zero);
  const hy_expr *left = make(o, HY_OP_SUB, zero, make(o, HY_OP_MIN, make(o, HY_OP_MAX, o->b, least), zero));
  const hy_expr *lowered = make(o, HY_OP_SHR, bits, cast(o, bits->type, right));
  const hy_expr *part = make(o, HY_OP_SHL, lowered, cast(o, bits->type, left));
  if (hy_type_class_of(result) != HY_CLASS_FLOAT) return cast(o, result, part);
  return hy_expr_unary(o->context, hy_op_of_bits(result, true), cast(o, fixed(hy_type_bits(result), false), part));
}

static const hy_expr *reinterpreted(const operands *o, hy_type result) {
  bool is_real = hy_type_class_of(o->type) == HY_CLASS_FLOAT, to_real = hy_type_class_of(result) == HY_CLASS_FLOAT;
  if (is_real && result == o->type) return o->a;
  if (!is_real && !to_real) return cast(o, result, o->a);
  const hy_expr *bits = pattern(o);
  return to_real ? hy_expr_unary(o->context, hy_op_of_bits(result, true), bits) : cast(o, result, bits);
}

// ALG.Expand.Derived
const hy_expr *hy_expand_derived(hy_context *context, hy_derived derived, hy_type type, const hy_expr *const *args) {
  int arity = rows[derived].arity;
  operands o = {context, type, args[0], arity > 1 ? args[1] : NULL, arity > 2 ? args[2] : NULL};
  hy_type result = hy_derived_type(derived, type);
  hy_context_hit(context, HY_RULE_ALG_EXPAND_DERIVED);
  switch (derived) {
  case HY_DERIVED_ABSD: return absolute_difference(&o);
  case HY_DERIVED_WIDENING_ADD: return widened(&o, result, HY_OP_ADD);
  case HY_DERIVED_WIDENING_SUB: return widened(&o, result, HY_OP_SUB);
  case HY_DERIVED_WIDENING_MUL: return widened(&o, result, HY_OP_MUL);
  case HY_DERIVED_SATURATING_ADD: return saturating(&o, HY_OP_ADD);
  case HY_DERIVED_SATURATING_SUB: return saturating(&o, HY_OP_SUB);
  case HY_DERIVED_HALVING_ADD: return halving_add(&o);
  case HY_DERIVED_HALVING_SUB: return halving_sub(&o);
  case HY_DERIVED_ROUNDING_HALVING_ADD: return rounding_halving_add(&o);
  case HY_DERIVED_ROUNDING_SHIFT_LEFT: return rounding_left(&o);
  case HY_DERIVED_ROUNDING_SHIFT_RIGHT: return rounding_right(&o, o.a, o.b);
  case HY_DERIVED_MUL_SHIFT_RIGHT: return mul_shift_right(&o, false);
  case HY_DERIVED_ROUNDING_MUL_SHIFT_RIGHT: return mul_shift_right(&o, true);
  case HY_DERIVED_U8_SAT:
  case HY_DERIVED_U16_SAT:
  case HY_DERIVED_U32_SAT:
  case HY_DERIVED_U64_SAT:
  case HY_DERIVED_I8_SAT:
  case HY_DERIVED_I16_SAT:
  case HY_DERIVED_I32_SAT:
  case HY_DERIVED_I64_SAT: return saturating_conversion(&o, result);
  case HY_DERIVED_WIDENING_SHIFT_LEFT: return widened(&o, result, HY_OP_SHL);
  case HY_DERIVED_WIDENING_SHIFT_RIGHT: return widened(&o, result, HY_OP_SHR);
  case HY_DERIVED_DIV_ROUND_TO_ZERO: return div_round_to_zero(&o);
  case HY_DERIVED_MOD_ROUND_TO_ZERO: return mod_round_to_zero(&o);
  case HY_DERIVED_LERP: return lerp(&o);
  case HY_DERIVED_IS_NAN: return make(&o, HY_OP_NE, o.a, o.a);
  case HY_DERIVED_IS_INF: return beside_infinity(&o, HY_OP_EQ);
  case HY_DERIVED_IS_FINITE: return beside_infinity(&o, HY_OP_LT);
  case HY_DERIVED_FRACT: return fraction(&o);
  case HY_DERIVED_HYPOT: return hypotenuse(&o);
  case HY_DERIVED_FAST_INVERSE: return inverse(&o, o.a);
  case HY_DERIVED_FAST_INVERSE_SQRT: return inverse(&o, hy_expr_unary(context, HY_OP_SQRT, o.a));
  case HY_DERIVED_FAST_EXP: return hy_expand_fast_exp(context, o.a);
  case HY_DERIVED_FAST_LOG: return hy_expand_fast_log(context, o.a);
  case HY_DERIVED_FAST_POW: return hy_expand_fast_pow(context, o.a, o.b);
  case HY_DERIVED_FAST_SIN: return hy_expand_fast_sin(context, o.a, 0);
  case HY_DERIVED_FAST_COS: return hy_expand_fast_sin(context, o.a, 1);
  case HY_DERIVED_REINTERPRET_U8:
  case HY_DERIVED_REINTERPRET_U16:
  case HY_DERIVED_REINTERPRET_U32:
  case HY_DERIVED_REINTERPRET_U64:
  case HY_DERIVED_REINTERPRET_I8:
  case HY_DERIVED_REINTERPRET_I16:
  case HY_DERIVED_REINTERPRET_I32:
  case HY_DERIVED_REINTERPRET_I64:
  case HY_DERIVED_REINTERPRET_F32:
  case HY_DERIVED_REINTERPRET_F64:
  case HY_DERIVED_REINTERPRET_F16:
  case HY_DERIVED_REINTERPRET_BF16: return reinterpreted(&o, result);
  case HY_DERIVED_WIDEN_RIGHT_ADD: return make(&o, HY_OP_ADD, o.a, cast(&o, result, o.b));
  case HY_DERIVED_WIDEN_RIGHT_SUB: return make(&o, HY_OP_SUB, o.a, cast(&o, result, o.b));
  case HY_DERIVED_WIDEN_RIGHT_MUL: return make(&o, HY_OP_MUL, o.a, cast(&o, result, o.b));
  case HY_DERIVED_CONCAT_BITS: return concatenated(&o, result);
  case HY_DERIVED_EXTRACT_BITS_U8:
  case HY_DERIVED_EXTRACT_BITS_U16:
  case HY_DERIVED_EXTRACT_BITS_U32:
  case HY_DERIVED_EXTRACT_BITS_U64:
  case HY_DERIVED_EXTRACT_BITS_I8:
  case HY_DERIVED_EXTRACT_BITS_I16:
  case HY_DERIVED_EXTRACT_BITS_I32:
  case HY_DERIVED_EXTRACT_BITS_I64:
  case HY_DERIVED_EXTRACT_BITS_F32:
  case HY_DERIVED_EXTRACT_BITS_F64:
  case HY_DERIVED_EXTRACT_BITS_F16:
  case HY_DERIVED_EXTRACT_BITS_BF16: return extracted(&o, result);
  case HY_DERIVED_COUNT: break;
  }
  HY_UNREACHABLE();
}
