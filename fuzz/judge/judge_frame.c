// Target programs that must be refused: the pair's own, with one thing moved or marked otherwise, so that it breaks
// lemma 6.1 or 6.2 or definition 8.3 whatever the rest is (decisions D20, D24, D37). Directives make no such programs;
// files hold them.

#include "fuzz/change/rebuild.h"
#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "semantics/base/vec.h"

#include <stdlib.h>

enum { FRAMES_ONE_IN = 8 };

typedef struct {
  hy_context *context;
  uint64_t seed;
  const hy_stmt *body;
  HY_VEC(const hy_stmt *) loops, sequences;
} frame;

static void collect(frame *f, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) hy_vec_push(&f->loops, stmt);
  if (stmt->kind == HY_STMT_SEQ) hy_vec_push(&f->sequences, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(f, children[i]);
}

static const hy_stmt *replace(frame *f, const hy_stmt *root, const hy_stmt *from, const hy_stmt *to) {
  return hy_rebuild(f->context, root, from, to);
}

/* -- loops -- */

static const hy_stmt *pick_loop(frame *f, bool reduction) {
  for (size_t i = 0; i < f->loops.count; i++) {
    const hy_stmt *loop = f->loops.data[(f->seed + i) % f->loops.count];
    if (!reduction || !loop->loop.is_pure) return loop;
  }
  return NULL;
}

// Lemma 6.1: a loop inside another one of the same name.
static const hy_stmt *nest_twice(frame *f) {
  const hy_stmt *loop = pick_loop(f, false);
  if (!loop) return NULL;
  hy_interval once = {hy_expr_int(f->context, 0), hy_expr_int(f->context, 1)};
  return replace(f, f->body, loop, hy_stmt_for(f->context, loop->loop.var, loop->loop.is_pure, HY_SERIAL, once, loop));
}

static const hy_stmt *parallel_reduction(frame *f) {
  const hy_stmt *loop = pick_loop(f, true);
  if (!loop) return NULL;
  hy_traversal traversal = f->seed >> 20 & 1 ? HY_PARALLEL : HY_VECTORIZED;
  return replace(f, f->body, loop,
                 hy_stmt_for(f->context, loop->loop.var, false, traversal, loop->loop.interval, loop->loop.body));
}

// The assignment of a stage, if no coordinate of it is a variable but those of the func's own dimensions.
static bool is_reduced(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) {
    const hy_func *f = stmt->assign.func;
    for (int d = 0; d < f->rank; d++)
      if (stmt->assign.lhs[d]->kind == HY_EXPR_VAR && stmt->assign.lhs[d]->var->name != f->dims[d]) return false;
    return true;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (!is_reduced(children[i])) return false;
  return true;
}

// Definition 8.3: a loop that drives no coordinate, marked pure.
static const hy_stmt *pure_by_name(frame *f) {
  const hy_stmt *loop = pick_loop(f, true);
  if (!loop || !is_reduced(loop)) return NULL;
  return replace(f, f->body, loop,
                 hy_stmt_for(f->context, loop->loop.var, true, HY_SERIAL, loop->loop.interval, loop->loop.body));
}

/* -- sequences -- */

typedef struct {
  const hy_func *func;
  bool found;
} reading;

static void see_node(void *self, const hy_expr *node) {
  reading *r = self;
  r->found |= node->kind == HY_EXPR_ACCESS && node->func == r->func;
}

static bool reads(const hy_stmt *stmt, const hy_func *func) {
  reading r = {func, false};
  if (stmt->kind == HY_STMT_ASSIGN) {
    hy_expr_visit(stmt->assign.rhs, see_node, &r);
    for (int d = 0; d < stmt->assign.func->rank; d++) hy_expr_visit(stmt->assign.lhs[d], see_node, &r);
  }
  if (stmt->kind == HY_STMT_IF) hy_expr_visit(stmt->branch.condition, see_node, &r);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !r.found; i++) r.found = reads(children[i], func);
  return r.found;
}

static const hy_func *computed_by(const hy_stmt *item) {
  return item->kind == HY_STMT_LABEL && item->label.what == HY_LABEL_FUNC ? item->label.func : NULL;
}

static const hy_stmt *first_loop(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) return stmt;
  const hy_stmt *const *children, *room[2], *loop = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !loop; i++) loop = first_loop(children[i]);
  return loop;
}

// The sequence with the item at "from" left out and, unless "to" is -1, put behind the one that stands at "to".
static const hy_stmt *move(frame *f, const hy_stmt *sequence, int from, int to) {
  int count = sequence->seq.count, at = 0;
  const hy_stmt **items = hy_allocate(sizeof *items * (size_t)(count + 1));
  for (int i = 0; i < count; i++) {
    if (i != from) items[at++] = sequence->seq.items[i];
    if (i == to) items[at++] = sequence->seq.items[from];
  }
  const hy_stmt *moved = hy_stmt_seq(f->context, items, at);
  free(items);
  return replace(f, f->body, sequence, moved);
}

