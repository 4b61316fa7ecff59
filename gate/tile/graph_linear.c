/* Sums of products, modulo 2^n. A sum is a chain ADD(ADD(ADD(t, t), t), c): terms in the order of their products'
 * numbers, each product once, the constant last. A term is a product or MUL(constant, product); a product is a chain
 * MUL(MUL(a, a), a) in the order of its factors. So two sums that are equal by the laws of rings are one node.
 *
 * Numbers that fit into 8, 16 or 32 bits are computed there and extended (narrow): whoever computes in a wider type,
 * where nothing wraps either, comes to the same node.
 */

#include "gate/tile/graph.h"

#include <string.h>

enum { MOST_TERMS = 300, MOST_FACTORS = 12, MOST_PRODUCTS = 48 };

typedef __int128 wide;

typedef struct {
  uint64_t factor;
  hy_node product; // 0: the constant term
} term;

typedef struct {
  int bits, count;
  bool is_full;
  term terms[MOST_TERMS];
} sum;

/* -- from nodes to sums -- */

static void begin(sum *s, int bits) {
  s->bits = bits;
  s->count = 0;
  s->is_full = false;
}

static bool is_constant(const sum *s) { return s->count == 0 || (s->count == 1 && !s->terms[0].product); }

static void add_term(sum *s, uint64_t factor, hy_node product) {
  factor &= hy_low_bits(s->bits);
  if (!factor) return;
  if (s->count == MOST_TERMS) {
    s->is_full = true;
    return;
  }
  s->terms[s->count++] = (term){factor, product};
}

// The number that an unknown is: signed, where that says more about it.
static bool is_read_signed(const hy_node_data *d) {
  return d->low < 0 && (uint64_t)d->high - (uint64_t)d->low < d->most - d->least;
}

// Between which numbers the sum lies before anything wraps. False: too far out to say.
static bool interval(const hy_graph *g, const sum *s, wide *least, wide *most) {
  *least = *most = 0;
  for (int i = 0; i < s->count; i++) {
    wide factor = hy_sign_extended(s->terms[i].factor, s->bits), low = 1, high = 1, a, b;
    if (s->terms[i].product) {
      const hy_node_data *d = hy_node_at(g, s->terms[i].product);
      low = is_read_signed(d) ? (wide)d->low : (wide)d->least;
      high = is_read_signed(d) ? (wide)d->high : (wide)d->most;
    }
    if (__builtin_mul_overflow(factor, low, &a) || __builtin_mul_overflow(factor, high, &b)) return false;
    if (__builtin_add_overflow(*least, a < b ? a : b, least)) return false;
    if (__builtin_add_overflow(*most, a < b ? b : a, most)) return false;
  }
  return true;
}

// The node of a whole sum is the one that others ask about its range.
static void note_range(hy_graph *g, hy_node n, wide least, wide most) {
  hy_node_data *d = &g->nodes.data[n];
  wide end = (wide)1 << d->bits, half = end / 2;
  if (d->op != HY_NODE_ADD && d->op != HY_NODE_MUL) return;
  if (least >= 0 && most < end) {
    if ((uint64_t)least > d->least) d->least = (uint64_t)least;
    if ((uint64_t)most < d->most) d->most = (uint64_t)most;
    if (most < half) d->low = (int64_t)d->least, d->high = (int64_t)d->most;
  } else if (least >= -half && most < half) {
    if ((int64_t)least > d->low) d->low = (int64_t)least;
    if ((int64_t)most < d->high) d->high = (int64_t)most;
  }
}

/* -- products -- */

static int factors_of(const hy_graph *g, hy_node n, hy_node *out, int count) {
  while (hy_node_is(g, n, HY_NODE_MUL) && count < MOST_FACTORS) {
    out[count++] = hy_node_at(g, n)->a[1];
    n = hy_node_at(g, n)->a[0];
  }
  if (count < MOST_FACTORS) out[count] = n;
  return count + 1;
}

