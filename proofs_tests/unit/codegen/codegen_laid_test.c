// Buffers that lie as a schedule says, or otherwise: GEN.Laid, DIR.Set-Stride; or have to: GEN.Demand.

#include "codegen/codegen.h"
#include "codegen/runtime/runtime.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/storage/strides.h"

#include <string.h>

/* -- strides of a box -- */

static const struct {
  const char *name;
  int rank;
  int64_t wanted[3], len[3], stride[3], span; // span 0: it does not lie so
} boxes[] = {{"nothing is wanted", 3, {1}, {5, 4, 3}, {1, 5, 20}, 60},
             {"interleaved", 3, {3, 0, 1}, {5, 4, 3}, {3, 15, 1}, 60},
             {"with a gap in each pixel", 3, {4, 0, 1}, {5, 4, 3}, {4, 19, 1}, 76},
             {"every third", 1, {3}, {5}, {3}, 13},
             {"the channel alone", 3, {0, 0, 1}, {5, 4, 3}, {3, 15, 1}, 60},
             {"rows of a fixed length", 2, {1, 8}, {8, 4}, {1, 8}, 32},
             {"rows that are too long", 2, {1, 8}, {9, 4}, {0}, 0},
             {"more channels than fit", 3, {3, 0, 1}, {5, 4, 4}, {0}, 0},
             {"two of one stride", 2, {2, 2}, {2, 2}, {0}, 0},
             {"two of one stride, one of them short", 2, {2, 2}, {2, 1}, {2, 2}, 3},
             {"no elements", 3, {3, 0, 1}, {5, 0, 4}, {0}, 0},
             {"no channels", 3, {3, 0, 1}, {5, 4, 0}, {3, 13, 1}, 52},
             {"beyond any memory", 3, {1 << 30, 0, 1}, {1 << 30, 1 << 30, 1}, {0}, 0}};

START_TEST(strides) {
  hy_strides wanted = {{0}};
  int64_t stride[HY_MAX_RANK], span;
  memcpy(wanted.of, boxes[_i].wanted, sizeof boxes[_i].wanted);
  bool fits = hy_strides_lay(&wanted, boxes[_i].rank, boxes[_i].len, stride, &span);
  ck_assert_msg(fits == (boxes[_i].span > 0), "%s", boxes[_i].name);
  if (!fits) return;
  ck_assert_msg(span == boxes[_i].span, "%s: %lld", boxes[_i].name, (long long)span);
  for (int d = 0; d < boxes[_i].rank; d++) ck_assert_msg(stride[d] == boxes[_i].stride[d], "%s", boxes[_i].name);
}
END_TEST

START_TEST(what_is_dense) {
  hy_strides third = {.of = {0, 0, 1}}, first = {.of = {3}}, none = {{0}}, second = {.of = {0, 100}};
  ck_assert_int_eq(hy_strides_wanted(&third, 3).of[0], 0); // the third is, so that the first need not be
  ck_assert_int_eq(hy_strides_wanted(&first, 3).of[0], 3);
  ck_assert_int_eq(hy_strides_wanted(&none, 3).of[0], 1);
  ck_assert_int_eq(hy_strides_wanted(&second, 2).of[0], 1);
  ck_assert_int_eq(hy_strides_wanted(&none, 0).of[0], 0);
}
END_TEST

/* -- code -- */

#define INTERLEAVED "f.set_stride(x, 3).set_stride(c, 1);\n  in.set_stride(0, 3).set_stride(2, 1);\n  "
static const char *const schedules[] = {
    INTERLEAVED, (INTERLEAVED "f.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 8);\n  "),
    "f.set_stride(x, 4).set_stride(c, 1).bound(c, 0, 3).reorder(c, x, y).vectorize(x, 4).parallel(y);\n  ",
    "in.set_stride(0, 2).set_stride(2, 1000000);\n  g.compute_root();\n  ",
    "in.set_stride(2, 1).set_stride(0, 3);\n  f.set_stride(y, 1).vectorize(y, 4).parallel(c);\n  "};

static const char alg[] = "pipeline p(in: i16[3], mask: i16[2]) {\n"
                          "  fun g(x, y, c) = in(x, y, c) + in(x + 1, y, 2 - c);\n"
                          "  fun f(x, y, c) = g(x, y, c) * mask(x, y);\n}\n";

