#include "oracle/fill/region.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One loop, over the x from "a" on, n of them, is eliminated.
typedef struct {
  questions *questions;
  hy_context *context;
  const hy_expr *x; // of the loop
  const hy_stmt *loop;
  const hy_expr *facts[3];
  hy_region_effort effort;
  hy_region_site site;
} world;

static const hy_expr *of_loop(world *w, const hy_expr *expr) {
  hy_binding x = {questions_variable(w->questions, "x"), w->x};
  return hy_expr_substitute(w->context, expr, &x, 1);
}

static void world_open(world *w) {
  *w = (world){.questions = questions_new()};
  hy_context *context = w->context = questions_context(w->questions);
  static const hy_func g = {.name = "g", .rank = 1, .type = HY_INT};
  const hy_var *x = hy_var_loop(context, &g, 0, 0, "x");
  w->x = hy_expr_var(context, x);
  const hy_expr *a = hy_expr_var(context, questions_variable(w->questions, "a"));
  const hy_expr *n = hy_expr_var(context, questions_variable(w->questions, "n"));
  w->loop = hy_stmt_for(context, x, true, HY_SERIAL, (hy_interval){a, n}, hy_stmt_nop(context));
  w->facts[0] = hy_expr_binary(context, HY_OP_GE, n, hy_expr_int(context, 1));
  w->facts[1] = hy_expr_binary(context, HY_OP_LE, a, w->x);
  w->facts[2] = of_loop(w, questions_formula(w->questions, "x < a + n"));
  w->site = (hy_region_site){.context = context,
                             .table = hy_affine_table_new(context),
                             .prover = hy_prover_new(context),
                             .path = &w->loop,
                             .depth = 1,
                             .facts = w->facts,
                             .fact_count = 3,
                             .outer_count = 1,
                             .effort = &w->effort};
}

static void world_close(world *w) {
  hy_prover_free(w->site.prover);
  hy_affine_table_free(w->site.table);
  questions_free(w->questions);
}

static const hy_expr *number_of(world *w, const char *text) {
  char formula[200];
  snprintf(formula, sizeof formula, "%s == 0", text);
  return of_loop(w, questions_formula(w->questions, formula)->args[0]);
}

static const struct {
  const char *index, *low, *high; // "": unbounded
} rows[] = {
    {"x", "a", "a + n - 1"},
    {"7 - 2*x", "9 - 2*a - 2*n", "7 - 2*a"},
    {"m", "m", "m"},
    {"x / 4", "a/4", "(a + n - 1)/4"},
    {"x % 4", "0", "3"},
    {"(x - a) % 4", "0", "3"},
    {"min(x, m)", "min(a, m)", "min(a + n - 1, m)"},
    {"abs(x - a)", "0", "n - 1"},
    {"x - x % 4", "a - 3", "a + n - 1"},
    {"x * n", "a*n", "a*n + n*n - n"},
    {"(m % 100) / x", "-99", "99"}, // the numbers alone
    {"x % (m % 100 + 1)", "0", "m % 100"},
    {"(x * m) % (m % 7 + 2)", "0", "m % 7 + 1"},
    {"m / x", "", ""}, // nothing is believed of m (D69)
    {"(min(x, 3) + x) - 2*x", "min(0, 4 - a - n)", "min(0, 3 - a)"},
};

START_TEST(bounds) {
  world w;
  world_open(&w);
  const hy_expr *index = number_of(&w, rows[_i].index);
  for (hy_side side = HY_LOW; side <= HY_HIGH; side++) {
    const char *want = side == HY_LOW ? rows[_i].low : rows[_i].high;
    const hy_expr *end = hy_region_bound(&w.site, index, side);
    ck_assert_msg((end == NULL) == (*want == '\0'), "%s: %s", rows[_i].index, end ? "bounded" : "unbounded");
    if (!end) continue;
    int64_t distance = 1;
    hy_text text = {0};
    hy_expr_print(end, &text);
    ck_assert_msg(hy_affine_distance(w.site.table, end, number_of(&w, want), &distance) && distance == 0,
                  "%s: %s, not %s", rows[_i].index, hy_text_string(&text), want);
    hy_text_free(&text);
  }
  ck_assert(!w.effort.given_up);
  world_close(&w);
}
END_TEST

