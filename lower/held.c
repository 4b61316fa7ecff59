#include "lower/held.h"

#include "semantics/base/id_map.h"
#include "semantics/tgt/values.h"
#include "semantics/value/monotone.h"

typedef struct {
  hy_context *context;
  const hy_values *values;   // with floats
  hy_ranges *known, *judged; // as fills and proofs know them; with floats
  hy_id_map held;            // of expressions: what they became
} holding;

static const hy_expr *whole(const holding *h, hy_type type, hy_wide_int number) {
  return hy_expr_const(h->context, hy_value_integral(type, (int64_t)number));
}

static bool is_of_float(const hy_expr *expr) {
  return expr->op == HY_OP_CAST && hy_type_is_integral(expr->type) &&
         hy_type_class_of(expr->args[0]->type) == HY_CLASS_FLOAT;
}

static const hy_expr *clamped(holding *h, const hy_expr *expr, hy_range range) {
  hy_context_hit(h->context, HY_RULE_LOW_HELD);
  const hy_expr *most = whole(h, expr->type, range.high), *least = whole(h, expr->type, range.low);
  return hy_expr_binary(h->context, HY_OP_MAX, hy_expr_binary(h->context, HY_OP_MIN, expr, most), least);
}

typedef struct {
  bool follows, is_startup; // the whole is made of parameters and boxes
} following;

static void see_operator(void *self, const hy_expr *node) {
  following *f = self;
  hy_monotone monotone;
  if (node->kind != HY_EXPR_OP || hy_type_class_of(node->type) != HY_CLASS_FLOAT) return;
  if (!f->is_startup && hy_expr_is_startup(node)) return; // its range is known at entry (LOW.Entry-Float)
  f->follows &= hy_monotone_find(node->op, node->type, node->args[0]->type, &monotone);
}

// Do fills follow it where loops lead (ORA.Float)? Not through loads, nor through sine and root of what loops change, or
// of what nothing else stands beside.
static bool is_followed(const hy_expr *real) {
  following f = {.follows = !real->has_access, .is_startup = hy_expr_is_startup(real)};
  if (f.follows) hy_expr_visit(real, see_operator, &f);
  return f.follows;
}

// LOW.Held: int(e) -> max(min(int(e), b), a), where fills cannot follow e and a <= int(e) <= b is seen
static const hy_expr *hold_one(holding *h, const hy_expr *conversion) {
  hy_range range = hy_ranges_of(h->judged, conversion);
  if (!hy_range_is_small(range) || is_followed(conversion->args[0])) return conversion;
  return clamped(h, conversion, range);
}

static const hy_expr *hold(holding *h, const hy_expr *expr);

static const hy_expr *hold_arguments(holding *h, const hy_expr *expr) {
  const hy_expr *args[HY_MAX_ARITY];
  for (int i = 0; i < expr->count; i++) args[i] = hold(h, expr->args[i]);
  return hy_expr_op(h->context, expr->op, expr->type, args);
}

// The conversions of floats in it that nothing above them bounds are held, accesses left alone.
static const hy_expr *hold(holding *h, const hy_expr *expr) {
  if (!expr->has_conversion || expr->kind != HY_EXPR_OP) return expr;
  if (hy_type_is_integral(expr->type) && hy_range_is_small(hy_ranges_of(h->known, expr))) return expr;
  uintptr_t *known = hy_id_map_find(&h->held, expr->id); // expressions share parts
  if (known) return (const hy_expr *)*known;
  const hy_expr *held = is_of_float(expr) ? hold_one(h, expr) : hold_arguments(h, expr);
  *hy_id_map_put(&h->held, expr->id) = (uintptr_t)held;
  return held;
}

static const hy_expr *hold_coordinates(void *self, const hy_expr *node) {
  holding *h = self;
  if (node->kind != HY_EXPR_ACCESS || !node->has_conversion) return node;
  const hy_expr *args[HY_MAX_RANK];
  for (int i = 0; i < node->count; i++) args[i] = hold(h, node->args[i]);
  return hy_expr_access_part(h->context, node->func, node->part, args);
}

