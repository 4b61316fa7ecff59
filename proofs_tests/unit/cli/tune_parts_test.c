/* Parts of halyard tune that a right Halyard hardly shows: two proved schedules that differ, schedules that end their
 * process or need more than there is, and logs that do not fit.
 */

#include "cli/tune/difference.h"
#include "cli/tune/keep.h"
#include "cli/tune/log.h"
#include "cli/tune/worker.h"
#include "fuzz/pairs/case.h"
#include "proofs_tests/suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char blur[] = "pipeline blur(in: u16[2]) {\n"
                           "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"
                           "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n";
static const char tiled[] =
    "schedule tuned for blur {\n  bv.tile(x, y, xi, yi, 32, 8).parallel(y);\n  bh.compute_at(bv, x);\n}\n";

/* -- a difference -- */

static void open_search(hy_search *search, hy_session *session, hy_source *source, const char *output) {
  hy_options options = {.seed = 5, .z3_limit = 1000, .output = output};
  *source = (hy_source){"blur.alg", blur, strlen(blur)};
  hy_session_init(session, options, hy_diagnostics_new());
  session->alg = hy_parse_alg(session->context, source, session->diagnostics);
  ck_assert_ptr_nonnull(session->alg);
  *search = (hy_search){.session = session};
  hy_alg_print(session->alg, &search->algorithm);
}

static void close_search(hy_search *search) {
  hy_text_free(&search->algorithm);
  hy_session_free(search->session);
}

START_TEST(a_difference_is_written_as_a_case) {
  hy_search search;
  hy_session session;
  hy_source source;
  char output[] = "/tmp/halyard_difference_XXXXXX", path[64], text[4096] = "";
  close(mkstemp(output));
  open_search(&search, &session, &source, output);
  search.sizes.arguments.window_min[1] = 3;
  search.sizes.arguments.window_len[0] = 40;
  search.sizes.arguments.window_len[1] = 30;
  ck_assert_int_eq(hy_difference_report(&search, "schedule first for blur {}", tiled), HY_STATUS_DEFECT);
  ck_assert_uint_eq(hy_diagnostics_at(session.diagnostics, 0)->code, HY_E_TUNE_DIFFERS);
  snprintf(path, sizeof path, "%s.case", output);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  hy_case c;
  const char *why;
  ck_assert_msg(hy_case_parse(text, &c, &why), "%s in\n%s", why, text);
  ck_assert_str_eq(c.alg, hy_text_string(&search.algorithm));
  ck_assert_ptr_nonnull(strstr(c.items, "compute_at(bh, bv.s0.x)"));
  ck_assert_int_eq(c.inputs[0].min[1], 3);
  ck_assert_int_eq(c.inputs[0].len[0], 40);
  ck_assert_ptr_nonnull(strstr(text, "schedule first for blur"));
  hy_case_free(&c);
  unlink(path);
  unlink(output);
  close_search(&search);
}
END_TEST

/* -- workers -- */

typedef struct {
  hy_buffer *image;
  const hy_buffer *images[1];
  int64_t min[2], len[2];
  hy_input input;
} given;

static void give(given *g, int64_t width, int64_t height) {
  *g = (given){.len = {width, height}};
  g->image = hy_buffer_new(HY_U16, 2, (int64_t[]){-1, -1}, (int64_t[]){width + 2, height + 2});
  g->images[0] = g->image;
  g->input = (hy_input){NULL, g->images, g->min, g->len};
}

START_TEST(a_worker_runs_when_asked) {
  given g;
  hy_worker worker;
  hy_worker_run first, second;
  give(&g, 64, 32);
  for (size_t i = 0; i < g.image->count; i++) g.image->data[2 * i] = (uint8_t)(i * 7);
  hy_worker_start(&worker, blur, tiled, &g.input);
  ck_assert(hy_worker_is_ready(&worker, 60));
  ck_assert(hy_worker_run_once(&worker, 60, &first) && hy_worker_run_once(&worker, 60, &second));
  ck_assert(first.seconds > 0 && second.seconds > 0);
  ck_assert_uint_eq(first.checksum, second.checksum);
  hy_worker_stop(&worker);
  hy_worker_stop(&worker); // there is none any more
  ck_assert(!hy_worker_run_once(&worker, 1, &first));
  hy_buffer_free(g.image);
}
END_TEST

