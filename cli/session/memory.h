#ifndef HY_CLI_MEMORY_H
#define HY_CLI_MEMORY_H

// Of HY_E_RUN_MEMORY: what takes the most.

#include "cli/session/session.h"

// A note that names the func for which most memory is asked at once, inside of loops in their first iterations, as far
// as that is known before the run; and one more where it is so much because a divisor may be 0.
void hy_memory_blame(hy_session *session, const hy_pipeline *pipeline, const hy_input *input);

// Reports the buffer that cannot lie in memory as the schedule demands (GEN.Demand), if there is one.
bool hy_demand_blame(hy_session *session, const hy_pipeline *pipeline, const hy_input *input);

#endif
