#include "tgt_interp/interp_internal.h"

/* The end of a loop in which nothing would happen.
 *
 * Guards of loops that were split stand inside of them: a loop of 256 iterations over a window of 10 points would look
 * at its guard 246 times in vain. The end is found by two iterations instead. Requires of a loop and a guard: between
 * them stand lets, guards and other loops alone, whose boxes do not depend on what varies, and both sides of each
 * guard's comparison are sums of what varies and of products of one such sum with what does not. Then the iterations
 * that a guard refuses are all of a box if they are its corners, and no number in it leaves 64 bits if none does at a
 * corner. Ensures: what is left out would have stored nothing, read nothing and broken no contract. It is counted as if
 * it had run.
 */

enum {
  MOST_LOOPS = 3,   // from the loop to the guard: a corner more for each power of two
  MOST_STEPS = 64,  // statements from the loop to a guard, so variables
  MOST_NODES = 256, // of the expressions looked at on the way
};

// What varies between the loop and the place that is looked at.
typedef struct varying {
  const hy_var *vars[MOST_STEPS];
  bool sums[MOST_STEPS]; // is the variable a sum as above?
  int count, loops, nodes;
} varying;

static void add(varying *v, const hy_var *var, bool is_sum) {
  v->vars[v->count] = var;
  v->sums[v->count++] = is_sum;
}

// Would it be the same in all of the box?
static bool is_fixed(varying *v, const hy_expr *e) {
  v->nodes += v->count;
  for (int i = 0; i < v->count; i++)
    if (hy_expr_mentions(e, v->vars[i])) return false;
  return !e->has_access;
}

static bool is_sum(varying *v, const hy_expr *e);

static bool is_sum_of(varying *v, const hy_expr *e) {
  const hy_expr *a = e->args[0], *b = e->count > 1 ? e->args[1] : NULL;
  if (e->op == HY_OP_NEG) return is_sum(v, a);
  if (e->op == HY_OP_ADD || e->op == HY_OP_SUB) return is_sum(v, a) && is_sum(v, b);
  if (e->op == HY_OP_MUL) return (is_fixed(v, a) && is_sum(v, b)) || (is_fixed(v, b) && is_sum(v, a));
  return false;
}

static bool is_sum(varying *v, const hy_expr *e) {
  if (++v->nodes > MOST_NODES || e->type != HY_INT) return false;
  if (e->kind == HY_EXPR_CONST) return true;
  if (e->kind == HY_EXPR_VAR) {
    for (int i = 0; i < v->count; i++)
      if (v->vars[i] == e->var) return v->sums[i];
    return true;
  }
  return is_fixed(v, e) || (e->kind == HY_EXPR_OP && is_sum_of(v, e));
}

static bool compares_sums(varying *v, const hy_expr *e) {
  if (e->kind != HY_EXPR_OP) return false;
  bool is_order = e->op == HY_OP_LT || e->op == HY_OP_LE || e->op == HY_OP_GT || e->op == HY_OP_GE;
  return is_order && is_sum(v, e->args[0]) && is_sum(v, e->args[1]);
}

static bool passes_loop(varying *v, const node *n) {
  const hy_interval *i = &n->stmt->loop.interval;
  if (++v->loops > MOST_LOOPS || n->stmt->loop.piece || !is_fixed(v, i->min) || !is_fixed(v, i->len)) return false;
  add(v, n->stmt->loop.var, true);
  return true;
}

static bool passes_let(varying *v, const node *n) {
  if (n->stmt->let.value->has_access || (n->cover && !is_fixed(v, n->stmt->let.origin.range.len))) return false;
  add(v, n->stmt->let.var, is_sum(v, n->stmt->let.value));
  return true;
}

static bool passes_guard(varying *v, const node *n) {
  return n->stmt->branch.why == HY_IF_GUARD && n->count == 1 && compares_sums(v, n->stmt->branch.condition);
}

static bool passes(varying *v, const node *n) {
  if (v->count == MOST_STEPS || v->nodes > MOST_NODES) return false;
  return n->kind == HY_STMT_FOR   ? passes_loop(v, n)
         : n->kind == HY_STMT_LET ? passes_let(v, n)
                                  : n->kind == HY_STMT_IF && passes_guard(v, n);
}

static void find_last_guard(node *loop) {
  varying v = {.loops = 1};
  loop->is_searched = true;
  add(&v, loop->stmt->loop.var, true);
  for (const node *n = loop; n->count == 1 && passes(&v, n->items[0]);) {
    n = n->items[0];
    if (n->kind == HY_STMT_IF) loop->last_guard = n;
  }
}

static bool is_between(const node *loop, const node *guard) {
  for (const node *n = loop; n != loop->last_guard;) {
    n = n->items[0];
    if (n == guard) return true;
  }
  return false;
}

static bool refuses(run *r, node *n, const node *guard);

static bool refuses_at(run *r, node *loop, int64_t at, const node *guard) {
  bind(r, loop->slot, hy_value_int(at));
  return refuses(r, loop->items[0], guard);
}

static bool refuses_ends(run *r, node *n, const node *guard) {
  const hy_value *pair = evaluate(r, &n->code) + n->code.first;
  int64_t last;
  if (pair[0].error || pair[1].error || pair[1].i < 1 || __builtin_add_overflow(pair[0].i, pair[1].i - 1, &last))
    return false;
  int64_t first = pair[0].i;
  return refuses_at(r, n, first, guard) && refuses_at(r, n, last, guard);
}

// (A loop that was empty before it was split would excuse its stage.)
static bool refuses_below(run *r, node *let, const hy_value *values, const node *guard) {
  if (let->cover && !values[1].error && values[1].i <= 0) return false;
  bind(r, let->slot, values[0]);
  return refuses(r, let->items[0], guard);
}

// Is the guard false wherever "n" gets to, and nothing an error on the way? At the corners of the loops.
static bool refuses(run *r, node *n, const node *guard) {
  if (n->kind == HY_STMT_FOR) return refuses_ends(r, n, guard);
  const hy_value *values = evaluate(r, &n->code) + n->code.first;
  if (n->kind == HY_STMT_LET) return refuses_below(r, n, values, guard);
  hy_value value = values[0];
  if (value.error || value.undefined) return false;
  return n == guard ? !value.u : refuses(r, n->items[0], guard);
}

bool hy_tgt_ends_idle(run *r, node *loop, int64_t first, int64_t last) {
  const node *guard = r->refused;
  if (!loop->is_searched) find_last_guard(loop);
  if (!loop->last_guard || !guard || !is_between(loop, guard)) return false;
  return refuses_at(r, loop, first, guard) && refuses_at(r, loop, last, guard);
}
