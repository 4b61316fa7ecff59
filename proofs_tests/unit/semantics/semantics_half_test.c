// f16 and bf16 (VAL.Cast, VAL.Reinterpret): all 65,536 encodings of both, every number that lies in the middle between two
// of them, and beside it, random numbers, integers and texts; against the compiler's _Float16, and MPFR.

#include "proofs_tests/suites.h"
#include "semantics/value/half.h"

#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

static const hy_type types[] = {HY_F16, HY_BF16};

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* -- what others say -- */

static double as_float16(uint16_t bits) {
  _Float16 half;
  memcpy(&half, &bits, sizeof half);
  return (double)half;
}

static double as_upper_half(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  float f;
  memcpy(&f, &word, sizeof f);
  return (double)f;
}

static double expected_number(hy_type type, uint16_t bits) {
  return type == HY_F16 ? as_float16(bits) : as_upper_half(bits);
}

// MPFR's rounding to the precision and the exponents of the type, from a number that MPFR holds exactly.
static double rounded(hy_type type, const mpfr_t exact) {
  int precision = type == HY_F16 ? 11 : 8, bias = type == HY_F16 ? 15 : 127;
  mpfr_t x;
  mpfr_init2(x, precision);
  mpfr_set_emin(2 - bias - precision + 1); // MPFR's mantissas are below 1
  mpfr_set_emax(bias + 1);
  int inexact = mpfr_set(x, exact, MPFR_RNDN);
  inexact = mpfr_check_range(x, inexact, MPFR_RNDN);
  mpfr_subnormalize(x, inexact, MPFR_RNDN);
  double d = mpfr_get_d(x, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  mpfr_clear(x);
  return d;
}

static double rounded_double(hy_type type, double d) {
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_set_d(x, d, MPFR_RNDN);
  double r = rounded(type, x);
  mpfr_clear(x);
  return r;
}

static bool same(double a, double b) {
  return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void check_double(hy_type type, double d) {
  double is = hy_half_to_double(type, hy_half_from_double(type, d)), wanted = rounded_double(type, d);
  ck_assert_msg(same(is, wanted), "%s of %a is %a, not %a", hy_type_name(type), d, is, wanted);
  if (type == HY_F16) ck_assert_msg(same(is, (double)(_Float16)d), "f16 of %a is %a, not _Float16's", d, is);
}

/* -- tests -- */

START_TEST(every_encoding_has_its_number) {
  hy_type type = types[_i];
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    double is = hy_half_to_double(type, bits), wanted = expected_number(type, (uint16_t)bits);
    ck_assert_msg(same(is, wanted), "%s 0x%04x is %a, not %a", hy_type_name(type), bits, is, wanted);
    uint16_t back = hy_half_from_double(type, is), nan = type == HY_F16 ? 0x7e00 : 0x7fc0;
    ck_assert_uint_eq(back, isnan(wanted) ? nan : bits);
    hy_value value = {.u = bits, .type = (uint8_t)type};
    hy_value of_bits = hy_value_apply(hy_op_of_bits(type, false), HY_U16, &value);
    ck_assert_uint_eq(of_bits.u, back);
    ck_assert(hy_value_same(hy_value_apply(hy_op_of_bits(type, true), type, &of_bits), value));
  }
}
END_TEST

// The middle between two neighbours goes to the even one, what is next to the middle to the nearer one: a number that is
// rounded to f32 first goes wrong here.
START_TEST(middles_go_to_even) {
  hy_type type = types[_i];
  uint32_t infinite = type == HY_F16 ? 0x7c00 : 0x7f80;
  for (uint32_t bits = 0; bits < infinite; bits++) {
    double low = expected_number(type, (uint16_t)bits), high = expected_number(type, (uint16_t)(bits + 1));
    if (bits + 1 == infinite) high = 2 * low - expected_number(type, (uint16_t)(bits - 1)); // as if there were more
    double middle = (low + high) / 2;
    for (int sign = -1; sign <= 1; sign += 2) {
      uint16_t s = sign < 0 ? 0x8000 : 0;
      ck_assert_uint_eq(hy_half_from_double(type, sign * middle), s | (bits + bits % 2));
      ck_assert_uint_eq(hy_half_from_double(type, sign * nextafter(middle, 0)), s | bits);
      ck_assert_uint_eq(hy_half_from_double(type, sign * nextafter(middle, INFINITY)), s | (bits + 1));
    }
    if (bits % 64 == 0) check_double(type, middle), check_double(type, nextafter(middle, 0));
  }
}
END_TEST

START_TEST(numbers_round_once) {
  hy_type type = types[_i];
  uint64_t state = 20261127;
  static const double edges[] = {0.0,        -0.0,     INFINITY,    -INFINITY, NAN,        65504,    65519.999,
                                 65520,      1e300,    0x1p-24,     0x1p-25,   0x1p-26,    0x1p-133, 0x1p-134,
                                 0x1.8p-134, 0x1p-149, 0x1p-1074,   -65536,    0.1,        1e-7,     3.4e38,
                                 3.3e38,     -3.4e38,  0x1.ffp+127, 0x1p128,   -0x1p-1022, 2049};
  for (size_t i = 0; i < HY_COUNT(edges); i++) check_double(type, edges[i]);
  for (int i = 0; i < 200000; i++) {
    uint64_t random = next_random(&state);
    int power = type == HY_F16 ? (int)(random % 44) - 26 : (int)(random % 270) - 138;
    check_double(type, ldexp((double)(int64_t)next_random(&state), power - 63));
  }
}
END_TEST

static void check_integer(hy_type type, hy_value integer) {
  bool is_signed = hy_type_class_of(integer.type) == HY_CLASS_SIGNED || integer.type == HY_INT;
  mpfr_t x;
  mpfr_init2(x, 64);
  if (is_signed)
    mpfr_set_sj(x, integer.i, MPFR_RNDN);
  else
    mpfr_set_uj(x, integer.u, MPFR_RNDN);
  double wanted = rounded(type, x), is = hy_value_to_double(hy_value_apply(HY_OP_CAST, type, &integer));
  mpfr_clear(x);
  if (wanted == 0) wanted = 0; // an integer has no negative zero
  ck_assert_msg(same(is, wanted), "%s of %s 0x%" PRIx64 " is %a, not %a", hy_type_name(type),
                hy_type_name(integer.type), integer.u, is, wanted);
}

START_TEST(integers_round_once) {
  static const hy_type from[] = {HY_INT, HY_U64, HY_I64, HY_U32, HY_I32, HY_U16, HY_I16, HY_U8, HY_I8, HY_BOOL};
  hy_type type = types[_i];
  uint64_t state = 7;
  for (size_t k = 0; k < HY_COUNT(from); k++) {
    for (int i = 0; i < 20000; i++) {
      uint64_t random = next_random(&state);
      check_integer(type, hy_value_integral(from[k], (int64_t)random >> random % 64));
    }
    // 2^power and a half of the last place, and one more or less: by way of an f64 it is a middle
    for (int power = 8; power < 64; power++)
      for (int i = -1; i <= 1; i++)
        for (int digits = 8; digits <= 11; digits += 3)
          if (power >= digits)
            check_integer(type, hy_value_integral(from[k], (int64_t)((UINT64_C(1) << power) +
                                                                     (UINT64_C(1) << (power - digits)) + (uint64_t)i)));
  }
}
END_TEST

// VAL.Cast: to integers and to bool as an f32 of the same number.
START_TEST(what_they_convert_to) {
  hy_type type = types[_i];
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    hy_value half = {.u = bits, .type = (uint8_t)type},
             real = hy_value_from_double(HY_F32, expected_number(type, (uint16_t)bits));
    for (hy_type to = HY_INT; (int)to < HY_TYPE_COUNT; to++) {
      if (to == type) continue;
      ck_assert(hy_value_same(hy_value_apply(HY_OP_CAST, to, &half), hy_value_apply(HY_OP_CAST, to, &real)));
    }
  }
}
END_TEST

