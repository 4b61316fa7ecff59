#ifndef HY_GATE_PARTS_H
#define HY_GATE_PARTS_H

/* halyard gate --shard I/N --part FILE, and what joins such files: --merge. */

#include "cli/session/session.h"
#include "gate/inspect/inspect.h"

// What --shard says; false after reporting.
bool hy_gate_take_shard(hy_session *session, hy_gate_shard *shard);

// Writes what was found, if --part was given and there is a manifest to speak of.
hy_status hy_gate_write_part(hy_session *session, const hy_inspected *inspected, hy_gate_shard shard, bool has_sources,
                             const hy_gate_result *result);

// The parts are the words behind the folder; "result" has what level 0 found here.
hy_status hy_gate_join_parts(hy_session *session, const hy_inspected *inspected, hy_gate_result *result);

#endif
