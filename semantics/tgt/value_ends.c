#include "semantics/tgt/value_ends.h"

#include "semantics/tgt/values.h"

/* B.Value, ends(f): found by looking into min, max, select and conversions, down to what is known at entry, loops whose
 * intervals are, loads of funcs that have ends, and numbers.
 */

enum { MOST_NODES = 32 };
#define NUMBER_LIMIT ((((hy_wide_int)1) << 31) - 1) // what a type of 32 bits says is no news

static const hy_value_end_found unknown = {false, NULL}, own = {true, NULL};

static hy_value_end_found found(const hy_expr *end) { return (hy_value_end_found){true, end}; }

static const hy_expr *binary(const hy_value_ends *e, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(e->context, op, a, b);
}

static const hy_expr *extremum(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b) {
  int64_t x, y;
  if (a == b) return a;
  if (hy_expr_is_int(a, &x) && hy_expr_is_int(b, &y)) return (op == HY_OP_MIN) == (x < y) ? a : b;
  return hy_expr_binary(context, op, a, b);
}

hy_value_end_found hy_value_ends_joined(hy_context *context, hy_value_end_found a, hy_value_end_found b, bool upper) {
  if (!a.is_known || !b.is_known) return unknown;
  if (!a.end || !b.end) return a.end ? a : b;
  return found(extremum(context, upper ? HY_OP_MAX : HY_OP_MIN, a.end, b.end));
}

static bool is_whole(hy_type type) { return type != HY_BOOL && type != HY_U64 && hy_type_is_integral(type); }

static const hy_expr *as_int(const hy_value_ends *e, const hy_expr *expr) {
  return expr->type == HY_INT ? expr : hy_expr_cast(e->context, HY_INT, expr);
}

static hy_value_end_found end_by_number(const hy_value_ends *e, const hy_expr *expr, bool upper) {
  hy_range range = hy_ranges_of(e->ranges, expr);
  hy_wide_int end = upper ? range.high : range.low;
  if (end >= NUMBER_LIMIT || end <= -NUMBER_LIMIT) return unknown;
  return found(hy_expr_int(e->context, (int64_t)end));
}

static bool is_known_at_entry(const hy_value_ends *e, const hy_expr *expr) {
  return hy_expr_is_startup(expr) && hy_ranges_total(e->ranges, expr);
}

static bool is_number(const hy_value_ends *e, const hy_expr *expr) {
  hy_range range = hy_ranges_of(e->ranges, expr);
  return range.low == range.high;
}

// m <= x <= m + n - 1 of x in (m, n)
static hy_value_end_found end_of_loop(const hy_value_ends *e, const hy_expr *var, bool upper) {
  for (size_t i = e->loop_count; i-- > 0;) {
    if (e->loops[i]->loop.var != var->var) continue;
    hy_interval in = e->loops[i]->loop.interval;
    const hy_expr *one = hy_expr_int(e->context, 1);
    const hy_expr *end = upper ? binary(e, HY_OP_SUB, binary(e, HY_OP_ADD, in.min, in.len), one) : in.min;
    if (is_known_at_entry(e, end) && !is_number(e, end)) return found(end);
  }
  return end_by_number(e, var, upper);
}

static hy_value_end_found end_of_load(const hy_value_ends *e, const hy_expr *load, bool upper) {
  if (load->func == e->func && load->part == e->part) return own;
  const hy_expr *end = load->func->is_image ? NULL : hy_value_end(e->values, load->func, load->part, upper);
  return end ? found(end) : end_by_number(e, load, upper);
}

// min(a, b) is at most either; and at least the lesser of what both are at least.
static hy_value_end_found end_of_extremum(const hy_value_ends *e, const hy_expr *expr, bool upper) {
  hy_value_end_found a = hy_value_end_of(e, expr->args[0], upper), b = hy_value_end_of(e, expr->args[1], upper);
  if ((expr->op == HY_OP_MAX) == upper) return hy_value_ends_joined(e->context, a, b, upper);
  if (!a.is_known || !b.is_known) return a.is_known ? a : b;
  if (!a.end || !b.end) return own;
  return found(extremum(e->context, expr->op, a.end, b.end));
}

// A conversion of what its type holds.
static bool keeps_number(const hy_value_ends *e, const hy_expr *expr) {
  if (expr->op != HY_OP_CAST || !is_whole(expr->args[0]->type)) return false;
  return hy_range_is_within(hy_ranges_of(e->ranges, expr->args[0]), hy_type_numbers(expr->type));
}

hy_value_end_found hy_value_end_of(const hy_value_ends *e, const hy_expr *stored, bool upper) {
  if (!is_whole(stored->type)) return unknown;
  if (is_known_at_entry(e, stored))
    return is_number(e, stored) ? end_by_number(e, stored, upper) : found(as_int(e, stored));
  if (stored->kind == HY_EXPR_VAR) return end_of_loop(e, stored, upper);
  if (stored->kind == HY_EXPR_ACCESS) return end_of_load(e, stored, upper);
  if (stored->kind != HY_EXPR_OP) return end_by_number(e, stored, upper);
  if (stored->op == HY_OP_MIN || stored->op == HY_OP_MAX) return end_of_extremum(e, stored, upper);
  if (stored->op == HY_OP_SELECT) {
    hy_value_end_found then = hy_value_end_of(e, stored->args[1], upper);
    return hy_value_ends_joined(e->context, then, hy_value_end_of(e, stored->args[2], upper), upper);
  }
  return keeps_number(e, stored) ? hy_value_end_of(e, stored->args[0], upper) : end_by_number(e, stored, upper);
}

static void count_node(void *self, const hy_expr *node) {
  int *nodes = self;
  (void)node;
  ++*nodes;
}

bool hy_value_end_says_more(const hy_expr *end) {
  int nodes = 0;
  if (!end || end->kind == HY_EXPR_CONST) return false;
  hy_expr_visit(end, count_node, &nodes);
  return nodes <= MOST_NODES;
}
