#ifndef HY_RANGE_FLOATS_H
#define HY_RANGE_FLOATS_H

/* Ranges of what operators of floats give (LOW.Held): intervals of ranks (value/monotone.h), which are ordered as floats
 * are, and whether it may be a NaN besides. The two zeros are not told apart: a
 * range that has one has both. Nobody proves these ranges; who relies on them is range.h's hy_ranges_follow_floats.
 */

#include "semantics/tgt/range.h"

// Is it an operator whose result, or whose only argument, is a float?
bool hy_range_is_of_floats(const hy_expr *node);
// Requires: that. The arguments' ranges: ranks of floats, numbers of all others.
hy_range hy_range_of_floats(const hy_expr *node, const hy_range *args);
// With both zeros if it has one.
hy_range hy_range_with_zeros(hy_range ranks);

#endif
