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

typedef HY_VEC(const hy_stmt *) stmt_path; // from the body down to the statement

// False, and the path as it was, if the statement does not stand below.
static bool find_path(const hy_stmt *root, const hy_stmt *target, stmt_path *path) {
  if (root == target) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(root, &children, room);
  hy_vec_push(path, root);
  for (int i = 0; i < count; i++)
    if (find_path(children[i], target, path)) return true;
  (void)hy_vec_pop(path);
  return false;
}

// The position in the path of what binds the variable; -1: nothing does.
static int find_loop(const stmt_path *path, const hy_var *var) {
  for (size_t i = path->count; i-- > 0;) {
    const hy_stmt *s = path->data[i];
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
static bool is_run_always(const stmt_path *path, int loop) {
  for (size_t i = (size_t)loop + 1; i < path->count; i++)
    if (path->data[i]->kind != HY_STMT_SEQ && path->data[i]->kind != HY_STMT_LABEL) return false;
  return true;
}

static hy_keep_fault fault_on(const hy_tgt *tgt, const stmt_path *path, const hy_func *func, const hy_var *keep) {
  int position = find_loop(path, keep);
  const hy_stmt *loop = position < 0 ? NULL : path->data[position];
  if (!loop || loop->kind != HY_STMT_FOR) return HY_KEEP_NO_LOOP;
  if (loop->loop.traversal != HY_SERIAL) return HY_KEEP_ANY_ORDER;
  if (!is_run_always(path, position)) return HY_KEEP_SOMETIMES;
  if (allocates(loop, func)) return HY_KEEP_OWN_STORAGE;
  if (hy_tgt_stage_count(tgt, func) > 1) return HY_KEEP_UPDATES;
  return HY_KEEPS;
}

// WF.Keep
hy_keep_fault hy_tgt_keep_fault(const hy_tgt *tgt, const hy_stmt *compute, const hy_var *keep) {
  stmt_path path = {0};
  bool found = find_path(tgt->body, compute, &path);
  HY_ASSERT(found);
  hy_keep_fault fault = fault_on(tgt, &path, compute->compute.func, keep);
  hy_vec_free(&path);
  return fault;
}

static void check_keep(const hy_tgt_check *check, const hy_stmt *compute) {
  static const struct {
    const char *help, *why;
  } texts[] = {
      [HY_KEEP_NO_LOOP] = {"name a loop around the compute", "no such loop is around its compute"},
      [HY_KEEP_ANY_ORDER] = {"leave the mark of the loop out, or 'keeping'", "the loop is not serial"},
      [HY_KEEP_SOMETIMES] = {"only sequences and labels stand between the loop and the compute",
                             "not every iteration need compute it once"},
      [HY_KEEP_OWN_STORAGE] = {"move the allocation out of the loop", "each iteration has an allocation of its own"},
      [HY_KEEP_UPDATES] = {"leave 'keeping' out", "a func with updates has other values before its last stage"}};
  hy_keep_fault fault = hy_tgt_keep_fault(check->tgt, compute, compute->compute.keep);
  if (fault == HY_KEEPS) return;
  hy_report(check->diagnostics, HY_E_TGT_KEEP, hy_tgt_loc(check, compute), "WF.Keep", texts[fault].help,
            "'%s' keeps nothing from one iteration of '%s' to the next: %s", compute->compute.func->name,
            hy_tgt_var_name(check, compute->compute.keep), texts[fault].why);
}

static void check_stmt(const hy_tgt_check *check, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.keep) check_keep(check, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) check_stmt(check, children[i]);
}

// requires: the structure was found good
void hy_tgt_check_keeping(const hy_tgt_check *check) { check_stmt(check, check->tgt->body); }
