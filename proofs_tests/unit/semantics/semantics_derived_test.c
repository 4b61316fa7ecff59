/* Derived operators (ALG.Expand.Derived): what they stand for has, at many pairs of small values and at the edges of
 * every type, the value that Halide's documentation says in Z: a wide sum, difference or product, shifted, rounded, and
 * brought back into the type.
 */

#include "proofs_tests/suites.h"
#include "semantics/alg/expand/expand.h"
#include "semantics/semantics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef __int128 whole; // Z, for all that is asked here

static const hy_type types[] = {HY_U8, HY_U16, HY_U32, HY_U64, HY_I8, HY_I16, HY_I32, HY_I64, HY_INT};

static bool is_unsigned(hy_type type) { return hy_type_class_of(type) == HY_CLASS_UNSIGNED; }
static whole power(int exponent) { return (whole)1 << exponent; }
static whole low_of(hy_type type) { return is_unsigned(type) ? 0 : -power(hy_type_bits(type) - 1); }
static whole high_of(hy_type type) { return power(hy_type_bits(type) - !is_unsigned(type)) - 1; }

/* -- in Z -- */

static whole floor_half(whole a) { return a >> 1; }
static whole saturate(hy_type type, whole a) {
  return a < low_of(type) ? low_of(type) : a > high_of(type) ? high_of(type) : a;
}

// floor(a / 2^by); multiplied where "by" is negative, modulo 2^64 at least
static whole shift(whole a, whole by) {
  if (by < 0) return by <= -64 ? 0 : (whole)((unsigned __int128)a << (int)-by);
  return by >= 127 ? (a < 0 ? -1 : 0) : a >> (int)by;
}

// floor(a / 2^by + 1/2)
static whole rounding_shift(whole a, whole by) {
  if (by <= 0) return shift(a, by);
  return by > 66 ? 0 : (a + power((int)by - 1)) >> (int)by;
}

// The whole number nearest to (a (top - q) + b q) / top, which is never halfway between two, top being odd.
static whole lerp(whole top, whole a, whole b, whole q) {
  unsigned __int128 sum = (unsigned __int128)(a * (top - q)) + (unsigned __int128)(b * q),
                    part = sum / (unsigned __int128)top;
  return (whole)(part + ((sum - part * (unsigned __int128)top) * 2 > (unsigned __int128)top));
}

static whole pattern(hy_type type, whole a) { return a < 0 ? a + power(hy_type_bits(type)) : a; }

// The bits of a, those above and below being 0, from b on.
static whole part(hy_type type, whole a, whole b) {
  whole lowered = b >= 0 ? shift(pattern(type, a), b) : shift(pattern(type, a), b < -64 ? -64 : b);
  return lowered & (power(hy_type_bits(type)) - 1);
}

