// math.def: accuracy against long double, the special values of C's annex F, and the very bits, pinned, so that no
// compiler, flag or later edit changes them unnoticed.

#include "proofs_tests/suites.h"
#include "semantics/base/intern.h"
#include "semantics/value/math_functions.h"
#include "semantics/value/value.h"

#include <math.h>
#include <string.h>

typedef double one_argument(double);
typedef double two_arguments(double, double);

static uint64_t next_random(uint64_t *state) { return *state = hy_hash(*state, 1); }
static double uniform(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

// Units in the last place of the result by which "got" is off.
static long double ulps(double got, long double exact, bool is_f32) {
  if (isnan(exact)) return isnan(got) ? 0 : HUGE_VALL;
  double rounded = is_f32 ? (double)(float)exact : (double)exact;
  if (isinf(rounded) || isinf(got)) return rounded == got ? 0 : HUGE_VALL;
  int exponent, least = is_f32 ? -125 : -1021;
  frexp(rounded, &exponent);
  if (exponent < least) exponent = least;
  return fabsl((long double)got - exact) / ldexpl(1.0L, exponent - (is_f32 ? 24 : 53));
}

static const struct {
  const char *name;
  one_argument *f32, *f64;
  long double (*exact)(long double);
  double low32, high32, low64, high64; // arguments to try
  double bound64;                      // ulps; f32 is within 0.51
} functions[] = {
    {"sin", hy_math_sin_f32, hy_math_sin_f64, sinl, -0x1p32, 0x1p32, -0x1p45, 0x1p45, 1.0},
    {"cos", hy_math_cos_f32, hy_math_cos_f64, cosl, -0x1p32, 0x1p32, -0x1p45, 0x1p45, 1.0},
    {"tan", hy_math_tan_f32, hy_math_tan_f64, tanl, -0x1p32, 0x1p32, -0x1p45, 0x1p45, 1.5},
    {"exp", hy_math_exp_f32, hy_math_exp_f64, expl, -104, 89, -745.2, 709.8, 1.0},
    {"log", hy_math_log_f32, hy_math_log_f64, logl, 0, 3.4e38, 0, 1.7e308, 1.0},
    {"atan", hy_math_atan_f32, hy_math_atan_f64, atanl, -1e10, 1e10, -1e20, 1e20, 1.0},
    {"tanh", hy_math_tanh_f32, hy_math_tanh_f64, tanhl, -10, 10, -25, 25, 1.5},
};

// Arguments of every size in the range, and evenly spread ones.
static double argument(uint64_t *state, int round, double low, double high) {
  if (round % 3 == 0) return low + (high - low) * uniform(state);
  double most = fmax(fabs(low), fabs(high));
  int exponent = -1 - (int)(next_random(state) % (round % 3 == 1 ? 8 : 60));
  double x = most * ldexp(1 + uniform(state), exponent);
  return low < 0 && next_random(state) & 1 ? -x : x;
}

START_TEST(functions_are_accurate) {
  for (size_t k = 0; k < HY_COUNT(functions); k++) {
    uint64_t state = k + 1;
    for (int round = 0; round < 20000; round++) {
      float narrow = (float)argument(&state, round, functions[k].low32, functions[k].high32);
      if (round % 7 == 0 && functions[k].low32 == 0) narrow = (float)(1 + (uniform(&state) - 0.5) / 8); // log near 1
      long double off = ulps((float)functions[k].f32(narrow), functions[k].exact(narrow), true);
      ck_assert_msg(off <= 0.51L, "%s f32 at %a: %Lf ulp", functions[k].name, narrow, off);
      double x = argument(&state, round, functions[k].low64, functions[k].high64);
      if (round % 7 == 0 && functions[k].low64 == 0) x = 1 + (uniform(&state) - 0.5) / 8;
      off = ulps(functions[k].f64(x), functions[k].exact(x), false);
      ck_assert_msg(off <= functions[k].bound64, "%s f64 at %a: %Lf ulp", functions[k].name, x, off);
    }
  }
}
END_TEST

START_TEST(powers_are_accurate) {
  uint64_t state = 99;
  for (int round = 0; round < 40000; round++) {
    int exponent = (int)(next_random(&state) % 20) - 10;
    float x = (float)ldexp(1 + uniform(&state), exponent);
    float y = (float)((uniform(&state) * 200 - 100) / (round & 1 ? fabs(log(x)) + 0.001 : 25));
    long double off = ulps((float)hy_math_pow_f32(x, y), powl(x, y), true);
    ck_assert_msg(off <= 0.51L, "pow f32 at %a, %a: %Lf ulp", x, y, off);
    int spread = round & 2 ? 4 : 2000;
    exponent = (int)(next_random(&state) % (unsigned)spread) - spread / 2;
    double a = ldexp(1 + uniform(&state), exponent);
    double b = round & 4 ? uniform(&state) * 8 - 4 : (uniform(&state) * 1440 - 730) / log(a);
    off = ulps(hy_math_pow_f64(a, b), powl(a, b), false);
    ck_assert_msg(off <= 1.0L, "pow f64 at %a, %a: %Lf ulp", a, b, off);
  }
}
END_TEST

// Of either sign, with an exponent among "spread" from "least" on.
static double scaled(uint64_t *state, int spread, int least) {
  int exponent = least + (int)(next_random(state) % (unsigned)spread);
  return ldexp(uniform(state) - 0.5, exponent);
}

START_TEST(angles_are_accurate) {
  uint64_t state = 7;
  for (int round = 0; round < 40000; round++) {
    float x = (float)scaled(&state, round & 1 ? 4 : 40, -4);
    float y = (float)scaled(&state, 4, -4);
    long double off = ulps((float)hy_math_atan2_f32(y, x), atan2l(y, x), true);
    ck_assert_msg(off <= 0.51L, "atan2 f32 at %a, %a: %Lf ulp", y, x, off);
    int spread = round & 1 ? 4 : 1900;
    double a = scaled(&state, spread, -spread / 2);
    double b = scaled(&state, spread, -spread / 2);
    off = ulps(hy_math_atan2_f64(a, b), atan2l(a, b), false);
    ck_assert_msg(off <= 1.5L, "atan2 f64 at %a, %a: %Lf ulp", a, b, off);
  }
}
END_TEST

/* -- special values; the same in both precisions -- */

static const struct {
  const char *name;
  one_argument *f32, *f64;
  double x, expected;
} edges[] = {
#define EDGE(name, x, expected) {#name, hy_math_##name##_f32, hy_math_##name##_f64, x, expected},
    EDGE(sin, 0.0, 0.0) EDGE(sin, -0.0, -0.0) EDGE(sin, INFINITY, NAN) EDGE(sin, -INFINITY, NAN) EDGE(sin, NAN, NAN)
        EDGE(sin, 0x1p50, NAN) EDGE(cos, 0x1p50, NAN) EDGE(tan, -0x1p50, NAN) // outside of the domain
    EDGE(cos, 0.0, 1.0) EDGE(cos, -0.0, 1.0) EDGE(cos, INFINITY, NAN) EDGE(cos, NAN, NAN) EDGE(tan, 0.0, 0.0)
        EDGE(tan, -0.0, -0.0) EDGE(tan, INFINITY, NAN) EDGE(tan, NAN, NAN) EDGE(exp, 0.0, 1.0) EDGE(exp, -0.0, 1.0)
            EDGE(exp, INFINITY, INFINITY) EDGE(exp, -INFINITY, 0.0) EDGE(exp, NAN, NAN) EDGE(exp, 1e30, INFINITY)
                EDGE(exp, -1e30, 0.0) EDGE(exp, 710.0, INFINITY) EDGE(exp, -746.0, 0.0) EDGE(log, 1.0, 0.0)
                    EDGE(log, 0.0, -INFINITY) EDGE(log, -0.0, -INFINITY) EDGE(log, -1.0, NAN) EDGE(log, -INFINITY, NAN)
                        EDGE(log, INFINITY, INFINITY) EDGE(log, NAN, NAN) EDGE(atan, 0.0, 0.0) EDGE(atan, -0.0, -0.0)
                            EDGE(atan, INFINITY, M_PI_2) EDGE(atan, -INFINITY, -M_PI_2) EDGE(atan, NAN, NAN)
                                EDGE(atan, 1.0, M_PI_4) EDGE(atan, -1.0, -M_PI_4) EDGE(tanh, 0.0, 0.0)
                                    EDGE(tanh, -0.0, -0.0) EDGE(tanh, INFINITY, 1.0) EDGE(tanh, -INFINITY, -1.0)
                                        EDGE(tanh, NAN, NAN) EDGE(tanh, 1e300, 1.0)
#undef EDGE
};

static const struct {
  two_arguments *f32, *f64;
  double x, y, expected;
} pair_edges[] = {
#define POW(x, y, expected) {hy_math_pow_f32, hy_math_pow_f64, x, y, expected},
    POW(0.0, 3.0, 0.0) POW(-0.0, 3.0, -0.0) POW(0.0, 2.0, 0.0) POW(-0.0, 2.0, 0.0) POW(-0.0, 0.5, 0.0) POW(
        0.0, -3.0, INFINITY) POW(-0.0, -3.0, -INFINITY) POW(-0.0, -2.0, INFINITY) POW(0.0, -0.5, INFINITY)
        POW(0.0, INFINITY, 0.0) POW(0.0, -INFINITY, INFINITY) POW(0.0, 0.0, 1.0) POW(-0.0, -0.0, 1.0) POW(
            -1.0, INFINITY, 1.0) POW(-1.0, -INFINITY, 1.0) POW(1.0, NAN, 1.0) POW(1.0, INFINITY, 1.0) POW(NAN, 0.0, 1.0)
            POW(NAN, 1.0, NAN) POW(2.0, NAN, NAN) POW(NAN, NAN, NAN) POW(INFINITY, 0.0, 1.0) POW(-2.0, 3.0, -8.0) POW(
                -2.0, 2.0, 4.0) POW(-2.0, -1.0, -0.5) POW(-2.0, 0.5, NAN) POW(-1e-300, 0.3, NAN) POW(0.5, INFINITY, 0.0)
                POW(0.5, -INFINITY, INFINITY) POW(2.0, INFINITY, INFINITY) POW(2.0, -INFINITY, 0.0)
                    POW(-0.5, INFINITY, 0.0) POW(-2.0, INFINITY, INFINITY) POW(-2.0, -INFINITY, 0.0)
                        POW(INFINITY, 2.0, INFINITY) POW(INFINITY, -2.0, 0.0) POW(-INFINITY, 3.0, -INFINITY)
                            POW(-INFINITY, 2.0, INFINITY) POW(-INFINITY, -3.0, -0.0) POW(-INFINITY, -2.0, 0.0)
                                POW(-INFINITY, 0.5, INFINITY) POW(INFINITY, INFINITY, INFINITY) POW(
                                    -INFINITY, -INFINITY, 0.0) POW(10.0, 400.0, INFINITY) POW(10.0, -400.0, 0.0)
                                    POW(-10.0, 401.0, -INFINITY) POW(-10.0, -401.0, -0.0) POW(3.0, 1.0, 3.0) POW(
                                        9.0, 0.5, 3.0) POW(-3.0, 0x1p60, INFINITY)
#undef POW
#define ANGLE(y, x, expected) {hy_math_atan2_f32, hy_math_atan2_f64, y, x, expected},
                                        ANGLE(0.0, 1.0, 0.0) ANGLE(-0.0, 1.0, -0.0) ANGLE(0.0, -1.0, M_PI)
                                            ANGLE(-0.0, -1.0, -M_PI) ANGLE(0.0, 0.0, 0.0) ANGLE(-0.0, 0.0, -0.0)
                                                ANGLE(0.0, -0.0, M_PI) ANGLE(-0.0, -0.0, -M_PI) ANGLE(1.0, 0.0, M_PI_2)
                                                    ANGLE(1.0, -0.0, M_PI_2) ANGLE(-1.0, 0.0, -M_PI_2)
                                                        ANGLE(1.0, 1.0, M_PI_4) ANGLE(1.0, -1.0, 3 * M_PI_4) ANGLE(
                                                            -1.0, -1.0, -3 * M_PI_4) ANGLE(INFINITY, INFINITY, M_PI_4)
                                                            ANGLE(INFINITY, -INFINITY, 3 * M_PI_4) ANGLE(
                                                                1.0, INFINITY, 0.0) ANGLE(-1.0, INFINITY, -0.0)
                                                                ANGLE(1.0, -INFINITY, M_PI) ANGLE(INFINITY, 1.0, M_PI_2)
                                                                    ANGLE(-INFINITY, -1.0, -M_PI_2) ANGLE(NAN, 1.0, NAN)
                                                                        ANGLE(1.0, NAN, NAN) ANGLE(0.0, NAN, NAN)
#undef ANGLE
};

static void check_edge(const char *name, double x, double y, double got, double expected) {
  bool same = isnan(expected) ? isnan(got) : got == expected && signbit(got) == signbit(expected);
  ck_assert_msg(same, "%s(%a, %a) = %a, expected %a", name, x, y, got, expected);
}

static const struct {
  const char *name;
  one_argument *f32, *f64;
  double x, expected;
} more_edges[] = {
#define EDGE(name, x, expected) {#name, hy_math_##name##_f32, hy_math_##name##_f64, x, expected},
    EDGE(asin, -0.0, -0.0) EDGE(asin, 1.0, M_PI_2) EDGE(asin, -1.0, -M_PI_2) EDGE(asin, 1.5, NAN) EDGE(asin, NAN, NAN)
        EDGE(asin, INFINITY, NAN) EDGE(acos, 1.0, 0.0) EDGE(acos, -1.0, M_PI) EDGE(acos, 0.0, M_PI_2)
            EDGE(acos, -1.5, NAN) EDGE(acos, NAN, NAN) EDGE(sinh, -0.0, -0.0) EDGE(sinh, INFINITY, INFINITY)
                EDGE(sinh, -INFINITY, -INFINITY) EDGE(sinh, NAN, NAN) EDGE(sinh, -1e4, -INFINITY) EDGE(cosh, -0.0, 1.0)
                    EDGE(cosh, -INFINITY, INFINITY) EDGE(cosh, NAN, NAN) EDGE(cosh, 1e4, INFINITY)
                        EDGE(asinh, -0.0, -0.0) EDGE(asinh, -INFINITY, -INFINITY) EDGE(asinh, NAN, NAN)
                            EDGE(acosh, 1.0, 0.0) EDGE(acosh, 0.99, NAN) EDGE(acosh, -1e30, NAN)
                                EDGE(acosh, INFINITY, INFINITY) EDGE(acosh, NAN, NAN) EDGE(atanh, -0.0, -0.0)
                                    EDGE(atanh, 1.0, INFINITY) EDGE(atanh, -1.0, -INFINITY) EDGE(atanh, 1.5, NAN)
                                        EDGE(atanh, -INFINITY, NAN) EDGE(atanh, NAN, NAN) EDGE(erf, -0.0, -0.0)
                                            EDGE(erf, INFINITY, 1.0) EDGE(erf, -INFINITY, -1.0) EDGE(erf, NAN, NAN)
                                                EDGE(erf, 1e300, 1.0) EDGE(erf, -6.0, -1.0)
#undef EDGE
};

START_TEST(special_values) {
  for (size_t i = 0; i < HY_COUNT(more_edges); i++) {
    double x = more_edges[i].x;
    check_edge(more_edges[i].name, x, 0, more_edges[i].f64(x), more_edges[i].expected);
    double narrow = (float)x;
    check_edge(more_edges[i].name, narrow, 0, (float)more_edges[i].f32(narrow), (float)more_edges[i].expected);
  }
  for (size_t i = 0; i < HY_COUNT(edges); i++) {
    check_edge(edges[i].name, edges[i].x, 0, edges[i].f64(edges[i].x), edges[i].expected);
    double narrow = (float)edges[i].x; // what overflows on the way to float is infinite there
    check_edge(edges[i].name, narrow, 0, (float)edges[i].f32(narrow), (float)edges[i].expected);
  }
  for (size_t i = 0; i < HY_COUNT(pair_edges); i++) {
    double x = pair_edges[i].x, y = pair_edges[i].y;
    check_edge("pair", x, y, pair_edges[i].f64(x, y), pair_edges[i].expected);
    if (x != 0 && fabs(x) < 1e-40) continue; // no float but 0
    check_edge("pair f32", x, y, (float)pair_edges[i].f32(x, y), (float)pair_edges[i].expected);
  }
  // at the edges of the range, subnormal results included
  check_edge("exp", 709.78, 0, hy_math_exp_f64(709.78), (double)expl((long double)709.78));
  check_edge("exp", -745, 0, hy_math_exp_f64(-745), 0x1p-1074);
  check_edge("exp f32", -103, 0, (float)hy_math_exp_f32(-103), 0x1p-149);
  check_edge("log", 0x1p-1074, 0, hy_math_log_f64(0x1p-1074), (double)logl(0x1p-1074L));
  check_edge("sin", 0x1p-1074, 0, hy_math_sin_f64(0x1p-1074), 0x1p-1074);
  check_edge("tanh", -0x1p-1074, 0, hy_math_tanh_f64(-0x1p-1074), -0x1p-1074);
  check_edge("atan", 0x1p-1074, 0, hy_math_atan_f64(0x1p-1074), 0x1p-1074);
  check_edge("pow", 0x1p-1074, 0.5, hy_math_pow_f64(0x1p-1074, 0.5), 0x1p-537);
  check_edge("pow", 2, -1074, hy_math_pow_f64(2, -1074), 0x1p-1074);
  check_edge("atan2", 0x1p-1074, 0x1p-1074, hy_math_atan2_f64(0x1p-1074, 0x1p-1074), M_PI_4);
}
END_TEST

/* -- the bits -- */

static uint64_t mix(uint64_t hash, double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return hy_hash(hash, isnan(d) ? 0x7ff8000000000000 : bits);
}

START_TEST(bits_are_pinned) {
  uint64_t state = 5, hash = 0;
  for (int round = 0; round < 5000; round++) {
    for (size_t k = 0; k < HY_COUNT(functions); k++) {
      double x = argument(&state, round, functions[k].low64, functions[k].high64);
      float narrow = (float)argument(&state, round, functions[k].low32, functions[k].high32);
      hash = mix(mix(hash, functions[k].f64(x)), (float)functions[k].f32(narrow));
    }
    double x = 4 * uniform(&state);
    double y = 20 * uniform(&state) - 10;
    hash = mix(mix(hash, hy_math_pow_f64(x, y)), (float)hy_math_pow_f32((float)x, (float)y));
    hash = mix(mix(hash, hy_math_atan2_f64(y, x - 2)), (float)hy_math_atan2_f32((float)y, (float)(x - 2)));
  }
  ck_assert_msg(hash == UINT64_C(0x876dc9c4157a5064), "the hash of 90,000 results is 0x%016llx",
                (unsigned long long)hash);
}
END_TEST

START_TEST(later_bits_are_pinned) {
  static one_argument *const later[][2] = {
#define BOTH(name) {hy_math_##name##_f32, hy_math_##name##_f64},
      BOTH(asin) BOTH(acos) BOTH(sinh) BOTH(cosh) BOTH(asinh) BOTH(acosh) BOTH(atanh)
#undef BOTH
  };
  uint64_t state = 6, hash = 0;
  for (int round = 0; round < 5000; round++)
    for (size_t k = 0; k < HY_COUNT(later); k++) {
      double x = argument(&state, round, k == 5 ? 0 : -1, k == 5 ? 100 : 1) * (k > 1 && k < 5 ? 90 : 1);
      hash = mix(mix(hash, later[k][1](x)), (float)later[k][0]((float)x));
    }
  ck_assert_msg(hash == UINT64_C(0xdbd1e5351ceb06f4), "the hash of 70,000 results is 0x%016llx",
                (unsigned long long)hash);
}
END_TEST

START_TEST(bits_of_erf_are_pinned) {
  uint64_t state = 7, hash = 0;
  for (int round = 0; round < 5000; round++) {
    double x = argument(&state, round, -6, 6);
    hash = mix(mix(hash, hy_math_erf_f64(x)), (float)hy_math_erf_f32((float)x));
  }
  ck_assert_msg(hash == UINT64_C(0x433a7b25c0be3e72), "the hash of 10,000 results is 0x%016llx",
                (unsigned long long)hash);
}
END_TEST

Suite *semantics_math_suite(void) {
  Suite *suite = suite_create("semantics_math");
  TCase *cases = tcase_create("math.def");
  tcase_add_test(cases, functions_are_accurate);
  tcase_add_test(cases, powers_are_accurate);
  tcase_add_test(cases, angles_are_accurate);
  tcase_add_test(cases, special_values);
  tcase_add_test(cases, bits_are_pinned);
  tcase_add_test(cases, later_bits_are_pinned);
  tcase_add_test(cases, bits_of_erf_are_pinned);
  suite_add_tcase(suite, cases);
  return suite;
}
