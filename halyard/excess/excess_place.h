#ifndef HY_EXCESS_PLACE_H
#define HY_EXCESS_PLACE_H

/* Where a load of the scheduled program stands in the algorithm. */

#include "halyard/pipeline.h"

// What was written, where the schedule has put copies in place of what is read.
const hy_expr *hy_excess_as_written(const hy_pipeline *pipeline, const hy_expr *access);
hy_loc hy_excess_place(const hy_pipeline *pipeline, const hy_asked *asked);

#endif