static bool product_interval(const hy_graph *g, hy_node a, hy_node b, wide *least, wide *most) {
  wide x[2], y[2], ends[4];
  for (int i = 0; i < 2; i++) {
    const hy_node_data *d = hy_node_at(g, i ? b : a);
    wide *ends_of = i ? y : x;
    ends_of[0] = is_read_signed(d) ? (wide)d->low : (wide)d->least;
    ends_of[1] = is_read_signed(d) ? (wide)d->high : (wide)d->most;
  }
  for (int i = 0; i < 4; i++)
    if (__builtin_mul_overflow(x[i / 2], y[i % 2], &ends[i])) return false;
  *least = *most = ends[0];
  for (int i = 1; i < 4; i++) {
    if (ends[i] < *least) *least = ends[i];
    if (ends[i] > *most) *most = ends[i];
  }
  return true;
}

static hy_node product_node(hy_graph *g, int bits, hy_node a, hy_node b) {
  wide least, most;
  hy_node n = hy_graph_make(g, HY_NODE_MUL, bits, a, b, 0, 0);
  if (product_interval(g, a, b, &least, &most)) note_range(g, n, least, most);
  return n;
}

static hy_node product_of(hy_graph *g, int bits, hy_node *all, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && all[k - 1] > all[k]; k--) {
      hy_node t = all[k];
      all[k] = all[k - 1], all[k - 1] = t;
    }
  hy_node result = all[0];
  for (int i = 1; i < count; i++) result = product_node(g, bits, result, all[i]);
  return result;
}

// 0: there are too many.
static hy_node multiply_products(hy_graph *g, int bits, hy_node a, hy_node b) {
  hy_node all[MOST_FACTORS + 1];
  int count = factors_of(g, a, all, 0);
  if (count < MOST_FACTORS) count = factors_of(g, b, all, count);
  return count > MOST_FACTORS ? 0 : product_of(g, bits, all, count);
}

// ZEXT and SEXT of a product that does not wrap is the product of the factors, extended as they were read.
static bool collect_product(hy_graph *g, sum *s, uint64_t factor, hy_node n) {
  const hy_node_data d = *hy_node_at(g, n), in = *hy_node_at(g, d.a[0]);
  hy_node all[MOST_FACTORS + 1];
  wide least, most, end = (wide)1 << in.bits, half = end / 2;
  int count = factors_of(g, d.a[0], all, 0);
  if (count > MOST_FACTORS || count != 2 || !product_interval(g, all[0], all[1], &least, &most)) return false;
  if (d.op == HY_NODE_ZEXT ? least < 0 || most >= end : least < -half || most >= half) return false;
  for (int i = 0; i < count; i++) all[i] = hy_graph_resize(g, all[i], s->bits, is_read_signed(hy_node_at(g, all[i])));
  for (int i = 0; i < count; i++)
    if (hy_node_is(g, all[i], HY_NODE_MUL) || hy_node_is(g, all[i], HY_NODE_ADD)) return false;
  add_term(s, factor, product_of(g, s->bits, all, count));
  return true;
}

static void collect(hy_graph *g, sum *s, uint64_t factor, hy_node n);

// ZEXT and SEXT of a sum that does not wrap is the sum of the terms, extended as they were read.
static bool collect_extended(hy_graph *g, sum *s, uint64_t factor, hy_node n) {
  const hy_node_data d = *hy_node_at(g, n);
  if (d.op != HY_NODE_ZEXT && d.op != HY_NODE_SEXT) return false;
  const hy_node_data in = *hy_node_at(g, d.a[0]);
  if (in.op == HY_NODE_MUL && !hy_node_is_const(g, in.a[0])) return collect_product(g, s, factor, n);
  if (in.op != HY_NODE_ADD && in.op != HY_NODE_MUL) return false;
  sum inner;
  begin(&inner, in.bits);
  wide least, most, end = (wide)1 << in.bits, half = end / 2;
  collect(g, &inner, 1, d.a[0]);
  if (inner.is_full || inner.count + s->count > MOST_TERMS || !interval(g, &inner, &least, &most)) return false;
  bool fits = d.op == HY_NODE_ZEXT ? least >= 0 && most < end : least >= -half && most < half;
  if (!fits) return false;
  for (int i = 0; i < inner.count; i++) {
    uint64_t times = factor * (uint64_t)hy_sign_extended(inner.terms[i].factor, inner.bits);
    hy_node product = inner.terms[i].product;
    if (!product)
      add_term(s, times, 0);
    else
      collect(g, s, times, hy_graph_resize(g, product, s->bits, is_read_signed(hy_node_at(g, product))));
  }
  return true;
}

