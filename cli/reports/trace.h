#ifndef HY_TRACE_H
#define HY_TRACE_H

/* halyard run --trace: the derivation of a run, rule by rule, by the literal evaluators. */

#include "cli/session/arguments.h"
#include "engines/engine.h"

// Runs the engine asked for (alg or tgt) literally and prints the derivation. A window too large for --steps is
// HY_RUN_LIMIT and prints nothing.
hy_outcome hy_trace_run(hy_session *session, const hy_pipeline *pipeline, const hy_input *input);
// Says so, and which window would fit.
hy_status hy_trace_too_large(hy_session *session, const hy_pipeline *pipeline, const hy_arguments *arguments);

#endif
