#ifndef HY_RANGE_H
#define HY_RANGE_H

/* Numeric ranges: between which numbers does an expression lie, whatever the input? Used for what needs numbers only:
 * that indices fit 64 bits (decision D26), and that a data-dependent index is bounded by its type or its arithmetic
 * (D14). Parameters, window and image boxes are any numbers of their types unless a condition that is checked at entry
 * says otherwise (D69).
 */

#include "semantics/tgt.h"

typedef __int128 hy_wide_int;

typedef struct hy_range {
  hy_wide_int low, high; // inclusive; an unbounded side is at -/+ HY_RANGE_LIMIT
} hy_range;

#define HY_RANGE_LIMIT (((hy_wide_int)1) << 100)

typedef struct hy_ranges hy_ranges;
HY_GIVE hy_ranges *hy_ranges_new(void);
void hy_ranges_free(HY_TAKE hy_ranges *ranges);

// Makes a loop's or let's variable known. Others may be any 64-bit integer.
void hy_ranges_bind_loop(hy_ranges *ranges, const hy_var *var, hy_interval interval);
void hy_ranges_bind_let(hy_ranges *ranges, const hy_var *var, const hy_expr *value);

// What a condition that holds says of single variables: "c <= v && v < c'" and the like. Before expressions over them
// are looked at.
void hy_ranges_assume(hy_ranges *ranges, const hy_expr *condition);

// requires: an integral type or bool
hy_range hy_ranges_of(hy_ranges *ranges, const hy_expr *expr);
bool hy_range_fits(hy_range range); // in 64 bits
// A node of type int below "expr" (itself included) that may not fit 64 bits, or NULL.
const hy_expr *hy_ranges_overflowing(hy_ranges *ranges, const hy_expr *expr);

#endif
