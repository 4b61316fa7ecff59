#ifndef HY_CLI_MEMORY_H
#define HY_CLI_MEMORY_H

// Of HY_E_RUN_MEMORY: what takes the most.

#include "cli/session/session.h"

// A note that names the func for which most memory is asked at once, inside of loops in their first iterations, as far
// as that is known before the run.
void hy_memory_blame(hy_session *session, const hy_tgt *filled, const hy_input *input);

#endif
