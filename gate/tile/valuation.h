#ifndef HY_TILE_VALUATION_H
#define HY_TILE_VALUATION_H

/* The values of nodes for given values of the symbols. */

#include "gate/tile/graph.h"

typedef struct hy_valuation {
  const hy_graph *graph;
  uint64_t *symbols; // by number; owned
  bool is_loose;     // what fast-math flags allow is done: products are fused, sums are added from the right
  uint64_t *values;  // by node, of those that have one
  uint32_t *stamps;
  size_t room;
  uint32_t stamp;
  HY_VEC(hy_node) stack;
} hy_valuation;

void hy_valuation_init(hy_valuation *valuation, const hy_graph *graph);
void hy_valuation_free(hy_valuation *valuation);
// Forgets all values: to be called after the symbols were changed, and after nodes were made.
void hy_valuation_begin(hy_valuation *valuation);
// False: it is poison.
bool hy_valuation_of(hy_valuation *valuation, hy_node node, uint64_t *value);

#endif