START_TEST(a_worker_that_cannot_run) {
  static const char *const schedules[] = {
      "schedule tuned for blur { bh.compute_at(bv, z); }",           // not legal
      "schedule tuned for blur { bh.split(x, x, xi, 512, round); }", // needs more of the image
      "schedule",
      "",
  };
  for (size_t i = 0; i < HY_COUNT(schedules); i++) {
    given g;
    hy_worker worker;
    give(&g, 64, 32);
    hy_worker_start(&worker, blur, schedules[i], &g.input);
    ck_assert_msg(!hy_worker_is_ready(&worker, 60), "%s", schedules[i]);
    ck_assert_int_eq(worker.pid, 0);
    hy_buffer_free(g.image);
  }
}
END_TEST

START_TEST(a_worker_that_takes_too_long) {
  given g;
  hy_worker worker;
  give(&g, 64, 32);
  hy_worker_start(&worker, blur, tiled, &g.input);
  ck_assert(!hy_worker_is_ready(&worker, 1e-6));
  ck_assert_int_eq(worker.pid, 0);
  hy_buffer_free(g.image);
}
END_TEST

/* -- logs -- */

START_TEST(a_log_says_the_same_again) {
  hy_tune_log log, again;
  const char *why;
  hy_tune_log_begin(&log, "this");
  ck_assert(hy_tune_log_ready(&log, true) && !hy_tune_log_ready(&log, false));
  ck_assert(hy_tune_log_goes_on(&log, true));
  ck_assert(hy_tune_log_run(&log, 0.1) == 0.1 && hy_tune_log_run(&log, -1) == -1);
  ck_assert(!hy_tune_log_goes_on(&log, false));
  ck_assert(!hy_tune_log_goes_on(&log, true));  // once up, up for ever
  ck_assert(hy_tune_log_run(&log, 0.3) == 0.3); // the last race comes behind it
  hy_tune_log_begin(&again, "this");
  ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  ck_assert(hy_tune_log_ready(&again, false) && !hy_tune_log_ready(&again, true)); // what is asked for does not matter
  ck_assert(hy_tune_log_goes_on(&again, false));
  ck_assert(hy_tune_log_run(&again, 9) == 0.1 && hy_tune_log_run(&again, 9) == -1);
  ck_assert(!hy_tune_log_goes_on(&again, true));
  ck_assert(hy_tune_log_run(&again, 9) == 0.3 && !again.is_broken);
  ck_assert_str_eq(hy_text_string(&log.written), hy_text_string(&again.written));
  ck_assert(hy_tune_log_run(&again, 9) == -1 && again.is_broken); // there is no more
  hy_tune_log_free(&log);
  hy_tune_log_free(&again);
}
END_TEST

START_TEST(logs_that_do_not_fit) {
  hy_tune_log log, again;
  const char *why;
  hy_tune_log_begin(&log, "this");
  hy_tune_log_ready(&log, true);
  hy_tune_log_begin(&again, "that");
  ck_assert(!hy_tune_log_replay(&again, hy_text_string(&log.written), "that", &why));
  ck_assert_ptr_nonnull(strstr(why, "another algorithm"));
  ck_assert(!hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  ck_assert_str_eq(why, "has no end");
  ck_assert(!hy_tune_log_replay(&again, "", "this", &why) && strstr(why, "no file of measurements"));
  hy_tune_log_goes_on(&log, false);
  ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  ck_assert(hy_tune_log_run(&again, 1) == -1 && again.is_broken); // a run where it says "ready"
  hy_tune_log_free(&log);
  hy_tune_log_free(&again);
}
END_TEST

Suite *tune_parts_suite(void) {
  Suite *suite = suite_create("tune_parts");
  TCase *tests = tcase_create("parts");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, a_difference_is_written_as_a_case);
  tcase_add_test(tests, a_worker_runs_when_asked);
  tcase_add_test(tests, a_worker_that_cannot_run);
  tcase_add_test(tests, a_worker_that_takes_too_long);
  tcase_add_test(tests, a_log_says_the_same_again);
  tcase_add_test(tests, logs_that_do_not_fit);
  suite_add_tcase(suite, tests);
  return suite;
}
