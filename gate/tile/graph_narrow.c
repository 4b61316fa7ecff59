// Conversions between widths, bits, shifts, quotients.

#include "gate/tile/graph.h"

/* -- conversions -- */

static bool fits_signed(const hy_node_data *d, int bits) {
  int64_t half = (int64_t)(UINT64_C(1) << (bits - 1));
  return bits >= 64 || (d->low >= -half && d->high < half);
}

static hy_node cut(hy_graph *g, int bits, hy_node a) {
  const hy_node_data d = *hy_node_at(g, a);
  switch (d.op) {
  case HY_NODE_ZEXT:
  case HY_NODE_SEXT: return hy_graph_resize(g, d.a[0], bits, d.op == HY_NODE_SEXT);
  case HY_NODE_TRUNC: return hy_graph_resize(g, d.a[0], bits, false);
  case HY_NODE_ADD:
  case HY_NODE_MUL: return hy_graph_linear_cut(g, a, bits);
  case HY_NODE_AND:
  case HY_NODE_OR:
  case HY_NODE_XOR:
    return hy_graph_binary(g, (hy_node_op)d.op, hy_graph_resize(g, d.a[0], bits, false),
                           hy_graph_resize(g, d.a[1], bits, false));
  case HY_NODE_SELECT:
    return hy_graph_select(g, d.a[0], hy_graph_resize(g, d.a[1], bits, false), hy_graph_resize(g, d.a[2], bits, false));
  default: break;
  }
  hy_node n = hy_graph_make(g, HY_NODE_TRUNC, bits, a, 0, 0, 0);
  if (d.most <= hy_low_bits(bits)) g->nodes.data[n].least = d.least, g->nodes.data[n].most = d.most;
  return n;
}

static hy_node extend(hy_graph *g, int bits, hy_node a) {
  const hy_node_data d = *hy_node_at(g, a);
  if (d.op == HY_NODE_ZEXT) return hy_graph_resize(g, d.a[0], bits, false);
  if (d.op == HY_NODE_TRUNC && hy_node_at(g, d.a[0])->most <= hy_low_bits(d.bits))
    return hy_graph_resize(g, d.a[0], bits, false);
  if (d.op == HY_NODE_XOR && d.bits == 1 && hy_node_is_value(g, d.a[1], 1)) // rule: ZEXT(not c) is 1 - ZEXT(c)
    return hy_graph_sub(g, hy_graph_const(g, bits, 1), extend(g, bits, d.a[0]));
  return hy_graph_make_ranged(g, HY_NODE_ZEXT, bits, a, 0, 0, 0, d.least, d.most,
                              hy_sign_extended(UINT64_C(1) << (bits - 1), bits), (int64_t)(hy_low_bits(bits) >> 1));
}

static hy_node extend_signed(hy_graph *g, int bits, hy_node a) {
  const hy_node_data d = *hy_node_at(g, a);
  if (d.low >= 0) return hy_graph_resize(g, a, bits, false);
  if (d.op == HY_NODE_SEXT) return hy_graph_resize(g, d.a[0], bits, true);
  if (d.bits == 1) return hy_graph_sub(g, hy_graph_const(g, bits, 0), extend(g, bits, a)); // rule: SEXT(c) is -ZEXT(c)
  if (d.op == HY_NODE_TRUNC && fits_signed(hy_node_at(g, d.a[0]), d.bits))
    return hy_graph_resize(g, d.a[0], bits, true);
  return hy_graph_make_ranged(g, HY_NODE_SEXT, bits, a, 0, 0, 0, 0, hy_low_bits(bits), d.low, d.high);
}

hy_node hy_graph_conversion(hy_graph *g, hy_node_op op, int bits, hy_node a) {
  if (hy_node_bits(g, a) == bits) return a;
  if (hy_node_is_const(g, a)) return hy_graph_op(g, op, bits, a, 0, 0, 0);
  if (op == HY_NODE_TRUNC) return cut(g, bits, a);
  return op == HY_NODE_ZEXT ? extend(g, bits, a) : extend_signed(g, bits, a);
}

/* -- bits -- */

