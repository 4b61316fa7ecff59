#include "oracle/oracle.h"

// Products and quotients of what is not known are where our prover stops and Z3 goes on.
static void see_nonlinear(void *self, const hy_expr *node) {
  bool *found = self;
  if (node->kind != HY_EXPR_OP || node->count != 2 || node->args[1]->kind == HY_EXPR_CONST) return;
  bool is_product = node->op == HY_OP_MUL && node->args[0]->kind != HY_EXPR_CONST;
  *found |= is_product || hy_op_kind_of(node->op) == HY_KIND_DIVISION;
}

// VER.Vacuous: a point that was evaluated ends the search as well as a proof does, so that Z3 is asked only where there
// is a product and neither is found: ordinary programs pay for a look at their entry facts.
bool hy_oracle_contradictory(hy_context *context, hy_prover *prover, const hy_expr *const *facts, size_t fact_count,
                             unsigned z3_limit) {
  enum { MOST_STEPS = 200 }; // times HY_Z3_STEPS
  const hy_expr *no = hy_expr_bool(context, false);
  hy_z3_verdict verdict;
  bool is_nonlinear = false;
  if (hy_prover_holds(prover, facts, fact_count, no) == HY_YES) return true;
  hy_expr_visit_each(facts, fact_count, see_nonlinear, &is_nonlinear);
  if (!is_nonlinear || z3_limit == 0) return false;
  hy_obligation question = {.facts = facts, .fact_count = fact_count, .goal = no};
  if (hy_oracle_sample(context, prover, &question, &verdict)) return false;
  hy_z3_question asked = {facts, fact_count, no};
  hy_z3_check(context, &asked, 1, z3_limit < MOST_STEPS ? z3_limit : MOST_STEPS, &verdict);
  return verdict.answer == HY_YES;
}