// rule: 2^k * (x >> k), of either shift, is x - (x and 2^k - 1)
static bool collect_shift(hy_graph *g, sum *s, uint64_t factor, hy_node n) {
  const hy_node_data d = *hy_node_at(g, n);
  if ((d.op != HY_NODE_LSHR && d.op != HY_NODE_ASHR) || !hy_node_is_const(g, d.a[1])) return false;
  uint64_t by = hy_node_at(g, d.a[1])->value;
  if (by == 0 || by >= (uint64_t)d.bits || factor == 0 || (factor & hy_low_bits((int)by))) return false;
  collect(g, s, factor >> by, d.a[0]);
  collect(g, s, 0 - (factor >> by),
          hy_graph_binary(g, HY_NODE_AND, d.a[0], hy_graph_const(g, d.bits, hy_low_bits((int)by))));
  return true;
}

static void collect_term(hy_graph *g, sum *s, uint64_t factor, hy_node n) {
  factor &= hy_low_bits(s->bits);
  if (!collect_shift(g, s, factor, n) && !collect_extended(g, s, factor, n)) add_term(s, factor, n);
}

// Adds factor * n.
static void collect(hy_graph *g, sum *s, uint64_t factor, hy_node n) {
  const hy_node_data d = *hy_node_at(g, n);
  if (d.op == HY_NODE_ADD) {
    collect(g, s, factor, d.a[0]);
    collect(g, s, factor, d.a[1]);
  } else if (d.op == HY_NODE_CONST)
    add_term(s, factor * d.value, 0);
  else if (d.op == HY_NODE_MUL && hy_node_is_const(g, d.a[0]))
    collect_term(g, s, factor * hy_node_at(g, d.a[0])->value, d.a[1]);
  else
    collect_term(g, s, factor, n);
}

// Constants last, like products together.
static void tidy(sum *s) {
  int count = 0;
  for (int i = 1; i < s->count; i++) { // mostly in order: they are appended
    term t = s->terms[i];
    int at = i;
    for (; at > 0 && s->terms[at - 1].product - 1 > t.product - 1; at--) s->terms[at] = s->terms[at - 1];
    s->terms[at] = t;
  }
  for (int i = 0; i < s->count; i++) {
    if (count && s->terms[count - 1].product == s->terms[i].product)
      s->terms[count - 1].factor = (s->terms[count - 1].factor + s->terms[i].factor) & hy_low_bits(s->bits);
    else
      s->terms[count++] = s->terms[i];
    if (s->terms[count - 1].factor == 0) count--;
  }
  s->count = count;
}

/* -- from sums to nodes -- */

static hy_node term_node(hy_graph *g, int bits, term t) {
  if (!t.product) return hy_graph_const(g, bits, t.factor);
  if (t.factor == 1) return t.product;
  return hy_graph_make(g, HY_NODE_MUL, bits, hy_graph_const(g, bits, t.factor), t.product, 0, 0);
}

static hy_node chain(hy_graph *g, const sum *s) {
  if (s->count == 0) return hy_graph_const(g, s->bits, 0);
  hy_node result = term_node(g, s->bits, s->terms[0]);
  for (int i = 1; i < s->count; i++) {
    hy_node next = term_node(g, s->bits, s->terms[i]);
    result = hy_graph_make(g, HY_NODE_ADD, s->bits, result, next, 0, 0);
  }
  return result;
}

static hy_node build(hy_graph *g, sum *s);

// rule: a sum that lies in [0, 2^k) is ZEXT of the sum in k bits; one in [-2^(k-1), 2^(k-1)) is SEXT of it
static hy_node narrow(hy_graph *g, const sum *s, wide least, wide most) {
  for (int k = 8; k < s->bits && k <= 32; k *= 2) {
    wide end = (wide)1 << k, half = end / 2;
    bool is_unsigned = least >= 0 && most < end;
    if (!is_unsigned && (least < -half || most >= half)) continue;
    sum small;
    begin(&small, k);
    for (int i = 0; i < s->count; i++)
      if (s->terms[i].product)
        collect(g, &small, s->terms[i].factor, hy_graph_resize(g, s->terms[i].product, k, false));
      else
        add_term(&small, s->terms[i].factor, 0);
    if (small.is_full) return 0;
    return hy_graph_resize(g, build(g, &small), s->bits, !is_unsigned);
  }
  return 0;
}