static const struct {
  hy_type type;
  const char *text;
  uint16_t bits;
} texts[] = {
    {HY_F16, "0.1", 0x2e66},
    {HY_F16, "2049", 0x6800}, // the middle of 2048 and 2050
    {HY_F16, "2049.0000000000000000000000000000000000001", 0x6801},
    {HY_F16, "2048.9999999999999999999999999999999999999", 0x6800},
    {HY_F16, "-2051", 0xe802},
    {HY_F16, "-2050.9999999999999999999999999999999", 0xe801},
    {HY_F16, "65519.99999999999999999999999", 0x7bff},
    {HY_F16, "65520", 0x7c00},
    {HY_F16, "1e400", 0x7c00},
    {HY_F16, "1e-400", 0},
    {HY_F16, "2.98023223876953125e-8", 0}, // 2^-25
    {HY_F16, "2.98023223876953125000000000000000000001e-8", 1},
    {HY_F16, "0x801.0000000000000000000001", 0x6801},
    {HY_F16, "-inf", 0xfc00},
    {HY_F16, "nan", 0x7e00},
    {HY_F16, "-0.0", 0x8000},
    {HY_BF16, "0.1", 0x3dcd},
    {HY_BF16, "257", 0x4380},
    {HY_BF16, "257.00000000000000000000000000001", 0x4381},
    {HY_BF16, "0x1010000000000001", 0x5d81}, // an integer of more digits than a double has
    {HY_BF16, "3.3895313892515354759e38", 0x7f7f},
    {HY_BF16, "3.4e38", 0x7f80},
};

