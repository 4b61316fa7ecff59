#ifndef HY_GENERALIZE_H
#define HY_GENERALIZE_H

/* A stronger question that is easier: every compound expression that something is divided by, and every hull that
 * something is multiplied with, becomes an unknown of its own; or every hull at all, wherever it stands.
 *
 * Fusing loops divides by the length of a dimension, often a hull of many ends: max(...) - min(...) + 1. That a fused
 * loop covers its dimensions holds for any length in its place, and without what the length is made of it is a short
 * proof. What is read at the variables that a fused loop makes needs both: what divisions by the length mean, as if it
 * were one unknown, and what it is made of. There the unknown is a name, with two facts that say what for.
 *
 * Facts that have nothing to do with the goal (relevance.h) are left out.
 */

#include "semantics/expr/expr.h"

typedef enum {
  HY_AS_IT_STANDS,   // nothing
  HY_ANY_DIVISORS,   // divisors, and factors that choose between ends
  HY_ANY_HULLS,      // these and every minimum and maximum
  HY_NAMED_DIVISORS, // divisors and factors again, and what each is; without facts that choose between ends and speak
                     // of no loop
  HY_NAMED_ALL,      // the same with all facts, where that is another question
} hy_generalization;
const char *hy_generalization_name(hy_generalization what); // "any divisors"

typedef struct hy_general_question {
  const hy_expr **facts; // in the context's arena
  size_t fact_count;
  const hy_expr *goal;
} hy_general_question;

// ensures: if the result's goal follows from its facts then so does the goal from the facts, because the unknowns may
//          be what they stand for (what is said of names is true then). False if there is nothing to replace or leave
//          out.
bool hy_generalize(hy_context *context, hy_generalization what, const hy_expr *const *facts, size_t fact_count,
                   const hy_expr *goal, hy_general_question *question);

#endif
