#ifndef HY_PROGRAMS_H
#define HY_PROGRAMS_H

/* The programs of a shipped folder, read again from its texts, and which of its objects this machine can run. */

#include "gate/inspect/inspect.h"
#include "halyard/pipeline.h"

typedef struct hy_shipped_programs {
  hy_pipeline pipeline;  // of the target program, filled
  const hy_alg *meaning; // the algorithm; NULL: it was a target program by hand
} hy_shipped_programs;

// False if one of them cannot be read. What is read lives in context and arena.
bool hy_shipped_read(hy_context *context, hy_arena *arena, const hy_inspected *inspected, hy_shipped_programs *out);

// Adds the check that says why they were not: not what shipped (level 0 says so), or no programs.
void hy_shipped_tell_unread(const hy_inspected *inspected, int level, hy_gate_result *result);

bool hy_target_runs_here(const char *target);

#endif
