/* Lemma 8.1 (unique active specialization): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: the conditions are startup expressions, the same at every place of a run (by their text), and each
 * has another branch, which is taken where it is false or an error (TGT.If-Specialize). So exactly one of the chain is
 * taken. Sampled: which branch each assignment of each run belongs to. Not covered: conditions beyond those of these
 * programs.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

enum { GENERATED = 80, SYMBOLS = 64 };

typedef struct {
  hy_context *context;
  int branches, conditions;
  bool constant;
} chain;

static void visit(chain *c, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE) {
    c->conditions++;
    c->constant &= hy_expr_is_startup(stmt->branch.condition) && stmt->branch.otherwise != NULL;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) visit(c, children[i]);
}

static chain conditions_of(theorem_program *t, const hy_tgt *tgt) {
  chain c = {.context = t->test.context, .constant = true};
  visit(&c, tgt->body);
  return c;
}

typedef struct {
  int active[SYMBOLS]; // by func->index: the specialization + 1; 0 = none so far
  bool unique;
} activity;

static void observe(void *self, const hy_stmt *assign, const int64_t *point) {
  activity *a = self;
  int *active = &a->active[assign->assign.func->index];
  (void)point;
  a->unique &= *active == 0 || *active == assign->assign.spec + 1;
  *active = assign->assign.spec + 1;
}

static bool one_is_active(theorem_program *t, const hy_tgt *tgt, const hy_input *input, activity *a) {
  *a = (activity){.unique = true};
  hy_tgt_result result;
  hy_tgt_options options = {.step_limit = THEOREM_STEPS, .observer = observe, .observer_self = a};
  hy_tgt_run(t->test.context, tgt, input, &options, &result);
  hy_tgt_result_free(&result);
  return a->unique;
}

START_TEST(lemma_8_1) {
  int programs = 0, conditions = 0, runs = 0, specialized = 0;
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open_favouring(i, hy_sched_number(&hy_directive_specialize), &t)) continue;
    const hy_tgt *filled = t.test.pipeline.filled;
    chain c = conditions_of(&t, filled);
    ck_assert_msg(c.constant, "%s", t.name);
    programs += c.conditions > 0;
    conditions += c.conditions;
    for (int k = 0; c.conditions && k < THEOREM_INPUTS; k++) {
      theorem_input in;
      activity a;
      if (!theorem_input_open(&t, filled, k, &in)) continue;
      ck_assert_msg(one_is_active(&t, filled, &in.input, &a), "%s, input %d", t.name, k);
      runs++;
      for (int f = 0; f < SYMBOLS; f++) specialized += a.active[f] > 1;
      theorem_input_close(&in);
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(programs, 10);
  ck_assert_int_gt(specialized, 0);
  test_note("lemma 8.1: %d programs with specializations (generated: seeds %d..%d), for all inputs: %d conditions "
            "constant in a run; sampled: %d runs, %d times another branch than the default",
            programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, conditions, runs, specialized);
}
END_TEST

/* -- which branch, and what is wrong is seen -- */

#define BY_N "pipeline p(n: int) { fun o(x) = x * 5; }"

static const struct {
  const char *items;
  int64_t n;
  int spec;
} rows[] = {
    {"specialize(o, n > 3, n > 1);", 7, 1},
    {"specialize(o, n > 3, n > 1);", 2, 2},
    {"specialize(o, n > 3, n > 1);", 0, 0},
    {"specialize(o, 8 / n == 2);", 4, 1},
    {"specialize(o, 8 / n == 2);", 0, 0}, // an error is false (D27, D44)
    {"specialize(o, n * 4611686018427387904 >= 0);", 1, 1},
    {"specialize(o, n * 4611686018427387904 >= 0);", 4, 0}, // it leaves 64 bits
};

START_TEST(the_first_true_condition_decides) {
  theorem_program t;
  activity a;
  theorem_open_text(&t, BY_N, rows[_i].items);
  int64_t min = 0, len = 5;
  hy_value n = hy_value_int(rows[_i].n);
  hy_input input = {&n, NULL, &min, &len};
  ck_assert(one_is_active(&t, t.test.pipeline.filled, &input, &a));
  ck_assert_int_eq(a.active[t.test.pipeline.alg->output->index], rows[_i].spec + 1);
  theorem_close(&t);
}
END_TEST

// What specialize refuses, by hand: a condition that reads a func, which changes while the program runs.
static const hy_stmt *by_value(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_IF || stmt->branch.why != HY_IF_SPECIALIZE) return stmt;
  const hy_func *a = stmt->branch.then->label.func;
  const hy_expr *zero[1] = {hy_expr_int(context, 0)};
  const hy_expr *read = hy_expr_access(context, a, zero);
  const hy_expr *condition = hy_expr_binary(context, HY_OP_EQ, read, hy_expr_int(context, 1));
  return hy_stmt_if(context, HY_IF_SPECIALIZE, condition, stmt->branch.then, stmt->branch.otherwise);
}

START_TEST(a_condition_that_changes_is_seen) {
  theorem_program t;
  theorem_open_text(&t, BY_N, "specialize(o, n > 3);");
  chain before = conditions_of(&t, t.test.pipeline.filled);
  chain after = conditions_of(&t, theorem_edit(t.test.context, t.test.pipeline.filled, by_value));
  ck_assert(before.constant && !after.constant);
  theorem_close(&t);
}
END_TEST

// Two branches in one run: the second half of the points by another copy.
static const hy_stmt *two_branches(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_IF || stmt->branch.why != HY_IF_SPECIALIZE) return stmt;
  const hy_stmt *both[2] = {stmt->branch.then, stmt->branch.otherwise};
  return hy_stmt_seq(context, both, 2);
}

START_TEST(two_active_branches_are_seen) {
  theorem_program t;
  activity a;
  theorem_open_text(&t, BY_N, "specialize(o, n > 3);");
  int64_t min = 0, len = 5;
  hy_value n = hy_value_int(9);
  hy_input input = {&n, NULL, &min, &len};
  const hy_tgt *broken = theorem_edit(t.test.context, t.test.pipeline.filled, two_branches);
  ck_assert(!one_is_active(&t, broken, &input, &a));
  theorem_close(&t);
}
END_TEST

Suite *lemma_8_1_suite(void) {
  Suite *suite = suite_create("lemma_8_1");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_8_1);
  tcase_add_loop_test(t, the_first_true_condition_decides, 0, HY_COUNT(rows));
  tcase_add_test(t, a_condition_that_changes_is_seen);
  tcase_add_test(t, two_active_branches_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
