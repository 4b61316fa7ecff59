/* Lemma 8.6 (storage phase is sound): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B(S_i+1) and the promise MOVE (L0) of every directive.
 * Sampled: outputs and the contents of every computation, run in order under the monitor.
 * Not covered: memory folded into fewer cells than Mem has, which is another phase (fold_storage, judged by B.Fold).
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/theorems.h"
#include "sched/rewrite.h"

enum { GENERATED = 24 };

START_TEST(lemma_8_6) {
  theorem_phase all = theorem_look_at_phase(HY_PHASE_STORAGE, GENERATED);
  ck_assert_int_gt(all.members, 20);
  theorem_phase_note("lemma 8.6", &all, GENERATED);
}
END_TEST

/* -- the lemma as printed -- */

#define BLUR "pipeline p() { fun a(x, y) = x * 3 + y; fun o(x, y) = a(x, y - 1) + a(x, y + 1); }"

static const struct {
  const char *name, *items;
  bool legal;
} rows[] = {
    {"storage inside of the parallel loop", "traverse(o.y, parallel); compute_at(a, o.y); store_at(a, o.y);", true},
    {"storage outside of it (D38)", "traverse(o.y, parallel); compute_at(a, o.y);", false},
    {"storage outside of a serial loop", "compute_at(a, o.y);", true},
};

// By the steps, which dominance allows: is S_n legal as a final program, and does it race?
START_TEST(dominance_is_not_enough) {
  test_program p;
  theorem_program t = {.name = "by hand"};
  test_program_open(&p, BLUR, rows[_i].items);
  ck_assert(p.parsed);
  ck_assert_int_eq(hy_pipeline_schedule(&p.pipeline, p.diagnostics), rows[_i].legal);
  test_program_close(&p);
  theorem_open_text(&t, BLUR, "compute_at(a, o.y);");
  const hy_tgt *program = t.test.pipeline.steps[1];
  if (_i != 2) { // the traversal alone, at the end: whether the allocation is inside is what differs
    hy_directive parallel = theorem_directive(&t, &hy_directive_traverse, "o", "o", 0, 0, "y");
    parallel.traversal = HY_PARALLEL;
    program = hy_directive_traverse.apply(t.test.context, program, &parallel, NULL);
  }
  hy_directive move = theorem_directive(&t, &hy_directive_store_at, "a", "o", 0, 0, "y");
  ck_assert(hy_directive_store_at.applies(t.test.context, program, &move, t.test.diagnostics));
  if (_i == 0) program = hy_directive_store_at.apply(t.test.context, program, &move, NULL);
  const hy_tgt *filled = hy_oracle_fill(t.test.context, program, t.test.diagnostics);
  ck_assert(filled && theorem_member(&t, filled, NULL)); // B sees no races: memory safe all the same
  ck_assert_msg(theorem_some_run_is_wrong(&t, filled, 5) != rows[_i].legal, "%s", rows[_i].name);
  theorem_close(&t);
}
END_TEST

START_TEST(an_allocation_below_the_computation_is_seen) { // by the rewrite alone
  theorem_program t;
  theorem_open_text(&t, BLUR, "compute_at(a, o.y);");
  hy_context *context = t.test.context;
  const hy_tgt *program = t.test.pipeline.steps[1];
  hy_directive move = theorem_directive(&t, &hy_directive_store_at, "a", "o", 0, 0, "x");
  ck_assert(!hy_directive_store_at.applies(context, program, &move, t.test.diagnostics));
  ck_assert(!hy_tgt_verify(context, hy_directive_store_at.apply(context, program, &move, NULL), t.test.diagnostics));
  theorem_close(&t);
}
END_TEST

Suite *lemma_8_6_suite(void) {
  Suite *suite = suite_create("lemma_8_6");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_8_6);
  tcase_add_loop_test(t, dominance_is_not_enough, 0, HY_COUNT(rows));
  tcase_add_test(t, an_allocation_below_the_computation_is_seen);
  suite_add_tcase(suite, t);
  return suite;
}
