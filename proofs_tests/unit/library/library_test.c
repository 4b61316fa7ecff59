// The library (include/halyard.h): what it makes is what the language says, every wrong use is told with the call's
// name, nothing is written before all was looked at, and nothing is left behind.

#include "include/halyard.h"

#include "library/library_internal.h"
#include "proofs_tests/suites.h"

#include <fenv.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) {\n"                                                                                      \
  "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"                                                   \
  "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n"
#define TILED "bv.tile(x, y, xi, yi, 8, 4).parallel(y); bh.compute_at(bv, x);"

enum { W = 20, H = 12 };

typedef struct {
  halyard_context *context;
  halyard_pipeline *pipeline;
  halyard_result *result;
  halyard_code *code;
  uint16_t in[H + 2][W + 2], out[H][W];
  halyard_buffer image, output;
} scene;

static const char *error_of(const halyard_context *context) {
  return halyard_error_message(halyard_last_error(context));
}

static void open_blur(scene *s) {
  *s = (scene){.context = halyard_context_new(NULL)};
  s->pipeline = halyard_parse(s->context, BLUR);
  ck_assert_msg(s->pipeline != NULL, "%s", error_of(s->context));
  ck_assert(halyard_schedule(s->pipeline, TILED));
  s->result = halyard_check(s->pipeline);
  ck_assert_int_eq(halyard_result_answer(s->result), HALYARD_YES);
  s->code = halyard_compile(s->result);
  ck_assert_msg(s->code != NULL, "%s", error_of(s->context));
  for (int y = 0; y < H + 2; y++)
    for (int x = 0; x < W + 2; x++) s->in[y][x] = (uint16_t)(x * 7 + y * y * 13);
  s->image = halyard_dense(s->in, HALYARD_U16, W + 2, H + 2, 0);
  s->image.min[0] = s->image.min[1] = -1;
  s->output = halyard_dense(s->out, HALYARD_U16, W, H, 0);
  memset(s->out, 0xee, sizeof s->out);
}

static int row_at(const scene *s, int x, int y) { // in(-1, -1) is in[0][0]
  return (s->in[y + 1][x] + s->in[y + 1][x + 1] + s->in[y + 1][x + 2]) / 3;
}
static uint16_t blurred(const scene *s, int x, int y) {
  return (uint16_t)((row_at(s, x, y - 1) + row_at(s, x, y) + row_at(s, x, y + 1)) / 3);
}

static bool realize(scene *s) {
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &s->image)};
  return halyard_realize(s->code, arguments, 1, &s->output);
}

static void expect_blurred(const scene *s) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) ck_assert_msg(s->out[y][x] == blurred(s, x, y), "at %d, %d", x, y);
}

START_TEST(text_is_checked_compiled_and_run) {
  scene s;
  open_blur(&s);
  ck_assert_msg(realize(&s), "%s", error_of(s.context));
  expect_blurred(&s);
  size_t count = 0;
  const halyard_obligation *o;
  for (; (o = halyard_result_obligation(s.result, count)); count++)
    ck_assert(o->answer == HALYARD_YES && strncmp(o->rule, "B.", 2) == 0 && o->about && !o->model);
  ck_assert_uint_gt(count, 20);
  ck_assert_ptr_null(halyard_result_diagnostic(s.result, 0));
  halyard_context_free(s.context);
}
END_TEST

// D80: an output of several values has a buffer for each, where the caller has them.
START_TEST(several_values_are_realized) {
  halyard_context *context = halyard_context_new(NULL);
  halyard_result *result = halyard_check(halyard_parse(
      context, "pipeline p(in: u8[1]) -> (f, g) { fun f(x) = (in(x) + 1, -x); fun g(x) = f(x)[1] * 2; }"));
  halyard_code *code = halyard_compile(result);
  ck_assert_msg(code != NULL, "%s", error_of(context));
  const halyard_declaration *d = halyard_result_declaration(result, 2);
  ck_assert(d && strcmp(d->name, "f.1") == 0 && d->role == HALYARD_IS_OUTPUT && d->type == HALYARD_INT);
  uint8_t in[4] = {7, 8, 9, 255}, first[4] = {0};
  int64_t second[8] = {0}, third[4] = {0};
  halyard_buffer image = halyard_dense(in, HALYARD_U8, 4, 0, 0), a = halyard_dense(first, HALYARD_U8, 4, 0, 0);
  halyard_buffer b = halyard_dense(second + 6, HALYARD_INT, 4, 0, 0), c = halyard_dense(third, HALYARD_INT, 4, 0, 0);
  b.stride[0] = -2; // this one has to be copied
  c.min[0] = 0;
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &image)};
  halyard_argument outputs[] = {HALYARD_ARGUMENT("g", &c), HALYARD_ARGUMENT("f.1", &b), HALYARD_ARGUMENT("f.0", &a)};
  ck_assert_msg(halyard_realize_all(code, arguments, 1, outputs, 3), "%s", error_of(context));
  for (int x = 0; x < 4; x++)
    ck_assert(first[x] == (uint8_t)(in[x] + 1) && second[6 - 2 * x] == -x && third[x] == -2 * x);
  ck_assert(second[1] == 0 && second[7] == 0);
  halyard_context_free(context);
}
END_TEST

START_TEST(any_stride_is_taken) {
  scene s;
  open_blur(&s);
  static uint16_t wide[H][2 * W];
  s.output = (halyard_buffer){
      .data = &wide[H - 1][2 * W - 2], .type = HALYARD_U16, .dimensions = 2, .extent = {W, H}, .stride = {-2, -2 * W}};
  memset(wide, 0xee, sizeof wide);
  ck_assert_msg(realize(&s), "%s", error_of(s.context));
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      ck_assert_uint_eq(wide[H - 1 - y][2 * W - 2 - 2 * x], blurred(&s, x, y));
      ck_assert_uint_eq(wide[y][2 * x + 1], 0xeeee); // what lies between is nobody's
    }
  halyard_context_free(s.context);
}
END_TEST

// GEN.Demand: refused in the caller's words, before anything is written; taken where it lies, or copied, where it fits.
START_TEST(demands_are_asked) {
  halyard_context *context = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_parse(context, "pipeline p(in: u8[2]) { fun f(x, y) = in(x, y) + 1; }");
  ck_assert(halyard_schedule(p, "in.require_stride(0, 2).set_host_alignment(64); f.require_stride(x, 3)"
                                ".set_host_alignment(32).vectorize(x, 8);"));
  halyard_code *code = halyard_compile(halyard_check(p));
  ck_assert_msg(code != NULL, "%s", error_of(context));
  static _Alignas(64) uint8_t in[256], out[256];
  halyard_buffer image = {.data = in, .type = HALYARD_U8, .dimensions = 2, .extent = {9, 2}, .stride = {1, 64}};
  halyard_buffer f = {.data = out, .type = HALYARD_U8, .dimensions = 2, .extent = {9, 2}, .stride = {3, 64}};
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &image)};
  for (int i = 0; i < 256; i++) in[i] = (uint8_t)(i / 2), out[i] = 0;
  ck_assert(!halyard_realize(code, arguments, 1, &f));
  ck_assert_msg(strstr(error_of(context), "image 'in' has the stride 1 in dimension 0, but 2 is demanded"), "%s",
                error_of(context));
  image.stride[0] = 2, f.stride[0] = 2;
  ck_assert(!halyard_realize(code, arguments, 1, &f));
  ck_assert(strstr(error_of(context), "output 'f' has the stride 2 in dimension 0, but 3 is demanded"));
  f.stride[0] = 3, image.data = in + 32;
  ck_assert(!halyard_realize(code, arguments, 1, &f));
  ck_assert(strstr(error_of(context), "image 'in' does not begin at a multiple of 64 bytes, which is demanded"));
  image.data = in, f.data = out + 16;
  ck_assert(!halyard_realize(code, arguments, 1, &f));
  ck_assert(strstr(error_of(context), "output 'f' does not begin at a multiple of 32 bytes, which is demanded"));
  for (int i = 0; i < 256; i++) ck_assert_int_eq(out[i], 0);
  for (int turn = 0; turn < 2; turn++) { // upside down it is copied
    f.data = turn ? out + 64 : out, f.stride[1] = turn ? -64 : 64;
    ck_assert_msg(halyard_realize(code, arguments, 1, &f), "%s", error_of(context));
    for (int y = 0; y < 2; y++)
      for (int x = 0; x < 9; x++) ck_assert_int_eq(out[64 * (turn ? 1 - y : y) + 3 * x], in[64 * y + 2 * x] + 1);
  }
  halyard_context_free(context);
}
END_TEST

