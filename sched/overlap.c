#include "sched/legality_internal.h"

/* Decision D33: may two values of a parallel (or vectorized) loop write one point?
 *
 * The pure variables of a stage, which are the point written, are computed from its loops by the lets that split and
 * fuse left behind. The question is whether the loop's value can be recovered from the point: from the value of a guard
 * split, because inner lies in [0, factor); of a fused loop from both halves. What cannot be recovered is the side of a
 * shift whose last block moved, and of an inner side that overflows [0, factor): a loop split with round or shift by a
 * factor that does not divide it. One side still can be if the other is fixed, that is, depends only on loops outside
 * of the one asked about.
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

// Is "var" the same for all iterations of loops inside of the one asked about? Then only loops outside of it make it.
static bool is_fixed(const question *q, const hy_var *var) {
  const hy_stmt *let = find_let(q->stage, var);
  if (!let) { // a loop: fixed iff it stands outside
    const hy_stmt *asked = hy_tree_loop(q->stage, q->loop), *other = hy_tree_loop(q->stage, var);
    return asked && other && asked != other && hy_tree_contains(other, asked);
  }
  const hy_origin *o = &let->let.origin;
  return hy_origin_kind_of(o) != HY_ORIGIN_NONE && is_fixed(q, o->sources[0]) &&
         (!o->sources[1] || is_fixed(q, o->sources[1]));
}

// Does the factor divide the extent, for sure? Then no tail is ever needed.
static bool is_exact(const hy_origin *origin) {
  int64_t factor, extent;
  if (hy_expr_is_int(origin->factor, &factor) && factor == 1) return true;
  return hy_expr_is_int(origin->factor, &factor) && hy_expr_is_int(origin->range.len, &extent) && factor > 0 &&
         extent % factor == 0;
}

static bool overflows(const question *q, const hy_var *var);

// May a loop that a directive from outside the tree made run beyond the range that it gave it?
static bool given_overflows(const question *q, const hy_relation *given) {
  for (int i = 0; i < given->loop_count; i++)
    if (overflows(q, given->loops[i])) return true;
  return false;
}

// May the let's or loop's value leave the range of the loop that it replaces?
static bool overflows(const question *q, const hy_var *var) {
  const hy_stmt *let = find_let(q->stage, var);
  if (!let) return false;
  const hy_origin *o = &let->let.origin;
  if (hy_origin_kind_of(o) == HY_ORIGIN_NONE) return true;
  if (hy_origin_kind_of(o) == HY_ORIGIN_FUSE_INNER) return false;
  if (hy_origin_kind_of(o) == HY_ORIGIN_FUSE_OUTER)
    return overflows(q, o->sources[0]) && !HY_MUTANT(D33_Fused_Stays_Inside);
  if (hy_origin_kind_of(o) == HY_ORIGIN_GIVEN)
    return o->relation->tail != HY_TAIL_GUARD || given_overflows(q, o->relation);
  bool parts = overflows(q, o->sources[0]) || overflows(q, o->sources[1]);
  switch (o->relation->tail) {
  case HY_TAIL_GUARD: return parts; // the guard cuts off above only
  case HY_TAIL_ROUND:
  case HY_TAIL_SHIFT: return parts || (!is_exact(o) && !HY_MUTANT(D33_Round_Stays_Inside));
  }
  HY_UNREACHABLE();
}

// A let that is made of "var"; for a fused loop, its outer half.
typedef struct {
  const hy_var *var;
  const hy_stmt *first, *second; // second: the inner half of a fused loop
} use_search;

static void see_use(void *self, const hy_stmt *stmt) {
  use_search *s = self;
  if (stmt->kind != HY_STMT_LET || (stmt->let.origin.sources[0] != s->var && stmt->let.origin.sources[1] != s->var))
    return;
  if (hy_origin_kind_of(&stmt->let.origin) == HY_ORIGIN_FUSE_INNER)
    s->second = stmt;
  else
    s->first = stmt;
}

// Is one side of a split determined by the split's value, where the other side may be any that the loops inside give?
static bool is_unique(const question *q, const hy_origin *o) {
  if (overflows(q, o->sources[1])) return false;
  return o->relation->tail != HY_TAIL_SHIFT || (is_exact(o) && !overflows(q, o->sources[0])) ||
         HY_MUTANT(D33_Shift_Is_Unique);
}

// The same, where the other side is the same for both values. A shift clamps: outer values beyond their range fall on
// the last block, those within it have blocks of their own.
static bool is_unique_beside_fixed(const question *q, const hy_origin *o, const hy_var *var) {
  if (!is_fixed(q, var == o->sources[0] ? o->sources[1] : o->sources[0]) && !HY_MUTANT(D33_Everything_Is_Fixed))
    return false;
  return var == o->sources[1] || o->relation->tail != HY_TAIL_SHIFT || !overflows(q, o->sources[0]);
}

static bool is_recovered(const question *q, const hy_var *var, const hy_var **blamed);

// A directive from outside the tree claims that its variables determine its loops, unless it says that points come
// twice. The claim is believed here because nothing runs before it is proved (LVL.Symbolic, disjointness).
static bool is_given_back(const question *q, const hy_origin *o, const hy_var **blamed) {
  if (o->relation->tail == HY_TAIL_SHIFT || given_overflows(q, o->relation)) return false;
  for (int i = 0; i < o->relation->let_count; i++)
    if (!is_recovered(q, o->relation->lets[i], blamed)) return false;
  return true;
}

// Can the value of "var" be recovered from the point that is written? If not, *blamed is the pure variable, or the loop
// that was split, where it is lost.
static bool is_recovered(const question *q, const hy_var *var, const hy_var **blamed) {
  use_search s = {.var = var};
  hy_tree_visit(q->stage, see_use, &s);
  if (!s.first) return true; // a pure variable itself
  const hy_origin *o = &s.first->let.origin;
  if (hy_origin_kind_of(o) == HY_ORIGIN_FUSE_OUTER && HY_MUTANT(D33_Fused_Is_Recovered)) return true;
  if (hy_origin_kind_of(o) == HY_ORIGIN_FUSE_OUTER)
    return is_recovered(q, s.first->let.var, blamed) && s.second && is_recovered(q, s.second->let.var, blamed);
  *blamed = s.first->let.var;
  if (hy_origin_kind_of(o) == HY_ORIGIN_GIVEN) return is_given_back(q, o, blamed);
  return hy_origin_kind_of(o) == HY_ORIGIN_SPLIT && (is_unique(q, o) || is_unique_beside_fixed(q, o, var)) &&
         is_recovered(q, s.first->let.var, blamed);
}

// FIN.Overlap
bool hy_overlap_possible(const hy_stmt *stage, const hy_var *loop, const hy_var **blamed) {
  question q = {stage, loop};
  *blamed = loop;
  return !is_recovered(&q, loop, blamed);
}
