#ifndef HY_EDIT_H
#define HY_EDIT_H

/* Algorithms that differ in one place: what shrinking tries, and what shows whether a constant matters. */

#include "semantics/alg/alg.h"

typedef struct hy_edit {
  hy_context *context;
  const hy_expr *from, *to; // a node and what stands in its place; or
  const hy_func *dropped;   // a func that is left out: accesses to it become ones, or
  const hy_expr *instead;   // this expression of its definition, at the coordinates that it was read at
  const hy_definition *definition;
} hy_edit;

// A copy of the algorithm, edited; in the definition at position "only" alone unless it is -1.
hy_alg hy_edit_alg(hy_edit *edit, const hy_alg *alg, int only);
// Takes a func off the outputs; where none is left the last func is the one. The copy has no windows: it is printed.
void hy_edit_outputs(hy_context *context, hy_alg *copy, const hy_func *dropped);
const hy_expr *hy_edit_number(hy_context *context, hy_type type, int64_t i); // of any type but bool

#endif
