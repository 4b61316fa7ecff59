// f16 and bf16 natively (GEN.Half): every encoding converted to every type, and to them what lies in the middle between two
// of their numbers and beside it, with whatever the processor has for it and without, in scalars and vectors; and code for
// every target, which must call no library.

#include "codegen/codegen.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/value/half.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENCODINGS = 0x10000, POINTS = 4 * ENCODINGS };

static const int lane_counts[] = {1, 8, 16, 3};
static const hy_type halves[] = {HY_F16, HY_BF16};

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* -- inputs -- */

// Of each encoding the middle between its number and the next one, and the numbers beside that, of the wide type.
static hy_value beside_middle(hy_type half, hy_type wide, int64_t i) {
  uint64_t bits = (uint64_t)(i & 0x7fff), state = (uint64_t)i;
  double low = hy_half_to_double(half, bits), high = hy_half_to_double(half, bits + 1), d = (low + high) / 2;
  int side = (int)(i / ENCODINGS) - 1;
  if (side == 2 || !isfinite(d)) return hy_value_load(wide, &(uint64_t){next_random(&state)}); // of any bits
  if (wide == HY_F32 && side) d = (double)nextafterf((float)d, (float)side * INFINITY);
  if (wide == HY_F64 && side) d = nextafter(d, side * INFINITY);
  return hy_value_from_double(wide, i & 0x8000 ? -d : d);
}

// 2^power, half of a place below the last that is kept, and a little; or anything.
static hy_value beside_power(hy_type type, int64_t i) {
  uint64_t state = (uint64_t)i, random = next_random(&state), one = 1;
  int power = (int)(i % 64), digits = 8 + (int)(i / 64 % 4);
  uint64_t near = (one << power) + (power >= digits ? one << (power - digits) : 0) + (uint64_t)(i / 256 % 3) - 1;
  if (i % 5 == 0) near = random >> power;
  return hy_value_integral(type, (int64_t)(i / 768 % 2 ? 0 - near : near));
}

static hy_value element(hy_type from, hy_type to, int64_t i) {
  if (hy_type_is_storage(from)) return hy_value_load(from, &i);
  if (hy_type_class_of(from) == HY_CLASS_FLOAT) return beside_middle(to, from, i);
  return from == HY_BOOL ? hy_value_bool(i & 1) : beside_power(from, i);
}

/* -- running -- */

static hy_native *compile(test_program *p, const char *alg, int lanes, const hy_codegen_options *options) {
  char items[80] = "";
  if (lanes > 1) snprintf(items, sizeof items, "g.vectorize(x, %d);", lanes);
  test_program_open(p, alg, items);
  ck_assert_msg(p->parsed && hy_pipeline_schedule(&p->pipeline, p->diagnostics) &&
                    hy_pipeline_fill(&p->pipeline, p->diagnostics),
                "%s", test_program_said(p));
  return options ? hy_native_compile(p->context, p->pipeline.filled, options) : NULL;
}

static void judge(hy_type from, hy_type to, const hy_buffer *in, const hy_buffer *out, int lanes, bool is_plain) {
  for (int64_t i = 0; i < (int64_t)in->count; i++) {
    hy_value value = hy_buffer_get(in, &i), want = hy_value_apply(HY_OP_CAST, to, &value), got = hy_buffer_get(out, &i);
    if (want.error || hy_value_same(want, got)) continue;
    ck_abort_msg("%s of %s 0x%llx, %d lanes%s: 0x%llx, not 0x%llx", hy_type_name(to), hy_type_name(from),
                 (unsigned long long)hy_value_bits(value), lanes, is_plain ? ", by integers" : "",
                 (unsigned long long)hy_value_bits(got), (unsigned long long)hy_value_bits(want));
  }
}

