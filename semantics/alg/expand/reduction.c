/* Inline reductions: sum(rdom(..) in e) is a func of its own, which begins with a value and meets e with each point;
 * argmin(rdom(..) in e) is one that keeps where the least e was, and e itself.
 */

#include "semantics/alg/expand/expand.h"

#include <string.h>

static const struct {
  const char *name;
  hy_op op;
  enum { MEETS, WHERE, SATURATES } how;
} rows[] = {
#define HY_REDUCTION(name, spelling, op, how) {spelling, HY_OP_##op, how},
#include "semantics/alg/expand/expansions.def"
#undef HY_REDUCTION
};

const char *hy_reduction_name(hy_reduction reduction) { return rows[reduction].name; }
hy_op hy_reduction_op(hy_reduction reduction) { return rows[reduction].op; }
bool hy_reduction_keeps_where(hy_reduction reduction) { return rows[reduction].how == WHERE; }
bool hy_reduction_saturates(hy_reduction reduction) { return rows[reduction].how == SATURATES; }

bool hy_reduction_find(const char *name, hy_reduction *reduction) {
  for (int i = 0; i < HY_REDUCTION_COUNT; i++)
    if (strcmp(rows[i].name, name) == 0) return *reduction = (hy_reduction)i, true;
  return false;
}

static const hy_expr *number(hy_context *context, hy_type type, int i) {
  bool is_float = hy_type_class_of(type) == HY_CLASS_FLOAT;
  return hy_expr_const(context, is_float ? hy_value_from_double(type, i) : hy_value_integral(type, i));
}

// The least value of a type, or the greatest: of a float an infinity, which has no literal.
static const hy_expr *extreme(hy_context *context, hy_type type, bool is_greatest) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) {
    const hy_expr *zero = number(context, type, 0);
    return hy_expr_binary(context, HY_OP_DIV, number(context, type, is_greatest ? 1 : -1), zero);
  }
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  if (type == HY_U64) greatest = -1; // modulo 2^64
  return hy_expr_const(context, hy_value_integral(type, is_greatest ? greatest : least));
}

const hy_expr *hy_expand_comes_before(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b) {
  if (a->type != HY_BOOL) return hy_expr_binary(context, op, a, b);
  const hy_expr *lesser = op == HY_OP_LT ? a : b, *other = op == HY_OP_LT ? b : a;
  const hy_expr *is_false = hy_expr_op(context, HY_OP_NOT, HY_BOOL, &lesser);
  return op == HY_OP_LT ? hy_expr_binary(context, HY_OP_AND, is_false, other)
                        : hy_expr_binary(context, HY_OP_AND, other, is_false);
}

const hy_expr *hy_expand_start(hy_context *context, hy_reduction reduction, hy_type type) {
  switch (reduction) {
  case HY_REDUCTION_SATURATING_SUM:
  case HY_REDUCTION_SUM: return number(context, type, 0);
  case HY_REDUCTION_PRODUCT: return number(context, type, 1);
  case HY_REDUCTION_ARGMIN:
  case HY_REDUCTION_MINIMUM: return extreme(context, type, true);
  case HY_REDUCTION_ARGMAX:
  case HY_REDUCTION_MAXIMUM: return extreme(context, type, false);
  case HY_REDUCTION_COUNT: break;
  }
  HY_UNREACHABLE();
}

/* -- a start that says more: any number will do that no value of a maximum is less than -- */

static bool has_points(const hy_stage *update) {
  int64_t len;
  for (int i = 0; i < update->rdom_count; i++)
    if (!hy_expr_is_int(update->rdoms[i].interval.len, &len) || len < 1) return false;
  return !update->predicate;
}

static bool is_met(const hy_stage *update, const hy_expr *start) {
  bool is_number = hy_type_is_integral(start->type) && start->type != HY_BOOL && start->type != HY_U64;
  return is_number && start->kind == HY_EXPR_CONST && update->rhs->kind == HY_EXPR_OP &&
         (update->rhs->op == HY_OP_MIN || update->rhs->op == HY_OP_MAX);
}

