// Iterations that would do nothing are counted, not run: where nothing can have changed since one did nothing, a loop
// without end in sight ends at once; where something may have, every iteration runs, as it does literally.

#include "proofs_tests/suites.h"
#include "proofs_tests/support/tgt_harness.h"

#define HUGE "1000000000000"
#define NEVER(variable) "if guard (" variable " < 0) { f(x.min) <- 9; }"

/* -- loops that are skipped -- */

static const char *const idle[] = {
    STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, " HUGE ") { " NEVER("f.s1.o") " } }",
    STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, " HUGE ") { for rdom f.s1.j in (0, " HUGE
           ") { " NEVER("f.s1.o") " } } }",
    STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { let f.s1.a = f.s1.o + 1 in { for rdom f.s1.i in (0, " HUGE
           ") { " NEVER("f.s1.a") " } } }",
    STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, " HUGE
           ") { let f.s1.a = f.s1.i + 1 in { if guard (f.s1.o < 0) { f(x.min) <- f.s1.a; } } } }",
    STAGE0 "label f.s1: for rdom f.s1.v in (0, 4) { for rdom f.s1.i in (0, " HUGE ") { " NEVER("f.s1.v") " } }",
    STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.v in (0, 4) { for rdom f.s1.i in (0, " HUGE
           ") { " NEVER("f.s1.o") " } } }",
    STAGE0 "label f.s1: for rdom f.s1.i in (0, " HUGE ") { for rdom f.s1.j in (0, 0) { f(x.min) <- 9; } }",
    STAGE0 "label f.s1: for rdom f.s1.i in (0, " HUGE ") { if guard (w == 1) { f(x.min) <- 9; } }",
    // The guard is about the loop itself: its ends are looked at.
    STAGE0 "label f.s1: for rdom f.s1.i in (0, " HUGE ") { " NEVER("f.s1.i") " }",
    STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, " HUGE
           ") { let f.s1.a = x.min + f.s1.o * 16 + f.s1.i in { let f.s1.b = x.min - 1 - f.s1.a * w in { if guard "
           "(f.s1.b >= x.min) { f(x.min) <- 9; } } } } }",
    STAGE0 "label f.s1: for rdom f.s1.i in (0, " HUGE
           ") { if guard (f.s1.i < 2 * f.s1.i + 1) { if guard (f.s1.i * 3 > 4 * f.s1.i) { f(x.min) <- 9; } } }",
    STAGE0 "label f.s1: for rdom f.s1.i in (0, " HUGE ") { for rdom f.s1.v in (0, 4) { if guard (f.s1.i + f.s1.v < 0) "
           "{ f(x.min) <- 9; } } }",
    STAGE0 "label f.s1: for rdom f.s1.i in (0, 1000000) { for rdom f.s1.j in (0, 1000000) { if guard (f.s1.i + f.s1.j "
           "< 0) { f(x.min) <- 9; } } }",
};

// (The monitor sees that stage 1 covers nothing.)
static void check_idle(const char *body, bool monitor, uint64_t seed, bool is_parallel) {
  char *text = NULL;
  ck_assert(asprintf(&text, ONE_FUNC("%s"), body) > 0);
  program p = open_program(text);
  remark_program(&p, "v", HY_VECTORIZED);
  if (is_parallel) remark_program(&p, "i", HY_PARALLEL);
  hy_tgt_options options = {.monitor = monitor, .seed = seed};
  hy_tgt_result result;
  run_with(&p, 3, 0, 3, &options, &result);
  char *got = output_text(&result);
  ck_assert_msg(result.status != HY_RUN_LIMIT && strcmp(got, "0 0 0") == 0, "%s: %s", body, got);
  ck_assert_uint_eq(result.points, 3);
  free(got);
  hy_tgt_result_free(&result);
  close_program(&p);
  free(text);
}

START_TEST(nothing_is_done_once) {
  for (int monitor = 0; monitor < 2; monitor++) {
    check_idle(idle[_i], monitor, 0, false);
    check_idle(idle[_i], monitor, 7, false);
  }
}
END_TEST

// Of a parallel loop the stamps go on, too, up to the most there are.
START_TEST(parallel_loops_count) {
  const char *few =
      STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, 1000000) { " NEVER("f.s1.o") " } }";
  check_idle(few, true, 7, true);
  check_idle(few, false, 7, true);
  check_idle(idle[0], false, 7, true);
}
END_TEST

// Nor does the end of a parallel loop whose guard is about it, in any order.
START_TEST(parallel_loops_end) {
  enum { OWN_GUARDS = 8 };
  for (int i = OWN_GUARDS; i < (int)HY_COUNT(idle); i++)
    for (int way = 0; way < 4; way++) check_idle(idle[i], way & 1, way & 2 ? 7 : 0, true);
}
END_TEST

// What happens late in one happens.
START_TEST(parallel_loops_do_not_end_early) {
  static const struct {
    const char *guards, *output;
  } late[] = {
      {"if guard (f.s1.i < 5000) { if guard (f.s1.i > 4998) { f(x.min) <- f.s1.i; } }", "4999 0 0"},
      {"if guard (f.s1.i > 8190) { f(x.min) <- f.s1.i; }", "8191 0 0"},
      {"if guard (f.s1.i == 4096) { f(x.min) <- f.s1.i; }", "4096 0 0"},
      {"if guard (f.s1.i < 1) { f(x.min + 1) <- 7; }", "0 7 0"},
  };
  for (size_t i = 0; i < HY_COUNT(late); i++)
    for (int way = 0; way < 4; way++) {
      char *text = NULL;
      ck_assert(asprintf(&text, ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.i in (0, 8192) { %s }"), late[i].guards) >
                0);
      program p = open_program(text);
      remark_program(&p, "i", HY_PARALLEL);
      hy_tgt_result result;
      run_with(&p, 3, 0, 3, &(hy_tgt_options){.monitor = way & 1, .seed = way & 2 ? 7 : 0}, &result);
      char *got = output_text(&result);
      ck_assert_msg(strcmp(got, late[i].output) == 0, "%s: %s", late[i].guards, got);
      free(got);
      hy_tgt_result_free(&result);
      close_program(&p);
      free(text);
    }
}
END_TEST

// What is skipped counts: a run that was too long is.
START_TEST(skipped_iterations_count) {
  char *text = NULL;
  ck_assert(asprintf(&text, ONE_FUNC("%s"), idle[_i]) > 0);
  program p = open_program(text);
  remark_program(&p, "v", HY_VECTORIZED);
  hy_tgt_result result;
  run_with(&p, 3, 0, 3, &(hy_tgt_options){.monitor = true, .step_limit = 1000}, &result);
  ck_assert_msg(result.status == HY_RUN_LIMIT, "%s", idle[_i]);
  hy_tgt_result_free(&result);
  close_program(&p);
  free(text);
}
END_TEST

/* -- loops that are not -- */

typedef struct {
  const char *body, *output, *contract;
} row;

static const row busy[] = {
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 4) { if guard (f.s1.i == 2) { f(x.min + f.s1.i) <- 5; } }", "0 0 5",
     "kept"},
    {STAGE0
     "label f.s1: for rdom f.s1.i in (0, 4) { let f.s1.a = f.s1.i * 2 in { if guard (f.s1.a == 2) { f(x.min + 1) <- "
     "5; } } }",
     "0 5 0", "kept"},
    {STAGE0
     "label f.s1: for rdom f.s1.o in (0, 2) { for rdom f.s1.i in (0, 4) { let f.s1.a = f.s1.i + f.s1.o in { if guard "
     "(f.s1.a == 4) { "
     "f(x.min) <- f.s1.o; } } } }",
     "1 0 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, 4) { if guard (f.s1.o == 2) { f(x.min) <- "
            "f.s1.i; } } }",
     "3 0 0", "kept"},
    {STAGE0
     "label f.s1: for rdom f.s1.i in (0, 4) { for rdom f.s1.j in (0, f.s1.i - f.s1.i % 3) { f(x.min) <- f.s1.j; } }",
     "2 0 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 4) { if (f.s1.i >= 3) { f(x.min) <- 5; } }", "5 0 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 4) { for rdom f.s1.j in (0, 1 - f.s1.i) { if guard (w == 1) { f(x.min) "
            "<- 9; } } }",
     "none", "bounds are an error"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 4) { if guard (1 / (2 - f.s1.i) == 7) { f(x.min) <- 9; } }", "none",
     "bounds are an error"},
    {STAGE0 "label f.s1: for rdom f.s1.v in (0, 4) { for rdom f.s1.i in (0, 4) { if guard (f.s1.i == 2) { if guard "
            "(f.s1.v == 1) { "
            "f(x.min + f.s1.v) <- f.s1.i; } } } }",
     "0 2 0", "kept"},
    {STAGE0
     "label f.s1: for rdom f.s1.v in (0, 3) { for rdom f.s1.i in (0, 4) { let f.s1.a = f.s1.i + f.s1.v in { if guard "
     "(f.s1.a == 4) { f(x.min + f.s1.v) <- f.s1.i; } } } }",
     "0 3 2", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.v in (0, 3) { for rdom f.s1.i in (0, 2) { let f.s1.a = f.s1.i * 4 in { f(x.min "
            "+ f.s1.v) <- "
            "f.s1.a + f.s1.v; } } }",
     "4 5 6", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.v in (0, 3) { for rdom f.s1.i in (0, 3) { for rdom f.s1.j in (0, f.s1.i) { "
            "f(x.min + f.s1.v) <- f.s1.i + f.s1.j; } } }",
     "3 3 3", "kept"},
    // Both ends of a loop do nothing, what is between them does.
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { if guard (f.s1.i * (9 - f.s1.i) > 18) { f(x.min) <- f.s1.i; } }",
     "5 0 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { let f.s1.a = f.s1.i % 9 in { if guard (f.s1.a > 7) { f(x.min) <- "
            "f.s1.i; } } }",
     "8 0 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { if guard (f.s1.i == 6) { f(x.min) <- f.s1.i; } }", "6 0 0",
     "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { if guard (f.s1.i >= 4) { if guard (f.s1.i < 6) { f(x.min) <- "
            "f.s1.i; } } }",
     "5 0 0", "kept"},
    // One end does.
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { if guard (f.s1.i > 7) { f(x.min) <- f.s1.i; } }", "9 0 0",
     "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { for rdom f.s1.v in (0, 4) { if guard (f.s1.i + f.s1.v > 11) { "
            "f(x.min + f.s1.v - 2) <- f.s1.i; } } }",
     "0 9 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { for rdom f.s1.j in (0, 4) { if guard (f.s1.i - f.s1.j > 8) { "
            "f(x.min) <- f.s1.i; } } }",
     "9 0 0", "kept"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { for rdom f.s1.j in (0, 1 + f.s1.i * (9 - f.s1.i)) { if guard "
            "(f.s1.j > 12) { f(x.min) <- f.s1.j; } } }",
     "14 0 0", "kept"},
    // On the way something is an error.
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { if guard (1 / (5 - f.s1.i) < 7) { if guard (f.s1.i < 0) { "
            "f(x.min) <- 9; } } }",
     "none", "bounds are an error"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { if guard (4611686018427387904 * f.s1.i < 0) { f(x.min) <- 9; } }",
     "none", "bounds are an error"},
    {STAGE0 "label f.s1: for rdom f.s1.i in (0, 10) { for rdom f.s1.j in (0, 5 - f.s1.i) { if guard (f.s1.i + f.s1.j < "
            "0) { f(x.min) <- 9; } } }",
     "none", "bounds are an error"},
};

// "runs": the fast evaluator, watched or not, in order or not; the literal one.
static void check_busy(const row *r, engine *run, const char *name, hy_tgt_options options) {
  char *text = NULL;
  ck_assert(asprintf(&text, ONE_FUNC("%s"), r->body) > 0);
  program p = open_program(text);
  remark_program(&p, "v", HY_VECTORIZED);
  hy_tgt_result result;
  run_by(run, &p, 3, 0, 3, &options, &result);
  char *got = output_text(&result);
  ck_assert_msg(strcmp(got, r->output) == 0, "%s, %s: %s", name, r->body, got);
  ck_assert_str_eq(hy_contract_name(result.contract), r->contract);
  free(got);
  hy_tgt_result_free(&result);
  close_program(&p);
  free(text);
}

START_TEST(what_may_change_is_run) {
  const row *r = &busy[_i];
  check_busy(r, hy_tgt_run, "fast", (hy_tgt_options){.monitor = false});
  check_busy(r, hy_tgt_run, "watched", (hy_tgt_options){.monitor = true});
  check_busy(r, hy_tgt_run, "scrambled", (hy_tgt_options){.monitor = true, .seed = 11});
  check_busy(r, hy_tgt_run_literal, "literal", (hy_tgt_options){.monitor = true});
}
END_TEST

Suite *tgt_idle_suite(void) {
  Suite *suite = suite_create("tgt_idle");
  TCase *skipped = tcase_create("skipped"), *run = tcase_create("run");
  tcase_add_loop_test(skipped, nothing_is_done_once, 0, (int)HY_COUNT(idle));
  tcase_add_test(skipped, parallel_loops_count);
  tcase_add_test(skipped, parallel_loops_end);
  tcase_add_test(skipped, parallel_loops_do_not_end_early);
  tcase_add_loop_test(skipped, skipped_iterations_count, 0, (int)HY_COUNT(idle));
  tcase_add_loop_test(run, what_may_change_is_run, 0, (int)HY_COUNT(busy));
  suite_add_tcase(suite, skipped);
  suite_add_tcase(suite, run);
  return suite;
}
