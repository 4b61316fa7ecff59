#ifndef HY_GATE_WISHES_H
#define HY_GATE_WISHES_H

#include "cli/session/session.h"
#include "gate/manifest/result.h"

// Does everything that is asked of 'gate' go together? Before anything is looked at. HY_STATUS_USAGE after reporting:
// an option that would be of no use, words of --allow, files that would be written over.
hy_status hy_gate_check_wishes(hy_session *session);

// Marks what --allow lets be undecided.
void hy_gate_allow(const hy_session *session, hy_gate_result *result);

#endif
