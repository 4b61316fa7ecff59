#ifndef HY_PROFILE_REPORT_H
#define HY_PROFILE_REPORT_H

/* Where the time of native code goes, func by func, how many points it computes and how many it had to
 * (halyard run --profile). */

#include "cli/session/session.h"
#include "engines/engine.h"
#include "halyard/pipeline.h"

// Runs the pipeline for about a second, plain and instrumented in turn, counts points in a run of its own, and prints
// the table. What the plain code computed; if it did not run there is no table.
hy_outcome hy_profile_run(hy_session *session, hy_pipeline *pipeline, const hy_input *input);

#endif
