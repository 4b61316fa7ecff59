#ifndef HY_LEGALITY_INTERNAL_H
#define HY_LEGALITY_INTERNAL_H

#include "sched/rewrite.h"

// overlap.c: may two values of "loop", a loop of the stage below "stage", write one point (decision D33)? "blamed" is
// the pure variable whose tail is at fault.
bool hy_overlap_possible(const hy_stmt *stage, const hy_var *loop, const hy_var **blamed);

#endif
