#ifndef HY_REBUILD_H
#define HY_REBUILD_H

/* Target programs with one statement exchanged, whatever sched/ would say of it. */

#include "semantics/tgt/tgt.h"

// "root" with "to" in the place of "from", wherever it stands; shares what did not change.
const hy_stmt *hy_rebuild(hy_context *context, const hy_stmt *root, const hy_stmt *from, const hy_stmt *to);

#endif
