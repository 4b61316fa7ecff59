#ifndef HY_WIDE_H
#define HY_WIDE_H

/* Whole numbers of 128 bits with sticky overflow: once "*overflow" is set, results are garbage and nobody may use them.
 */

#include "semantics/base/base.h"

typedef __int128 hy_wide;

static inline hy_wide hy_wide_add(hy_wide a, hy_wide b, bool *overflow) {
  hy_wide result;
  if (__builtin_add_overflow(a, b, &result)) *overflow = true;
  return result;
}

static inline hy_wide hy_wide_sub(hy_wide a, hy_wide b, bool *overflow) {
  hy_wide result;
  if (__builtin_sub_overflow(a, b, &result)) *overflow = true;
  return result;
}

static inline hy_wide hy_wide_mul(hy_wide a, hy_wide b, bool *overflow) {
  hy_wide result;
  if (a == (int64_t)a && b == (int64_t)b) return a * b; // cannot overflow, and much cheaper
  if (__builtin_mul_overflow(a, b, &result)) *overflow = true;
  return result;
}

static inline hy_wide hy_wide_neg(hy_wide a, bool *overflow) { return hy_wide_sub(0, a, overflow); }

// Euclidean quotient and remainder; requires: b >= 1
static inline hy_wide hy_wide_mod(hy_wide a, hy_wide b) {
  if (a == (int64_t)a && b == (int64_t)b) {
    int64_t r = (int64_t)a % (int64_t)b;
    return r < 0 ? r + (int64_t)b : r;
  }
  hy_wide r = a % b;
  return r < 0 ? r + b : r;
}

static inline hy_wide hy_wide_div(hy_wide a, hy_wide b) {
  if (a == (int64_t)a && b == (int64_t)b) {
    int64_t q = (int64_t)a / (int64_t)b;
    return (int64_t)a % (int64_t)b < 0 ? q - 1 : q;
  }
  hy_wide q = a / b;
  return a % b < 0 ? q - 1 : q;
}

// The same of 64 bits, by shifts and differences: divisions take several times as long.
static inline uint64_t hy_wide_gcd_64(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return a | b;
  int twos = __builtin_ctzll(a | b);
  a >>= __builtin_ctzll(a);
  while (b != 0) {
    b >>= __builtin_ctzll(b);
    uint64_t less = a < b ? a : b;
    b = a < b ? b - a : a - b;
    a = less;
  }
  return a << twos;
}

// The greatest common divisor, never negative; gcd(0, 0) is 0. requires: neither is the least value
static inline hy_wide hy_wide_gcd(hy_wide a, hy_wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    if (a == 1 || b == 1) return 1;
    if (a == (int64_t)a && b == (int64_t)b) return (hy_wide)hy_wide_gcd_64((uint64_t)a, (uint64_t)b);
    hy_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static inline hy_wide hy_wide_power_of_two(int exponent) { return (hy_wide)1 << exponent; } // exponent <= 126

// The only number whose negation does not fit.
static inline hy_wide hy_wide_least(void) { return -hy_wide_power_of_two(126) * 2; }

#endif
