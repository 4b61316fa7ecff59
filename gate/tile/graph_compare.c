/* Comparisons and choices. What can be compared as numbers that do not wrap is "d < 0" of one difference d; a choice by
 * the sign of d between numbers that d lies between is a sum with max(d, 0), RELU: minima, maxima, absolute values and
 * differences that saturate come to that, whatever they were written with.
 */

#include "gate/tile/graph.h"

static hy_node zero(hy_graph *g, int bits) { return hy_graph_const(g, bits, 0); }
static hy_node truth(hy_graph *g, bool b) { return hy_graph_const(g, 1, b); }

/* -- the sign of a number -- */

// d < 0.
// rule: SEXT(x) < 0 is x < 0; d < 0 is not (-d - 1 < 0); d < 0 is d != 0 where d <= 0, and d == -1 where d >= -1
static hy_node is_negative(hy_graph *g, hy_node d) {
  while (hy_node_is(g, d, HY_NODE_SEXT)) d = hy_node_at(g, d)->a[0];
  const hy_node_data about = *hy_node_at(g, d);
  if (about.high < 0) return truth(g, true);
  if (about.low >= 0) return truth(g, false);
  if (about.bits == 1) return d;
  if (about.high == 0) return hy_graph_not(g, hy_graph_order(g, HY_NODE_EQ, d, zero(g, about.bits)));
  if (about.low == -1) return hy_graph_order(g, HY_NODE_EQ, d, hy_graph_const(g, about.bits, UINT64_MAX));
  if (hy_graph_is_turned(g, d)) {
    hy_node other = hy_graph_not(g, d);
    if (!hy_graph_is_turned(g, other)) return hy_graph_not(g, is_negative(g, other));
  }
  return hy_graph_make(g, HY_NODE_SLT, 1, d, zero(g, about.bits), 0, 0);
}

/* -- comparisons -- */

static bool extends(const hy_graph *g, hy_node n, hy_node_op op, int bits) {
  if (hy_node_is_const(g, n)) {
    uint64_t value = hy_node_at(g, n)->value, cut = value & hy_low_bits(bits);
    return op == HY_NODE_ZEXT ? cut == value
                              : ((uint64_t)hy_sign_extended(cut, bits) & hy_low_bits(hy_node_bits(g, n))) == value;
  }
  return hy_node_is(g, n, op) && hy_node_bits(g, hy_node_at(g, n)->a[0]) <= bits;
}

// The width in which both can be compared as well; 0: none but theirs.
static int narrower(const hy_graph *g, hy_node a, hy_node b, hy_node_op *op) {
  for (int i = 0; i < 2; i++) {
    *op = i ? HY_NODE_SEXT : HY_NODE_ZEXT;
    for (int k = 0; k < 2; k++) {
      hy_node n = k ? b : a;
      if (!hy_node_is(g, n, *op)) continue;
      int bits = hy_node_bits(g, hy_node_at(g, n)->a[0]);
      if (extends(g, a, *op, bits) && extends(g, b, *op, bits)) return bits;
    }
  }
  return 0;
}

static hy_node equal(hy_graph *g, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  hy_node_op op;
  if (a == b) return truth(g, true);
  if (x.most < y.least || y.most < x.least || x.high < y.low || y.high < x.low) return truth(g, false);
  if (bits == 1) return hy_graph_not(g, hy_graph_binary(g, HY_NODE_XOR, a, b));
  int less = narrower(g, a, b, &op);
  if (less) return equal(g, hy_graph_resize(g, a, less, false), hy_graph_resize(g, b, less, false));
  hy_node d = hy_graph_sub(g, a, b), none = zero(g, bits);
  if (hy_node_is_const(g, d)) return truth(g, hy_node_is_value(g, d, 0));
  if (hy_node_is(g, d, HY_NODE_ZEXT) || hy_node_is(g, d, HY_NODE_SEXT)) {
    hy_node inner = hy_node_at(g, d)->a[0];
    return equal(g, inner, zero(g, hy_node_bits(g, inner)));
  }
  if (hy_node_is(g, d, HY_NODE_XOR)) return equal(g, hy_node_at(g, d)->a[0], hy_node_at(g, d)->a[1]);
  if (hy_node_at(g, d)->most == 1) return hy_graph_not(g, hy_graph_resize(g, d, 1, false));
  if (hy_graph_is_turned(g, d)) d = hy_graph_sub(g, none, d);
  return hy_graph_make(g, HY_NODE_EQ, 1, d, none, 0, 0);
}

