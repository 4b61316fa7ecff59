/* ORA.Flat: clamps of clamps, made one. */

#include "oracle/fill/flat.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  questions *questions;
  hy_context *context;
  hy_affine_table *table;
} world;

static world world_open(void) {
  world w = {.questions = questions_new()};
  w.context = questions_context(w.questions);
  w.table = hy_affine_table_new(w.context);
  return w;
}

static void world_close(world *w) {
  hy_affine_table_free(w->table);
  questions_free(w->questions);
}

static const hy_expr *number_of(world *w, const char *text) {
  char formula[400];
  snprintf(formula, sizeof formula, "%s == 0", text);
  return hy_affine_normal(w->table, questions_formula(w->questions, formula)->args[0]);
}

static const hy_expr *flat(world *w, const hy_expr *expr) { return hy_flat(w->table, w->context, expr); }

static const struct {
  const char *is, *becomes;
} rows[] = {
    // the ends of what is read through the same clamp by one stage after the other
    {"max(a, min(b, max(a, min(b, x)) - 1))", "max(a, min(b - 1, x - 1))"},
    {"max(a, min(b, max(a, min(b, max(a, min(b, x)) - 1)) - 2))", "max(a, min(b - 3, x - 3))"},
    {"max(a, min(b, max(a, min(b, x)) + 1))", "max(a, min(b, max(a + 1, x + 1)))"},
    {"max(a, min(b, max(a, min(b, max(a, min(b, x)) + 1)) + 2))", "max(a, min(b, max(a + 3, x + 3)))"},
    // and by itself
    {"min(min(x, max(a, min(b, x - 1))), max(a, min(b, min(x, max(a, min(b, x - 1))) - 1)))",
     "max(min(a, x), min(b - 1, x - 2))"},
    {"min(max(x, y), min(max(x, y) + 1, max(x, y + 3)))", "max(x, y)"},
    // two numbers: what is in both
    {"max(min(a, x), max(min(a, y), min(a, x - 1)))", "min(a, max(x, y))"},
    // nothing is shorter
    {"max(a, min(b, x))", "max(a, min(b, x))"},
    {"max(a, min(b, max(x, min(y, n))))", "max(a, min(b, max(x, min(n, y))))"},
    // what is taken twice, or from something, is not gone into
    {"max(a, min(b, 2*max(a, min(b, x))))", "max(a, min(b, 2*max(a, min(b, x))))"},
    {"max(a, min(b, y - max(a, min(b, x))))", "max(a, min(b, y - max(a, min(b, x))))"},
};

// ORA.Flat
START_TEST(becomes) {
  world w = world_open();
  const hy_expr *got = flat(&w, number_of(&w, rows[_i].is)), *wanted = number_of(&w, rows[_i].becomes);
  const hy_expr *same = hy_expr_binary(w.context, HY_OP_EQ, got, number_of(&w, rows[_i].is));
  hy_text text = {0};
  hy_expr_print(got, &text);
  ck_assert_msg(got == wanted, "%s became %s", rows[_i].is, hy_text_string(&text));
  ck_assert(!questions_enumerate(w.questions, NULL, 0, same, 3));
  hy_text_free(&text);
  world_close(&w);
}
END_TEST

static const hy_expr *random_lattice(world *w, uint64_t *seed, int depth) {
  static const char *const names[] = {"a", "b", "x", "y"};
  const hy_expr *offset = hy_expr_int(w->context, (int64_t)(questions_random(seed) % 5) - 2), *e;
  if (!depth || questions_random(seed) % 5 == 0) {
    e = hy_expr_var(w->context, questions_variable(w->questions, names[questions_random(seed) % HY_COUNT(names)]));
  } else {
    const hy_expr *left = random_lattice(w, seed, depth - 1), *right = random_lattice(w, seed, depth - 1);
    e = hy_expr_binary(w->context, questions_random(seed) % 2 ? HY_OP_MIN : HY_OP_MAX, left, right);
  }
  return hy_affine_add(w->table, e, offset);
}

static uint64_t seed_of_run(void) {
  const char *given = getenv("HALYARD_TEST_SEED");
  return given ? strtoull(given, NULL, 10) : 1;
}

// ORA.Flat: the same value, whatever the variables are.
START_TEST(keeps_the_value) {
  uint64_t seed = seed_of_run() + (uint64_t)_i * 1000003;
  world w = world_open();
  int shorter = 0;
  for (int i = 0; i < 60; i++) {
    const hy_expr *expr = random_lattice(&w, &seed, 2 + i % 4), *made = flat(&w, expr);
    shorter += made != expr;
    const hy_expr *same = hy_expr_binary(w.context, HY_OP_EQ, expr, made);
    ck_assert_msg(!questions_enumerate(w.questions, NULL, 0, same, 3), "number %d of seed %llu", i,
                  (unsigned long long)seed_of_run());
  }
  ck_assert_msg(shorter > 10, "only %d are shorter, seed %llu", shorter, (unsigned long long)seed_of_run());
  world_close(&w);
}
END_TEST

// max(min(p0, p1), max(min(p2, p3), ..)) of 40 pairs: more clauses than are looked at.
START_TEST(too_large_stays) {
  world w = world_open();
  const hy_expr *expr = NULL;
  for (int i = 0; i < 40; i++) {
    char name[2][16];
    for (int k = 0; k < 2; k++) snprintf(name[k], sizeof name[k], "p%d", 2 * i + k);
    const hy_expr *p = hy_expr_var(w.context, questions_variable(w.questions, name[0]));
    const hy_expr *q = hy_expr_var(w.context, questions_variable(w.questions, name[1]));
    const hy_expr *both = hy_expr_binary(w.context, HY_OP_MIN, p, q);
    expr = expr ? hy_expr_binary(w.context, HY_OP_MAX, expr, both) : both;
  }
  ck_assert_ptr_eq(flat(&w, expr), expr);
  world_close(&w);
}
END_TEST

Suite *oracle_flat_suite(void) {
  Suite *suite = suite_create("oracle_flat");
  TCase *tests = tcase_create("flat");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, becomes, 0, HY_COUNT(rows));
  tcase_add_loop_test(tests, keeps_the_value, 0, 8);
  tcase_add_test(tests, too_large_stays);
  suite_add_tcase(suite, tests);
  return suite;
}
