// Ranges of what operators of floats give (LOW.Held): of random arguments in random ranges, edges of the types and their
// special values among both, every result lies in the range; the ranges that users count on are as narrow as that; and functions
// of math.def are what their ranges take them to be.

#include "engines/generator.h"
#include "proofs_tests/suites.h"
#include "semantics/expr/expr.h"
#include "semantics/tgt/range_floats.h"
#include "semantics/value/math_functions.h"
#include "semantics/value/monotone.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 400, POINTS = 24 };

// What has been drawn so far.
typedef struct {
  uint64_t seed, count;
} draws;

static uint64_t draw(draws *d) { return hy_splitmix(d->seed, d->count++); }

static const double edges[] = {-INFINITY, -1e30, -4294967297.0, -255.0, -7.5,     -1.0, -0.3,
                               -1e-40,    -0.0,  0.0,           1e-40,  0.3,      1.0,  2.5,
                               8.0,       255.0, 4294967296.0,  1e30,   INFINITY, NAN};
static const int64_t whole_edges[] = {INT64_MIN, -2147483649, -256,  -1,       0,          1,
                                      7,         255,         65535, 16777217, 4294967296, INT64_MAX};

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }

static hy_wide_int some_end(hy_type type, draws *state) {
  if (is_float(type)) return hy_float_rank(hy_value_from_double(type, edges[draw(state) % HY_COUNT(edges)]));
  hy_range all = hy_type_numbers(type);
  hy_wide_int end = whole_edges[draw(state) % HY_COUNT(whole_edges)];
  return end < all.low ? all.low : end > all.high ? all.high : end;
}

static hy_range some_range(hy_type type, draws *state) {
  hy_wide_int a = some_end(type, state), b = some_end(type, state);
  hy_range range = a < b ? hy_range_between(a, b) : hy_range_between(b, a);
  if (!is_float(type)) return range;
  hy_wide_int infinity = hy_float_infinity(type);
  bool or_nan = range.high > infinity || draw(state) % 4 == 0;
  return hy_range_with_zeros((hy_range){hy_lesser(range.low, infinity), hy_lesser(range.high, infinity), or_nan});
}

// An end, something near it, an edge or anything in between.
static hy_value some_value(hy_type type, hy_range range, draws *state) {
  uint64_t kind = draw(state) % 4;
  if (range.or_nan && draw(state) % 4 == 0) return hy_value_from_double(type, NAN);
  hy_wide_int width = range.high - range.low + 1, at = kind < 2 ? (hy_wide_int)(draw(state) % 3) : 0;
  if (kind == 2) at = (hy_wide_int)((unsigned __int128)draw(state) % (unsigned __int128)width);
  hy_wide_int number = kind == 1 ? range.high - at : range.low + at;
  if (kind == 3) number = some_end(type, state);
  if (number < range.low || number > range.high) number = range.low;
  if (is_float(type)) return hy_float_of_rank(type, (int64_t)number);
  if (type == HY_INT) return hy_value_int((int64_t)number);
  if (type == HY_BOOL) return hy_value_bool(number != 0);
  return hy_value_integral(type, (int64_t)(uint64_t)number);
}

static hy_wide_int number_of(hy_value value) {
  if (is_float((hy_type)value.type)) return hy_float_rank(value);
  return hy_type_class_of((hy_type)value.type) == HY_CLASS_UNSIGNED || value.type == HY_BOOL ? (hy_wide_int)value.u
                                                                                             : value.i;
}

static void check_node(const hy_expr *node, uint64_t seed) {
  draws state = {seed, 0};
  for (int k = 0; k < RANGES; k++) {
    hy_range args[HY_MAX_ARITY];
    for (int i = 0; i < node->count; i++) args[i] = some_range(node->args[i]->type, &state);
    hy_range range = hy_range_of_floats(node, args);
    for (int p = 0; p < POINTS; p++) {
      hy_value values[HY_MAX_ARITY];
      for (int i = 0; i < node->count; i++) values[i] = some_value(node->args[i]->type, args[i], &state);
      hy_value value = hy_value_apply(node->op, node->type, values);
      if (value.error) continue;
      hy_wide_int number = number_of(value);
      bool is_nan = is_float(node->type) && number > hy_float_infinity(node->type);
      ck_assert_msg(is_nan ? range.or_nan : range.low <= number && number <= range.high,
                    "%s of %s, seed %" PRIu64 ", range %d, point %d: %" PRId64 " is not in [%" PRId64 ", %" PRId64 "]",
                    hy_op_name(node->op), hy_type_name(node->type), seed, k, p, (int64_t)number, (int64_t)range.low,
                    (int64_t)range.high);
    }
  }
}

