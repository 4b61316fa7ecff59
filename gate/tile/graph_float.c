// Floats: what is the same value for all arguments, signs of zero and NaN included. NaNs are one value.

#include "gate/tile/graph.h"

static bool is_real(const hy_graph *g, hy_node n, hy_node_op op) {
  return hy_node_is(g, n, op) && !hy_node_at(g, n)->extra;
}

static hy_node negated(hy_graph *g, hy_node a) { return hy_graph_op(g, HY_NODE_FNEG, hy_node_bits(g, a), a, 0, 0, 0); }

static bool is_negative_const(const hy_graph *g, hy_node n) {
  return hy_node_is_const(g, n) && hy_node_at(g, n)->value >> (hy_node_bits(g, n) - 1);
}

static bool is_nan(const hy_graph *g, hy_node n) {
  const uint64_t both[] = {hy_node_at(g, n)->value, hy_node_at(g, n)->value, 0};
  return hy_node_is_const(g, n) && hy_node_apply(HY_NODE_FUNORDERED, 1, hy_node_bits(g, n), both);
}

// 1/c, where it is exact: c is a power of two, and neither is denormal. 0: it is not.
static hy_node exact_inverse(hy_graph *g, hy_node c) {
  int bits = hy_node_bits(g, c), fraction = bits == 64 ? 52 : 23;
  uint64_t value = hy_node_at(g, c)->value, most = hy_low_bits(bits - 1 - fraction);
  uint64_t exponent = value >> fraction & most;
  if (!hy_node_is_const(g, c) || (value & hy_low_bits(fraction)) || exponent == 0 || exponent >= most - 1) return 0;
  return hy_graph_const(g, bits, (value & ~(most << fraction)) | (most - 1 - exponent) << fraction);
}

// rule: -a * b is -(a * b), also of quotients; a / c is a * (1 / c) where that is exact; factors in order
static hy_node product(hy_graph *g, hy_node_op op, int bits, hy_node a, hy_node b) {
  hy_node inverse = op == HY_NODE_FDIV && hy_node_is_const(g, b) ? exact_inverse(g, b) : 0;
  if (inverse) return product(g, HY_NODE_FMUL, bits, a, inverse);
  for (int i = 0; i < 2; i++) {
    hy_node n = i ? b : a;
    bool is_turned = is_real(g, n, HY_NODE_FNEG) || (is_negative_const(g, n) && !is_nan(g, n));
    if (!is_turned) continue;
    hy_node other = hy_graph_op(g, HY_NODE_FNEG, bits, n, 0, 0, 0);
    return negated(g, product(g, op, bits, i ? a : other, i ? other : b));
  }
  if (op == HY_NODE_FMUL && a > b) {
    hy_node t = a;
    a = b, b = t;
  }
  uint64_t one = bits == 64 ? UINT64_C(0x3ff0000000000000) : 0x3f800000;
  bool is_one = op == HY_NODE_FMUL && (hy_node_is_value(g, a, one) || hy_node_is_value(g, b, one));
  // x * 1.0 is x, but a NaN stays a NaN of its own bits: one value to those who compare
  if (is_one) return hy_node_is_value(g, a, one) ? b : a;
  return hy_graph_make(g, op, bits, a, b, 0, 0);
}

// rule: a - b is a + -b; a + -0 is a; terms in order
static hy_node sum(hy_graph *g, hy_node_op op, int bits, hy_node a, hy_node b) {
  if (op == HY_NODE_FSUB) b = negated(g, b);
  if (a > b) {
    hy_node t = a;
    a = b, b = t;
  }
  uint64_t minus_zero = UINT64_C(1) << (bits - 1);
  if (hy_node_is_value(g, a, minus_zero)) return b;
  if (hy_node_is_value(g, b, minus_zero)) return a;
  return hy_graph_make(g, HY_NODE_FADD, bits, a, b, 0, 0);
}

// rule: FEQ and FUNORDERED are symmetric; -a < -b is b < a
static hy_node comparison(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  bool is_symmetric = op == HY_NODE_FEQ || op == HY_NODE_FUNORDERED;
  if (is_nan(g, a) || is_nan(g, b)) return hy_graph_const(g, 1, op == HY_NODE_FUNORDERED);
  if (op == HY_NODE_FUNORDERED && hy_node_is_const(g, a)) a = b;
  if (op == HY_NODE_FUNORDERED && hy_node_is_const(g, b)) b = a;
  if (is_symmetric && a > b) {
    hy_node t = a;
    a = b, b = t;
  }
  return hy_graph_make(g, op, 1, a, b, 0, 0);
}

