#ifndef HY_ENVIRONMENT_H
#define HY_ENVIRONMENT_H

#include "semantics/base/diagnostic.h"

// Are the environment's variables that Halyard reads such that they mean something? Reports the first that is not. An
// empty one counts as unset.
bool hy_environment_check(hy_diagnostics *diagnostics);

#endif
