// Vectorized loops of any number of lanes: what they compute, and which vectors they become (GEN.Vector).

#include "engines/engine.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <stdio.h>
#include <string.h>

static const hy_tgt *scheduled(test_program *p, const char *alg, const char *items) {
  test_program_open(p, alg, items);
  ck_assert_msg(p->parsed && hy_pipeline_schedule(&p->pipeline, p->diagnostics) &&
                    hy_pipeline_fill(&p->pipeline, p->diagnostics),
                "%s: %s", items, test_program_said(p));
  return hy_passes(p->context, p->pipeline.filled, NULL, NULL);
}

/* -- what they compute -- */

// Loads side by side, at every second point, anywhere, and one for all; choices in choices; sums in registers, under a
// condition, and in each lane.
#define COMPUTE(type, sum, product, less, other)                                                                       \
  "pipeline p(in: " type "[1], table: " type "[1], w: int in 0..9) { fun f(x) = { "                                    \
  "select(" less("in(x)", "in(x + 1)") ", select(" less(                                                               \
      "in(2 * x)", "in(x)") ", in(x + 1), in(2 * x)), "                                                                \
                            "table(clamp(x * x, -3, 40))); "                                                           \
                            "rdom(r = (0, w)) in (x) <- " sum(                                                         \
                                "f(x)",                                                                                \
                                product("in(x + r)", "table(r)")) "; "                                                 \
                                                                  "(x) <- " sum("f(x)", "in(5 - x)") " if " less(      \
                                                                      "in(x)",                                         \
                                                                      "table(3)") "; "                                 \
                                                                                  "rdom(q = (0, w)) in (x) <- " sum(   \
                                                                                      product("f(x)", other),          \
                                                                                      "in(x - q)") "; }; }"
#define PLUS(a, b) a " + " b
#define TIMES(a, b) a " * " b
#define LESS(a, b) a " < " b
#define NUMBERS(type) COMPUTE(type, PLUS, TIMES, LESS, type "(3)")
#define UNEQUAL(a, b) "(" a ") != (" b ")"
#define AND(a, b) a " && " b
#define IMPLIES(a, b) "!" a " || " b
#define LESS_HALF(a, b) "f32(" a ") < f32(" b ")"
#define SUM_F16(a, b) "f16(f32(" a ") + f32(" b "))"
#define PRODUCT_F16(a, b) "f16(f32(" a ") * f32(" b "))"
#define SUM_BF16(a, b) "bf16(f32(" a ") + f32(" b "))"
#define PRODUCT_BF16(a, b) "bf16(f32(" a ") * f32(" b "))"

static const char *const algorithms[] = {
    NUMBERS("u8"),
    NUMBERS("u16"),
    NUMBERS("u32"),
    NUMBERS("u64"),
    NUMBERS("i8"),
    NUMBERS("i16"),
    NUMBERS("i32"),
    NUMBERS("i64"),
    NUMBERS("int"),
    NUMBERS("f32"),
    NUMBERS("f64"),
    COMPUTE("bool", UNEQUAL, AND, IMPLIES, "true"),
    COMPUTE("f16", SUM_F16, PRODUCT_F16, LESS_HALF, "f16(0.5)"),
    COMPUTE("bf16", SUM_BF16, PRODUCT_BF16, LESS_HALF, "bf16(0.5)"),
};

// The first sum in two vectors beside each other, the second around its loop.
static void schedule_for(int lanes, char *items, size_t size) {
  snprintf(items, size,
           "f.split(x, x, xi, %d).vectorize(xi); "
           "f.update(0).split(x, x, xi, %d).split(xi, xu, xi, %d).reorder(xi, xu, r, x).unroll(xu).vectorize(xi); "
           "f.update(1).split(x, x, xi, %d).vectorize(xi); "
           "f.update(2).split(x, x, xi, %d).reorder(q, xi, x).vectorize(xi);",
           lanes, 2 * lanes, lanes, lanes, lanes);
}

static hy_buffer *small_numbers(hy_type type, uint64_t seed) {
  hy_buffer *image = hy_buffer_new(type, 1, (int64_t[]){-400}, (int64_t[]){1000});
  for (size_t i = 0; i < image->count; i++) {
    uint64_t bits = hy_hash(seed, i);
    hy_value value = hy_type_class_of(type) == HY_CLASS_FLOAT
                         ? hy_value_from_double(type, (double)(bits % 1000) / 8)
                         : hy_value_integral(type, (int64_t)(bits % (type == HY_BOOL ? 2 : 100)));
    hy_value_store(value, image->data + i * hy_type_bytes(type));
  }
  return image;
}

static void compare(hy_context *context, const hy_alg *alg, const hy_native *native, int64_t w, int64_t len,
                    const char *items) {
  hy_value parameter = hy_value_integral(HY_INT, w);
  hy_buffer *images[] = {small_numbers(alg->images[0]->type, 1), small_numbers(alg->images[1]->type, 2)};
  hy_input input = {&parameter, (const hy_buffer *const *)images, (int64_t[]){-5}, (int64_t[]){len}};
  hy_outcome want = hy_engine_alg(context, alg, &input, false, 0), got = hy_engine_native(native, alg, &input);
  hy_difference difference;
  ck_assert_int_eq(want.status, HY_RAN);
  ck_assert_int_eq(got.status, HY_RAN);
  hy_compare(want.output, got.output, false, &difference);
  ck_assert_msg(!difference.differs && difference.errors == 0, "%s, %s, w = %d, %d points: at %d", items,
                hy_type_name(alg->output->type), (int)w, (int)len, (int)difference.point[0]);
  hy_outcome_free(&want);
  hy_outcome_free(&got);
  for (int i = 0; i < 2; i++) hy_buffer_free(images[i]);
}

