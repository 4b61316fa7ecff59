// Arithmetic, by a second definition: what each operator of semantics/ops.def gives, errors and marks included,
// computed in 128 bits from the text of decisions D1 to D7. All engines but native code share semantics/value/value.c,
// so what is wrong there does not make them disagree.

#include "fuzz/judge/judge_internal.h"
#include "fuzz/judge/whole.h"

#include "engines/generator.h"

#include <math.h>
#include <string.h>

enum { OPERATIONS = 16 }; // of each pair

typedef struct {
  hy_op op;
  hy_type type; // of the result
  hy_value args[HY_MAX_ARITY];
} operation;

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }
static bool is_unsigned(hy_type type) { return type == HY_BOOL || hy_type_class_of(type) == HY_CLASS_UNSIGNED; }
static int bits_of(hy_type type) { return type == HY_BOOL ? 1 : hy_type_bits(type); }

static hy_whole whole(hy_value v) { return is_unsigned(v.type) ? (hy_whole)v.u : (hy_whole)v.i; }

// Of a type of storage: how many of its bits are exponent; the rest is fraction and a sign.
static int exponent_bits(hy_type type) { return type == HY_F16 ? 5 : 8; }
static double number_of_bits(uint64_t bits, int exponent_bits, int fraction_bits);
static double number(hy_value v) {
  if (!hy_type_is_storage(v.type)) return v.type == HY_F32 ? (double)v.f32 : v.f64;
  return number_of_bits(v.u, exponent_bits(v.type), 15 - exponent_bits(v.type));
}

/* -- operands: what lies at the edge, and small numbers -- */

static hy_value pick_whole(hy_type type, uint64_t random) {
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  int64_t small = (int64_t)(random >> 8 & 7) - 3;
  switch (random & 7) {
  case 0: return hy_value_integral(type, least);
  case 1: return hy_value_integral(type, type == HY_U64 ? -1 : greatest);
  case 2: return hy_value_integral(type, -1);
  case 3: return hy_value_integral(type, 0);
  case 4: return hy_value_integral(type, (int64_t)(random >> 8));
  case 5: return hy_value_integral(type, (int64_t)(random >> 8 & 127) - 8);
  default: return hy_value_integral(type, small);
  }
}

static hy_value pick_float(hy_type type, uint64_t random) {
  static const double special[] = {0.0, -0.0, 0.5, -1.5, 2.5, 1e10, -1e10, 1e300, -1e300, 127.5, 65535.0, 3.0};
  uint64_t which = random % 16;
  if (random >> 32 & 1)
    return hy_value_from_double(type, ldexp((double)(int32_t)(random >> 8), (int)(random >> 40 & 63) - 56));
  if (which == 12) return hy_value_from_double(type, INFINITY);
  if (which == 13) return hy_value_from_double(type, -INFINITY);
  if (which > 13) return hy_value_from_double(type, which == 14 ? (double)NAN : -(double)NAN);
  return hy_value_from_double(type, special[which]);
}

static hy_value pick_value(hy_type type, uint64_t random) {
  uint64_t what = hy_splitmix(random, 1);
  hy_value v = is_float(type) ? pick_float(type, what) : pick_whole(type, what);
  if (random % 23 < 3) v = hy_value_error(type, (hy_error)(1 + random % 23));
  v.undefined = random >> 32 & 1 && random >> 33 & 1;
  return v;
}

// The types of an operator's arguments, by its row. False: it does not take that type.
static bool pick_types(hy_op op, uint64_t random, hy_type *args, hy_type *result) {
  hy_type t = (hy_type)(random % HY_TYPE_COUNT);
  args[0] = args[1] = args[2] = *result = t;
  switch (hy_op_typing(op)) {
  case HY_TYPING_ARITH: return hy_type_is_numeric(t);
  case HY_TYPING_WHOLE:
  case HY_TYPING_BITS:
  case HY_TYPING_UBITS: return t != HY_BOOL && !is_float(t);
  case HY_TYPING_COMPARE: *result = HY_BOOL; return hy_type_is_numeric(t);
  case HY_TYPING_EQUAL: *result = HY_BOOL; return !hy_type_is_storage(t);
  case HY_TYPING_LOGIC: args[0] = args[1] = *result = HY_BOOL; return true;
  case HY_TYPING_SELECT: args[0] = HY_BOOL; return true;
  case HY_TYPING_UNARY: return hy_type_is_numeric(t);
  case HY_TYPING_CAST: *result = (hy_type)(random / 64 % HY_TYPE_COUNT); return true;
  case HY_TYPING_REINTERPRET: args[0] = hy_op_reinterpreted(op, result); return true;
  case HY_TYPING_MATH: return false; // the platform's and math.def's own
  }
  HY_UNREACHABLE();
}

