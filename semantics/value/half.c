#include "semantics/value/half.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the two encodings: a sign, an exponent, a fraction, in 16 bits -- */

static int fraction_bits(hy_type type) { return type == HY_F16 ? 10 : 7; }
static int bias(hy_type type) { return type == HY_F16 ? 15 : 127; }
static uint64_t infinity(hy_type type) { return type == HY_F16 ? 0x7c00 : 0x7f80; }

uint16_t hy_half_nan(hy_type type) { return type == HY_F16 ? 0x7e00 : 0x7fc0; }
bool hy_half_is_nan(hy_type type, uint64_t bits) { return (bits & 0x7fff) > infinity(type); }

/* -- to the 16 bits -- */

// m / 2^shift, to nearest even
static uint64_t shifted(uint64_t m, int shift) {
  if (shift <= 0) return m << -shift;
  if (shift > 64) return 0; // less than a half
  uint64_t whole = shift == 64 ? 0 : m >> shift, half = UINT64_C(1) << (shift - 1);
  uint64_t rest = shift == 64 ? m : m & (2 * half - 1);
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

// VAL.Cast: m * 2^exponent, in units of the last place that its encoding has there. What rounds up to the next power of
// two carries into the exponent, which is its encoding.
static uint16_t encoded(hy_type type, bool is_negative, uint64_t m, int exponent) {
  uint16_t sign = is_negative ? 0x8000 : 0;
  if (m == 0) return sign;
  int power = 63 - __builtin_clzll(m) + exponent, least = 1 - bias(type);
  if (power > bias(type)) return (uint16_t)(sign | infinity(type));
  if (power < least) power = least; // subnormal
  uint64_t units = shifted(m, power - fraction_bits(type) - exponent);
  uint64_t bits = ((uint64_t)(power - least) << fraction_bits(type)) + units;
  return (uint16_t)(sign | (bits < infinity(type) ? bits : infinity(type)));
}

uint16_t hy_half_from_integer(hy_type type, bool is_negative, uint64_t magnitude) {
  return encoded(type, is_negative && magnitude != 0, magnitude, 0);
}

uint16_t hy_half_from_double(hy_type type, double d) {
  enum { FRACTION = 52, BIAS = 1023, ALL = 2047 };
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  bool is_negative = bits >> 63;
  int exponent = (int)(bits >> FRACTION) & ALL;
  uint64_t fraction = bits & ((UINT64_C(1) << FRACTION) - 1);
  if (exponent == ALL && fraction) return hy_half_nan(type);
  if (exponent == ALL) return (uint16_t)((is_negative ? 0x8000 : 0) | infinity(type));
  uint64_t m = exponent ? fraction | UINT64_C(1) << FRACTION : fraction;
  return encoded(type, is_negative, m, (exponent ? exponent : 1) - BIAS - FRACTION);
}

// The number rounded to odd: of the doubles on both sides of one that is none, that whose last bit is 1. It lies between
// the same numbers of 16 bits, and is none of their middles, so that a rounding to these is as if it were the first.
static double read_to_odd(const char *text) {
  int mode = fegetround();
  fesetround(FE_DOWNWARD);
  double below = strtod(text, NULL);
  fesetround(FE_UPWARD);
  double above = strtod(text, NULL);
  fesetround(mode);
  uint64_t bits;
  memcpy(&bits, &below, sizeof bits);
  return below == above || bits % 2 == 1 ? below : above;
}

uint16_t hy_half_from_text(hy_type type, const char *text) { return hy_half_from_double(type, read_to_odd(text)); }

/* -- from them -- */

double hy_half_to_double(hy_type type, uint64_t bits) {
  int fraction = fraction_bits(type), exponent = (int)((bits & 0x7fff) >> fraction);
  double sign = bits & 0x8000 ? -1 : 1, m = (double)(bits & ((UINT64_C(1) << fraction) - 1));
  if (hy_half_is_nan(type, bits)) return NAN;
  if ((bits & 0x7fff) == infinity(type)) return sign * INFINITY;
  if (exponent == 0) return sign * ldexp(m, 1 - bias(type) - fraction);
  return sign * ldexp(m + (double)(1 << fraction), exponent - bias(type) - fraction);
}
