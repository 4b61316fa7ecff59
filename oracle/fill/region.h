#ifndef HY_REGION_H
#define HY_REGION_H

/* Interval analysis of index expressions: which values does an index take while some of the enclosing loops run?
 *
 * A site is a path from the program's body down to a statement. The loops of the path from position "keep" on are
 * eliminated, innermost first, each replaced by the end of its range that makes the index least or greatest; those
 * above stay as they are, because the hole that asks may mention them (scopes K(S), decision D42).
 */

#include "oracle/prover/prover.h"
#include "semantics/expr/affine.h"
#include "semantics/tgt/range.h"
#include "semantics/tgt/tgt.h"

// What the analysis reads bounds from: fills found so far.
typedef struct hy_fills hy_fills;
// The expression with every hole that has a fill replaced by it.
const hy_expr *hy_fills_apply(hy_fills *fills, const hy_expr *expr);
// What the program's entry block says of the numbers.
void hy_fills_assume(const hy_fills *fills, hy_ranges *ranges);

typedef struct hy_region_site {
  hy_context *context;
  hy_affine_table *table;
  hy_prover *prover;
  hy_fills *fills;
  const struct hy_values *values; // of funcs (decision D88)
  const hy_stmt *const *path;     // from the body down
  int depth, keep;
  const hy_expr *const *facts; // that hold at the end of the path
  size_t fact_count;
  size_t
      outer_count; // of the facts: the first so many hold where the bound is evaluated, outside of what is eliminated
  // Where the pure variables of the assignment at the end of the path are known to lie, or NULL: then only points
  // inside this box count ("a point in Cpu reads only points in Cpu"). lhs are the assignment's coordinates.
  const hy_expr *const *lhs;
  const hy_expr *const *low, *const *high;
  int rank;
  struct hy_region_effort *effort;
  struct hy_pair_map *answers; // while a bound is sought: what is known of its variables; set by hy_region_bound
} hy_region_site;

typedef enum { HY_LOW, HY_HIGH } hy_side;

// So many parts of an expression are looked at for one end of one variable; most bounds have less than a hundred.
// The bounds of a program take so many steps together, one for each node of each end that is compared or made: ends of
// products hold those of their factors several times, and grow where the expression does not.
enum { HY_REGION_ENDS = 4096, HY_REGION_STEPS = 1000000 };

typedef struct hy_region_effort {
  uint64_t steps;
  bool given_up; // a search was too long
} hy_region_effort;

// A bound over the variables that are kept; NULL if nothing bounds the expression, or none was found with that much
// work (then effort->given_up).
const hy_expr *hy_region_bound(const hy_region_site *site, const hy_expr *expr, hy_side side);

// Do the ranges show that nothing in the expression errs, where the site is?
bool hy_region_is_total(const hy_region_site *site, const hy_expr *expr);

// The lesser (or greater) of two expressions under some facts: one of them if that can be shown, else min(a, b).
const hy_expr *hy_region_extremum(hy_affine_table *table, hy_prover *prover, hy_context *context,
                                  const hy_expr *const *facts, size_t fact_count, hy_side side, const hy_expr *a,
                                  const hy_expr *b);

#endif
