/* Rewrites of expressions keep their values: normal forms of indices, folding, logic; and defined(e) says when e is.
 *
 * Expressions are random, over three variables; both sides are evaluated at random points by semantics/value/value.c
 * alone.
 */

#include "proofs_tests/suites.h"

#include "semantics/expr/affine.h"
#include "semantics/tgt/defined.h"

#include <stdlib.h>

enum { VARIABLES = 3, EXPRESSIONS = 2000, POINTS = 12 };

typedef struct {
  hy_context *context;
  hy_affine_table *table;
  const hy_expr *variables[VARIABLES];
  int64_t point[VARIABLES];
  uint64_t random;
} world;

static world open_world(uint64_t seed) {
  world w = {.context = hy_context_new(), .random = seed};
  static const char *const names[VARIABLES] = {"x", "y", "z"};
  for (int i = 0; i < VARIABLES; i++)
    w.variables[i] = hy_expr_var(w.context, hy_var_new(w.context, HY_VAR_PARAM, HY_INT, names[i], NULL, 0, 0));
  w.table = hy_affine_table_new(w.context);
  return w;
}

static void close_world(world *w) {
  hy_affine_table_free(w->table);
  hy_context_free(w->context);
}

static int pick(world *w, int count) {
  w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((w->random >> 33) % (uint64_t)count);
}

static const hy_expr *number(world *w, int64_t i) { return hy_expr_int(w->context, i); }

// Divisions are by positive constants, or (defined: false) by anything.
static const hy_expr *random_expr(world *w, int depth, bool defined) {
  if (depth == 0 || pick(w, 6) == 0) return pick(w, 3) ? w->variables[pick(w, VARIABLES)] : number(w, pick(w, 13) - 6);
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_SUB, HY_OP_ADD, HY_OP_MUL, HY_OP_DIV, HY_OP_MOD, HY_OP_MIN, HY_OP_MAX};
  hy_op op = ops[pick(w, HY_COUNT(ops))];
  const hy_expr *a = random_expr(w, depth - 1, defined), *b = random_expr(w, depth - 1, defined);
  if (defined && (op == HY_OP_DIV || op == HY_OP_MOD)) b = number(w, 1 + pick(w, 5));
  if (pick(w, 12) == 0) return hy_expr_unary(w->context, HY_OP_NEG, a);
  return hy_expr_binary(w->context, op, a, b);
}

static void choose_point(world *w) {
  for (int i = 0; i < VARIABLES; i++) w->point[i] = pick(w, 41) - 20;
}

static hy_value value_of(const world *w, const hy_expr *expr) {
  hy_value args[HY_MAX_ARITY];
  if (expr->kind == HY_EXPR_CONST) return expr->value;
  for (int i = 0; i < VARIABLES; i++)
    if (w->variables[i] == expr)
      return expr->type == HY_INT ? hy_value_int(w->point[i]) : hy_value_bool(w->point[i] & 1);
  ck_assert_int_eq(expr->kind, HY_EXPR_OP);
  for (int i = 0; i < expr->count; i++) args[i] = value_of(w, expr->args[i]);
  return hy_value_apply(expr->op, expr->type, args);
}

static void assert_same(world *w, const hy_expr *before, const hy_expr *after, const char *what) {
  for (int k = 0; k < POINTS; k++) {
    choose_point(w);
    hy_value a = value_of(w, before), b = value_of(w, after);
    if (hy_value_same(a, b)) continue;
    hy_text text = {0};
    hy_expr_print(before, &text);
    hy_text_add(&text, "  became  ");
    hy_expr_print(after, &text);
    ck_abort_msg("%s: %s: %lld, then %lld at (%lld, %lld, %lld)", what, hy_text_string(&text), (long long)a.i,
                 (long long)b.i, (long long)w->point[0], (long long)w->point[1], (long long)w->point[2]);
  }
}

// Simplifier rules of class INDEX: identities of Z, with Euclidean division (decision D2).
START_TEST(normal_forms) {
  world w = open_world((uint64_t)_i + 1);
  for (int k = 0; k < EXPRESSIONS; k++) {
    const hy_expr *e = random_expr(&w, 4, true);
    assert_same(&w, e, hy_affine_normal(w.table, e), "normal form");
  }
  close_world(&w);
}
END_TEST

