/* Parts of halyard tune that a right Halyard hardly shows: two proved schedules that differ, schedules that end their
 * process or need more than there is, and logs that do not fit.
 */

#include "cli/tune/difference.h"
#include "cli/tune/keep.h"
#include "cli/tune/limits.h"
#include "cli/tune/log.h"
#include "cli/tune/worker.h"
#include "fuzz/pairs/case.h"
#include "proofs_tests/suites.h"

#include <math.h>
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

/* -- what is kept -- */

static const char many[] =
    "pipeline m(in: u8[2]) {\n"
    "  fun c = repeat_edge(in);\n"
    "  fun s(y) = { 0; rdom(r = (0, 64), q = (0, 64)) in (y) <- s(y) + int(c(r*64 + q, y)); };\n"
    "  for k in 0..2 fun g[k](x, y) = if k == 0 then c(x, y) else (g[k-1](2*x, y)/2 + g[k-1](2*x+1, y)/2);\n"
    "  fun o(x, y) = s(y) + int(g[2](x, y));\n}\n";

// Of a schedule's items, which lines stay when these funcs are frozen, and of which funcs is nothing chosen then?
static const struct {
  const char *items, *freeze, *lines, *funcs;
} keeping[] = {
    // as it is meant: families by their numbers, without comments
    {"for k in 0..2 g[k].vectorize(x, 8*(k + 1)).parallel(y);", "g_1,g_2",
     "  g_1.vectorize(x, 8 * (1 + 1)).parallel(y);\n  g_2.vectorize(x, 8 * (2 + 1)).parallel(y);\n", "g_1 g_2 "},
    {"g_1.vectorize(x, 8) /* ; */ .parallel(y); // g_1.\n  o.parallel(y);", "g_1",
     "  g_1.vectorize(x, 8).parallel(y);\n", "g_1 "},
    {"o.parallel(y);", "g_1", "", "g_1 "},
    // funcs that are added stay, with all that is said of them, and can be named
    {"wrap(c, w, s); compute_at(w, s.s1.y); o.parallel(y);", "c", "  wrap(c, w, s);\n  compute_at(w, s.s1.y);\n", "c "},
    {"wrap(c, w, s); compute_at(w, s.s1.y); o.parallel(y);", "w", "  wrap(c, w, s);\n  compute_at(w, s.s1.y);\n", ""},
    {"wrap(c, w, s); compute_at(w, s.s1.y); o.parallel(y);", "o", "  o.parallel(y);\n", "o "},
    {"clone(c, v, s); split(v._0, a, b, 8); split(c._0, a, b, 4);", "v", "  clone(c, v, s);\n  split(v._0, a, b, 8);\n",
     ""},
    {"rfactor(s.s1.r, u, i); split(i.s1.y, yo, yi, 4); s.parallel(y);", "s",
     "  rfactor(s.s1.r, u, i);\n  split(i.s1.y, yo, yi, 4);\n  s.parallel(y);\n", "s "},
    {"rfactor(s.s1.r, u, i); split(i.s1.y, yo, yi, 4); s.parallel(y);", "i",
     "  rfactor(s.s1.r, u, i);\n  split(i.s1.y, yo, yi, 4);\n", ""},
    {"s.update(0).split(r, ro, ri, 8); s.update(0).rfactor(ri, u); o.parallel(y);", "s_intm",
     "  s.update(0).split(r, ro, ri, 8);\n  s.update(0).rfactor(ri, u);\n", "s "},
    {"split_reduction(s.s1.r, ro, ri, 8); rfactor(s.s1.ri, u, i); s.parallel(y); split(i.s1.y, a, b, 2);", "i",
     "  split_reduction(s.s1.r, ro, ri, 8);\n  rfactor(s.s1.ri, u, i);\n  split(i.s1.y, a, b, 2);\n", ""},
    {"c.in(s).compute_at(s, y); c.in(s).vectorize(_0, 16); c.in(g_0).compute_root();", "c_in_s",
     "  c.in(s).compute_at(s, y);\n  c.in(s).vectorize(_0, 16);\n", ""},
    {"c.in(s).compute_at(s, y); c_in_s.vectorize(_0, 16); c.in(g_0).compute_root();", "c",
     "  c.in(s).compute_at(s, y);\n  c_in_s.vectorize(_0, 16);\n  c.in(g_0).compute_root();\n", "c "},
    {"wrap(c, w, s); c.in(s).vectorize(_0, 16); c.in(g_0).compute_root();", "w",
     "  wrap(c, w, s);\n  c.in(s).vectorize(_0, 16);\n", ""},
    {"c.clone_in(s).compute_at(s, y); c.parallel(_1);", "c_clone_in_s", "  c.clone_in(s).compute_at(s, y);\n", ""},
    // with what they need, and what the same item says of others
    {"s.update(0).rfactor(r, u).compute_root(); c.in(s_intm).compute_at(s_intm, y); o.parallel(y);", "c",
     "  s.update(0).rfactor(r, u).compute_root();\n  c.in(s_intm).compute_at(s_intm, y);\n", "c "},
    {"g_1.parallel(y).in(g_2).compute_at(g_2, y); g_1.vectorize(x, 8); o.parallel(y);", "g_1_in_g_2",
     "  g_1.parallel(y).in(g_2).compute_at(g_2, y);\n  g_1.vectorize(x, 8);\n", "g_1 "},
    // what "default inline;" says of them
    {"default inline; o.parallel(y);", "c,o", "  compute_inline(c);\n  o.parallel(y);\n", "c o "},
    {"default inline; g_1.compute_inline();", "g_1", "  g_1.compute_inline();\n", "g_1 "},
    {"default inline; wrap(c, w, s); o.parallel(y);", "w", "  compute_inline(w);\n  wrap(c, w, s);\n", ""},
    {"default inline; o.parallel(y);", "s", "  compute_at(s, o.s0.y);\n  store_at(s, o.s0.y);\n", "s "},
    {"default inline; o.parallel(y); s.compute_root();", "s", "  s.compute_root();\n", "s "},
};

