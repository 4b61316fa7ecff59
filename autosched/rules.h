#ifndef HY_AUTOSCHED_RULES_H
#define HY_AUTOSCHED_RULES_H

/* How the loops of a stage run, given their iterations: what levels 0 and 1 have in common. */

#include "autosched/levels.h"

// What the stage costs where each point's loads cost "load_cost": all instances for its whole box. False: overflow.
bool hy_stage_cost(const hy_func_graph *graph, int node, int stage, const hy_box *box, int64_t load_cost,
                   hy_cost *cost);
int hy_stage_loads(const hy_func_graph *graph, int node,
                   const hy_node_stage *stage); // of one point, but of its own func

// Unrolls an innermost loop of few iterations, vectorizes the next; as many lanes as the loop has iterations for.
void hy_rule_vectorize(const hy_func_graph *graph, int node, int stage, const hy_box *box,
                       const hy_tune_parameters *parameters, hy_stage_choice *choice);
// The same along a dimension that is not the first one (vectors.h), whose loop then stands innermost.
void hy_rule_vectorize_along(const hy_func_graph *graph, int node, int stage, const hy_box *box, int dim,
                             const hy_tune_parameters *parameters, hy_stage_choice *choice);
// Of a reduction: a block of points beside each other, and of no more lanes than fill vectors, stays in registers while
// all is added to it. Along a dimension that something that is loaded does not depend on, so that it is loaded once.
// requires: hy_rule_vectorize
void hy_rule_accumulate(const hy_func_graph *graph, int node, int stage, const hy_box *box, hy_stage_choice *choice);
// Outermost loops, those of tiles alone if there are tiles, until there are enough iterations; none where there is
// little to compute.
void hy_rule_parallelize(const hy_func_graph *graph, int node, int stage, const hy_box *box,
                         const hy_tune_parameters *parameters, hy_stage_choice *choice);

#endif
