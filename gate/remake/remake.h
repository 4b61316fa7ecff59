#ifndef HY_GATE_REMAKE_H
#define HY_GATE_REMAKE_H

/* Level 3: what ships is compiled again, to the very bytes that ship and to the module that LLVM made them of; that
 * module's function is executed on small windows with the contents of images unknown (gate/tile/judge.h), and compared
 * with the target program's meaning. Equal on all of them, different on one with images that show it, or undecided.
 */

#include "gate/inspect/inspect.h"
#include "gate/trial/programs.h"

typedef struct hy_remake_wishes {
  uint64_t seed;
  int windows;
  hy_gate_shard shard; // whose targets: the unit is a target
} hy_remake_wishes;

// requires: level 0 read the manifest. Checks go to the result.
void hy_remake_run(hy_context *context, const hy_inspected *inspected, const hy_remake_wishes *wishes,
                   hy_gate_result *result);

#endif