static void open_kept(hy_session *session, hy_source sources[2], const char *items, const char *freeze) {
  hy_options options = {.seed = 5, .z3_limit = 1000, .freeze = freeze};
  const hy_schedule *schedules;
  int count;
  hy_session_init(session, options, hy_diagnostics_new());
  hy_text text = {0};
  hy_text_printf(&text, "schedule a for m {\n  %s\n}\n", items);
  char *copy = hy_arena_copy(hy_context_arena(session->context), hy_text_string(&text), text.length);
  hy_text_free(&text);
  sources[0] = (hy_source){"m.alg", many, strlen(many)};
  sources[1] = (hy_source){"m.sched", copy, strlen(copy)};
  session->alg = hy_parse_alg(session->context, &sources[0], session->diagnostics);
  ck_assert_ptr_nonnull(session->alg);
  ck_assert(hy_parse_schedules(session->context, &sources[1], session->diagnostics, &schedules, &count));
  hy_vec_push(&session->schedules, &schedules[0]);
}

START_TEST(what_is_frozen_is_kept) {
  hy_session session;
  hy_source sources[2];
  hy_kept kept;
  open_kept(&session, sources, keeping[_i].items, keeping[_i].freeze);
  hy_func_graph *graph = hy_graph_new(session.context, session.alg, hy_estimates_new(session.context, session.alg));
  hy_text funcs = {0};
  ck_assert_int_eq(hy_kept_read(&session, graph, session.schedules.data[0], &kept), HY_STATUS_FINE);
  ck_assert_str_eq(hy_text_string(&kept.lines), keeping[_i].lines);
  for (int n = 0; n < graph->count; n++)
    if (kept.is_kept[n]) hy_text_printf(&funcs, "%s ", graph->nodes[n].func->name);
  ck_assert_str_eq(hy_text_string(&funcs), keeping[_i].funcs);
  hy_text_free(&funcs);
  hy_kept_free(&kept);
  hy_session_free(&session);
}
END_TEST

