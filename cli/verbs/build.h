#ifndef HY_BUILD_H
#define HY_BUILD_H

/* What build, ship and gate share. */

#include "cli/session/session.h"
#include "gate/ship/ship.h"

#define HY_BUILD_NAME_HELP                                                                                             \
  "give a name that C and C++ can use, and that no library has (hy_, halyard_, those of C: open, floor, ..), with "    \
  "--name"

// The target of that name; NULL after reporting.
const hy_target *hy_build_target(hy_session *session, const char *name);

// What decides this session's obligations beside Halyard. False after reporting.
bool hy_build_judges(hy_session *session, hy_ship_judges *judges);

// Sets up and checks the session's one pipeline. With --unproved what stays open is a warning, and "*proved" false.
hy_status hy_build_check(hy_session *session, hy_pipeline *pipeline, bool *proved);

#endif