// Decision D20: no allocation around what touches the func, or one that comes too late.
static const hy_stmt *allocate_late(frame *f, const hy_stmt *sequence) {
  int count = sequence->seq.count;
  for (int k = 0; k < count; k++) {
    int i = (int)(((f->seed >> 8) + (uint64_t)k) % (uint64_t)count);
    if (sequence->seq.items[i]->kind == HY_STMT_ALLOCATE) return move(f, sequence, i, f->seed & 1 ? -1 : count - 1);
  }
  return NULL;
}

// Lemma 6.2: computed behind a reader.
static const hy_stmt *compute_late(frame *f, const hy_stmt *sequence) {
  for (int i = 0; i < sequence->seq.count; i++) {
    const hy_func *func = computed_by(sequence->seq.items[i]);
    for (int k = i + 1; func && k < sequence->seq.count; k++)
      if (reads(sequence->seq.items[k], func)) return move(f, sequence, i, k);
  }
  return NULL;
}

// Can what stands at "i" of a sequence be computed in a loop of what stands at "j", but for a reader behind that?
static bool has_reader_behind(const hy_stmt *sequence, int i, int j) {
  const hy_func *func = computed_by(sequence->seq.items[i]);
  bool behind = false;
  for (int k = i + 1; k < j; k++)
    if (reads(sequence->seq.items[k], func)) return false;
  for (int k = j + 1; k < sequence->seq.count; k++) behind |= reads(sequence->seq.items[k], func);
  return behind;
}

// Lemma 6.2: computed in a loop of another func, which may run not at all, and read behind it.
static const hy_stmt *compute_in_loop(frame *f, const hy_stmt *sequence) {
  const hy_stmt *const *items = sequence->seq.items;
  for (int i = 0; i < sequence->seq.count; i++)
    for (int j = i + 1; computed_by(items[i]) && j < sequence->seq.count; j++) {
      const hy_stmt *loop = computed_by(items[j]) ? first_loop(items[j]) : NULL;
      if (!loop || !has_reader_behind(sequence, i, j)) continue;
      const hy_stmt *inside[] = {items[i], loop->loop.body};
      const hy_stmt *moved = hy_stmt_for(f->context, loop->loop.var, loop->loop.is_pure, loop->loop.traversal,
                                         loop->loop.interval, hy_stmt_seq(f->context, inside, 2));
      return replace(f, move(f, sequence, i, -1), loop, moved);
    }
  return NULL;
}

static const hy_stmt *spoil_sequence(frame *f, int how) {
  if (!f->sequences.count) return NULL;
  const hy_stmt *sequence = f->sequences.data[(f->seed >> 32) % f->sequences.count];
  if (how == 0) return allocate_late(f, sequence);
  if (how == 1) return compute_late(f, sequence);
  return compute_in_loop(f, sequence);
}

static const hy_stmt *spoil(frame *f, const char **rule) {
  static const char *const rules[] = {"WF.Name", "WF.Traverse", "WF.Pure", "WF.Dominate", "WF.Dominate", "WF.Dominate"};
  int how = (int)(hy_splitmix(f->seed, 1) % HY_COUNT(rules));
  *rule = rules[how];
  switch (how) {
  case 0: return nest_twice(f);
  case 1: return parallel_reduction(f);
  case 2: return pure_by_name(f);
  default: return spoil_sequence(f, how - 3);
  }
}

void hy_judging_frame(hy_judging *g) {
  const hy_pipeline *p = &g->pipeline;
  if (g->c->seed % FRAMES_ONE_IN != 5) return;
  hy_tgt broken = *p->steps[p->step_count - 1];
  frame f = {.context = g->context, .seed = hy_splitmix(g->c->seed, 820), .body = broken.body};
  const char *rule = NULL;
  collect(&f, broken.body);
  broken.body = spoil(&f, &rule);
  if (broken.body) {
    hy_diagnostics *said = hy_diagnostics_new();
    if (hy_tgt_verify(g->context, &broken, said)) {
      if (hy_judging_find(g, HY_FOUND_ACCEPTED, rule, "a target program that breaks this rule is accepted"))
        hy_judging_blame(g, 0);
    } else if (!hy_diagnostics_errors(said))
      hy_judging_find(g, HY_FOUND_SILENT, rule, "");
    hy_diagnostics_free(said);
  }
  hy_vec_free(&f.loops);
  hy_vec_free(&f.sequences);
}
