#ifndef HY_WITH_HALIDE_H
#define HY_WITH_HALIDE_H

/* A checked pipeline, run by Halide: exported, compiled and run there (halide/worker.h); what goes wrong is reported.
 */

#include "cli/session/session.h"
#include "engines/engine.h"
#include "halide/worker.h"

// NULL after reporting that there is none.
//   seconds: of processor time for one program with all its runs
HY_GIVE hy_halide *hy_with_halide_start(hy_session *session, unsigned seconds);

// What export writes of it; freed by the caller. False after reporting what Halide has no meaning for.
bool hy_with_halide_export(hy_session *session, const hy_pipeline *pipeline, hy_text *program);

// What Halide makes of one input of a program that was exported. HY_HALIDE_LOST also of an input that it is not asked
// about: its words say why.
hy_halide_answer hy_with_halide_ask(hy_session *session, hy_halide *halide, const char *program, const hy_input *input);

// One input. HY_STATUS_FINE: the outcome has the output. Else reported.
hy_status hy_with_halide_run(hy_session *session, hy_halide *halide, const hy_pipeline *pipeline, const hy_input *input,
                             hy_outcome *outcome);

// How an answer reads that is no output.
void hy_with_halide_explain(const hy_halide_answer *answer, hy_text *out);

#endif
