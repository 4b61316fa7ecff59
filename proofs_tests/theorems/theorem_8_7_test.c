/* Theorem 8.7 (bounds phase is sound): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B(S_i+1), B.Constrain in it, and the promise BOX (L0) of every directive.
 * Sampled: outputs and the contents of every computation, run in order under the monitor.
 * Not covered: that the user's bound is the one wanted.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

enum { GENERATED = 60 };

START_TEST(theorem_8_7) {
  theorem_phase all = theorem_look_at_phase(HY_PHASE_BOUNDS, GENERATED);
  ck_assert_int_gt(all.members, 10);
  test_note(
      "theorem 8.7: %d directives in %d programs (generated: seeds %d..%d), for all inputs: %zu obligations of %d "
      "S_i+1; sampled: %d runs, %llu points, %llu of computations",
      all.directives, all.programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, all.obligations, all.members, all.runs,
      (unsigned long long)all.points, (unsigned long long)all.contents);
  theorem_phase_keeps("theorem 8.7", &all);
}
END_TEST

/* -- the two roles of the paper's assert -- */

#define TWO "pipeline p() { fun a(x) = x * 3; fun o(x) = a(x) + a(x + 2); }"

static const struct {
  const char *items;
  hy_run_status status; // the window is [0, 9): a is needed on [0, 11)
} rows[] = {
    {"bound(a, x, 0, 11);", HY_RAN},        {"bound(a, x, -4, 40);", HY_RAN},
    {"bound(a, x, 0, 10);", HY_RUN_ASSUME}, {"bound(a, x, 1, 40);", HY_RUN_ASSUME},
    {"bound_extent(a, x, 11);", HY_RAN},    {"bound_extent(a, x, 10);", HY_RUN_ASSUME},
    {"align_bounds(a, x, 8, 3);", HY_RAN},  {"bound(o, x, 0, 8);", HY_RUN_ASSUME},
};

START_TEST(too_small_a_bound_stops_the_run) {
  theorem_program t;
  theorem_input in;
  theorem_run run;
  theorem_open_text(&t, TWO, rows[_i].items);
  ck_assert(theorem_member(&t, t.test.pipeline.filled, NULL));
  ck_assert(theorem_input_open(&t, t.test.pipeline.filled, 0, &in));
  ck_assert(theorem_execute(&t, t.test.pipeline.filled, &in, 0, &run));
  ck_assert_int_eq(run.status, rows[_i].status);
  ck_assert(!theorem_run_is_wrong(&run));
  theorem_input_close(&in);
  theorem_close(&t);
}
END_TEST

static const hy_stmt *no_check(hy_context *context, const hy_stmt *stmt) { // the assert as an obligation alone
  return stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_NEED ? hy_stmt_nop(context) : stmt;
}
static const hy_stmt *no_obligation(hy_context *context, const hy_stmt *stmt) { // as a check alone: Cpu is anything
  return stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_CONSTRAIN ? hy_stmt_nop(context) : stmt;
}

START_TEST(one_role_is_not_enough) { // D43
  theorem_program t;
  theorem_open_text(&t, TWO, "bound(a, x, 0, 10);");
  const hy_tgt *filled = t.test.pipeline.filled, *unchecked = theorem_edit(t.test.context, filled, no_check);
  ck_assert(!theorem_member(&t, unchecked, NULL));
  ck_assert(theorem_some_run_is_wrong(&t, unchecked, 0) && !theorem_some_run_is_wrong(&t, filled, 0));
  // Without the obligation wider fills are accepted, though the user said which.
  const hy_tgt *scheduled = t.test.pipeline.steps[1];
  int64_t by[4] = {0};
  by[hy_alg_find(t.test.pipeline.alg, "a")->index] = 5;
  const hy_tgt *wide = theorem_refill(&t, scheduled, filled, by, by, 0);
  ck_assert(!theorem_member(&t, wide, NULL));
  ck_assert(theorem_member(&t, theorem_edit(t.test.context, wide, no_obligation), NULL));
  theorem_close(&t);
}
END_TEST

START_TEST(contradictory_demands_have_no_solution) { // D43, D58
  test_program p;
  test_program_open(&p, TWO, "bound(a, x, 0, 12); align_bounds(a, x, 8, 0);");
  ck_assert(p.parsed && !hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  ck_assert_int_ne(test_program_code(&p), 0);
  test_program_close(&p);
}
END_TEST

Suite *theorem_8_7_suite(void) {
  Suite *suite = suite_create("theorem_8_7");
  TCase *t = tcase_create("theorem");
  tcase_add_test(t, theorem_8_7);
  tcase_add_loop_test(t, too_small_a_bound_stops_the_run, 0, HY_COUNT(rows));
  tcase_add_test(t, one_role_is_not_enough);
  tcase_add_test(t, contradictory_demands_have_no_solution);
  suite_add_tcase(suite, t);
  return suite;
}
