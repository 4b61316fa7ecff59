#ifndef HY_TUNE_KEEP_H
#define HY_TUNE_KEEP_H

/* --start S --freeze f,g: what a schedule says of some funcs stays, and what it says of the funcs that this adds. */

#include "autosched/graph.h"
#include "cli/session/session.h"

typedef struct hy_kept {
  bool *is_kept; // by node: nothing is chosen for it; NULL: nothing is kept
  hy_text lines; // what is said of the funcs that are kept
} hy_kept;

// "start": the schedule of --start. HY_STATUS_FINE; HY_STATUS_WRONG after reporting what is wrong with that schedule,
// as 'halyard check' does; HY_STATUS_USAGE after reporting. To be freed either way.
hy_status hy_kept_read(hy_session *session, const hy_func_graph *graph, const hy_schedule *start, hy_kept *kept);
// The whole schedule, called "tuned", an item a line.
void hy_kept_copy(const hy_schedule *schedule, hy_text *out);
void hy_kept_free(hy_kept *kept);

#endif
