#ifndef HY_GATE_WISHES_H
#define HY_GATE_WISHES_H

#include "cli/session/session.h"
#include "gate/manifest/result.h"

// Does everything that is asked of 'gate' go together? Before anything is looked at. HY_STATUS_USAGE after reporting:
// an option that would be of no use, words of --allow, files that would be written over.
hy_status hy_gate_check_wishes(hy_session *session);

// The same of a program without compiler and solver (halyard-gate), which has levels 0 and 1 alone: refuses what asks for
// more. To be asked first.
hy_status hy_gate_check_alone(hy_session *session);
// The options that ask for more, by their long names; --level asks for less as well.
const char *const *hy_gate_beyond(size_t *count);

// Marks what --allow lets be undecided.
void hy_gate_allow(const hy_session *session, hy_gate_result *result);

#endif
