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
  return o->relation && is_fixed(q, o->sources[0]) && (!o->sources[1] || is_fixed(q, o->sources[1]));
}

static bool overflows(const question *q, const hy_var *var);

// May a loop run beyond the range that the directive gave it?
static bool any_overflows(const question *q, const hy_relation *relation) {
  for (int i = 0; i < relation->loop_count; i++)
    if (overflows(q, relation->loops[i])) return true;
  return false;
}

// May the let's or loop's value leave the range of the loop that it replaces?
static bool overflows(const question *q, const hy_var *var) {
  const hy_stmt *let = find_let(q->stage, var);
  if (!let) return false;
  const hy_origin *o = &let->let.origin;
  if (!o->relation) return true;
  hy_staying below = hy_origin_staying(o, false), above = hy_origin_staying(o, true);
  bool leaves = below == HY_LEAVES || above == HY_LEAVES;
  if (leaves && !hy_origin_is_exact(o)) return true;
  if (below == HY_STAYS && above == HY_STAYS) return false;
  return any_overflows(q, o->relation);
}

// The last let that is made of a loop.
typedef struct {
  const hy_var *var;
  const hy_stmt *let;
} use_search;

static void see_use(void *self, const hy_stmt *stmt) {
  use_search *s = self;
  if (stmt->kind == HY_STMT_LET && hy_origin_has_source(&stmt->let.origin, s->var)) s->let = stmt;
}

// Is one side of a split determined by the split's value, where the other side may be any that the loops inside give?
static bool is_unique(const question *q, const hy_origin *o) {
  if (overflows(q, o->sources[1])) return false;
  return o->relation->tail != HY_TAIL_SHIFT || (hy_origin_is_exact(o) && !overflows(q, o->sources[0]));
}

// The same, where the other side is the same for both values. A shift clamps: outer values beyond their range fall on
// the last block, those within it have blocks of their own.
static bool is_unique_beside_fixed(const question *q, const hy_origin *o, const hy_var *var) {
  bool is_outer = var == o->sources[0];
  if (!is_fixed(q, o->sources[is_outer ? 1 : 0])) return false;
  return !is_outer || o->relation->tail != HY_TAIL_SHIFT || !overflows(q, o->sources[0]);
}

// Do the lets' values determine that loop's? Of a fusion, quotient and remainder always do. A directive from outside
// the tree claims it, unless it says that points come twice; the claim is believed here because nothing runs before it
// is proved (LVL.Symbolic, disjointness).
static bool is_determined(const question *q, const hy_origin *o, const hy_var *var) {
  if (hy_relation_is_given(o->relation)) return o->relation->tail != HY_TAIL_SHIFT && !any_overflows(q, o->relation);
  if (hy_origin_is_blocks(o)) return is_unique(q, o) || is_unique_beside_fixed(q, o, var);
  return true;
}

// Can the value of "var" be recovered from the point that is written? If not, *blamed is the pure variable, or the loop
// that was split, where it is lost.
static bool is_recovered(const question *q, const hy_var *var, const hy_var **blamed) {
  use_search s = {.var = var};
  hy_tree_visit(q->stage, see_use, &s);
  if (!s.let) return true; // a pure variable itself
  const hy_origin *o = &s.let->let.origin;
  const hy_relation *r = o->relation;
  bool is_fusion = !hy_origin_is_blocks(o) && !hy_relation_is_given(r); // nothing is lost in it
  if (!is_fusion) *blamed = s.let->let.var;
  if (!is_determined(q, o, var)) return false;
  for (int i = 0; i < r->let_count; i++)
    if (!r->lets[i] || !is_recovered(q, r->lets[i], blamed)) return false;
  return true;
}

// FIN.Overlap
bool hy_overlap_possible(const hy_stmt *stage, const hy_var *loop, const hy_var **blamed) {
  question q = {stage, loop};
  *blamed = loop;
  return !is_recovered(&q, loop, blamed);
}
