#include "oracle/fill/fill_internal.h"

/* ORA.Slide: what the loops of a computation that keeps range over.
 *
 *   for v in (m, n) .. compute f on B keeping v: .. for y in (?for.min, ?for.len)
 *
 * In the first iteration all of B; in any other one what of B was not in B[v - 1/v], if B moves in one dimension, and
 * both of its ends one way. Where it is not seen to do so, all of B: more than need be is right, too. So where the
 * loops of that dimension have tails that add points: where those lie depends on where the loops begin and end, and Mem
 * is made of all of B.
 */

typedef struct {
  hy_fills *f;
  hy_fill_site *site;
  const hy_stmt *loop;
  hy_fill_exprs facts; // at the compute, in an iteration that is not the first
} sliding;

typedef struct {
  const hy_expr *min, *end, *old_min, *old_end; // now, and in the iteration before
} movement;

static const hy_expr *before(const sliding *s, const hy_expr *e) {
  const hy_expr *v = hy_expr_var(s->f->context, s->loop->loop.var);
  hy_binding binding = {s->loop->loop.var, hy_fill_binary(s->f, HY_OP_SUB, v, hy_expr_int(s->f->context, 1))};
  return hy_affine_normal(s->f->table, hy_expr_substitute(s->f->context, e, &binding, 1));
}

static bool holds(const sliding *s, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_prover_holds(s->f->prover, s->facts.data, s->facts.count, hy_fill_binary(s->f, op, a, b)) == HY_YES;
}

static movement movement_of(const sliding *s, hy_interval i) {
  movement m = {.min = i.min, .end = hy_affine_add(s->f->table, i.min, i.len)};
  m.old_min = before(s, m.min);
  m.old_end = before(s, m.end);
  return m;
}

static bool stands_still(const sliding *s, const movement *m) {
  return (m->min == m->old_min || holds(s, HY_OP_EQ, m->min, m->old_min)) &&
         (m->end == m->old_end || holds(s, HY_OP_EQ, m->end, m->old_end));
}

static const hy_expr *is_first(const sliding *s) {
  const hy_expr *first = hy_fills_apply(s->f, s->loop->loop.interval.min);
  return hy_fill_binary(s->f, HY_OP_LE, hy_expr_var(s->f->context, s->loop->loop.var), first);
}

static const hy_expr *unless_first(const sliding *s, const hy_expr *first, const hy_expr *otherwise) {
  return first == otherwise ? first : hy_expr_select(s->f->context, is_first(s), first, otherwise);
}

static const hy_expr *length(const sliding *s, const hy_expr *min, const hy_expr *end) {
  const hy_expr *zero = hy_expr_int(s->f->context, 0), *len = hy_affine_sub(s->f->table, end, min);
  return holds(s, HY_OP_GE, len, zero) ? len : hy_fill_binary(s->f, HY_OP_MAX, len, zero);
}

// Both ends grow: what is new begins where the box before ended.
static void keep_below(const sliding *s, hy_fill_box *b, int d, const movement *m) {
  const hy_expr *begin =
      holds(s, HY_OP_LE, m->min, m->old_end) ? m->old_end : hy_fill_binary(s->f, HY_OP_MAX, m->min, m->old_end);
  b->interval[d].min = b->low[d] = unless_first(s, b->interval[d].min, begin);
  b->interval[d].len = unless_first(s, b->interval[d].len, length(s, begin, m->end));
}

// Both ends sink: what is new ends where the box before began.
static void keep_above(const sliding *s, hy_fill_box *b, int d, const movement *m) {
  const hy_expr *end =
      holds(s, HY_OP_LE, m->old_min, m->end) ? m->old_min : hy_fill_binary(s->f, HY_OP_MIN, m->end, m->old_min);
  b->interval[d].len = unless_first(s, b->interval[d].len, length(s, m->min, end));
  b->high[d] = unless_first(s, b->high[d], hy_affine_add_int(s->f->table, end, -1));
}