static hy_native *compile(test_program *p, const char *items) {
  hy_codegen_options options = hy_codegen_default();
  test_program_open(p, alg, items);
  ck_assert_msg(p->parsed && hy_pipeline_schedule(&p->pipeline, p->diagnostics) &&
                    hy_pipeline_fill(&p->pipeline, p->diagnostics),
                "%s", test_program_said(p));
  return hy_native_compile(p->context, hy_passes(p->context, p->pipeline.filled, NULL, NULL), &options);
}

// How a buffer lies: as the program says; dense; by other strides, which only its first dimension may not have.
typedef enum { AS_SAID, DENSE, SPREAD, SCATTERED, WAYS } way;

static hy_buffer *lay(const test_program *p, const hy_func *func, const hy_buffer *buffer, way way) {
  static const hy_strides spread = {.of = {1, 40, 900}}, scattered = {.of = {2, 0, 5000}};
  const hy_strides *said = hy_tgt_strides(p->pipeline.filled, func);
  hy_strides wanted = hy_strides_wanted(said && way == AS_SAID ? said : &(hy_strides){{0}}, func->rank);
  if (way == SPREAD) wanted = spread;
  if (way == SCATTERED) wanted = scattered;
  int64_t stride[HY_MAX_RANK], span;
  ck_assert(hy_strides_lay(&wanted, func->rank, buffer->len, stride, &span));
  hy_buffer *laid = hy_buffer_new_laid(buffer, stride, span, 1);
  hy_buffer_copy(buffer, laid);
  return laid;
}

typedef struct {
  hy_buffer *in, *mask, *out; // dense, with what they hold, or should
} buffers;

static buffers make_buffers(int64_t width) {
  int64_t in_min[] = {-2, 1, 0}, in_len[] = {width + 3, 6, 3}, min[] = {-1, 2, 0}, len[] = {width, 4, 3};
  buffers b = {hy_buffer_new(HY_I16, 3, in_min, in_len), hy_buffer_new(HY_I16, 2, in_min, in_len),
               hy_buffer_new(HY_I16, 3, min, len)};
  uint64_t state = 5;
  for (size_t i = 0; i < b.in->count; i++)
    ((int16_t *)b.in->data)[i] = (int16_t)((state = state * 6364136223846793005u + 1) >> 40);
  for (size_t i = 0; i < b.mask->count; i++) ((int16_t *)b.mask->data)[i] = (int16_t)(i * 7);
  for (int64_t c = 0; c < 3; c++)
    for (int64_t y = 2; y < 6; y++)
      for (int64_t x = -1; x < width - 1; x++) {
        int64_t a = hy_buffer_get(b.in, (int64_t[]){x, y, c}).i,
                other = hy_buffer_get(b.in, (int64_t[]){x + 1, y, 2 - c}).i;
        int64_t value = hy_value_integral(HY_I16, a + other).i * hy_buffer_get(b.mask, (int64_t[]){x, y}).i;
        hy_buffer_set(b.out, (int64_t[]){x, y, c}, hy_value_integral(HY_I16, value));
      }
  return b;
}

static void free_buffers(buffers *b) {
  hy_buffer_free(b->in);
  hy_buffer_free(b->mask);
  hy_buffer_free(b->out);
}

static hy_native_buffer native_buffer(const hy_buffer *b, hy_native_dimension *dim) {
  for (int d = 0; d < b->rank; d++)
    dim[d] = (hy_native_dimension){(int32_t)b->min[d], (int32_t)b->len[d], (int32_t)b->stride[d], 0};
  return (hy_native_buffer){.host = b->data, .type = {HY_NATIVE_CODE_INT, 16, 1}, .dimensions = b->rank, .dim = dim};
}

static bool is_dense(const hy_buffer *b) { return b->len[0] <= 1 || b->stride[0] == 1; }

static bool lies_so(const test_program *p, const hy_func *func, const hy_buffer *b) {
  const hy_strides *said = hy_tgt_strides(p->pipeline.filled, func);
  if (!said) return is_dense(b);
  hy_strides wanted = hy_strides_wanted(said, func->rank);
  for (int d = 0; d < b->rank; d++)
    if (wanted.of[d] && b->len[d] > 1 && b->stride[d] != wanted.of[d]) return false;
  return true;
}

static void check_output(const hy_buffer *got, const buffers *b, const char *items, way in, way out) {
  hy_buffer *dense = hy_buffer_new(HY_I16, 3, got->min, got->len);
  hy_buffer_copy(got, dense);
  if (memcmp(dense->data, b->out->data, dense->count * 2) != 0)
    ck_abort_msg("%sthe image in way %d, the output in way %d: another output", items, (int)in, (int)out);
  hy_buffer_free(dense);
}

