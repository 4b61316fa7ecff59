// Code for a profile: what it counts is what the target interpreter stores, func by func; it computes the same as plain
// code; what its threads are said to do adds up; and plain code has nothing of it.

#include "codegen/profile.h"
#include "engines/engine.h"
#include "engines/generator.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name, *alg, *items;
} row;

#define BOX                                                                                                            \
  "pipeline p(in: u16[2]) { fun h(x, y) = in(x, y) / 2 + in(x + 1, y) / 2; fun g(x, y) = h(x, y) / 2 + h(x, y + 1) "   \
  "/ 2; }"
#define SUMS                                                                                                           \
  "pipeline p(in: u16[2]) { fun h(x) = { 1; rdom(r = (0, 9)) in (x) <- h(x) + i32(in(x, r)) if r != 4; }; fun g(x, "   \
  "y) = { h(x) + i32(y); (2*y, y) <- 7; }; }"

static const row rows[] = {
    {"no schedule", BOX, ""},
    {"tiles, parallel, vectors with guards", BOX,
     "g.tile(x, y, xi, yi, 8, 4).parallel(y).vectorize(xi, 8); h.compute_at(g, x).vectorize(x, 8);"},
    {"lanes that are rounded up", BOX,
     "g.split(x, x, xi, 16, round).vectorize(xi); h.compute_at(g, y).vectorize(x, 8);"},
    {"wide vectors in pieces", BOX, "g.vectorize(x, 100);"},
    {"computed again for each row", BOX, "h.store_root().compute_at(g, y);"},
    {"slid", BOX, "h.store_root().compute_at(g, y).slide(y).fold_storage(y, 2);"},
    {"parallel loops inside parallel loops", BOX, "g.parallel(y); h.compute_at(g, y).parallel(x);"},
    {"inlined", BOX, "h.compute_inline();"},
    {"updates", SUMS, ""},
    {"sums in registers (GEN.Accumulate)",
     "pipeline p(in: u16[2]) { fun g(x, y) = { 0; rdom(r = (0, 9)) in (x, y) <- g(x, y) + u32(in(x + r, y)); }; }",
     "g.update(0).split(x, xo, xi, 32).split(xi, xi, xj, 8).reorder(xj, xi, r, xo, y).vectorize(xj).unroll(xi);"},
    {"a tuple",
     "pipeline p(in: u16[2]) { fun h(x, y) = (in(x, y), in(x, y) > 9); fun g(x, y) = select(h(x, y)[1], h(x, y)[0], "
     "3); }",
     "h.compute_at(g, y).vectorize(x, 4);"},
};

typedef struct {
  test_program program;
  hy_buffer *image;
  int64_t min[2], len[2];
  hy_input input;
} setting;

static void set(setting *s, const row *row) {
  const hy_oracle_options oracle = {0};
  test_program_open(&s->program, row->alg, row->items);
  ck_assert_msg(s->program.parsed, "%s: %s", row->name, test_program_said(&s->program));
  hy_answer answer = hy_pipeline_check(&s->program.pipeline, &oracle, s->program.diagnostics);
  ck_assert_msg(answer == HY_YES, "%s: %s", row->name, test_program_said(&s->program));
  s->image = hy_buffer_new(HY_U16, 2, (const int64_t[]){-50, -50}, (const int64_t[]){400, 200});
  hy_generator_fill_random(s->image, 3);
  s->min[0] = -3, s->min[1] = 2, s->len[0] = 137, s->len[1] = 21;
  s->input = (hy_input){NULL, (const hy_buffer *const *)&s->image, s->min, s->len};
}

static void unset(setting *s) {
  hy_buffer_free(s->image);
  test_program_close(&s->program);
}

static hy_native *compile(setting *s, hy_profile_kind kind) {
  hy_codegen_options options = hy_codegen_default();
  options.profile = kind;
  return hy_pipeline_compile(&s->program.pipeline, &options);
}

static hy_outcome run(setting *s, hy_profile_kind kind) {
  hy_native *native = compile(s, kind);
  hy_outcome outcome = hy_engine_native(native, s->program.pipeline.alg, &s->input);
  ck_assert_int_eq(outcome.status, HY_RAN);
  hy_native_free(native);
  return outcome;
}

