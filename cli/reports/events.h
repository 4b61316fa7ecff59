#ifndef HY_EVENTS_H
#define HY_EVENTS_H

/* What a target program does with memory, a line for each load, store, allocation and computation, in order
 * (halyard run --trace=loads,stores,realizations). */

#include "cli/session/session.h"
#include "engines/engine.h"
#include "halyard/pipeline.h"

// HY_STATUS_USAGE after reporting that --trace-func names what the program has not.
hy_status hy_events_check(hy_session *session, const hy_pipeline *pipeline);
// Runs it and prints the events that are asked for, --steps of them at most; the rest is counted.
hy_outcome hy_events_run(hy_session *session, const hy_pipeline *pipeline, const hy_input *input);

#endif
