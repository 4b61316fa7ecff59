#ifndef HY_INSPECT_DIFF_H
#define HY_INSPECT_DIFF_H

/* What changed from one shipped folder to another: sources, what is owed, versions, code. */

#include "gate/inspect/inspect.h"

typedef struct hy_shipped_change {
  const char *what;      // "directive", "obligation", "version", ...
  const char *was, *now; // NULL: there was none, there is none
} hy_shipped_change;

typedef HY_VEC(hy_shipped_change) hy_changes;

// requires: level 0 read both. Texts are the arena's. Free the list.
void hy_inspect_diff(const hy_inspected *was, const hy_inspected *now, hy_arena *arena, hy_changes *out);

#endif
