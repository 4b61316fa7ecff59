// What each operator of the graph means, on numbers.

#include "gate/tile/graph.h"

#include <math.h>
#include <string.h>

static double real_of(uint64_t bits, int width) {
  if (width == 64) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
  }
  float f;
  uint32_t low = (uint32_t)bits;
  memcpy(&f, &low, sizeof f);
  return f;
}

static uint64_t bits_of_f32(float f) { // no NaN
  uint32_t bits;
  memcpy(&bits, &f, sizeof f);
  return bits;
}

// NaNs are one value.
static uint64_t bits_of(double d, int width) {
  uint64_t bits = 0;
  if (isnan(d)) return width == 64 ? UINT64_C(0x7ff8000000000000) : 0x7fc00000;
  if (width == 32) return bits_of_f32((float)d);
  memcpy(&bits, &d, sizeof d);
  return bits;
}

// In f32 each operation rounds once: the double result of one operation on floats, rounded again, is the same for these
// four and the square root.
static double real(hy_node_op op, int width, double a, double b, double c) {
  switch ((int)op) {
  case HY_NODE_FADD: return a + b;
  case HY_NODE_FSUB: return a - b;
  case HY_NODE_FMUL: return a * b;
  case HY_NODE_FDIV: return a / b;
  case HY_NODE_FMA: return width == 32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
  case HY_NODE_FSQRT: return sqrt(a);
  case HY_NODE_FFLOOR: return floor(a);
  case HY_NODE_FCEIL: return ceil(a);
  case HY_NODE_FROUND: return nearbyint(a);
  case HY_NODE_FROUND_AWAY: return round(a);
  case HY_NODE_FTRUNC: return trunc(a);
  case HY_NODE_FEXT:
  case HY_NODE_FCUT: return a;
  default: HY_UNREACHABLE();
  }
}

static uint64_t to_integer(double d, int bits, bool is_signed) {
  double limit = ldexp(1.0, is_signed ? bits - 1 : bits), least = is_signed ? -limit : 0.0;
  if (isnan(d)) return 0;
  if (d <= least) return is_signed ? UINT64_C(1) << (bits - 1) : 0;
  if (d >= limit) return hy_low_bits(is_signed ? bits - 1 : bits);
  return is_signed ? (uint64_t)(int64_t)d & hy_low_bits(bits) : (uint64_t)d;
}

static uint64_t from_integer(uint64_t value, int wide, int bits, bool is_signed) {
  int64_t number = hy_sign_extended(value, wide);
  if (bits == 32) return bits_of_f32(is_signed ? (float)number : (float)value); // rounded once
  return bits_of(is_signed ? (double)number : (double)value, 64);
}

static uint64_t apply_real(hy_node_op op, int bits, int wide, const uint64_t *a) {
  uint64_t sign = UINT64_C(1) << (wide - 1);
  double x = 0, y = 0;
  if (op != HY_NODE_FROM_SIGNED && op != HY_NODE_FROM_UNSIGNED) x = real_of(a[0], wide), y = real_of(a[1], wide);
  switch ((int)op) {
  case HY_NODE_FNEG: return a[0] ^ sign;
  case HY_NODE_FABS: return a[0] & ~sign;
  case HY_NODE_FCOPYSIGN: return (a[0] & ~sign) | (a[1] & sign);
  case HY_NODE_FEQ: return x == y;
  case HY_NODE_FLT: return x < y;
  case HY_NODE_FLE: return x <= y;
  case HY_NODE_FUNORDERED: return isnan(x) || isnan(y);
  case HY_NODE_FROM_SIGNED: return from_integer(a[0], wide, bits, true);
  case HY_NODE_FROM_UNSIGNED: return from_integer(a[0], wide, bits, false);
  case HY_NODE_TO_SIGNED: return to_integer(x, bits, true);
  case HY_NODE_TO_UNSIGNED: return to_integer(x, bits, false);
  default: return bits_of(real(op, wide, x, y, op == HY_NODE_FMA ? real_of(a[2], wide) : 0), bits);
  }
}

static bool overflows(hy_node_op op, int bits, uint64_t ua, uint64_t ub) {
  __int128 a = ua, b = ub, least = 0, most = hy_low_bits(bits);
  if (op == HY_NODE_SADD_O || op == HY_NODE_SSUB_O || op == HY_NODE_SMUL_O) {
    a = hy_sign_extended(ua, bits), b = hy_sign_extended(ub, bits);
    most = hy_low_bits(bits - 1), least = -most - 1;
  }
  if (op == HY_NODE_UMUL_O) return (unsigned __int128)ua * ub > hy_low_bits(bits);
  __int128 result = op == HY_NODE_UADD_O || op == HY_NODE_SADD_O ? a + b : op == HY_NODE_SMUL_O ? a * b : a - b;
  return result < least || result > most;
}

