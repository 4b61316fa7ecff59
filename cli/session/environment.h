#ifndef HY_ENVIRONMENT_H
#define HY_ENVIRONMENT_H

#include "halide/worker.h"
#include "halyard/pipeline.h"

// Are the environment's variables that Halyard reads such that they mean something? Reports the first that is not. An
// empty one counts as unset.
bool hy_environment_check(hy_diagnostics *diagnostics);
// What it is; where it is empty or not there, "unset".
const char *hy_environment_variable(const char *name, const char *unset);
// Tells the room below what HALYARD_CERTCHECK names, and HALYARD_CERTCHECK_SECONDS says: it does not look itself.
void hy_environment_tell_checker(void);

/* environment_tools.c */

// Tells the rooms below what HALYARD_RUNTIME and TMPDIR name.
void hy_environment_tell_tools(void);

// HALYARD_DUMP=letters: programs go to standard error as they are made.
hy_dump hy_environment_dump(void);
// HALYARD_CACHE_DIR: where 'ship' looks for what was made before, and HALYARD_CACHE_MIB, what may lie there.
typedef struct hy_cache_settings {
  const char *folder; // NULL: none
  uint64_t most;      // bytes; unset, 1 GiB
} hy_cache_settings;
hy_cache_settings hy_environment_cache(void);

// Which Halide programs are run with: HALYARD_PYTHON names the interpreter that has its bindings (/usr/bin/python3, for
// which Debian packages them), HALIDE_ROOT where another Halide lies, HALYARD_HALIDE_SECONDS how much of a processor
// one program may take; unset, that is "seconds". Memory and threads are the caller's.
hy_halide_settings hy_environment_halide(unsigned seconds);

#endif