/* -- building -- */

static halyard_pipeline *build_blur(halyard_context *c) {
  halyard_pipeline *p = halyard_pipeline_new(c, "blur");
  halyard_func *in = halyard_image(p, "in", HALYARD_U16, 2);
  halyard_expr *x = halyard_var(p, "x"), *y = halyard_var(p, "y");
  halyard_func *bh = halyard_define(p, "bh", HALYARD_LIST(x, y),
                                    halyard_div(halyard_add(halyard_at(in, halyard_sub(x, 1), y), halyard_at(in, x, y),
                                                            halyard_at(in, halyard_add(x, 1), y)),
                                                3));
  halyard_define(p, "bv", HALYARD_LIST(x, y),
                 halyard_div(halyard_add(halyard_at(bh, x, halyard_sub(y, 1)), halyard_at(bh, x, y),
                                         halyard_at(bh, x, halyard_add(y, 1))),
                             3));
  return p;
}

START_TEST(what_is_built_is_the_text) {
  halyard_context *c = halyard_context_new(NULL);
  ck_assert_str_eq(halyard_print_algorithm(build_blur(c)), BLUR);
  halyard_context_free(c);
}
END_TEST

START_TEST(everything_that_can_be_built) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "all");
  halyard_func *in = halyard_image(p, "in", HALYARD_U8, 2);
  halyard_expr *w = halyard_param_text(p, "w", HALYARD_INT, "in 0..100 = 3"), *x = halyard_var(p, "x"),
               *y = halyard_var(p, "y");
  ck_assert(halyard_require(p, halyard_le(w, halyard_image_len(in, 0))));
  halyard_func *edge = halyard_func_text(p, "edge", "fun edge = repeat_edge(in);");
  halyard_rdom *r = halyard_rdom_new(p);
  halyard_expr *rx = halyard_range(r, "rx", -2, 5);
  halyard_expr *sum = halyard_reduction("sum", r, halyard_cast(HALYARD_U16, halyard_at(edge, halyard_add(x, rx), y)));
  halyard_func *pair =
      halyard_define_tuple(p, "pair", HALYARD_LIST(x, y), HALYARD_LIST(sum, halyard_cast(HALYARD_F32, 0.1)));
  ck_assert_ptr_null(pair); // a conversion of a number alone has no pipeline
  ck_assert_str_eq(halyard_error_call(halyard_last_error(NULL)), "halyard_convert");
  halyard_clear_error(NULL);
  halyard_clear_error(c);
  pair = halyard_define_tuple(p, "pair", HALYARD_LIST(x, y), HALYARD_LIST(sum, 0.1));
  halyard_func *o =
      halyard_define(p, "o", HALYARD_LIST(x, y),
                     halyard_select(halyard_and(halyard_lt(x, w), halyard_not(halyard_eq(halyard_mod(y, 2), 0))),
                                    halyard_part(halyard_at(pair, x, y), 0),
                                    halyard_cast(HALYARD_U16, halyard_mul(halyard_sub(x, halyard_sub(y, -3)),
                                                                          halyard_image_len(in, 0)))));
  halyard_rdom *q = halyard_rdom_new(p);
  halyard_expr *ry = halyard_range(q, "ry", 0, halyard_max(w, 0));
  ck_assert(halyard_update_if(o, q, HALYARD_LIST(x, ry), halyard_add(halyard_at(o, x, ry), 1), halyard_gt(ry, 2)));
  halyard_directive(o, "vectorize", x, 8);
  halyard_update_directive(o, 1, "parallel", x);
  ck_assert_str_eq(halyard_print_algorithm(p),
                   "pipeline all(in: u8[2], w: int in 0..100 = 3) {\n"
                   "  require w <= in.len(0);\n"
                   "  fun edge = repeat_edge(in);\n"
                   "  fun pair(x, y) = (sum(rdom(rx = ((-2), 5)) in u16(edge(x + rx, y))), 0.1);\n"
                   "  fun o(x, y) = {\n"
                   "    select(x < w && !(y % 2 == 0), pair(x, y)[0], u16((x - (y - (-3))) * in.len(0)));\n"
                   "    rdom(ry = (0, max(w, 0))) in (x, ry) <- o(x, ry) + 1 if ry > 2;\n"
                   "  };\n"
                   "}\n");
  ck_assert_str_eq(halyard_print_schedule(p),
                   "schedule s for all {\n  o.vectorize(x, 8);\n  o.update(0).parallel(x);\n}\n");
  halyard_result *result = halyard_check(p);
  const halyard_diagnostic *d = halyard_result_diagnostic(result, 0);
  ck_assert_msg(halyard_result_answer(result) == HALYARD_YES, "%s", d ? d->text : "");
  halyard_context_free(c);
}
END_TEST

// A sum cannot go over a domain that is made of itself.
START_TEST(a_domain_is_taken_as_it_is) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_rdom *r = halyard_rdom_new(p);
  halyard_expr *x = halyard_var(p, "x"), *a = halyard_range(r, "a", 0, 3);
  halyard_expr *sum = halyard_reduction("sum", r, halyard_add(a, x));
  halyard_func *f = halyard_define(p, "f", HALYARD_LIST(x), sum);
  halyard_update(f, r, HALYARD_LIST(x), a);
  halyard_range(r, "b", sum, 3);
  ck_assert_str_eq(halyard_print_algorithm(p), "pipeline p() {\n"
                                               "  fun f(x) = {\n"
                                               "    sum(rdom(a = (0, 3)) in a + x);\n"
                                               "    rdom(a = (0, 3)) in (x) <- a;\n"
                                               "  };\n"
                                               "}\n");
  halyard_context_free(c);
}
END_TEST

static void *parse_deep(void *said) {
  enum { DEEP = 790 };
  char text[2 * DEEP + 100] = "pipeline p() { fun f(x) = ";
  size_t at = strlen(text);
  memset(text + at, '(', DEEP);
  text[at + DEEP] = 'x';
  memset(text + at + DEEP + 1, ')', DEEP);
  strcpy(text + at + 2 * DEEP + 1, "; }");
  halyard_context *c = halyard_context_new(NULL);
  bool fine = halyard_parse(c, text);
  snprintf(said, 200, "%s", fine ? "fine" : error_of(c));
  if (!fine) ck_assert_int_eq(halyard_error_problem(halyard_last_error(c)), HALYARD_MISUSE);
  halyard_context_free(c);
  return NULL;
}

// A thread whose stack is too small for what the language allows is told so.
START_TEST(small_stacks_are_told) {
  static const struct {
    size_t stack;
    const char *said;
  } rows[] = {{256 << 10, "KB of stack left"}, {2 << 20, "KB of stack left"}, {8 << 20, "fine"}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    char said[200];
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, rows[i].stack);
    ck_assert_int_eq(pthread_create(&thread, &attributes, parse_deep, said), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    ck_assert_msg(strstr(said, rows[i].said) != NULL, "%s", said);
  }
}
END_TEST

