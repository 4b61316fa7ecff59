#ifndef HY_LAYOUT_H
#define HY_LAYOUT_H

/* Where the cell of a point lies: the one definition. The interpreters' memory uses it; native code computes the same
 * (codegen/llvm_allocate.c, llvm_offset.c), and B.Fold speaks of the points that it gives one cell. They are tested
 * against it.
 *
 *   cells(d)   = fold(d), or the length of dimension d if it is not folded, rounded up to a multiple of align(d)
 *   stride(d)  = the product of cells(d') of the dimensions d' before d in the plan's order
 *   share(d,c) = stride(d) * (c % fold(d)), or stride(d) * (c - min(d)) if it is not folded
 *   offset(p)  = the sum of share(d, p_d)
 */

#include "semantics/storage/plan.h"

typedef struct hy_layout {
  int rank;
  bool folds;
  int64_t min[HY_MAX_RANK];
  uint64_t len[HY_MAX_RANK], cells[HY_MAX_RANK], stride[HY_MAX_RANK];
  int64_t fold[HY_MAX_RANK]; // 0: not folded
  uint64_t count;            // cells in memory, those that are only there for the alignment included; 0: no points
} hy_layout;

// The layout of a box; plan NULL: the plain one. False: the cells cannot be counted. requires: len >= 0
bool hy_layout_make(hy_layout *layout, int rank, const hy_plan *plan, const int64_t *min, const int64_t *len);

// What dimension d adds to the offset of a point with that coordinate.
static inline uint64_t hy_layout_share(const hy_layout *layout, int d, int64_t coordinate) {
  int64_t fold = layout->fold[d];
  if (!fold) return ((uint64_t)coordinate - (uint64_t)layout->min[d]) * layout->stride[d];
  int64_t rest = coordinate % fold;
  return (uint64_t)(rest < 0 ? rest + fold : rest) * layout->stride[d];
}

// How many coordinates of dimension d, from its minimum on, reach all cells that points have.
static inline uint64_t hy_layout_points(const hy_layout *layout, int d) {
  uint64_t fold = (uint64_t)layout->fold[d];
  return fold && fold < layout->len[d] ? fold : layout->len[d];
}

// requires: the point lies in the box
static inline uint64_t hy_layout_offset(const hy_layout *layout, const int64_t *point) {
  uint64_t offset = 0;
  for (int d = 0; d < layout->rank; d++) offset += hy_layout_share(layout, d, point[d]);
  return offset;
}

#endif
