#ifndef HY_EXCESS_MEASURE_H
#define HY_EXCESS_MEASURE_H

/* How large a func's region is where it is computed, and how many of its points are read there, in numbers: for one
 * window and one iteration, that in the middle, of each loop around the computation. What is read is counted by
 * evaluating the indices of its loads over the loops inside of that iteration. Nothing is run and no values are needed:
 * an index that depends on values counts as another point each time. So the count is never too small.
 */

#include "halyard/arguments.h"
#include "halyard/pipeline.h"

// Why a load asks for more than it reads.
typedef enum {
  HY_EXCESS_VALUES,  // its index depends on values
  HY_EXCESS_UNSEEN,  // of its index the bounds do not see how small its range is
  HY_EXCESS_STRIDED, // it reads every n-th point
  HY_EXCESS_APART,   // it reads points that lie apart
  HY_EXCESS_SEVERAL, // it and others do
} hy_excess_why;

typedef struct hy_excess {
  const hy_func *func;    // of which there is an excess
  const hy_var *loop;     // the innermost around its computation; NULL: it is computed at root
  double region, read;    // points: the hull of what is asked for, and what is read of it at most
  const hy_asked *access; // the load that asks for the most beyond what it reads
  hy_excess_why why;
  int dim;                 // of the access: where
  int64_t least, greatest; // what the index may be there
  int64_t step;            // HY_EXCESS_STRIDED
  // For comparing windows: of each dimension what is asked for, and between what numbers that lies which is read
  int64_t asked_min[HY_MAX_RANK], asked_len[HY_MAX_RANK], read_len[HY_MAX_RANK];
} hy_excess;

typedef struct hy_excess_measure hy_excess_measure;
HY_GIVE hy_excess_measure *hy_excess_measure_new(const hy_pipeline *pipeline, const hy_arguments *arguments);
void hy_excess_measure_free(HY_TAKE hy_excess_measure *measure);

// Is the region of this func or image at least "factor" times what is read of it? False also where it cannot be told.
bool hy_excess_of(hy_excess_measure *measure, const hy_func *func, double factor, hy_excess *excess);

#endif
