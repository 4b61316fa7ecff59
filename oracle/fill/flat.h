#ifndef HY_FLAT_H
#define HY_FLAT_H

/* Clamps of clamps, made one.
 *
 * The region of a func that is read through a clamp has the region of its reader in it, which has that of its own: after
 * eight stages of a stencil with edges a bound is a clamp of a clamp of a clamp. min and max are a distributive lattice,
 * to whose elements numbers are added: each such expression is the greatest of the least of sums without either, of
 * which most are below others by a constant.
 */

#include "semantics/expr/affine.h"

// rewrite: max(a, min(b, max(a, min(b, e)) - 1)) -> max(a, min(b - 1, e - 1)), and what is like it; the expression
// itself where that would not be shorter. Both have the same value where nothing overflows.
const hy_expr *hy_flat(hy_affine_table *table, hy_context *context, const hy_expr *expr);

#endif
