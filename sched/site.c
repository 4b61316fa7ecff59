#include "sched/site.h"

#include "semantics/base/vec.h"

#include <stdlib.h>

// Counts the readers of func below a statement, leaving out func's own computation.
typedef struct {
  const hy_func *func;
  int readers;
} counter;

static void count_readers(const hy_stmt *stmt, counter *c) {
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC && stmt->label.func == c->func) return;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  if (stmt->kind == HY_STMT_ASSIGN && hy_tree_reads(stmt, c->func) && !HY_MUTANT(COMPUTE_No_Reader_Inside))
    c->readers++;
  if (stmt->kind == HY_STMT_IF) { // only the condition itself: the branches are children
    hy_stmt alone = *stmt;
    hy_stmt nothing = {.kind = HY_STMT_NOP};
    alone.branch.then = &nothing;
    alone.branch.otherwise = NULL;
    if (hy_tree_reads(&alone, c->func)) c->readers++;
  }
  for (int i = 0; i < count; i++) count_readers(children[i], c);
}

static int readers_below(const hy_stmt *root, const hy_func *func) {
  counter c = {func, 0};
  count_readers(root, &c);
  return c.readers;
}

bool hy_site_dominates(const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop, bool for_storage) {
  const hy_stmt *own = hy_tree_find(tgt->body, HY_STMT_LABEL, func);
  if (own && hy_tree_contains(own, loop) && !HY_MUTANT(COMPUTE_In_Own_Loop)) return false;
  if (for_storage && (!own || !hy_tree_contains(loop, own)) && !HY_MUTANT(STORE_Below_Compute)) return false;
  int inside = readers_below(loop, func);
  return inside == readers_below(tgt->body, func) || (inside > 0 && HY_MUTANT(D39_Reader_Outside));
}

typedef struct {
  const hy_tgt *tgt;
  const hy_func *func;
  bool for_storage;
  HY_VEC(const hy_stmt *) loops;
} site_lister;

static void list_site(void *self, const hy_stmt *stmt) {
  site_lister *l = self;
  if (stmt->kind == HY_STMT_FOR && hy_site_dominates(l->tgt, l->func, stmt, l->for_storage))
    hy_vec_push(&l->loops, stmt);
}

const char *hy_site_list(hy_context *context, const hy_tgt *tgt, const hy_func *func, bool for_storage) {
  site_lister l = {.tgt = tgt, .func = func, .for_storage = for_storage};
  hy_tree_visit(tgt->body, list_site, &l);
  const char *list = hy_names_list_loops(context, l.loops.data, l.loops.count, true);
  hy_vec_free(&l.loops);
  return list;
}

bool hy_site_in_branch(const hy_tgt *tgt, const hy_stmt *loop) {
  int count;
  bool found = false;
  const hy_stmt **path = hy_tree_path(tgt->body, loop, &count);
  for (int i = 0; i < count; i++)
    found |= path[i]->kind == HY_STMT_LABEL && path[i]->label.what == HY_LABEL_SPEC &&
             path[i]->label.func == loop->loop.var->func;
  free(path);
  return found;
}

bool hy_site_is_output(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                       hy_diagnostics *diagnostics) {
  if (directive->func != tgt->alg->output) return false;
  hy_context_hit(context, HY_RULE_DIR_OUTPUT);
  hy_report(diagnostics, HY_E_OUTPUT_MOVED, directive->loc, "DIR.Output (decision D39)",
            "move the funcs that the output reads instead", "'%s' is the output: its buffer outlives the pipeline",
            directive->func->name);
  return true;
}

const hy_tgt *hy_site_move(hy_context *context, const hy_tgt *tgt, const hy_stmt *what, const hy_var *loop) {
  bool copies = what->kind == HY_STMT_ALLOCATE ? HY_MUTANT(STORE_Copies) : HY_MUTANT(COMPUTE_Copies);
  const hy_stmt *body = copies ? tgt->body : hy_tree_replace(context, tgt->body, what, hy_stmt_nop(context));
  const hy_stmt *target = hy_tree_loop(body, loop);
  HY_ASSERT(target);
  bool behind =
      what->kind == HY_STMT_ALLOCATE ? HY_MUTANT(STORE_Behind_Computation) : HY_MUTANT(COMPUTE_Behind_Readers);
  const hy_stmt *items[2] = {behind ? target->loop.body : what, behind ? what : target->loop.body};
  const hy_stmt *inside = hy_stmt_seq(context, items, 2);
  body = hy_tree_replace(context, body, target, hy_stmt_with_children(context, target, &inside, 1));
  return hy_tree_with_body(context, tgt, body);
}