// Two images whose names differ in their last letter alone.
START_TEST(long_names_are_whole) {
  enum { LENGTH = 990 };
  char names[2][LENGTH + 2], box[LENGTH + 60];
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_func *images[2];
  for (int i = 0; i < 2; i++) {
    memset(names[i], 'n', LENGTH);
    names[i][LENGTH] = (char)('a' + i);
    names[i][LENGTH + 1] = 0;
    images[i] = halyard_image(p, names[i], HALYARD_U8, 1);
  }
  halyard_expr *x = halyard_var(p, "x");
  halyard_define(p, "f", HALYARD_LIST(x), halyard_add(x, halyard_image_min(images[1], 0)));
  snprintf(box, sizeof box, "fun f(x) = x + %s.min(0);", names[1]);
  ck_assert_ptr_nonnull(strstr(halyard_print_algorithm(p), box));
  halyard_context_free(c);
}
END_TEST

// Whatever the caller's thread does with floats: directions of rounding, numbers that flush to zero, traps.
START_TEST(floats_are_the_languages) {
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  const int mode = modes[_i];
  halyard_context *c = halyard_context_new(NULL);
  float out[2][40];
  ck_assert_int_eq(fesetround(mode), 0);
#ifdef __SSE2__
  _mm_setcsr(_mm_getcsr() | 0x8040); // denormals are zero, and flushed
#endif
  if (_i == 1) feenableexcept(FE_INEXACT | FE_UNDERFLOW);
  halyard_pipeline *p = halyard_parse(c, "pipeline p(k: f32) { fun f(x, y) = f32(x) * 0.1 / 3.0 + k / 2.0; }");
  halyard_schedule(p, "f.parallel(y).vectorize(x, 8);");
  halyard_code *code = halyard_compile(halyard_check(p));
  halyard_buffer b = halyard_dense(out, HALYARD_F32, 40, 2, 0);
  halyard_argument arguments[] = {HALYARD_ARGUMENT("k", 0)};
  static const double ks[] = {1e-40, 0.7};
  for (int k = 0; k < 2; k++) {
    arguments[0].value.kind = HALYARD_OPERAND_REAL;
    arguments[0].value.is.d = ks[k];
    bool fine = halyard_realize(code, arguments, 1, &b);
    ck_assert_int_eq(fegetround(), mode); // the thread has its own again
    fenv_t own;
    fegetenv(&own);
    fesetenv(FE_DFL_ENV);
    ck_assert_msg(fine, "%s", error_of(c));
    volatile float tenth = 0.1f, three = 3.0f, half = (float)ks[k] / 2.0f;
    for (int i = 0; i < 80; i++) ck_assert(out[i / 40][i % 40] == (float)(i % 40) * tenth / three + half);
    fesetenv(&own);
  }
  halyard_context_free(c);
  ck_assert_int_eq(fegetround(), mode);
  fesetenv(FE_DFL_ENV);
}
END_TEST

// A loop in C builds a chain, and a sum of 1500 terms nests nowhere.
START_TEST(loops_build_chains) {
  enum { STEPS = 12 };
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "chain");
  halyard_func *f = halyard_image(p, "in", HALYARD_I32, 1);
  halyard_expr *x = halyard_var(p, "x");
  for (int i = 0; i < STEPS; i++) {
    char name[16];
    snprintf(name, sizeof name, "f%d", i);
    f = halyard_define(p, name, HALYARD_LIST(x), halyard_add(halyard_at(f, x), halyard_at(f, halyard_add(x, 1)), i));
  }
  halyard_expr *sum = halyard_at(f, x);
  for (int i = 0; i < 1500; i++) sum = halyard_add(sum, i);
  halyard_define(p, "last", HALYARD_LIST(x), sum);
  halyard_code *code = halyard_compile(halyard_check(p));
  ck_assert_msg(code != NULL, "%s", error_of(c));
  int32_t in[STEPS + 4], out[4], expected[STEPS + 4];
  for (int i = 0; i < STEPS + 4; i++) in[i] = expected[i] = i * i;
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i + 1 < STEPS + 4 - k; i++) expected[i] += expected[i + 1] + k;
  halyard_buffer image = halyard_dense(in, HALYARD_I32, STEPS + 4, 0, 0),
                 output = halyard_dense(out, HALYARD_I32, 4, 0, 0);
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &image)};
  ck_assert_msg(halyard_realize(code, arguments, 1, &output), "%s", error_of(c));
  for (int i = 0; i < 4; i++) ck_assert_int_eq(out[i], expected[i] + 1499 * 1500 / 2);
  halyard_context_free(c);
}
END_TEST

// Numbers of every type keep their value, as far as a double goes.
START_TEST(numbers_are_what_they_were) {
  ck_assert_int_eq(HALYARD_O(0.5L).kind, HALYARD_OPERAND_REAL);
  ck_assert(HALYARD_O(0.5L).is.d == 0.5 && HALYARD_O(0.5f).is.d == 0.5);
  ck_assert_int_eq(HALYARD_O((short)-3).is.i, -3);
  ck_assert_int_eq(HALYARD_O(UINT64_MAX).kind, HALYARD_OPERAND_UNSIGNED);
}
END_TEST

/* -- wrong uses: each is told, with the call's name, and changes nothing -- */

typedef bool attempt(scene *s); // false: it failed
typedef struct {
  const char *call, *message;
  halyard_problem problem;
  attempt *attempt;
  bool homeless; // told to this thread, not to the context
} misuse;

#define MISUSE(name, ...)                                                                                              \
  static bool name(scene *s) {                                                                                         \
    (void)s;                                                                                                           \
    __VA_ARGS__                                                                                                        \
  }
#define RUN_WITH(change)                                                                                               \
  {                                                                                                                    \
    change;                                                                                                            \
    return realize(s);                                                                                                 \
  }

MISUSE(parse_null, return halyard_parse(s->context, NULL);)
MISUSE(parse_nowhere, return halyard_parse(NULL, BLUR);)
MISUSE(parse_wrong, return halyard_parse(s->context, "pipeline p() { fun f(x) = y; }");)
MISUSE(file_null, return halyard_parse_file(s->context, NULL);)
MISUSE(file_missing, return halyard_parse_file(s->context, "/nowhere/p.alg");)
MISUSE(file_of_another_kind, return halyard_parse_file(s->context, "/dev/zero");)
MISUSE(text_includes, return halyard_parse(s->context, "pipeline p() { include \"/etc/hostname\"; fun f(x) = x; }");)
MISUSE(program_wrong, return halyard_parse_program(s->context, BLUR);)
MISUSE(options_unknown, halyard_options o = {.size = 4}; return halyard_context_new(&o);)
MISUSE(options_no_z3, halyard_options o = {HALYARD_OPTIONS, .z3 = (halyard_z3)7}; return halyard_context_new(&o);)
MISUSE(release_future, return halyard_release(s->context, halyard_mark(s->context) + 1);)
MISUSE(schedule_null, return halyard_schedule(s->pipeline, NULL);)
MISUSE(schedule_nowhere, return halyard_schedule(NULL, TILED);)
MISUSE(schedule_behind_file, halyard_schedule_file(s->pipeline, "schedule a for blur { }", NULL);
       return halyard_schedule(s->pipeline, TILED);)
MISUSE(check_null, return halyard_check(NULL);)
MISUSE(compile_null, return halyard_compile(NULL);)
MISUSE(compile_refuted, halyard_unschedule(s->pipeline); halyard_schedule(s->pipeline, "bv.vectorize(q, 8);");
       return halyard_compile(halyard_check(s->pipeline));)
