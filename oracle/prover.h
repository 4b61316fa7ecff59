#ifndef HY_PROVER_H
#define HY_PROVER_H

/* Does a linear (or degree-2) fact follow from others, for all integers? An exact, self-contained decision helper.
 *
 * Expressions are of type bool over subexpressions of type int, without holes. Variables, accesses, casts and other
 * opaque nodes are unknowns; an unknown of a fixed-width type, or int(e) of one, is known to lie within its type's
 * range. "int" is Z here; that every value fits 64 bits is a separate obligation (decision D26).
 */

#include "semantics/expr.h"

typedef struct hy_prover hy_prover;

HY_GIVE hy_prover *hy_prover_new(hy_context *context);
void hy_prover_free(HY_TAKE hy_prover *prover);

// HY_YES: the goal holds wherever all facts hold. HY_NO: only if facts and goal are such that a counterexample was
// found (a constant false goal under facts known satisfiable, say); otherwise HY_UNKNOWN. Both answers are exact. Facts
// and goals: == < <= > >= over int, && || ! of those, constants, bool variables as opaque.
hy_answer hy_prover_holds(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal);

// The steps that the last HY_YES took, for reports ("farkas, degree 1, 3 facts").
const char *hy_prover_method(const hy_prover *prover);

typedef struct hy_prover_counts {
  uint64_t asked, yes, degree1, degree2, splits, overflow;
} hy_prover_counts;
hy_prover_counts hy_prover_statistics(const hy_prover *prover);

#endif
