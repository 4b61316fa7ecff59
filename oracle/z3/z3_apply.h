#ifndef HY_Z3_APPLY_H
#define HY_Z3_APPLY_H

/* One operator on given values, as the encoding of z3_encode.c understands it: for testing ops.def row by row. Runs Z3
 * in this process, so only tests call it.
 */

#include "semantics/expr/expr.h"

// HY_YES: the encoding allows one value, *result (the node's, over Z: an "int" outside 64 bits gives HY_UNKNOWN).
// HY_NO: it allows none, which is a defect. HY_UNKNOWN: several, or Z3 gave up.
// requires: whole arguments without errors
hy_answer hy_z3_apply(hy_context *context, hy_op op, hy_type type, const hy_value *args, int64_t *result);

#endif