static uint64_t divide(hy_node_op op, int bits, uint64_t ua, uint64_t ub) {
  int64_t a = hy_sign_extended(ua, bits), b = hy_sign_extended(ub, bits);
  if (ub == 0) return op == HY_NODE_UREM || op == HY_NODE_SREM ? ua : 0;
  if (op == HY_NODE_UDIV) return ua / ub;
  if (op == HY_NODE_UREM) return ua % ub;
  if (b == -1) return op == HY_NODE_SDIV ? 0 - ua : 0;
  return (uint64_t)(op == HY_NODE_SDIV ? a / b : a % b);
}

static uint64_t shift(hy_node_op op, int bits, uint64_t a, uint64_t by) {
  int64_t number = hy_sign_extended(a, bits);
  if (by >= (uint64_t)bits) return op == HY_NODE_ASHR && number < 0 ? UINT64_MAX : 0;
  if (op == HY_NODE_SHL) return a << by;
  return op == HY_NODE_LSHR ? a >> by : (uint64_t)(number >> by);
}

static uint64_t extremum(hy_node_op op, int bits, uint64_t a, uint64_t b) {
  bool is_less =
      op == HY_NODE_UMIN || op == HY_NODE_UMAX ? a < b : hy_sign_extended(a, bits) < hy_sign_extended(b, bits);
  return is_less == (op == HY_NODE_UMIN || op == HY_NODE_SMIN) ? a : b;
}

static uint64_t count(hy_node_op op, int bits, uint64_t a) {
  if (op == HY_NODE_POPCOUNT) return (uint64_t)__builtin_popcountll(a);
  if (a == 0) return (uint64_t)bits;
  return (uint64_t)(op == HY_NODE_CTTZ ? __builtin_ctzll(a) : __builtin_clzll(a) - (64 - bits));
}

static uint64_t apply_word(hy_node_op op, int bits, int wide, const uint64_t *a) {
  switch ((int)op) {
  case HY_NODE_ADD: return a[0] + a[1];
  case HY_NODE_MUL: return a[0] * a[1];
  case HY_NODE_UDIV:
  case HY_NODE_UREM:
  case HY_NODE_SDIV:
  case HY_NODE_SREM: return divide(op, bits, a[0], a[1]);
  case HY_NODE_SHL:
  case HY_NODE_LSHR:
  case HY_NODE_ASHR: return shift(op, bits, a[0], a[1]);
  case HY_NODE_AND: return a[0] & a[1];
  case HY_NODE_OR: return a[0] | a[1];
  case HY_NODE_XOR: return a[0] ^ a[1];
  case HY_NODE_EQ: return a[0] == a[1];
  case HY_NODE_ULT: return a[0] < a[1];
  case HY_NODE_SLT: return hy_sign_extended(a[0], wide) < hy_sign_extended(a[1], wide);
  case HY_NODE_RELU: return hy_sign_extended(a[0], bits) < 0 ? 0 : a[0];
  case HY_NODE_UMIN:
  case HY_NODE_UMAX:
  case HY_NODE_SMIN:
  case HY_NODE_SMAX: return extremum(op, bits, a[0], a[1]);
  case HY_NODE_SELECT: return a[0] ? a[1] : a[2];
  case HY_NODE_ZEXT:
  case HY_NODE_TRUNC: return a[0];
  case HY_NODE_SEXT: return (uint64_t)hy_sign_extended(a[0], wide);
  case HY_NODE_UADD_O:
  case HY_NODE_SADD_O:
  case HY_NODE_USUB_O:
  case HY_NODE_SSUB_O:
  case HY_NODE_UMUL_O:
  case HY_NODE_SMUL_O: return overflows(op, wide, a[0], a[1]);
  case HY_NODE_POPCOUNT:
  case HY_NODE_CTLZ:
  case HY_NODE_CTTZ: return count(op, bits, a[0]);
  case HY_NODE_MULHIGH: return (uint64_t)((unsigned __int128)a[0] * a[1] >> bits);
  default: HY_UNREACHABLE();
  }
}

uint64_t hy_node_apply(hy_node_op op, int bits, int wide, const uint64_t *a) {
  uint64_t result = op >= HY_NODE_FADD ? apply_real(op, bits, wide, a) : apply_word(op, bits, wide, a);
  return result & hy_low_bits(bits);
}
