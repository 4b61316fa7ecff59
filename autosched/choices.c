#include "autosched/choices.h"

bool hy_choices_is_pure(const hy_func_graph *g, int node, int stage, int dim) {
  return stage == 0 || g->nodes[node].stages[stage].stage->pure & UINT32_C(1) << dim;
}

int64_t hy_choices_summed(const hy_stage_choice *c) { return c->lanes * (c->vectors > 1 ? c->vectors : 1); }

static void plain_stage(const hy_func_graph *g, int node, int stage, hy_stage_choice *c) {
  *c = (hy_stage_choice){.vector = -1, .unroll = -1};
  for (int d = 0; d < g->nodes[node].func->rank; d++)
    if (hy_choices_is_pure(g, node, stage, d)) c->order[c->order_count++] = d;
}

hy_choices_list *hy_choices_plain(const hy_func_graph *g) {
  hy_arena *arena = hy_context_arena(g->context);
  hy_choices_list *list = HY_NEW(arena, hy_choices_list);
  list->count = g->count;
  list->funcs = HY_NEW_ARRAY(arena, hy_func_choice, g->count);
  for (int n = 0; n < g->count; n++) {
    hy_func_choice *f = &list->funcs[n];
    *f = (hy_func_choice){.place = HY_PLACE_ROOT, .consumer = -1, .fold_dim = -1};
    f->stages = HY_NEW_ARRAY(arena, hy_stage_choice, g->nodes[n].stage_count + 1);
    for (int k = 0; k < g->nodes[n].stage_count; k++) plain_stage(g, n, k, &f->stages[k]);
  }
  return list;
}

hy_choices_list *hy_choices_copy(const hy_func_graph *g, const hy_choices_list *choices) {
  hy_choices_list *list = hy_choices_plain(g);
  for (int n = 0; n < g->count; n++) {
    hy_stage_choice *stages = list->funcs[n].stages;
    for (int k = 0; k < g->nodes[n].stage_count; k++) stages[k] = choices->funcs[n].stages[k];
    list->funcs[n] = choices->funcs[n];
    list->funcs[n].stages = stages;
  }
  return list;
}

static bool any_split(const hy_stage_choice *c) {
  for (int i = 0; i < c->order_count; i++)
    if (c->tile[c->order[i]]) return true;
  return false;
}

// Has it a loop inside of those over tiles?
static bool is_inside(const hy_func_graph *g, int node, int stage, const hy_stage_choice *c, int dim) {
  return dim < g->nodes[node].func->rank && hy_choices_is_pure(g, node, stage, dim) && c->tile[dim] != 1;
}

int hy_choices_loops(const hy_func_graph *g, int node, int stage, const hy_stage_choice *c,
                     hy_loop_name loops[HY_MOST_LOOPS]) {
  int count = 0;
  bool split = any_split(c);
  for (int i = c->order_count - 1; i >= 0; i--)
    if (!split || c->tile[c->order[i]]) loops[count++] = (hy_loop_name){c->order[i], split};
  for (int d = g->nodes[node].func->rank - 1; split && d >= 0; d--)
    if (d != c->innermost && is_inside(g, node, stage, c, d)) loops[count++] = (hy_loop_name){d, false};
  if (split && is_inside(g, node, stage, c, c->innermost)) loops[count++] = (hy_loop_name){c->innermost, false};
  return count;
}
