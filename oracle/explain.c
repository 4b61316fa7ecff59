#include "oracle/explain.h"

#include "oracle/z3/z3_check.h"
#include "semantics/base/vec.h"

#include <string.h>

const char *hy_tightness_name(hy_tightness tightness) {
  switch (tightness) {
  case HY_TIGHT: return "tight";
  case HY_LOOSE: return "loose";
  case HY_TIGHT_UNKNOWN: return "unknown";
  }
  HY_UNREACHABLE();
}

typedef struct {
  hy_context *context;
  const hy_tgt *scheduled, *filled;
  HY_VEC(hy_explained_hole) holes;
  size_t shrunk; // the pair that is shrunk, and where
  bool on_top;
} explainer;

/* -- the fills: the scheduled and the filled program have one shape -- */

static void learn(explainer *e, hy_interval hole, hy_interval fill) {
  if (hole.min->kind != HY_EXPR_HOLE || hole.len->kind != HY_EXPR_HOLE) return;
  for (size_t i = 0; i < e->holes.count; i++)
    if (e->holes.data[i].min == hole.min->hole) return;
  hy_vec_push(&e->holes, (hy_explained_hole){.min = hole.min->hole, .len = hole.len->hole, .fill = fill});
}

static void walk(explainer *e, const hy_stmt *scheduled, const hy_stmt *filled) {
  if (scheduled->kind != filled->kind) return;
  if (scheduled->kind == HY_STMT_ALLOCATE)
    for (int d = 0; d < scheduled->allocate.func->rank; d++)
      learn(e, scheduled->allocate.box[d], filled->allocate.box[d]);
  if (scheduled->kind == HY_STMT_COMPUTE)
    for (int d = 0; d < scheduled->compute.func->rank; d++) learn(e, scheduled->compute.box[d], filled->compute.box[d]);
  if (scheduled->kind == HY_STMT_FOR) learn(e, scheduled->loop.interval, filled->loop.interval);
  if (scheduled->kind == HY_STMT_LET && scheduled->let.origin.relation)
    learn(e, scheduled->let.origin.range, filled->let.origin.range);
  const hy_stmt *const *a, *room_a[2], *const *b, *room_b[2];
  int count = hy_stmt_children(scheduled, &a, room_a);
  if (hy_stmt_children(filled, &b, room_b) != count) return;
  for (int i = 0; i < count; i++) walk(e, a[i], b[i]);
}

/* -- shrinking one side of one pair -- */

static const hy_expr *fill_node(void *self, const hy_expr *node) {
  explainer *e = self;
  if (node->kind != HY_EXPR_HOLE) return node;
  const hy_expr *one = hy_expr_int(e->context, 1);
  for (size_t i = 0; i < e->holes.count; i++) {
    const hy_explained_hole *h = &e->holes.data[i];
    if (node->hole != h->min && node->hole != h->len) continue;
    bool is_len = node->hole == h->len;
    const hy_expr *fill = is_len ? h->fill.len : h->fill.min;
    if (i != e->shrunk) return fill;
    if (is_len) return hy_index_sub(e->context, fill, one);
    return e->on_top ? fill : hy_index_add(e->context, fill, one);
  }
  return node;
}

static const hy_expr *fill_expr(void *self, const hy_expr *expr) {
  explainer *e = self;
  return expr->has_hole ? hy_expr_map(e->context, expr, fill_node, e) : expr;
}

static const hy_tgt *shrunk_program(explainer *e) {
  hy_tgt *tgt = HY_NEW(hy_context_arena(e->context), hy_tgt);
  *tgt = *e->filled; // its entry block: what images must hold does not change
  tgt->body = hy_stmt_map_exprs(e->context, e->scheduled->body, fill_expr, e);
  return tgt;
}

/* -- judging -- */

// Is it what the bound is there for: the box itself, or the loop's stage?
static bool is_about(const hy_hole *hole, const hy_obligation *o) {
  const hy_func *boxed = o->other ? o->other : o->func;
  bool same = boxed == hole->func && o->dim == hole->dim;
  switch (o->kind) {
  case HY_B_MEM:
  case HY_B_INSIDE: return same && hole->kind == HY_HOLE_MEM;
  case HY_B_WINDOW:
  case HY_B_CPU:
  case HY_B_ADDRESS: return same && hole->kind == HY_HOLE_CPU;
  case HY_B_COVER: return hole->kind == HY_HOLE_FOR && o->func == hole->func && o->stage == hole->loop->stage;
  case HY_B_LENGTH:
  case HY_B_DEFINED:
  case HY_B_FITS:
  case HY_B_VALUE:
  case HY_B_CONSTRAIN:
  case HY_B_DISJOINT:
  case HY_B_FOLD:
  case HY_B_PIECES: return false;
  }
  HY_UNREACHABLE();
}

