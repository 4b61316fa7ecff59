#include "oracle/prover/rational.h"

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

// Do a sum's parts fit 64 bits, so that nothing below can overflow?
static bool is_small(hy_rational a) {
  const hy_wide limit = (hy_wide)1 << 62;
  return a.num < limit && a.num > -limit && a.den < limit;
}

static uint64_t size_of(hy_wide a) { return (uint64_t)(a < 0 ? -a : a); }

// The same as below of numbers that fit 64 bits: where the denominators have nothing in common, neither have the sum's
// parts.
static hy_rational add_small(hy_rational a, hy_rational b) {
  uint64_t left_den = (uint64_t)a.den, right_den = (uint64_t)b.den;
  uint64_t common = left_den == right_den ? left_den : hy_wide_gcd_64(left_den, right_den);
  if (common == 1) return (hy_rational){a.num * b.den + b.num * a.den, a.den * b.den};
  hy_wide rest = (hy_wide)(right_den / common), num = a.num * rest + b.num * (hy_wide)(left_den / common);
  if (num == 0) return hy_rational_of(0);
  uint64_t divisor = (uint64_t)hy_wide_gcd(num, (hy_wide)common);
  if (divisor == 1) return (hy_rational){num, a.den * rest};
  num = num == (int64_t)num ? (int64_t)num / (int64_t)divisor : num / (hy_wide)divisor;
  return (hy_rational){num, (hy_wide)(left_den / divisor) * rest};
}

hy_rational hy_rational_add_slow(hy_rational a, hy_rational b, bool *overflow) {
  if (*overflow) return hy_rational_of(0);
  if (is_small(a) && is_small(b)) return add_small(a, b);
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

static hy_rational mul_small(hy_rational a, hy_rational b) {
  int64_t left = (int64_t)a.num, right = (int64_t)b.num, left_den = (int64_t)a.den, right_den = (int64_t)b.den;
  if (left == 0 || right == 0) return hy_rational_of(0);
  int64_t across = right_den == 1 ? 1 : (int64_t)hy_wide_gcd_64(size_of(left), (uint64_t)right_den);
  if (across > 1) left /= across, right_den /= across;
  across = left_den == 1 ? 1 : (int64_t)hy_wide_gcd_64(size_of(right), (uint64_t)left_den);
  if (across > 1) right /= across, left_den /= across;
  return (hy_rational){(hy_wide)left * right, (hy_wide)left_den * right_den};
}

// Crosswise reduction first, so that a product that fits is not lost to an intermediate one that does not.
hy_rational hy_rational_mul_slow(hy_rational a, hy_rational b, bool *overflow) {
  if (*overflow) return hy_rational_of(0);
  if (is_small(a) && is_small(b)) return mul_small(a, b);
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

int hy_rational_compare_slow(hy_rational a, hy_rational b) {
  bool large = false;
  hy_wide left = hy_wide_mul(a.num, b.den, &large), right = hy_wide_mul(b.num, a.den, &large);
  if (large) return compare_slowly(a, b);
  return left < right ? -1 : left > right;
}

hy_wide hy_rational_floor(hy_rational a) { return hy_wide_div(a.num, a.den); }