static void check_conversion(hy_type from, hy_type to, int lanes, bool is_plain) {
  hy_target target = *hy_target_host();
  hy_codegen_options options = hy_codegen_default();
  test_program p;
  char alg[100];
  if (is_plain) target.converts_f16 = false;
  options.target = &target;
  snprintf(alg, sizeof alg, "pipeline p(in: %s[1]) { fun g(x) = %s(in(x)); }", hy_type_name(from), hy_type_name(to));
  hy_native *native = compile(&p, alg, lanes, &options);
  int64_t min = 0, len = hy_type_is_storage(from) ? ENCODINGS : POINTS;
  hy_buffer *in = hy_buffer_new(from, 1, &min, &len), *out = hy_buffer_new(to, 1, &min, &len);
  for (int64_t i = 0; i < len; i++) hy_buffer_set(in, &i, element(from, to, i));
  hy_input input = {NULL, (const hy_buffer *const *)&in, &min, &len};
  hy_native_result result;
  hy_native_run(native, &input, out, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  judge(from, to, in, out, lanes, is_plain);
  hy_buffer_free(in);
  hy_buffer_free(out);
  hy_native_free(native);
  test_program_close(&p);
}

// An int that is known to fit 32 bits has no more in a vector (GEN.Narrow), whatever it is made.
START_TEST(conversions_of_narrow_ints) {
  int64_t min = 0, len = 16 * 768;
  int lanes = lane_counts[_i % 4];
  hy_codegen_options options = hy_codegen_default();
  for (hy_type type = HY_INT; (int)type < HY_TYPE_COUNT; type++) {
    test_program p;
    char alg[140];
    snprintf(alg, sizeof alg, "pipeline p(in: int[1]) { fun g(x) = %s(clamp(in(x), -2147483648, 2147483647)); }",
             hy_type_name(type));
    hy_native *native = compile(&p, alg, lanes, &options);
    hy_buffer *in = hy_buffer_new(HY_INT, 1, &min, &len), *out = hy_buffer_new(type, 1, &min, &len);
    for (int64_t i = 0; i < len; i++) {
      int64_t n = (int64_t)hy_value_bits(beside_power(HY_INT, i));
      hy_buffer_set(in, &i, hy_value_integral(HY_INT, n < INT32_MIN ? INT32_MIN : n > INT32_MAX ? INT32_MAX : n));
    }
    hy_input input = {NULL, (const hy_buffer *const *)&in, &min, &len};
    hy_native_result result;
    hy_native_run(native, &input, out, &result);
    ck_assert_int_eq(result.status, HY_RAN);
    judge(HY_INT, type, in, out, lanes, false);
    hy_buffer_free(in);
    hy_buffer_free(out);
    hy_native_free(native);
    test_program_close(&p);
  }
}
END_TEST

// And what is stored in 16 bits becomes such an int at once: below a clamp, and where its range is known.
static int64_t narrow_int(hy_type half, bool is_clamped, int64_t i) {
  if (!is_clamped) return i % 3 == 0 ? 1 : -2;
  hy_value stored = hy_value_load(half, &i), whole = hy_value_apply(HY_OP_CAST, HY_INT, &stored);
  return whole.i < -300 ? -300 : whole.i > 40000 ? 40000 : whole.i;
}

START_TEST(halves_as_narrow_ints) {
  hy_type half = halves[_i % 2];
  int lanes = lane_counts[_i / 2 % 4];
  bool is_clamped = _i / 8 % 2;
  hy_target target = *hy_target_host();
  hy_codegen_options options = hy_codegen_default();
  if (_i / 16) target.converts_f16 = false;
  options.target = &target;
  int64_t min = 0, len = ENCODINGS;
  const char *name = hy_type_name(half);
  char alg[160];
  test_program p;
  if (is_clamped)
    snprintf(alg, sizeof alg, "pipeline p(in: %s[1]) { fun g(x) = clamp(int(in(x)), -300, 40000); }", name);
  else
    snprintf(alg, sizeof alg, "pipeline p(in: %s[1]) { fun g(x) = int(select(x %% 3 == 0, %s(1.0), %s(-2.5))); }", name,
             name, name);
  hy_native *native = compile(&p, alg, lanes, &options);
  hy_buffer *in = hy_buffer_new(half, 1, &min, &len), *out = hy_buffer_new(HY_INT, 1, &min, &len);
  for (int64_t i = 0; i < len; i++) hy_buffer_set(in, &i, hy_value_load(half, &i));
  hy_input input = {NULL, (const hy_buffer *const *)&in, &min, &len};
  hy_native_result result;
  hy_native_run(native, &input, out, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  for (int64_t i = 0; i < len; i++) ck_assert_int_eq(hy_buffer_get(out, &i).i, narrow_int(half, is_clamped, i));
  hy_buffer_free(in);
  hy_buffer_free(out);
  hy_native_free(native);
  test_program_close(&p);
}
END_TEST

START_TEST(conversions) {
  hy_type half = halves[_i % 2];
  int lanes = lane_counts[_i / 2 % 4];
  bool is_plain = _i / 8;
  for (hy_type type = HY_INT; (int)type < HY_TYPE_COUNT; type++) {
    check_conversion(half, type, lanes, is_plain);
    if (type != half) check_conversion(type, half, lanes, is_plain);
  }
}
END_TEST

/* -- what other targets are given -- */

static const char conversions_of_all[] = //
    "pipeline p(in: f16[1], other: bf16[1], wide: f64[1], real: f32[1], n: i64[1], m: u64[1], k: i32[1], w: u8[1]) {\n"
    "  fun a(x) = (f16(wide(x)), bf16(wide(x)), f16(real(x)), bf16(real(x)), f16(n(x)), bf16(n(x)), f16(m(x)));\n"
    "  fun b(x) = (bf16(m(x)), f16(k(x)), bf16(k(x)), f16(w(x)), bf16(w(x)), f64(in(x)), f64(other(x)));\n"
    "  fun c(x) = (i64(in(x)), u8(in(x)), i32(other(x)), f16(other(x)), bf16(in(x)), u64(in(x)));\n"
    "  fun g(x) = f32(a(x)[0]) + f32(a(x)[1]) + f32(a(x)[2]) + f32(a(x)[3]) + f32(a(x)[4]) + f32(a(x)[5]) + "
    "f32(a(x)[6])\n"
    "    + f32(b(x)[0]) + f32(b(x)[1]) + f32(b(x)[2]) + f32(b(x)[3]) + f32(b(x)[4]) + f32(b(x)[5]) + f32(b(x)[6])\n"
    "    + f32(c(x)[0]) + f32(c(x)[1]) + f32(c(x)[2]) + f32(c(x)[3]) + f32(c(x)[4]) + f32(c(x)[5]);\n"
    "}\n";

START_TEST(nothing_is_called) {
  static const char *const calls[] = {"hf2", "sf2", "df2", "bf2", "h2f", "f2h", "d2h", "h2d"};
  const hy_target *target = hy_target_find(hy_target_name(_i / 2));
  hy_codegen_options options = hy_codegen_default();
  test_program p;
  hy_text assembly = {0};
  options.target = target;
  compile(&p, conversions_of_all, _i % 2 ? 8 : 1, NULL);
  hy_native_print_asm(p.context, p.pipeline.filled, &options, &assembly);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&assembly), ".globl"));
  for (size_t i = 0; i < HY_COUNT(calls); i++)
    ck_assert_msg(!strstr(hy_text_string(&assembly), calls[i]), "%s calls ..%s", target->name, calls[i]);
  hy_text_free(&assembly);
  test_program_close(&p);
}
END_TEST

Suite *codegen_half_suite(void) {
  Suite *suite = suite_create("codegen_half");
  TCase *rows = tcase_create("rows");
  tcase_set_timeout(rows, 300);
  tcase_add_loop_test(rows, conversions, 0, 16);
  tcase_add_loop_test(rows, halves_as_narrow_ints, 0, 32);
  tcase_add_loop_test(rows, conversions_of_narrow_ints, 0, (int)HY_COUNT(lane_counts));
  tcase_add_loop_test(rows, nothing_is_called, 0, 12);
  suite_add_tcase(suite, rows);
  return suite;
}
