/* math.def against MPFR, whose results are right to 160 bits: of each function the greatest error that is promised
 * (semantics/value/math.def, docs/language.md), over its whole domain, in powers of two, near 1 and 0, over all bit
 * patterns, and at the edges.
 */

#include "proofs_tests/suites.h"
#include "semantics/alg/expand/expand.h"
#include "semantics/base/intern.h"
#include "semantics/semantics.h"
#include "semantics/value/math_functions.h"
#include "semantics/value/value.h"

#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <string.h>

typedef double one_argument(double);
typedef double two_arguments(double, double);
typedef int exact_one(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int exact_two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

enum { PRECISION = 160, ROUNDS = 30000 };

static const struct {
  const char *name;
  one_argument *f32, *f64;
  exact_one *exact;
  double low, high; // evenly spread arguments
  double limit[2];  // of the domain, by magnitude: of f32, of f64; 0: all numbers
  double bound[2];  // ulps
} functions[] = {
#define ROW(name, low, high, limit32, limit64, bound)                                                                  \
  {#name, hy_math_##name##_f32, hy_math_##name##_f64, mpfr_##name, low, high, {limit32, limit64}, {0.51, bound}},
    ROW(sin, -0x1p32, 0x1p32, 0x1p32, 0x1p45, 1.0) ROW(cos, -0x1p32, 0x1p32, 0x1p32, 0x1p45, 1.0)
        ROW(tan, -0x1p32, 0x1p32, 0x1p32, 0x1p45, 1.5) ROW(exp, -750, 711, 0, 0, 1.0) ROW(log, 0, 1.7e308, 0, 0, 1.0)
            ROW(atan, -1e20, 1e20, 0, 0, 1.0) ROW(tanh, -30, 30, 0, 0, 1.5) ROW(asin, -1, 1, 0, 0, 1.5)
                ROW(acos, -1, 1, 0, 0, 1.5) ROW(sinh, -711, 711, 0, 0, 2.0) ROW(cosh, -711, 711, 0, 0, 1.5)
                    ROW(asinh, -1e308, 1e308, 0, 0, 1.5) ROW(acosh, 1, 1e308, 0, 0, 1.5) ROW(atanh, -1, 1, 0, 0, 1.5)
                        ROW(erf, -6, 6, 0, 0, 1.0)
#undef ROW
};

static const struct {
  const char *name;
  two_arguments *f32, *f64;
  exact_two *exact;
  double bound[2];
} pairs[] = {{"pow", hy_math_pow_f32, hy_math_pow_f64, mpfr_pow, {0.51, 1.0}},
             {"atan2", hy_math_atan2_f32, hy_math_atan2_f64, mpfr_atan2, {0.51, 1.5}}};

static uint64_t next_random(uint64_t *state) { return *state = hy_hash(*state, 1); }
static double uniform(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

// Units in the last place of the result by which "got" is off; infinite where it is another kind of value.
static double ulps(double got, mpfr_t exact, bool is_f32, mpfr_t room) {
  if (mpfr_nan_p(exact)) return isnan(got) ? 0 : HUGE_VAL;
  double rounded = is_f32 ? (double)mpfr_get_flt(exact, MPFR_RNDN) : mpfr_get_d(exact, MPFR_RNDN);
  if (isinf(rounded) || isinf(got) || isnan(got)) return rounded == got ? 0 : HUGE_VAL;
  if (rounded == 0 && got == 0) return !signbit(rounded) == !signbit(got) ? 0 : HUGE_VAL;
  int exponent = 0, least = is_f32 ? -125 : -1021;
  frexp(rounded, &exponent);
  if (rounded == 0 || exponent < least) exponent = least;
  mpfr_sub_d(room, exact, got, MPFR_RNDN);
  mpfr_abs(room, room, MPFR_RNDN);
  mpfr_mul_2si(room, room, (is_f32 ? 24 : 53) - exponent, MPFR_RNDN);
  return mpfr_get_d(room, MPFR_RNDU);
}

static double argument(uint64_t *state, int round, double low, double high) {
  static const double edges[] = {
      0.0, -0.0, 1.0, -1.0, 0.5, INFINITY, -INFINITY, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-149, 0x1.fffffep127};
  uint64_t bits = next_random(state);
  double x;
  if (round < (int)HY_COUNT(edges)) return edges[round];
  switch (round % 5) {
  case 0: return low + (high - low) * uniform(state);
  case 1: x = ldexp(1 + uniform(state), -(int)(bits % 60)); break;
  case 2: x = 1 + (uniform(state) - 0.5) * ldexp(1, -(int)(bits % 50)); break;
  case 3: x = 8 * uniform(state); break;
  default: memcpy(&x, &bits, sizeof x); return x;
  }
  return bits >> 63 ? -x : x;
}

START_TEST(functions_keep_their_bounds) {
  uint64_t state = (uint64_t)_i + 1;
  mpfr_t x, y, room;
  mpfr_inits2(PRECISION, x, y, room, (mpfr_ptr)NULL);
  for (int round = 0; round < ROUNDS; round++) {
    double wide = argument(&state, round, functions[_i].low, functions[_i].high);
    for (int is_f32 = 0; is_f32 < 2; is_f32++) {
      double a = is_f32 ? (double)(float)wide : wide, limit = functions[_i].limit[!is_f32];
      if (limit > 0 && fabs(a) > limit) continue;
      mpfr_set_d(x, a, MPFR_RNDN);
      functions[_i].exact(y, x, MPFR_RNDN);
      double got = is_f32 ? (double)(float)functions[_i].f32(a) : functions[_i].f64(a);
      double off = ulps(got, y, is_f32, room);
      ck_assert_msg(off <= functions[_i].bound[!is_f32], "%s of %s at %a (seed %d): %a, off by %f ulp",
                    functions[_i].name, is_f32 ? "f32" : "f64", a, _i + 1, got, off);
    }
  }
  mpfr_clears(x, y, room, (mpfr_ptr)NULL);
}
END_TEST

START_TEST(pairs_keep_their_bounds) {
  uint64_t state = (uint64_t)_i + 100;
  mpfr_t x, y, z, room;
  mpfr_inits2(PRECISION, x, y, z, room, (mpfr_ptr)NULL);
  for (int round = 11; round < ROUNDS; round++) {
    double a = argument(&state, round, 0, 50), b = argument(&state, (int)(next_random(&state) % 4) + 15, -20, 20);
    for (int is_f32 = 0; is_f32 < 2; is_f32++) {
      double c = is_f32 ? (double)(float)a : a, d = is_f32 ? (double)(float)b : b;
      mpfr_set_d(x, c, MPFR_RNDN);
      mpfr_set_d(y, d, MPFR_RNDN);
      pairs[_i].exact(z, x, y, MPFR_RNDN);
      double got = is_f32 ? (double)(float)pairs[_i].f32(c, d) : pairs[_i].f64(c, d), off = ulps(got, z, is_f32, room);
      ck_assert_msg(off <= pairs[_i].bound[!is_f32], "%s of %s at %a, %a (seed %d): %a, off by %f ulp", pairs[_i].name,
                    is_f32 ? "f32" : "f64", c, d, _i + 100, got, off);
    }
  }
  mpfr_clears(x, y, z, room, (mpfr_ptr)NULL);
}
END_TEST

/* -- fast forms of f32 -- */

static const struct {
  const char *name;
  exact_one *exact;
  double low, high;
  bool is_relative;
  double bound;
} fast[] = {{"fast_exp", mpfr_exp, -87, 88, true, 0x1p-23},
            {"fast_log", mpfr_log, 0x1p-126, 0x1.fffffep127, true, 0x1p-23},
            {"fast_sin", mpfr_sin, -8192, 8192, false, 0x1p-23},
            {"fast_cos", mpfr_cos, -8192, 8192, false, 0x1p-23},
            {"fast_inverse_sqrt", mpfr_rec_sqrt, 0x1p-126, 0x1.fffffep127, true, 0x1.8p-24 * 1.0001}};

// What the form stands for, at x and y.
static hy_value evaluate(const hy_expr *e, hy_value x, hy_value y) {
  hy_value args[HY_MAX_ARITY];
  if (e->kind == HY_EXPR_CONST) return e->value;
  if (e->kind == HY_EXPR_VAR) return *e->var->name == 'x' ? x : y;
  for (int i = 0; i < e->count; i++) args[i] = evaluate(e->args[i], x, y);
  return hy_value_apply(e->op, e->type, args);
}

static const hy_expr *make_form(hy_context *c, const char *name, hy_type type) {
  hy_derived derived;
  ck_assert(hy_derived_find(name, &derived));
  const hy_expr *x = hy_expr_var(c, hy_var_new(c, HY_VAR_PARAM, type, "x", NULL, 0, 0));
  const hy_expr *y = hy_expr_var(c, hy_var_new(c, HY_VAR_PARAM, type, "y", NULL, 0, 1));
  return hy_expand_derived(c, derived, type, (const hy_expr *[]){x, y, y});
}

START_TEST(fast_forms_keep_their_bounds) {
  hy_context *c = hy_context_new();
  const hy_expr *form = make_form(c, fast[_i].name, HY_F32);
  uint64_t state = (uint64_t)_i + 200;
  mpfr_t at, exact, room;
  mpfr_inits2(PRECISION, at, exact, room, (mpfr_ptr)NULL);
  for (int round = 0; round < ROUNDS; round++) {
    float a = (float)argument(&state, round, fast[_i].low, fast[_i].high);
    if (!(a >= (float)fast[_i].low && a <= (float)fast[_i].high)) continue;
    hy_value x = hy_value_from_double(HY_F32, (double)a);
    double got = (double)evaluate(form, x, x).f32;
    mpfr_set_d(at, (double)a, MPFR_RNDN);
    fast[_i].exact(exact, at, MPFR_RNDN);
    mpfr_sub_d(room, exact, got, MPFR_RNDN);
    if (fast[_i].is_relative && !mpfr_zero_p(exact)) mpfr_div(room, room, exact, MPFR_RNDN);
    double off = fabs(mpfr_get_d(room, MPFR_RNDA));
    ck_assert_msg(off <= fast[_i].bound, "%s at %a (seed %d): %a, off by %a", fast[_i].name, (double)a, _i + 200, got,
                  off);
  }
  mpfr_clears(at, exact, room, (mpfr_ptr)NULL);
  hy_context_free(c);
}
END_TEST

// Its exponent, b*ln(a), has the relative errors of fast_log and of a product, and what it is off by is a relative error
// of the power.
START_TEST(fast_powers_keep_their_bound) {
  hy_context *c = hy_context_new();
  const hy_expr *form = make_form(c, "fast_pow", HY_F32);
  uint64_t state = 300;
  double worst = 0;
  int seen = 0;
  mpfr_t x, y, exponent, exact, room;
  mpfr_inits2(PRECISION, x, y, exponent, exact, room, (mpfr_ptr)NULL);
  for (int round = 11; round < ROUNDS; round++) {
    float a = fabsf((float)argument(&state, round, 0, 50)), b = (float)argument(&state, round / 5 + 11, -20, 20);
    if (!(a >= 0x1p-126f && a <= 0x1.fffffep127f)) continue;
    if (round % 2) b = (float)((uniform(&state) * 175 - 87) / log((double)a)); // an exponent of any size
    mpfr_set_d(x, (double)a, MPFR_RNDN);
    mpfr_set_d(y, (double)b, MPFR_RNDN);
    mpfr_log(exponent, x, MPFR_RNDN);
    mpfr_mul(exponent, exponent, y, MPFR_RNDN);
    double size = mpfr_get_d(exponent, MPFR_RNDN);
    if (!isfinite(b) || !(size >= -87 && size <= 88)) continue;
    double got =
        (double)evaluate(form, hy_value_from_double(HY_F32, (double)a), hy_value_from_double(HY_F32, (double)b)).f32;
    mpfr_exp(exact, exponent, MPFR_RNDN);
    mpfr_sub_d(room, exact, got, MPFR_RNDN);
    mpfr_div(room, room, exact, MPFR_RNDN);
    double off = fabs(mpfr_get_d(room, MPFR_RNDA)), bound = (1 + 1.6 * fabs(size)) * 0x1p-23;
    ck_assert_msg(off <= bound, "fast_pow at %a, %a: %a, off by %a, more than %a", (double)a, (double)b, got, off,
                  bound);
    worst = fmax(worst, off / bound);
    seen++;
  }
  ck_assert_msg(seen > ROUNDS / 4, "only %d points have a bound", seen);
  ck_assert_msg(worst > 0.2, "the bound is never near: %f of it", worst);
  mpfr_clears(x, y, exponent, exact, room, (mpfr_ptr)NULL);
  hy_context_free(c);
}
END_TEST

Suite *semantics_accuracy_suite(void) {
  Suite *suite = suite_create("semantics_accuracy");
  TCase *tcase = tcase_create("accuracy");
  tcase_set_timeout(tcase, 300);
  tcase_add_loop_test(tcase, functions_keep_their_bounds, 0, HY_COUNT(functions));
  tcase_add_loop_test(tcase, pairs_keep_their_bounds, 0, HY_COUNT(pairs));
  tcase_add_loop_test(tcase, fast_forms_keep_their_bounds, 0, HY_COUNT(fast));
  tcase_add_test(tcase, fast_powers_keep_their_bound);
  suite_add_tcase(suite, tcase);
  return suite;
}