static hy_node less(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  bool is_signed = op == HY_NODE_SLT;
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  if (a == b) return truth(g, false);
  if (is_signed ? x.high < y.low : x.most < y.least) return truth(g, true);
  if (is_signed ? x.low >= y.high : x.least >= y.most) return truth(g, false);
  if (bits == 1) return hy_graph_and1(g, is_signed ? a : hy_graph_not(g, a), is_signed ? hy_graph_not(g, b) : b);
  if (is_signed && hy_node_is_value(g, b, 0)) return is_negative(g, a);
  hy_node d = hy_graph_difference(g, a, b, is_signed);
  if (d) return is_negative(g, d);
  if (is_signed && x.low >= 0 && y.low >= 0) return less(g, HY_NODE_ULT, a, b);
  if (!is_signed && hy_node_is_value(g, b, 1)) return equal(g, a, zero(g, bits));
  bool is_last = is_signed ? x.low == (int64_t)(hy_low_bits(bits) >> 1) : x.least == hy_low_bits(bits);
  if (hy_node_is_const(g, a) && !is_last) // c < x is not x < c + 1
    return hy_graph_not(g, less(g, op, b, hy_graph_const(g, bits, x.value + 1)));
  return hy_graph_make(g, op, 1, a, b, 0, 0);
}

hy_node hy_graph_order(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  return op == HY_NODE_EQ ? equal(g, a, b) : less(g, op, a, b);
}

/* -- max(d, 0) -- */

// rule: RELU(SEXT(x)) is SEXT(RELU(x)); RELU(d) is RELU(-d) + d, unless -d wraps
hy_node hy_graph_relu(hy_graph *g, hy_node d) {
  const hy_node_data about = *hy_node_at(g, d);
  if (about.low >= 0) return d;
  if (about.high <= 0) return zero(g, about.bits);
  if (about.op == HY_NODE_SEXT) return hy_graph_resize(g, hy_graph_relu(g, about.a[0]), about.bits, false);
  if (about.low > hy_sign_extended(UINT64_C(1) << (about.bits - 1), about.bits) && hy_graph_is_turned(g, d)) {
    hy_node other = hy_graph_sub(g, zero(g, about.bits), d);
    if (!hy_graph_is_turned(g, other)) return hy_graph_add(g, hy_graph_relu(g, other), d);
  }
  return hy_graph_make_ranged(g, HY_NODE_RELU, about.bits, d, 0, 0, 0, 0, (uint64_t)about.high, 0, about.high);
}

// y + factor * min(d, 0), in "bits" of its 64.
static hy_node with_minimum(hy_graph *g, hy_node y, bool is_signed, hy_node d, int64_t factor, int bits) {
  hy_node least = hy_graph_sub(g, d, hy_graph_relu(g, d));
  hy_node scaled = hy_graph_mul(g, hy_graph_const(g, 64, (uint64_t)factor), least);
  return hy_graph_resize(g, hy_graph_add(g, hy_graph_resize(g, y, 64, is_signed), scaled), bits, false);
}

// rule: min(a, b) is b + min(a - b, 0), max(a, b) is b + max(a - b, 0), where a - b does not wrap
hy_node hy_graph_extremum(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  bool is_signed = op == HY_NODE_SMIN || op == HY_NODE_SMAX, is_min = op == HY_NODE_UMIN || op == HY_NODE_SMIN;
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  if (a == b) return a;
  if (is_signed ? x.high <= y.low : x.most <= y.least) return is_min ? a : b;
  if (is_signed ? y.high <= x.low : y.most <= x.least) return is_min ? b : a;
  if (bits == 1) return (is_min != is_signed ? hy_graph_and1 : hy_graph_or1)(g, a, b);
  hy_node d = hy_graph_difference(g, a, b, is_signed);
  if (!d || hy_node_at(g, d)->low == INT64_MIN)
    return a < b ? hy_graph_make(g, op, bits, a, b, 0, 0) : hy_graph_make(g, op, bits, b, a, 0, 0);
  d = hy_graph_resize(g, d, 64, true);
  if (is_min) return with_minimum(g, b, is_signed, d, 1, bits);
  hy_node sum = hy_graph_add(g, hy_graph_resize(g, b, 64, is_signed), hy_graph_relu(g, d));
  return hy_graph_resize(g, sum, bits, false);
}

/* -- choices -- */

