#include "autosched/estimates.h"

#include <string.h>

hy_estimates *hy_estimates_new(hy_context *context, const hy_alg *alg) {
  hy_arena *arena = hy_context_arena(context);
  int funcs = alg->image_count + alg->definition_count;
  hy_estimates *e = HY_NEW(arena, hy_estimates);
  e->params = HY_NEW_ARRAY(arena, hy_value, alg->param_count + 1);
  e->has_param = HY_NEW_ARRAY(arena, bool, alg->param_count + 1);
  e->boxes = HY_NEW_ARRAY(arena, hy_box, funcs);
  e->known = HY_NEW_ARRAY(arena, uint32_t, funcs);
  for (int i = 0; i < alg->image_count; i++) e->boxes[alg->images[i]->index].rank = alg->images[i]->rank;
  for (int i = 0; i < alg->definition_count; i++) {
    const hy_func *func = alg->definitions[i].func;
    e->boxes[func->index].rank = func->rank;
  }
  return e;
}

bool hy_estimates_knows(const hy_estimates *e, const hy_func *func) {
  return e->known[func->index] == (UINT32_C(1) << func->rank) - 1;
}

bool hy_box_points(const hy_box *box, int64_t *points) {
  *points = 1;
  for (int d = 0; d < box->rank; d++)
    if (box->len[d] < 0 || __builtin_mul_overflow(*points, box->len[d], points) || *points > INT64_C(1) << 62)
      return false;
  return true;
}

/* -- what is missing -- */

typedef struct {
  const hy_alg *alg;
  const hy_estimates *estimates;
  bool *wants_param; // by position
  uint32_t *wants;   // by index: sides
} wanted;

static void want(void *self, const hy_expr *node) {
  wanted *w = self;
  if (node->kind != HY_EXPR_VAR) return;
  const hy_var *var = node->var;
  if (var->kind == HY_VAR_IMAGE_MIN || var->kind == HY_VAR_IMAGE_LEN)
    w->wants[var->func->index] |= UINT32_C(1) << var->dim;
  if (var->kind != HY_VAR_PARAM || hy_type_class_of(var->type) == HY_CLASS_FLOAT) return;
  for (int i = 0; i < w->alg->param_count; i++)
    if (w->alg->params[i] == var) w->wants_param[i] = true;
}

static void want_coordinates(void *self, const hy_expr *access) {
  for (int i = 0; i < access->count; i++) hy_expr_visit(access->args[i], want, self);
}

static void want_stage(wanted *w, const hy_stage *stage, int rank) {
  for (int r = 0; r < stage->rdom_count; r++) {
    hy_expr_visit(stage->rdoms[r].interval.min, want, w);
    hy_expr_visit(stage->rdoms[r].interval.len, want, w);
  }
  for (int d = 0; d < rank; d++) hy_expr_visit(stage->lhs[d], want, w);
  hy_expr_visit_accesses(stage->rhs, want_coordinates, w);
  if (stage->predicate) hy_expr_visit_accesses(stage->predicate, want_coordinates, w);
}

static int tell_sides(hy_context *context, const wanted *w, const hy_func *func, hy_estimate_missing *missing,
                      void *self) {
  int count = 0;
  for (int d = 0; d < func->rank; d++) {
    if (!(w->wants[func->index] & ~w->estimates->known[func->index] & UINT32_C(1) << d)) continue;
    missing(self, hy_arena_printf(hy_context_arena(context), "%s.%s", func->name, func->dims[d]), NULL);
    count++;
  }
  return count;
}

int hy_estimates_missing(hy_context *context, const hy_alg *alg, const hy_estimates *e, hy_estimate_missing *missing,
                         void *self) {
  hy_arena *arena = hy_context_arena(context);
  wanted w = {alg, e, HY_NEW_ARRAY(arena, bool, alg->param_count + 1),
              HY_NEW_ARRAY(arena, uint32_t, alg->image_count + alg->definition_count)};
  for (int i = 0; i < alg->output_count; i++) w.wants[alg->outputs[i].func->index] = UINT32_MAX;
  for (int i = 0; i < alg->definition_count; i++)
    for (int k = 0; k < alg->definitions[i].stage_count; k++)
      want_stage(&w, &alg->definitions[i].stages[k], alg->definitions[i].func->rank);
  int count = 0;
  for (int i = 0; i < alg->param_count; i++) {
    if (!w.wants_param[i] || e->has_param[i]) continue;
    missing(self, alg->params[i]->name, alg->params[i]);
    count++;
  }
  for (int i = 0; i < alg->image_count; i++) count += tell_sides(context, &w, alg->images[i], missing, self);
  for (int i = 0; i < alg->output_count; i++) count += tell_sides(context, &w, alg->outputs[i].func, missing, self);
  return count;
}
