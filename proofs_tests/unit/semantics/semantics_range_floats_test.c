// Ranges of what operators of floats give (LOW.Held): of random arguments in random ranges, edges of the types and their
// special values among both, every result lies in the range; and the ranges that users count on are as narrow as that.

#include "engines/generator.h"
#include "proofs_tests/suites.h"
#include "semantics/expr/expr.h"
#include "semantics/tgt/range_floats.h"
#include "semantics/value/monotone.h"

#include <inttypes.h>

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
  hy_range range = a < b ? (hy_range){a, b} : (hy_range){b, a};
  return is_float(type) ? hy_range_with_zeros(range) : range;
}

// An end, something near it, an edge or anything in between.
static hy_value some_value(hy_type type, hy_range range, draws *state) {
  uint64_t kind = draw(state) % 4;
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
      ck_assert_msg(range.low <= number && number <= range.high,
                    "%s of %s, seed %" PRIu64 ", range %d, point %d: %" PRId64 " is not in [%" PRId64 ", %" PRId64 "]",
                    hy_op_name(node->op), hy_type_name(node->type), seed, k, p, (int64_t)number, (int64_t)range.low,
                    (int64_t)range.high);
    }
  }
}

static const hy_expr *variable(hy_context *context, hy_type type) {
  return hy_expr_var(context, hy_var_new(context, HY_VAR_PARAM, type, "v", NULL, 0, 0));
}

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

// Of one operator on f32: ends as numbers, NAN above for "or a NaN".
static const struct {
  const char *name;
  hy_op op;
  double a[2], b[2], wanted[2];
} rows[] = {
    {"a clamp above takes a NaN", HY_OP_MIN, {-INFINITY, NAN}, {1.0, 1.0}, {-INFINITY, 1.0}},
    {"... below as well, but what is left may be infinite", HY_OP_MAX, {-INFINITY, NAN}, {-0.0, 0.0}, {-0.0, INFINITY}},
    {"... and not if the bound may be one", HY_OP_MIN, {0.0, 1.0}, {0.0, NAN}, {-INFINITY, NAN}},
    {"a product", HY_OP_MUL, {-2.0, 1.0}, {-3.0, 8.0}, {-16.0, 8.0}},
    {"0 times infinity is a NaN", HY_OP_MUL, {-0.0, 1.0}, {1.0, INFINITY}, {-INFINITY, NAN}},
    {"a quotient", HY_OP_DIV, {-0.0, 255.0}, {255.0, 255.0}, {-0.0, 1.0}},
    {"... by what may be 0", HY_OP_DIV, {1.0, 2.0}, {-0.0, 4.0}, {-INFINITY, NAN}},
    {"... by what is negative", HY_OP_DIV, {1.0, 2.0}, {-4.0, -2.0}, {-1.0, -0.25}},
    {"infinities of both signs have no sum", HY_OP_ADD, {-INFINITY, 0.0}, {0.0, INFINITY}, {-INFINITY, NAN}},
    {"... of one sign have", HY_OP_ADD, {1.0, INFINITY}, {1.0, INFINITY}, {2.0, INFINITY}},
    {"a size", HY_OP_ABS, {-3.0, 2.0}, {0.0, 0.0}, {0.0, 3.0}},
    {"a root of what may be negative", HY_OP_SQRT, {-1.0, 4.0}, {0.0, 0.0}, {-INFINITY, NAN}},
    {"a root", HY_OP_SQRT, {-0.0, 4.0}, {0.0, 0.0}, {-0.0, 2.0}},
    {"a sine", HY_OP_SIN, {-9.0, 9.0}, {0.0, 0.0}, {-1.0, 1.0}},
    {"a sine of what is too large", HY_OP_SIN, {-9.0, INFINITY}, {0.0, 0.0}, {-INFINITY, NAN}},
};

START_TEST(as_narrow_as_users_count_on) {
  hy_context *context = hy_context_new();
  const hy_expr *args[HY_MAX_ARITY] = {variable(context, HY_F32), variable(context, HY_F32)};
  hy_range ranges[2], wanted;
  ranges[0] = (hy_range){hy_float_rank(hy_value_from_double(HY_F32, rows[_i].a[0])),
                         hy_float_rank(hy_value_from_double(HY_F32, rows[_i].a[1]))};
  ranges[1] = (hy_range){hy_float_rank(hy_value_from_double(HY_F32, rows[_i].b[0])),
                         hy_float_rank(hy_value_from_double(HY_F32, rows[_i].b[1]))};
  wanted = (hy_range){hy_float_rank(hy_value_from_double(HY_F32, rows[_i].wanted[0])),
                      hy_float_rank(hy_value_from_double(HY_F32, rows[_i].wanted[1]))};
  hy_range is = hy_range_of_floats(hy_expr_op(context, rows[_i].op, HY_F32, args), ranges);
  ck_assert_msg(is.low == hy_range_with_zeros(wanted).low && is.high == wanted.high,
                "%s: [%" PRId64 ", %" PRId64 "] is not [%" PRId64 ", %" PRId64 "]", rows[_i].name, (int64_t)is.low,
                (int64_t)is.high, (int64_t)wanted.low, (int64_t)wanted.high);
  hy_context_free(context);
}
END_TEST

Suite *semantics_range_floats_suite(void) {
  Suite *suite = suite_create("semantics_range_floats");
  TCase *ranges = tcase_create("ranges");
  tcase_set_timeout(ranges, 120);
  tcase_add_loop_test(ranges, results_lie_in_their_ranges, 0, HY_OP_COUNT);
  tcase_add_loop_test(ranges, as_narrow_as_users_count_on, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, ranges);
  return suite;
}
