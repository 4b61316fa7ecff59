// What the environment says to those that make code, run it, or ask Halide.

#include "cli/session/environment.h"
#include "gate/ship/tools.h"

#include <stdio.h>
#include <stdlib.h>

static void dump(const char *title, const char *program) { fprintf(stderr, "// --- %s\n%s", title, program); }

hy_dump hy_environment_dump(void) { return (hy_dump){hy_environment_variable("HALYARD_DUMP", NULL), dump}; }

hy_cache_settings hy_environment_cache(void) {
  const char *most = hy_environment_variable("HALYARD_CACHE_MIB", "1024");
  return (hy_cache_settings){hy_environment_variable("HALYARD_CACHE_DIR", NULL), (uint64_t)atoll(most) << 20};
}

void hy_environment_tell_tools(void) {
  hy_tools_use_runtime(hy_environment_variable("HALYARD_RUNTIME", NULL));
  hy_tools_use_temporary(hy_environment_variable("TMPDIR", "/tmp"));
}

hy_halide_settings hy_environment_halide(unsigned seconds) {
  const char *given = hy_environment_variable("HALYARD_HALIDE_SECONDS", NULL);
  return (hy_halide_settings){.python = hy_environment_variable("HALYARD_PYTHON", "/usr/bin/python3"),
                              .root = hy_environment_variable("HALIDE_ROOT", ""),
                              .seconds = given ? (unsigned)atoi(given) : seconds};
}