static const hy_expr *variable(hy_context *context, hy_type type) {
  return hy_expr_var(context, hy_var_new(context, HY_VAR_PARAM, type, "v", NULL, 0, 0));
}

// The same of what an argument is multiplied with itself, or with what it is not, which need not be as wide.
static void check_square(hy_context *context, hy_type type, uint64_t seed, bool negated) {
  const hy_expr *a = variable(context, type), *b = negated ? hy_expr_unary(context, HY_OP_NEG, a) : a;
  const hy_expr *square = hy_expr_binary(context, HY_OP_MUL, b, a);
  draws state = {seed, 0};
  for (int k = 0; k < RANGES; k++) {
    hy_range of_a = some_range(type, &state), of_b = negated ? hy_range_of_floats(b, &of_a) : of_a;
    hy_range range = hy_range_of_floats(square, (hy_range[]){of_b, of_a});
    for (int p = 0; p < POINTS; p++) {
      hy_value value = some_value(type, of_a, &state),
               other = negated ? hy_value_apply(HY_OP_NEG, type, &value) : value;
      hy_wide_int number = number_of(hy_value_apply(HY_OP_MUL, type, (hy_value[]){other, value}));
      ck_assert(number > hy_float_infinity(type) ? range.or_nan : range.low <= number && number <= range.high);
    }
    ck_assert(negated ? range.high <= 0 : range.low >= -1);
  }
}

START_TEST(squares_lie_in_their_ranges) {
  hy_context *context = hy_context_new();
  check_square(context, HY_F32, 20261128, _i);
  check_square(context, HY_F64, 20261129, _i);
  hy_context_free(context);
}
END_TEST

// Every operator that there is of these types: to each of the types that it may give.
static void check_operator(hy_context *context, hy_op op, hy_type from, uint64_t seed) {
  hy_type types[HY_MAX_ARITY] = {from, from, from}, result;
  const hy_expr *args[HY_MAX_ARITY];
  if (op == HY_OP_SELECT) types[0] = HY_BOOL;
  for (int i = 0; i < hy_op_arity(op); i++) args[i] = variable(context, types[i]);
  if (op == HY_OP_CAST) {
    for (int t = 0; t < HY_TYPE_COUNT; t++)
      if ((is_float((hy_type)t) || is_float(from)) && (hy_type)t != from)
        check_node(hy_expr_op(context, op, (hy_type)t, args), seed);
    return;
  }
  if (!hy_op_result(op, types, &result) || !is_float(result)) return;
  check_node(hy_expr_op(context, op, result, args), seed);
}

START_TEST(results_lie_in_their_ranges) {
  hy_context *context = hy_context_new();
  for (int t = 0; t < HY_TYPE_COUNT; t++) check_operator(context, (hy_op)_i, (hy_type)t, 20261127 + (uint64_t)t);
  hy_context_free(context);
}
END_TEST