// Bits that are 0 whatever the symbols are.
static uint64_t zeros(const hy_graph *g, hy_node n) {
  const hy_node_data *d = hy_node_at(g, n);
  uint64_t above = d->most ? ~hy_low_bits(64 - __builtin_clzll(d->most)) : UINT64_MAX;
  if (d->op == HY_NODE_CONST) return ~d->value;
  if (d->op == HY_NODE_MUL && hy_node_is_const(g, d->a[0]))
    return above | hy_low_bits(__builtin_ctzll(hy_node_at(g, d->a[0])->value));
  if (d->op == HY_NODE_ADD || d->op == HY_NODE_XOR || d->op == HY_NODE_OR) {
    uint64_t both = zeros(g, d->a[0]) & zeros(g, d->a[1]);
    return d->op != HY_NODE_ADD ? above | both
                                : above | (both == UINT64_MAX ? both : hy_low_bits(__builtin_ctzll(~both)));
  }
  if (d->op == HY_NODE_AND) return above | zeros(g, d->a[0]) | zeros(g, d->a[1]);
  if (d->op == HY_NODE_ZEXT) return above | zeros(g, d->a[0]);
  if (d->op == HY_NODE_SEXT) return above | (zeros(g, d->a[0]) & hy_low_bits(hy_node_bits(g, d->a[0]) - 1));
  return above;
}

// Both in k bits, where they fit. 0: they do not.
static hy_node bits_narrow(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  for (int k = 1; k <= 32; k = k < 8 ? 8 : 2 * k) {
    if (k >= x.bits) return 0;
    if (x.most > hy_low_bits(k) || y.most > hy_low_bits(k)) continue;
    hy_node small = hy_graph_binary(g, op, hy_graph_resize(g, a, k, false), hy_graph_resize(g, b, k, false));
    return hy_graph_resize(g, small, x.bits, false);
  }
  return 0;
}

enum { MOST_PARTS = 40 };

static void add_parts(const hy_graph *g, hy_node n, hy_node *parts, int *count) {
  while (hy_node_is(g, n, HY_NODE_AND) && *count < MOST_PARTS) {
    add_parts(g, hy_node_at(g, n)->a[1], parts, count);
    n = hy_node_at(g, n)->a[0];
  }
  if (*count < MOST_PARTS) parts[(*count)++] = n;
}

// Of one bit: each part once, in order; a part and its denial are never both true.
static hy_node and_of_bits(hy_graph *g, hy_node a, hy_node b) {
  hy_node parts[MOST_PARTS];
  int count = 0, kept = 0;
  add_parts(g, a, parts, &count);
  add_parts(g, b, parts, &count);
  if (count == MOST_PARTS) return hy_graph_make(g, HY_NODE_AND, 1, a < b ? a : b, a < b ? b : a, 0, 0);
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && parts[k - 1] > parts[k]; k--) {
      hy_node t = parts[k];
      parts[k] = parts[k - 1], parts[k - 1] = t;
    }
  for (int i = 0; i < count; i++)
    if (!kept || parts[kept - 1] != parts[i]) parts[kept++] = parts[i];
  for (int i = 0; i < kept; i++)
    for (int k = 0; k < i; k++)
      if (hy_graph_not(g, parts[i]) == parts[k]) return hy_graph_const(g, 1, 0);
  hy_node result = parts[0];
  for (int i = 1; i < kept; i++) result = hy_graph_make(g, HY_NODE_AND, 1, result, parts[i], 0, 0);
  return result;
}

static hy_node and_of(hy_graph *g, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  uint64_t all = hy_low_bits(bits);
  if (a == b) return a;
  if (hy_node_is_value(g, b, 0)) return b;
  if (hy_node_is_value(g, b, all)) return a;
  if (bits == 1) return and_of_bits(g, a, b);
  if (hy_node_is_const(g, b)) {
    uint64_t mask = hy_node_at(g, b)->value, rest = ~mask & all;
    if ((zeros(g, a) | mask) == UINT64_MAX || ((zeros(g, a) | mask) & all) == all) return a;
    if ((zeros(g, a) & mask) == mask) return hy_graph_const(g, bits, 0);
    if (hy_node_is(g, a, HY_NODE_AND) && hy_node_is_const(g, hy_node_at(g, a)->a[1]))
      return and_of(g, hy_node_at(g, a)->a[0],
                    hy_graph_const(g, bits, mask & hy_node_at(g, hy_node_at(g, a)->a[1])->value));
    for (int k = 1; k <= 32; k = k < 8 ? 8 : 2 * k) // rule: a and 2^k - 1 is ZEXT(TRUNC(a))
      if (k < bits && mask == hy_low_bits(k)) return hy_graph_resize(g, hy_graph_resize(g, a, k, false), bits, false);
    if ((rest & (rest + 1)) == 0) // rule: a and not (2^k - 1) is a - (a and 2^k - 1)
      return hy_graph_sub(g, a, and_of(g, a, hy_graph_const(g, bits, rest)));
  }
  hy_node result = bits_narrow(g, HY_NODE_AND, a, b);
  if (result) return result;
  result = hy_graph_make(g, HY_NODE_AND, bits, a, b, 0, 0);
  uint64_t most = hy_node_at(g, a)->most < hy_node_at(g, b)->most ? hy_node_at(g, a)->most : hy_node_at(g, b)->most;
  if (most < g->nodes.data[result].most) g->nodes.data[result].most = most;
  return result;
}

