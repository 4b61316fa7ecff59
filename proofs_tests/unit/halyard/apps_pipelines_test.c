/* apps/ against plain C: every schedule of every file, checked, compiled and run natively on odd sizes, sizes below a
 * vector and a tile, and negative origins; each pixel equals the C reference's (references.h, apps/apps.h).
 */

#include "bench/twins/app_inputs.h"
#include "halyard/pipeline.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/references.h"
#include "semantics/base/source_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APPS HALYARD_SOURCE_DIR "/apps"

enum { MARGIN = 160 }; // what Round and Shift may ask for beyond the window, and the blur's own pixel

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source_files *files; // included ones
  hy_source alg_source, sched_source;
  const hy_alg *alg;
  const hy_schedule *schedules;
  int count;
} app;

static char *read_text(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot read %s", path);
  char *text = calloc(1, 1 << 16);
  *length = fread(text, 1, (1 << 16) - 1, file);
  fclose(file);
  return text;
}

static void assert_quiet(const hy_diagnostics *diagnostics) {
  hy_text text = {0};
  hy_diagnostics_print(diagnostics, &text);
  ck_assert_msg(hy_diagnostics_errors(diagnostics) == 0, "%s", hy_text_string(&text));
  hy_text_free(&text);
}

// Of the paths of its two files, which stay where they are: what an algorithm includes lies beside it.
static app load(const char *alg_path, const char *sched_path) {
  app a = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new(), .files = hy_source_files_new()};
  hy_context_use_sources(a.context, hy_source_files_find, a.files);
  size_t length;
  char *text = read_text(alg_path, &length);
  a.alg_source = (hy_source){alg_path, text, length};
  text = read_text(sched_path, &length);
  a.sched_source = (hy_source){sched_path, text, length};
  a.alg = hy_parse_alg(a.context, &a.alg_source, a.diagnostics);
  hy_parse_schedules(a.context, &a.sched_source, a.diagnostics, &a.schedules, &a.count);
  assert_quiet(a.diagnostics);
  ck_assert_int_gt(a.count, 0);
  return a;
}

static void unload(app *a) {
  free((char *)a->alg_source.text);
  free((char *)a->sched_source.text);
  hy_diagnostics_free(a->diagnostics);
  hy_context_free(a->context);
  hy_source_files_free(a->files);
}

static hy_native *compile(app *a, const hy_schedule *schedule) {
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, a->context, a->alg, schedule, NULL);
  hy_oracle_options oracle = {.cross_check = false, .z3_limit = 2000};
  hy_answer answer = hy_pipeline_check(&pipeline, &oracle, a->diagnostics);
  assert_quiet(a->diagnostics);
  ck_assert_msg(answer == HY_YES, "%s is not proved", schedule->name);
  hy_codegen_options options = hy_codegen_default();
  return hy_pipeline_compile(&pipeline, &options);
}

static const reference_box windows[] = {
    {{0, 0}, {1, 1}},     {{0, 0}, {17, 5}},    {{-7, -3}, {33, 31}}, {{-300, -41}, {129, 67}},
    {{5, -9}, {257, 33}}, {{1, 1}, {100, 100}}, {{-1, 11}, {31, 1}},  {{40, -40}, {1, 65}},
};

static hy_buffer *new_buffer(hy_type type, reference_box box) {
  hy_buffer *buffer = hy_buffer_new(type, 2, box.min, box.len);
  ck_assert_ptr_nonnull(buffer);
  return buffer;
}

static reference_box widen(reference_box box, int64_t by) {
  return (reference_box){{box.min[0] - by, box.min[1] - by}, {box.len[0] + 2 * by, box.len[1] + 2 * by}};
}

// A small generator of its own: the test must not lean on the generated inputs that it is also a test of.
static void fill(hy_buffer *buffer, uint64_t seed) {
  size_t bytes = buffer->count * hy_type_bytes(buffer->type);
  for (size_t i = 0; i < bytes; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    buffer->data[i] = (uint8_t)(seed >> 56);
  }
}

