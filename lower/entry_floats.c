#include "lower/entry_floats.h"

#include "semantics/base/vec.h"
#include "semantics/tgt/range_floats.h"
#include "semantics/value/monotone.h"

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
  HY_VEC(const hy_expr *) seen; // of which something is said
  HY_VEC(const hy_stmt *) assumed;
} saying;

static bool is_float(const hy_expr *expr) { return hy_type_class_of(expr->type) == HY_CLASS_FLOAT; }

static const hy_expr *of_rank(saying *s, hy_type type, hy_wide_int rank) {
  return hy_expr_const(s->context, hy_float_of_rank(type, (int64_t)rank));
}

// False: nothing is known, but that it is of its type.
static bool ends_of(saying *s, const hy_expr *startup, const hy_expr **least, const hy_expr **most) {
  hy_range range = hy_ranges_of(s->ranges, startup);
  if (!is_float(startup)) {
    if (range.low <= INT64_MIN || range.high >= INT64_MAX) return false;
    *least = hy_expr_int(s->context, (int64_t)range.low);
    *most = hy_expr_int(s->context, (int64_t)range.high);
    return true;
  }
  int64_t infinity = hy_float_infinity(startup->type);
  if (range.high >= infinity || range.low <= -1 - infinity || range.or_nan) return false;
  *least = of_rank(s, startup->type, range.low);
  *most = of_rank(s, startup->type, range.high);
  return true;
}

// LOW.Entry-Float: a <= e && e <= b
static void say(saying *s, const hy_expr *startup) {
  for (size_t i = 0; i < s->seen.count; i++)
    if (s->seen.data[i] == startup) return;
  hy_vec_push(&s->seen, startup);
  const hy_expr *least, *most;
  if (!ends_of(s, startup, &least, &most)) return;
  const hy_expr *above = hy_expr_binary(s->context, HY_OP_LE, least, startup);
  const hy_expr *within = hy_expr_and(s->context, above, hy_expr_binary(s->context, HY_OP_LE, startup, most));
  hy_vec_push(&s->assumed, hy_stmt_assume(s->context, HY_ASSUME_PARAM, NULL, within));
  hy_context_hit(s->context, HY_RULE_LOW_ENTRY_FLOAT);
}

static void see_conversion(void *self, const hy_expr *node) {
  bool converts = node->kind == HY_EXPR_OP && node->op == HY_OP_CAST && node->type == HY_INT && is_float(node->args[0]);
  if (converts && node->has_var) say(self, node);
}

// The largest expressions in a coordinate that no loop changes: operators on what one does change have them as
// arguments. Those of floats, and in those of ints what is made of floats.
static void see_node(void *self, const hy_expr *node) {
  if (node->kind != HY_EXPR_OP || node->has_access || hy_expr_is_startup(node)) return;
  for (int i = 0; i < node->count; i++) {
    const hy_expr *arg = node->args[i];
    if (arg->kind != HY_EXPR_OP || !arg->has_var || !hy_expr_is_startup(arg)) continue;
    if (is_float(arg)) say(self, arg);
    if (arg->type == HY_INT && arg->has_conversion) hy_expr_visit(arg, see_conversion, self);
  }
}

static void see_coordinates(void *self, const hy_expr *access) {
  for (int d = 0; d < access->count; d++)
    if (access->args[d]->has_conversion) hy_expr_visit(access->args[d], see_node, self);
}

static void see_expr(saying *s, const hy_expr *expr) {
  if (expr->has_access) hy_expr_visit_accesses(expr, see_coordinates, s);
}

static void see_inside(saying *s, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) {
    for (int d = 0; d < stmt->assign.func->rank; d++) {
      see_expr(s, stmt->assign.lhs[d]);
      if (stmt->assign.lhs[d]->has_conversion) hy_expr_visit(stmt->assign.lhs[d], see_node, s);
    }
    see_expr(s, stmt->assign.rhs);
  }
  if (stmt->kind == HY_STMT_IF) see_expr(s, stmt->branch.condition);
  if (stmt->kind == HY_STMT_SEQ)
    for (int i = 0; i < stmt->seq.count; i++) see_inside(s, stmt->seq.items[i]);
  const hy_stmt *const *children, *room[2];
  int count = stmt->kind == HY_STMT_SEQ ? 0 : hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) see_inside(s, children[i]);
}

const hy_stmt *const *hy_lower_entry_floats(hy_context *context, const hy_tgt *tgt, int *count) {
  saying s = {.context = context, .ranges = hy_ranges_new()};
  hy_ranges_follow_floats(s.ranges);
  hy_ranges_assume_entry(s.ranges, tgt);
  see_inside(&s, tgt->body);
  const hy_stmt **kept = HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, s.assumed.count);
  for (size_t i = 0; i < s.assumed.count; i++) kept[i] = s.assumed.data[i];
  *count = (int)s.assumed.count;
  hy_ranges_free(s.ranges);
  hy_vec_free(&s.seen);
  hy_vec_free(&s.assumed);
  return kept;
}
