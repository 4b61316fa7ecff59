/* Ranges by the numbers (semantics/tgt/range.h) hold whatever an expression may be: B.Fits rests on them alone
 * (decision D26).
 */

#include "proofs_tests/suites.h"

#include "semantics/semantics.h"
#include "semantics/tgt/range.h"

#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 3, EXPRESSIONS = 4000, POINTS = 20, LEAST = -3, MOST = 9 };

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
  const hy_expr *variables[VARIABLES];
  int64_t point[VARIABLES];
  uint64_t random;
} world;

static int pick(world *w, int count) {
  w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((w->random >> 33) % (uint64_t)count);
}

// Three loops over [-3, 10).
static world open_world(uint64_t seed) {
  world w = {.context = hy_context_new(), .ranges = hy_ranges_new(), .random = seed};
  static const char *const names[VARIABLES] = {"x", "y", "z"};
  hy_interval interval = {hy_expr_int(w.context, LEAST), hy_expr_int(w.context, MOST - LEAST + 1)};
  for (int i = 0; i < VARIABLES; i++) {
    const hy_var *var = hy_var_new(w.context, HY_VAR_FRESH, HY_INT, names[i], NULL, 0, 0);
    hy_ranges_bind_loop(w.ranges, var, interval);
    w.variables[i] = hy_expr_var(w.context, var);
  }
  return w;
}

static void close_world(world *w) {
  hy_ranges_free(w->ranges);
  hy_context_free(w->context);
}

static const hy_expr *random_expr(world *w, int depth) {
  static const hy_op ops[] = {HY_OP_ADD,     HY_OP_SUB, HY_OP_MUL,    HY_OP_DIV,     HY_OP_MOD,    HY_OP_MIN,
                              HY_OP_MAX,     HY_OP_ABS, HY_OP_NEG,    HY_OP_BIT_AND, HY_OP_BIT_OR, HY_OP_BIT_XOR,
                              HY_OP_BIT_NOT, HY_OP_SHL, HY_OP_SELECT, HY_OP_SHR};
  if (depth == 0 || pick(w, 6) == 0)
    return pick(w, 3) ? w->variables[pick(w, VARIABLES)] : hy_expr_int(w->context, pick(w, 21) - 10);
  hy_op op = ops[pick(w, HY_COUNT(ops))];
  const hy_expr *a = random_expr(w, depth - 1), *b = random_expr(w, depth - 1);
  if (hy_op_arity(op) == 1) return hy_expr_unary(w->context, op, a);
  if ((op == HY_OP_SHR || op == HY_OP_SHL) && pick(w, 3)) b = hy_expr_int(w->context, pick(w, 5));
  if (op == HY_OP_SELECT) return hy_expr_select(w->context, hy_expr_binary(w->context, HY_OP_LT, a, b), b, a);
  return hy_expr_binary(w->context, op, a, b);
}

static hy_value value_of(const world *w, const hy_expr *expr) {
  hy_value args[HY_MAX_ARITY];
  if (expr->kind == HY_EXPR_CONST) return expr->value;
  for (int i = 0; i < VARIABLES; i++)
    if (w->variables[i] == expr) return hy_value_int(w->point[i]);
  for (int i = 0; i < expr->count; i++) args[i] = value_of(w, expr->args[i]);
  return hy_value_apply(expr->op, expr->type, args);
}

START_TEST(values_lie_in_their_ranges) {
  world w = open_world((uint64_t)_i + 1);
  for (int k = 0; k < EXPRESSIONS; k++) {
    const hy_expr *e = random_expr(&w, 3);
    hy_range range = hy_ranges_of(w.ranges, e);
    for (int n = 0; n < POINTS; n++) {
      for (int i = 0; i < VARIABLES; i++) w.point[i] = LEAST + pick(&w, MOST - LEAST + 1);
      hy_value value = value_of(&w, e);
      if (value.error || (value.i >= range.low && value.i <= range.high)) continue;
      hy_text text = {0};
      hy_expr_print(e, &text);
      ck_abort_msg("%s is %lld at (%lld, %lld, %lld), outside of [%lld, %lld]", hy_text_string(&text),
                   (long long)value.i, (long long)w.point[0], (long long)w.point[1], (long long)w.point[2],
                   (long long)range.low, (long long)range.high);
    }
  }
  close_world(&w);
}
END_TEST

