#ifndef HY_GATE_FLOW_H
#define HY_GATE_FLOW_H

/* How a folder that shipped is judged, level by level, and what is told of it. Levels 0 and 1 ask neither compiler nor
 * solver, and nothing here does: what needs them comes in through one record.
 */

#include "cli/session/session.h"
#include "gate/inspect/inspect.h"

typedef struct hy_gate {
  hy_session *session;
  hy_inspected in;
  hy_gate_shard shard;
  bool has_sources; // were given
  hy_gate_result result;
} hy_gate;

// What a program judges that has the compiler. Checks go to the gate's result; a status says what ends the command.
typedef struct hy_gate_compiler {
  hy_status (*look_at_sources)(hy_gate *gate); // level 0: the words behind the folder, if there are any
  void (*rebuild)(hy_gate *gate);              // level 0, --rebuild
  void (*run)(hy_gate *gate);                  // level 2
  void (*translate)(hy_gate *gate);            // level 3
  hy_status (*time)(hy_gate *gate);            // level 4
} hy_gate_compiler;

// All that the session's options ask for. "compiler": NULL: this is halyard-gate, which has levels 0 and 1 alone, and
// refuses what asks for more.
hy_status hy_gate_judge(hy_session *session, const hy_gate_compiler *compiler);

// What ends the command has to stand in every report, and in a shard's part: as a check, not as a status alone.
hy_status hy_gate_add_failure(hy_gate *gate, int level, const char *name, const char *file, unsigned code,
                              const char *story, hy_status status);

#endif