START_TEST(texts_round_once) {
  uint16_t is = hy_half_from_text(texts[_i].type, texts[_i].text);
  ck_assert_msg(is == texts[_i].bits, "%s is 0x%04x, not 0x%04x", texts[_i].text, is, texts[_i].bits);
}
END_TEST

START_TEST(every_number_prints_and_reads_back) {
  hy_type type = types[_i];
  for (uint32_t bits = 0; bits < 0x8000; bits += bits < 0x80 ? 1 : 7) {
    hy_value value = {.u = bits, .type = (uint8_t)type};
    hy_text text = {0};
    hy_value_print(value, &text);
    if (isfinite(hy_value_to_double(value))) {
      ck_assert_msg(hy_half_from_text(type, hy_text_string(&text)) == bits, "0x%04x prints as %s", bits,
                    hy_text_string(&text));
      ck_assert_msg(text.length <= 14, "%s has more digits than it takes", hy_text_string(&text));
    } else {
      char wanted[24];
      snprintf(wanted, sizeof wanted, "%s(%s / 0.0)", hy_type_name(type),
               isnan(hy_value_to_double(value)) ? "0.0" : "1.0");
      ck_assert_str_eq(hy_text_string(&text), wanted);
    }
    hy_text_free(&text);
  }
}
END_TEST

Suite *semantics_half_suite(void) {
  Suite *suite = suite_create("semantics_half");
  TCase *rows = tcase_create("rows");
  tcase_set_timeout(rows, 120);
  tcase_add_loop_test(rows, every_encoding_has_its_number, 0, 2);
  tcase_add_loop_test(rows, middles_go_to_even, 0, 2);
  tcase_add_loop_test(rows, numbers_round_once, 0, 2);
  tcase_add_loop_test(rows, integers_round_once, 0, 2);
  tcase_add_loop_test(rows, what_they_convert_to, 0, 2);
  tcase_add_loop_test(rows, texts_round_once, 0, (int)HY_COUNT(texts));
  tcase_add_loop_test(rows, every_number_prints_and_reads_back, 0, 2);
  suite_add_tcase(suite, rows);
  return suite;
}
