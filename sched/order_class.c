#include "sched/foreign.h"
#include "sched/rewrite.h"

/* What each application of a directive promises of the order of assignments; validation after every step holds it to
 * that. A split with a tail is exact (the same list) if its factor divides a constant extent. Otherwise what it adds at
 * the end of the loop matters by where that end leads: followed through the lets of earlier splits and fusions, it
 * leaves the func's computed region, is cut off by a guard, or comes back to points that are there already.
 */

const char *hy_order_class_name(hy_order_class order) {
  switch (order) {
  case HY_ORDER_EQUAL: return "EQ";
  case HY_ORDER_PERMUTED: return "PERM-KEEPING-ORDER-WITHIN-PURE-KEY";
  case HY_ORDER_EXTRA: return "EXTRA-OUTSIDE-CPU";
  case HY_ORDER_REPEATED: return "REPEAT-IDEMPOTENT";
  case HY_ORDER_MOVED: return "MOVE";
  case HY_ORDER_BOX: return "BOX";
  }
  HY_UNREACHABLE();
}

typedef struct {
  const hy_var *var;  // made of it:
  const hy_stmt *let; // the first let
  bool is_outer;      // is it the let's outer side?
} use_search;

static void see_use(void *self, const hy_stmt *stmt) {
  use_search *s = self;
  if (s->let || stmt->kind != HY_STMT_LET) return;
  const hy_origin *o = &stmt->let.origin;
  if (o->kind == HY_ORIGIN_FUSE_INNER || (o->outer != s->var && o->inner != s->var)) return;
  s->let = stmt;
  s->is_outer = o->outer == s->var;
}

typedef struct {
  const hy_var *var;
  const hy_stmt *let;
} let_search;

static void see_let(void *self, const hy_stmt *stmt) {
  let_search *s = self;
  if (stmt->kind == HY_STMT_LET && stmt->let.var == s->var) s->let = stmt;
}

// May values of "var" lie below its range? The last block of a shift begins there where the factor exceeds the extent.
static bool may_lie_below(const hy_stmt *root, const hy_var *var) {
  let_search search = {var, NULL};
  hy_tree_visit(root, see_let, &search);
  if (!search.let) return false;
  const hy_origin *o = &search.let->let.origin;
  int64_t factor, extent;
  if (o->kind == HY_ORIGIN_GIVEN || o->kind == HY_ORIGIN_NONE) return true;
  bool fits = hy_expr_is_int(o->factor, &factor) && hy_expr_is_int(o->range.len, &extent) && factor <= extent;
  if (o->kind == HY_ORIGIN_SPLIT && o->tail == HY_TAIL_SHIFT && !fits) return true;
  return may_lie_below(root, o->outer) || (o->inner && may_lie_below(root, o->inner));
}

// Where do values of "var" beyond the end of its range lead?
static hy_order_class follow_overflow(const hy_stmt *root, const hy_var *var) {
  use_search use = {var, NULL, false};
  hy_tree_visit(root, see_use, &use);
  if (!use.let) return HY_ORDER_EXTRA; // a variable of the stage itself: beyond the end is outside of Cpu
  const hy_origin *o = &use.let->let.origin;
  if (o->kind == HY_ORIGIN_GIVEN) return HY_ORDER_REPEATED;                           // who knows: the weakest promise
  if (o->kind != HY_ORIGIN_SPLIT) return follow_overflow(root, use.let->let.var);     // whole rows beyond the last one
  if (!use.is_outer && !HY_MUTANT(D32_Nested_Round_Leaves)) return HY_ORDER_REPEATED; // into the next block
  if (may_lie_below(root, o->inner)) return HY_ORDER_REPEATED;                        // back from the block beyond
  switch (o->tail) {
  case HY_TAIL_GUARD: return HY_ORDER_EQUAL; // blocks beyond the last one are cut off
  case HY_TAIL_ROUND: return follow_overflow(root, use.let->let.var);
  case HY_TAIL_SHIFT: return HY_ORDER_REPEATED; // moved onto the last one
  }
  HY_UNREACHABLE();
}

static bool is_exact(const hy_expr *factor, const hy_expr *extent) {
  int64_t f, n;
  if (!hy_expr_is_int(factor, &f) || f < 1) return false;
  return f == 1 || (hy_expr_is_int(extent, &n) && n % f == 0);
}

static hy_order_class class_of_split(const hy_tgt *before, const hy_directive *directive) {
  const hy_stmt *loop = hy_tree_loop(before->body, directive->loop);
  HY_ASSERT(loop);
  if (is_exact(directive->args[0], loop->loop.interval.len)) return HY_ORDER_EQUAL;
  switch (directive->tail) {
  case HY_TAIL_GUARD: return HY_ORDER_EQUAL;
  case HY_TAIL_ROUND:
    return HY_MUTANT(SPLIT_Round_Adds_Nothing) ? HY_ORDER_EQUAL : follow_overflow(before->body, directive->loop);
  case HY_TAIL_SHIFT: return HY_MUTANT(D31_Shift_Repeats_Nothing) ? HY_ORDER_EXTRA : HY_ORDER_REPEATED;
  }
  HY_UNREACHABLE();
}

static hy_order_class class_of_traversal(hy_traversal traversal) {
  switch (traversal) {
  case HY_SERIAL:
  case HY_UNROLLED: return HY_ORDER_EQUAL;
  case HY_PARALLEL:
  case HY_VECTORIZED: return HY_MUTANT(TRAVERSE_Keeps_Everything) ? HY_ORDER_EQUAL : HY_ORDER_PERMUTED;
  }
  HY_UNREACHABLE();
}

static hy_order_class classify(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  switch (directive->kind) {
  case HY_DIRECTIVE_SPECIALIZE: return HY_ORDER_EQUAL;
  case HY_DIRECTIVE_SPLIT: return class_of_split(before, directive);
  case HY_DIRECTIVE_FUSE: return HY_MUTANT(ORD_Fuse_Permutes) ? HY_ORDER_PERMUTED : HY_ORDER_EQUAL;
  case HY_DIRECTIVE_SWAP: return HY_MUTANT(SWAP_Keeps_Everything) ? HY_ORDER_EQUAL : HY_ORDER_PERMUTED;
  case HY_DIRECTIVE_TRAVERSE: return class_of_traversal(directive->traversal);
  case HY_DIRECTIVE_COMPUTE_AT:
  case HY_DIRECTIVE_STORE_AT: return HY_MUTANT(ORD_Moves_Change_Nothing) ? HY_ORDER_EQUAL : HY_ORDER_MOVED;
  case HY_DIRECTIVE_BOUND:
  case HY_DIRECTIVE_BOUND_EXTENT:
  case HY_DIRECTIVE_ALIGN_BOUNDS: return HY_MUTANT(ORD_Boxes_Stay) ? HY_ORDER_EQUAL : HY_ORDER_BOX;
  case HY_DIRECTIVE_PLUGIN: return hy_context_foreign(context)->order(context, before, directive);
  }
  HY_UNREACHABLE();
}

// ORD.Equal, ORD.Permuted, ORD.Extra, ORD.Repeated, ORD.Moved, ORD.Box
hy_order_class hy_sched_order_class(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  static const hy_rule rules[] = {HY_RULE_ORD_EQUAL,    HY_RULE_ORD_PERMUTED, HY_RULE_ORD_EXTRA,
                                  HY_RULE_ORD_REPEATED, HY_RULE_ORD_MOVED,    HY_RULE_ORD_BOX};
  hy_order_class order = classify(context, before, directive);
  hy_context_hit(context, rules[order]);
  return order;
}