static const struct {
  const char *items, *freeze;
  hy_status status;
  hy_code code;
} not_kept[] = {
    {"o.parallel(y);", "g", HY_STATUS_USAGE, HY_E_TUNE_FROZEN},
    {"o.parallel(y);", "o,", HY_STATUS_USAGE, HY_E_TUNE_FROZEN},
    {"o.parallel(y);", "in", HY_STATUS_USAGE, HY_E_TUNE_FROZEN},
    {"wrap(c, w, s);", "v", HY_STATUS_USAGE, HY_E_TUNE_FROZEN},
    {"o.parallel(z);", "c", HY_STATUS_WRONG, HY_E_UNKNOWN_LOOP}, // as 'check' says it, whatever is kept
    {"o.parallel(z);", NULL, HY_STATUS_WRONG, HY_E_UNKNOWN_LOOP},
    {"nobody.parallel(y);", NULL, HY_STATUS_WRONG, HY_E_UNKNOWN_FUNC},
};

START_TEST(what_cannot_be_kept) {
  hy_session session;
  hy_source sources[2];
  hy_kept kept;
  open_kept(&session, sources, not_kept[_i].items, not_kept[_i].freeze);
  hy_func_graph *graph = hy_graph_new(session.context, session.alg, hy_estimates_new(session.context, session.alg));
  ck_assert_int_eq(hy_kept_read(&session, graph, session.schedules.data[0], &kept), not_kept[_i].status);
  ck_assert_uint_eq(hy_diagnostics_at(session.diagnostics, 0)->code, not_kept[_i].code);
  hy_kept_free(&kept);
  hy_session_free(&session);
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

static hy_run_answer begin_worker(hy_worker *worker, const char *algorithm, const char *schedule, const given *g) {
  hy_worker_start(worker, algorithm, schedule, &g->input, NULL);
  return hy_worker_is_compiled(worker, 60);
}

START_TEST(a_worker_runs_when_asked) {
  given g;
  hy_worker worker;
  hy_worker_run first, second;
  give(&g, 64, 32);
  for (size_t i = 0; i < g.image->count; i++) g.image->data[2 * i] = (uint8_t)(i * 7);
  ck_assert_int_eq(begin_worker(&worker, blur, tiled, &g), HY_RUN_FINE);
  ck_assert_int_eq(hy_worker_is_ready(&worker, 60), HY_RUN_FINE);
  ck_assert_int_eq(hy_worker_take_turn(&worker, 60, &first), HY_RUN_FINE);
  ck_assert_int_eq(hy_worker_take_turn(&worker, 60, &second), HY_RUN_FINE);
  ck_assert(first.seconds > 0 && second.seconds > 0);
  ck_assert_uint_eq(first.checksum, second.checksum);
  hy_worker_stop(&worker);
  hy_worker_stop(&worker); // there is none any more
  ck_assert_int_eq(hy_worker_take_turn(&worker, 1, &first), HY_RUN_FAILED);
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
    ck_assert_msg(begin_worker(&worker, blur, schedules[i], &g) == HY_RUN_FAILED, "%s", schedules[i]);
    ck_assert_int_eq(worker.pid, 0);
    hy_buffer_free(g.image);
  }
}
END_TEST

START_TEST(a_worker_that_takes_too_long) {
  given g;
  hy_worker worker;
  give(&g, 64, 32);
  hy_worker_start(&worker, blur, tiled, &g.input, NULL);
  ck_assert_int_eq(hy_worker_is_compiled(&worker, 0), HY_RUN_TOO_LONG);
  ck_assert_int_eq(worker.pid, 0);
  ck_assert_int_eq(hy_worker_is_ready(&worker, 60), HY_RUN_FAILED); // there is none any more
  hy_buffer_free(g.image);
}
END_TEST

// It runs for centuries.
static const char endless[] = "pipeline endless(in: u16[2]) {\n  fun f(x, y) = { 0; rdom(r = (0, 1000000000), q = (0, "
                              "1000000000)) in (x, y) <- f(x, y) + int(in(x, y)) * (r % 7 + q % 5); };\n}\n";
