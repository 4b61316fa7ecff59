/* Lemma 7.7 (lowering is sound): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B(L(P)), by the prover and Z3; the entry block holds every check that the program needs, by its text.
 * Sampled: outputs, error kinds included, with fresh memory scrambled twice.
 * Not covered: the structure of the lowered program is looked at in lower_test.c, Figure 1(c) in golden/figure1_c.tgt.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

#include <string.h>

enum { GENERATED = 120 };

// A check for every int parameter, window and image box, for the rdoms of what is lowered, and for every image read.
static int checks_missing(const hy_tgt *lowered) {
  int missing = 0;
  for (int i = 0; i < lowered->func_count; i++) {
    const hy_definition *f = hy_alg_definition(lowered->alg, lowered->funcs[i]);
    int rdoms = 0, checks = 0;
    for (int j = 1; j < f->stage_count; j++) rdoms += f->stages[j].rdom_count;
    for (int k = 0; k < lowered->entry_count; k++)
      checks += lowered->entry[k]->assume.why == HY_ASSUME_RDOM && lowered->entry[k]->assume.subject == f->func;
    missing += rdoms > 0 && checks == 0;
  }
  int ranges = 0;
  for (int k = 0; k < lowered->entry_count; k++) ranges += lowered->entry[k]->assume.why == HY_ASSUME_RANGE;
  return missing + (ranges < 2 * lowered->alg->window_rank);
}

START_TEST(lemma_7_7) {
  int programs = 0, runs = 0, with_errors = 0;
  size_t obligations = 0;
  uint64_t points = 0;
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    theorem_verdict verdict;
    if (!theorem_open(i, &t)) continue;
    const hy_tgt *filled = theorem_fill(&t, 0);
    bool member = filled && theorem_member(&t, filled, &verdict);
    ck_assert_int_eq(checks_missing(t.test.pipeline.steps[0]), 0);
    programs += member;
    if (member) obligations += verdict.obligations;
    for (int k = 0; member && k < THEOREM_INPUTS; k++) {
      theorem_input in;
      theorem_run run;
      if (!theorem_input_open(&t, filled, k, &in)) continue;
      for (uint64_t seed = 0; seed < 2 && theorem_execute(&t, filled, &in, seed * in.seed, &run); seed++) {
        ck_assert_msg(!theorem_run_is_wrong(&run) && run.status == HY_RAN, "%s, input %d", t.name, k);
        runs++;
        with_errors += run.has_error;
        points += run.points;
      }
      theorem_input_close(&in);
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(programs, GENERATED / 2);
  test_note(
      "lemma 7.7: %d lowered programs (generated: seeds %d..%d), for all inputs: %zu obligations; sampled: %d runs, "
      "%llu points, %d runs with errors",
      programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, obligations, runs, (unsigned long long)points, with_errors);
}
END_TEST

/* -- broken lowerings, each with a counterexample -- */

#define SUMS                                                                                                           \
  "pipeline p() { fun a(x, y) = x + 10 * y; fun o(x, y) = { 1;"                                                        \
  " rdom(r = (0, 3), q = (0, 2)) in (x, y) <- o(x, y) * 3 + a(x + r, y - q) if r < x; (x, y) <- o(x, y) + 1; }; }"

static bool is_update(const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_ASSIGN && stmt->assign.func->name[0] == 'o' && stmt->assign.stage == 1;
}
static const hy_stmt *keep(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt;
}
static const hy_stmt *exchange_rdoms(hy_context *context, const hy_stmt *stmt) { // r1 outermost
  if (stmt->kind != HY_STMT_FOR || strcmp(stmt->loop.var->name, "q") != 0) return stmt;
  const hy_stmt *inner = stmt->loop.body, *below = inner->loop.body;
  const hy_stmt *lower = hy_stmt_with_children(context, stmt, &below, 1);
  return hy_stmt_with_children(context, inner, &lower, 1);
}
static const hy_stmt *forget_predicate(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt->kind == HY_STMT_IF ? stmt->branch.then : stmt;
}
static const hy_stmt *exchange_stages(hy_context *context, const hy_stmt *stmt) { // the last update first
  if (stmt->kind != HY_STMT_SEQ || stmt->seq.count != 3 || stmt->seq.items[0]->kind != HY_STMT_LABEL) return stmt;
  const hy_stmt *items[3] = {stmt->seq.items[0], stmt->seq.items[2], stmt->seq.items[1]};
  return hy_stmt_seq(context, items, 3);
}
static const hy_stmt *capture(hy_context *context, const hy_stmt *stmt) { // the rdom's r under the name of x (D24)
  if (!is_update(stmt)) return stmt;
  const hy_expr *lhs[2] = {stmt->assign.lhs[1], stmt->assign.lhs[0]};
  return hy_stmt_assign(context, stmt->assign.func, 0, 1, lhs, stmt->assign.rhs);
}
static const hy_stmt *assign_to_nothing(hy_context *context, const hy_stmt *stmt) {
  return is_update(stmt) ? hy_stmt_nop(context) : stmt;
}

