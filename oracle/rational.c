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
  hy_wide left = hy_wide_mul(a.num, b.den, overflow), right = hy_wide_mul(b.num, a.den, overflow);
  hy_wide num = hy_wide_add(left, right, overflow), den = hy_wide_mul(a.den, b.den, overflow);
  return hy_rational_make(num, den, overflow);
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

int hy_rational_compare(hy_rational a, hy_rational b, bool *overflow) {
  hy_wide left = a.num, right = b.num;
  if (a.den != b.den) {
    left = hy_wide_mul(a.num, b.den, overflow);
    right = hy_wide_mul(b.num, a.den, overflow);
  }
  return left < right ? -1 : left > right;
}

hy_wide hy_rational_floor(hy_rational a) { return hy_wide_div(a.num, a.den); }