static const char plain[] = "schedule tuned for endless {}";

START_TEST(a_worker_that_does_not_end) {
  given g;
  hy_worker worker;
  give(&g, 64, 32);
  ck_assert_int_eq(begin_worker(&worker, endless, plain, &g), HY_RUN_FINE);
  ck_assert_int_eq(hy_worker_is_ready(&worker, 0.3), HY_RUN_TOO_LONG);
  ck_assert_int_eq(worker.pid, 0);
  hy_buffer_free(g.image);
}
END_TEST

static volatile sig_atomic_t stop;
static void stop_now(int number) {
  (void)number;
  stop = 1;
}

// Ctrl-C: nobody waits for it, however long it may take; a signal is heard while one waits.
START_TEST(a_worker_that_is_stopped) {
  given g;
  hy_worker worker;
  struct sigaction before, action = {.sa_handler = stop_now};
  give(&g, 64, 32);
  stop = 0;
  hy_worker_start(&worker, endless, plain, &g.input, &stop);
  ck_assert_int_eq(hy_worker_is_compiled(&worker, 60), HY_RUN_FINE);
  sigaction(SIGALRM, &action, &before);
  alarm(1);
  ck_assert_int_eq(hy_worker_is_ready(&worker, 1e6), HY_RUN_STOPPED);
  ck_assert_int_eq(worker.pid, 0);
  sigaction(SIGALRM, &before, NULL);
  hy_worker_start(&worker, endless, plain, &g.input, &stop);
  ck_assert_int_eq(hy_worker_is_compiled(&worker, 1e6), HY_RUN_STOPPED);
  hy_buffer_free(g.image);
}
END_TEST

/* -- limits -- */

// Of a budget of 100 s that began at 1000: when is the time up, and how long may what is begun at "now" take?
static const struct {
  hy_race_kind kind;
  double compiled, now, best, ends, compile, first_run, run;
} limits[] = {
    // nothing can be run yet: it is waited for
    {HY_RACE_FIRST, 0, 1000, INFINITY, 1105, 60, 0, 30},
    {HY_RACE_FIRST, 0, 1200, INFINITY, 1105, 60, 0, 0},
    // it could be run before the time was up, and behind it
    {HY_RACE_FIRST, 1010, 1010, INFINITY, 1105, 60, 30, 30},
    {HY_RACE_FIRST, 1010, 1090, INFINITY, 1105, 16, 0, 16},
    {HY_RACE_FIRST, 1010, 1200, INFINITY, 1105, 0, 0, 0},
    {HY_RACE_FIRST, 1150, 1150, INFINITY, 1155, 6, 6, 6},
    // a run may take a second longer than there is time, and 20 times what the fastest did; some is left for the last
    // race
    {HY_RACE_NEXT, 1010, 1010, 0.1, 1091, 60, 30, 3},
    {HY_RACE_NEXT, 1010, 1090.75, 0.1, 1091, 1.25, 0, 1.25},
    {HY_RACE_NEXT, 1010, 1091.5, 0.1, 1091, 0.5, 0, 0.5},
    {HY_RACE_NEXT, 1010, 1092.5, 0.1, 1091, 0, 0, 0},
    // short runs are five to a turn
    {HY_RACE_NEXT, 1010, 1010, 0.002, 1099.25, 60, 30, 1.04},
    {HY_RACE_NEXT, 1010, 1010, 50, 1075, 60, 30, 30},
    {HY_RACE_NEXT, 1010, 1020, INFINITY, 1075, 56, 20, 30},
    {HY_RACE_LAST, 1095, 1095, 0.1, 1105, 11, 11, 3},
    {HY_RACE_LAST, 1095, 1107, 0.1, 1105, 0, 0, 0},
};

