#include "fuzz/change/edit.h"

#include <string.h>

const hy_expr *hy_edit_number(hy_context *context, hy_type type, int64_t i) {
  return hy_expr_const(context, hy_type_class_of(type) == HY_CLASS_FLOAT ? hy_value_from_double(type, (double)i)
                                                                         : hy_value_integral(type, i));
}

// The pure variables are the coordinates; a reduction variable has its first value.
static const hy_expr *put_instead(const hy_edit *e, const hy_expr *access) {
  enum { MOST = 24 };
  const hy_definition *d = e->definition;
  hy_binding bindings[MOST];
  size_t count = 0;
  for (int i = 0; i < d->func->rank; i++) bindings[count++] = (hy_binding){d->vars[i], access->args[i]};
  for (int k = 0; k < d->stage_count; k++)
    for (int r = 0; r < d->stages[k].rdom_count && count < MOST; r++)
      bindings[count++] = (hy_binding){d->stages[k].rdoms[r].var, d->stages[k].rdoms[r].interval.min};
  const hy_expr *value = hy_expr_substitute(e->context, e->instead, bindings, count);
  if (value->type == access->type) return value;
  bool is_truth = hy_type_class_of(value->type) == HY_CLASS_BOOL || hy_type_class_of(access->type) == HY_CLASS_BOOL;
  return is_truth ? access : hy_expr_cast(e->context, access->type, value);
}

static const hy_expr *map_node(void *self, const hy_expr *node) {
  const hy_edit *e = self;
  if (node == e->from) return e->to;
  if (e->dropped && node->kind == HY_EXPR_ACCESS && node->func == e->dropped)
    return e->instead ? put_instead(e, node) : hy_edit_number(e->context, node->type, 1);
  return node;
}

static const hy_expr *edited(hy_edit *e, const hy_expr *expr) {
  return expr ? hy_expr_map(e->context, expr, map_node, e) : NULL;
}

static hy_stage edit_stage(hy_edit *e, const hy_stage *stage, int rank) {
  hy_arena *arena = hy_context_arena(e->context);
  hy_stage copy = *stage;
  const hy_expr **lhs = HY_NEW_ARRAY(arena, const hy_expr *, rank + 1);
  for (int d = 0; d < rank; d++) lhs[d] = edited(e, stage->lhs[d]);
  hy_rdom *rdoms = HY_NEW_ARRAY(arena, hy_rdom, stage->rdom_count + 1);
  for (int r = 0; r < stage->rdom_count; r++) {
    rdoms[r] = stage->rdoms[r];
    rdoms[r].interval = (hy_interval){edited(e, rdoms[r].interval.min), edited(e, rdoms[r].interval.len)};
  }
  copy.lhs = lhs;
  copy.rdoms = rdoms;
  copy.rhs = edited(e, stage->rhs);
  copy.predicate = edited(e, stage->predicate);
  return copy;
}

void hy_edit_outputs(hy_context *context, hy_alg *copy, const hy_func *dropped) {
  hy_output outputs[HY_MAX_OUTPUTS];
  int count = 0;
  for (int k = 0; k < copy->output_count; k++)
    if (copy->outputs[k].func != dropped) outputs[count++] = copy->outputs[k];
  if (!count) outputs[count++] = (hy_output){.func = copy->definitions[copy->definition_count - 1].func};
  hy_alg_keep_outputs(context, copy, outputs, count);
}

hy_alg hy_edit_alg(hy_edit *e, const hy_alg *alg, int only) {
  hy_arena *arena = hy_context_arena(e->context);
  hy_alg copy = *alg;
  hy_definition *definitions = HY_NEW_ARRAY(arena, hy_definition, alg->definition_count);
  copy.definition_count = 0;
  for (int i = 0; i < alg->definition_count; i++) {
    const hy_definition *d = &alg->definitions[i];
    if (d->func == e->dropped) continue;
    hy_definition *fresh = &definitions[copy.definition_count++];
    *fresh = *d;
    if (only >= 0 && i != only) continue;
    hy_stage *stages = HY_NEW_ARRAY(arena, hy_stage, d->stage_count);
    for (int k = 0; k < d->stage_count; k++) stages[k] = edit_stage(e, &d->stages[k], d->func->rank);
    fresh->stages = stages;
  }
  copy.definitions = definitions;
  if (e->dropped) hy_edit_outputs(e->context, &copy, e->dropped);
  return copy;
}