// What fits is taken, with the right values; what does not is refused, and nothing is written.
static void check_ways(const test_program *p, hy_native *native, const buffers *b, const char *items, way in, way out) {
  const hy_alg *a = p->pipeline.filled->alg;
  hy_native_dimension dims[3][3];
  hy_buffer *image = lay(p, a->images[0], b->in, in), *blank = hy_buffer_new(HY_I16, 3, b->out->min, b->out->len);
  hy_buffer *got = lay(p, a->output, blank, out);
  hy_native_buffer passed[] = {native_buffer(image, dims[0]), native_buffer(b->mask, dims[1]),
                               native_buffer(got, dims[2])};
  void *args[] = {&passed[0], &passed[1], &passed[2]};
  bool so = lies_so(p, a->images[0], image) && lies_so(p, a->output, got), dense = is_dense(image) && is_dense(got);
  int32_t status = hy_native_argv_entry(native)(args);
  ck_assert_msg(status == (so || dense ? 0 : HY_NATIVE_BAD_BUFFER), "%sways %d, %d: status %d", items, (int)in,
                (int)out, status);
  if (status)
    for (size_t i = 0; i < got->count; i++) ck_assert_int_eq(got->data[i], 0);
  else
    check_output(got, b, items, in, out);
  hy_buffer_free(image);
  hy_buffer_free(blank);
  hy_buffer_free(got);
}

static const int64_t widths[] = {1, 2, 19, 32};

START_TEST(ways) {
  const char *items = schedules[_i / 4];
  test_program p;
  hy_native *native = compile(&p, items);
  buffers b = make_buffers(widths[_i % 4]);
  for (int in = 0; in < WAYS; in++)
    for (int out = 0; out < WAYS; out++) check_ways(&p, native, &b, items, (way)in, (way)out);
  free_buffers(&b);
  hy_native_free(native);
  test_program_close(&p);
}
END_TEST

// A run of Halyard's own lays them so.
START_TEST(own_runs) {
  test_program p;
  hy_native *native = compile(&p, schedules[_i]);
  buffers b = make_buffers(23);
  const hy_buffer *images[] = {b.in, b.mask};
  hy_input input = {NULL, images, b.out->min, b.out->len};
  hy_buffer *blank = hy_buffer_new(HY_I16, 3, b.out->min, b.out->len);
  hy_native_laid_run run;
  ck_assert(hy_native_lays(native) && hy_native_lay(native, &input, blank, &run));
  ck_assert(lies_so(&p, p.pipeline.filled->alg->images[0], run.images[0]));
  ck_assert(lies_so(&p, p.pipeline.filled->alg->output, run.output));
  hy_native_result result;
  hy_native_run(native, &run.input, run.output, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  hy_native_take_laid(&run, blank);
  check_output(blank, &b, schedules[_i], AS_SAID, AS_SAID);
  hy_native_laid_free(&run);
  hy_buffer_free(blank);
  free_buffers(&b);
  hy_native_free(native);
  test_program_close(&p);
}
END_TEST

// Four channels do not lie three apart: the buffers stay what they are.
START_TEST(boxes_that_do_not_lie_so) {
  test_program p;
  hy_native *native = compile(&p, schedules[0]);
  int64_t min[] = {0, 0, 0}, len[] = {9, 3, 4};
  hy_buffer *in = hy_buffer_new(HY_I16, 3, min, len), *mask = hy_buffer_new(HY_I16, 2, min, len);
  len[2] = 3;
  hy_buffer *out = hy_buffer_new(HY_I16, 3, min, len);
  hy_input input = {NULL, (const hy_buffer *[]){in, mask}, min, len};
  hy_native_laid_run run;
  ck_assert(hy_native_lays(native) && !hy_native_lay(native, &input, out, &run));
  hy_buffer_free(in);
  hy_buffer_free(mask);
  hy_buffer_free(out);
  hy_native_free(native);
  test_program_close(&p);
}
END_TEST

/* -- what is demanded: GEN.Demand, DIR.Require-Stride, DIR.Host-Alignment -- */

#define DEMANDED "f.require_stride(x, 3).require_stride(c, 1);\n  in.require_stride(0, 3).require_stride(2, 1);\n  "
#define BETTER "f.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 8);\n  "

// GEN.Demand: addresses a demanded multiple apart from aligned ones, and other strides, are refused before anything is written.
START_TEST(others_are_refused) {
  test_program p;
  hy_native *native = compile(&p, DEMANDED BETTER "f.set_host_alignment(128); in.set_host_alignment(128);");
  buffers b = make_buffers(23);
  const hy_buffer *images[] = {b.in, b.mask};
  hy_input input = {NULL, images, b.out->min, b.out->len};
  hy_buffer *blank = hy_buffer_new(HY_I16, 3, b.out->min, b.out->len);
  hy_native_laid_run run;
  hy_native_result result;
  hy_native_run(native, &input, blank, &result);
  ck_assert_msg(result.status == HY_RUN_LIMIT, "dense buffers are taken");
  ck_assert(hy_native_lay(native, &input, blank, &run));
  hy_native_run(native, &run.input, run.output, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  hy_native_take_laid(&run, blank);
  check_output(blank, &b, DEMANDED, AS_SAID, AS_SAID);
  for (int i = 0; i < 2; i++) { // by half of what is demanded
    uint8_t **data = i ? &run.output->data : &run.images[0]->data;
    *data += 64;
    hy_native_run(native, &run.input, run.output, &result);
    *data -= 64;
    ck_assert_msg(result.status == HY_RUN_LIMIT, "memory that begins elsewhere is taken");
  }
  hy_native_laid_free(&run);
  hy_buffer_free(blank);
  free_buffers(&b);
  hy_native_free(native);
  test_program_close(&p);
}
END_TEST

static void print_code(const char *items, bool optimized, hy_text *text) {
  hy_codegen_options options = hy_codegen_default();
  test_program p;
  test_program_open(&p, alg, items);
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) &&
            hy_pipeline_fill(&p.pipeline, p.diagnostics));
  const hy_tgt *passed = hy_passes(p.context, p.pipeline.filled, NULL, NULL);
  if (optimized)
    hy_native_print_llvm(p.context, passed, &options, true, text);
  else
    hy_native_object(p.context, passed, &options, text);
  test_program_close(&p);
}

