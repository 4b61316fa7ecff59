// What a run computes when nobody says so, what generated inputs look like, and how outputs are compared.

#include "cli/session/arguments.h"
#include "engines/engine.h"
#include "engines/evaluate.h"
#include "halyard/sample.h"
#include "proofs_tests/suites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  hy_session session;
  hy_source source;
  hy_pipeline pipeline;
} fixture;

static void open_fixture(fixture *f, const char *text, uint64_t seed) {
  hy_options options = {.seed = seed, .cases = 8, .z3_limit = 1000};
  *f = (fixture){.source = {"test.alg", text, strlen(text)}};
  hy_session_init(&f->session, options, hy_diagnostics_new());
  f->session.alg = hy_parse_alg(f->session.context, &f->source, f->session.diagnostics);
  ck_assert_ptr_nonnull(f->session.alg);
  hy_session_pipeline(&f->session, 0, &f->pipeline);
  ck_assert_int_eq(hy_session_check(&f->session, &f->pipeline, false), HY_STATUS_FINE);
}

static void close_fixture(fixture *f) { hy_session_free(&f->session); }

/* -- the window that the inputs serve -- */

typedef struct {
  const char *text, *image, *second; // as after -i NAME=
  bool fits;
  int64_t min[2], len[2];
} window_row;

#define PIPELINE(body) "pipeline p(in: u8[2]) { fun f(x, y) = " body "; }"
#define TWO(body) "pipeline p(in: u8[2], im: u8[2]) { fun f(x, y) = " body "; }"

static const window_row rows[] = {
    {PIPELINE("in(x, y)"), "zero:10x8", NULL, true, {0, 0}, {10, 8}},
    {PIPELINE("in(x, y)"), "zero:10x8@-3,5", NULL, true, {-3, 5}, {10, 8}},
    {PIPELINE("in(x - 1, y) + in(x + 2, y + 3)"), "zero:10x8", NULL, true, {1, 0}, {7, 5}},
    {PIPELINE("in(x - 1, y) + in(x + 2, y + 3)"), "zero:10x8@100,-50", NULL, true, {101, -50}, {7, 5}},
    {PIPELINE("in(2*x, 3*y + 1)"), "zero:10x8", NULL, true, {0, 0}, {5, 3}},
    {PIPELINE("in(x / 2, y / 2)"), "zero:10x8", NULL, true, {0, 0}, {10, 8}},
    {PIPELINE("in(y, x)"), "zero:10x8", NULL, true, {0, 0}, {8, 10}},
    {PIPELINE("in(9 - x, y)"), "zero:10x8", NULL, true, {0, 0}, {10, 8}},
    {PIPELINE("in(9 - x, y)"), "zero:8x8", NULL, true, {2, 0}, {6, 8}},
    {PIPELINE("in(x, y)"), "zero:0x8", NULL, true, {0, 0}, {0, 8}},
    {PIPELINE("in(clamp(x, in.min(0), in.min(0) + in.len(0) - 1), y)"), "zero:10x8", NULL, true, {0, 0}, {10, 8}},
    {"pipeline p(in: u8[2]) { fun h() = { 0; rdom(r = (in.min(0), in.len(0))) in () <- h() + in(r, 0); };"
     " fun f(x, y) = h() + in(x, y + 1); }",
     "zero:10x8",
     NULL,
     true,
     {0, 0},
     {10, 7}},
    {TWO("in(x, y) + im(x, y)"), "zero:10x8", "zero:6x6@2,-1", true, {2, 0}, {6, 5}},
    {TWO("in(x / 2, y / 2) + im(x, y)"), "zero:5x4", "zero:10x8", true, {0, 0}, {10, 8}},
    {TWO("in(x / 2, y / 2) + im(x, y)"), "zero:4x4@1,0", "zero:10x8", true, {2, 0}, {8, 8}},
    {TWO("in(2*x, y) + im(x, y)"), "zero:10x8", "zero:20x8", true, {0, 0}, {5, 8}},
    {"pipeline p(in: u8[2], im: u8[1]) { fun f(x, y) = in(clamp(x, 0, 9), y) + im(x); }",
     "zero:10x8",
     "zero:20",
     true,
     {0, 0},
     {10, 8}},
    {PIPELINE("in(x - 1, y) + in(x + 1, y)"), "zero:2x8", NULL, false, {0}, {0}},
    {PIPELINE("in(x, y) + in(100, 100)"), "zero:10x8", NULL, false, {0}, {0}},
    {TWO("in(x, y) + im(x, y)"), "zero:10x8", "zero:6x6@20,0", false, {0}, {0}},
};

