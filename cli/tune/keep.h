#ifndef HY_TUNE_KEEP_H
#define HY_TUNE_KEEP_H

/* --start S --freeze f,g: what a schedule says of some funcs stays. */

#include "autosched/graph.h"
#include "cli/session/session.h"

typedef struct hy_kept {
  bool *is_kept; // by node; NULL: nothing is
  hy_text lines; // of the funcs that are, as they were written
} hy_kept;

// "start": the schedule of --start. HY_STATUS_FINE, or HY_STATUS_USAGE after reporting; to be freed either way.
hy_status hy_kept_read(hy_session *session, const hy_graph *graph, const hy_schedule *start, hy_kept *kept);
// The whole schedule, called "tuned", as it was written but for what stands between its items.
void hy_kept_copy(const hy_schedule *schedule, hy_text *out);
void hy_kept_free(hy_kept *kept);

#endif