static hy_buffer *run(const hy_native *native, const hy_value *params, const hy_buffer *image, hy_type type,
                      const reference_box *window, const char *name) {
  hy_buffer *out = new_buffer(type, *window);
  hy_input input = {params, &image, window->min, window->len};
  hy_native_result result;
  hy_native_run(native, &input, out, &result);
  ck_assert_msg(result.status == HY_RAN, "%s does not run on %ldx%ld: %d", name, (long)window->len[0],
                (long)window->len[1], (int)result.status);
  return out;
}

static void assert_same(const hy_buffer *out, const void *expected, const char *name, const reference_box *window) {
  size_t size = hy_type_bytes(out->type);
  for (size_t i = 0; i < out->count; i++)
    ck_assert_msg(memcmp(out->data + i * size, (const uint8_t *)expected + i * size, size) == 0,
                  "%s differs at (%ld, %ld) of a %ldx%ld window", name,
                  (long)(window->min[0] + (int64_t)i % window->len[0]),
                  (long)(window->min[1] + (int64_t)i / window->len[0]), (long)window->len[0], (long)window->len[1]);
}

static void box_blur(const hy_native *native, const char *name, const reference_box *window) {
  reference_box in_box = widen(*window, MARGIN);
  hy_buffer *in = new_buffer(HY_U16, in_box);
  fill(in, 1);
  hy_buffer *out = run(native, NULL, in, HY_U16, window, name);
  uint16_t *expected = calloc(out->count, sizeof *expected);
  reference_box_blur((const uint16_t *)in->data, &in_box, expected, window);
  assert_same(out, expected, name, window);
  free(expected);
  hy_buffer_free(in);
  hy_buffer_free(out);
}

static void figure1(const hy_native *native, const char *name, const reference_box *window) {
  for (int64_t w = 0; w <= 3; w += 1 + (w == 1)) {
    hy_value params[] = {hy_value_int(w)};
    hy_buffer *out = run(native, params, NULL, HY_F32, window, name);
    float *expected = calloc(out->count, sizeof *expected);
    reference_figure1(w, expected, window);
    assert_same(out, expected, name, window);
    free(expected);
    hy_buffer_free(out);
  }
}

static void histogram(const hy_native *native, const char *name, const reference_box *window) {
  hy_buffer *in = new_buffer(HY_U8, *window);
  fill(in, 2);
  for (size_t i = 0; i < in->count; i++) in->data[i] = (uint8_t)(in->data[i] / 3 + 40);
  hy_buffer *out = run(native, NULL, in, HY_U8, window, name);
  uint8_t *expected = calloc(out->count, sizeof *expected);
  reference_histogram(in->data, window, expected, window);
  assert_same(out, expected, name, window);
  free(expected);
  hy_buffer_free(in);
  hy_buffer_free(out);
}

static void scene(const hy_native *native, const char *name, const reference_box *window) {
  reference_box moved = {{window->min[0] + 900, window->min[1] + 800}, {window->len[0], window->len[1]}};
  hy_buffer *out = run(native, NULL, NULL, HY_U16, &moved, name);
  uint16_t *expected = calloc(out->count, sizeof *expected);
  reference_scene(expected, &moved);
  assert_same(out, expected, name, &moved);
  free(expected);
  hy_buffer_free(out);
}

static const struct {
  const char *alg, *sched;
  void (*compare)(const hy_native *native, const char *name, const reference_box *window);
} rows[] = {
    {APPS "/box_blur.alg", APPS "/box_blur.sched", box_blur},
    {APPS "/figure1.alg", APPS "/figure1.sched", figure1},
    {APPS "/histogram.alg", APPS "/histogram.sched", histogram},
    {APPS "/scene.alg", APPS "/scene.sched", scene},
};

START_TEST(native_equals_c) {
  app a = load(rows[_i].alg, rows[_i].sched);
  for (int s = 0; s < a.count; s++) {
    hy_native *native = compile(&a, &a.schedules[s]);
    for (size_t i = 0; i < HY_COUNT(windows); i++) rows[_i].compare(native, a.schedules[s].name, &windows[i]);
    hy_native_free(native);
  }
  unload(&a);
}
END_TEST

