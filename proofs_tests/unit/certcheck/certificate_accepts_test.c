/* What the prover shows has a certificate, and halyard-certcheck accepts it: 100% of the obligations of every program.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/certcheck/certificate_judge.h"
#include "proofs_tests/unit/certcheck/certificate_programs.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include "oracle/certificate/certificates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(programs) {
  char room[64];
  const char *name = certificate_program_name((size_t)_i, room);
  program_certificates p = certificate_program((size_t)_i, true);
  judgement j = judge_certificates(p.text, p.size);
  ck_assert_msg(!j.malformed && j.accepted == j.count, "%s, line %d of the certificates: %s", name, j.place, j.why);
  ck_assert_msg(p.missing == 0, "%s: %zu missing", name, p.missing);
  ck_assert_uint_eq(p.proved, p.obligations);
  ck_assert_int_eq(j.count, (int)p.certificates);
  ck_assert_msg(p.certificates >= p.obligations && p.obligations > 0, "%s: %zu obligations, %zu certificates", name,
                p.obligations, p.certificates);
  // What they prove is what was owed (decision D64).
  ck_assert_msg(p.something_else == 0, "%s: %zu of %zu certificates say something else: %s", name, p.something_else,
                p.certificates, p.first_other);
  ck_assert_uint_eq(p.as_owed + p.more, p.certificates);
  ck_assert_uint_le(p.more * 10, p.certificates);
  free(p.text);
}
END_TEST

// The certificate of a question alone, malloc'd; NULL if there is none.
static char *certificate_of(hy_context *context, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                            size_t *size) {
  hy_certificates *certificates = hy_certificates_new(context);
  char *copy = NULL;
  certificate_question_begin(certificates, 1);
  if (hy_certificates_add(certificates, "q/1", "ask", "a question", facts, count, goal)) {
    const char *text = hy_certificates_text(certificates, size);
    copy = hy_allocate(*size + 1);
    memcpy(copy, text, *size + 1);
  }
  hy_certificates_free(certificates);
  return copy;
}

START_TEST(goals) {
  questions *q = questions_new();
  const char *facts_text, *goal_text;
  size_t row = 0;
  for (; questions_provable(row, &facts_text, &goal_text); row++) {
    const hy_expr *facts[MAX_FACTS], *goal = questions_formula(q, goal_text);
    size_t count = questions_facts(q, facts_text, facts), size;
    char *text = certificate_of(questions_context(q), facts, count, goal, &size);
    ck_assert_msg(text != NULL, "no certificate: %s |- %s", facts_text, goal_text);
    ck_assert_msg(judge_accepts(text, size), "rejected: %s |- %s\n%s", facts_text, goal_text, text);
    free(text);
  }
  ck_assert_uint_gt(row, 80);
  questions_free(q);
}
END_TEST

// What has no proof has no certificate.
START_TEST(no_certificate_without_proof) {
  static const struct {
    const char *facts, *goal;
  } rows[] = {{"x >= 0", "x >= 1"},      {"", "x <= y"},
              {"", "x / 0 == 0"},        {"b >= 0", "x / b * b <= x"},
              {"", "x*x >= 1"},          {"x % 4 == 0; x >= 0", "x >= 4"},
              {"t_a || x > 0", "x > 0"}, {"at(x) >= 0", "at(y) >= 0"}};
  questions *q = questions_new();
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    const hy_expr *facts[MAX_FACTS];
    size_t count = questions_facts(q, rows[i].facts, facts), size;
    char *text = certificate_of(questions_context(q), facts, count, questions_formula(q, rows[i].goal), &size);
    ck_assert_msg(text == NULL, "a certificate for %s |- %s", rows[i].facts, rows[i].goal);
  }
  questions_free(q);
}
END_TEST

// Random questions, typed ones too: whatever the prover says yes to has a certificate, or is counted.
START_TEST(random_questions) {
  questions *q = questions_new();
  hy_context *context = questions_context(q);
  hy_prover *prover = hy_prover_new(context);
  uint64_t seed = 77;
  int proved = 0, missing = 0;
  for (int i = 0; i < 1500; i++) {
    const hy_expr *facts[3];
    questions_set_typed(q, i % 2);
    for (int k = 0; k < 3; k++) facts[k] = questions_random_formula(q, &seed, 2);
    const hy_expr *goal = questions_random_formula(q, &seed, 2);
    if (hy_prover_holds(prover, facts, 3, goal) != HY_YES) continue;
    size_t size;
    char *text = certificate_of(context, facts, 3, goal, &size);
    proved++;
    missing += !text;
    if (text) ck_assert_msg(judge_accepts(text, size), "rejected:\n%s", text);
    free(text);
  }
  ck_assert_int_gt(proved, 300);
  ck_assert_msg(missing * 50 <= proved, "%d of %d yes without certificate", missing, proved);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

// One file, one goal again and again: what shows it from some facts is written again where these are given, and nowhere
// else.
START_TEST(same_goal_again) {
  static const struct {
    const char *facts, *goal;
    bool holds;
  } rows[] = {{"x >= y; y >= 2", "x >= 1", true},
              {"x >= y; y >= 2", "x >= 1", true},
              {"z >= 0; y >= 2; x >= y; b >= 3", "x >= 1", true}, // more facts, in another order
              {"x >= y", "x >= 1", false},                        // one is missing
              {"y >= 2", "x >= 1", false},
              {"x >= y; y >= 1", "x >= 1", true}, // another proof
              {"x >= y; y >= 0", "x >= 1", false},
              {"", "x >= 1", false},
              {"", "x + 1 > x", true}, // no facts at all
              {"y >= 2", "x + 1 > x", true},
              {"y >= 5; x == y / 2; z >= max(x, y)", "z >= 4 && x <= z", true}, // unknowns and definitions of its own
              {"y >= 5; z >= max(x, y); x == y / 2", "z >= 4 && x <= z", true},
              {"y >= 5; x == y / 2", "z >= 4 && x <= z", false}};
  questions *q = questions_new();
  hy_certificates *certificates = hy_certificates_new(questions_context(q));
  char id[HY_CERTIFICATE_ID];
  int count = 0;
  certificate_question_begin(certificates, HY_COUNT(rows));
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    const hy_expr *facts[MAX_FACTS], *goal = questions_formula(q, rows[i].goal);
    size_t fact_count = questions_facts(q, rows[i].facts, facts);
    hy_certificates_id("q", i + 1, 0, id);
    bool added = hy_certificates_add(certificates, id, "ask", "a question", facts, fact_count, goal);
    ck_assert_msg(added == rows[i].holds, "%s |- %s", rows[i].facts, rows[i].goal);
    count += added;
    if (!added) hy_certificates_leave_open(certificates, id, "ask", "a question");
  }
  size_t size;
  const char *text = hy_certificates_text(certificates, &size);
  judgement j = judge_certificates(text, size);
  ck_assert_msg(!j.malformed && j.count == count && j.accepted == count, "%s, line %d:\n%s", j.why, j.place, text);
  hy_certificates_free(certificates);
  questions_free(q);
}
END_TEST

Suite *certificate_accepts_suite(void) {
  Suite *suite = suite_create("certificate_accepts");
  TCase *t = tcase_create("certificate_accepts");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, programs, 0, (int)certificate_program_count());
  tcase_add_test(t, goals);
  tcase_add_test(t, no_certificate_without_proof);
  tcase_add_test(t, random_questions);
  tcase_add_test(t, same_goal_again);
  suite_add_tcase(suite, t);
  return suite;
}
