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
  case HY_ORDER_KEPT: return "NEW-POINTS";
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
  if (!hy_origin_has_source(o, s->var)) return;
  s->let = stmt;
  s->is_outer = o->sources[0] == s->var;
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
  if (!o->relation || hy_relation_is_given(o->relation) || hy_origin_staying(o, false) == HY_LEAVES) return true;
  return may_lie_below(root, o->sources[0]) || (o->sources[1] && may_lie_below(root, o->sources[1]));
}

hy_order_class hy_order_overflow(const hy_stmt *root, const hy_var *var) {
  use_search use = {var, NULL, false};
  hy_tree_visit(root, see_use, &use);
  if (!use.let) return HY_ORDER_EXTRA; // a variable of the stage itself: beyond the end is outside of Cpu
  const hy_origin *o = &use.let->let.origin;
  if (hy_relation_is_given(o->relation)) return HY_ORDER_REPEATED;               // who knows: the weakest promise
  if (!hy_origin_is_blocks(o)) return hy_order_overflow(root, use.let->let.var); // whole rows beyond the last one
  if (!use.is_outer) return HY_ORDER_REPEATED;                                   // into the next block
  if (may_lie_below(root, o->sources[1])) return HY_ORDER_REPEATED;              // back from the block beyond
  switch (o->relation->tail) {
  case HY_TAIL_GUARD: return HY_ORDER_EQUAL; // blocks beyond the last one are cut off
  case HY_TAIL_ROUND: return hy_order_overflow(root, use.let->let.var);
  case HY_TAIL_SHIFT: return HY_ORDER_REPEATED; // moved onto the last one
  }
  HY_UNREACHABLE();
}

hy_order_class hy_order_of_move(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before, (void)directive;
  return HY_ORDER_MOVED;
}

hy_order_class hy_order_of_bounds(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before, (void)directive;
  return HY_ORDER_BOX;
}

// ORD.Equal, ORD.Permuted, ORD.Extra, ORD.Repeated, ORD.Moved, ORD.Kept, ORD.Box
hy_order_class hy_sched_order_class(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  static const hy_rule rules[] = {HY_RULE_ORD_EQUAL, HY_RULE_ORD_PERMUTED, HY_RULE_ORD_EXTRA, HY_RULE_ORD_REPEATED,
                                  HY_RULE_ORD_MOVED, HY_RULE_ORD_KEPT,     HY_RULE_ORD_BOX};
  const hy_directive_type *type = directive->type;
  hy_order_class order = type->order ? type->order(context, before, directive) : HY_ORDER_EQUAL;
  hy_context_hit(context, rules[order]);
  return order;
}