// rule: x - RELU(x - c) is min(x, c), and so at most c
static void limit_minimum(hy_graph *g, const sum *s, wide *least, wide *most) {
  for (int i = 0; i < s->count; i++) {
    hy_node product = s->terms[i].product, inner = product;
    if (!product || hy_sign_extended(s->terms[i].factor, s->bits) != -1) continue;
    while (hy_node_is(g, inner, HY_NODE_ZEXT)) inner = hy_node_at(g, inner)->a[0];
    if (!hy_node_is(g, inner, HY_NODE_RELU)) continue;
    sum rest;
    begin(&rest, s->bits);
    for (int k = 0; k < s->count; k++)
      if (k != i) add_term(&rest, s->terms[k].factor, s->terms[k].product);
    wide low, high;
    if (rest.is_full || !interval(g, &rest, &low, &high)) continue;
    collect(g, &rest, UINT64_MAX, hy_graph_resize(g, hy_node_at(g, inner)->a[0], s->bits, true));
    if (rest.is_full) continue;
    tidy(&rest);
    if (!is_constant(&rest)) continue;
    wide c = rest.count ? hy_sign_extended(rest.terms[0].factor, s->bits) : 0;
    wide half = (wide)1 << (s->bits - 1);
    if (low < -half || high - c >= half || low - c < -half || high >= half) continue; // nothing wraps
    if (c < *most) *most = c;
    if ((low < c ? low : c) > *least) *least = low < c ? low : c;
  }
}

static hy_node build(hy_graph *g, sum *s) {
  wide least, most;
  tidy(s);
  if (is_constant(s)) return chain(g, s);
  bool is_atom = s->count == 1 && s->terms[0].factor == 1 && !hy_node_is(g, s->terms[0].product, HY_NODE_MUL);
  if (is_atom) return s->terms[0].product;
  bool is_known = interval(g, s, &least, &most);
  if (is_known) limit_minimum(g, s, &least, &most);
  hy_node result = is_known ? narrow(g, s, least, most) : 0;
  if (result) return result;
  result = chain(g, s);
  if (is_known) note_range(g, result, least, most);
  return result;
}

/* -- the constructors -- */

static bool multiply(hy_graph *g, sum *out, const sum *a, const sum *b) {
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count; k++) {
      hy_node x = a->terms[i].product, y = b->terms[k].product;
      hy_node product = !x ? y : !y ? x : multiply_products(g, out->bits, x, y);
      if (x && y && !product) return false;
      add_term(out, a->terms[i].factor * b->terms[k].factor, product);
    }
  return !out->is_full;
}

// rule: of one bit, a + b is a xor b, a * b is a and b
hy_node hy_graph_linear(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  int bits = hy_node_bits(g, a);
  if (bits == 1) return hy_graph_bitwise(g, op == HY_NODE_ADD ? HY_NODE_XOR : HY_NODE_AND, a, b);
  sum x, y, product;
  begin(&x, bits), begin(&y, bits), begin(&product, bits);
  collect(g, &x, 1, a);
  collect(g, op == HY_NODE_ADD ? &x : &y, 1, b);
  if (op == HY_NODE_ADD && !x.is_full) return build(g, &x);
  if (op == HY_NODE_MUL && !x.is_full && !y.is_full) {
    tidy(&x), tidy(&y);
    bool is_scaled = is_constant(&x) || is_constant(&y);
    if ((is_scaled || x.count * y.count <= MOST_PRODUCTS) && multiply(g, &product, &x, &y)) return build(g, &product);
  }
  if (hy_node_is_const(g, b) || (!hy_node_is_const(g, a) && a > b)) return hy_graph_make(g, op, bits, b, a, 0, 0);
  return hy_graph_make(g, op, bits, a, b, 0, 0);
}