// Stores by hy_func.index; of a tuple its first part's.
static void count_store(void *self, const hy_tgt_event *event, const hy_tgt_scope *scope) {
  uint64_t *stores = self;
  (void)scope;
  if (event->kind == HY_EVENT_STORE && event->part == 0) stores[event->func->index]++;
}

START_TEST(counts_what_is_stored) {
  setting s;
  hy_profile points;
  uint64_t stores[16] = {0};
  set(&s, &rows[_i]);
  const hy_tgt *tgt = s.program.pipeline.filled;
  hy_outcome meant = hy_engine_tgt_told(s.program.context, tgt, &s.input, 0, HY_LAZY, count_store, stores);
  ck_assert_int_eq(meant.status, HY_RAN);
  hy_profile_begin(hy_tgt_symbols(tgt));
  hy_outcome counted = run(&s, HY_PROFILE_POINTS);
  hy_profile_end(&points);
  for (int i = 0; i < tgt->func_count; i++) {
    const hy_profile_func *f = &points.funcs[tgt->funcs[i]->index];
    ck_assert_msg(f->points + f->updates == stores[tgt->funcs[i]->index], "%s: %s: %d + %d counted, %d stored",
                  rows[_i].name, tgt->funcs[i]->name, (int)f->points, (int)f->updates,
                  (int)stores[tgt->funcs[i]->index]);
    ck_assert_uint_gt(f->points, 0);
  }
  hy_difference difference;
  hy_compare(meant.output, counted.output, true, &difference);
  ck_assert_msg(!difference.differs, "%s", rows[_i].name);
  hy_profile_free(&points);
  hy_outcome_free(&counted);
  hy_outcome_free(&meant);
  unset(&s);
}
END_TEST

// The timed code computes the same, and what its threads did is not more than all of the time on all threads.
START_TEST(adds_up) {
  setting s;
  hy_profile times;
  double all = 0;
  set(&s, &rows[_i]);
  hy_outcome plain = run(&s, HY_PROFILE_NOTHING);
  uint32_t symbols = hy_tgt_symbols(s.program.pipeline.filled);
  hy_profile_begin(symbols);
  hy_profile_wake();
  hy_outcome timed = run(&s, HY_PROFILE_TIME);
  hy_profile_sleep();
  hy_profile_end(&times);
  for (uint32_t i = 0; i < symbols + HY_PROFILE_EXTRA; i++) {
    ck_assert(times.funcs[i].seconds >= 0);
    ck_assert_uint_eq(i < symbols ? times.funcs[i].points + times.funcs[i].updates : 0, 0); // not counted here
    all += times.funcs[i].seconds;
  }
  ck_assert(all >= times.thread_seconds * 0.999 && all <= times.thread_seconds * 1.001);
  hy_difference difference;
  hy_compare(plain.output, timed.output, true, &difference);
  ck_assert_msg(!difference.differs, "%s", rows[_i].name);
  hy_profile_free(&times);
  hy_outcome_free(&timed);
  hy_outcome_free(&plain);
  unset(&s);
}
END_TEST

// Two funcs of which one takes hundreds of times as long as the other: whose time it is, is seen, also where the other is
// computed inside of it and before it.
static const struct {
  row row;
  const char *slow;
} slow_rows[] = {
    {{"before",
      "pipeline p(in: u16[2]) { fun h(x, y) = { 0; rdom(r = (0, 3000)) in (x, y) <- (h(x, y) * 3 + i32(r)) % 1009; }; "
      "fun g(x, y) = h(x, y) + i32(in(x, y)); }",
      "g.parallel(y);"},
     "h"},
    {{"around",
      "pipeline p(in: u16[2]) { fun h(x, y) = i32(in(x, y)); fun g(x, y) = { h(x, y); rdom(r = (0, 3000)) in (x, y) <- "
      "(g(x, y) * 3 + i32(r)) % 1009; }; }",
      "h.compute_at(g, y); g.update(0).parallel(y);"},
     "g"},
};

