#ifndef HY_AUTOSCHED_MODEL_H
#define HY_AUTOSCHED_MODEL_H

/* About how long a schedule takes, to say which ones are worth measuring: operations in vectors, what lies between
 * funcs by the cache that holds it, tasks on cores, allocations. Nothing is decided by it.
 */

#include "autosched/choices.h"

typedef struct hy_machine {
  int cores;
  int64_t vector_bytes, l1_bytes, l2_bytes, l3_bytes;
} hy_machine;

// In nanoseconds; infinity: it cannot be said (an inlining is too large, numbers leave 62 bits).
//   requires: the graph has its boxes, and nothing inlined
double hy_model_cost(const hy_func_graph *graph, const hy_choices_list *choices, const hy_machine *machine);

#endif