// Of one operator on f32: ends as numbers, and NAN for "or a NaN".
typedef double ends[3];
static const struct {
  const char *name;
  hy_op op;
  ends a, b, wanted;
} rows[] = {
    {"a clamp above takes a NaN", HY_OP_MIN, {-INFINITY, INFINITY, NAN}, {1.0, 1.0}, {-INFINITY, 1.0}},
    {"... below as well", HY_OP_MAX, {-INFINITY, INFINITY, NAN}, {-0.0, 0.0}, {-0.0, INFINITY}},
    {"... and not if the bound may be one", HY_OP_MIN, {0.0, 1.0}, {0.0, 0.5, NAN}, {-0.0, 0.5, NAN}},
    {"a product", HY_OP_MUL, {-2.0, 1.0}, {-3.0, 8.0}, {-16.0, 8.0}},
    {"0 times infinity is a NaN", HY_OP_MUL, {-0.0, 1.0}, {1.0, INFINITY}, {-INFINITY, INFINITY, NAN}},
    {"a quotient", HY_OP_DIV, {-0.0, 255.0}, {255.0, 255.0}, {-0.0, 1.0}},
    {"... by what may be 0", HY_OP_DIV, {1.0, 2.0}, {-0.0, 4.0}, {-INFINITY, INFINITY, NAN}},
    {"... by what is negative", HY_OP_DIV, {1.0, 2.0}, {-4.0, -2.0}, {-1.0, -0.25}},
    {"infinities of both signs have no sum", HY_OP_ADD, {-INFINITY, 0.0}, {0.0, INFINITY}, {-INFINITY, INFINITY, NAN}},
    {"... of one sign have", HY_OP_ADD, {1.0, INFINITY}, {1.0, INFINITY}, {2.0, INFINITY}},
    {"a size", HY_OP_ABS, {-3.0, 2.0}, {0.0, 0.0}, {0.0, 3.0}},
    {"a root of what may be negative", HY_OP_SQRT, {-1.0, 4.0}, {0.0, 0.0}, {-0.0, 2.0, NAN}},
    {"a root", HY_OP_SQRT, {-0.0, 4.0}, {0.0, 0.0}, {-0.0, 2.0}},
    {"a sine", HY_OP_SIN, {-9.0, 9.0}, {0.0, 0.0}, {-1.0, 1.0}},
    {"an error function", HY_OP_ERF, {-INFINITY, INFINITY}, {0.0, 0.0}, {-1.0, 1.0}},
    {"an exponential, whose end is exact", HY_OP_EXP, {-INFINITY, 0.0}, {0.0, 0.0}, {-0.0, 1.0}},
    {"... of what may be a NaN", HY_OP_EXP, {-INFINITY, 0.0, NAN}, {0.0, 0.0}, {-0.0, 1.0, NAN}},
    {"... beyond all floats", HY_OP_EXP, {0.0, 89.0}, {0.0, 0.0}, {1.0, INFINITY}},
    {"a logarithm", HY_OP_LOG, {-0.0, 1.0}, {0.0, 0.0}, {-INFINITY, 0.0}},
    {"... of what is at least 1", HY_OP_LOG, {1.0, INFINITY}, {0.0, 0.0}, {-0.0, INFINITY}},
    {"... of what may be negative", HY_OP_LOG, {-1.0, 1.0}, {0.0, 0.0}, {-INFINITY, 0.0, NAN}},
    {"a power", HY_OP_POW, {-0.0, 1.0}, {0.45, 0.45}, {-0.0, 1.0}},
    {"... whose exponent may be 0, or its basis", HY_OP_POW, {-0.0, 4.0}, {-0.0, 3.0}, {-0.0, 64.0}},
    {"... of what is less than 1 or more", HY_OP_POW, {0.5, 2.0}, {-1.0, 3.0}, {0.125, 8.0}},
    {"... -0 to an odd one below 0", HY_OP_POW, {-0.0, 1.0}, {-1.0, 1.0}, {-INFINITY, INFINITY, NAN}},
    {"... of what may be negative", HY_OP_POW, {-1.0, 1.0}, {0.5, 0.5}, {-INFINITY, INFINITY, NAN}},
    {"a sine of what is too large", HY_OP_SIN, {-9.0, INFINITY}, {0.0, 0.0}, {-1.0, 1.0, NAN}},
    {"a logistic curve", HY_OP_DIV, {1.0, 1.0}, {1.0, INFINITY, NAN}, {-0.0, 1.0, NAN}},
};

static hy_range range_of(const ends e) {
  return (hy_range){hy_float_rank(hy_value_from_double(HY_F32, e[0])),
                    hy_float_rank(hy_value_from_double(HY_F32, e[1])), isnan(e[2])};
}