/* -- what it should give: a whole number, or an error -- */

static hy_value arithmetic_error(hy_type type) { return hy_value_error(type, HY_ERROR_ARITH); }

// "int" has no more than 64 bits; the other types wrap around (decision D1).
static hy_value fit(hy_type type, hy_whole v) {
  if (type == HY_INT) return v < INT64_MIN || v > INT64_MAX ? arithmetic_error(type) : hy_value_int((int64_t)v);
  int bits = bits_of(type);
  hy_whole span = (hy_whole)1 << bits;
  v = hy_whole_rest(v, span);
  if (!is_unsigned(type) && v >= span / 2) v -= span;
  hy_value value = hy_value_zero(type);
  value.u = (uint64_t)v;
  return value;
}

static hy_value divide(hy_op op, hy_type type, hy_whole a, hy_whole b) {
  if (b == 0) return arithmetic_error(type);
  hy_whole rest = hy_whole_rest(a, b);
  return fit(type, op == HY_OP_MOD ? rest : (a - rest) / b);
}

// Bit by bit, of two's complement: how many are 1, or how many stand before the first 1, from one end of the type's.
static hy_value count_ones(hy_type type, hy_whole a) {
  int ones = 0;
  for (int i = 0; i < bits_of(type); i++) ones += (int)(a >> i & 1);
  return fit(type, ones);
}

static hy_value count_zeros(hy_type type, hy_whole a, bool from_above) {
  int bits = bits_of(type), zeros = 0;
  while (zeros < bits && !(a >> (from_above ? bits - 1 - zeros : zeros) & 1)) zeros++;
  return fit(type, zeros);
}

// a * 2^by, towards minus infinity where "by" is negative
static hy_value shift(hy_type type, hy_whole a, hy_whole by) {
  if (by < 0) return fit(type, by < -63 ? (a < 0 ? -1 : 0) : a >> (int)-by);
  if (by > 63) return a && type == HY_INT ? arithmetic_error(type) : hy_value_zero(type);
  if (type != HY_INT && by >= bits_of(type)) return hy_value_zero(type);
  return fit(type, a * ((hy_whole)1 << (int)by));
}

static uint64_t bits_of_number(double x, int exponent_bits, int fraction_bits);

// One rounding, by the machine's own to whole numbers, in units of the last place; a long double has all of 64 bits.
static hy_value expect_storage(hy_type type, long double x) {
  int in_exponent = exponent_bits(type), bias = (1 << (in_exponent - 1)) - 1, power = 0;
  if (isfinite(x) && x != 0) {
    frexpl(x, &power);
    power = (power - 1 < 1 - bias ? 1 - bias : power - 1) - (15 - in_exponent);
    x = ldexpl(rintl(ldexpl(x, -power)), power);
    if (fabsl(x) >= ldexpl(1, bias + 1)) x = copysignl(INFINITY, x);
  }
  return (hy_value){.u = bits_of_number((double)x, in_exponent, 15 - in_exponent), .type = (uint8_t)type};
}

static hy_value expect_cast(const operation *o) {
  hy_value a = o->args[0];
  if (hy_type_is_storage(o->type))
    return expect_storage(o->type, is_float(a.type) ? (long double)number(a) : (long double)whole(a));
  if (is_float(a.type) && is_float(o->type)) return hy_value_from_double(o->type, number(a));
  if (is_float(o->type)) // one rounding
    return o->type == HY_F32 ? (hy_value){.f32 = (float)whole(a), .type = HY_F32}
                             : hy_value_from_double(HY_F64, (double)whole(a));
  if (!is_float(a.type)) return o->type == HY_BOOL ? hy_value_bool(whole(a) != 0) : fit(o->type, whole(a));
  double d = number(a);
  if (o->type == HY_BOOL) return hy_value_bool(!(d == 0));
  hy_whole most = ((hy_whole)1 << (bits_of(o->type) - !is_unsigned(o->type))) - 1;
  hy_whole least = is_unsigned(o->type) ? 0 : -most - 1;
  if (isnan(d)) return hy_value_zero(o->type);
  return fit(o->type, d < (double)least ? least : d > (double)most ? most : (hy_whole)d > most ? most : (hy_whole)d);
}

// Sign, exponent and fraction, from the number (frexp, ldexp), not from what holds it; of NaN the quiet one without sign.
static uint64_t bits_of_number(double x, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1, exponent;
  uint64_t all_ones = (UINT64_C(1) << exponent_bits) - 1;
  if (isnan(x)) return all_ones << fraction_bits | UINT64_C(1) << (fraction_bits - 1);
  uint64_t sign = signbit(x) ? UINT64_C(1) << (exponent_bits + fraction_bits) : 0;
  if (isinf(x)) return sign | all_ones << fraction_bits;
  double fraction = frexp(fabs(x), &exponent); // in [1/2, 1)
  if (x == 0) return sign;
  if (exponent - 1 < 1 - bias) return sign | (uint64_t)ldexp(fabs(x), bias - 1 + fraction_bits);
  uint64_t rest = (uint64_t)ldexp(2 * fraction - 1, fraction_bits);
  return sign | (uint64_t)(exponent - 1 + bias) << fraction_bits | rest;
}

