#ifndef HY_GENERALIZE_H
#define HY_GENERALIZE_H

/* A stronger question that is easier: every compound expression that something is divided by, and every hull that
 * something is multiplied with, becomes an unknown of its own; or every hull at all, wherever it stands.
 *
 * Fusing loops divides by the length of a dimension, often a hull of many ends: max(...) - min(...) + 1. That a fused
 * loop covers its dimensions holds for any length in its place, and without what the length is made of it is a short
 * proof.
 */

#include "semantics/expr.h"

typedef struct hy_general_question {
  const hy_expr **facts; // in the context's arena
  size_t fact_count;
  const hy_expr *goal;
} hy_general_question;

// ensures: if the result's goal follows from its facts then so does the goal from the facts, because the unknowns may
//          be what they stand for. False if there is nothing to replace.
bool hy_generalize(hy_context *context, bool hulls, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal,
                   hy_general_question *question);

#endif