MISUSE(print_no_stage, return halyard_print(s->result, (halyard_stage)99);)
MISUSE(schedule_unknown, return halyard_schedule(s->pipeline, "bv.parallel(y);\nbv.tyle(x, y, xi, yi, 8, 8);");)
MISUSE(schedule_unknown_core, return halyard_schedule(s->pipeline, "splitt(bv.s0.x, xo, xi, 8);");)
MISUSE(schedule_absent, return halyard_schedule(s->pipeline, "bv.store_in(x).gpu_threads(x);");)
MISUSE(file_unknown, return halyard_schedule_file(s->pipeline, "schedule a for blur { bv.tyle(x, y); }", NULL);)
MISUSE(print_early, halyard_schedule(s->pipeline, "bv.vectorize(q, 8);");
       return halyard_print(halyard_check(s->pipeline), HALYARD_STAGE_FILLED);)
MISUSE(object_bad_name, size_t n; return halyard_object(s->result, "double", &n);)
MISUSE(object_no_name, size_t n; return halyard_object(s->result, NULL, &n);)
MISUSE(object_no_size, return halyard_object(s->result, "f", NULL);)
MISUSE(write_nowhere, return halyard_write(s->result, "f", "/nowhere/at/all");)
MISUSE(realize_null, return halyard_realize(NULL, NULL, 0, &s->output);)
MISUSE(realize_no_output, return halyard_realize(s->code, NULL, 0, NULL);)
MISUSE(realize_of_two,
       halyard_pipeline *two = halyard_parse(s->context,
                                             "pipeline p() -> (f, g) { fun f(x) = i32(x); fun g(x) = f(x); }");
       return halyard_realize(halyard_compile(halyard_check(two)), NULL, 0, &s->output);)
static const char two_values[] = "pipeline p() { fun f(x) = (u8(x), x); }";
static bool realize_values(scene *s, const char *first, const char *second, int64_t length, void *memory) {
  halyard_pipeline *p = halyard_parse(s->context, two_values);
  uint8_t room[8];
  halyard_buffer a = halyard_dense(room, HALYARD_U8, 8, 0, 0), b = halyard_dense(memory, HALYARD_INT, length, 0, 0);
  halyard_argument outputs[] = {HALYARD_ARGUMENT(first, &a), HALYARD_ARGUMENT(second, &b)};
  return halyard_realize_all(halyard_compile(halyard_check(p)), NULL, 0, outputs, 2);
}
MISUSE(realize_one_of_two, halyard_pipeline *p = halyard_parse(s->context, two_values);
       return halyard_realize(halyard_compile(halyard_check(p)), NULL, 0, &s->output);)
MISUSE(values_as_one, int64_t room[8]; return realize_values(s, "f", "f.1", 8, room);)
MISUSE(values_of_windows, int64_t room[8]; return realize_values(s, "f.0", "f.1", 7, room);)
MISUSE(values_exchanged, int64_t room[8]; return realize_values(s, "f.1", "f.0", 8, room);)
MISUSE(no_third_value, int64_t room[8]; return realize_values(s, "f.0", "f.2", 8, room);)
MISUSE(realize_no_list, return halyard_realize(s->code, NULL, 1, &s->output);)
MISUSE(realize_no_image, return halyard_realize(s->code, NULL, 0, &s->output);)
MISUSE(realize_twice, halyard_argument a[] = {HALYARD_ARGUMENT("in", &s->image), HALYARD_ARGUMENT("in", &s->image)};
       return halyard_realize(s->code, a, 2, &s->output);)
MISUSE(realize_unknown, halyard_argument a[] = {HALYARD_ARGUMENT("im", &s->image)};
       return halyard_realize(s->code, a, 1, &s->output);)
MISUSE(realize_number, halyard_argument a[] = {HALYARD_ARGUMENT("in", 3)};
       return halyard_realize(s->code, a, 1, &s->output);)
MISUSE(realize_null_image, halyard_argument a[] = {HALYARD_ARGUMENT("in", (halyard_buffer *)NULL)};
       return halyard_realize(s->code, a, 1, &s->output);)
MISUSE(image_type, RUN_WITH(s->image.type = HALYARD_U8))
MISUSE(image_no_type, RUN_WITH(s->image.type = (halyard_type)-3))
MISUSE(image_rank, RUN_WITH(s->image.dimensions = 1))
MISUSE(image_no_memory, RUN_WITH(s->image.data = NULL))
MISUSE(image_misaligned, RUN_WITH(s->image.data = (char *)s->image.data + 1))
MISUSE(image_negative, RUN_WITH(s->image.extent[1] = -1))
MISUSE(image_far, RUN_WITH(s->image.min[0] = INT64_MAX - 3))
MISUSE(image_strides, RUN_WITH(s->image.stride[1] = INT64_MAX / 2))
MISUSE(image_small, RUN_WITH(s->image.min[0] = 0))
MISUSE(image_overlaps, RUN_WITH(s->image.data = s->out))
MISUSE(output_type, RUN_WITH(s->output.type = HALYARD_I16))
MISUSE(output_rank, RUN_WITH(s->output.dimensions = 3))
MISUSE(output_stride_zero, RUN_WITH(s->output.stride[1] = 0))
MISUSE(output_rows_overlap, RUN_WITH(s->output.stride[1] = W - 1))
MISUSE(output_interleaved, RUN_WITH((s->output.stride[0] = W, s->output.stride[1] = W)))
MISUSE(build_in_parsed, return halyard_var(s->pipeline, "x");)
MISUSE(name_of_two_words, return halyard_var(build_blur(s->context), "x) = 1; fun g(y");)
MISUSE(name_null, return halyard_param(build_blur(s->context), NULL, HALYARD_INT);)
MISUSE(said_of_two, return halyard_param_text(build_blur(s->context), "q", HALYARD_INT, "= 3, w: int");)
MISUSE(required_of_two, halyard_expr *x = halyard_var(build_blur(s->context), "x");
       return halyard_require(build_blur(s->context), x) ? s : NULL;)
MISUSE(required_of_text,
       return halyard_require(halyard_parse(s->context, "pipeline p() { fun f(x) = x; }"), true) ? s : NULL;)
MISUSE(contract_null, return halyard_contract(build_blur(s->context), NULL) ? s : NULL;)
MISUSE(contract_unknown, return halyard_contract(build_blur(s->context), "fast") ? s : NULL;)
MISUSE(contract_of_text, return halyard_contract(s->pipeline, "real") ? s : NULL;)
MISUSE(no_such_type, return halyard_param(build_blur(s->context), "q", (halyard_type)14);)
MISUSE(image_of_nine, return halyard_image(build_blur(s->context), "q", HALYARD_U8, 9);)
MISUSE(two_pipelines, halyard_expr *x = halyard_var(build_blur(s->context), "x");
       return halyard_add(x, halyard_var(build_blur(s->context), "x"));)
MISUSE(two_contexts, halyard_context *other = halyard_context_new(NULL);
       halyard_expr *x = halyard_var(build_blur(s->context), "x"), *y = halyard_var(build_blur(other), "y");
       bool fine = halyard_add(x, y); halyard_context_free(other); return fine;)
MISUSE(numbers_alone, return halyard_add(1, 2);)
MISUSE(not_a_number, return halyard_add(halyard_var(build_blur(s->context), "x"), NAN);)
MISUSE(no_such_operator, return halyard_op("<>", halyard_var(build_blur(s->context), "x"), 1);)
MISUSE(chained_comparison, halyard_expr *x = halyard_var(build_blur(s->context), "x"); return halyard_op("<", x, x, x);)
MISUSE(null_operand, halyard_expr *x = halyard_var(build_blur(s->context), "x");
       return halyard_add(x, (halyard_expr *)NULL);)
