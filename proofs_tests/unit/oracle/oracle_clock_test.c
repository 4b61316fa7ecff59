/* Verdicts do not depend on the clock (decision D73): the same questions under clocks that run as on a quiet machine,
 * as on one that is a million times slower, and with several askers side by side.
 */

#include "oracle/oracle.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 60, QUESTIONS = 7, ASKERS = 8 };

// Sanitizers have an allocator of their own, with which Z3's steps take many times what the emergency allows them.
#if defined(HALYARD_SANITIZE_ADDRESS) || defined(HALYARD_SANITIZE_THREAD)
enum { PATIENCE = 120 };
#else
enum { PATIENCE = 0 }; // as always
#endif

static void be_patient(void) {
  if (PATIENCE)
    hy_z3_set_emergency(&(hy_z3_emergency){.processor_seconds = PATIENCE, .wall_seconds = HY_Z3_WALL_SECONDS});
}

static const struct {
  const char *facts, *goal;
} rows[QUESTIONS] = {
    {"p >= 0; p <= 6", "p * p * p * p % 7 != 3"},
    {"x > 0; y > 0; z > 0; x <= y; y <= z",
     "x*x*x*x + y*y*y*y + x*y*z != z*z*z*z*x + 3*x*y + 1073741827 || x*x + y*z*z != 715827882*y + 17"},
    {"q >= 0; q <= 6", "q * q * q * q % 7 != 3"},
    {"x >= 2; y >= 2; x * y <= 40; x * y >= 30", "x * x * y * y != 31 * 31"},
    {"m >= 1; x >= 0", "x % m < m"},
    {"x >= 0; x <= 100; y >= 0; y <= 100", "x * x + y * y != 5000"},
    {"p >= 1", "p >= 0"},
};

static double slow_clock(void) { // a tick of it is as long as a week of others
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

// The answers as text: one line for each, steps and models included.
static void answers(hy_text *out) {
  questions *q = questions_new();
  const hy_expr *facts[QUESTIONS][8];
  hy_z3_question asked[QUESTIONS];
  hy_z3_verdict verdicts[QUESTIONS];
  for (size_t i = 0; i < QUESTIONS; i++) {
    asked[i] = (hy_z3_question){.facts = facts[i], .goal = questions_formula(q, rows[i].goal)};
    asked[i].fact_count = questions_facts(q, rows[i].facts, facts[i]);
  }
  hy_z3_check(questions_context(q), asked, QUESTIONS, LIMIT, verdicts);
  for (size_t i = 0; i < QUESTIONS; i++)
    hy_text_printf(out, "%zu: %d%s after %llu steps: %s\n", i, (int)verdicts[i].answer,
                   verdicts[i].emergency ? " (an emergency)" : "", (unsigned long long)verdicts[i].steps,
                   verdicts[i].answer == HY_NO ? hy_oracle_print_model(questions_context(q), &verdicts[i]) : "-");
  questions_free(q);
}

START_TEST(answers_do_not_depend_on_the_clock) {
  hy_text quiet = {0}, busy = {0};
  be_patient();
  answers(&quiet);
  hy_z3_set_emergency(&(hy_z3_emergency){.processor_seconds = PATIENCE, .wall_seconds = 1e12, .clock = slow_clock});
  answers(&busy);
  hy_z3_set_emergency(NULL);
  ck_assert_str_eq(hy_text_string(&quiet), hy_text_string(&busy));
  ck_assert_msg(strstr(hy_text_string(&quiet), "1: 2 after") != NULL, "%s", hy_text_string(&quiet));
  ck_assert_ptr_null(strstr(hy_text_string(&quiet), "emergency"));
  test_note("%s", hy_text_string(&quiet));
  hy_text_free(&quiet);
  hy_text_free(&busy);
}
END_TEST

// One asker, then eight at once, each with workers of its own.
START_TEST(answers_do_not_depend_on_the_load) {
  hy_text alone = {0}, said = {0};
  int pipes[ASKERS][2];
  be_patient();
  answers(&alone);
  for (int i = 0; i < ASKERS; i++) {
    ck_assert_int_eq(pipe(pipes[i]), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
      hy_text own = {0};
      answers(&own);
      ssize_t written = write(pipes[i][1], hy_text_string(&own), own.length);
      _exit(written == (ssize_t)own.length ? 0 : 1);
    }
    close(pipes[i][1]);
  }
  for (int i = 0; i < ASKERS; i++) {
    char piece[4096];
    said.length = 0;
    for (ssize_t got; (got = read(pipes[i][0], piece, sizeof piece)) > 0;) hy_text_add_bytes(&said, piece, (size_t)got);
    close(pipes[i][0]);
    ck_assert_str_eq(hy_text_string(&said), hy_text_string(&alone));
  }
  while (wait(NULL) > 0) continue;
  hy_text_free(&alone);
  hy_text_free(&said);
}
END_TEST

// A worker that is stopped says so, and unknown it is.
START_TEST(emergencies_are_told) {
  hy_text said = {0};
  hy_z3_set_emergency(&(hy_z3_emergency){.wall_seconds = 1, .clock = slow_clock});
  answers(&said);
  hy_z3_set_emergency(NULL);
  ck_assert_msg(strstr(hy_text_string(&said), "1: 2 (an emergency)") != NULL, "%s", hy_text_string(&said));
  hy_text_free(&said);
}
END_TEST

Suite *oracle_clock_suite(void) {
  Suite *suite = suite_create("oracle_clock");
  TCase *t = tcase_create("clock");
  tcase_set_timeout(t, 600);
  tcase_add_test(t, answers_do_not_depend_on_the_clock);
  tcase_add_test(t, answers_do_not_depend_on_the_load);
  tcase_add_test(t, emergencies_are_told);
  suite_add_tcase(suite, t);
  return suite;
}