START_TEST(budgets_hold) {
  hy_tune_limits l = {.begin = 1000, .budget = 100, .compiled = limits[_i].compiled, .race = limits[_i].compiled};
  double now = limits[_i].now, best = limits[_i].best;
  hy_race_kind kind = limits[_i].kind;
  ck_assert_double_eq_tol(hy_tune_ends(&l, kind, best), limits[_i].ends, 1e-9);
  ck_assert_double_eq_tol(hy_tune_compile_limit(&l, kind, now, best), limits[_i].compile, 1e-9);
  ck_assert_double_eq_tol(hy_tune_first_run_limit(&l, kind, now, best), limits[_i].first_run, 1e-9);
  ck_assert_double_eq_tol(hy_tune_run_limit(&l, kind, now, best), limits[_i].run, 1e-9);
}
END_TEST

/* -- logs -- */

static const hy_machine large = {64, 64, 1 << 15, 1 << 20, INT64_C(1) << 40}, small = {2, 16, 1024, 4096, 8192};

static bool goes_on(hy_tune_log *log, bool has_time) { return hy_tune_log_goes_on(log, HY_RACE_NEXT, has_time); }

START_TEST(a_log_says_the_same_again) {
  hy_tune_log log, again;
  const char *why;
  hy_tune_log_begin(&log, "this");
  ck_assert_int_eq(hy_tune_log_machine(&log, large).cores, 64);
  ck_assert_int_eq(hy_tune_log_ready(&log, HY_RUN_FINE), HY_RUN_FINE);
  ck_assert_int_eq(hy_tune_log_ready(&log, HY_RUN_TOO_LONG), HY_RUN_TOO_LONG);
  ck_assert(goes_on(&log, true));
  ck_assert(hy_tune_log_run(&log, 0.1) == 0.1 && hy_tune_log_run(&log, HY_RUN_STOPPED) == HY_RUN_STOPPED);
  ck_assert(hy_tune_log_run(&log, HY_RUN_WRONG) == HY_RUN_WRONG);
  ck_assert(!goes_on(&log, false));
  ck_assert(!goes_on(&log, true)); // once up, up for ever
  ck_assert(hy_tune_log_goes_on(&log, HY_RACE_LAST, true));
  ck_assert(hy_tune_log_run(&log, 0.3) == 0.3); // the last race comes behind it
  ck_assert(!hy_tune_log_goes_on(&log, HY_RACE_LAST, false));
  hy_tune_log_end(&log);
  hy_tune_log_begin(&again, "this");
  ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  hy_machine told = hy_tune_log_machine(&again, small); // on whatever machine it is read
  ck_assert(told.cores == 64 && told.vector_bytes == 64 && told.l1_bytes == 1 << 15 && told.l2_bytes == 1 << 20);
  ck_assert(told.l3_bytes == INT64_C(1) << 40);
  ck_assert_int_eq(hy_tune_log_ready(&again, HY_RUN_FAILED), HY_RUN_FINE); // what is asked for does not matter
  ck_assert_int_eq(hy_tune_log_ready(&again, HY_RUN_FINE), HY_RUN_TOO_LONG);
  ck_assert(goes_on(&again, false));
  ck_assert(hy_tune_log_run(&again, 9) == 0.1 && hy_tune_log_run(&again, 9) == HY_RUN_STOPPED);
  ck_assert(hy_tune_log_run(&again, 9) == HY_RUN_WRONG);
  ck_assert(!goes_on(&again, true) && !goes_on(&again, true));
  ck_assert(hy_tune_log_goes_on(&again, HY_RACE_LAST, false));
  ck_assert(hy_tune_log_run(&again, 9) == 0.3 && !again.is_broken);
  ck_assert(!hy_tune_log_goes_on(&again, HY_RACE_LAST, true));
  hy_tune_log_end(&again);
  ck_assert(!again.is_broken);
  ck_assert_str_eq(hy_text_string(&log.written), hy_text_string(&again.written));
  ck_assert(hy_tune_log_run(&again, 9) == HY_RUN_FAILED && again.is_broken); // there is no more
  hy_tune_log_free(&log);
  hy_tune_log_free(&again);
}
END_TEST

