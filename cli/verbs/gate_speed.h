#ifndef HY_GATE_SPEED_VERB_H
#define HY_GATE_SPEED_VERB_H

#include "cli/session/session.h"
#include "gate/inspect/inspect.h"

// Level 4 with the folder that --baseline names. Checks go to the result; HY_STATUS_USAGE where there is no baseline
// in it, or -p or --window are wrong, which is reported.
hy_status hy_gate_judge_speed(hy_session *session, const hy_inspected *candidate, hy_gate_result *result);

#endif