// Not by being everything: sums, differences and products of intervals are exact.
START_TEST(ranges_are_tight) {
  world w = open_world(1);
  static const struct {
    hy_op op;
    int64_t low, high;
  } rows[] = {{HY_OP_ADD, -6, 18}, {HY_OP_SUB, -12, 12},   {HY_OP_MUL, -27, 81},   {HY_OP_MIN, -3, 9},
              {HY_OP_MAX, -3, 9},  {HY_OP_BIT_AND, -4, 9}, {HY_OP_BIT_OR, -3, 15}, {HY_OP_BIT_XOR, -16, 15}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    const hy_expr *e = hy_expr_binary(w.context, rows[i].op, w.variables[0], w.variables[1]);
    hy_range range = hy_ranges_of(w.ranges, e);
    ck_assert(range.low == rows[i].low && range.high == rows[i].high);
  }
  close_world(&w);
}
END_TEST

/* -- every type and operator -- */

#define LEAST_INT ((hy_wide_int)INT64_MIN)
#define MOST_INT ((hy_wide_int)INT64_MAX)

// Parameters lie within +-2^31 where they are int (D26) and anywhere in their type otherwise.
static const struct {
  const char *type, *text;
  hy_wide_int low, high;
} typed[] = {
    {"int", "n", -((hy_wide_int)1 << 31), (hy_wide_int)1 << 31},
    {"u8", "a", 0, 255},
    {"i8", "b", -128, 127},
    {"u64", "c", 0, (hy_wide_int)UINT64_MAX},
    {"bool", "e", 0, 1},
    {"f32", "d", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    // constants
    {"u8", "200", 200, 200},
    {"i8", "-100", -100, -100},
    {"u64", "7", 7, 7},
    {"bool", "true", 1, 1},
    {"int", "-5", -5, -5},
    // fixed width wraps to anywhere (D1), unless it cannot
    {"u8", "a + 1", 0, 255},
    {"u8", "a / 2", 0, 127},
    {"u8", "a % 16", 0, 15},
    {"i8", "b - 1", -128, 127},
    {"i8", "-b", -128, 127},
    {"i8", "min(b, 3)", -128, 3},
    {"u8", "a & 12", 0, 12},
    {"u8", "a | 12", 12, 255},
    {"u8", "a & 7 | 8", 8, 15},
    {"u8", "a % 16 ^ 1", 0, 15},
    {"u8", "~(a % 16)", 240, 255},
    {"i8", "~(b & 7)", -8, -1},
    {"u64", "~c", 0, (hy_wide_int)UINT64_MAX},
    {"u64", "~(c % u64(8))", (hy_wide_int)UINT64_MAX - 7, (hy_wide_int)UINT64_MAX},
    {"u64", "c | u64(1)", 1, (hy_wide_int)UINT64_MAX},
    {"u8", "~a", 0, 255},
    {"u8", "a ^ a", 0, 255},
    {"u8", "a << 1", 0, 255},
    {"u8", "(a & 7) << 3", 0, 56},
    {"u8", "(a & 1) << (a & 7)", 0, 128},
    {"i8", "(b & 1) << 7", -128, 127},
    // conversions
    {"int", "int(a)", 0, 255},
    {"int", "int(a) * 2 - 10", -10, 500},
    {"int", "int(d)", LEAST_INT, MOST_INT},
    {"int", "int(c)", 0, MOST_INT},
    {"int", "int(c % u64(4))", 0, 3},
    {"int", "int(c & u64(7))", 0, 7},
    {"int", "int(c / u64(4611686018427387904))", 0, 3},
    {"int", "int(u64(9) + u64(1))", 10, 10},
    {"u64", "c % u64(18446744073709551615)", 0, (hy_wide_int)UINT64_MAX - 1},
    {"int", "int(c % u64(18446744073709551615))", 0, MOST_INT},
    {"u8", "u8(a % 16)", 0, 15},
    {"u8", "u8(n)", 0, 255},
    {"i32", "i32(b)", -128, 127},
    {"f32", "f32(n)", -((hy_wide_int)1 << 31), (hy_wide_int)1 << 31},
    {"f32", "sqrt(d)", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    // int
    {"int", "abs(n)", 0, (hy_wide_int)1 << 31},
    {"int", "abs(int(a) + 3)", 3, 258},
    {"int", "abs(int(a) - 300)", 45, 300},
    {"int", "int(b) & 15", 0, 15},
    {"int", "15 & int(b)", 0, 15},
    {"int", "int(b) & int(b)", -128, 127},
    {"int", "int(b) & (int(a) - 300)", -512, 127},
    {"int", "(int(a) - 256) & (int(a) - 300)", -512, -45},
    {"int", "int(b) & -8", -128, 127},
    {"int", "int(a) & -8", 0, 255},
    {"int", "int(a) | int(b)", -128, 255},
    {"int", "int(b) | (int(a) - 300)", -300, -1},
    {"int", "int(a) | 3", 3, 255},
    {"int", "int(a) | 256", 256, 511},
    {"int", "int(a) % 5 | 8", 8, 12},
    {"int", "int(a) << 8 | int(a)", 0, 65535},
    {"int", "int(a) ^ 3", 0, 255},
    {"int", "int(a) % 5 ^ 8", 0, 12},
    {"int", "int(b) ^ 3", -128, 127},
    {"int", "int(a) ^ -1", -256, -1},
    {"int", "(int(a) - 256) ^ (int(a) - 256)", 0, 255},
    {"int", "(int(a) - 256) ^ int(b)", -256, 255},
    {"int", "~int(a)", -256, -1},
    {"int", "~int(b)", -128, 127},
    {"int", "~n", -((hy_wide_int)1 << 31) - 1, ((hy_wide_int)1 << 31) - 1},
    {"int", "n * n * n | 1", LEAST_INT, MOST_INT},
    {"int", "1 | n * n * n", LEAST_INT, MOST_INT},
    {"int", "~(n * n * n)", LEAST_INT, MOST_INT},
    {"int", "int(a) << 8", 0, 65280},
    {"int", "int(b) << (int(a) % 3)", -512, 508},
    {"int", "1 << 63", (hy_wide_int)1 << 63, (hy_wide_int)1 << 63},
    {"int", "int(b) << 64", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    {"int", "int(b) << int(b)", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    {"int", "int(a) & 100", 0, 100},
    {"int", "int(b) >> 2", -32, 31},
    {"int", "int(b) >> (int(a) % 3)", -128, 127},
    {"int", "int(b) >> int(b)", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    {"int", "int(b) >> int(a)", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    {"int", "int(b) / int(b)", -128, 128},
    {"int", "int(b) % int(b)", 0, 127},
    {"int", "int(a) % 300", 0, 255},
    {"int", "select(e, 3, 9)", 3, 9},
    {"int", "n * n * n * n * n * n * n * n", -HY_RANGE_LIMIT, HY_RANGE_LIMIT},
    {"bool", "n < 3 && !e", 0, 1},
    {"bool", "d == d || n >= 3", 0, 1},
};

START_TEST(ranges_follow_types) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_ranges *ranges = hy_ranges_new();
  char *text =
      hy_arena_printf(hy_context_arena(context),
                      "target P(a: u8, b: i8, c: u64, d: f32, e: bool, n: int) on o(x) { func o(x): %s stages "
                      "1; entry { } allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { label "
                      "o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- %s; } } }",
                      typed[_i].type, typed[_i].text);
  hy_source source = {"test.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(tgt != NULL, "%s: %s", typed[_i].text, hy_text_string(&said));
  int added;
  tgt = hy_tgt_assume_ranges(context, tgt, &added);
  ck_assert_int_eq(added, 3);
  for (int i = 0; i < tgt->entry_count; i++) hy_ranges_assume(ranges, tgt->entry[i]->assume.condition);
  const hy_expr *e = tgt->body->seq.items[1]->label.body->compute.body->label.body->loop.body->assign.rhs;
  hy_range range = hy_ranges_of(ranges, e);
  ck_assert_msg(range.low == typed[_i].low && range.high == typed[_i].high, "%s lies in [%.0f, %.0f]", typed[_i].text,
                (double)range.low, (double)range.high);
  hy_text_free(&said);
  hy_ranges_free(ranges);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

// The same loop in two branches, with other bounds: the ones that were bound last count.
START_TEST(variables_are_bound_again) {
  world w = open_world(1);
  const hy_var *var = w.variables[0]->var;
  hy_ranges_bind_loop(w.ranges, var, (hy_interval){hy_expr_int(w.context, 4), hy_expr_int(w.context, 0)});
  hy_ranges_bind_let(w.ranges, w.variables[1]->var, hy_expr_int(w.context, 7));
  const hy_expr *sum = hy_expr_binary(w.context, HY_OP_ADD, w.variables[0], w.variables[1]);
  hy_range range = hy_ranges_of(w.ranges, sum);
  ck_assert(range.low == 11 && range.high == 11); // a loop that never runs has its minimum
  hy_ranges_free(NULL);
  close_world(&w);
}
END_TEST

Suite *bounds_range_suite(void) {
  Suite *suite = suite_create("bounds_range");
  TCase *ranges = tcase_create("ranges");
  tcase_add_loop_test(ranges, values_lie_in_their_ranges, 0, 3);
  tcase_add_test(ranges, ranges_are_tight);
  tcase_add_loop_test(ranges, ranges_follow_types, 0, HY_COUNT(typed));
  tcase_add_test(ranges, variables_are_bound_again);
  suite_add_tcase(suite, ranges);
  return suite;
}