static double number_of_bits(uint64_t bits, int exponent_bits, int fraction_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1;
  uint64_t all_ones = (UINT64_C(1) << exponent_bits) - 1, one = UINT64_C(1) << fraction_bits;
  uint64_t exponent = bits >> fraction_bits & all_ones, rest = bits & (one - 1);
  double size = exponent == 0 ? ldexp((double)rest, 1 - bias - fraction_bits)
                              : ldexp((double)(one | rest), (int)exponent - bias - fraction_bits);
  if (exponent == all_ones) size = rest ? (double)NAN : (double)INFINITY;
  return bits >> (exponent_bits + fraction_bits) & 1 ? -size : size;
}

// Of ordinary arguments: a and b if they are whole numbers, else x and y.
static hy_value expect_ordinary(const operation *o) {
  const hy_value *args = o->args;
  bool f = is_float(args[0].type);
  hy_type type = o->type;
  hy_whole a = f ? 0 : whole(args[0]), b = f ? 0 : whole(args[1]);
  double x = f ? number(args[0]) : 0, y = f ? number(args[1]) : 0;
  switch (o->op) {
  // one rounding from the double is as good as the float's own for these (24 bits twice fit into 53)
  case HY_OP_ADD: return f ? hy_value_from_double(type, x + y) : fit(type, a + b);
  case HY_OP_SUB: return f ? hy_value_from_double(type, x - y) : fit(type, a - b);
  case HY_OP_MUL:
    if (f) return hy_value_from_double(type, x * y);
    return fit(type, is_unsigned(type) ? (hy_whole)(args[0].u * args[1].u) : a * b);
  case HY_OP_DIV: return f ? hy_value_from_double(type, x / y) : divide(o->op, type, a, b);
  case HY_OP_MOD: return divide(o->op, type, a, b);
  case HY_OP_NEG: return f ? hy_value_from_double(type, -x) : fit(type, -a);
  case HY_OP_ABS: return f ? hy_value_from_double(type, fabs(x)) : fit(type, a < 0 ? -a : a);
  case HY_OP_MIN: return args[(f ? x < y : a < b) ? 0 : 1];
  case HY_OP_MAX: return args[(f ? x > y : a > b) ? 0 : 1];
  case HY_OP_EQ: return hy_value_bool(f ? x == y : a == b);
  case HY_OP_NE: return hy_value_bool(!(f ? x == y : a == b));
  case HY_OP_LT: return hy_value_bool(f ? x < y : a < b);
  case HY_OP_LE: return hy_value_bool(f ? x <= y : a <= b);
  case HY_OP_GT: return hy_value_bool(f ? x > y : a > b);
  case HY_OP_GE: return hy_value_bool(f ? x >= y : a >= b);
  case HY_OP_SHL: return shift(type, a, b);
  case HY_OP_SHR: return shift(type, a, -b);
  case HY_OP_BIT_AND: return fit(type, a & b);
  case HY_OP_BIT_OR: return fit(type, a | b);
  case HY_OP_BIT_XOR: return fit(type, a ^ b);
  case HY_OP_BIT_NOT: return fit(type, -a - 1);
  case HY_OP_POPCOUNT: return count_ones(type, a);
  case HY_OP_COUNT_LEADING_ZEROS: return count_zeros(type, a, true);
  case HY_OP_COUNT_TRAILING_ZEROS: return count_zeros(type, a, false);
  case HY_OP_AND: return hy_value_bool(a && b);
  case HY_OP_OR: return hy_value_bool(a || b);
  case HY_OP_NOT: return hy_value_bool(!a);
  case HY_OP_SELECT: return args[a ? 1 : 2];
  case HY_OP_CAST: return expect_cast(o);
  case HY_OP_F32_BITS: return fit(type, bits_of_number(x, 8, 23));
  case HY_OP_F64_BITS: return fit(type, bits_of_number(x, 11, 52));
  case HY_OP_F32_FROM_BITS: return hy_value_from_double(type, number_of_bits((uint64_t)a, 8, 23));
  case HY_OP_F64_FROM_BITS: return hy_value_from_double(type, number_of_bits((uint64_t)a, 11, 52));
  case HY_OP_F16_BITS:
  case HY_OP_BF16_BITS:
    return fit(type, bits_of_number(x, exponent_bits(args[0].type), 15 - exponent_bits(args[0].type)));
  case HY_OP_F16_FROM_BITS:
  case HY_OP_BF16_FROM_BITS:
    return expect_storage(type, number_of_bits((uint64_t)a, exponent_bits(type), 15 - exponent_bits(type)));
  case HY_OP_SQRT:
  case HY_OP_FLOOR:
  case HY_OP_CEIL:
  case HY_OP_ROUND:
  case HY_OP_TRUNC:
  case HY_OP_SIN:
  case HY_OP_COS:
  case HY_OP_EXP:
  case HY_OP_LOG:
  case HY_OP_POW:
  case HY_OP_TAN:
  case HY_OP_ATAN:
  case HY_OP_ATAN2:
  case HY_OP_TANH:
  case HY_OP_ASIN:
  case HY_OP_ACOS:
  case HY_OP_SINH:
  case HY_OP_COSH:
  case HY_OP_ASINH:
  case HY_OP_ACOSH:
  case HY_OP_ATANH:
  case HY_OP_ERF:
  case HY_OP_FMA: break; // of typing MATH, which pick_types leaves out
  }
  HY_UNREACHABLE();
}

