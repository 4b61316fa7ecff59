/* How the answers of the prover and of Z3 become one verdict, each pair of them: unknown is never yes (decision D58),
 * and a model outweighs a proof (D63); what a hurry leaves open; what is known of a similar program.
 */

#include "oracle/oracle.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  hy_verdict ours;
  hy_answer z3;
  hy_verdict verdict;
  bool contested;
} pairs[] = {
    {HY_VERDICT_PROVED, HY_YES, HY_VERDICT_PROVED, false},
    {HY_VERDICT_PROVED, HY_UNKNOWN, HY_VERDICT_PROVED, false},
    {HY_VERDICT_PROVED, HY_NO, HY_VERDICT_REFUTED, true},      // VER.Refuted
    {HY_VERDICT_UNKNOWN, HY_YES, HY_VERDICT_PROVED_Z3, false}, // VER.Proved-Z3
    {HY_VERDICT_UNKNOWN, HY_UNKNOWN, HY_VERDICT_UNKNOWN, false},
    {HY_VERDICT_UNKNOWN, HY_NO, HY_VERDICT_REFUTED, false},
    {HY_VERDICT_REFUTED, HY_YES, HY_VERDICT_REFUTED, true},
    {HY_VERDICT_REFUTED, HY_UNKNOWN, HY_VERDICT_REFUTED, false},
    {HY_VERDICT_REFUTED, HY_NO, HY_VERDICT_REFUTED, false},
};

START_TEST(two_answers_make_one) {
  hy_context *context = hy_context_new();
  const hy_var *x = hy_var_new(context, HY_VAR_PARAM, HY_INT, hy_context_name_of(context, "x"), NULL, 0, 0);
  hy_z3_value model = {hy_expr_var(context, x), 3};
  bool has_model = pairs[_i].z3 == HY_NO;
  hy_z3_verdict z3 = {.answer = pairs[_i].z3, .model = has_model ? &model : NULL, .model_count = has_model};
  hy_decision d = {.verdict = pairs[_i].ours};
  hy_oracle_settle(context, &d, &z3);
  ck_assert_msg(d.verdict == pairs[_i].verdict, "%s and Z3's %d make %s", hy_verdict_name(pairs[_i].ours),
                (int)pairs[_i].z3, hy_verdict_name(d.verdict));
  ck_assert_int_eq(d.contested, pairs[_i].contested);
  if (pairs[_i].ours != HY_VERDICT_REFUTED) {
    ck_assert_uint_eq(d.value_count, has_model);
    if (has_model) ck_assert_str_eq(d.model, "x = 3");
  }
  hy_context_free(context);
}
END_TEST

/* -- a query as text: facts and goal of each obligation -- */

enum { MOST_OBLIGATIONS = 244 };

typedef struct {
  questions *questions;
  const hy_expr *facts[MOST_OBLIGATIONS][MAX_FACTS];
  hy_obligation obligations[MOST_OBLIGATIONS];
  hy_query query;
} asked;

static asked *asked_new(void) {
  asked *a = hy_allocate_zeroed(1, sizeof *a);
  a->questions = questions_new();
  a->query.obligations = a->obligations;
  return a;
}

static void asked_free(asked *a) {
  questions_free(a->questions);
  free(a);
}

static void put(asked *a, hy_obligation_kind kind, const char *facts, const char *goal) {
  size_t i = a->query.count++;
  hy_obligation *o = &a->obligations[i];
  *o = (hy_obligation){.kind = kind, .facts = a->facts[i], .about = goal};
  o->fact_count = questions_facts(a->questions, facts, a->facts[i]);
  o->goal = questions_formula(a->questions, goal);
}

static hy_oracle_report decide_so(asked *a, hy_oracle_options options) {
  hy_oracle_report report;
  hy_oracle_decide(questions_context(a->questions), &a->query, &options, &report);
  return report;
}

static hy_oracle_report decide(asked *a, unsigned z3_limit) {
  return decide_so(a, (hy_oracle_options){.z3_limit = z3_limit});
}

/* -- in a hurry -- */

// Cubes in a sum: nobody decides that soon.
#define HARD "x > 0; y > 0; z > 0; x <= y; y <= z"
#define HARD_GOAL "x*x*x*x + y*y*y*y + x*y*z != z*z*z*z*x + 3*x*y + 1073741827 || x*x + y*z*z != 715827882*y + 17"
// Ours does not see it (a square is 0 or 1 modulo 4), Z3 does at once: of a few values.
#define EASY "p >= 0; p <= 6"
#define EASY_GOAL "p * p * p * p % 7 != 3"

