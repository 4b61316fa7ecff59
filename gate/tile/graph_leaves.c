// Does a sum, difference or product leave its type?

#include "gate/tile/graph.h"

// Could a + b, a - b, a * b leave the type? A constant 0 where ranges say no.
hy_node hy_graph_leaves(hy_graph *g, hy_node_op op, hy_node a, hy_node b, bool is_signed) {
  static const hy_node_op unsigned_ops[] = {HY_NODE_UADD_O, HY_NODE_USUB_O, HY_NODE_UMUL_O},
                          signed_ops[] = {HY_NODE_SADD_O, HY_NODE_SSUB_O, HY_NODE_SMUL_O};
  int which = op == HY_NODE_ADD ? 0 : op == HY_NODE_MUL ? 2 : 1, bits = hy_node_bits(g, a);
  if (bits <= 32) { // what it is in twice as many bits, and what is left of it in these
    int more = 2 * bits;
    hy_node x = hy_graph_resize(g, a, more, is_signed), y = hy_graph_resize(g, b, more, is_signed);
    hy_node exact = which == 0 ? hy_graph_add(g, x, y) : which == 1 ? hy_graph_sub(g, x, y) : hy_graph_mul(g, x, y);
    hy_node cut = hy_graph_resize(g, exact, bits, false);
    return hy_graph_not(g, hy_graph_compare(g, HY_NODE_EQ, exact, hy_graph_resize(g, cut, more, is_signed)));
  }
  const hy_node_data x = *hy_node_at(g, a), y = *hy_node_at(g, b);
  __int128 half = (__int128)1 << (bits - 1), least = is_signed ? -half : 0, most = is_signed ? half - 1 : 2 * half - 1;
  __int128 a0 = is_signed ? (__int128)x.low : (__int128)x.least, a1 = is_signed ? (__int128)x.high : (__int128)x.most;
  __int128 b0 = is_signed ? (__int128)y.low : (__int128)y.least, b1 = is_signed ? (__int128)y.high : (__int128)y.most;
  bool fits = which == 0 ? a0 + b0 >= least && a1 + b1 <= most : which == 1 && a0 - b1 >= least && a1 - b0 <= most;
  if (fits) return hy_graph_const(g, 1, 0);
  if (which == 1) {
    hy_node d = hy_graph_difference(g, a, b, is_signed);
    if (d && bits == 64 && (is_signed || hy_node_at(g, d)->low >= 0)) return hy_graph_const(g, 1, 0);
  }
  return hy_graph_op(g, (is_signed ? signed_ops : unsigned_ops)[which], 1, a, b, 0, 0);
}
