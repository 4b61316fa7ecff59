#ifndef HY_AUTOSCHED_CHOICES_H
#define HY_AUTOSCHED_CHOICES_H

/* A schedule as what was chosen for each func: where it is computed, and how each of its stages runs. What finds
 * schedules makes these; spell.h writes them down as schedules in Halide's spelling.
 */

#include "autosched/graph.h"

typedef enum {
  HY_PLACE_ROOT,
  HY_PLACE_INLINE,
  HY_PLACE_AT, // computed and stored at a loop of "consumer"
} hy_place;

// A loop of a stage: over a dimension, or, where that is split, its outer part.
typedef struct hy_loop_name {
  int dim;
  bool is_outer;
} hy_loop_name;

typedef struct hy_stage_choice {
  int64_t tile[HY_MAX_RANK]; // 0: the dimension is not split; 1: its loop is one over tiles as it is
  int order[HY_MAX_RANK];    // the pure dimensions, the innermost first: of outer parts if any is split, else of loops
  int order_count;
  int innermost; // the dimension whose loop, or inner part, stands inside of all others
  int vector;    // the dimension whose innermost loop is vectorized; -1: none
  int64_t lanes;
  int64_t vectors; // beside each other, each summed up in a register of its own; 0: one
  int unroll;      // the same of what is unrolled
  int64_t unrolled;
  int parallel; // so many of the outermost loops
} hy_stage_choice;

typedef struct hy_func_choice {
  hy_place place;
  int consumer;      // HY_PLACE_AT: a node
  hy_loop_name site; // and the loop of its last stage
  int dense;         // the dimension whose points lie side by side in memory
  // HY_PLACE_AT: stored at this loop farther out, and computed only as far as the iteration before has not
  bool slides;
  hy_loop_name store;
  int fold_dim; // with "slides": the dimension whose points share cells; -1: none
  int64_t fold;
  hy_stage_choice *stages;
} hy_func_choice;

typedef struct hy_choices_list {
  hy_func_choice *funcs; // by node
  int count;
} hy_choices_list;

// Everything at root, loops as they are. In the context's arena, as copies are.
hy_choices_list *hy_choices_plain(const hy_func_graph *graph);
hy_choices_list *hy_choices_copy(const hy_func_graph *graph, const hy_choices_list *choices);

// The loops of a stage, the outermost first; of those that are split two, the outer part before the inner one, however
// far apart. Vector lanes, what is unrolled and rdoms are not among them.
enum { HY_MOST_LOOPS = 2 * HY_MAX_RANK };
int hy_choices_loops(const hy_func_graph *graph, int node, int stage, const hy_stage_choice *choice,
                     hy_loop_name loops[HY_MOST_LOOPS]);
// How many points of the vectors' dimension are summed up beside each other.
int64_t hy_choices_summed(const hy_stage_choice *choice);
// Is the dimension one of the stage's loops?
bool hy_choices_is_pure(const hy_func_graph *graph, int node, int stage, int dim);

#endif
