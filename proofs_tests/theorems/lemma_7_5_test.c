/* Lemma 7.5 (memory safety): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * The programs are those of every S_i with the oracle's fills and with fills spoilt at random: boxes of one func moved,
 * made narrower or wider. Which of them are in BI(S_i) is B's to say; of those that leave memory none may be.
 *
 * For all inputs: of each program that is accepted, all obligations, by the prover.
 * Sampled: a run of each program under the monitor.
 * Not covered: fills that differ by more than constants; theorem_3_4_test.c has the final programs, with certificates.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

enum { GENERATED = 30, SPOILT = 3 };

typedef struct {
  int programs, accepted, left_memory, accepted_without_mem;
} tally;

static bool leaves_memory(theorem_program *t, const hy_tgt *filled) {
  bool leaves = false;
  for (int k = 0; k < 2 && !leaves; k++) {
    theorem_input in;
    theorem_run run;
    if (!theorem_input_open(t, filled, k, &in)) continue;
    leaves = theorem_execute(t, filled, &in, 0, &run) &&
             (run.contract == HY_CONTRACT_READ_OUTSIDE || run.contract == HY_CONTRACT_WRITE_OUTSIDE);
    theorem_input_close(&in);
  }
  return leaves;
}

static void judge(theorem_program *t, const hy_tgt *filled, const char *what, tally *all) {
  bool accepted = theorem_accepted_but(t, filled, -1);
  all->programs++;
  all->accepted += accepted;
  if (!leaves_memory(t, filled)) return;
  all->left_memory++;
  ck_assert_msg(!accepted, "%s, %s: proved, and it leaves memory", t->name, what);
  // Without the rule for accesses the query is too weak.
  all->accepted_without_mem += theorem_accepted_but(t, filled, HY_B_MEM);
}

static void spoil(theorem_program *t, int step, const hy_tgt *filled, tally *all) {
  hy_choices c = hy_choices_of_seed((uint64_t)step + 7);
  for (int k = 0; k < SPOILT; k++) {
    int64_t low[64] = {0}, high[64] = {0};
    const hy_func *func = filled->funcs[hy_choose(&c, (uint64_t)filled->func_count)];
    int64_t spare = hy_choose_between(&c, -2, 2);
    low[func->index] = hy_choose_between(&c, -1, 2);
    high[func->index] = hy_choose_between(&c, -1, 2);
    judge(t, theorem_refill(t, t->test.pipeline.steps[step], filled, low, high, spare), "spoilt", all);
  }
}

START_TEST(lemma_7_5) {
  tally all = {0};
  int prefixes = 0;
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open(i, &t)) continue;
    for (int k = 0; k < t.test.pipeline.step_count; k++) {
      const hy_tgt *filled = theorem_fill(&t, k);
      if (!filled) continue;
      prefixes++;
      judge(&t, filled, "the oracle's fills", &all);
      spoil(&t, k, filled, &all);
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(all.accepted, prefixes / 2);
  ck_assert_int_gt(all.left_memory, prefixes / 4);
  ck_assert_int_gt(all.accepted_without_mem, 0);
  test_note("lemma 7.5: %d programs of %d prefixes S_i (generated: seeds %d..%d), %d of them in BI for all inputs; "
            "sampled: %d leave memory, none of those in BI; without B.Mem %d of them would be",
            all.programs, prefixes, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, all.accepted, all.left_memory,
            all.accepted_without_mem);
}
END_TEST

START_TEST(a_vacuous_query_is_no_proof) { // D58: an index that nothing bounds has no fills, so nothing is claimed
  test_program p;
  test_program_open(&p, "pipeline p() { fun t(i) = i; fun g(x) = x * x; fun o(x) = t(g(x)); }", "");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  ck_assert(!hy_pipeline_fill(&p.pipeline, p.diagnostics));
  ck_assert_int_eq(test_program_code(&p), HY_E_UNBOUNDED_INDEX);
  test_program_close(&p);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("B.Mem VER.Vacuous VER.Unknown"); }
END_TEST

Suite *lemma_7_5_suite(void) {
  Suite *suite = suite_create("lemma_7_5");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_7_5);
  tcase_add_test(t, a_vacuous_query_is_no_proof);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