// x, then x / 2 - x % 2, then the same of that by 3, ...: each stands three times in the ends of the next, sixty deep.
START_TEST(sees_shared_parts_once) {
  world w;
  world_open(&w);
  const hy_expr *index = w.x;
  for (int i = 0; i < 60; i++) {
    const hy_expr *rest = hy_expr_binary(w.context, HY_OP_MOD, index, hy_expr_int(w.context, i + 2));
    const hy_expr *part = hy_expr_binary(w.context, HY_OP_DIV, index, hy_expr_int(w.context, i + 2));
    index = hy_expr_binary(w.context, HY_OP_SUB, part, rest);
  }
  ck_assert_ptr_nonnull(hy_region_bound(&w.site, index, HY_LOW));
  ck_assert(!w.effort.given_up);
  world_close(&w);
}
END_TEST

// Given back one by the other, forty deep: whether a loop may leave its range is asked of each once.
START_TEST(asks_once_whether_a_loop_leaves) {
  world w;
  world_open(&w);
  static const hy_func g = {.name = "g", .rank = 1, .type = HY_INT};
  const hy_stmt *path[41] = {w.loop};
  const hy_var *var = w.loop->loop.var;
  for (int i = 1; i <= 40; i++) {
    hy_relation *given = HY_NEW(hy_context_arena(w.context), hy_relation);
    *given =
        (hy_relation){.form = HY_BY_GIVEN, .loop_count = 1, .loops = {var}, .inverses = {hy_expr_var(w.context, var)}};
    hy_origin origin = hy_origin_given(w.context, given, NULL, w.loop->loop.interval);
    origin.sources[0] = var;
    const hy_expr *value = hy_expr_var(w.context, var);
    var = hy_var_loop(w.context, &g, 0, 0, hy_context_name_of(w.context, (const char[]){'v', (char)('0' + i), 0}));
    path[i] = hy_stmt_let(w.context, var, value, origin, hy_stmt_nop(w.context));
  }
  w.site.path = path;
  w.site.depth = HY_COUNT(path);
  const hy_expr *end = hy_region_bound(&w.site, hy_expr_var(w.context, var), HY_LOW);
  ck_assert_ptr_eq(end, w.loop->loop.interval.min);
  world_close(&w);
}
END_TEST

// More parts than it looks at: unbounded, and it says that it gave up; one fewer is fine.
START_TEST(gives_up_on_too_many_parts) {
  world w;
  world_open(&w);
  const hy_expr *index = hy_expr_int(w.context, 0);
  for (int i = 0; i < HY_REGION_ENDS; i++) {
    const hy_expr *rest = hy_expr_binary(w.context, HY_OP_MOD, w.x, hy_expr_int(w.context, i + 2));
    index = hy_expr_binary(w.context, HY_OP_ADD, index, hy_expr_unary(w.context, HY_OP_ABS, rest));
  }
  ck_assert_ptr_null(hy_region_bound(&w.site, index, HY_HIGH));
  ck_assert(w.effort.given_up);
  world_close(&w);
}
END_TEST

// x*x + 1, then the same of that, ...: each end holds those of its factors several times, of both sides, and what is
// compared doubles where the expression does not grow.
START_TEST(gives_up_on_ends_that_grow) {
  world w;
  world_open(&w);
  const hy_expr *index = w.x, *one = hy_expr_int(w.context, 1);
  for (int i = 0; i < 14; i++)
    index = hy_expr_binary(w.context, HY_OP_ADD, hy_expr_binary(w.context, HY_OP_MUL, index, index), one);
  ck_assert_ptr_null(hy_region_bound(&w.site, index, HY_HIGH));
  ck_assert(w.effort.given_up);
  ck_assert_uint_lt(w.effort.steps, 2 * HY_REGION_STEPS);      // the last is counted to its end
  ck_assert_ptr_null(hy_region_bound(&w.site, index, HY_LOW)); // and all steps are of one program
  ck_assert_uint_lt(w.effort.steps, 2 * HY_REGION_STEPS);
  world_close(&w);
}
END_TEST

Suite *oracle_region_suite(void) {
  Suite *suite = suite_create("oracle_region");
  TCase *table = tcase_create("table");
  tcase_set_timeout(table, 20);
  tcase_add_loop_test(table, bounds, 0, HY_COUNT(rows));
  tcase_add_test(table, sees_shared_parts_once);
  tcase_add_test(table, asks_once_whether_a_loop_leaves);
  tcase_add_test(table, gives_up_on_too_many_parts);
  tcase_add_test(table, gives_up_on_ends_that_grow);
  suite_add_tcase(suite, table);
  return suite;
}
