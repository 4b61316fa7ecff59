#include "gate/tile/valuation.h"

#include <string.h>

void hy_valuation_init(hy_valuation *v, const hy_graph *graph) {
  *v = (hy_valuation){.graph = graph};
  v->symbols = hy_allocate_zeroed(graph->symbols + 1, sizeof *v->symbols);
}

void hy_valuation_free(hy_valuation *v) {
  hy_free(v->symbols);
  hy_free(v->values);
  hy_free(v->stamps);
  hy_vec_free(&v->stack);
}

void hy_valuation_begin(hy_valuation *v) {
  size_t count = v->graph->nodes.count;
  if (v->room < count) {
    hy_free(v->values);
    hy_free(v->stamps);
    v->room = count;
    v->values = hy_allocate(count * sizeof *v->values);
    v->stamps = hy_allocate_zeroed(count, sizeof *v->stamps);
    v->stamp = 0;
  }
  v->stamp++;
}

static uint64_t apply(hy_valuation *v, const hy_node_data *d, hy_node_op op, const uint64_t *a) {
  int wide = d->a[0] ? hy_node_bits(v->graph, d->a[0]) : d->bits;
  return hy_node_apply(op, d->bits, wide, a);
}

// One of the other values that a node with fast-math flags may have.
static uint64_t loosely(hy_valuation *v, const hy_node_data *d, const uint64_t *a) {
  bool is_sum = d->op == HY_NODE_FADD || d->op == HY_NODE_FSUB;
  for (int i = 0; i < 2 && is_sum; i++) {
    const hy_node_data *part = hy_node_at(v->graph, d->a[i]);
    uint64_t x = a[1 - i];
    if (part->op == HY_NODE_FMUL && (d->extra & part->extra & HY_LOOSE_CONTRACT)) {
      uint64_t fused[] = {v->values[part->a[0]], v->values[part->a[1]], x};
      if (d->op == HY_NODE_FSUB) fused[i == 0 ? 2 : 0] ^= UINT64_C(1) << (d->bits - 1);
      return apply(v, d, HY_NODE_FMA, fused);
    }
    if (part->op == HY_NODE_FADD && d->op == HY_NODE_FADD && (d->extra & part->extra & HY_LOOSE_REASSOCIATE)) {
      uint64_t last[] = {v->values[part->a[1]], x, 0};
      uint64_t all[] = {v->values[part->a[0]], apply(v, d, HY_NODE_FADD, last), 0};
      return apply(v, d, HY_NODE_FADD, all);
    }
  }
  return apply(v, d, (hy_node_op)d->op, a);
}

static uint64_t value_of(hy_valuation *v, const hy_node_data *d) {
  uint64_t a[3] = {0};
  if (d->op == HY_NODE_CONST) return d->value;
  if (d->op == HY_NODE_SYMBOL) return v->symbols[d->value] & hy_low_bits(d->bits);
  for (int i = 0; i < 3 && d->a[i]; i++) a[i] = v->values[d->a[i]];
  return v->is_loose && d->extra ? loosely(v, d, a) : apply(v, d, (hy_node_op)d->op, a);
}

static bool is_known(const hy_valuation *v, hy_node n) { return v->stamps[n] == v->stamp; }

static uint64_t evaluate(hy_valuation *v, hy_node root) {
  v->stack.count = 0;
  hy_vec_push(&v->stack, root);
  while (v->stack.count) {
    hy_node n = hy_vec_last(&v->stack);
    const hy_node_data *d = hy_node_at(v->graph, n);
    bool ready = true;
    for (int i = 0; i < 3 && d->a[i] && !is_known(v, n); i++) {
      if (is_known(v, d->a[i])) continue;
      hy_vec_push(&v->stack, d->a[i]);
      ready = false;
    }
    if (!ready) continue;
    if (!is_known(v, n)) v->values[n] = value_of(v, d), v->stamps[n] = v->stamp;
    v->stack.count--;
  }
  return v->values[root];
}

bool hy_valuation_of(hy_valuation *v, hy_node n, uint64_t *value) {
  const hy_node_data *d = hy_node_at(v->graph, n);
  if (d->op == HY_NODE_UNLESS) {
    if (evaluate(v, d->a[1])) return false;
    n = d->a[0];
  }
  *value = evaluate(v, n);
  return true;
}