static void give_image(fixture *f, const char *name, const char *value) {
  hy_setting setting = {strdup(name), value};
  hy_vec_push(&f->session.options.images, setting);
}

START_TEST(finds_the_window) {
  fixture f;
  hy_arguments a;
  open_fixture(&f, rows[_i].text, 1);
  give_image(&f, "in", rows[_i].image);
  if (rows[_i].second) give_image(&f, "im", rows[_i].second);
  ck_assert_int_eq(hy_arguments_bind(&f.session, &a), HY_STATUS_FINE);
  hy_status status = hy_arguments_window(&f.session, &a, f.pipeline.filled, &f.pipeline);
  ck_assert_int_eq(status, rows[_i].fits ? HY_STATUS_FINE : HY_STATUS_WRONG);
  for (int d = 0; rows[_i].fits && d < 2; d++) {
    ck_assert_int_eq(a.window_min[d], rows[_i].min[d]);
    ck_assert_int_eq(a.window_len[d], rows[_i].len[d]);
  }
  if (rows[_i].fits) ck_assert_ptr_null(hy_entry_failure(f.pipeline.filled, &a.input));
  if (!rows[_i].fits) ck_assert_int_eq(hy_diagnostics_at(f.session.diagnostics, 0)->code, HY_E_RUN_NO_WINDOW);
  hy_arguments_free(&a);
  close_fixture(&f);
}
END_TEST

/* -- generated inputs -- */

static const char *const sampled[] = {
    PIPELINE("in(x - 1, y) + in(x + 2, y + 3)"),
    TWO("in(x, 2*y) + im(y, x / 3)"),
    ("pipeline p(in: u8[2]) { fun h(i) = { 0; rdom(r = (in.min(0), in.len(0)), s = (in.min(1), in.len(1))) in"
     " (int(in(r, s))) <- h(int(in(r, s))) + 1; }; fun f(x, y) = h(int(in(x, y))); }"),
    "pipeline p(w: int, a: f32) { fun f(x) = { a; rdom(r = (-w, 2*w + 1)) in (x) <- f(x) + f32(x + r); }; }",
    "pipeline p() { fun f() = 3; }",
};

// Every sample meets the entry checks; with an even number its images are exactly what is needed; the seed decides all.
START_TEST(samples) {
  fixture f;
  open_fixture(&f, sampled[_i], 11);
  const hy_sampler sampler = hy_session_sampler(&f.session);
  int usable = 0;
  for (int number = 0; number < 12; number++) {
    hy_arguments a, again;
    hy_text one = {0}, two = {0};
    bool made = hy_sample_make(&sampler, &f.pipeline, number, &a);
    usable += made;
    ck_assert_int_eq(hy_sample_make(&sampler, &f.pipeline, number, &again), made);
    hy_sample_print(f.session.alg, &a, &one);
    hy_sample_print(f.session.alg, &again, &two);
    ck_assert_str_eq(hy_text_string(&one), hy_text_string(&two));
    if (made) ck_assert_ptr_null(hy_entry_failure(f.pipeline.filled, &a.input));
    for (int k = 0; made && k < a.image_count; k++) {
      hy_region region;
      ck_assert(hy_region_needed(f.pipeline.filled, f.session.alg->images[k], &a.input, &region));
      for (int d = 0; number % 2 == 0 && !region.empty && d < 2; d++) {
        ck_assert_int_eq(a.images[k]->min[d], region.min[d]);
        ck_assert_int_eq(a.images[k]->len[d], region.len[d]);
      }
      ck_assert_mem_eq(a.images[k]->data, again.images[k]->data, a.images[k]->count);
    }
    hy_text_free(&one);
    hy_text_free(&two);
    hy_arguments_free(&a);
    hy_arguments_free(&again);
  }
  ck_assert_int_eq(usable, 12);
  close_fixture(&f);
}
END_TEST