static void keep_old(const sliding *s, hy_fill_box *b, int d, const movement *m) {
  if (holds(s, HY_OP_LE, m->old_min, m->min) && holds(s, HY_OP_LE, m->old_end, m->end))
    keep_below(s, b, d, m);
  else if (holds(s, HY_OP_LE, m->min, m->old_min) && holds(s, HY_OP_LE, m->end, m->old_end))
    keep_above(s, b, d, m);
}

/* -- tails that add points -- */

typedef HY_VEC(const hy_var *) var_list;

static bool has(const var_list *list, const hy_var *var) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == var) return true;
  return false;
}

// May a let on the way to the assignment add points to the dimension?
static bool adds_at(const hy_fill_site *at, int dim) {
  const hy_expr *coordinate = at->assign->assign.lhs[dim];
  if (coordinate->kind != HY_EXPR_VAR) return true;
  var_list made = {0}; // what the coordinate is, and is made of
  bool adds = false;
  hy_vec_push(&made, coordinate->var);
  for (int i = at->depth; i-- > 0 && !adds;) {
    const hy_origin *o = at->path[i]->kind == HY_STMT_LET ? &at->path[i]->let.origin : NULL;
    if (!o || !o->relation || !has(&made, at->path[i]->let.var)) continue;
    adds = hy_relation_is_given(o->relation) || (hy_origin_is_blocks(o) && o->relation->tail != HY_TAIL_GUARD);
    for (int k = 0; k < 2; k++)
      if (o->sources[k]) hy_vec_push(&made, o->sources[k]);
  }
  hy_vec_free(&made);
  return adds;
}

static bool adds_points(const hy_fills *f, const hy_func *func, int dim) {
  for (size_t i = 0; i < f->sites.count; i++)
    if (hy_fill_is_own(&f->sites.data[i], func) && adds_at(&f->sites.data[i], dim)) return true;
  return false;
}

/* -- the whole -- */

static void slide(const sliding *s, const hy_func *func, hy_fill_box *fresh) {
  movement moves[HY_MAX_RANK];
  int moving = 0, which = func->rank - 1;
  for (int d = 0; d < func->rank; d++) {
    moves[d] = movement_of(s, fresh->interval[d]);
    if (stands_still(s, &moves[d])) continue;
    moving++;
    which = d;
  }
  hy_context_hit(s->f->context, HY_RULE_ORA_SLIDE);
  if (moving > 1 || which < 0 || adds_points(s->f, func, which)) return;
  if (moving) {
    keep_old(s, fresh, which, &moves[which]);
  } else { // the same box each time: after the first iteration there is nothing to do
    const hy_expr *none = hy_expr_int(s->f->context, 0);
    fresh->interval[which].len = unless_first(s, fresh->interval[which].len, none);
  }
}

void hy_fill_slide(hy_fills *f, const hy_func *func) {
  hy_fill_site *site = &f->computes[func->index];
  if (!site->compute || !site->compute->compute.keep) return;
  sliding s = {.f = f, .site = site};
  for (int i = 0; i < site->depth; i++)
    if (site->path[i]->kind == HY_STMT_FOR && site->path[i]->loop.var == site->compute->compute.keep)
      s.loop = site->path[i];
  if (!s.loop) return; // WF.Keep has said so
  hy_fill_find_facts(f, site);
  f->slides = true; // where the loop begins: that of a consumer that slides itself
  hy_pair_map_free(&f->applied);
  for (size_t i = 0; i < site->facts.count; i++) hy_vec_push(&s.facts, site->facts.data[i]);
  hy_fill_add_fact(f, &s.facts, hy_expr_unary(f->context, HY_OP_NOT, is_first(&s)));
  hy_fill_box *fresh = &f->fresh[func->index];
  *fresh = f->cpu[func->index];
  slide(&s, func, fresh);
  f->slides = false;
  hy_pair_map_free(&f->applied);
  hy_vec_free(&s.facts);
}