// After the first that it has no answer to Z3 is not asked any more; without a hurry it is.
START_TEST(hurry_ends_with_the_first_unknown) {
  asked *a = asked_new();
  put(a, HY_B_MEM, EASY, EASY_GOAL);
  put(a, HY_B_MEM, HARD, HARD_GOAL);
  put(a, HY_B_MEM, "q >= 0; q <= 6", "q * q * q * q % 7 != 3");
  put(a, HY_B_MEM, "p >= 1", "p >= 0");
  hy_oracle_report soon = decide(a, HY_HASTY - 1), later = decide(a, 10 * HY_HASTY);
  ck_assert_int_eq(later.decisions[0].verdict, HY_VERDICT_PROVED_Z3);
  ck_assert_int_eq(later.decisions[1].verdict, HY_VERDICT_UNKNOWN);
  ck_assert_int_eq(later.decisions[2].verdict, HY_VERDICT_PROVED_Z3);
  ck_assert_int_eq(soon.decisions[1].verdict, HY_VERDICT_UNKNOWN);
  ck_assert_int_eq(soon.decisions[2].verdict, HY_VERDICT_UNKNOWN);
  ck_assert_int_eq(soon.decisions[3].verdict, HY_VERDICT_PROVED);
  asked_free(a);
}
END_TEST

// Of too many it is asked about the first few, and one number that does not fit is as bad as many. Refuted stays
// refuted.
START_TEST(hurry_asks_little) {
  asked *a = asked_new();
  char facts[64], goal[64];
  for (int i = 0; i < 30; i++) {
    snprintf(facts, sizeof facts, "p%d >= 0; p%d <= 6", i, i);
    snprintf(goal, sizeof goal, "p%d * p%d * p%d * p%d %% 7 != 3", i, i, i, i);
    put(a, HY_B_MEM, facts, goal);
  }
  hy_oracle_report many = decide(a, HY_HASTY - 1);
  ck_assert_msg(many.proved_z3 <= 6 && many.unknown >= 24, "%zu and %zu", many.proved_z3, many.unknown);
  a->query.count = 0;
  put(a, HY_B_FITS, EASY, EASY_GOAL);
  put(a, HY_B_FITS, "p >= 0", "p <= 9223372036854775807");
  put(a, HY_B_MEM, "p >= 0; p <= 9", "p <= 3");
  put(a, HY_B_FITS, "p == 4611686018427387904", "p + p <= 9223372036854775807");
  hy_oracle_report soon = decide(a, HY_HASTY - 1), later = decide(a, 10 * HY_HASTY);
  ck_assert_int_eq(soon.decisions[0].verdict, HY_VERDICT_UNKNOWN);
  ck_assert_int_eq(later.decisions[0].verdict, HY_VERDICT_PROVED_Z3);
  ck_assert_int_eq(soon.decisions[2].verdict, HY_VERDICT_REFUTED);
  ck_assert_int_eq(soon.decisions[3].verdict, HY_VERDICT_REFUTED);
  asked_free(a);
}
END_TEST

/* -- not in a hurry, but not forever -- */

static size_t asked_for(const hy_oracle_report *report, unsigned ms) {
  size_t count = 0;
  for (size_t i = 0; i < report->count; i++) count += report->decisions[i].z3_asked == ms;
  return count;
}

// VER.Proved: what the prover shows, and nothing else.
START_TEST(what_is_not_shown_is_not_proved) {
  asked *a = asked_new();
  put(a, HY_B_MEM, "p >= 1", "p >= 0");
  put(a, HY_B_MEM, "p >= 1", "p >= 2");
  put(a, HY_B_MEM, HARD, HARD_GOAL);
  hy_oracle_report report = decide(a, 1);
  ck_assert_int_eq(report.decisions[0].verdict, HY_VERDICT_PROVED);
  ck_assert_int_eq(report.decisions[1].verdict, HY_VERDICT_REFUTED);
  ck_assert_int_eq(report.decisions[2].verdict, HY_VERDICT_UNKNOWN);
  asked_free(a);
}
END_TEST