START_TEST(quotients_of_quotients) {
  world w = open_world(7);
  for (int j = 1; j < 6; j++)
    for (int k = 1; k < 6; k++) {
      const hy_expr *inner = hy_expr_binary(w.context, HY_OP_DIV, w.variables[0], number(&w, j));
      const hy_expr *e = hy_expr_binary(w.context, HY_OP_DIV, inner, number(&w, k));
      assert_same(&w, e, hy_affine_normal(w.table, e), "(x / j) / k");
    }
  close_world(&w);
}
END_TEST

// rest + c * min(a, b) is min or max of the two sums.
START_TEST(distributed_extrema) {
  world w = open_world(11);
  int seen = 0;
  for (int k = 0; k < EXPRESSIONS; k++) {
    const hy_expr *extremum = hy_expr_binary(w.context, pick(&w, 2) ? HY_OP_MIN : HY_OP_MAX, random_expr(&w, 2, true),
                                             random_expr(&w, 2, true));
    const hy_expr *c = number(&w, pick(&w, 7) - 3), *rest = random_expr(&w, 2, true);
    const hy_expr *e = hy_expr_binary(w.context, HY_OP_ADD, rest, hy_expr_binary(w.context, HY_OP_MUL, c, extremum));
    const hy_affine *form = hy_affine_of(w.table, e);
    for (int i = 0; i < form->count; i++) {
      const hy_expr *atom = form->terms[i].atom, *a, *b;
      if (atom->kind != HY_EXPR_OP || (atom->op != HY_OP_MIN && atom->op != HY_OP_MAX)) continue;
      hy_op op;
      hy_affine_distribute(w.table, form, i, &op, &a, &b);
      assert_same(&w, e, hy_expr_binary(w.context, op, a, b), "distributed");
      seen++;
    }
  }
  ck_assert_int_gt(seen, EXPRESSIONS / 4);
  close_world(&w);
}
END_TEST

START_TEST(folded_indices) {
  world w = open_world(13);
  typedef const hy_expr *fold(hy_context * context, const hy_expr *a, const hy_expr *b);
  static const struct {
    fold *fold;
    hy_op op;
  } rows[] = {{hy_index_add, HY_OP_ADD},
              {hy_index_sub, HY_OP_SUB},
              {hy_index_mul, HY_OP_MUL},
              {hy_index_div, HY_OP_DIV},
              {hy_index_min, HY_OP_MIN}};
  for (size_t row = 0; row < HY_COUNT(rows); row++)
    for (int k = 0; k < EXPRESSIONS; k++) {
      const hy_expr *a = random_expr(&w, pick(&w, 2), true), *b = random_expr(&w, pick(&w, 2), true);
      if (rows[row].op == HY_OP_DIV) b = number(&w, 1 + pick(&w, 5));
      assert_same(&w, hy_expr_binary(w.context, rows[row].op, a, b), rows[row].fold(w.context, a, b), "folded");
    }
  close_world(&w);
}
END_TEST

START_TEST(logic) {
  world w = open_world(17);
  for (int i = 0; i < VARIABLES; i++)
    w.variables[i] = hy_expr_var(w.context, hy_var_new(w.context, HY_VAR_PARAM, HY_BOOL, "b", NULL, i, 0));
  const hy_expr *const all[] = {hy_expr_bool(w.context, true), hy_expr_bool(w.context, false), w.variables[0],
                                w.variables[1]};
  for (size_t i = 0; i < HY_COUNT(all); i++)
    for (size_t k = 0; k < HY_COUNT(all); k++) {
      const hy_expr *a = all[i], *b = all[k];
      assert_same(&w, hy_expr_binary(w.context, HY_OP_AND, a, b), hy_expr_and(w.context, a, b), "and");
      assert_same(&w, hy_expr_binary(w.context, HY_OP_OR, a, b), hy_expr_or(w.context, a, b), "or");
    }
  close_world(&w);
}
END_TEST

/* -- numbers at the ends of 64 bits, and trees too wide for a normal form -- */

static const hy_expr *huge_expr(world *w, int depth) {
  static const int64_t numbers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    -3,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MAX / 2,
                                    7,
                                    -8,
                                    INT64_C(1) << 32,
                                    INT64_C(1) << 62,
                                    INT64_MIN + 1,
                                    INT64_MAX - 1};
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_SUB, HY_OP_MUL, HY_OP_MUL, HY_OP_DIV, HY_OP_MOD, HY_OP_MIN, HY_OP_MAX};
  if (depth == 0) return pick(w, 2) ? w->variables[pick(w, VARIABLES)] : number(w, numbers[pick(w, HY_COUNT(numbers))]);
  const hy_expr *a = huge_expr(w, depth - 1), *b = huge_expr(w, depth - 1);
  if (pick(w, 12) == 0) return hy_expr_unary(w->context, HY_OP_NEG, a);
  return hy_expr_binary(w->context, ops[pick(w, HY_COUNT(ops))], a, b);
}