static const struct {
  const char *name;
  theorem_change *change;
  bool sound;
} lowerings[] = {
    {"nothing is wrong", keep, true},
    {"r1 outermost (LOW.RDom)", exchange_rdoms, false},
    {"no predicate (LOW.Predicate)", forget_predicate, false},
    {"stages exchanged (LOW.Func)", exchange_stages, false},
    {"a captured name (LOW.Assign, D24)", capture, false},
    {"an update left out (LOW.Stage)", assign_to_nothing, false},
};

START_TEST(broken_lowerings_are_seen) {
  theorem_program t;
  theorem_open_text(&t, SUMS, "");
  const hy_tgt *tgt = theorem_edit(t.test.context, t.test.pipeline.filled, lowerings[_i].change);
  ck_assert_msg(theorem_some_run_is_wrong(&t, tgt, 0) != lowerings[_i].sound, "%s", lowerings[_i].name);
  theorem_close(&t);
}
END_TEST

START_TEST(without_its_entry_checks_it_is_not) { // D11: an rdom of negative extent
  theorem_program t;
  theorem_open_text(&t, "pipeline p(n: int) { fun o(x) = { 0; rdom(r = (0, n)) in (x) <- o(x) + r; }; }", "");
  int64_t min = 0, len = 3;
  hy_value n = hy_value_int(-1);
  hy_input input = {&n, NULL, &min, &len};
  for (int drop = 0; drop < 2; drop++) {
    hy_tgt tgt = *t.test.pipeline.filled;
    if (drop) tgt.entry_count = 0;
    hy_tgt_result result;
    hy_tgt_run(t.test.context, &tgt, &input, &(hy_tgt_options){.monitor = true}, &result);
    ck_assert_int_eq(result.status, drop ? HY_RUN_CONTRACT : HY_RUN_ASSUME);
    ck_assert_int_eq(theorem_member(&t, &tgt, NULL), !drop);
    hy_tgt_result_free(&result);
  }
  theorem_close(&t);
}
END_TEST

// LOW.Entry-Range: what lies outside of 2^31 is no input. LOW.Stage: a dimension that a stage lacks has no loop, or the
// update is applied once for each of its points.
START_TEST(inputs_and_stages) {
  theorem_program t;
  theorem_open_text(&t, "pipeline p(n: int) { fun o(x) = { n; rdom(r = (0, 3)) in (r) <- o(r) * 2 + 1; }; }", "");
  int64_t min = 0, len = 5;
  hy_value n = hy_value_int(5), far = hy_value_int(INT64_C(1) << 40);
  for (int k = 0; k < 2; k++) {
    hy_input input = {k ? &far : &n, NULL, &min, &len};
    hy_tgt_result result;
    hy_tgt_run(t.test.context, t.test.pipeline.filled, &input, &(hy_tgt_options){.monitor = true}, &result);
    ck_assert_int_eq(result.status, k ? HY_RUN_ASSUME : HY_RAN);
    for (int64_t x = 0; x < len && !k; x++) ck_assert_int_eq(hy_buffer_get(result.output, &x).i, x < 3 ? 11 : 5);
    hy_tgt_result_free(&result);
  }
  theorem_close(&t);
}
END_TEST

Suite *lemma_7_7_suite(void) {
  Suite *suite = suite_create("lemma_7_7");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_7_7);
  tcase_add_test(t, inputs_and_stages);
  tcase_add_loop_test(t, broken_lowerings_are_seen, 0, HY_COUNT(lowerings));
  tcase_add_test(t, without_its_entry_checks_it_is_not);
  suite_add_tcase(suite, t);
  return suite;
}