typedef __int128 wide;
typedef struct {
  wide low, high;
} ends;

static ends ends_of(const hy_expr *e);

static ends of_type(hy_type type) {
  if (type == HY_U64) return (ends){0, (wide)UINT64_MAX};
  if (type == HY_BOOL) return (ends){0, 1};
  int64_t low, high;
  hy_type_range(type, &low, &high);
  return (ends){low, high};
}

static wide least(wide a, wide b) { return a < b ? a : b; }
static wide greatest(wide a, wide b) { return a > b ? a : b; }
static ends joined(ends a, ends b) { return (ends){least(a.low, b.low), greatest(a.high, b.high)}; }

static wide quotient(wide a, wide by) { return a / by - (a % by < 0); } // rounded down, by > 0

static ends product(ends a, ends b) {
  ends x = {least(a.low * b.low, a.low * b.high), greatest(a.low * b.low, a.low * b.high)};
  ends y = {least(a.high * b.low, a.high * b.high), greatest(a.high * b.low, a.high * b.high)};
  return joined(x, y);
}

// By a number that is written and positive.
static ends by_number(const hy_expr *e, ends a) {
  ends b = ends_of(e->args[1]), all = of_type(e->type);
  if (e->args[1]->kind != HY_EXPR_CONST || b.low < 1) return all;
  switch ((int)e->op) {
  case HY_OP_DIV: return (ends){quotient(a.low, b.low), quotient(a.high, b.low)};
  case HY_OP_MOD: return (ends){0, b.low - 1};
  case HY_OP_BIT_AND: return (ends){0, b.low};
  case HY_OP_SHR:
    return b.low > 63 ? all : (ends){quotient(a.low, (wide)1 << b.low), quotient(a.high, (wide)1 << b.low)};
  default: return all;
  }
}

// Of 64-bit numbers no sum or product leaves 128 bits.
static ends ends_of_op(const hy_expr *e) {
  for (int i = 0; i < e->count; i++)
    if (!hy_type_is_integral(e->args[i]->type) && e->args[i]->type != HY_BOOL) return of_type(e->type);
  ends a = ends_of(e->args[0]), b = e->count > 1 ? ends_of(e->args[1]) : a;
  switch ((int)e->op) {
  case HY_OP_ADD: return (ends){a.low + b.low, a.high + b.high};
  case HY_OP_SUB: return (ends){a.low - b.high, a.high - b.low};
  case HY_OP_NEG: return (ends){-a.high, -a.low};
  case HY_OP_MUL: return e->type == HY_U64 ? of_type(e->type) : product(a, b);
  case HY_OP_MIN: return (ends){least(a.low, b.low), least(a.high, b.high)};
  case HY_OP_MAX: return (ends){greatest(a.low, b.low), greatest(a.high, b.high)};
  case HY_OP_SELECT: return joined(b, ends_of(e->args[2]));
  case HY_OP_CAST: return a;
  default: return e->count == 2 ? by_number(e, a) : of_type(e->type);
  }
}

// Between which numbers a whole number lies by its arithmetic alone: loads, parameters and coordinates may be any of their
// types. What may leave its type wraps, and may be any, too; an int that does is an error.
static ends ends_of(const hy_expr *e) {
  ends all = of_type(e->type), own = all;
  if (e->kind == HY_EXPR_CONST && !e->value.error && e->type != HY_BOOL)
    own.low = own.high = hy_type_class_of(e->type) == HY_CLASS_UNSIGNED ? (wide)e->value.u : (wide)e->value.i;
  if (e->kind == HY_EXPR_OP && hy_type_is_integral(e->type)) own = ends_of_op(e);
  return own.low < all.low || own.high > all.high ? all : own;
}

const hy_expr *hy_expand_start_nearer(hy_context *context, const hy_stage *update, const hy_expr *start) {
  if (!is_met(update, start) || !has_points(update)) return start;
  ends values = ends_of(update->rhs->args[1]);
  wide nearer = update->rhs->op == HY_OP_MAX ? values.low : values.high;
  return hy_expr_const(context, hy_value_integral(start->type, (int64_t)nearer));
}