static hy_node or_of(hy_graph *g, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  uint64_t all = hy_low_bits(bits);
  if (a == b || hy_node_is_value(g, b, 0)) return a;
  if (hy_node_is_value(g, b, all)) return b;
  if (bits == 1) // rule: a or b is not (not a and not b)
    return hy_graph_not(g, and_of(g, hy_graph_not(g, a), hy_graph_not(g, b)));
  if (((zeros(g, a) | zeros(g, b)) & all) == all) return hy_graph_add(g, a, b); // rule: without common bits, the sum
  hy_node result = bits_narrow(g, HY_NODE_OR, a, b);
  return result ? result : hy_graph_make(g, HY_NODE_OR, bits, a, b, 0, 0);
}

static hy_node xor_of(hy_graph *g, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  const hy_node_data x = *hy_node_at(g, a);
  if (a == b) return hy_graph_const(g, bits, 0);
  if (hy_node_is_value(g, b, 0)) return a;
  if (bits > 1 && hy_node_is_value(g, b, UINT64_MAX)) return hy_graph_sub(g, b, a); // rule: not a is -1 - a
  if (hy_node_is_const(g, b) && x.op == HY_NODE_XOR && hy_node_is_const(g, x.a[1]))
    return xor_of(g, x.a[0], hy_graph_const(g, bits, hy_node_at(g, x.a[1])->value ^ hy_node_at(g, b)->value));
  if (bits == 1 && x.op == HY_NODE_XOR && hy_node_is_value(g, x.a[1], 1)) // denials come last
    return hy_graph_not(g, hy_graph_bitwise(g, HY_NODE_XOR, x.a[0], b));
  const hy_node_data y = *hy_node_at(g, b);
  if (bits == 1 && y.op == HY_NODE_XOR && hy_node_is_value(g, y.a[1], 1))
    return hy_graph_not(g, hy_graph_bitwise(g, HY_NODE_XOR, a, y.a[0]));
  hy_node result = bits == 1 ? 0 : bits_narrow(g, HY_NODE_XOR, a, b);
  return result ? result : hy_graph_make(g, HY_NODE_XOR, bits, a, b, 0, 0);
}

/* -- shifts and quotients -- */

static hy_node sign_of(hy_graph *g, hy_node a) {
  return hy_graph_order(g, HY_NODE_SLT, a, hy_graph_const(g, hy_node_bits(g, a), 0));
}

