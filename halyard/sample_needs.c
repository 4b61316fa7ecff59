// Windows that a schedule's bounds cover (decision D43): most sampled inputs must get past "assume need".

#include "engines/evaluate.h"
#include "halyard/sample.h"
#include "semantics/base/vec.h"
#include "semantics/tgt/constraint.h"

enum { ROUNDS = 12 };

// The ends that an "assume need" compares, at the first and at the last iteration of the loops around.
typedef struct {
  const hy_expr *given_min, *given_end, *needed_min[2], *needed_end[2];
} need;

typedef struct {
  hy_context *context;
  HY_VEC(const hy_stmt *) path; // fors and lets around
  HY_VEC(need) needs;
} collector;

// Loop variables replaced, from the inside out, by an end of their range.
static const hy_expr *at_end(const collector *c, const hy_expr *expr, bool last) {
  for (size_t i = c->path.count; i-- > 0;) {
    const hy_stmt *s = c->path.data[i];
    const hy_expr *value = s->let.value;
    if (s->kind == HY_STMT_FOR) value = s->loop.interval.min;
    if (s->kind == HY_STMT_FOR && last) {
      const hy_expr *one = hy_expr_int(c->context, 1), *end = hy_index_add(c->context, value, s->loop.interval.len);
      value = hy_index_sub(c->context, end, one);
    }
    hy_binding binding = {s->kind == HY_STMT_FOR ? s->loop.var : s->let.var, value};
    expr = hy_expr_substitute(c->context, expr, &binding, 1);
  }
  return expr;
}

static void collect(collector *c, const hy_stmt *stmt) {
  hy_need_ends ends;
  if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_NEED &&
      hy_need_ends_of(stmt->assume.condition, &ends)) {
    need n = {at_end(c, ends.given_min, false), at_end(c, ends.given_end, false), {0}, {0}};
    for (int last = 0; last < 2; last++) {
      n.needed_min[last] = at_end(c, ends.needed_min, last);
      n.needed_end[last] = at_end(c, ends.needed_end, last);
    }
    hy_vec_push(&c->needs, n);
  }
  bool binds = stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  if (binds) hy_vec_push(&c->path, stmt);
  for (int i = 0; i < count; i++) collect(c, children[i]);
  if (binds) c->path.count--;
}

static bool evaluate(const hy_tgt *filled, const hy_arguments *a, const hy_expr *expr, int64_t *value) {
  hy_value v = hy_input_evaluate(filled->alg, &a->input, expr);
  *value = v.i;
  return v.error == HY_OK;
}

// Moves or shortens the window so that a need is met more nearly. True if it was met already, or cannot be told.
static bool meet(const hy_tgt *filled, hy_arguments *a, const need *n) {
  int64_t given_min, given_end, low[2], high[2];
  const hy_alg *alg = filled->alg;
  if (!evaluate(filled, a, n->given_min, &given_min) || !evaluate(filled, a, n->given_end, &given_end)) return true;
  for (int last = 0; last < 2; last++)
    if (!evaluate(filled, a, n->needed_min[last], &low[last]) || !evaluate(filled, a, n->needed_end[last], &high[last]))
      return true;
  int64_t min = low[0] < low[1] ? low[0] : low[1], end = high[0] > high[1] ? high[0] : high[1];
  if (given_min <= min && end <= given_end) return true;
  int64_t excess = (end - min) - (given_end - given_min), shift = min < given_min ? given_min - min : given_end - end;
  for (int d = 0; d < alg->window_rank; d++) {
    bool moves = false, grows = false;
    for (int last = 0; last < 2; last++) {
      moves = moves || hy_expr_mentions(n->needed_min[last], alg->window_min[d]);
      grows = grows || hy_expr_mentions(n->needed_end[last], alg->window_len[d]);
    }
    if (excess > 0 && grows && a->window_len[d] > 1)
      a->window_len[d] = a->window_len[d] > excess ? a->window_len[d] - excess : 1;
    else if (moves)
      a->window_min[d] += shift;
  }
  return false;
}

bool hy_sample_meet_needs(hy_context *context, const hy_tgt *filled, hy_arguments *a) {
  collector c = {.context = context};
  collect(&c, filled->body);
  bool met = false;
  for (int round = 0; round < ROUNDS && !met; round++) {
    met = true;
    for (size_t i = 0; i < c.needs.count; i++) met = meet(filled, a, &c.needs.data[i]) && met;
  }
  hy_vec_free(&c.path);
  hy_vec_free(&c.needs);
  return met;
}
