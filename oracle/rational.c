#include "oracle/rational.h"

hy_rational hy_rational_make(hy_wide num, hy_wide den, bool *overflow) {
  if (den < 0) {
    num = hy_wide_neg(num, overflow);
    den = hy_wide_neg(den, overflow);
  }
  // The least value has no counterpart of the other sign: gcd and negation would be wrong.
  if (*overflow || num == hy_wide_least()) {
    *overflow = true;
    return hy_rational_of(0);
  }
  hy_wide divisor = hy_wide_gcd(num, den);
  if (divisor > 1) num /= divisor, den /= divisor;
  return (hy_rational){num, den};
}

hy_rational hy_rational_add_slow(hy_rational a, hy_rational b, bool *overflow) {
  if (*overflow) return hy_rational_of(0);
  hy_wide common = hy_wide_gcd(a.den, b.den), rest = b.den / common;
  hy_wide left = hy_wide_mul(a.num, rest, overflow), right = hy_wide_mul(b.num, a.den / common, overflow);
  hy_wide num = hy_wide_add(left, right, overflow);
  if (*overflow || num == hy_wide_least()) {
    *overflow = true;
    return hy_rational_of(0);
  }
  hy_wide divisor = hy_wide_gcd(num, common); // all that numerator and denominator can have in common
  return (hy_rational){num / divisor, hy_wide_mul(a.den / divisor, rest, overflow)};
}

// Crosswise reduction first, so that a product that fits is not lost to an intermediate one that does not.
hy_rational hy_rational_mul_slow(hy_rational a, hy_rational b, bool *overflow) {
  hy_rational left = hy_rational_make(a.num, b.den, overflow), right = hy_rational_make(b.num, a.den, overflow);
  if (*overflow) return hy_rational_of(0);
  return (hy_rational){hy_wide_mul(left.num, right.num, overflow), hy_wide_mul(left.den, right.den, overflow)};
}

hy_rational hy_rational_div(hy_rational a, hy_rational b, bool *overflow) {
  return hy_rational_mul(a, hy_rational_make(b.den, b.num, overflow), overflow);
}

// Where the cross products do not fit: by whole parts, then by the reciprocals of what is left.
static int compare_slowly(hy_rational a, hy_rational b) {
  for (int sign = 1;; sign = -sign) {
    hy_wide whole_a = hy_wide_div(a.num, a.den), whole_b = hy_wide_div(b.num, b.den);
    if (whole_a != whole_b) return whole_a < whole_b ? -sign : sign;
    hy_wide rest_a = hy_wide_mod(a.num, a.den), rest_b = hy_wide_mod(b.num, b.den);
    if (rest_a == 0 || rest_b == 0) return rest_a == rest_b ? 0 : rest_a == 0 ? -sign : sign;
    a = (hy_rational){a.den, rest_a};
    b = (hy_rational){b.den, rest_b};
  }
}

int hy_rational_compare(hy_rational a, hy_rational b, bool *overflow) {
  if (*overflow) return 0;
  if (a.den == b.den) return a.num < b.num ? -1 : a.num > b.num;
  bool large = false;
  hy_wide left = hy_wide_mul(a.num, b.den, &large), right = hy_wide_mul(b.num, a.den, &large);
  if (large) return compare_slowly(a, b);
  return left < right ? -1 : left > right;
}

hy_wide hy_rational_floor(hy_rational a) { return hy_wide_div(a.num, a.den); }
