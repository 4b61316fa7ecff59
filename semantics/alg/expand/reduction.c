/* Inline reductions: sum(rdom(..) in e) is a func of its own, which begins with a value and meets e with each point;
 * argmin(rdom(..) in e) is one that keeps where the least e was, and e itself.
 */

#include "semantics/alg/expand/expand.h"

#include <string.h>

static const struct {
  const char *name;
  hy_op op;
  bool keeps_where;
} rows[] = {
#define HY_REDUCTION(name, spelling, op, keeps_where) {spelling, HY_OP_##op, keeps_where},
#include "semantics/alg/expand/expansions.def"
#undef HY_REDUCTION
};

const char *hy_reduction_name(hy_reduction reduction) { return rows[reduction].name; }
hy_op hy_reduction_op(hy_reduction reduction) { return rows[reduction].op; }
bool hy_reduction_keeps_where(hy_reduction reduction) { return rows[reduction].keeps_where; }

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

const hy_expr *hy_expand_start(hy_context *context, hy_reduction reduction, hy_type type) {
  switch (reduction) {
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