// rule: FCUT(FEXT(a) op FEXT(b)) is a op b for + - * / and the square root: 53 bits are more than 2 * 24 + 1
static hy_node rounded(hy_graph *g, hy_node a) {
  const hy_node_data d = *hy_node_at(g, a);
  if (d.extra) return hy_graph_make(g, HY_NODE_FCUT, 32, a, 0, 0, 0);
  if (d.op == HY_NODE_FEXT) return d.a[0];
  if (d.op == HY_NODE_FNEG) return negated(g, hy_graph_op(g, HY_NODE_FCUT, 32, d.a[0], 0, 0, 0));
  bool is_binary = d.op == HY_NODE_FADD || d.op == HY_NODE_FMUL || d.op == HY_NODE_FDIV;
  hy_node small[2] = {0};
  for (int i = 0; i < 2; i++) {
    hy_node n = d.a[i];
    if (!n || !(is_binary || d.op == HY_NODE_FSQRT)) break;
    if (is_real(g, n, HY_NODE_FEXT)) small[i] = hy_node_at(g, n)->a[0];
    if (is_real(g, n, HY_NODE_FNEG) && is_real(g, hy_node_at(g, n)->a[0], HY_NODE_FEXT))
      small[i] = negated(g, hy_node_at(g, hy_node_at(g, n)->a[0])->a[0]);
    if (hy_node_is_const(g, n)) {
      hy_node cut = hy_graph_op(g, HY_NODE_FCUT, 32, n, 0, 0, 0);
      if (hy_graph_op(g, HY_NODE_FEXT, 64, cut, 0, 0, 0) == n) small[i] = cut;
    }
  }
  if (is_binary && small[0] && small[1]) return hy_graph_op(g, (hy_node_op)d.op, 32, small[0], small[1], 0, 0);
  if (d.op == HY_NODE_FSQRT && small[0]) return hy_graph_op(g, HY_NODE_FSQRT, 32, small[0], 0, 0, 0);
  return hy_graph_make(g, HY_NODE_FCUT, 32, a, 0, 0, 0);
}

// rule: what is not negative is converted as unsigned; what was extended is converted as it was before
static hy_node from_integer(hy_graph *g, hy_node_op op, int bits, hy_node a) {
  if (op == HY_NODE_FROM_SIGNED && hy_node_at(g, a)->low >= 0) op = HY_NODE_FROM_UNSIGNED;
  hy_node_op extension = op == HY_NODE_FROM_SIGNED ? HY_NODE_SEXT : HY_NODE_ZEXT;
  while (hy_node_is(g, a, extension)) a = hy_node_at(g, a)->a[0];
  return hy_graph_make(g, op, bits, a, 0, 0, 0);
}

// rule: to an unsigned type of "bits" from what an unsigned type converted to: the number, cut off or not
static hy_node to_integer(hy_graph *g, hy_node_op op, int bits, hy_node a) {
  hy_node n = hy_graph_make(g, op, bits, a, 0, 0, 0);
  const hy_node_data from = *hy_node_at(g, a);
  bool is_unsigned = from.op == HY_NODE_FROM_UNSIGNED && hy_node_bits(g, from.a[0]) <= (from.bits == 64 ? 53 : 24);
  if (is_unsigned && hy_node_bits(g, from.a[0]) < bits) return hy_graph_resize(g, from.a[0], bits, false);
  return n;
}

hy_node hy_graph_real(hy_graph *g, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra) {
  if (extra) return hy_graph_make(g, op, bits, a, b, c, extra);
  switch ((int)op) {
  case HY_NODE_FADD:
  case HY_NODE_FSUB: return sum(g, op, bits, a, b);
  case HY_NODE_FMUL:
  case HY_NODE_FDIV: return product(g, op, bits, a, b);
  case HY_NODE_FNEG:
    if (is_real(g, a, HY_NODE_FNEG)) return hy_node_at(g, a)->a[0];
    break;
  case HY_NODE_FABS: // rule: |-a| is ||a|| is |a|
    if (is_real(g, a, HY_NODE_FNEG)) return hy_graph_op(g, op, bits, hy_node_at(g, a)->a[0], 0, 0, 0);
    if (is_real(g, a, HY_NODE_FABS)) return a;
    break;
  case HY_NODE_FMA:
    if (a > b) return hy_graph_make(g, op, bits, b, a, c, 0);
    break;
  case HY_NODE_FEQ:
  case HY_NODE_FLT:
  case HY_NODE_FLE:
  case HY_NODE_FUNORDERED: return comparison(g, op, a, b);
  case HY_NODE_FCUT: return rounded(g, a);
  case HY_NODE_FROM_SIGNED:
  case HY_NODE_FROM_UNSIGNED: return from_integer(g, op, bits, a);
  case HY_NODE_TO_SIGNED:
  case HY_NODE_TO_UNSIGNED: return to_integer(g, op, bits, a);
  default: break;
  }
  return hy_graph_make(g, op, bits, a, b, c, 0);
}