/* -- regions -- */

START_TEST(reads_regions) {
  fixture f;
  hy_arguments a;
  hy_region region;
  open_fixture(&f, PIPELINE("in(x - 1, 2*y) + in(x + 2, 2*y + 3)"), 1);
  give_image(&f, "in", "zero:4x4");
  ck_assert_int_eq(hy_arguments_bind(&f.session, &a), HY_STATUS_FINE);
  a.window_min[0] = 5, a.window_len[0] = 3, a.window_min[1] = -2, a.window_len[1] = 2;
  ck_assert(hy_region_needed(f.pipeline.filled, f.session.alg->images[0], &a.input, &region));
  ck_assert(!region.empty);
  ck_assert_int_eq(region.min[0], 4);
  ck_assert_int_eq(region.len[0], 6);
  ck_assert_int_eq(region.min[1], -4);
  ck_assert_int_eq(region.len[1], 6);
  const hy_stmt *failed = hy_entry_failure(f.pipeline.filled, &a.input);
  ck_assert_ptr_nonnull(failed);
  ck_assert_int_eq(failed->assume.why, HY_ASSUME_IMAGE);
  a.window_len[0] = 0; // an empty window demands nothing
  ck_assert_ptr_null(hy_entry_failure(f.pipeline.filled, &a.input));
  hy_arguments_free(&a);
  close_fixture(&f);
}
END_TEST

/* -- comparing outputs -- */

static hy_buffer *four_floats(float a, float b, float c, float d) {
  const int64_t min[] = {-1, 3}, len[] = {2, 2};
  hy_buffer *buffer = hy_buffer_new(HY_F32, 2, min, len);
  memcpy(buffer->data, (float[]){a, b, c, d}, 16);
  return buffer;
}

// LVL.Output
START_TEST(compares) {
  hy_difference difference;
  hy_buffer *a = four_floats(1, NAN, 3, 0.0f), *b = four_floats(1, -NAN, 3, 0.0f);
  hy_compare(a, b, true, &difference);
  ck_assert(!difference.differs);
  ck_assert_uint_eq(difference.compared, 4);
  memcpy(b->data + 12, (float[]){-0.0f}, 4); // zeros differ by sign (decision D1)
  hy_compare(a, b, true, &difference);
  ck_assert(difference.differs);
  ck_assert_int_eq(difference.point[0], 0);
  ck_assert_int_eq(difference.point[1], 4);
  hy_buffer_add_errors(a);
  a->errors[3] = HY_ERROR_ARITH;
  hy_compare(a, b, false, &difference);
  ck_assert(!difference.differs);
  ck_assert_uint_eq(difference.compared, 3);
  ck_assert_uint_eq(difference.errors, 1);
  hy_compare(a, b, true, &difference);
  ck_assert(difference.differs);
  hy_buffer_add_errors(b);
  b->errors[3] = HY_ERROR_MEM;
  hy_compare(a, b, true, &difference);
  ck_assert(difference.differs); // the kind counts
  b->errors[3] = HY_ERROR_ARITH;
  hy_compare(a, b, true, &difference);
  ck_assert(!difference.differs);
  b->errors[0] = HY_ERROR_ARITH; // an error where there should be a value
  hy_compare(a, b, false, &difference);
  ck_assert(difference.differs);
  int64_t point[2];
  hy_error error;
  ck_assert(hy_first_error(b, point, &error));
  ck_assert_int_eq(point[0], -1);
  ck_assert_int_eq(point[1], 3);
  hy_buffer_free(a);
  hy_buffer_free(b);
}
END_TEST

