/* The numbers of an image's box. Two are variables of the core, in.min(d) and in.len(d). */

#include "semantics/alg/expand/expand.h"

// ALG.Expand.Box-Max: in.max(d) is the last coordinate, in.min(d) + in.len(d) - 1
static const hy_expr *box_max(hy_context *context, const hy_func *image, int dim) {
  const hy_expr *min = hy_expr_var(context, image->min[dim]), *len = hy_expr_var(context, image->len[dim]);
  const hy_expr *end = hy_index_add(context, min, len);
  return hy_index_sub(context, end, hy_expr_int(context, 1));
}

const hy_expr *hy_expand_box(hy_context *context, hy_box_number number, const hy_func *image, int dim) {
  switch (number) {
  case HY_BOX_MIN: return hy_expr_var(context, image->min[dim]);
  case HY_BOX_LEN: return hy_expr_var(context, image->len[dim]);
  case HY_BOX_MAX: hy_context_hit(context, HY_RULE_ALG_EXPAND_BOX_MAX); return box_max(context, image, dim);
  }
  HY_UNREACHABLE();
}