// Where neither form overflows or divides by zero, they are the same number.
static void assert_same_number(world *w, const hy_expr *before, const hy_expr *after) {
  for (int k = 0; k < POINTS; k++) {
    choose_point(w);
    hy_value a = value_of(w, before), b = value_of(w, after);
    if (a.error || b.error) continue;
    ck_assert_msg(a.i == b.i, "%lld became %lld", (long long)a.i, (long long)b.i);
  }
}

START_TEST(huge_numbers) {
  world w = open_world(23);
  int64_t distance;
  for (int k = 0; k < EXPRESSIONS; k++) {
    const hy_expr *e = huge_expr(&w, 1 + pick(&w, 4)), *other = huge_expr(&w, pick(&w, 2));
    const hy_expr *normal = hy_affine_normal(w.table, e);
    assert_same_number(&w, e, normal);
    if (hy_affine_distance(w.table, e, other, &distance))
      assert_same_number(&w, e, hy_expr_binary(w.context, HY_OP_ADD, other, number(&w, distance)));
    if (hy_affine_distance(w.table, e, e, &distance)) ck_assert_int_eq(distance, 0);
    // folding constants folds no error away
    assert_same(&w, hy_expr_binary(w.context, HY_OP_ADD, e, other), hy_index_add(w.context, e, other), "sum");
    assert_same(&w, hy_expr_binary(w.context, HY_OP_SUB, e, other), hy_index_sub(w.context, e, other), "difference");
    assert_same_number(&w, hy_expr_binary(w.context, HY_OP_MUL, e, other), hy_index_mul(w.context, e, other));
    assert_same(&w, hy_expr_binary(w.context, HY_OP_DIV, e, other), hy_index_div(w.context, e, other), "quotient");
  }
  close_world(&w);
}
END_TEST

START_TEST(wide_products) {
  world w = open_world(29);
  const hy_expr *sum = number(&w, 1), *power = w.variables[0];
  for (int i = 2; i < 24; i++) {
    const hy_expr *quotient = hy_expr_binary(w.context, HY_OP_DIV, w.variables[i % VARIABLES], number(&w, i));
    sum = hy_expr_binary(w.context, HY_OP_ADD, sum, quotient);
    power = hy_expr_binary(w.context, HY_OP_MUL, power, w.variables[i % 2]);
    if (i % 7) continue;
    const hy_expr *square = hy_expr_binary(w.context, HY_OP_MUL, sum, sum);
    assert_same(&w, square, hy_affine_normal(w.table, square), "square of a sum");
    assert_same_number(&w, power, hy_affine_normal(w.table, power));
  }
  close_world(&w);
}
END_TEST

// defined(e) is true exactly where e has a value (decision D94).
START_TEST(definedness) {
  world w = open_world(19);
  hy_ranges *ranges = hy_ranges_new();
  int errors = 0;
  for (int k = 0; k < EXPRESSIONS; k++) {
    const hy_expr *e = random_expr(&w, 3, false), *defined = hy_defined(w.context, ranges, e);
    for (int n = 0; n < POINTS; n++) {
      choose_point(&w);
      if (pick(&w, 2)) w.point[pick(&w, VARIABLES)] = 0;
      bool says = hy_value_is_true(value_of(&w, defined)), is = value_of(&w, e).error == HY_OK;
      errors += !is;
      ck_assert_msg(says == is, "defined() says %d of an expression that is %d", says, is);
    }
  }
  ck_assert_int_gt(errors, 100);
  hy_ranges_free(ranges);
  close_world(&w);
}
END_TEST

Suite *semantics_rewrite_suite(void) {
  Suite *suite = suite_create("semantics_rewrite");
  TCase *rewrites = tcase_create("rewrites");
  tcase_add_loop_test(rewrites, normal_forms, 0, 3);
  tcase_add_test(rewrites, quotients_of_quotients);
  tcase_add_test(rewrites, distributed_extrema);
  tcase_add_test(rewrites, folded_indices);
  tcase_add_test(rewrites, logic);
  tcase_add_test(rewrites, huge_numbers);
  tcase_add_test(rewrites, wide_products);
  tcase_add_test(rewrites, definedness);
  suite_add_tcase(suite, rewrites);
  return suite;
}
