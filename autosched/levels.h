#ifndef HY_AUTOSCHED_LEVELS_H
#define HY_AUTOSCHED_LEVELS_H

/* Schedules without running anything. Level 0: what costs no recomputation is inlined, innermost loops are vectorized,
 * outermost ones run in parallel. Level 1: the algorithm of "Automatically Scheduling Halide Image Processing
 * Pipelines" (SIGGRAPH 2016, sections 4 and 5). Both are functions of the algorithm, the estimates and the parameters.
 */

#include "autosched/choices.h"

typedef struct hy_tune_parameters {
  int64_t lanes;       // VECTOR_WIDTH
  int64_t parallelism; // PARALLELISM_THRESHOLD: as many tiles, or iterations of parallel loops, at least
  int64_t cache_bytes; // CACHE_SIZE
  int64_t load_cost;   // LOAD_COST, in cheap operations
} hy_tune_parameters;
hy_tune_parameters hy_tune_default(void); // the paper's, of a server

// What was found, and why.
typedef struct hy_proposal {
  hy_choices_list *choices;
  hy_cost cost;               // as the level's own model has it
  int *group_of;              // by node: the output of its group, a node; -1: inlined, or an image
  hy_func_graph *graph;       // with what was inlined
  struct hy_journal *journal; // why (journal.h)
} hy_proposal;

// requires: the graph has its concrete boxes. False: numbers leave 62 bits.
bool hy_tune_level0(const hy_func_graph *graph, const hy_tune_parameters *parameters, hy_proposal *proposal);
bool hy_tune_level1(const hy_func_graph *graph, const hy_tune_parameters *parameters, hy_proposal *proposal);

#endif
