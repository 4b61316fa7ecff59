/* Lemma 6.2: the allocation of a func is around its compute and everything that touches it, and whoever reads a func
 * outside its compute does so after it, on every path.
 *
 * A walk in the order of execution. A loop or a branch may run not at all, so what it computed is forgotten behind it;
 * an allocation ends with the sequence that holds it (decision D20).
 */

#include "semantics/tgt/tgt_internal.h"

typedef struct {
  const hy_tgt_check *check;
  bool *allocated, *computing, *computed; // by position of the func
  HY_VEC(int) trail;                      // funcs in the order in which they were computed
  const hy_stmt *stage;                   // the stage label around this place
  const hy_stmt *reader;                  // the statement whose expressions are looked at
  const hy_stmt *blamed;                  // the last statement that was complained about
  const hy_func *missed;                  // ... because of this func
} walk;

static void check_stmt(walk *w, const hy_stmt *stmt);

static hy_loc loc(const walk *w, const hy_stmt *stmt) { return hy_tgt_loc(w->check, stmt); }
static int position(const walk *w, const hy_func *func) { return hy_tgt_position(w->check->tgt, func); }

static void forget(walk *w, size_t mark) {
  while (w->trail.count > mark) w->computed[hy_vec_pop(&w->trail)] = false;
}

// Once for a statement and func, however often the one reads the other.
static void report(walk *w, hy_code code, const hy_func *func, const char *help, const char *message) {
  if (w->blamed == w->reader && w->missed == func) return;
  w->blamed = w->reader;
  w->missed = func;
  hy_report(w->check->diagnostics, code, loc(w, w->reader), "lemma 6.2 (dominance)", help, message, func->name);
}

// WF.Dominate: in A.
static void check_allocated(walk *w, const hy_func *func) {
  if (!w->allocated[position(w, func)])
    report(w, HY_E_TGT_ALLOCATION, func, "an allocation ends with the block that holds it; move it outwards",
           "no allocation of '%s' is around this");
}

// WF.Dominate: what is read is in A, and in A' or the reader's own func.
static void look(void *self, const hy_expr *node) {
  walk *w = self;
  if (node->kind != HY_EXPR_ACCESS || node->func->is_image) return;
  int p = position(w, node->func);
  check_allocated(w, node->func);
  if (w->stage && w->stage->label.func == node->func) {
    if (w->stage->label.number == 0)
      report(w, HY_E_TGT_DOMINANCE, node->func, "only updates read their own func",
             "a pure stage reads its own func '%s'");
  } else if (w->computing[p]) {
    report(w, HY_E_TGT_DOMINANCE, node->func, "move the reader behind the compute",
           "'%s' is read while it is being computed");
  } else if (!w->computed[p]) {
    report(w, HY_E_TGT_DOMINANCE, node->func, "its compute must come before on every path: move it outwards or upwards",
           "'%s' is read where it may not be computed yet");
  }
}

static void check_reads(walk *w, const hy_stmt *stmt, const hy_expr *expr) {
  w->reader = stmt;
  if (expr->has_access) hy_expr_visit(expr, look, w);
}

static void check_seq(walk *w, const hy_stmt *stmt) {
  for (int i = 0; i < stmt->seq.count; i++) check_stmt(w, stmt->seq.items[i]);
  for (int i = 0; i < stmt->seq.count; i++)
    if (stmt->seq.items[i]->kind == HY_STMT_ALLOCATE)
      w->allocated[position(w, stmt->seq.items[i]->allocate.func)] = false;
}

static void check_compute(walk *w, const hy_stmt *stmt) {
  int p = position(w, stmt->compute.func);
  const hy_stmt *stage = w->stage;
  w->reader = stmt;
  check_allocated(w, stmt->compute.func);
  w->computing[p] = true;
  w->stage = NULL;
  check_stmt(w, stmt->compute.body);
  w->stage = stage;
  w->computing[p] = false;
  w->computed[p] = true;
  hy_vec_push(&w->trail, p);
}

// May run several times or not at all.
static void check_branch(walk *w, const hy_stmt *body) {
  size_t mark = w->trail.count;
  check_stmt(w, body);
  forget(w, mark);
}

static void check_label(walk *w, const hy_stmt *stmt) {
  const hy_stmt *stage = w->stage;
  if (stmt->label.what == HY_LABEL_STAGE) w->stage = stmt;
  check_stmt(w, stmt->label.body);
  w->stage = stage;
}

static void check_stmt(walk *w, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ASSUME: return;
  case HY_STMT_SEQ: check_seq(w, stmt); return;
  case HY_STMT_ALLOCATE: w->allocated[position(w, stmt->allocate.func)] = true; return;
  case HY_STMT_ASSIGN:
    w->reader = stmt;
    check_allocated(w, stmt->assign.func);
    for (int d = 0; d < stmt->assign.func->rank; d++) check_reads(w, stmt, stmt->assign.lhs[d]);
    check_reads(w, stmt, stmt->assign.rhs);
    return;
  case HY_STMT_IF:
    check_reads(w, stmt, stmt->branch.condition);
    check_branch(w, stmt->branch.then);
    if (stmt->branch.otherwise) check_branch(w, stmt->branch.otherwise);
    return;
  case HY_STMT_FOR: check_branch(w, stmt->loop.body); return;
  case HY_STMT_LET: check_stmt(w, stmt->let.body); return;
  case HY_STMT_COMPUTE: check_compute(w, stmt); return;
  case HY_STMT_LABEL: check_label(w, stmt); return;
  }
  HY_UNREACHABLE();
}

// requires: the structure was found good
void hy_tgt_check_dominance(const hy_tgt_check *check) {
  size_t count = (size_t)check->tgt->func_count + 1;
  walk w = {.check = check};
  w.allocated = hy_allocate_zeroed(count, sizeof(bool));
  w.computing = hy_allocate_zeroed(count, sizeof(bool));
  w.computed = hy_allocate_zeroed(count, sizeof(bool));
  check_stmt(&w, check->tgt->body);
  hy_free(w.allocated);
  hy_free(w.computing);
  hy_free(w.computed);
  hy_vec_free(&w.trail);
}
