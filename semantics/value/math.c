#include "semantics/value/math_functions.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Excess precision and contraction would give other bits than the code generator's. 16 is 0 with a _Float16 of its own:
// what gcc says in its own dialect of C where the processor has AVX512-FP16.
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, "float arithmetic must round to its own type");

static inline uint64_t bits_of(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return u;
}

static inline double from_bits(uint64_t u) {
  double d;
  memcpy(&d, &u, sizeof d);
  return d;
}

#define M_FUNCTION1(name, x) static double name(double x) {
#define M_FUNCTION2(name, x, y) static double name(double x, double y) {
#define M_END }
#define M_RETURN(a) return a;
#define M_CALL1(name, a) name(a)
#define M_CALL2(name, a, b) name(a, b)
#define M_LET(name, a) const double name = a;
#define M_LET_BITS(name, i) const uint64_t name = i;
#define M_LET_MASK(name, m) const bool name = m;
#define M_CONST(c) ((double)(c))
#define M_ADD(a, b) ((a) + (b))
#define M_SUB(a, b) ((a) - (b))
#define M_MUL(a, b) ((a) * (b))
#define M_DIV(a, b) ((a) / (b))
#define M_NEG(a) (-(a))
#define M_ABS(a) fabs(a)
#define M_FMA(a, b, c) fma(a, b, c)
#define M_SQRT(a) sqrt(a)
#define M_LT(a, b) ((a) < (b))
#define M_LE(a, b) ((a) <= (b))
#define M_EQ(a, b) ((a) == (b))
#define M_MASK_AND(m, n) ((m) & (n))
#define M_MASK_OR(m, n) ((m) | (n))
#define M_MASK_NOT(m) (!(m))
#define M_SELECT(m, a, b) ((m) ? (a) : (b))
#define M_BITS(a) bits_of(a)
#define M_FROM_BITS(i) from_bits(i)
#define M_BITS_CONST(c) UINT64_C(c)
#define M_BITS_ADD(i, j) ((i) + (j))
#define M_BITS_SUB(i, j) ((i) - (j))
#define M_BITS_AND(i, j) ((i) & (j))
#define M_BITS_OR(i, j) ((i) | (j))
#define M_BITS_XOR(i, j) ((i) ^ (j))
#define M_BITS_SHL(i, n) ((i) << (n))
#define M_BITS_SHR(i, n) ((i) >> (n))

#include "semantics/value/math.def"

#define ROW1(name)                                                                                                     \
  double hy_math_##name##_f32(double x) { return name##_f32(x); }                                                      \
  double hy_math_##name##_f64(double x) { return name##_f64(x); }
#define ROW2(name)                                                                                                     \
  double hy_math_##name##_f32(double x, double y) { return name##_f32(x, y); }                                         \
  double hy_math_##name##_f64(double x, double y) { return name##_f64(x, y); }
HY_MATH_ROWS(ROW1, ROW2)