static void compare_lanes(const char *alg, int lanes, int optimize) {
  test_program p;
  char items[512];
  hy_codegen_options options = hy_codegen_default();
  options.optimize = optimize;
  schedule_for(lanes, items, sizeof items);
  const hy_tgt *program = scheduled(&p, alg, items);
  hy_native *native = hy_native_compile(p.context, program, &options);
  for (int64_t w = 0; w < 4; w++) {
    compare(p.context, p.pipeline.alg, native, w, 2 * lanes, items);
    compare(p.context, p.pipeline.alg, native, w, 3 * lanes - 1 - w, items);
  }
  hy_native_free(native);
  test_program_close(&p);
}

// Of every type each fourteenth number, of all types together every number; more than one vector holds, too.
START_TEST(any_number_of_lanes) {
  for (int lanes = 2 + _i; lanes <= 70; lanes += (int)HY_COUNT(algorithms)) compare_lanes(algorithms[_i], lanes, 0);
  compare_lanes(algorithms[_i], 20, 3);
}
END_TEST

/* -- which vectors they become -- */

#define SUM(stored, computed)                                                                                          \
  "pipeline p(in: " stored "[1], w: " computed "[1]) { fun f(x) = { " stored "(0); rdom(r = (0, w.len(0))) in (x) <- " \
  "f(x) + " stored "(" computed "(in(x + r)) * w(r)); }; }"
#define BESIDE "f.update(0).split(x, x, xi, %d).reorder(xi, r, x).vectorize(xi);"
#define AROUND "f.update(0).split(x, x, xi, %d).reorder(r, xi, x).vectorize(xi);"

// Vectors of "element": those that are made, and no other of more than one lane.
static const struct {
  const char *target, *alg, *items, *element;
  int lanes, made[4];
} vectors[] = {
    // a power of two is one vector, however wide
    {"x86-64-v3", SUM("f32", "f32"), BESIDE, "float", 32, {32}},
    {"x86-64-v2", SUM("f64", "f64"), AROUND, "double", 64, {64}},
    // what fills a register when rounded up is one vector
    {"x86-64-v4", SUM("f32", "f32"), BESIDE, "float", 12, {12}},
    {"x86-64-v4", SUM("u16", "u16"), AROUND, "i16", 20, {20}},
    {"x86-64-v3", SUM("u8", "u8"), BESIDE, "i8", 20, {20}},
    {"x86-64-v2", SUM("f32", "f32"), BESIDE, "float", 3, {3}},
    // what does not is several
    {"x86-64-v4", SUM("f32", "f32"), BESIDE, "float", 40, {32, 8}},
    {"x86-64-v4", SUM("f32", "f32"), AROUND, "float", 20, {16, 4}},
    {"x86-64-v4", SUM("f32", "f32"), BESIDE, "float", 63, {32, 16, 15}},
    {"x86-64-v4", SUM("f64", "f64"), AROUND, "double", 28, {16, 8, 4}},
    {"x86-64-v3", SUM("f32", "f32"), BESIDE, "float", 12, {8, 4}},
    {"x86-64-v3", SUM("u16", "u16"), BESIDE, "i16", 20, {16, 4}},
    {"x86-64-v2", SUM("i64", "i64"), BESIDE, "i64", 7, {4, 2}},
    // and what is less than the smallest register
    {"x86-64-v4", SUM("u8", "u8"), BESIDE, "i8", 7, {4, 2}},
    // by the widest that is computed, not by what is stored alone
    {"x86-64-v3", SUM("u8", "f32"), BESIDE, "i8", 20, {16, 4}},
    // more than a vector holds
    {"x86-64-v4", SUM("f32", "f32"), BESIDE, "float", 100, {64, 32, 4}},
};

static bool is_made(int lanes, const int *made, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (made[i] == lanes) return true;
  return false;
}

START_TEST(vectors_that_processors_have) {
  test_program p;
  char items[256];
  hy_text text = {0};
  hy_codegen_options options = hy_codegen_default();
  options.target = hy_target_find(vectors[_i].target);
  snprintf(items, sizeof items, vectors[_i].items, vectors[_i].lanes);
  const hy_tgt *program = scheduled(&p, vectors[_i].alg, items);
  hy_native_print_llvm(p.context, program, &options, false, &text);
  for (int lanes = 2; lanes <= 128; lanes++) {
    char type[32];
    snprintf(type, sizeof type, "load <%d x %s>", lanes, vectors[_i].element);
    bool made = strstr(hy_text_string(&text), type),
         wanted = is_made(lanes, vectors[_i].made, HY_COUNT(vectors[_i].made));
    ck_assert_msg(made == wanted, "%s, %d lanes for %s: %s is%s made", vectors[_i].element, vectors[_i].lanes,
                  vectors[_i].target, type, made ? "" : " not");
  }
  hy_text_free(&text);
  test_program_close(&p);
}
END_TEST

Suite *codegen_lanes_suite(void) {
  Suite *suite = suite_create("codegen_lanes");
  TCase *computed = tcase_create("computed"), *made = tcase_create("made");
  tcase_set_timeout(computed, 60);
  tcase_add_loop_test(computed, any_number_of_lanes, 0, (int)HY_COUNT(algorithms));
  tcase_add_loop_test(made, vectors_that_processors_have, 0, (int)HY_COUNT(vectors));
  suite_add_tcase(suite, computed);
  suite_add_tcase(suite, made);
  return suite;
}