static hy_node shift(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  if (hy_node_is_value(g, b, 0) || (hy_node_is_const(g, a) && x.value == 0)) return a;
  if (op == HY_NODE_ASHR && x.low >= 0) op = HY_NODE_LSHR;
  if (y.op != HY_NODE_CONST) return hy_graph_make(g, op, bits, a, b, 0, 0);
  if (y.value >= (uint64_t)bits && op != HY_NODE_ASHR) return hy_graph_const(g, bits, 0);
  int by = y.value < (uint64_t)bits ? (int)y.value : bits - 1;
  if (op == HY_NODE_SHL) return hy_graph_mul(g, hy_graph_const(g, bits, UINT64_C(1) << by), a);
  if (op == HY_NODE_ASHR) { // rule: the sign in all bits is -ZEXT(a < 0)
    if (by == bits - 1) return hy_graph_resize(g, sign_of(g, a), bits, true);
    if (x.op != HY_NODE_SEXT)
      return hy_graph_make_ranged(g, op, bits, a, b, 0, 0, 0, hy_low_bits(bits), x.low >> by, x.high >> by);
    int less = hy_node_bits(g, x.a[0]);
    return hy_graph_resize(g, shift(g, op, x.a[0], hy_graph_const(g, less, (uint64_t)(by < less ? by : less - 1))),
                           bits, true);
  }
  if (x.most >> by == 0) return hy_graph_const(g, bits, 0);
  if (by == bits - 1) return hy_graph_resize(g, sign_of(g, a), bits, false);
  if (x.op == HY_NODE_LSHR && hy_node_is_const(g, x.a[1]))
    return shift(g, op, x.a[0], hy_graph_const(g, bits, (uint64_t)by + hy_node_at(g, x.a[1])->value));
  for (int k = 8; k <= 32 && k < bits; k *= 2)
    if (x.most <= hy_low_bits(k)) // rule: in k bits, where a fits
      return hy_graph_resize(g, shift(g, op, hy_graph_resize(g, a, k, false), hy_graph_const(g, k, (uint64_t)by)), bits,
                             false);
  hy_node simpler = x.op == HY_NODE_ADD || x.op == HY_NODE_MUL ? hy_graph_linear_shift(g, a, by) : 0;
  if (simpler) return simpler;
  return hy_graph_make_ranged(g, op, bits, a, b, 0, 0, x.least >> by, x.most >> by,
                              hy_sign_extended(UINT64_C(1) << (bits - 1), bits), (int64_t)(hy_low_bits(bits) >> 1));
}

static hy_node quotient(hy_graph *g, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  if (hy_node_is_value(g, b, 1)) return a;
  if (y.op == HY_NODE_CONST && y.value && (y.value & (y.value - 1)) == 0) // rule: by a power of two it is a shift
    return shift(g, HY_NODE_LSHR, a, hy_graph_const(g, bits, (uint64_t)__builtin_ctzll(y.value)));
  for (int k = 8; k <= 32 && k < bits; k *= 2)
    if (x.most <= hy_low_bits(k) && y.most <= hy_low_bits(k)) // rule: in k bits, where both fit
      return hy_graph_resize(
          g, hy_graph_op(g, HY_NODE_UDIV, k, hy_graph_resize(g, a, k, false), hy_graph_resize(g, b, k, false), 0, 0),
          bits, false);
  uint64_t most = y.least ? x.most / y.least : x.most, least = y.most && y.least ? x.least / y.most : 0;
  return hy_graph_make_ranged(g, HY_NODE_UDIV, bits, a, b, 0, 0, least, most,
                              hy_sign_extended(UINT64_C(1) << (bits - 1), bits), (int64_t)(hy_low_bits(bits) >> 1));
}

static hy_node signed_quotient(hy_graph *g, hy_node a, hy_node b) {
  const hy_node_data *x = hy_node_at(g, a), *y = hy_node_at(g, b);
  if (x->low >= 0 && y->low >= 0) return quotient(g, a, b);
  return hy_graph_make(g, HY_NODE_SDIV, x->bits, a, b, 0, 0);
}

hy_node hy_graph_bitwise(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  bool commutes = op == HY_NODE_AND || op == HY_NODE_OR || op == HY_NODE_XOR;
  if (commutes && (hy_node_is_const(g, a) || (!hy_node_is_const(g, b) && a > b))) { // constants last
    hy_node t = a;
    a = b, b = t;
  }
  if (commutes && hy_node_is_const(g, a)) return hy_graph_op(g, op, hy_node_bits(g, a), a, b, 0, 0);
  switch ((int)op) {
  case HY_NODE_AND: return and_of(g, a, b);
  case HY_NODE_OR: return or_of(g, a, b);
  case HY_NODE_XOR: return xor_of(g, a, b);
  case HY_NODE_UDIV: return quotient(g, a, b);
  case HY_NODE_UREM: return hy_graph_sub(g, a, hy_graph_mul(g, b, quotient(g, a, b))); // rule: a - b * (a / b)
  case HY_NODE_SDIV: return signed_quotient(g, a, b);
  case HY_NODE_SREM: return hy_graph_sub(g, a, hy_graph_mul(g, b, signed_quotient(g, a, b)));
  default: return shift(g, op, a, b);
  }
}