static whole expected(hy_derived derived, hy_type type, whole a, whole b, whole q) {
  switch (derived) {
  case HY_DERIVED_ABSD: return a > b ? a - b : b - a;
  case HY_DERIVED_WIDENING_ADD: return a + b;
  case HY_DERIVED_WIDENING_SUB: return a - b;
  case HY_DERIVED_WIDENING_MUL: return a * b;
  case HY_DERIVED_SATURATING_ADD: return saturate(type, a + b);
  case HY_DERIVED_SATURATING_SUB: return saturate(type, a - b);
  case HY_DERIVED_HALVING_ADD: return floor_half(a + b);
  case HY_DERIVED_HALVING_SUB: return floor_half(a - b);
  case HY_DERIVED_ROUNDING_HALVING_ADD: return floor_half(a + b + 1);
  case HY_DERIVED_ROUNDING_SHIFT_LEFT: return rounding_shift(a, -b);
  case HY_DERIVED_ROUNDING_SHIFT_RIGHT: return rounding_shift(a, b);
  case HY_DERIVED_MUL_SHIFT_RIGHT: return saturate(type, shift(a * b, q));
  case HY_DERIVED_ROUNDING_MUL_SHIFT_RIGHT: return saturate(type, rounding_shift(a * b, q));
  case HY_DERIVED_U8_SAT:
  case HY_DERIVED_U16_SAT:
  case HY_DERIVED_U32_SAT:
  case HY_DERIVED_U64_SAT:
  case HY_DERIVED_I8_SAT:
  case HY_DERIVED_I16_SAT:
  case HY_DERIVED_I32_SAT:
  case HY_DERIVED_I64_SAT: return saturate(hy_derived_type(derived, type), a);
  case HY_DERIVED_WIDENING_SHIFT_LEFT: return shift(a, -b);
  case HY_DERIVED_WIDENING_SHIFT_RIGHT: return shift(a, b);
  case HY_DERIVED_DIV_ROUND_TO_ZERO: return a / b; // C's
  case HY_DERIVED_MOD_ROUND_TO_ZERO: return a % b;
  case HY_DERIVED_LERP: return lerp(high_of(type), a, b, q);
  case HY_DERIVED_REINTERPRET_U8:
  case HY_DERIVED_REINTERPRET_U16:
  case HY_DERIVED_REINTERPRET_U32:
  case HY_DERIVED_REINTERPRET_U64:
  case HY_DERIVED_REINTERPRET_I8:
  case HY_DERIVED_REINTERPRET_I16:
  case HY_DERIVED_REINTERPRET_I32:
  case HY_DERIVED_REINTERPRET_I64: return a;
  case HY_DERIVED_WIDEN_RIGHT_ADD: return a + b;
  case HY_DERIVED_WIDEN_RIGHT_SUB: return a - b;
  case HY_DERIVED_WIDEN_RIGHT_MUL: return (whole)((unsigned __int128)a * (unsigned __int128)b);
  case HY_DERIVED_CONCAT_BITS: return a + b * power(hy_type_bits(type));
  case HY_DERIVED_EXTRACT_BITS_U8:
  case HY_DERIVED_EXTRACT_BITS_U16:
  case HY_DERIVED_EXTRACT_BITS_U32:
  case HY_DERIVED_EXTRACT_BITS_U64:
  case HY_DERIVED_EXTRACT_BITS_I8:
  case HY_DERIVED_EXTRACT_BITS_I16:
  case HY_DERIVED_EXTRACT_BITS_I32:
  case HY_DERIVED_EXTRACT_BITS_I64: return part(type, a, b);
  case HY_DERIVED_IS_NAN:
  case HY_DERIVED_IS_INF:
  case HY_DERIVED_IS_FINITE:
  case HY_DERIVED_FRACT:
  case HY_DERIVED_HYPOT:
  case HY_DERIVED_FAST_INVERSE:
  case HY_DERIVED_FAST_INVERSE_SQRT:
  case HY_DERIVED_FAST_EXP: // and their errors: semantics_accuracy
  case HY_DERIVED_FAST_LOG:
  case HY_DERIVED_FAST_POW:
  case HY_DERIVED_FAST_SIN:
  case HY_DERIVED_FAST_COS:
  case HY_DERIVED_REINTERPRET_F32: // from integers: below
  case HY_DERIVED_REINTERPRET_F64:
  case HY_DERIVED_REINTERPRET_F16:
  case HY_DERIVED_REINTERPRET_BF16:
  case HY_DERIVED_EXTRACT_BITS_F32:
  case HY_DERIVED_EXTRACT_BITS_F64:
  case HY_DERIVED_EXTRACT_BITS_F16:
  case HY_DERIVED_EXTRACT_BITS_BF16:
  case HY_DERIVED_COUNT: break;
  }
  ck_abort();
}

/* -- what it stands for -- */

typedef struct {
  hy_context *context;
  const hy_expr *expr;
  const hy_var *vars[3];
  hy_value values[3];
} machine;

static void machine_open(machine *m, hy_derived derived, hy_type type) {
  const hy_expr *args[3];
  m->context = hy_context_new();
  for (int i = 0; i < 3; i++) {
    hy_type operand = i < hy_derived_arity(derived) ? hy_derived_operand_type(derived, type, i) : type;
    m->vars[i] = hy_var_new(m->context, HY_VAR_PARAM, operand, i == 0 ? "a" : i == 1 ? "b" : "q", NULL, 0, 0);
    args[i] = hy_expr_var(m->context, m->vars[i]);
  }
  m->expr = hy_expand_derived(m->context, derived, type, args);
}