START_TEST(tells_the_slow_func) {
  setting s;
  hy_profile times;
  set(&s, &slow_rows[_i].row);
  hy_native *native = compile(&s, HY_PROFILE_TIME);
  hy_profile_begin(hy_tgt_symbols(s.program.pipeline.filled));
  hy_profile_wake();
  for (int i = 0; i < 20; i++) {
    hy_outcome outcome = hy_engine_native(native, s.program.pipeline.alg, &s.input);
    ck_assert_int_eq(outcome.status, HY_RAN);
    hy_outcome_free(&outcome);
  }
  hy_profile_sleep();
  hy_profile_end(&times);
  const hy_func *slow = hy_alg_find(s.program.pipeline.alg, slow_rows[_i].slow);
  double waiting = times.funcs[times.symbols + HY_PROFILE_WAITING].seconds;
  ck_assert_uint_gt(times.samples, 0);
  ck_assert(times.funcs[slow->index].seconds > 0.5 * (times.thread_seconds - waiting));
  hy_profile_free(&times);
  hy_native_free(native);
  unset(&s);
}
END_TEST

static void expect_words(const char *text, bool are_there) {
  static const char *const words[] = {"hy_profile_record", "hy_profile_allocate", "store atomic"};
  for (size_t i = 0; i < HY_COUNT(words); i++) ck_assert_msg(!strstr(text, words[i]) || are_there, "%s", words[i]);
}

START_TEST(plain_code_has_nothing_of_it) {
  setting s;
  set(&s, &rows[_i]);
  hy_native_free(compile(&s, HY_PROFILE_NOTHING)); // makes what the passes make
  for (hy_profile_kind kind = HY_PROFILE_NOTHING; kind <= HY_PROFILE_POINTS; kind++) {
    hy_text text = {0};
    hy_codegen_options options = hy_codegen_default();
    options.profile = kind;
    hy_native_print_llvm(s.program.context, s.program.pipeline.passed, &options, false, &text);
    expect_words(hy_text_string(&text), kind != HY_PROFILE_NOTHING);
    ck_assert(kind == HY_PROFILE_NOTHING || strstr(hy_text_string(&text), "hy_profile_record"));
    hy_text_free(&text);
  }
  unset(&s);
}
END_TEST

static const struct {
  row row;
  uint64_t peak;
} peaks[] = {
    {{"at root", BOX, "g.vectorize(x, 8);"}, 137 * 22 * 2},
    {{"two rows at a time", BOX, "h.compute_at(g, y);"}, 137 * 2 * 2},
    {{"inlined", BOX, "h.compute_inline();"}, 0},
};

START_TEST(tells_peaks_of_the_heap) {
  setting s;
  hy_profile points;
  set(&s, &peaks[_i].row);
  hy_profile_begin(hy_tgt_symbols(s.program.pipeline.filled));
  hy_outcome outcome = run(&s, HY_PROFILE_POINTS);
  hy_outcome_free(&outcome);
  hy_profile_end(&points);
  const hy_func *h = hy_alg_find(s.program.pipeline.alg, "h"), *g = hy_alg_find(s.program.pipeline.alg, "g");
  ck_assert_uint_eq(points.funcs[h->index].peak_bytes, peaks[_i].peak);
  ck_assert_uint_eq(points.funcs[g->index].peak_bytes, 0); // its caller's
  ck_assert_uint_eq(points.peak_bytes, peaks[_i].peak);
  hy_profile_free(&points);
  unset(&s);
}
END_TEST

Suite *codegen_profile_suite(void) {
  Suite *suite = suite_create("codegen_profile");
  TCase *tests = tcase_create("profile");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, counts_what_is_stored, 0, (int)HY_COUNT(rows));
  tcase_add_loop_test(tests, adds_up, 0, (int)HY_COUNT(rows));
  tcase_add_loop_test(tests, tells_the_slow_func, 0, (int)HY_COUNT(slow_rows));
  tcase_add_loop_test(tests, plain_code_has_nothing_of_it, 0, (int)HY_COUNT(rows));
  tcase_add_loop_test(tests, tells_peaks_of_the_heap, 0, (int)HY_COUNT(peaks));
  suite_add_tcase(suite, tests);
  return suite;
}
