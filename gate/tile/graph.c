#include "gate/tile/graph.h"

#include <string.h>

/* -- the table of nodes -- */

void hy_graph_init(hy_graph *g, size_t most_nodes) {
  *g = (hy_graph){.most_nodes = most_nodes, .table_size = 1024};
  g->table = hy_allocate_zeroed(g->table_size, sizeof *g->table);
  hy_vec_push(&g->nodes, (hy_node_data){.bits = 1});
  hy_graph_const(g, 1, 0); // node 1: what is given back when no more fit
}

void hy_graph_free(hy_graph *g) {
  hy_vec_free(&g->nodes);
  hy_free(g->table);
  *g = (hy_graph){.table = NULL};
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static uint64_t hash_of(const hy_node_data *d) {
  uint64_t hash = mix(d->op | (uint64_t)d->bits << 8 | (uint64_t)d->extra << 16, d->value);
  return mix(mix(hash, d->a[0] | (uint64_t)d->a[1] << 32), d->a[2]);
}

static bool is_same(const hy_node_data *a, const hy_node_data *b) {
  return a->op == b->op && a->bits == b->bits && a->extra == b->extra && a->value == b->value &&
         memcmp(a->a, b->a, sizeof a->a) == 0;
}

static void grow(hy_graph *g) {
  size_t size = g->table_size * 2;
  hy_node *table = hy_allocate_zeroed(size, sizeof *table);
  for (hy_node n = 1; n < g->nodes.count; n++) {
    size_t at = hash_of(&g->nodes.data[n]) & (size - 1);
    while (table[at]) at = (at + 1) & (size - 1);
    table[at] = n;
  }
  hy_free(g->table);
  g->table = table;
  g->table_size = size;
}

// Both ranges say what the other one knows.
static void settle(hy_node_data *d) {
  uint64_t half = UINT64_C(1) << (d->bits - 1), mask = hy_low_bits(d->bits);
  if (d->low >= 0) { // as signed it is not negative: then neither is as large as half
    if ((uint64_t)d->low > d->least) d->least = (uint64_t)d->low;
    if ((uint64_t)d->high < d->most) d->most = (uint64_t)d->high;
  } else if (d->high < 0) {
    uint64_t least = (uint64_t)d->low & mask, most = (uint64_t)d->high & mask;
    if (least > d->least) d->least = least;
    if (most < d->most) d->most = most;
  }
  if (d->most < half || d->least >= half) {
    int64_t low = hy_sign_extended(d->least, d->bits), high = hy_sign_extended(d->most, d->bits);
    if (low > d->low) d->low = low;
    if (high < d->high) d->high = high;
  }
}

static hy_node find(hy_graph *g, hy_node_data d) {
  size_t at = hash_of(&d) & (g->table_size - 1);
  for (; g->table[at]; at = (at + 1) & (g->table_size - 1))
    if (is_same(&g->nodes.data[g->table[at]], &d)) return g->table[at];
  if (g->most_nodes && g->nodes.count >= g->most_nodes) {
    g->is_full = true;
    if (d.op != HY_NODE_CONST || g->nodes.count >= g->most_nodes + 4096) return 1; // whoever made it looks at is_full
  }
  settle(&d);
  hy_vec_push(&g->nodes, d);
  g->table[at] = (hy_node)(g->nodes.count - 1);
  if (g->nodes.count * 2 > g->table_size) grow(g);
  return (hy_node)(g->nodes.count - 1);
}

hy_node hy_graph_make_ranged(hy_graph *g, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra,
                             uint64_t least, uint64_t most, int64_t low, int64_t high) {
  hy_node_data d = {.op = (uint8_t)op, .bits = (uint8_t)bits, .extra = (uint16_t)extra, .a = {a, b, c}};
  d.least = least, d.most = most, d.low = low, d.high = high;
  return find(g, d);
}

// Of any node of that width nothing is known but its width.
hy_node hy_graph_make(hy_graph *g, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra) {
  uint64_t half = UINT64_C(1) << (bits - 1);
  return hy_graph_make_ranged(g, op, bits, a, b, c, extra, 0, hy_low_bits(bits), hy_sign_extended(half, bits),
                              (int64_t)(half - 1));
}

/* -- leaves -- */

hy_node hy_graph_const(hy_graph *g, int bits, uint64_t value) {
  hy_node_data d = {.op = HY_NODE_CONST, .bits = (uint8_t)bits};
  d.value = d.least = d.most = value & hy_low_bits(bits);
  d.low = d.high = hy_sign_extended(d.value, bits);
  return find(g, d);
}

hy_node hy_graph_symbol(hy_graph *g, int bits, uint64_t least, uint64_t most) {
  hy_node_data d = {.op = HY_NODE_SYMBOL, .bits = (uint8_t)bits, .value = g->symbols++};
  d.least = least, d.most = most;
  d.low = hy_sign_extended(UINT64_C(1) << (bits - 1), bits), d.high = (int64_t)(hy_low_bits(bits) >> 1);
  return find(g, d);
}

bool hy_node_is_value(const hy_graph *g, hy_node n, uint64_t value) {
  return hy_node_is_const(g, n) && hy_node_at(g, n)->value == (value & hy_low_bits(hy_node_bits(g, n)));
}

/* -- poison -- */

hy_node hy_graph_unless(hy_graph *g, hy_node a, hy_node bad) {
  hy_node before;
  hy_node value = hy_graph_defined(g, a, &before);
  bad = hy_graph_or1(g, before, bad);
  if (hy_node_is_value(g, bad, 0)) return value;
  if (hy_node_is_value(g, bad, 1)) value = hy_graph_const(g, hy_node_bits(g, value), 0);
  return hy_graph_make(g, HY_NODE_UNLESS, hy_node_bits(g, value), value, bad, 0, 0);
}

hy_node hy_graph_poison(hy_graph *g, int bits) {
  return hy_graph_unless(g, hy_graph_const(g, bits, 0), hy_graph_const(g, 1, 1));
}

hy_node hy_graph_defined(hy_graph *g, hy_node n, hy_node *bad) {
  if (hy_node_is(g, n, HY_NODE_UNLESS)) {
    *bad = hy_node_at(g, n)->a[1];
    return hy_node_at(g, n)->a[0];
  }
  *bad = hy_graph_const(g, 1, 0);
  return n;
}

/* -- operators -- */

hy_node hy_graph_sub(hy_graph *g, hy_node a, hy_node b) {
  return hy_graph_add(g, a, hy_graph_mul(g, hy_graph_const(g, hy_node_bits(g, b), UINT64_MAX), b));
}
hy_node hy_graph_not(hy_graph *g, hy_node a) {
  return hy_graph_binary(g, HY_NODE_XOR, a, hy_graph_const(g, hy_node_bits(g, a), UINT64_MAX));
}
hy_node hy_graph_compare(hy_graph *g, hy_node_op op, hy_node a, hy_node b) { return hy_graph_op(g, op, 1, a, b, 0, 0); }
hy_node hy_graph_and1(hy_graph *g, hy_node a, hy_node b) { return hy_graph_op(g, HY_NODE_AND, 1, a, b, 0, 0); }
hy_node hy_graph_or1(hy_graph *g, hy_node a, hy_node b) { return hy_graph_op(g, HY_NODE_OR, 1, a, b, 0, 0); }
hy_node hy_graph_select(hy_graph *g, hy_node condition, hy_node a, hy_node b) {
  return hy_graph_op(g, HY_NODE_SELECT, hy_node_bits(g, a), condition, a, b, 0);
}
hy_node hy_graph_resize(hy_graph *g, hy_node a, int bits, bool is_signed) {
  int from = hy_node_bits(g, a);
  if (bits == from) return a;
  hy_node_op op = bits < from ? HY_NODE_TRUNC : is_signed ? HY_NODE_SEXT : HY_NODE_ZEXT;
  return hy_graph_op(g, op, bits, a, 0, 0, 0);
}

// All arguments are constants: so is the value.
static bool fold(hy_graph *g, hy_node_op op, int bits, const hy_node *a, hy_node *result) {
  uint64_t values[3] = {0};
  for (int i = 0; i < 3 && a[i]; i++) {
    if (!hy_node_is_const(g, a[i])) return false;
    values[i] = hy_node_at(g, a[i])->value;
  }
  *result = hy_graph_const(g, bits, hy_node_apply(op, bits, hy_node_bits(g, a[0]), values));
  return true;
}

static hy_node without_poison(hy_graph *g, hy_node_op op, int bits, const hy_node *a, unsigned extra) {
  hy_node result;
  if (!extra && fold(g, op, bits, a, &result)) return result;
  switch ((int)op) {
  case HY_NODE_ADD:
  case HY_NODE_MUL: return hy_graph_linear(g, op, a[0], a[1]);
  case HY_NODE_EQ:
  case HY_NODE_ULT:
  case HY_NODE_SLT: return hy_graph_order(g, op, a[0], a[1]);
  case HY_NODE_SELECT: return hy_graph_choice(g, a[0], a[1], a[2]);
  case HY_NODE_UMIN:
  case HY_NODE_UMAX:
  case HY_NODE_SMIN:
  case HY_NODE_SMAX: return hy_graph_extremum(g, op, a[0], a[1]);
  case HY_NODE_RELU: return hy_graph_relu(g, a[0]);
  case HY_NODE_ZEXT:
  case HY_NODE_SEXT:
  case HY_NODE_TRUNC: return hy_graph_conversion(g, op, bits, a[0]);
  case HY_NODE_UDIV:
  case HY_NODE_UREM:
  case HY_NODE_SDIV:
  case HY_NODE_SREM:
  case HY_NODE_SHL:
  case HY_NODE_LSHR:
  case HY_NODE_ASHR:
  case HY_NODE_AND:
  case HY_NODE_OR:
  case HY_NODE_XOR: return hy_graph_bitwise(g, op, a[0], a[1]);
  default: break;
  }
  if (op >= HY_NODE_FADD) return hy_graph_real(g, op, bits, a[0], a[1], a[2], extra);
  return hy_graph_make(g, op, bits, a[0], a[1], a[2], extra);
}

// What is computed from poison is poison; a choice of the arm that is not chosen is not.
hy_node hy_graph_op(hy_graph *g, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra) {
  hy_node given[] = {a, b, c}, bad[3] = {0}, any = 0;
  bool is_clean = true;
  for (int i = 0; i < 3 && given[i]; i++) is_clean &= !hy_node_is(g, given[i], HY_NODE_UNLESS);
  if (is_clean) return without_poison(g, op, bits, given, extra);
  for (int i = 0; i < 3 && given[i]; i++) given[i] = hy_graph_defined(g, given[i], &bad[i]);
  any = bad[0];
  if (op == HY_NODE_SELECT)
    any = hy_graph_or1(g, any, hy_graph_select(g, given[0], bad[1], bad[2]));
  else
    for (int i = 1; i < 3 && given[i]; i++) any = hy_graph_or1(g, any, bad[i]);
  return hy_graph_unless(g, without_poison(g, op, bits, given, extra), any);
}