static hy_value expect(const operation *o) {
  hy_error error = HY_OK; // the greatest of all (decision D3)
  bool undefined = false;
  for (int i = 0; i < hy_op_arity(o->op); i++) {
    if (o->args[i].error > error) error = (hy_error)o->args[i].error;
    undefined |= o->args[i].undefined;
  }
  hy_value v = error ? hy_value_error(o->type, error) : expect_ordinary(o);
  v.undefined = undefined;
  return v;
}

/* -- comparing -- */

// Of all NaNs there is one; zeros have signs (decision D1).
static bool agree(hy_value a, hy_value b) {
  if (a.type != b.type || a.error != b.error || a.undefined != b.undefined) return false;
  if (a.error) return true;
  if (!is_float(a.type)) return a.u == b.u;
  double x = number(a), y = number(b);
  return isnan(x) || isnan(y) ? isnan(x) && isnan(y) : x == y && !signbit(x) == !signbit(y);
}

static void find(hy_judging *g, const char *detail) {
  hy_judging_find(g, HY_FOUND_DISAGREE, "value", detail);
  g->j->step = 0; // whatever the schedule
}

static void report(hy_judging *g, const operation *o, hy_value want, hy_value got) {
  hy_text text = {0};
  hy_text_printf(&text, "%s to %s of", hy_op_name(o->op), hy_type_name(o->type));
  for (int i = 0; i < hy_op_arity(o->op); i++) {
    hy_text_printf(&text, " %s ", hy_type_name(o->args[i].type));
    hy_value_print(o->args[i], &text);
    if (o->args[i].undefined) hy_text_add(&text, " (undefined)");
  }
  hy_text_printf(&text, "\nexpected: %s", want.undefined ? "(undefined) " : "");
  hy_value_print(want, &text);
  hy_text_printf(&text, "\ngot: %s", got.undefined ? "(undefined) " : "");
  hy_value_print(got, &text);
  find(g, hy_text_string(&text));
  hy_text_free(&text);
}

// NaNs of different bits are the same value.
static void judge_same(hy_judging *g, uint64_t seed) {
  static const hy_type types[] = {HY_F32, HY_F64, HY_F16, HY_BF16};
  hy_value a = pick_value(types[seed % HY_COUNT(types)], seed), b = pick_value((hy_type)a.type, hy_splitmix(seed, 2));
  a.undefined = b.undefined = false;
  if (hy_value_same(a, b) != agree(a, b)) find(g, "two values are the same and not the same");
}

void hy_judging_values(hy_judging *g) {
  uint64_t seed = hy_splitmix(g->c->seed, 800);
  for (uint64_t i = 0; i < OPERATIONS; i++) {
    uint64_t random = hy_splitmix(seed, i);
    operation o = {.op = (hy_op)(random >> 48) % HY_OP_COUNT};
    hy_type args[HY_MAX_ARITY];
    if (!pick_types(o.op, random, args, &o.type)) continue;
    for (int k = 0; k < hy_op_arity(o.op); k++) o.args[k] = pick_value(args[k], hy_splitmix(random, (uint64_t)k + 1));
    if (hy_op_kind_of(o.op) == HY_KIND_SHIFT)
      if (random >> 40 & 1) o.args[1] = hy_value_integral(args[1], (int64_t)(random >> 32 & 127) - 20);
    hy_value want = expect(&o), got = hy_value_apply(o.op, o.type, o.args);
    if (!agree(want, got)) report(g, &o, want, got);
  }
  judge_same(g, hy_splitmix(seed, 99));
}