// A search that ended though there was time, as nothing better came, is one, too.
START_TEST(a_log_in_which_there_was_time) {
  hy_tune_log log, again;
  const char *why;
  hy_tune_log_begin(&log, "this");
  ck_assert(goes_on(&log, true));
  hy_tune_log_end(&log);
  hy_tune_log_begin(&again, "this");
  ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  ck_assert(goes_on(&again, false));
  hy_tune_log_end(&again);
  ck_assert(!again.is_broken);
  ck_assert_str_eq(hy_text_string(&log.written), hy_text_string(&again.written));
  hy_tune_log_free(&log);
  hy_tune_log_free(&again);
}
END_TEST

// Numbers that the model would take, but no machine has.
START_TEST(a_log_of_no_machine) {
  static const char *const lines[] = {"machine 2 16 1024 4096", "machine 0 16 1024 4096 8192",
                                      "machine 2 16 -1 4096 8192", "machine 2 16 1024 4096 9000000000000000000",
                                      "ready 1"};
  for (size_t i = 0; i < HY_COUNT(lines); i++) {
    hy_tune_log log, again;
    const char *why;
    hy_tune_log_begin(&log, "this");
    hy_text_printf(&log.written, "%s\n", lines[i]);
    hy_tune_log_end(&log);
    hy_tune_log_begin(&again, "this");
    ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
    ck_assert_int_eq(hy_tune_log_machine(&again, small).l3_bytes, 8192);
    ck_assert_msg(again.is_broken, "%s", lines[i]);
    hy_tune_log_free(&log);
    hy_tune_log_free(&again);
  }
}
END_TEST

START_TEST(logs_that_do_not_fit) {
  hy_tune_log log, again;
  const char *why;
  hy_tune_log_begin(&log, "this");
  hy_tune_log_ready(&log, HY_RUN_FINE);
  hy_tune_log_begin(&again, "that");
  ck_assert(!hy_tune_log_replay(&again, hy_text_string(&log.written), "that", &why));
  ck_assert_ptr_nonnull(strstr(why, "another algorithm"));
  ck_assert(!hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  ck_assert_str_eq(why, "has no end");
  ck_assert(!hy_tune_log_replay(&again, "", "this", &why) && strstr(why, "no file of measurements"));
  ck_assert(!hy_tune_log_replay(&again, "halyard measurements 1\n", "this", &why) && strstr(why, "another version"));
  hy_tune_log_end(&log);
  ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  ck_assert(hy_tune_log_run(&again, 1) == HY_RUN_FAILED && again.is_broken); // a run where it says "ready"
  hy_tune_log_free(&again);
  hy_tune_log_begin(&again, "this");
  ck_assert(hy_tune_log_replay(&again, hy_text_string(&log.written), "this", &why));
  hy_tune_log_end(&again); // though there is more
  ck_assert(again.is_broken);
  hy_tune_log_free(&log);
  hy_tune_log_free(&again);
}
END_TEST

Suite *tune_parts_suite(void) {
  Suite *suite = suite_create("tune_parts");
  TCase *tests = tcase_create("parts");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, a_difference_is_written_as_a_case);
  tcase_add_loop_test(tests, what_is_frozen_is_kept, 0, HY_COUNT(keeping));
  tcase_add_loop_test(tests, what_cannot_be_kept, 0, HY_COUNT(not_kept));
  tcase_add_test(tests, a_worker_runs_when_asked);
  tcase_add_test(tests, a_worker_that_cannot_run);
  tcase_add_test(tests, a_worker_that_takes_too_long);
  tcase_add_test(tests, a_worker_that_does_not_end);
  tcase_add_test(tests, a_worker_that_is_stopped);
  tcase_add_loop_test(tests, budgets_hold, 0, HY_COUNT(limits));
  tcase_add_test(tests, a_log_says_the_same_again);
  tcase_add_test(tests, a_log_in_which_there_was_time);
  tcase_add_test(tests, a_log_of_no_machine);
  tcase_add_test(tests, logs_that_do_not_fit);
  suite_add_tcase(suite, tests);
  return suite;
}
