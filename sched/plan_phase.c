#include "sched/plan_internal.h"

// DIR.Plan.Output
bool hy_plan_is_ours(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                     hy_diagnostics *diagnostics) {
  if (directive->func != tgt->alg->output || HY_MUTANT(PLAN_Of_The_Output)) return true;
  hy_context_hit(context, HY_RULE_DIR_PLAN_OUTPUT);
  hy_report(diagnostics, HY_E_PLAN_OUTPUT, directive->loc, "DIR.Plan.Output",
            "leave it out, or give the plan to a func that the output reads",
            "'%s' is the output: it lies in memory as its caller has it", directive->func->name);
  return false;
}

hy_plan hy_plan_before(const hy_tgt *tgt, const hy_func *func) {
  const hy_stmt *allocate = hy_tree_find(tgt->body, HY_STMT_ALLOCATE, func);
  HY_ASSERT(allocate);
  return allocate->allocate.plan ? *allocate->allocate.plan : hy_plan_plain();
}

const hy_tgt *hy_plan_put(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_plan *plan) {
  const hy_stmt *old = hy_tree_find(tgt->body, HY_STMT_ALLOCATE, func);
  const hy_stmt *new = hy_stmt_allocate_as(context, func, old->allocate.box, plan);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, old, new));
}
