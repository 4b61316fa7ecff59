/* Shapes that no algorithm has (WF.Shape, decision D71). B speaks of stages as lowering makes them: a pure stage
 * assigns every point of its box, whatever the values are, and the predicate of an update decides about one assignment.
 *
 *   - a pure stage has no predicate: it would leave points out;
 *   - a predicate stands directly around the assignment: what it leaves out are points, not loops;
 *   - what is specialized is one stage: its copies have one meaning, so the same dimensions are pure in all of them.
 *
 * That a pure stage's reduction loops, if it has any, run at all is owed (B.Cover).
 */

#include "semantics/tgt/tgt_internal.h"

// The dimensions that an update names by pure variables, in the first of its copies.
typedef struct {
  const hy_func *func;
  int stage;
  uint32_t pure;
} seen_stage;

typedef struct {
  const hy_tgt_check *check;
  const hy_stmt *stage; // the innermost stage label around the place of the walk, unless a compute stands between
  HY_VEC(const hy_stmt *) binders; // loops and lets around, the outermost first
  HY_VEC(seen_stage) seen;
} walk;

static void refuse(const walk *w, const hy_stmt *stmt, const char *help, const char *message) {
  hy_report(w->check->diagnostics, HY_E_TGT_SHAPE, hy_tgt_loc(w->check, stmt), "WF.Shape (decision D71)", help, "%s",
            message);
}

static bool is_predicate(const hy_stmt *stmt) { return stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER; }

// WF.Shape
static void check_predicate(const walk *w, const hy_stmt *stmt) {
  const hy_stmt *inside = stmt->branch.then;
  if (w->stage && w->stage->label.number == 0)
    refuse(w, stmt, "assign select(condition, a, b), or write the assignment as an update: label f.s1: ...",
           "the pure stage s0 has a predicate: points for which it is false would never be assigned");
  else if (inside->kind != HY_STMT_ASSIGN && !is_predicate(inside))
    refuse(w, stmt, "write if (...) { f(...) <- ...; } inside of the loops; the tail of a split is 'if guard'",
           "a predicate stands around more than one assignment");
}

// Decision D37: a loop says whether it is pure; a let is what the loops that it was made from are.
static bool is_pure(const walk *w, const hy_var *var) {
  for (size_t i = w->binders.count; i-- > 0;) {
    const hy_stmt *s = w->binders.data[i];
    if (s->kind == HY_STMT_FOR && s->loop.var == var) return s->loop.is_pure;
    if (s->kind != HY_STMT_LET || s->let.var != var) continue;
    if (!s->let.origin.relation) return false;
    var = s->let.origin.sources[0];
  }
  return false;
}

static uint32_t pure_dimensions(const walk *w, const hy_stmt *assign) {
  uint32_t pure = 0;
  for (int d = 0; d < assign->assign.func->rank; d++) {
    const hy_expr *e = assign->assign.lhs[d];
    if (e->kind == HY_EXPR_VAR && e->var->kind == HY_VAR_LOOP && is_pure(w, e->var)) pure |= 1u << d;
  }
  return pure;
}

// WF.Shape
static void check_copy(walk *w, const hy_stmt *assign) {
  const hy_func *func = assign->assign.func;
  seen_stage this = {func, assign->assign.stage, pure_dimensions(w, assign)};
  for (size_t i = 0; i < w->seen.count; i++) {
    const seen_stage *first = &w->seen.data[i];
    if (first->func != func || first->stage != this.stage) continue;
    if (first->pure != this.pure)
      refuse(w, assign, "write the same loops as 'for' and as 'for rdom' in all copies of the stage",
             "other dimensions are pure here than where the stage stands before, under another specialization");
    return;
  }
  hy_vec_push(&w->seen, this);
}

static void visit(walk *w, const hy_stmt *stmt) {
  const hy_stmt *around = w->stage;
  bool binds = stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET;
  if (is_predicate(stmt)) check_predicate(w, stmt);
  if (stmt->kind == HY_STMT_ASSIGN && stmt->assign.stage > 0) check_copy(w, stmt);
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) w->stage = stmt;
  if (stmt->kind == HY_STMT_COMPUTE) w->stage = NULL;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  if (binds) hy_vec_push(&w->binders, stmt);
  for (int i = 0; i < count; i++) visit(w, children[i]);
  if (binds) w->binders.count--;
  w->stage = around;
}

// requires: the structure was found good
void hy_tgt_check_shapes(const hy_tgt_check *check) {
  walk w = {.check = check};
  visit(&w, check->tgt->body);
  hy_vec_free(&w.binders);
  hy_vec_free(&w.seen);
}
