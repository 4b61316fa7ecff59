#ifndef HY_BOXES_H
#define HY_BOXES_H

/* Which boxes of others a box of a func needs, in numbers: the intervals of coordinates (semantics/tgt/range.h), for
 * these sizes. Conservative, as the bounds are that Halyard finds for all sizes.
 */

#include "autosched/graph.h"

// By node: what is needed of it.
typedef struct hy_box_set {
  hy_box *boxes;
  bool *has;
  int count;
  // Where no interval is known of a coordinate, and no estimate of what it reads: -1, or what is read and the
  // dimension.
  int unbounded, unbounded_dim;
} hy_box_set;

HY_GIVE hy_box_set *hy_box_set_new(const hy_func_graph *graph);
void hy_box_set_free(HY_TAKE hy_box_set *needs);
void hy_box_set_clear(hy_box_set *needs);

// Adds what one stage reads, its own func's points too, where it is computed on the box.
//   returns: false where a number leaves 62 bits, or a coordinate has no interval
bool hy_boxes_need(const hy_func_graph *graph, int node, int stage, const hy_box *box, hy_box_set *needs);
// Adds the box of "root", and all that is needed for it, through the members (by node; NULL: all), at last of what is
// no member. The boxes of members hold what their own updates write and read.
bool hy_boxes_propagate(const hy_func_graph *graph, int root, const hy_box *box, const bool *members,
                        hy_box_set *needs);

// How many times the stage computes a point for the box; false: more than fit 62 bits.
bool hy_boxes_instances(const hy_func_graph *graph, int node, int stage, const hy_box *box, int64_t *count);

// Finds the box of each node for the windows of all outputs, and puts it there. False: as of hy_boxes_need; then
// "needs" says where.
bool hy_boxes_concrete(hy_func_graph *graph, hy_box_set *needs);

#endif