hy_node hy_graph_linear_cut(hy_graph *g, hy_node n, int bits) {
  const hy_node_data d = *hy_node_at(g, n);
  if (d.op == HY_NODE_MUL && !hy_node_is_const(g, d.a[0]))
    return hy_graph_mul(g, hy_graph_resize(g, d.a[0], bits, false), hy_graph_resize(g, d.a[1], bits, false));
  sum whole, small;
  begin(&whole, d.bits), begin(&small, bits);
  collect(g, &whole, 1, n);
  for (int i = 0; i < whole.count; i++)
    if (whole.terms[i].product)
      collect(g, &small, whole.terms[i].factor, hy_graph_resize(g, whole.terms[i].product, bits, false));
    else
      add_term(&small, whole.terms[i].factor, 0);
  if (whole.is_full || small.is_full) return hy_graph_make(g, HY_NODE_TRUNC, bits, n, 0, 0, 0);
  return build(g, &small);
}

// rule: (a + 2^k * b) >> k is b, where 0 <= a < 2^k and nothing wraps
hy_node hy_graph_linear_shift(hy_graph *g, hy_node n, int by) {
  sum all, low, high;
  wide least, most;
  int bits = hy_node_bits(g, n);
  begin(&all, bits), begin(&low, bits), begin(&high, bits);
  collect(g, &all, 1, n);
  if (all.is_full || !interval(g, &all, &least, &most) || least < 0 || most >= (wide)1 << bits) return 0;
  for (int i = 0; i < all.count; i++) {
    bool is_high = !(all.terms[i].factor & hy_low_bits(by));
    int64_t factor = hy_sign_extended(all.terms[i].factor, bits);
    add_term(is_high ? &high : &low, (uint64_t)(is_high ? factor >> by : factor), all.terms[i].product);
  }
  if (!high.count || !interval(g, &low, &least, &most) || least < 0 || most >= (wide)1 << by) return 0;
  return build(g, &high);
}

/* -- questions -- */

static bool fits_between(hy_graph *g, hy_node n, bool is_signed) {
  sum s;
  begin(&s, hy_node_bits(g, n));
  wide least, most, end = (wide)1 << s.bits, half = end / 2;
  collect(g, &s, 1, n);
  if (s.is_full || !interval(g, &s, &least, &most)) return false;
  return is_signed ? least >= -half && most < half : least >= 0 && most < end;
}

// requires: the same bits. Below 64 bits the difference always fits into twice as many.
hy_node hy_graph_difference(hy_graph *g, hy_node a, hy_node b, bool is_signed) {
  int bits = hy_node_bits(g, a), more = bits < 8 ? 16 : bits < 16 ? 16 : bits < 32 ? 32 : 64;
  if (bits == 8 || bits == 16 || bits == 32) more = 2 * bits;
  wide least, most;
  sum s;
  begin(&s, more);
  if (bits > 32 && (!fits_between(g, a, is_signed) || !fits_between(g, b, is_signed))) return 0;
  collect(g, &s, 1, hy_graph_resize(g, a, more, is_signed));
  collect(g, &s, UINT64_MAX, hy_graph_resize(g, b, more, is_signed));
  if (s.is_full) return 0;
  tidy(&s);
  if (bits > 32 && (!interval(g, &s, &least, &most) || least < INT64_MIN || most > INT64_MAX)) return 0;
  return build(g, &s);
}

bool hy_graph_is_turned(hy_graph *g, hy_node n) {
  sum s;
  begin(&s, hy_node_bits(g, n));
  collect(g, &s, 1, n);
  if (s.is_full) return false;
  tidy(&s);
  return s.count && s.terms[0].product && hy_sign_extended(s.terms[0].factor, s.bits) < 0;
}

bool hy_graph_is_multiple(hy_graph *g, hy_node a, hy_node b, int64_t *factor) {
  sum x, y;
  begin(&x, hy_node_bits(g, a)), begin(&y, hy_node_bits(g, a));
  collect(g, &x, 1, a);
  collect(g, &y, 1, b);
  if (x.is_full || y.is_full) return false;
  tidy(&x), tidy(&y);
  if (x.count != y.count || x.count == 0) return false;
  int64_t first = hy_sign_extended(x.terms[0].factor, x.bits), by = hy_sign_extended(y.terms[0].factor, y.bits);
  if (by == -1 && first == INT64_MIN) return false;
  *factor = first / by;
  for (int i = 0; i < x.count; i++)
    if (x.terms[i].product != y.terms[i].product ||
        x.terms[i].factor != (((uint64_t)*factor * y.terms[i].factor) & hy_low_bits(x.bits)))
      return false;
  return true;
}
