#ifndef HY_PROVER_H
#define HY_PROVER_H

/* Does a linear (or degree-2) fact follow from others, for all integers? An exact, self-contained decision helper.
 *
 * Expressions are of type bool over subexpressions of type int, without holes. Variables, accesses, casts and other
 * opaque nodes are unknowns; an unknown of a fixed-width type, or int(e) of one, is known to lie within its type's
 * range. "int" is Z here; that every value fits 64 bits is a separate obligation (decision D26).
 */

#include "semantics/expr/expr.h"

typedef struct hy_prover hy_prover;

HY_GIVE hy_prover *hy_prover_new(hy_context *context);
void hy_prover_free(HY_TAKE hy_prover *prover);

// HY_YES: the goal holds wherever all facts hold. HY_NO: only if facts and goal are such that a counterexample was
// found (a constant false goal under facts known satisfiable, say); otherwise HY_UNKNOWN. Both answers are exact. Facts
// and goals: == < <= > >= over int, && || ! of those, constants, bool variables as opaque.
hy_answer hy_prover_holds(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal);

// The same as far as a glance tells, without a search; HY_UNKNOWN says nothing.
hy_answer hy_prover_glance(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal);

typedef struct hy_prover_value {
  const hy_expr *unknown;
  int64_t value;
} hy_prover_value;

// A point at which all facts hold and the goal does not, from the prover's samples: the values of what facts and goal
// mention, in the order in which they do, at most "room" of them. False if no sample is one.
bool hy_prover_counterexample(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal,
                              hy_prover_value *values, size_t room, size_t *count);

// Do the facts contradict each other, as far as a short look tells? True is exact.
bool hy_prover_contradictory(hy_prover *prover, const hy_expr *const *facts, size_t fact_count);

// Short looks from now on (or again long ones): where many questions of one kind fail, the rest are likely to.
void hy_prover_shorten(hy_prover *prover, bool is_short);

// Takes its time from now on, up to half a second of an idle core for one question: for what else would stay open. On
// a prover that has been asked nothing yet, or what it could not answer is remembered. "is_turned": takes facts from
// the last to the first, by which other numbers grow too large on the way, and other cases come first.
void hy_prover_persist(hy_prover *prover, bool is_turned);
// A fifth of that: for campaigns.
void hy_prover_persist_a_little(hy_prover *prover, bool is_turned);
// All questions together, which may be ways to ask one thing, take so much at most: pivots' cells, counted without
// beginning anew for each attempt, and what products and constraints take. HY_PROVER_EFFORT is about a second, and twice
// what all but few proofs take.
#define HY_PROVER_EFFORT UINT64_C(500000000)
#define HY_PROVER_EFFORT_AT_FIRST (5 * HY_PROVER_EFFORT)
void hy_prover_limit_effort(hy_prover *prover, uint64_t most);

// The steps that the last HY_YES took, for reports ("farkas, degree 1, 3 facts").
const char *hy_prover_method(const hy_prover *prover);

// From now on gives up soon: for questions to which UNKNOWN costs little (fills: a bound that is less tight). What is
// spent in vain on one question is missing for the next; each call begins anew.
void hy_prover_hurry(hy_prover *prover);
// Has so much been spent in vain since then that questions get little more than a glance?
bool hy_prover_is_spent(const hy_prover *prover);

typedef struct hy_prover_counts {
  uint64_t asked, yes, degree1, degree2, splits, overflow;
} hy_prover_counts;
hy_prover_counts hy_prover_statistics(const hy_prover *prover);

#endif