// Code for other buffers is not made, so that an object is smaller.
START_TEST(one_version_is_made) {
  hy_text wished = {0}, demanded = {0};
  print_code(INTERLEAVED BETTER, false, &wished);
  print_code(DEMANDED BETTER, false, &demanded);
  ck_assert_msg(10 * demanded.length < 9 * wished.length, "%zu bytes of %zu", demanded.length, wished.length);
  hy_text_free(&wished);
  hy_text_free(&demanded);
}
END_TEST

// GEN.Demand: rows of a multiple of 16 elements that begin so: then every vector is aligned, where that much is known.
static const struct {
  const char *items, *align;
  bool everywhere; // not all stores are f's
} vectors[] = {
    {"f.require_stride(y, 64).require_stride(c, 4096).vectorize(x, 16);", "align 2,", true},
    {"f.require_stride(y, 64).require_stride(c, 4096).vectorize(x, 16).set_host_alignment(32);", "align 32,", false},
    {"f.vectorize(x, 16).set_host_alignment(32);", "align 2,", true}, // rows begin anywhere
};

START_TEST(alignment_is_counted_on) {
  const char *wanted = vectors[_i].align;
  hy_text code = {0};
  print_code(vectors[_i].items, true, &code);
  int found = 0, all = 0;
  for (const char *store = hy_text_string(&code); (store = strstr(store, "store <16 x i16>")); store++) {
    const char *align = strstr(store, "align ");
    all++, found += align && strncmp(align, wanted, strlen(wanted)) == 0;
  }
  ck_assert_msg(found > 0 && (!vectors[_i].everywhere || found == all), "%d of %d", found, all);
  hy_text_free(&code);
}
END_TEST

Suite *codegen_laid_suite(void) {
  Suite *suite = suite_create("codegen_laid");
  TCase *tests = tcase_create("laid");
  tcase_set_timeout(tests, 300);
  tcase_add_loop_test(tests, strides, 0, (int)HY_COUNT(boxes));
  tcase_add_test(tests, what_is_dense);
  tcase_add_loop_test(tests, ways, 0, 4 * (int)HY_COUNT(schedules));
  tcase_add_loop_test(tests, own_runs, 0, (int)HY_COUNT(schedules));
  tcase_add_test(tests, boxes_that_do_not_lie_so);
  tcase_add_test(tests, others_are_refused);
  tcase_add_test(tests, one_version_is_made);
  tcase_add_loop_test(tests, alignment_is_counted_on, 0, (int)HY_COUNT(vectors));
  suite_add_tcase(suite, tests);
  return suite;
}