static hy_value evaluate(const machine *m, const hy_expr *expr) {
  hy_value args[HY_MAX_ARITY];
  if (expr->kind == HY_EXPR_CONST) return expr->value;
  if (expr->kind == HY_EXPR_VAR) return m->values[expr->var == m->vars[0] ? 0 : expr->var == m->vars[1] ? 1 : 2];
  ck_assert(expr->kind == HY_EXPR_OP);
  for (int i = 0; i < expr->count; i++) args[i] = evaluate(m, expr->args[i]);
  return hy_value_apply(expr->op, expr->type, args);
}

static void check_point(machine *m, hy_derived derived, hy_type type, whole a, whole b, whole q) {
  bool divides = derived == HY_DERIVED_DIV_ROUND_TO_ZERO || derived == HY_DERIVED_MOD_ROUND_TO_ZERO;
  if (divides && (b == 0 || (type == HY_INT && b == -1 && a == low_of(type)))) return; // errors, as those of / and %
  whole in_z = expected(derived, type, a, b, q);
  whole at[] = {a, b, q};
  for (int i = 0; i < 3; i++) m->values[i] = hy_value_integral(m->vars[i]->type, (int64_t)at[i]);
  hy_value is = evaluate(m, m->expr), wanted = hy_value_integral(hy_derived_type(derived, type), (int64_t)in_z);
  if (is.error == HY_OK && is.type == wanted.type && is.u == wanted.u) return;
  ck_abort_msg("%s of %s at %lld, %lld, %lld is %lld, not %lld", hy_derived_name(derived), hy_type_name(type),
               (long long)a, (long long)b, (long long)q, (long long)is.i, (long long)wanted.i);
}

enum { EDGES = 13 };

static void edges_of(hy_type type, whole *edges) {
  whole low = low_of(type), high = high_of(type);
  whole all[EDGES] = {low,      low + 1,  low / 2, -1, 0, 1, 2, 7, hy_type_bits(type) - 1, hy_type_bits(type),
                      high / 2, high - 1, high};
  for (int i = 0; i < EDGES; i++) edges[i] = all[i] < low ? high / 3 : all[i];
}

// Shifts by more than a product has bits are not asked for: Halide leaves them open, here they are 0 or the sign.
static bool is_asked(hy_derived derived, hy_type type, whole q) {
  if (derived == HY_DERIVED_LERP) return q >= 0;
  bool shifts = derived == HY_DERIVED_MUL_SHIFT_RIGHT || derived == HY_DERIVED_ROUNDING_MUL_SHIFT_RIGHT;
  return shifts ? q >= 0 && q < 2 * hy_type_bits(type) : q == 0;
}

START_TEST(values_are_those_of_z) {
  hy_derived derived = (hy_derived)(_i / (int)HY_COUNT(types));
  hy_type type = types[_i % (int)HY_COUNT(types)];
  whole edges[3][EDGES];
  machine m;
  int seconds = hy_derived_arity(derived) > 1 ? EDGES : 1;
  if (!hy_derived_takes(derived, type)) return;
  if (hy_type_class_of(hy_derived_type(derived, type)) == HY_CLASS_FLOAT) return;
  machine_open(&m, derived, type);
  for (int i = 0; i < 3; i++) edges_of(m.vars[i]->type, edges[i]);
  for (int i = 0; i < EDGES; i++)
    for (int j = 0; j < seconds; j++)
      for (int k = 0; k < EDGES; k++)
        if (is_asked(derived, type, edges[2][k])) check_point(&m, derived, type, edges[0][i], edges[1][j], edges[2][k]);
  if (hy_type_bits(type) == 8 && seconds > 1)
    for (whole a = low_of(type); a <= high_of(type); a += 3)
      for (whole b = low_of(type); b <= high_of(type); b += hy_derived_arity(derived) > 2 ? 5 : 3)
        for (whole q = 0; q <= 15; q += hy_derived_arity(derived) > 2 ? 1 : 16) check_point(&m, derived, type, a, b, q);
  hy_context_free(m.context);
}
END_TEST