// Once one has no answer, the others get a tenth of the steps, and after six of these nothing: the program is not
// proved any more. All is still decided.
START_TEST(patience_has_an_end) {
  enum { QUESTIONS = 38, LIMIT = 100, SHORT = LIMIT / 10 + 1 };
  asked *a = asked_new();
  for (int i = 0; i < QUESTIONS; i++) put(a, HY_B_MEM, HARD, HARD_GOAL);
  hy_oracle_report open = decide(a, LIMIT);
  ck_assert_uint_eq(open.unknown, QUESTIONS);
  ck_assert_uint_eq(asked_for(&open, LIMIT), 1);
  ck_assert_uint_eq(asked_for(&open, SHORT), 6);
  hy_oracle_report each = decide_so(a, (hy_oracle_options){.z3_limit = LIMIT, .each_counts = true}); // checks at entry
  ck_assert_uint_eq(asked_for(&each, LIMIT), 24);
  ck_assert_uint_eq(asked_for(&each, SHORT), QUESTIONS - asked_for(&each, LIMIT));
  put(a, HY_B_MEM, "p >= 0; p <= 9", "p <= 3");
  hy_oracle_report refuted = decide(a, LIMIT);
  ck_assert_uint_eq(refuted.refuted, 1);
  ck_assert_uint_eq(asked_for(&refuted, LIMIT), 1);
  ck_assert_uint_eq(asked_for(&refuted, SHORT), 6);
  asked_free(a);
}
END_TEST

// After very many that are open nothing is refuted any more, and all is still decided: nobody reads so many.
START_TEST(counterexamples_have_an_end) {
  enum { MOST_SAMPLED = 240 };
  for (int open = MOST_SAMPLED - 1; open <= MOST_SAMPLED; open++) {
    asked *a = asked_new();
    for (int i = 0; i < open; i++) put(a, HY_B_MEM, HARD, HARD_GOAL);
    put(a, HY_B_MEM, "p >= 0; p <= 9", "p <= 3");
    hy_oracle_report report = decide(a, 1);
    ck_assert_uint_eq(report.unknown, open < MOST_SAMPLED ? open : open + 1);
    ck_assert_uint_eq(report.refuted, open < MOST_SAMPLED);
    asked_free(a);
  }
}
END_TEST

/* -- what is known of a similar program -- */

static hy_answer accepts(asked *a, const hy_oracle_report *known) {
  return hy_oracle_accepts(questions_context(a->questions), &a->query, known);
}

static const struct {
  hy_verdict verdict; // what the report says of "p >= 1 |- q >= 0", which is false
  const char *facts, *goal;
  hy_answer answer;
} similar[] = {
    {HY_VERDICT_PROVED, "p >= 1", "q >= 0", HY_YES}, // it is believed
    {HY_VERDICT_PROVED, "p >= 2", "q >= 0", HY_NO},  {HY_VERDICT_PROVED, "p >= 1; p >= 2", "q >= 0", HY_NO},
    {HY_VERDICT_PROVED, "", "q >= 0", HY_NO},        {HY_VERDICT_PROVED, "p >= 1", "q >= 1", HY_NO},
    {HY_VERDICT_PROVED, "p >= 1", "p >= 0", HY_YES}, {HY_VERDICT_PROVED_Z3, "p >= 1", "q >= 0", HY_NO},
    {HY_VERDICT_REFUTED, "p >= 1", "q >= 0", HY_NO}, {HY_VERDICT_UNKNOWN, "p >= 1", "q >= 0", HY_NO},
};

START_TEST(known_of_a_similar_program) {
  asked *a = asked_new();
  put(a, HY_B_MEM, "p >= 1", "q >= 0");
  hy_obligation before = a->obligations[0];
  hy_decision decision = {.obligation = &before, .verdict = similar[_i].verdict};
  hy_oracle_report report = {.decisions = &decision, .count = 1};
  before.facts = memcpy(a->facts[9], a->facts[0], sizeof a->facts[0]);
  a->query.count = 0;
  put(a, HY_B_MEM, similar[_i].facts, similar[_i].goal);
  hy_answer answer = accepts(a, &report);
  ck_assert_msg(answer == similar[_i].answer, "%s |- %s: %d", similar[_i].facts, similar[_i].goal, (int)answer);
  ck_assert_int_eq(accepts(a, NULL), strcmp(similar[_i].goal, "p >= 0") == 0 ? HY_YES : HY_NO);
  asked_free(a);
}
END_TEST

Suite *oracle_decide_suite(void) {
  Suite *suite = suite_create("oracle_decide");
  TCase *t = tcase_create("decide");
  tcase_set_timeout(t, 600);
  tcase_add_loop_test(t, two_answers_make_one, 0, HY_COUNT(pairs));
  tcase_add_test(t, hurry_ends_with_the_first_unknown);
  tcase_add_test(t, hurry_asks_little);
  tcase_add_test(t, what_is_not_shown_is_not_proved);
  tcase_add_test(t, patience_has_an_end);
  tcase_add_test(t, counterexamples_have_an_end);
  tcase_add_loop_test(t, known_of_a_similar_program, 0, HY_COUNT(similar));
  suite_add_tcase(suite, t);
  return suite;
}