MISUSE(too_large, halyard_expr *x = halyard_var(build_blur(s->context), "x");
       for (int i = 0; i < 40 && x; i++) x = halyard_mul(x, x); return x;)
MISUSE(no_var, halyard_pipeline *p = build_blur(s->context); halyard_expr *x = halyard_var(p, "x");
       return halyard_define(p, "f", HALYARD_LIST(halyard_add(x, 1)), x);)
MISUSE(no_value, halyard_pipeline *p = build_blur(s->context); halyard_expr *x = halyard_var(p, "x");
       return halyard_define_tuple(p, "f", HALYARD_LIST(x), HALYARD_NONE);)
MISUSE(image_updated, halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
       halyard_func *in = halyard_image(p, "in", HALYARD_U8, 1);
       return halyard_update(in, NULL, HALYARD_LIST(halyard_var(p, "x")), 1);)
MISUSE(empty_rdom, halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
       return halyard_reduction("sum", halyard_rdom_new(p), halyard_var(p, "x"));)
// Sums below each other by way of their domains: by twos, and one by one.
static bool nest_domains(scene *s, int count, bool twice) {
  halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
  halyard_expr *x = halyard_var(p, "x"), *sum = x;
  for (int i = 0; i < count; i++) {
    halyard_rdom *r = halyard_rdom_new(p);
    halyard_range(r, "r", sum, twice ? HALYARD_O(sum) : HALYARD_O(3));
    sum = halyard_reduction("sum", r, x);
  }
  return halyard_define(p, "f", HALYARD_LIST(x), sum);
}
MISUSE(domains_too_large, return nest_domains(s, 40, true);)
MISUSE(domains_too_deep, return nest_domains(s, 100000, false);)
MISUSE(spoilt_rdom, halyard_pipeline *p = build_blur(s->context); halyard_expr *x = halyard_var(p, "x");
       halyard_rdom *r = halyard_rdom_new(p); halyard_range(r, "a", 0, 3); halyard_range(r, "not a name", 0, 3);
       halyard_func *f = halyard_define(p, "f", HALYARD_LIST(x), x);
       return halyard_update(f, r, HALYARD_LIST(x), 1) || halyard_reduction("sum", r, x);)
MISUSE(no_such_reduction, halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
       halyard_rdom *r = halyard_rdom_new(p); return halyard_reduction("mean", r, halyard_range(r, "i", 0, 4));)
MISUSE(no_such_directive, halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
       halyard_expr *x = halyard_var(p, "x"); halyard_func *f = halyard_define(p, "f", HALYARD_LIST(x), x);
       return halyard_directive(f, "vectorise", x, 8);)
MISUSE(name_as_argument, halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
       halyard_expr *x = halyard_var(p, "x"); halyard_func *f = halyard_define(p, "f", HALYARD_LIST(x), x);
       return halyard_directive(f, "split", x, "xo); evil(", "xi", 8);)
MISUSE(box_of_func, halyard_pipeline *p = halyard_pipeline_new(s->context, "p"); halyard_expr *x = halyard_var(p, "x");
       return halyard_image_len(halyard_define(p, "f", HALYARD_LIST(x), x), 0);)
MISUSE(box_beyond, halyard_pipeline *p = halyard_pipeline_new(s->context, "p");
       return halyard_image_min(halyard_image(p, "in", HALYARD_U8, 1), 1);)
MISUSE(
    halide_handle,
    struct {
      uint64_t a;
      void *b;
      uint8_t *host;
      uint64_t flags;
      uint8_t code, bits;
      uint16_t lanes;
      int32_t dimensions;
      void *dim, *padding;
    } handle = {.code = 3, .bits = 64, .lanes = 1};
    halyard_buffer b; return halyard_from_halide((const struct halide_buffer_t *)(const void *)&handle, &b);)
#undef RUN_WITH

