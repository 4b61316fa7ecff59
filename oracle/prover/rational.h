#ifndef HY_RATIONAL_H
#define HY_RATIONAL_H

/* Exact fractions of 128-bit whole numbers, in lowest terms, denominator at least 1; overflow is sticky as in wide.h.
 */

#include "oracle/prover/wide.h"

typedef struct hy_rational {
  hy_wide num, den;
} hy_rational;

static inline hy_rational hy_rational_of(hy_wide number) { return (hy_rational){number, 1}; }
static inline bool hy_rational_is_zero(hy_rational a) { return a.num == 0; }
static inline bool hy_rational_is_whole(hy_rational a) { return a.den == 1; }

hy_rational hy_rational_make(hy_wide num, hy_wide den, bool *overflow); // requires: den is not 0
hy_rational hy_rational_add_slow(hy_rational a, hy_rational b, bool *overflow);
hy_rational hy_rational_mul_slow(hy_rational a, hy_rational b, bool *overflow);
hy_rational hy_rational_div(hy_rational a, hy_rational b, bool *overflow); // requires: b is not 0
int hy_rational_compare_slow(hy_rational a, hy_rational b);
hy_wide hy_rational_floor(hy_rational a);

static inline hy_rational hy_rational_neg(hy_rational a, bool *overflow) {
  return (hy_rational){hy_wide_neg(a.num, overflow), a.den};
}

static inline hy_rational hy_rational_add(hy_rational a, hy_rational b, bool *overflow) {
  if (a.den == 1 && b.den == 1) return (hy_rational){hy_wide_add(a.num, b.num, overflow), 1};
  return hy_rational_add_slow(a, b, overflow);
}

static inline hy_rational hy_rational_sub(hy_rational a, hy_rational b, bool *overflow) {
  return hy_rational_add(a, hy_rational_neg(b, overflow), overflow);
}

static inline hy_rational hy_rational_mul(hy_rational a, hy_rational b, bool *overflow) {
  if (a.den == 1 && b.den == 1) return (hy_rational){hy_wide_mul(a.num, b.num, overflow), 1};
  return hy_rational_mul_slow(a, b, overflow);
}

static inline int hy_rational_compare(hy_rational a, hy_rational b, bool *overflow) { // -1, 0, 1
  if (*overflow) return 0;
  if (a.den == b.den) return a.num < b.num ? -1 : a.num > b.num;
  return hy_rational_compare_slow(a, b);
}

#endif
