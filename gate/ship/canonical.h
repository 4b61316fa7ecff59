#ifndef HY_CANONICAL_H
#define HY_CANONICAL_H

/* The target program of two texts, whoever reads them, whenever: what ships, and what a gate makes of what shipped.
 *
 * How the sums of a program are written depends on what was read before (terms come in the order in which they were
 * met). So both texts are read in a context of their own.
 */

#include "semantics/base/text.h"

typedef struct hy_canonical {
  hy_text algorithm, schedule; // as they are printed
  hy_text whole, passed;       // the target program, and what the passes make of it
} hy_canonical;

// False: one cannot be read, or the schedule is refused. Free it either way.
bool hy_canonical_make(const hy_text *algorithm, const hy_text *schedule, hy_canonical *out);
void hy_canonical_free(hy_canonical *canonical);

#endif
