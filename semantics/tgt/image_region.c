#include "semantics/tgt/image_region.h"

/* LOW.Entry-Image's check, read backwards. */

// The two bounds that the check compares with an image's box in one dimension.
typedef struct {
  const hy_expr *min, *end;
} bounds;

static bool is_var(const hy_expr *expr, const hy_var *var) { return expr->kind == HY_EXPR_VAR && expr->var == var; }

static bool is_op(const hy_expr *expr, hy_op op) { return expr->kind == HY_EXPR_OP && expr->op == op; }

static bool is_end(const hy_expr *expr, const hy_func *image, int dim) {
  if (!is_op(expr, HY_OP_ADD)) return false;
  return (is_var(expr->args[0], image->min[dim]) && is_var(expr->args[1], image->len[dim])) ||
         (is_var(expr->args[1], image->min[dim]) && is_var(expr->args[0], image->len[dim]));
}

// match: in.min(d) <= need.min and need.min + need.len <= in.min(d) + in.len(d), anywhere under && and ||
static void match_bounds(const hy_expr *check, const hy_func *image, bounds *found) {
  if (is_op(check, HY_OP_AND) || is_op(check, HY_OP_OR)) {
    match_bounds(check->args[0], image, found);
    match_bounds(check->args[1], image, found);
  }
  if (!is_op(check, HY_OP_LE)) return;
  for (int d = 0; d < image->rank; d++) {
    if (is_var(check->args[0], image->min[d])) found[d].min = check->args[1];
    if (is_end(check->args[1], image, d)) found[d].end = check->args[0];
  }
}

bool hy_image_region(const hy_tgt *filled, const hy_func *image, const hy_expr **min, const hy_expr **end) {
  bounds found[HY_MAX_RANK] = {0};
  for (int i = 0; i < filled->entry_count; i++) {
    const hy_stmt *stmt = filled->entry[i];
    if (stmt->kind != HY_STMT_ASSUME || stmt->assume.why != HY_ASSUME_IMAGE || stmt->assume.subject != image) continue;
    match_bounds(stmt->assume.condition, image, found);
    for (int d = 0; d < image->rank; d++) {
      if (!found[d].min || !found[d].end) return false;
      min[d] = found[d].min;
      end[d] = found[d].end;
    }
    return true;
  }
  return false;
}
