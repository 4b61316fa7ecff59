#ifndef HY_AUTOSCHED_TILES_H
#define HY_AUTOSCHED_TILES_H

/* Sizes of tiles to be tried, and how much of what is read along a dimension is read again (sections 4.1 and 4.2.3). */

#include "autosched/levels.h"

typedef struct hy_tile_lengths {
  int64_t len[HY_MAX_RANK]; // of dimensions that are no loops of the stage, the box's
} hy_tile_lengths;

typedef struct hy_tile_list {
  hy_tile_lengths *tiles;
  size_t count, capacity;
} hy_tile_list;

// By dimension: the points of all that is needed which two neighbouring strips of the func both need. False: overflow.
bool hy_reuse(const hy_func_graph *graph, int node, int64_t reuse[HY_MAX_RANK]);
// Cubes, and boxes longer where there is most reuse; "vectors", the dimension along which they run, at least two of
// them. Each once, in an order that depends on nothing else.
void hy_tiles_of(const hy_func_graph *graph, int node, const hy_tune_parameters *parameters, int vectors,
                 const int64_t reuse[HY_MAX_RANK], hy_tile_list *list);
// How many tiles the box has, and one in its middle.
int64_t hy_tile_count(const hy_box *box, const hy_tile_lengths *tile);
hy_box hy_tile_box(const hy_box *box, const hy_tile_lengths *tile);

#endif
