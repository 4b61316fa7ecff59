// Copies in random schedules: of what several specializations of a func read, so that it can be computed inside each.

#include "fuzz/pairs/generate.h"

#include "sched/funcs/funcs.h"

typedef struct {
  const hy_tgt *tgt;
  const hy_func *func;   // that is read
  const hy_func *reader; // whose specialization is around
  int branch;
  hy_generate_branches *out;
} search;

static void add(search *s, const hy_func *reader, int branch) {
  hy_generate_branches *out = s->out;
  hy_directive one = {.func = s->func, .readers = &reader, .branches = &branch, .reader_count = 1};
  if (out->count == HY_MOST_READERS || reader == s->func || !hy_funcs_reads_of(s->tgt, &one, true)) return;
  out->readers[out->count] = reader;
  out->branches[out->count++] = branch;
}

// In the specialization: it itself, and whatever is computed in its loops.
static void see(search *s, const hy_stmt *stmt, bool inside) {
  const hy_stmt *const *children, *room[2];
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC && stmt->label.func == s->reader) {
    inside = stmt->label.number == s->branch;
    if (inside) add(s, s->reader, s->branch);
  }
  if (stmt->kind == HY_STMT_COMPUTE && inside) add(s, stmt->compute.func, HY_ALL_BRANCHES);
  for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++) see(s, children[i], inside);
}

bool hy_generate_copy(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *reader, int branch,
                      hy_directive *directive) {
  hy_generate_branches *branches = HY_NEW(hy_context_arena(context), hy_generate_branches);
  search s = {tgt, func, reader, branch, branches};
  see(&s, tgt->body, false);
  *directive = (hy_directive){.type = &hy_directive_copy,
                              .loc = tgt->alg->loc,
                              .func = func,
                              .readers = branches->readers,
                              .branches = branches->branches,
                              .reader_count = branches->count};
  if (!branches->count) return false;
  const char *name = hy_funcs_copy_name(context, tgt, func, reader, branch);
  directive->made = hy_funcs_make_for(context, tgt, directive, name, directive->loc);
  return true;
}
