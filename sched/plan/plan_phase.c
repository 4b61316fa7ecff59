#include "sched/rewrite.h"

// DIR.Plan.Output
bool hy_plan_is_ours(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                     hy_diagnostics *diagnostics) {
  if (!hy_alg_output(tgt->alg, directive->func)) return true;
  hy_context_hit(context, HY_RULE_DIR_PLAN_OUTPUT);
  const hy_func *func = directive->func;
  const char *stride =
      func->rank ? hy_arena_printf(hy_context_arena(context), "; set_stride(%s, %s, 1) says how its buffer lies",
                                   func->name, func->dims[func->rank - 1])
                 : "";
  hy_report(diagnostics, HY_E_PLAN_OUTPUT, directive->loc, "DIR.Plan.Output",
            hy_arena_printf(hy_context_arena(context),
                            "leave it out, or give the plan to a func that the output reads%s", stride),
            "'%s' is the output: it lies in memory as its caller has it", directive->func->name);
  return false;
}

// DIR.Plan.Number
bool hy_plan_number(hy_context *context, const hy_directive *directive, hy_diagnostics *diagnostics, int64_t *number) {
  bool constant = hy_expr_is_int(directive->args[0], number);
  if (constant && *number >= 1 && *number <= HY_MOST_OF_PLAN) return true;
  hy_context_hit(context, HY_RULE_DIR_PLAN_NUMBER);
  hy_report(diagnostics, HY_E_PLAN_NUMBER, hy_directive_at(directive, directive->at.args[0]), "DIR.Plan.Number",
            "write a constant from 1 to 2147483648", "'%s' of '%s' cannot be by that", directive->type->name,
            directive->func->name);
  return false;
}

// DIR.Plan.Once
bool hy_plan_once(hy_context *context, const hy_directive *directive, bool said, hy_diagnostics *diagnostics) {
  if (!said) return true;
  hy_context_hit(context, HY_RULE_DIR_PLAN_ONCE);
  hy_report(diagnostics, HY_E_PLAN_TWICE, directive->loc, "DIR.Plan.Once", "keep one of them",
            "another '%s' says that of '%s' already", directive->type->name, directive->func->name);
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