START_TEST(as_narrow_as_users_count_on) {
  hy_context *context = hy_context_new();
  const hy_expr *args[HY_MAX_ARITY] = {variable(context, HY_F32), variable(context, HY_F32)};
  hy_range ranges[2] = {range_of(rows[_i].a), range_of(rows[_i].b)}, wanted = range_of(rows[_i].wanted);
  hy_range is = hy_range_of_floats(hy_expr_op(context, rows[_i].op, HY_F32, args), ranges);
  ck_assert_msg(is.low == hy_range_with_zeros(wanted).low && is.high == wanted.high && is.or_nan == wanted.or_nan,
                "%s: [%" PRId64 ", %" PRId64 "] is not [%" PRId64 ", %" PRId64 "]", rows[_i].name, (int64_t)is.low,
                (int64_t)is.high, (int64_t)wanted.low, (int64_t)wanted.high);
  hy_context_free(context);
}
END_TEST

/* -- what ranges of exp, log and pow rest on: every 4093rd f32, and all of them where HALYARD_FLOATS=all -- */

static uint64_t stride(void) {
  const char *wanted = getenv("HALYARD_FLOATS");
  return wanted && strcmp(wanted, "all") == 0 ? 1 : 4093;
}

static hy_value of_bits(uint64_t bits) {
  float real;
  uint32_t word = (uint32_t)bits;
  memcpy(&real, &word, sizeof real);
  return hy_value_from_double(HY_F32, real);
}

// It is as near to what the C library finds, in numbers that are longer, as ranges take it to be.
static void check_near(const char *name, double value, long double real, double error) {
  bool near = isnan(real)                ? isnan(value)
              : isinf(real) || real == 0 ? value == real
                                         : fabsl(value - real) <= fabsl(real) * error;
  ck_assert_msg(near, "%s: %a is not near %La", name, value, real);
}

START_TEST(functions_are_near) {
  static const double powers[] = {0.45, 2.2, -1.5, 1.0 / 3, 17.0}, of_f32 = 0x1p-38, of_f64 = 0x1p-51;
  for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += stride()) {
    double x = hy_value_to_double(of_bits(bits)), y = powers[bits % HY_COUNT(powers)];
    if (-104 < x && x < 89) check_near("exp_f32", hy_math_exp_f32(x), expl(x), of_f32);
    if (-700 < x && x < 700) check_near("exp_f64", hy_math_exp_f64(x), expl(x), of_f64);
    check_near("log_f64", hy_math_log_f64(x), logl(x), of_f64); // log_f32, too
    long double power = powl(x, y);
    if (!(0x1p-150L < power && power < 0x1p128L)) continue;
    check_near("pow_f32", hy_math_pow_f32(x, y), power, of_f32);
    check_near("pow_f64", hy_math_pow_f64(x, y), power, of_f64);
  }
}
END_TEST

// Functions that lie between numbers, of whatever is no NaN.
static const struct {
  const char *name;
  double (*of)(double), most, high;
} between[] = {
    {"sin", hy_math_sin_f32, 0x1p32, 1.0},     {"cos", hy_math_cos_f32, 0x1p32, 1.0},
    {"tanh", hy_math_tanh_f32, INFINITY, 1.0}, {"erf", hy_math_erf_f32, INFINITY, 1.0},
    {"atan", hy_math_atan_f32, INFINITY, 1.6},
};

START_TEST(functions_lie_between) {
  for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += stride()) {
    double x = hy_value_to_double(of_bits(bits)), value = (float)between[_i].of(x);
    if (fabs(x) <= between[_i].most)
      ck_assert_msg(fabs(value) <= between[_i].high, "%s(%a) is %a", between[_i].name, x, value);
  }
}
END_TEST

Suite *semantics_range_floats_suite(void) {
  Suite *suite = suite_create("semantics_range_floats");
  TCase *ranges = tcase_create("ranges");
  tcase_set_timeout(ranges, 120);
  tcase_add_loop_test(ranges, results_lie_in_their_ranges, 0, HY_OP_COUNT);
  tcase_add_loop_test(ranges, squares_lie_in_their_ranges, 0, 2);
  tcase_add_loop_test(ranges, as_narrow_as_users_count_on, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, ranges);
  TCase *functions = tcase_create("functions");
  tcase_set_timeout(functions, getenv("HALYARD_FLOATS") ? 86400 : 120);
  tcase_add_test(functions, functions_are_near);
  tcase_add_loop_test(functions, functions_lie_between, 0, (int)HY_COUNT(between));
  suite_add_tcase(suite, functions);
  return suite;
}
