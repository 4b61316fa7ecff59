#ifndef HY_ENTRY_FLOATS_H
#define HY_ENTRY_FLOATS_H

/* What is said at entry of floats that indices are made of and that no loop changes (LOW.Entry-Float): cos(angle), where
 * angle is a parameter with a range, lies between -1 and 1. That is seen from ranges of floats, which nobody has to
 * believe: it is asked when the program starts, once, and is a fact from there on like a parameter's range.
 */

#include "semantics/tgt/tgt.h"

// requires: a lowered program, its entry block without images
//   returns: the statements to put behind it, in the context's arena; how many in *count
const hy_stmt *const *hy_lower_entry_floats(hy_context *context, const hy_tgt *tgt, int *count);

#endif