// In which round an obligation is asked: what the bound is there for first, then everything else. A length that is now
// negative where the box was empty anyway says nothing about who needs the point, so B.Length comes last.
static int round_of(const hy_hole *hole, const hy_obligation *o) {
  return is_about(hole, o) ? 0 : o->kind == HY_B_LENGTH ? 2 : 1;
}

// Ours first, its samples next, Z3 for what is left over. HY_NO: it fails, and *verdict has the model.
static hy_answer ask(explainer *e, hy_prover *prover, const hy_obligation *o, unsigned z3_limit,
                     hy_z3_verdict *verdict) {
  hy_answer answer = hy_prover_holds(prover, o->facts, o->fact_count, o->goal);
  if (answer == HY_YES) return HY_YES;
  if (hy_oracle_sample(e->context, prover, o, verdict)) return HY_NO;
  hy_z3_question question = {o->facts, o->fact_count, o->goal};
  *verdict = (hy_z3_verdict){.answer = answer};
  hy_z3_check(e->context, &question, 1, z3_limit, verdict);
  return verdict->answer;
}

// The explanation outlives the questions, which are made for each side anew and are many.
static const hy_obligation *kept(explainer *e, const hy_obligation *o) {
  hy_arena *arena = hy_context_arena(e->context);
  hy_obligation *copy = HY_NEW(arena, hy_obligation);
  const hy_expr **facts = HY_NEW_ARRAY(arena, const hy_expr *, o->fact_count);
  if (o->fact_count) memcpy(facts, o->facts, sizeof *facts * o->fact_count);
  *copy = *o;
  copy->facts = facts;
  return copy;
}

static hy_explained_side judge(explainer *e, const hy_oracle_options *options) {
  hy_arena *arena = hy_arena_new();
  const hy_query *query = hy_query_extract_into(e->context, arena, shrunk_program(e));
  const hy_hole *hole = e->holes.data[e->shrunk].min;
  hy_prover *prover = hy_prover_new(e->context);
  hy_explained_side side = {.tightness = HY_LOOSE};
  for (int round = 0; round < 3 && side.tightness != HY_TIGHT; round++)
    for (size_t i = 0; i < query->count && side.tightness != HY_TIGHT; i++) {
      const hy_obligation *o = &query->obligations[i];
      hy_z3_verdict verdict;
      if (o->decided_by_range || round_of(hole, o) != round) continue;
      hy_answer answer = ask(e, prover, o, options->z3_limit, &verdict);
      if (answer == HY_NO)
        side = (hy_explained_side){HY_TIGHT, kept(e, o), hy_oracle_print_model(e->context, &verdict)};
      else if (answer == HY_UNKNOWN)
        side.tightness = HY_TIGHT_UNKNOWN;
    }
  hy_prover_free(prover);
  hy_arena_free(arena);
  return side;
}

// "func": NULL: of all
static const hy_explained_hole *explain(explainer *e, const hy_func *func, const hy_oracle_options *options,
                                        size_t *count) {
  walk(e, e->scheduled->body, e->filled->body);
  hy_explained_hole *copy = HY_NEW_ARRAY(hy_context_arena(e->context), hy_explained_hole, e->holes.count);
  *count = 0;
  for (size_t i = 0; i < e->holes.count; i++) {
    hy_explained_hole *hole = &e->holes.data[i];
    if (func && hole->min->func != func) continue;
    e->shrunk = i;
    e->on_top = false;
    hole->low = judge(e, options);
    e->on_top = true;
    hole->high = judge(e, options);
    copy[(*count)++] = *hole;
  }
  hy_vec_free(&e->holes);
  return copy;
}

const hy_explained_hole *hy_oracle_explain(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled,
                                           const hy_oracle_options *options, size_t *count) {
  return explain(&(explainer){.context = context, .scheduled = scheduled, .filled = filled}, NULL, options, count);
}

const hy_explained_hole *hy_oracle_explain_func(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled,
                                                const hy_func *func, const hy_oracle_options *options, size_t *count) {
  return explain(&(explainer){.context = context, .scheduled = scheduled, .filled = filled}, func, options, count);
}