#define M HALYARD_MISUSE
static const misuse misuses[] = {
    {"halyard_parse", "the algorithm is NULL", M, parse_null, false},
    {"halyard_parse", "the context is NULL", M, parse_nowhere, true},
    {"halyard_parse", "the algorithm is refused", HALYARD_REFUSED, parse_wrong, false},
    {"halyard_parse_file", "the path is NULL", M, file_null, false},
    {"halyard_parse_file", "cannot read '/nowhere/p.alg': No such file", HALYARD_NO_FILE, file_missing, false},
    {"halyard_parse_file", "cannot read '/dev/zero': ", HALYARD_NO_FILE, file_of_another_kind, false},
    {"halyard_parse", "the algorithm is refused", HALYARD_REFUSED, text_includes, false},
    {"halyard_parse_program", "the target program is refused", HALYARD_REFUSED, program_wrong, false},
    {"halyard_context_new", "the options have the size 4", M, options_unknown, true},
    {"halyard_context_new", "z3 is 7", M, options_no_z3, true},
    {"halyard_release", "the mark is none", M, release_future, false},
    {"halyard_schedule", "the text is NULL", M, schedule_null, false},
    {"halyard_schedule", "the pipeline is NULL", M, schedule_nowhere, true},
    {"halyard_schedule", "one of a file", M, schedule_behind_file, false},
    {"halyard_schedule", "the text is refused: there is no method 'tyle'", HALYARD_REFUSED, schedule_unknown, false},
    {"halyard_schedule", "there is no directive 'splitt'", HALYARD_REFUSED, schedule_unknown_core, false},
    {"halyard_schedule", "Halide's 'gpu_threads' is not in this language", HALYARD_REFUSED, schedule_absent, false},
    {"halyard_schedule_file", "there is no method 'tyle'", HALYARD_REFUSED, file_unknown, false},
    {"halyard_check", "the pipeline is NULL", M, check_null, true},
    {"halyard_compile", "the result is NULL", M, compile_null, true},
    {"halyard_compile", "the check's answer is NO", HALYARD_UNPROVED, compile_refuted, false},
    {"halyard_print", "there is no stage 99", M, print_no_stage, false},
    {"halyard_print", "did not come to that stage", M, print_early, false},
    {"halyard_object", "cannot be called 'double'", M, object_bad_name, false},
    {"halyard_object", "the name is NULL", M, object_no_name, false},
    {"halyard_object", "the size is NULL", M, object_no_size, false},
    {"halyard_write", "cannot write '/nowhere/at/all.o': No such file", HALYARD_NO_FILE, write_nowhere, false},
    {"halyard_realize", "has 2 outputs", M, realize_of_two, false},
    {"halyard_realize", "the output has 2 values", M, realize_one_of_two, false},
    {"halyard_realize_all", "output 'f' has 2 values: a buffer for each, 'f.0' to 'f.1'", M, values_as_one, false},
    {"halyard_realize_all", "output 'f.1' has the window [0, 7) in dimension 0, and 'f.0', of the same func, [0, 8)", M,
     values_of_windows, false},
    {"halyard_realize_all", "output 'f.0' has elements of type u8", M, values_exchanged, false},
    {"halyard_realize_all", "argument 'f.2' is no output", M, no_third_value, false},
    {"halyard_realize", "the code is NULL", M, realize_null, true},
    {"halyard_realize", "the output is NULL", M, realize_no_output, false},
    {"halyard_realize", "the arguments are NULL, and not none", M, realize_no_list, false},
    {"halyard_realize", "image 'in' has no argument", M, realize_no_image, false},
    {"halyard_realize", "argument 'in' is given twice", M, realize_twice, false},
    {"halyard_realize", "argument 'im' is no parameter or image", M, realize_unknown, false},
    {"halyard_realize", "image 'in' needs a buffer", M, realize_number, false},
    {"halyard_realize", "image 'in' has NULL", M, realize_null_image, false},
    {"halyard_realize", "image 'in' has elements of type u16, and those of the buffer are of u8", M, image_type, false},
    {"halyard_realize", "elements of type u16, and those of the buffer are of no type that there is", M, image_no_type,
     false},
    {"halyard_realize", "image 'in' has 2 dimensions, the buffer 1", M, image_rank, false},
    {"halyard_realize", "image 'in' has no memory", M, image_no_memory, false},
    {"halyard_realize", "image 'in' is not aligned", M, image_misaligned, false},
    {"halyard_realize", "a negative extent in dimension 1", M, image_negative, false},
    {"halyard_realize", "outside of +-2^31 in dimension 0", M, image_far, false},
    {"halyard_realize", "strides that lead out", M, image_strides, false},
    {"halyard_realize", "image 'in' does not contain what is read", HALYARD_FAILED, image_small, false},
    {"halyard_realize", "image 'in' shares memory with the output", M, image_overlaps, false},
    {"halyard_realize", "output 'bv' has elements of type u16, and those of the buffer are of i16", M, output_type,
     false},
    {"halyard_realize", "output 'bv' has 2 dimensions, the buffer 3", M, output_rank, false},
    {"halyard_realize", "by which elements share memory", M, output_stride_zero, false},
    {"halyard_realize", "by which elements share memory", M, output_rows_overlap, false},
    {"halyard_realize", "by which elements share memory", M, output_interleaved, false},
    {"halyard_var", "the pipeline was parsed", M, build_in_parsed, false},
    {"halyard_var", "is no name of the language", M, name_of_two_words, false},
    {"halyard_param", "the name is NULL", M, name_null, false},
    {"halyard_param", "there is no type 14", M, no_such_type, false},
    {"halyard_param_text", "has no comma, ')' or end of a line", M, said_of_two, false},
    {"halyard_contract", "the contract is NULL", M, contract_null, false},
    {"halyard_contract", "'fast' is no contract on floats", M, contract_unknown, false},
    {"halyard_contract", "the pipeline was parsed", M, contract_of_text, false},
    {"halyard_pipeline_require", "an expression of another pipeline", M, required_of_two, false},
    {"halyard_pipeline_require", "the pipeline was parsed", M, required_of_text, false},
    {"halyard_image", "0 to 8 dimensions", M, image_of_nine, false},
    {"halyard_operation", "an expression of another pipeline", M, two_pipelines, false},
    {"halyard_operation", "and of another context", M, two_contexts, false},
    {"halyard_operation", "no operand is an expression", M, numbers_alone, true},
    {"halyard_operation", "infinities and NaN", M, not_a_number, false},
    {"halyard_operation", "there is no operator '<>'", M, no_such_operator, false},
    {"halyard_operation", "'<' does not take 3 operands", M, chained_comparison, false},
    {"halyard_operation", "an expression is NULL", M, null_operand, false},
    {"halyard_operation", "more than 262144 operations", M, too_large, false},
    {"halyard_func_define", "dimension 0 is no halyard_var", M, no_var, false},
    {"halyard_func_define", "there is no value", M, no_value, false},
    {"halyard_func_update", "'in' is an image", M, image_updated, false},
    {"halyard_reduction", "the rdom has no variable", M, empty_rdom, false},
    {"halyard_reduction", "there is no reduction 'mean'", M, no_such_reduction, false},
    {"halyard_reduction", "more than 262144 operations", M, domains_too_large, false},
    {"halyard_reduction", "nests more than 2000 deep", M, domains_too_deep, false},
    {"halyard_rdom_range", "'not a name' is no name of the language", M, spoilt_rdom, false},
    {"halyard_func_schedule", "there is no directive 'vectorise'", M, no_such_directive, false},
    {"halyard_func_schedule", "is no name of the language", M, name_as_argument, false},
    {"halyard_image_len", "a func has no box of its own", M, box_of_func, false},
    {"halyard_image_min", "the image has no dimension 1", M, box_beyond, false},
    {"halyard_from_halide", "no such type", M, halide_handle, true},
};
#undef M

START_TEST(wrong_uses_are_told) {
  const misuse *row = &misuses[_i];
  scene s;
  open_blur(&s);
  halyard_clear_error(NULL);
  ck_assert(!row->attempt(&s));
  const halyard_error *e = halyard_last_error(row->homeless ? NULL : s.context);
  ck_assert_msg(e != NULL, "no error is told");
  ck_assert_str_eq(halyard_error_call(e), row->call);
  ck_assert_msg(strstr(halyard_error_message(e), row->message) != NULL, "'%s'", halyard_error_message(e));
  ck_assert_int_eq(halyard_error_problem(e), row->problem);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) ck_assert_uint_eq(s.out[y][x], 0xeeee); // nothing was written
  halyard_clear_error(s.context);
  ck_assert_ptr_null(halyard_last_error(s.context));
  halyard_buffer dense = halyard_dense(s.in, HALYARD_U16, W + 2, H + 2, 0);
  dense.min[0] = dense.min[1] = -1;
  s.image = dense, s.output = halyard_dense(s.out, HALYARD_U16, W, H, 0);
  ck_assert_msg(realize(&s), "%s", error_of(s.context)); // and nothing is broken
  expect_blurred(&s);
  halyard_context_free(s.context);
}
END_TEST

START_TEST(diagnostics_have_places) {
  halyard_context *c = halyard_context_new(NULL);
  ck_assert_ptr_null(halyard_parse(c, "pipeline p() {\n  fun f(x) = x + q;\n}\n"));
  const halyard_diagnostic *d = halyard_error_diagnostic(halyard_last_error(c), 0);
  ck_assert_ptr_nonnull(d);
  ck_assert_int_eq(d->code, 201);
  ck_assert_int_eq(d->severity, HALYARD_IS_ERROR);
  ck_assert_str_eq(d->file, "algorithm");
  ck_assert_uint_eq(d->line, 2);
  ck_assert_uint_eq(d->column, 18);
  ck_assert_ptr_nonnull(strstr(d->text, "    2 |   fun f(x) = x + q;"));
  ck_assert_ptr_null(halyard_error_diagnostic(halyard_last_error(c), 1));
  halyard_pipeline *p = halyard_parse(c, BLUR);
  halyard_schedule(p, "bv.fold_storage(y, 2);");
  halyard_result *r = halyard_check(p);
  ck_assert_int_eq(halyard_result_answer(r), HALYARD_NO);
  d = halyard_result_diagnostic(r, 0);
  ck_assert(d && d->code && strcmp(d->file, "schedule") == 0 && d->line == 2);
  halyard_context_free(c);
}
END_TEST

static void write_text(const char *folder, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  ck_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
}

