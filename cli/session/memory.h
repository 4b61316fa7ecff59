#ifndef HY_CLI_MEMORY_H
#define HY_CLI_MEMORY_H

// Of HY_E_RUN_MEMORY: what takes the most.

#include "cli/session/session.h"

// A note that names the func for which most memory is asked outside of all loops, if that can be said in numbers.
void hy_memory_blame(hy_session *session, const hy_tgt *filled, const hy_input *input);

#endif