/* -- floats -- */

static const struct {
  const char *call, *type, *expected; // of an argument a and two more, b and c
  double a, b, c;
} reals[] = {
    {"is_nan", "f32", "true", NAN, 0, 0},
    {"is_nan", "f64", "false", INFINITY, 0, 0},
    {"is_inf", "f32", "true", -INFINITY, 0, 0},
    {"is_inf", "f64", "false", NAN, 0, 0},
    {"is_inf", "f32", "false", 0x1.fffffep127, 0, 0},
    {"is_finite", "f64", "true", -0x1.fffffffffffffp1023, 0, 0},
    {"is_finite", "f32", "false", NAN, 0, 0},
    {"is_finite", "f32", "false", -INFINITY, 0, 0},
    {"fract", "f32", "-0.25", -3.25, 0, 0},
    {"fract", "f64", "0.5", 2.5, 0, 0},
    {"fract", "f64", "(0.0 / 0.0)", INFINITY, 0, 0},
    {"hypot", "f32", "5.0", -3, 4, 0},
    {"lerp", "f32", "2.5", 2, 4, 0.25},
    {"lerp", "f64", "4.0", 2, 4, 1},
    {"fast_inverse", "f32", "-0.25", -4, 0, 0},
    {"fast_inverse_sqrt", "f64", "0.5", 4, 0, 0},
    {"fast_exp", "f32", "1.0", 0, 0, 0},
    {"fast_exp", "f32", "1.6516363e38", 1e30, 0, 0},
    {"fast_log", "f32", "0.0", 1, 0, 0},
    {"fast_pow", "f32", "1.0", 0, 0, 0},
    {"fast_pow", "f32", "0.0", -0.0, -1, 0},
    {"fast_sin", "f32", "0.0", 0, 0, 0},
    {"fast_cos", "f32", "1.0", 0, 0, 0},
    {"reinterpret_u32", "f32", "3221225472", -2, 0, 0},
    {"reinterpret_i32", "f32", "-1073741824", -2, 0, 0},
    {"reinterpret_i32", "f32", "2143289344", -NAN, 0, 0},
    {"reinterpret_u64", "f64", "4607182418800017408", 1, 0, 0},
    {"reinterpret_f32", "i32", "-2.0", -1073741824, 0, 0},
    {"reinterpret_f32", "u32", "1.0", 1065353216, 0, 0},
    {"reinterpret_f64", "i64", "(0.0 / 0.0)", -1, 0, 0},
    {"reinterpret_f32", "f32", "-0.0", -0.0, 0, 0},
    {"extract_bits_u8", "f32", "192", -2, 24, 0},
    {"extract_bits_u32", "f64", "1072693248", 1, 32, 0},
    {"extract_bits_u64", "f32", "2130706432", 1, -1, 0},
    {"extract_bits_f32", "u64", "1.0", 0x3f80000012345678, 32, 0},
    {"extract_bits_f64", "u64", "0.0", 1, 64, 0},
    {"extract_bits_f16", "u32", "1.0", 0x3c00 * 16, 4, 0},
    {"extract_bits_bf16", "f32", "1.0", 1, 16, 0},
    {"div_round_to_zero", "i32", "eps_arith", 1, 0, 0},
    {"mod_round_to_zero", "int", "eps_arith", -1, 0, 0},
};

START_TEST(values_of_floats) {
  hy_derived derived;
  hy_type type;
  machine m;
  hy_text text = {0};
  ck_assert(hy_derived_find(reals[_i].call, &derived) && hy_type_find(reals[_i].type, 3, &type));
  ck_assert(hy_derived_takes(derived, type));
  machine_open(&m, derived, type);
  double args[] = {reals[_i].a, reals[_i].b, reals[_i].c};
  for (int i = 0; i < 3; i++)
    m.values[i] = hy_type_class_of(m.vars[i]->type) == HY_CLASS_FLOAT
                      ? hy_value_from_double(m.vars[i]->type, args[i])
                      : hy_value_integral(m.vars[i]->type, (int64_t)args[i]);
  hy_value_print(evaluate(&m, m.expr), &text);
  ck_assert_str_eq(hy_text_string(&text), reals[_i].expected);
  hy_text_free(&text);
  hy_context_free(m.context);
}
END_TEST