/* -- those of apps.def -- */

// Sizes of one pixel, of less than a vector or a tile, of neither's multiple; where the image begins.
static const int64_t sizes[][2][2] = {
    {{1, 1}, {0, 0}}, {{17, 5}, {0, 0}}, {{33, 31}, {-7, -3}}, {{129, 67}, {-300, -41}}, {{70, 140}, {5, -9}},
};

static void compare_app(const app_inputs *inputs, const app *a, const hy_native *native, const char *name,
                        size_t size) {
  app_run run;
  int64_t most = inputs->most ? inputs->most : INT64_MAX, width = sizes[size][0][0], height = sizes[size][0][1];
  app_run_init(&run, inputs, a->alg, (int64_t[]){width < most ? width : most, height < most ? height : most},
               sizes[size][1]);
  hy_input input = app_run_input(&run);
  hy_native_result result;
  hy_native_run(native, &input, run.out, &result);
  ck_assert_msg(result.status == HY_RAN, "%s:%s does not run at %ldx%ld: %d", inputs->name, name,
                (long)sizes[size][0][0], (long)sizes[size][0][1], (int)result.status);
  inputs->reference(&run.call);
  size_t bytes = hy_type_bytes(run.out->type);
  for (size_t i = 0; i < run.out->count; i++)
    ck_assert_msg(memcmp(run.out->data + i * bytes, run.expected->data + i * bytes, bytes) == 0,
                  "%s:%s differs from plain C at element %zu of %ldx%ld", inputs->name, name, i,
                  (long)sizes[size][0][0], (long)sizes[size][0][1]);
  app_run_free(&run);
}

START_TEST(native_equals_reference) {
  const app_inputs *inputs = &app_inputs_list[_i];
  char alg[512], sched[512];
  app_path(alg, APPS, inputs, "alg");
  app_path(sched, APPS, inputs, "sched");
  app a = load(alg, sched);
  for (int s = 0; s < a.count; s++) {
    hy_native *native = compile(&a, &a.schedules[s]);
    for (size_t i = 0; i < HY_COUNT(sizes); i++) compare_app(inputs, &a, native, a.schedules[s].name, i);
    hy_native_free(native);
  }
  unload(&a);
}
END_TEST

// An image that is one pixel short is refused before anything runs, by every schedule: the entry check (D14, D25).
START_TEST(short_image_is_refused) {
  static const reference_box window = {{0, 0}, {70, 70}};
  app a = load(APPS "/box_blur.alg", APPS "/box_blur.sched");
  for (int s = 0; s < a.count; s++) {
    hy_native *native = compile(&a, &a.schedules[s]);
    for (int side = 0; side < 4; side++) {
      reference_box box = widen(window, MARGIN);
      if (side < 2)
        box.min[side] = 0, box.len[side] = 70 + MARGIN;
      else
        box.len[side - 2] = 70 + MARGIN;
      hy_buffer *in = new_buffer(HY_U16, box), *out = new_buffer(HY_U16, window);
      const hy_buffer *images[] = {in};
      hy_input input = {NULL, images, window.min, window.len};
      hy_native_result result;
      hy_native_run(native, &input, out, &result);
      ck_assert_msg(result.status == HY_RUN_ASSUME, "%s accepts a short image", a.schedules[s].name);
      ck_assert_ptr_nonnull(result.failed);
      ck_assert_int_eq(result.failed->assume.why, HY_ASSUME_IMAGE);
      hy_buffer_free(in);
      hy_buffer_free(out);
    }
    hy_native_free(native);
  }
  unload(&a);
}
END_TEST

Suite *apps_pipelines_suite(void) {
  Suite *suite = suite_create("apps_pipelines");
  TCase *apps = tcase_create("apps");
  tcase_set_timeout(apps, 300);
  tcase_add_loop_test(apps, native_equals_c, 0, (int)HY_COUNT(rows));
  tcase_add_loop_test(apps, native_equals_reference, 0, app_inputs_count);
  tcase_add_test(apps, short_image_is_refused);
  suite_add_tcase(suite, apps);
  return suite;
}
