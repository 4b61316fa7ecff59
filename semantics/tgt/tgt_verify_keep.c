/* Computations that keep what an earlier iteration left (decision D85).
 *
 *   for v in (m, n) { ..; label f: compute f on B keeping v { .. } .. }
 *
 * In an iteration of v but the first, the points of B that were in the B of the iteration before need not be computed
 * again (B.Slide). So that iteration was there, went first, computed f, and f has been left alone since: v is serial,
 * nothing between v and the compute decides whether it runs, f is allocated outside of v, and no update has changed
 * what the pure stage stored. That nobody else writes f is WF.Stage.
 */

#include "semantics/tgt/tgt_internal.h"

typedef struct {
  const hy_tgt_check *check;
  HY_VEC(const hy_stmt *) path; // from the body down to the statement
} walk;

static void report(const walk *w, const hy_stmt *compute, const char *help, const char *why) {
  hy_report(w->check->diagnostics, HY_E_TGT_KEEP, hy_tgt_loc(w->check, compute), "WF.Keep", help,
            "'%s' keeps nothing from one iteration of '%s' to the next: %s", compute->compute.func->name,
            hy_tgt_var_name(w->check, compute->compute.keep), why);
}

// The position in the path of what binds the variable; -1: nothing does.
static int find_loop(const walk *w, const hy_var *var) {
  for (size_t i = w->path.count; i-- > 0;) {
    const hy_stmt *s = w->path.data[i];
    if ((s->kind == HY_STMT_FOR && s->loop.var == var) || (s->kind == HY_STMT_LET && s->let.var == var)) return (int)i;
  }
  return -1;
}

static bool allocates(const hy_stmt *stmt, const hy_func *func) {
  if (stmt->kind == HY_STMT_ALLOCATE) return stmt->allocate.func == func;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (allocates(children[i], func)) return true;
  return false;
}

// Does every iteration of the loop at that position run the compute at the end of the path, once?
static bool is_run_always(const walk *w, int loop) {
  for (size_t i = (size_t)loop + 1; i < w->path.count; i++)
    if (w->path.data[i]->kind != HY_STMT_SEQ && w->path.data[i]->kind != HY_STMT_LABEL) return false;
  return true;
}

// WF.Keep
static void check_keep(const walk *w, const hy_stmt *compute) {
  const hy_func *func = compute->compute.func;
  int position = find_loop(w, compute->compute.keep);
  const hy_stmt *loop = position < 0 ? NULL : w->path.data[position];
  if (!loop || loop->kind != HY_STMT_FOR) {
    report(w, compute, "name a loop around the compute", "no such loop is around its compute");
  } else if (loop->loop.traversal != HY_SERIAL && !HY_MUTANT(WF_Keep_Any_Order)) {
    report(w, compute, "leave the mark of the loop out, or 'keeping'", "the loop is not serial");
  } else if (!is_run_always(w, position) && !HY_MUTANT(WF_Keep_Past_Anything)) {
    report(w, compute, "only sequences and labels stand between the loop and the compute",
           "not every iteration need compute it once");
  } else if (allocates(loop, func) && !HY_MUTANT(WF_Keep_Own_Storage)) {
    report(w, compute, "move the allocation out of the loop", "each iteration has an allocation of its own");
  } else if (w->check->tgt->stage_counts[hy_tgt_position(w->check->tgt, func)] > 1 && !HY_MUTANT(WF_Keep_Updates)) {
    report(w, compute, "leave 'keeping' out", "a func with updates has other values before its last stage");
  }
}

static void check_stmt(walk *w, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.keep) check_keep(w, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  hy_vec_push(&w->path, stmt);
  for (int i = 0; i < count; i++) check_stmt(w, children[i]);
  (void)hy_vec_pop(&w->path);
}

// requires: the structure was found good
void hy_tgt_check_keeping(const hy_tgt_check *check) {
  walk w = {.check = check};
  check_stmt(&w, check->tgt->body);
  hy_vec_free(&w.path);
}
