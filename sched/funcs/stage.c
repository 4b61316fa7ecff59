#include "sched/funcs/funcs.h"

/* A stage as lowering made it, and as directives of the funcs phase leave it: loops, a predicate, an assignment. */

static const hy_stmt *find_label(const hy_stmt *stmt, const hy_func *func, int number) {
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE && stmt->label.func == func &&
      stmt->label.number == number)
    return stmt;
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = find_label(children[i], func, number);
  return found;
}

hy_lowered_stage hy_funcs_stage(const hy_tgt *tgt, const hy_var *loop) {
  return hy_funcs_stage_at(tgt, loop->func, loop->stage);
}

hy_lowered_stage hy_funcs_stage_at(const hy_tgt *tgt, const hy_func *func, int number) {
  hy_lowered_stage s = {.label = find_label(tgt->body, func, number)};
  const hy_stmt *at = s.label->label.body;
  for (; at->kind == HY_STMT_FOR; at = at->loop.body) {
    HY_ASSERT(s.loop_count < (int)HY_COUNT(s.loops));
    s.loops[s.loop_count++] = at;
  }
  if (at->kind == HY_STMT_IF) s.predicate = at->branch.condition, at = at->branch.then;
  HY_ASSERT(at->kind == HY_STMT_ASSIGN); // as lowered
  s.assign = at;
  return s;
}

bool hy_funcs_names_point(const hy_lowered_stage *stage, const hy_var *loop) {
  for (int i = 0; i < loop->func->rank; i++)
    if (stage->assign->assign.lhs[i]->kind == HY_EXPR_VAR && stage->assign->assign.lhs[i]->var == loop) return true;
  return false;
}
