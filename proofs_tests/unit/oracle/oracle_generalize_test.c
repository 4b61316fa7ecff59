/* Stronger questions that are easier (oracle/prover/generalize.h): what each of them proves, what it does not, that
 * none proves what enumeration refutes, and that certificates say which was proved.
 */

#include "bounds/query.h"
#include "oracle/certificate/certificates.h"
#include "oracle/prover/generalize.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <string.h>

enum { WAYS = HY_NAMED_ALL + 1, NOTHING = -1, ANY = -2 }; // ANY: whatever the answer is

// x and y are what a loop over t makes that was fused of two: y of length n, x of a hull's.
#define LOW "min(min(a, b - d), min(c - 2, d))"
#define HIGH "max(max(a + 1, b), max(c, d + 3))"
#define HULL "(" HIGH " - " LOW " + 1)"
#define FUSED "n >= 0; " HULL " >= 0; t >= 0; t < n * " HULL "; x == " LOW " + t % " HULL "; y == k + t / " HULL
// What other places have to say; much of it.
#define ELSEWHERE                                                                                                      \
  "max(max(p, q), max(a, p - q)) - min(min(p, q), min(c, q)) >= 0; max(p + q, 2 * b) - min(p, max(q, c)) >= 0"

static const struct {
  const char *facts, *goal;
  int answers[WAYS]; // hy_answer, or NOTHING: it is no other question (HY_UNKNOWN allows that, too)
} rows[] = {
    // a loop covers a dimension of any length
    {FUSED, "y < k + n", {ANY, HY_YES, HY_YES, HY_YES, ANY}},
    {FUSED, "y >= k", {ANY, HY_YES, ANY, HY_YES, ANY}},
    // it matters what the length is made of
    {FUSED, "x <= " HIGH, {ANY, HY_UNKNOWN, HY_UNKNOWN, HY_YES, ANY}},
    {FUSED, "x >= min(a, min(b - d, min(c - 2, d)))", {ANY, ANY, HY_UNKNOWN, HY_YES, ANY}},
    {FUSED "; " ELSEWHERE, "x <= " HIGH, {ANY, HY_UNKNOWN, HY_UNKNOWN, HY_YES, ANY}},
    // nothing to name, but facts to leave out: these unknowns belong to no loop
    {"n >= 1; " ELSEWHERE, "a / n <= (a + 1) / n", {ANY, NOTHING, HY_YES, HY_YES, NOTHING}},
    // what is left out may matter
    {"max(p, q) <= 3; p >= q", "p <= 3", {HY_YES, NOTHING, HY_UNKNOWN, HY_UNKNOWN, NOTHING}},
    {"max(p, q) <= 3; m >= 1", "m * p / m <= 3", {HY_YES, NOTHING, HY_UNKNOWN, HY_UNKNOWN, NOTHING}},
    // nothing at all to do
    {"p >= 1", "p >= 0", {HY_YES, NOTHING, NOTHING, NOTHING, NOTHING}},
    {"p >= 1; m >= 1", "p / m >= 0", {HY_YES, NOTHING, NOTHING, NOTHING, NOTHING}},
    // false, and one off
    {FUSED, "x < " HIGH, {HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN}},
    {FUSED, "x > " LOW, {HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN}},
    {FUSED, "y < k + n - 1", {HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN}},
    {FUSED, "x <= d + 3", {HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN}},
    {"t >= 0; t < n * " HULL, "t % " HULL " <= b - a", {HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN}},
    {"p >= q", "max(p, q) / (max(p, q) - q + 1) <= q", {HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN, HY_UNKNOWN}},
};

static const char *shown(int answer) {
  return answer == NOTHING ? "nothing" : answer == HY_YES ? "yes" : answer == HY_NO ? "no" : "unknown";
}

// A counterexample of a stronger question says nothing of the weaker one: what is not proved counts as unknown.
static int ask(hy_context *context, const hy_expr *const *facts, size_t count, const hy_expr *goal, int what) {
  hy_general_question general = {(const hy_expr **)facts, count, goal};
  if (what != HY_AS_IT_STANDS && !hy_generalize(context, (hy_generalization)what, facts, count, goal, &general))
    return NOTHING;
  hy_prover *prover = hy_prover_new(context);
  bool holds = hy_prover_holds(prover, general.facts, general.fact_count, general.goal) == HY_YES;
  hy_prover_free(prover);
  return holds ? HY_YES : HY_UNKNOWN;
}

START_TEST(answers) {
  questions *q = questions_new();
  const hy_expr *facts[MAX_FACTS], *goal = questions_formula(q, rows[_i].goal);
  size_t count = questions_facts(q, rows[_i].facts, facts);
  for (int what = 0; what < WAYS; what++) {
    int answer = ask(questions_context(q), facts, count, goal, what);
    int wanted = rows[_i].answers[what];
    bool is_right = answer == wanted || (wanted == HY_UNKNOWN && answer == NOTHING) || wanted == ANY;
    ck_assert_msg(is_right, "%s |- %s (for %s): %s", rows[_i].facts, rows[_i].goal,
                  hy_generalization_name((hy_generalization)what), shown(answer));
  }
  questions_free(q);
}
END_TEST