// What was included is part of the text: nothing is read a second time.
START_TEST(files_with_what_they_include) {
  char folder[] = "/tmp/halyard_library_XXXXXX", path[64], other[64];
  ck_assert(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/p.alg", folder);
  snprintf(other, sizeof other, "%s/other.alg", folder);
  write_text(folder, "p.alg", "pipeline p() { include \"other.alg\"; fun f(x) = g(x) + 1; }");
  write_text(folder, "other.alg", "fun g(x) = x*2;");
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_parse_file(c, path);
  ck_assert_msg(p != NULL, "%s", error_of(c));
  write_text(folder, "other.alg", "fun g(x) = q;");
  ck_assert_str_eq(halyard_print_algorithm(p), "pipeline p() {\n  fun g(x) = x*2;\n  fun f(x) = g(x) + 1;\n}\n");
  ck_assert_int_eq(halyard_result_answer(halyard_check(p)), HALYARD_YES);
  ck_assert_ptr_null(halyard_parse_file(c, path));
  ck_assert_str_eq(halyard_error_diagnostic(halyard_last_error(c), 0)->file, other);
  unlink(other);
  unlink(path);
  rmdir(folder);
  halyard_context_free(c);
}
END_TEST

// The cause is kept: what a NULL that came from it leads to is told to nobody.
START_TEST(the_first_error_stays) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_expr *x = halyard_var(p, "x");
  halyard_expr *bad = halyard_op("<>", x, 1);
  ck_assert_ptr_null(halyard_define(p, "f", HALYARD_LIST(x), halyard_add(x, bad)));
  ck_assert_str_eq(error_of(c), "there is no operator '<>'");
  halyard_context_free(c);
}
END_TEST

/* -- lifetimes -- */

static void fail_by_defect(void *self) {
  (void)self;
  hy_allocate(100);
  HY_DIE("on purpose");
}

START_TEST(a_defect_is_an_error) {
  scene s;
  open_blur(&s);
  ck_assert(!hy_library_run(&s.pipeline->head, "halyard_schedule", fail_by_defect, NULL));
  ck_assert_int_eq(halyard_error_problem(halyard_last_error(s.context)), HALYARD_DEFECT);
  ck_assert_ptr_nonnull(strstr(error_of(s.context), "on purpose"));
  ck_assert(!halyard_schedule(s.pipeline, TILED)); // spent: the cause stays told
  ck_assert_ptr_nonnull(strstr(error_of(s.context), "on purpose"));
  halyard_clear_error(s.context);
  ck_assert(!halyard_schedule(s.pipeline, TILED));
  ck_assert_ptr_nonnull(strstr(error_of(s.context), "it can only be freed"));
  ck_assert_ptr_null(halyard_check(s.pipeline));
  ck_assert_ptr_null(halyard_print_schedule(s.pipeline));
  ck_assert(realize(&s)); // the rest is not concerned
  halyard_pipeline_free(s.pipeline);
  halyard_context_free(s.context);
}
END_TEST

START_TEST(code_outlives_its_result) {
  scene s;
  open_blur(&s);
  halyard_pipeline_free(s.pipeline);
  halyard_result_free(s.result);
  ck_assert(realize(&s));
  expect_blurred(&s);
  halyard_code_free(s.code);
  ck_assert_ptr_null(s.context->newest); // all is gone, the result with its last user
  halyard_context_free(s.context);
}
END_TEST

// Pages of this process that hold code and are of no file.
static int loaded_code(void) {
  char line[500];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  ck_assert_ptr_nonnull(maps);
  while (fgets(line, sizeof line, maps))
    count += strstr(line, "r-xp") && strstr(line, " 00:00 0") && !strchr(line, '[');
  fclose(maps);
  return count;
}

START_TEST(code_is_unloaded) {
  scene s;
  open_blur(&s);
  int before = loaded_code();
  ck_assert_int_ge(before, 1); // its own
  halyard_point mark = halyard_mark(s.context);
  halyard_code *more[3];
  for (int i = 0; i < 3; i++) ck_assert_ptr_nonnull(more[i] = halyard_compile(s.result));
  ck_assert_int_gt(loaded_code(), before);
  halyard_code_free(more[1]);
  ck_assert(halyard_release(s.context, mark)); // of the other two; the result stays
  ck_assert_int_eq(loaded_code(), before);
  ck_assert(realize(&s));
  halyard_context_free(s.context);
  ck_assert_int_eq(loaded_code(), 0);
}
END_TEST

START_TEST(marks_nest) {
  scene s;
  open_blur(&s);
  uint64_t before = s.context->newest->number;
  halyard_point outer = halyard_mark(s.context);
  build_blur(s.context);
  halyard_point inner = halyard_mark(s.context);
  halyard_code *code = halyard_compile(halyard_check(build_blur(s.context)));
  ck_assert_ptr_nonnull(code);
  ck_assert(halyard_release(s.context, inner));
  ck_assert_uint_eq(s.context->newest->number, before + 1);
  ck_assert(halyard_release(s.context, outer));
  ck_assert_uint_eq(s.context->newest->number, before);
  ck_assert(realize(&s));
  halyard_context_free(s.context);
}
END_TEST

static size_t in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// 10,000 schedules of one algorithm in one process: a block that each of the last 9,000 left behind would be 144 kB (what
// the C library keeps for itself counts as used, and varies, less so once it is warm).
START_TEST(memory_stays_flat) {
  enum { ALL = 10000 };
  halyard_options options = {HALYARD_OPTIONS, .z3 = HALYARD_Z3_NOBODY};
  halyard_context *c = halyard_context_new(&options);
  halyard_pipeline *p =
      halyard_parse(c, "pipeline p(in: u8[1]) { fun f(x) = in(x) + in(x + 1); fun g(x) = f(x) + f(x + 1); }");
  size_t early = 0;
  for (int i = 0; i < ALL; i++) {
    char text[100];
    halyard_point mark = halyard_mark(c);
    snprintf(text, sizeof text, "g.split(x, xo, xi, %d); f.compute_at(g, %s);", 2 + i % 1000, i % 2 ? "xo" : "xi");
    halyard_unschedule(p);
    ck_assert(halyard_schedule(p, text));
    ck_assert_int_eq(halyard_result_answer(halyard_check(p)), HALYARD_YES);
    ck_assert_ptr_nonnull(halyard_print_schedule(p));
    ck_assert(halyard_release(c, mark));
    if (i == 1000) early = in_use();
  }
  ck_assert_msg(in_use() < early + 64 * 1024, "%zu bytes, then %zu", early, in_use());
  halyard_context_free(c);
}
END_TEST

/* -- policies and threads -- */

