#ifndef HY_REGION_INTERNAL_H
#define HY_REGION_INTERNAL_H

/* What region.c (variables, atoms, the walk over the loops) and region_sums.c share: the ends of expressions while one
 * variable is eliminated. NULL stands for "unbounded", and absorbs.
 */

#include "oracle/fill/region.h"
#include "oracle/prover/pair_map.h"

/* What is eliminated: a variable, or (var NULL) what no fill may contain: loads, conversions but those of floats that
 * load nothing, and quotients whose divisor may be 0, since a fill is evaluated where nobody may ask for them (B.Defined).
 */
typedef struct {
  const hy_region_site *site;
  const hy_var *var;
  const hy_stmt *binder; // its FOR or LET
  hy_pair_map *ends;     // those found: of (expression, side); expressions share parts, which are seen once
} elimination;

static inline const hy_expr *binary(const hy_region_site *site, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(site->context, op, a, b);
}
static inline const hy_expr *number(const hy_region_site *site, int64_t i) { return hy_expr_int(site->context, i); }
static inline hy_side other_side(hy_side side) { return side == HY_LOW ? HY_HIGH : HY_LOW; }

/* -- region.c -- */

// Is it so at the end of the path?
bool hy_ends_holds(const hy_region_site *site, hy_op op, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_ends_extremum(const hy_region_site *site, hy_side side, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_ends_add(const hy_region_site *site, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_ends_multiply(const hy_region_site *site, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_ends_divide(const hy_region_site *site, const hy_expr *a, const hy_expr *b);
bool hy_ends_mentions(const elimination *what, const hy_expr *expr); // what is eliminated
// The cofactor of "factor" in an atom that is a product with it, or the factor itself; else NULL.
const hy_expr *hy_ends_without_factor(const hy_region_site *site, const hy_expr *atom, const hy_expr *factor);
// The end of a variable's range; within the box of points that count, if there is one.
const hy_expr *hy_ends_of_variable(const elimination *what, hy_side side);
const hy_expr *hy_ends_of_atom(const elimination *what, const hy_expr *atom, hy_side side);
const hy_expr *hy_ends_eliminate(const elimination *what, const hy_expr *expr, hy_side side);
const hy_expr *hy_ends_eliminate_one(const hy_region_site *site, const hy_var *var, const hy_stmt *binder,
                                     const hy_expr *expr, hy_side side);

/* -- region_sums.c -- */

const hy_expr *hy_ends_of_sum(const elimination *what, const hy_expr *expr, hy_side side);

#endif
