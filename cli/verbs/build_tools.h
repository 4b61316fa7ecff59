#ifndef HY_BUILD_TOOLS_H
#define HY_BUILD_TOOLS_H

/* The system's archiver and linker, asked for what 'halyard build' does not write itself. */

#include "semantics/base/text.h"

// An archive or a shared object of an object file and the run-time library, which lies beside this program. False with
// *why, a sentence's end ("'cc' is not installed"), in memory that stays.
bool hy_tools_archive(const hy_text *object, const char *member, hy_text *out, const char **why);
bool hy_tools_link(const hy_text *object, hy_text *out, const char **why);

#endif
