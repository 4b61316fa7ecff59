/* Lemma 8.5 (compute phase is sound): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B(S_i+1) and the promise MOVE (L0) of every directive.
 * Sampled: outputs and the contents of every computation at its new place, run in order under the monitor.
 * Not covered: parallel loops around the site (theorem 3.5, lemma 8.6).
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/theorems.h"
#include "sched/rewrite.h"

#include <string.h>

enum { GENERATED = 24 };

START_TEST(lemma_8_5) {
  theorem_phase all = theorem_look_at_phase(HY_PHASE_COMPUTE, GENERATED);
  ck_assert_int_gt(all.members, 20);
  theorem_phase_note("lemma 8.5", &all, GENERATED);
}
END_TEST

/* -- what is wrong is seen -- */

#define READERS "pipeline p() { fun a(x) = x * 2; fun b(x) = a(x - 1) + a(x + 1); fun o(x) = b(x) + b(x + 1); }"
#define SHARED "pipeline p() { fun a(x) = x * 2; fun b(x) = a(x) + 1; fun o(x) = a(x + 1) + b(x); }"

static const struct {
  const char *alg, *func, *of;
  bool dominates, works; // a site that does not dominate may work, if no loop around it is empty
} moves[] = {
    {READERS, "b", "o", true, true}, {READERS, "a", "b", true, true},  {SHARED, "b", "o", true, true},
    {SHARED, "a", "b", false, true}, {SHARED, "a", "o", false, false},
};

START_TEST(a_site_that_does_not_dominate_is_seen) { // D39, without asking whether it applies
  theorem_program t;
  theorem_open_text(&t, moves[_i].alg, "");
  hy_context *context = t.test.context;
  hy_directive move = theorem_directive(&t, &hy_directive_compute_at, moves[_i].func, moves[_i].of, 0, 0, "x");
  const hy_tgt *before = t.test.pipeline.steps[0];
  ck_assert_int_eq(hy_directive_compute_at.applies(context, before, &move, t.test.diagnostics), moves[_i].dominates);
  const hy_tgt *filled =
      hy_oracle_fill(context, hy_directive_compute_at.apply(context, before, &move, NULL), t.test.diagnostics);
  ck_assert_ptr_nonnull(filled);
  ck_assert_int_eq(!theorem_some_run_is_wrong(&t, filled, 0), moves[_i].works);
  theorem_close(&t);
}
END_TEST

START_TEST(too_small_a_box_at_the_site_is_seen) { // judged by its own query (D59)
  theorem_program t;
  theorem_open_text(&t, READERS, "compute_at(b, o.x);");
  const hy_tgt *scheduled = t.test.pipeline.steps[1], *filled = t.test.pipeline.filled;
  int64_t low[4] = {0}, high[4] = {0};
  ck_assert(theorem_member(&t, filled, NULL));
  high[hy_alg_find(t.test.pipeline.alg, "b")->index] = -1;
  const hy_tgt *small = theorem_refill(&t, scheduled, filled, low, high, 1);
  ck_assert(!theorem_member(&t, small, NULL) && theorem_some_run_is_wrong(&t, small, 0));
  theorem_close(&t);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("DIR.Output"); }
END_TEST

Suite *lemma_8_5_suite(void) {
  Suite *suite = suite_create("lemma_8_5");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_8_5);
  tcase_add_loop_test(t, a_site_that_does_not_dominate_is_seen, 0, HY_COUNT(moves));
  tcase_add_test(t, too_small_a_box_at_the_site_is_seen);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
