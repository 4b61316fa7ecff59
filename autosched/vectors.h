#ifndef HY_AUTOSCHED_VECTORS_H
#define HY_AUTOSCHED_VECTORS_H

/* Along which dimension the vectors of each stage run, and which dimension of a func lies side by side in memory: the
 * choice whose operations and loads cost least, counted vector by vector. What lies side by side is one load, what is
 * the same for all lanes too; what lies anywhere is a load for each lane. The paper always takes the first dimension.
 */

#include "autosched/levels.h"

typedef struct hy_vector_plan {
  int *dense;  // by node: the dimension that lies side by side
  int **along; // by node and stage: the dimension of the vectors; -1: none
  int64_t lanes, load_cost;
} hy_vector_plan;

// In the graph's context.
//   requires: the graph has its boxes
hy_vector_plan *hy_vectors_plan(const hy_func_graph *graph, const hy_tune_parameters *parameters);
// Do vectors run, and lie, along the first dimension wherever that is one of the stage's?
bool hy_vectors_are_usual(const hy_func_graph *graph, const hy_vector_plan *plan);
// What all stages cost; false: as below.
bool hy_vectors_total(const hy_func_graph *graph, const hy_vector_plan *plan, hy_cost *total);
// As many points as the lanes of all vectors that the stage needs for the box: a vector costs what a full one does.
int64_t hy_vectors_lanes(const hy_vector_plan *plan, int node, int stage, const hy_box *box, int64_t instances);
// What all instances of the stage cost on its node's whole box if its vectors run along "dim" (-1: there are none).
// False: numbers leave 62 bits.
bool hy_vectors_cost(const hy_func_graph *graph, const hy_vector_plan *plan, int node, int stage, int dim,
                     hy_cost *cost);

#endif
