/* Shapes that no algorithm has (WF.Shape, decision D71). B speaks of stages as lowering makes them: a pure stage
 * assigns every point of its box, whatever the values are, and the predicate of an update decides about one assignment.
 *
 *   - a pure stage has no predicate: it would leave points out;
 *   - a predicate stands directly around the assignment: what it leaves out are points, not loops.
 *
 * That a pure stage's reduction loops, if it has any, run at all is owed (B.Cover).
 */

#include "semantics/tgt/tgt_internal.h"

typedef struct {
  const hy_tgt_check *check;
  const hy_stmt *stage; // the innermost stage label around the place of the walk, unless a compute stands between
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

static void visit(walk *w, const hy_stmt *stmt) {
  const hy_stmt *around = w->stage;
  if (is_predicate(stmt)) check_predicate(w, stmt);
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) w->stage = stmt;
  if (stmt->kind == HY_STMT_COMPUTE) w->stage = NULL;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) visit(w, children[i]);
  w->stage = around;
}

// requires: the structure was found good
void hy_tgt_check_shapes(const hy_tgt_check *check) {
  walk w = {.check = check};
  visit(&w, check->tgt->body);
}