// Random facts and goals with compound divisors and hulls.
static const hy_expr *random_formula(questions *q, uint64_t *seed) {
  hy_context *context = questions_context(q);
  const hy_expr *a = questions_random_number(q, seed, 1), *b = questions_random_number(q, seed, 1),
                *c = questions_random_number(q, seed, 1);
  const hy_expr *length = hy_expr_binary(context, HY_OP_MAX, a, b);
  if (questions_random(seed) % 2) length = hy_expr_binary(context, HY_OP_SUB, length, c);
  static const hy_op with[] = {HY_OP_DIV, HY_OP_MOD, HY_OP_MUL, HY_OP_ADD}, compare[] = {HY_OP_LE, HY_OP_LT, HY_OP_EQ};
  const hy_expr *left = hy_expr_binary(context, with[questions_random(seed) % 4], c, length);
  return hy_expr_binary(context, compare[questions_random(seed) % 3], left, questions_random_number(q, seed, 1));
}

START_TEST(nothing_false_is_proved) {
  questions *q = questions_new();
  uint64_t seed = 20 + (uint64_t)_i;
  int proved = 0;
  for (int round = 0; round < 60; round++) {
    const hy_expr *facts[3], *goal = random_formula(q, &seed);
    size_t count = questions_random(&seed) % 4;
    for (size_t i = 0; i < count; i++)
      facts[i] = questions_random(&seed) % 3 ? random_formula(q, &seed) : questions_random_formula(q, &seed, 1);
    for (int what = HY_ANY_DIVISORS; what < WAYS; what++) {
      if (ask(questions_context(q), facts, count, goal, what) != HY_YES) continue;
      proved++;
      ck_assert_msg(!questions_enumerate(q, facts, count, goal, 4), "seed %d, round %d: for %s", _i, round,
                    hy_generalization_name((hy_generalization)what));
    }
  }
  ck_assert_int_gt(proved, 0);
  questions_free(q);
}
END_TEST

/* -- certificates -- */

static size_t certify(questions *q, const char *facts_text, const char *goal, hy_generalization how, hy_text *file) {
  const hy_expr *facts[MAX_FACTS];
  hy_obligation o = {.kind = HY_B_MEM, .facts = facts, .about = "a test"};
  o.fact_count = questions_facts(q, facts_text, facts);
  o.goal = questions_formula(q, goal);
  hy_certificates *c = hy_certificates_new(questions_context(q));
  size_t length, missing = hy_certificates_add_decided(c, "t", 1, &o, how);
  hy_text_add(file, hy_certificates_text(c, &length));
  hy_certificates_free(c);
  return missing;
}

// Whichever is tried first, a proof is found; of what, the sentence says.
START_TEST(certificates_say_of_what) {
  questions *q = questions_new();
  hy_text file = {0};
  ck_assert_uint_eq(certify(q, FUSED, "x <= " HIGH, (hy_generalization)_i, &file), 0);
  bool named = strstr(hy_text_string(&file), "a test (for named divisors)\n") != NULL;
  ck_assert_msg(named || _i != HY_NAMED_DIVISORS, "%s", hy_text_string(&file));
  ck_assert_ptr_nonnull(strstr(hy_text_string(&file), "qed\n"));
  hy_text_free(&file);
  questions_free(q);
}
END_TEST

START_TEST(nothing_false_is_certified) {
  questions *q = questions_new();
  hy_text file = {0};
  ck_assert_uint_eq(certify(q, FUSED, "x < " HIGH, (hy_generalization)_i, &file), 1);
  ck_assert_ptr_null(strstr(hy_text_string(&file), "qed"));
  hy_text_free(&file);
  questions_free(q);
}
END_TEST

/* -- a glance -- */

static const struct {
  const char *facts, *goal;
  hy_answer answer;
} glances[] = {
    {"p >= 1", "p >= 0", HY_YES},
    {"p >= 1; int(img(0)) >= p", "p >= 1", HY_YES},
    {"", "p + 1 > p", HY_YES},
    {"", "b_x >= 0", HY_YES},
    {"p >= 1 && p <= 0", "q == 7", HY_YES},                 // the facts contradict each other
    {"p >= q; q >= r; r >= s", "p >= s", HY_UNKNOWN},       // a search would tell
    {"p >= 1", "p >= 2", HY_UNKNOWN},                       // a counterexample is not told of
    {"p >= 1; int(img(0)) >= 300", "q == 7", HY_YES},       // a pixel has 8 bits
    {"2 * p == 2 * q + 1 || p == q", "p == q", HY_UNKNOWN}, //
};

START_TEST(glance) {
  questions *q = questions_new();
  const hy_expr *facts[MAX_FACTS];
  size_t count = questions_facts(q, glances[_i].facts, facts);
  const hy_expr *goal = questions_formula(q, glances[_i].goal);
  hy_prover *prover = hy_prover_new(questions_context(q));
  for (int again = 0; again < 2; again++) { // it is not remembered as an answer
    hy_answer answer = hy_prover_glance(prover, facts, count, goal);
    ck_assert_msg(answer == glances[_i].answer, "%s |- %s: %s", glances[_i].facts, glances[_i].goal, shown(answer));
  }
  if (strcmp(glances[_i].goal, "p >= s") == 0) ck_assert_int_eq(hy_prover_holds(prover, facts, count, goal), HY_YES);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

Suite *oracle_generalize_suite(void) {
  Suite *suite = suite_create("oracle_generalize");
  TCase *t = tcase_create("questions");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, answers, 0, HY_COUNT(rows));
  tcase_add_loop_test(t, nothing_false_is_proved, 0, 6);
  tcase_add_loop_test(t, certificates_say_of_what, 0, WAYS);
  tcase_add_loop_test(t, nothing_false_is_certified, 0, WAYS);
  tcase_add_loop_test(t, glance, 0, HY_COUNT(glances));
  suite_add_tcase(suite, t);
  return suite;
}