// Of several outputs all are compared (D81), and whose point it is, is told.
START_TEST(compares_every_output) {
  hy_difference difference;
  hy_buffer *a = four_floats(1, 2, 3, 4), *b = four_floats(1, 2, 3, 4);
  a->next = four_floats(5, 6, 7, 8), b->next = four_floats(5, 6, 7, 8);
  hy_compare(a, b, true, &difference);
  ck_assert(!difference.differs);
  ck_assert_uint_eq(difference.compared, 8);
  memcpy(b->next->data + 4, (float[]){9}, 4);
  hy_compare(a, b, true, &difference);
  ck_assert(difference.differs);
  ck_assert_int_eq(difference.part, 1);
  ck_assert_int_eq(difference.point[0], 0);
  ck_assert_int_eq(difference.point[1], 3);
  memcpy(b->data, (float[]){9}, 4); // the first of them counts
  hy_compare(a, b, true, &difference);
  ck_assert_int_eq(difference.part, 0);
  ck_assert_int_eq(difference.point[0], -1);
  hy_buffer_free(a);
  hy_buffer_free(b);
}
END_TEST

// --window x=.. is of every output that has an x, f.x=.. of one; every side of every output is said once.
static const struct {
  const char *sides[4]; // MIN is 10 + their place, LEN 20 + it
  hy_status status;
  int64_t min[3]; // of f.x, f.y, g.x
} several[] = {
    {{"f.x", "f.y", "g.x"}, HY_STATUS_FINE, {10, 11, 12}},
    {{"x", "y"}, HY_STATUS_FINE, {10, 11, 10}},
    {{"g.x", "x", "y"}, HY_STATUS_FINE, {11, 12, 10}},
    {{"f.x", "f.y"}, HY_STATUS_USAGE, {0}},
    {{"x", "y", "h.x"}, HY_STATUS_USAGE, {0}},
    {{"x", "y", "g.y"}, HY_STATUS_USAGE, {0}},
    {{"f.x", "g.x", "f"}, HY_STATUS_USAGE, {0}},
};

START_TEST(windows_of_several_outputs) {
  fixture f;
  hy_arguments a;
  open_fixture(&f, "pipeline p() -> (f, g) { fun f(x, y) = x + y; fun g(x) = f(x, 0); }", 1);
  ck_assert_int_eq(hy_arguments_bind(&f.session, &a), HY_STATUS_FINE);
  for (int i = 0; i < 4 && several[_i].sides[i]; i++) {
    hy_window_side side = {strdup(several[_i].sides[i]), 10 + i, 20 + i};
    hy_vec_push(&f.session.options.window, side);
  }
  ck_assert_int_eq(hy_arguments_window_given(&f.session, &a), several[_i].status);
  for (int d = 0; several[_i].status == HY_STATUS_FINE && d < 3; d++) {
    ck_assert_int_eq(a.window_min[d], several[_i].min[d]);
    ck_assert_int_eq(a.window_len[d], several[_i].min[d] + 10);
  }
  hy_arguments_free(&a);
  close_fixture(&f);
}
END_TEST

START_TEST(checksums) {
  hy_buffer *a = four_floats(1, NAN, 3, 4), *b = four_floats(1, -NAN, 3, 4), *c = four_floats(1, 2, 3, 4);
  ck_assert_uint_eq(hy_checksum(a), hy_checksum(b));
  ck_assert_uint_ne(hy_checksum(a), hy_checksum(c));
  hy_buffer_free(a);
  hy_buffer_free(b);
  hy_buffer_free(c);
}
END_TEST