// What our prover alone leaves open, Z3 refutes in this process as in one of its own.
START_TEST(z3_is_a_policy) {
  static const halyard_answer wanted[] = {
      [HALYARD_Z3_HERE] = HALYARD_NO, [HALYARD_Z3_NOBODY] = HALYARD_UNKNOWN, [HALYARD_Z3_HELPER] = HALYARD_NO};
  char text[4000] = "";
  FILE *file = fopen(HALYARD_SOURCE_DIR "/proofs_tests/negative/guard_missing.tgt", "r");
  ck_assert(file && fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  for (int z3 = HALYARD_Z3_HERE; z3 <= HALYARD_Z3_HELPER; z3++) {
    halyard_options options = {HALYARD_OPTIONS, .z3 = (halyard_z3)z3};
    halyard_context *c = halyard_context_new(&options);
    halyard_pipeline *p = halyard_parse_program(c, text);
    ck_assert_msg(p != NULL, "%s", error_of(c));
    halyard_result *r = halyard_check(p);
    ck_assert_int_eq(halyard_result_answer(r), wanted[z3]);
    bool has_model = false;
    const halyard_obligation *o;
    for (size_t i = 0; (o = halyard_result_obligation(r, i)); i++) has_model |= o->answer == HALYARD_NO && o->model;
    ck_assert(has_model == (wanted[z3] == HALYARD_NO));
    ck_assert_ptr_null(halyard_compile(r));
    halyard_context_free(c);
  }
}
END_TEST

static void *work(void *seed) {
  for (int i = 0; i < 6; i++) {
    scene s;
    open_blur(&s);
    s.in[3][4] = (uint16_t)(intptr_t)seed;
    ck_assert(realize(&s));
    expect_blurred(&s);
    ck_assert_ptr_null(halyard_parse(s.context, "pipeline p() { fun f(x) = y; }"));
    halyard_context_free(s.context);
  }
  return NULL;
}

START_TEST(a_context_per_thread) {
  pthread_t threads[8];
  for (intptr_t i = 0; i < 8; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, work, (void *)(i + 1)), 0);
  for (int i = 0; i < 8; i++) ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

static void *intrude(void *context) {
  bool fine = halyard_pipeline_new(context, "p");
  const halyard_error *e = halyard_last_error(NULL);
  return fine || !strstr(halyard_error_message(e), "another thread") ? context : NULL;
}

START_TEST(two_threads_in_one_context_are_told) {
  pthread_t thread;
  void *wrong;
  halyard_context *c = halyard_context_new(NULL);
  ck_assert(hy_library_enter(c, "a call"));
  ck_assert_int_eq(pthread_create(&thread, NULL, intrude, c), 0);
  ck_assert_int_eq(pthread_join(thread, &wrong), 0);
  ck_assert_ptr_null(wrong);
  hy_library_leave(c);
  halyard_context_free(c);
}
END_TEST

START_TEST(objects_are_written) {
  scene s;
  open_blur(&s);
  size_t size = 0;
  const unsigned char *object = halyard_object(s.result, "blur", &size);
  ck_assert(object && size > 500 && memcmp(object, "\177ELF", 4) == 0);
  ck_assert_ptr_nonnull(strstr(halyard_header(s.result, "blur"), "int blur(struct halide_buffer_t *arg_in, "));
  char folder[] = "/tmp/halyard_library_XXXXXX", path[80];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/blur", folder);
  mode_t mask = umask(027);
  ck_assert_msg(halyard_write(s.result, "blur", path), "%s", error_of(s.context));
  umask(mask);
  static const char *const suffixes[] = {"o", "h"};
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/blur.%s", folder, suffixes[i]);
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_uint_eq(about.st_mode & 07777, 0640); // what a file made there by anybody else would have
    ck_assert_int_eq(unlink(path), 0);
  }
  ck_assert_int_eq(rmdir(folder), 0); // nothing else was left there
  ck_assert_ptr_nonnull(strstr(halyard_print(s.result, HALYARD_STAGE_FILLED), "compute bh on"));
  ck_assert_ptr_nonnull(strstr(halyard_print(s.result, HALYARD_STAGE_ASM), ".text"));
  halyard_context_free(s.context);
}
END_TEST

START_TEST(parameters_are_looked_at) {
  static const struct {
    halyard_argument argument;
    const char *message;
  } rows[] = {
      {{"w", {HALYARD_OPERAND_SIGNED, {.i = 300}}}, "parameter 'w' "},
      {{"w", {HALYARD_OPERAND_SIGNED, {.i = -1}}}, "parameter 'w' "},
      {{"w", {HALYARD_OPERAND_REAL, {.d = 1.5}}}, "parameter 'w' "},
      {{"w", {HALYARD_OPERAND_NAME, {.name = "7"}}}, "parameter 'w' needs a number"},
      {{"w", {HALYARD_OPERAND_REAL, {.d = NAN}}}, "parameter 'w' is NaN or infinite, which lies in no range"},
      {{"v", {HALYARD_OPERAND_SIGNED, {.i = 3}}}, "argument 'v' is no parameter"},
      {{"w", {HALYARD_OPERAND_UNSIGNED, {.u = 7}}}, NULL},
      {{"w", {HALYARD_OPERAND_SIGNED, {.i = 7}}}, NULL},
  };
  halyard_context *c = halyard_context_new(NULL);
  halyard_code *code = halyard_compile(halyard_check(halyard_parse(c, "pipeline p(w: u8) { fun f(x) = w; }")));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint8_t out[3] = {9, 9, 9};
    halyard_buffer output = halyard_dense(out, HALYARD_U8, 3, 0, 0);
    ck_assert(halyard_realize(code, &rows[i].argument, 1, &output) == !rows[i].message);
    if (rows[i].message) ck_assert_msg(strstr(error_of(c), rows[i].message) != NULL, "%s", error_of(c));
    for (int k = 0; k < 3; k++) ck_assert_uint_eq(out[k], rows[i].message ? 9 : 7);
  }
  halyard_context_free(c);
}
END_TEST

// What an input does not meet is told with the values that it has, in the words of the command line.
START_TEST(failed_assumptions_have_values) {
  static const struct {
    int w;
    double g;
    const char *message;
  } rows[] = {
      {17, 1.0, "the parameter 'w' is 17, and its range is 1 <= w && w <= 16"},
      {0, 1.0, "the parameter 'w' is 0, and its range is 1 <= w && w <= 16"},
      {5, 9.5, "the parameter 'g' is 9.5, and its range is 0.0 <= g && g <= 8.0"},
      {8, 1.0, "the pipeline does not allow this input: w%2 == 1 || w < 4 || w > 40; w = 8"},
      {5, 8.0, NULL},
      {2, 0.0, NULL},
  };
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_parse(c, "pipeline p(w: int in 1..16, g: f32 in 0.0..8.0) {"
                                         "  require w % 2 == 1 || w < 4 || w > 40; fun f(x) = f32(x * w) * g; }");
  halyard_code *code = halyard_compile(halyard_check(p));
  ck_assert_msg(code != NULL, "%s", error_of(c));
  float out[3];
  halyard_buffer output = halyard_dense(out, HALYARD_F32, 3, 0, 0);
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    halyard_argument arguments[] = {HALYARD_ARGUMENT("w", rows[i].w), HALYARD_ARGUMENT("g", rows[i].g)};
    ck_assert(halyard_realize(code, arguments, 2, &output) == !rows[i].message);
    if (!rows[i].message) continue;
    ck_assert_msg(strcmp(error_of(c), rows[i].message) == 0, "%s", error_of(c));
    ck_assert_int_eq(halyard_error_problem(halyard_last_error(c)), HALYARD_FAILED);
  }
  halyard_context_free(c);
}
END_TEST

Suite *library_suite(void) {
  Suite *suite = suite_create("library");
  TCase *tests = tcase_create("library");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, text_is_checked_compiled_and_run);
  tcase_add_test(tests, several_values_are_realized);
  tcase_add_test(tests, any_stride_is_taken);
  tcase_add_test(tests, demands_are_asked);
  tcase_add_test(tests, what_is_built_is_the_text);
  tcase_add_test(tests, everything_that_can_be_built);
  tcase_add_test(tests, a_domain_is_taken_as_it_is);
  tcase_add_test(tests, long_names_are_whole);
  tcase_add_test(tests, small_stacks_are_told);
  tcase_add_loop_test(tests, floats_are_the_languages, 0, 4);
  tcase_add_test(tests, loops_build_chains);
  tcase_add_test(tests, numbers_are_what_they_were);
  tcase_add_loop_test(tests, wrong_uses_are_told, 0, HY_COUNT(misuses));
  tcase_add_test(tests, diagnostics_have_places);
  tcase_add_test(tests, files_with_what_they_include);
  tcase_add_test(tests, the_first_error_stays);
  tcase_add_test(tests, a_defect_is_an_error);
  tcase_add_test(tests, code_outlives_its_result);
  tcase_add_test(tests, code_is_unloaded);
  tcase_add_test(tests, marks_nest);
  tcase_add_test(tests, memory_stays_flat);
  tcase_add_test(tests, z3_is_a_policy);
  tcase_add_test(tests, a_context_per_thread);
  tcase_add_test(tests, two_threads_in_one_context_are_told);
  tcase_add_test(tests, objects_are_written);
  tcase_add_test(tests, parameters_are_looked_at);
  tcase_add_test(tests, failed_assumptions_have_values);
  suite_add_tcase(suite, tests);
  return suite;
}
