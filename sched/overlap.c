#include "sched/legality_internal.h"

/* Decision D33: may two values of a parallel (or vectorized) loop write one point?
 *
 * The pure variables of a stage are computed from its loops by the lets that split and fuse left behind. A let tells its
 * sources apart if different sources give different values; a guard split does, because inner lies in [0, factor). Overlap
 * comes from a shift whose last block moved, and from an inner side that overflows [0, factor): a loop split with round or
 * shift by a factor that does not divide it. Then the let still tells one source apart as long as the other is fixed,
 * that is, depends only on loops outside of the one asked about.
 */

typedef struct {
  const hy_stmt *stage; // the tree in which the lets are
  const hy_var *loop;   // asked about
} question;

typedef struct {
  const hy_var *var; // find the let over it
  const hy_stmt *found;
} let_search;

static void see_let(void *self, const hy_stmt *stmt) {
  let_search *s = self;
  if (stmt->kind == HY_STMT_LET && stmt->let.var == s->var) s->found = stmt;
}

static const hy_stmt *find_let(const hy_stmt *root, const hy_var *var) {
  let_search s = {var, NULL};
  hy_tree_visit(root, see_let, &s);
  return s.found;
}

// Does "var" come from "loop", directly or through lets?
static bool derives(const question *q, const hy_var *var, const hy_var *loop) {
  if (var == loop) return true;
  const hy_stmt *let = find_let(q->stage, var);
  if (!let) return false;
  const hy_origin *o = &let->let.origin;
  return (o->outer && derives(q, o->outer, loop)) || (o->inner && derives(q, o->inner, loop));
}

// Is "var" the same for all iterations of loops inside of the one asked about? Then only loops outside of it make it.
static bool is_fixed(const question *q, const hy_var *var) {
  const hy_stmt *let = find_let(q->stage, var);
  if (!let) { // a loop: fixed iff it stands outside
    const hy_stmt *asked = hy_tree_loop(q->stage, q->loop), *other = hy_tree_loop(q->stage, var);
    return asked && other && asked != other && hy_tree_contains(other, asked);
  }
  const hy_origin *o = &let->let.origin;
  return o->kind != HY_ORIGIN_NONE && is_fixed(q, o->outer) && (!o->inner || is_fixed(q, o->inner));
}

// Does the factor divide the extent, for sure? Then no tail is ever needed.
static bool is_exact(const hy_origin *origin) {
  int64_t factor, extent;
  if (hy_expr_is_int(origin->factor, &factor) && factor == 1) return true;
  return hy_expr_is_int(origin->factor, &factor) && hy_expr_is_int(origin->range.len, &extent) && factor > 0 &&
         extent % factor == 0;
}

// May the let's or loop's value leave the range of the loop that it replaces?
static bool overflows(const question *q, const hy_var *var) {
  const hy_stmt *let = find_let(q->stage, var);
  if (!let) return false;
  const hy_origin *o = &let->let.origin;
  if (o->kind == HY_ORIGIN_NONE) return true;
  if (o->kind == HY_ORIGIN_FUSE_INNER) return false;
  if (o->kind == HY_ORIGIN_FUSE_OUTER) return overflows(q, o->outer);
  bool parts = overflows(q, o->outer) || overflows(q, o->inner);
  switch (o->tail) {
  case HY_TAIL_GUARD: return parts; // the guard cuts off above only
  case HY_TAIL_ROUND:
  case HY_TAIL_SHIFT: return parts || !is_exact(o);
  }
  HY_UNREACHABLE();
}

// Do different values of the loop asked about give different values of "var" (other loops inside free, outside fixed)?
static bool tells_apart(const question *q, const hy_var *var) {
  if (var == q->loop) return true;
  const hy_stmt *let = find_let(q->stage, var);
  HY_ASSERT(let);
  const hy_origin *o = &let->let.origin;
  if (o->kind != HY_ORIGIN_SPLIT) return tells_apart(q, o->outer); // fuse: both halves together are the fused value
  bool in_outer = derives(q, o->outer, q->loop), in_inner = derives(q, o->inner, q->loop);
  if (in_outer && in_inner) return false;
  // A shift clamps: an outer value beyond its own range, even of an exact split, falls on the last block.
  bool clamps = o->tail == HY_TAIL_SHIFT && (!is_exact(o) || overflows(q, o->outer));
  bool unique = !overflows(q, o->inner) && !clamps;
  if (in_outer) return (unique || is_fixed(q, o->inner)) && tells_apart(q, o->outer);
  return (unique || is_fixed(q, o->outer)) && tells_apart(q, o->inner);
}

typedef struct {
  const question *q;
  bool answer; // some root variable tells the loop's values apart
  const hy_var *blamed;
} root_search;

// Roots are the lets (or the loop itself) that no other let is made of: the stage's pure variables.
static bool is_source(const hy_stmt *stage, const hy_var *var);

static void see_root(void *self, const hy_stmt *stmt) {
  root_search *s = self;
  if (stmt->kind != HY_STMT_LET || is_source(s->q->stage, stmt->let.var)) return;
  if (!derives(s->q, stmt->let.var, s->q->loop)) return;
  s->blamed = stmt->let.var;
  if (tells_apart(s->q, stmt->let.var)) s->answer = true;
}

typedef struct {
  const hy_var *var;
  bool found;
} source_search;

static void see_source(void *self, const hy_stmt *stmt) {
  source_search *s = self;
  if (stmt->kind == HY_STMT_LET && (stmt->let.origin.outer == s->var || stmt->let.origin.inner == s->var))
    s->found = true;
}

static bool is_source(const hy_stmt *stage, const hy_var *var) {
  source_search s = {var, false};
  hy_tree_visit(stage, see_source, &s);
  return s.found;
}

// FIN.Overlap
bool hy_overlap_possible(const hy_stmt *stage, const hy_var *loop, const hy_var **blamed) {
  question q = {stage, loop};
  *blamed = loop;
  if (!is_source(stage, loop)) return false; // the loop is the pure variable itself
  root_search s = {&q, false, loop};
  hy_tree_visit(stage, see_root, &s);
  *blamed = s.blamed;
  return !s.answer;
}
