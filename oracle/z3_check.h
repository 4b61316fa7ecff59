#ifndef HY_Z3_CHECK_H
#define HY_Z3_CHECK_H

/* Z3 as cross-check and fallback: the only door to z3.h. A question of record runs in a fresh context with a hard limit
 * on time (a forked worker that is killed), so that a verdict never depends on history and nothing can hang.
 */

#include "semantics/expr.h"

typedef struct hy_z3_question {
  const hy_expr *const *facts;
  size_t fact_count;
  const hy_expr *goal; // same language as hy_prover_holds
} hy_z3_question;

typedef struct hy_z3_value {
  const hy_expr *unknown; // a variable or opaque node of the question
  int64_t value;
} hy_z3_value;

typedef struct hy_z3_verdict {
  hy_answer answer;
  // HY_NO: a model. Arena of the context; values outside 64 bits turn the answer into HY_UNKNOWN.
  const hy_z3_value *model;
  size_t model_count;
  double seconds;
} hy_z3_verdict;

// Answers many independent questions, each within "limit_ms" (killed at 1.5 times that). verdicts[i] answers
// questions[i]. A worker that dies gives HY_UNKNOWN for what it was at; the rest is still answered.
void hy_z3_check(hy_context *context, const hy_z3_question *questions, size_t count, unsigned limit_ms,
                 hy_z3_verdict *verdicts);
// The same until so many have stayed without an answer; what was not asked any more is HY_UNKNOWN, too.
void hy_z3_check_until(hy_context *context, const hy_z3_question *questions, size_t count, unsigned limit_ms,
                       size_t most_unknown, hy_z3_verdict *verdicts);

// The same question as SMT-LIB text that other solvers accept too: (set-logic ...), declarations, (assert ...),
// (check-sat).
void hy_z3_print_smtlib(hy_context *context, const hy_z3_question *question, const char *comment, hy_text *out);

// "x.len = 1, h.s0.x = 3", in the context's arena.
const char *hy_oracle_print_model(hy_context *context, const hy_z3_verdict *verdict);

const char *hy_z3_version(void);

#endif