static const hy_expr *hold_accesses(holding *h, const hy_expr *expr) {
  return expr->has_access ? hy_expr_map(h->context, expr, hold_coordinates, h) : expr;
}

// A value that forms an address: where conversions that load nothing bound it, clamp(int(in(x)), 0, int(p)), all of it.
static const hy_expr *hold_value(holding *h, const hy_expr *value) {
  const hy_expr *held = hold(h, value);
  if (!value->has_access || !value->has_conversion || !hy_type_is_integral(value->type)) return held;
  if (hy_range_is_small(hy_ranges_of(h->known, held))) return held;
  hy_range range = hy_ranges_of(h->judged, value);
  return hy_range_is_small(range) ? clamped(h, held, range) : held;
}

static const hy_expr *hold_values(holding *h, const hy_expr *values) {
  if (values->kind != HY_EXPR_TUPLE) return hold_value(h, values);
  const hy_expr *parts[HY_MAX_PARTS];
  for (int i = 0; i < values->count; i++) parts[i] = hold_value(h, values->args[i]);
  return hy_expr_tuple(h->context, parts, values->count);
}

static const hy_stmt *hold_assignment(holding *h, const hy_stmt *stmt) {
  const hy_func *func = stmt->assign.func;
  const hy_expr *lhs[HY_MAX_RANK], *rhs = hold_accesses(h, stmt->assign.rhs);
  for (int i = 0; i < func->rank; i++) lhs[i] = hold(h, hold_accesses(h, stmt->assign.lhs[i]));
  if (hy_value_forms_address(h->values, func)) rhs = hold_values(h, rhs);
  return hy_stmt_assign(h->context, func, stmt->assign.spec, stmt->assign.stage, lhs, rhs);
}

static const hy_stmt *hold_inside(holding *h, const hy_stmt *stmt);

static const hy_stmt *hold_items(holding *h, const hy_stmt *stmt) {
  const hy_stmt **items = HY_NEW_ARRAY(hy_context_arena(h->context), const hy_stmt *, stmt->seq.count);
  for (int i = 0; i < stmt->seq.count; i++) items[i] = hold_inside(h, stmt->seq.items[i]);
  return hy_stmt_with_children(h->context, stmt, items, stmt->seq.count);
}

static const hy_stmt *hold_inside(holding *h, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) return hold_assignment(h, stmt);
  if (stmt->kind == HY_STMT_SEQ) return hold_items(h, stmt);
  if (stmt->kind == HY_STMT_FOR) hy_ranges_bind_loop(h->known, stmt->loop.var, stmt->loop.interval);
  if (stmt->kind == HY_STMT_FOR) hy_ranges_bind_loop(h->judged, stmt->loop.var, stmt->loop.interval);
  const hy_stmt *const *children, *room[2], *held[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) held[i] = hold_inside(h, children[i]);
  const hy_stmt *same = hy_stmt_with_children(h->context, stmt, held, count);
  if (stmt->kind != HY_STMT_IF) return same;
  const hy_expr *condition = hold_accesses(h, stmt->branch.condition);
  return hy_stmt_if(h->context, stmt->branch.why, condition, same->branch.then, same->branch.otherwise);
}

const hy_stmt *hy_lower_held(hy_context *context, const hy_tgt *tgt) {
  holding h = {.context = context, .known = hy_ranges_new(), .judged = hy_ranges_new()};
  h.values = hy_values_of_floats(context, tgt);
  hy_id_map_begin(&h.held);
  hy_ranges_follow_floats(h.judged);
  hy_ranges_use_values(h.known, hy_values_of(context, tgt));
  hy_ranges_use_values(h.judged, h.values);
  hy_ranges_assume_entry(h.known, tgt);
  hy_ranges_assume_entry(h.judged, tgt);
  const hy_stmt *body = hold_inside(&h, tgt->body);
  hy_ranges_free(h.known);
  hy_ranges_free(h.judged);
  hy_id_map_end(&h.held);
  return body;
}