// Neither wider nor narrower, and no int, whose width is no part of the language.
START_TEST(reinterpretations_keep_the_width) {
  for (int derived = HY_DERIVED_REINTERPRET_U8; derived <= HY_DERIVED_REINTERPRET_BF16; derived++) {
    hy_type result = hy_derived_type((hy_derived)derived, HY_U8);
    for (hy_type type = 0; (int)type < HY_TYPE_COUNT; type++)
      ck_assert_int_eq(hy_derived_takes((hy_derived)derived, type),
                       type != HY_INT && type != HY_BOOL && hy_type_bits(type) == hy_type_bits(result));
  }
}
END_TEST

// Which types they take: of 64 bits all but those whose meaning is a wider type, no other than fixed width; all numbers
// those that convert.
START_TEST(types_are_those_of_a_fixed_width) {
  hy_derived derived = (hy_derived)_i;
  bool widens =
      hy_derived_result_of(derived) == HY_RESULT_WIDE || hy_derived_result_of(derived) == HY_RESULT_WIDE_SIGNED;
  bool multiplies = hy_derived_arity(derived) == 3;
  bool converts = hy_derived_arity(derived) == 1;
  ck_assert(hy_derived_takes(derived, HY_INT) == converts && !hy_derived_takes(derived, HY_BOOL) &&
            hy_derived_takes(derived, HY_F32) == converts);
  ck_assert(hy_derived_takes(derived, HY_U32) && hy_derived_takes(derived, HY_I8));
  ck_assert_int_eq(hy_derived_takes(derived, HY_U64), !widens && !multiplies);
  ck_assert_int_eq(hy_derived_takes(derived, HY_I64), !widens && !multiplies);
}
END_TEST

/* -- how large it is, written out -- */

// How often each operand stands in it, and how many nodes there are besides.
static void count_nodes(const machine *m, const hy_expr *expr, long operands[3], long *own) {
  for (int i = 0; i < 3 && expr->kind == HY_EXPR_VAR; i++) operands[i] += expr->var == m->vars[i];
  *own += expr->kind != HY_EXPR_VAR;
  for (int i = 0; i < expr->count; i++) count_nodes(m, expr->args[i], operands, own);
}

// The table says it of the type of which there is most. The limit on large expressions (HY0106) believes the table: more
// than there is refuses what a person writes, less lets through what takes all memory.
START_TEST(sizes_are_those_of_the_table) {
  hy_derived derived = (hy_derived)_i;
  long copies = 0, most = 0;
  for (hy_type type = 0; (int)type < HY_TYPE_COUNT; type++) {
    if (!hy_derived_takes(derived, type)) continue;
    machine m;
    long operands[3] = {0}, own = 0;
    machine_open(&m, derived, type);
    count_nodes(&m, m.expr, operands, &own);
    for (int i = 0; i < 3; i++) copies = operands[i] > copies ? operands[i] : copies;
    most = own > most ? own : most;
    hy_context_free(m.context);
  }
  ck_assert_msg(copies == hy_derived_copies(derived) && most == hy_derived_own(derived),
                "%s: an operand stands in it %ld times, beside %ld nodes", hy_derived_name(derived), copies, most);
}
END_TEST

Suite *semantics_derived_suite(void) {
  Suite *suite = suite_create("semantics_derived");
  TCase *tcase = tcase_create("derived");
  tcase_add_loop_test(tcase, values_are_those_of_z, 0, HY_DERIVED_COUNT * (int)HY_COUNT(types));
  tcase_add_loop_test(tcase, types_are_those_of_a_fixed_width, 0, HY_DERIVED_WIDENING_SHIFT_LEFT);
  tcase_add_loop_test(tcase, values_of_floats, 0, HY_COUNT(reals));
  tcase_add_test(tcase, reinterpretations_keep_the_width);
  tcase_add_loop_test(tcase, sizes_are_those_of_the_table, 0, HY_DERIVED_COUNT);
  suite_add_tcase(suite, tcase);
  return suite;
}
