#ifndef HY_AUTOSCHED_GROUP_H
#define HY_AUTOSCHED_GROUP_H

/* Funcs in groups (section 4.2): a group is computed tile by tile of its output, the func that others read; its other
 * members inside of the loops over tiles. Listings 1 and 2 of the paper, with their slips mended: the number of tiles
 * is that of the tiles, ties go to the first, a benefit is more than nothing.
 */

#include "autosched/tiles.h"
#include "autosched/vectors.h"

// What computing one box of a group's output costs.
typedef struct hy_group_figures {
  hy_cost arithmetic;    // of full vectors
  hy_cost loads;         // of what is no member: its points, but no more than are asked for
  hy_cost rows;          // of what is no member: that begin for this box, for it has not all of the func's row
  hy_cost between_bytes; // of members that are not the output
  hy_cost input_bytes;   // of what is no member
} hy_group_figures;

typedef struct hy_groups {
  const hy_func_graph *graph;
  const hy_tune_parameters *parameters;
  int *group_of;                 // by node: the output of its group; -1: inlined, not needed, or an image
  bool *is_tiled;                // by output
  hy_tile_lengths *tiles;        // by output, where it is tiled
  int64_t (*reuse)[HY_MAX_RANK]; // by node
  const hy_vector_plan *vectors;
  struct hy_merge *merges;    // what evaluating merges gave, by producer
  struct hy_journal *journal; // gets the merges (journal.h); NULL
} hy_groups;

// Each func alone, those with updates tiled for what they read (listing 1). In the graph's context. NULL: overflow.
hy_groups *hy_groups_new(const hy_func_graph *graph, const hy_tune_parameters *parameters);
// Merges while there is a benefit.
void hy_groups_merge(hy_groups *groups);

// The one group that reads the output of this one; -1: there is none or several, or it may not be merged into it.
int hy_group_reader(const hy_groups *groups, int output);
// How much less both cost as one group, with the best tile (listing 2). False: no tile will do.
bool hy_group_benefit(const hy_groups *groups, int producer, int consumer, hy_cost *benefit, hy_tile_lengths *tile);
// False: numbers leave 62 bits.
bool hy_group_figures_of(const hy_groups *groups, const bool *members, int output, const hy_box *box,
                         hy_group_figures *figures);
// What the group costs as it is; false: overflow.
bool hy_group_cost(const hy_groups *groups, int output, hy_cost *cost);

#endif
