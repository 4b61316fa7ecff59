#ifndef HY_HELD_H
#define HY_HELD_H

/* Indices through floats that are loaded (LOW.Held): int(clamp(in(x), 0.0, 1.0) * 8.0) lies between 0 and 8, which is seen
 * from ranges of floats, and which neither fills nor proofs know. So lowering writes it down, as a clamp of the int, which
 * changes no value; from there on it is a clamp like one of the user's. Were such a range wrong, a program would give
 * another value than its algorithm, and still no address that B has not proved.
 */

#include "semantics/tgt/tgt.h"

// requires: a lowered program. ensures: the same program, with clamps around such conversions in what forms an address.
const hy_stmt *hy_lower_held(hy_context *context, const hy_tgt *tgt);

#endif