// A choice by d < 0 between y + factor * d and y; with d + 1 for d it is the same choice. 0: it is none.
static hy_node piecewise(hy_graph *g, hy_node condition, hy_node x, hy_node y) {
  int bits = hy_node_bits(g, x);
  if (!hy_node_is(g, condition, HY_NODE_SLT) || !hy_node_is_value(g, hy_node_at(g, condition)->a[1], 0)) return 0;
  hy_node d = hy_graph_resize(g, hy_node_at(g, condition)->a[0], 64, true);
  if (hy_node_at(g, d)->high == INT64_MAX || hy_node_at(g, d)->low < -INT64_MAX) return 0;
  hy_node next = hy_graph_add(g, d, hy_graph_const(g, 64, 1));
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    int64_t factor;
    hy_node between = hy_graph_difference(g, x, y, is_signed);
    if (!between) continue;
    between = hy_graph_resize(g, between, 64, true);
    if (hy_graph_is_multiple(g, between, d, &factor)) return with_minimum(g, y, is_signed, d, factor, bits);
    if (hy_graph_is_multiple(g, between, next, &factor)) return with_minimum(g, y, is_signed, next, factor, bits);
  }
  return 0;
}

static hy_node choose_bit(hy_graph *g, hy_node c, hy_node x, hy_node y) {
  if (hy_node_is_value(g, x, 1)) return hy_graph_or1(g, c, y);
  if (hy_node_is_value(g, x, 0)) return hy_graph_and1(g, hy_graph_not(g, c), y);
  if (hy_node_is_value(g, y, 0)) return hy_graph_and1(g, c, x);
  if (hy_node_is_value(g, y, 1)) return hy_graph_or1(g, hy_graph_not(g, c), x);
  if (hy_graph_not(g, x) == y) return hy_graph_binary(g, HY_NODE_XOR, c, y);
  return hy_graph_make(g, HY_NODE_SELECT, 1, c, x, y, 0);
}

// rule: where both arms fit into k bits, the choice is made there and extended
static hy_node choose_narrow(hy_graph *g, hy_node c, hy_node x, hy_node y) {
  const hy_node_data a = *hy_node_at(g, x), b = *hy_node_at(g, y);
  for (int k = 8; k <= 32 && k < a.bits; k *= 2) {
    bool is_unsigned = a.most <= hy_low_bits(k) && b.most <= hy_low_bits(k);
    int64_t half = INT64_C(1) << (k - 1);
    bool is_signed = a.low >= -half && b.low >= -half && a.high < half && b.high < half;
    if (!is_unsigned && !is_signed) continue;
    hy_node small = hy_graph_choice(g, c, hy_graph_resize(g, x, k, false), hy_graph_resize(g, y, k, false));
    return hy_graph_resize(g, small, a.bits, !is_unsigned);
  }
  return 0;
}

// rule: c ? c ? a : b : d is c ? a : d
static hy_node arm(const hy_graph *g, hy_node condition, hy_node n, int which) {
  const hy_node_data *d = hy_node_at(g, n);
  return d->op == HY_NODE_SELECT && d->a[0] == condition ? d->a[which] : n;
}

hy_node hy_graph_choice(hy_graph *g, hy_node c, hy_node x, hy_node y) {
  int bits = hy_node_bits(g, x);
  if (hy_node_is_const(g, c)) return hy_node_is_value(g, c, 1) ? x : y;
  if (hy_node_is(g, c, HY_NODE_XOR) && hy_node_is_value(g, hy_node_at(g, c)->a[1], 1)) {
    hy_node turned = x;
    c = hy_node_at(g, c)->a[0], x = y, y = turned;
  }
  x = arm(g, c, x, 1), y = arm(g, c, y, 2);
  if (x == y) return x;
  if (bits == 1) return choose_bit(g, c, x, y);
  hy_node result = piecewise(g, c, x, y);
  if (result) return result;
  hy_node between = hy_graph_sub(g, x, y);
  if (hy_node_is_const(g, between)) // rule: c ? y + k : y is y + k * ZEXT(c)
    return hy_graph_add(g, y, hy_graph_mul(g, between, hy_graph_resize(g, c, bits, false)));
  result = choose_narrow(g, c, x, y);
  if (result) return result;
  const hy_node_data a = *hy_node_at(g, x), b = *hy_node_at(g, y);
  return hy_graph_make_ranged(g, HY_NODE_SELECT, bits, c, x, y, 0, a.least < b.least ? a.least : b.least,
                              a.most > b.most ? a.most : b.most, a.low < b.low ? a.low : b.low,
                              a.high > b.high ? a.high : b.high);
}
