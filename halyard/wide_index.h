#ifndef HY_WIDE_INDEX_H
#define HY_WIDE_INDEX_H

#include "halyard/pipeline.h"
#include "semantics/tgt/range.h"

/* Where an algorithm forms an index that may leave 64 bits, whatever the schedule: a number of the program that does
 * not fit is told there. By ranges alone, so that it proves nothing: it is asked only about what was refuted.
 */

typedef struct hy_wide_index {
  const hy_func *func;   // that is read there
  const hy_expr *access; // as written
  int dim;
  const hy_expr *part; // of the index: the first number that may leave 64 bits though what it is made of fits
  hy_loc loc;          // of the index
  // What the part is made of, with what each may be: variables, and loads of funcs and images.
  const hy_expr *const *leaves;
  const hy_range *ranges;
  int leaf_count;
} hy_wide_index;

// The index for which a region, or a number of a func or image, is too large for 64 bits; NULL: it is about something
// else, or none is seen. Lives in the context.
//   requires: p->filled
const hy_wide_index *hy_wide_index_of(const hy_pipeline *p, const hy_decision *decision);

// Says that it leaves 64 bits, or may, as the code has it, in the same words for all schedules. False: what was reported
// from "first" on says so already.
bool hy_wide_index_report(const hy_wide_index *index, hy_code code, size_t first, hy_diagnostics *diagnostics);

#endif