static const struct {
  hy_type type;
  uint64_t a, b;
  bool same;
} fingerprint_rows[] = {
    {HY_F32, 0x7fc00000, 0xff800001, true},  // NaNs
    {HY_F32, 0x7f800000, 0x7fc00000, false}, // infinity is none
    {HY_F32, 0x00000000, 0x80000000, false}, // zeros are two
    {HY_F32, 0xffc00000, 0x7fffffff, true},
    {HY_F64, 0x7ff0000000000001, 0xfff8000000000000, true},
    {HY_F64, 0x7ff0000000000000, 0xfff8000000000000, false},
    {HY_F16, 0x7c01, 0xfe00, true},
    {HY_F16, 0x7c00, 0xfe00, false},
    {HY_BF16, 0x7f81, 0xffc0, true},
    {HY_BF16, 0x7f80, 0xffc0, false},
    {HY_U32, 0x7fc00000, 0xff800001, false}, // no floats
    {HY_U8, 1, 129, false},
    {HY_I64, 1, 0x8000000000000001, false},
    {HY_BOOL, 0, 1, false},
};

// Each element counts, wherever it stands: of 13, which fill no whole number of words.
START_TEST(fingerprints) {
  enum { COUNT = 13 };
  hy_type type = fingerprint_rows[_i].type;
  size_t bytes = hy_type_bytes(type);
  int64_t min = 0, len = COUNT;
  hy_buffer *a = hy_buffer_new(type, 1, &min, &len), *b = hy_buffer_new(type, 1, &min, &len);
  uint64_t seen[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    memset(a->data, 0, COUNT * bytes);
    memset(b->data, 0, COUNT * bytes);
    memcpy(a->data + i * bytes, &fingerprint_rows[_i].a, bytes);
    memcpy(b->data + i * bytes, &fingerprint_rows[_i].b, bytes);
    seen[i] = hy_fingerprint(b);
    ck_assert_int_eq(hy_fingerprint(a) == seen[i], fingerprint_rows[_i].same);
    for (size_t k = 0; k < i; k++) ck_assert_uint_ne(seen[i], seen[k]);
  }
  hy_buffer_free(a);
  hy_buffer_free(b);
}
END_TEST

START_TEST(worst_status_counts) {
  ck_assert_int_eq(hy_status_worse(HY_STATUS_WRONG, HY_STATUS_UNDECIDED), HY_STATUS_WRONG);
  ck_assert_int_eq(hy_status_worse(HY_STATUS_UNDECIDED, HY_STATUS_WRONG), HY_STATUS_WRONG);
  ck_assert_int_eq(hy_status_worse(HY_STATUS_FINE, HY_STATUS_UNDECIDED), HY_STATUS_UNDECIDED);
  ck_assert_int_eq(hy_status_worse(HY_STATUS_DEFECT, HY_STATUS_WRONG), HY_STATUS_DEFECT);
  ck_assert_int_eq(hy_status_worse(HY_STATUS_FINE, HY_STATUS_FINE), HY_STATUS_FINE);
}
END_TEST

Suite *driver_window_suite(void) {
  Suite *suite = suite_create("driver_window");
  TCase *tests = tcase_create("inputs");
  tcase_add_loop_test(tests, finds_the_window, 0, (int)HY_COUNT(rows));
  tcase_add_loop_test(tests, samples, 0, (int)HY_COUNT(sampled));
  tcase_add_test(tests, reads_regions);
  tcase_add_test(tests, compares);
  tcase_add_test(tests, compares_every_output);
  tcase_add_loop_test(tests, windows_of_several_outputs, 0, (int)HY_COUNT(several));
  tcase_add_test(tests, checksums);
  tcase_add_loop_test(tests, fingerprints, 0, (int)HY_COUNT(fingerprint_rows));
  tcase_add_test(tests, worst_status_counts);
  suite_add_tcase(suite, tests);
  return suite;
}
