#include "autosched/graph.h"

#include "autosched/cost.h"

#include <string.h>

enum {
  MOST_NODES = 4096,  // distinct ones of a stage: what is larger is not inlined further
  MOST_FOLLOWED = 256 // and of what a range is asked of again and again
};

/* -- making it -- */

// Costs and loads of the stage's expressions. False: they are too large.
static bool measure(hy_context *context, hy_node_stage *s, int rank, size_t most) {
  const hy_expr *exprs[HY_MAX_RANK + 2] = {s->rhs, s->predicate};
  for (int d = 0; d < rank; d++) exprs[2 + d] = s->lhs[d]->has_conversion ? s->lhs[d] : NULL; // else it is an address
  hy_expr_list accesses = {0};
  s->arithmetic = hy_cost_arithmetic(exprs, rank + 2, most, &accesses);
  const hy_expr **kept = HY_NEW_ARRAY(hy_context_arena(context), const hy_expr *, accesses.count + 1);
  for (size_t i = 0; i < accesses.count; i++) kept[i] = accesses.data[i];
  s->accesses = kept;
  s->access_count = (int)accesses.count;
  hy_vec_free(&accesses);
  return s->arithmetic >= 0;
}

static void add_func(hy_func_graph *g, const hy_definition *definition) {
  hy_func_node *n = &g->nodes[definition->func->index];
  *n = (hy_func_node){.func = definition->func, .definition = definition, .stage_count = definition->stage_count};
  n->is_output = hy_alg_output(g->alg, definition->func) != NULL;
  n->stages = HY_NEW_ARRAY(hy_context_arena(g->context), hy_node_stage, n->stage_count);
  for (int k = 0; k < n->stage_count; k++) {
    const hy_stage *stage = &definition->stages[k];
    n->stages[k] = (hy_node_stage){.stage = stage, .lhs = stage->lhs, .rhs = stage->rhs, .predicate = stage->predicate};
    measure(g->context, &n->stages[k], n->func->rank, SIZE_MAX);
  }
}

// f(a, b) -> what f(x, y) is by "value", with a and b for x and y
static const hy_expr *put_in_place(hy_context *context, const hy_func_node *of, const hy_expr *value,
                                   const hy_expr *access) {
  hy_binding bindings[HY_MAX_RANK];
  for (int d = 0; d < access->count; d++) bindings[d] = (hy_binding){of->definition->vars[d], access->args[d]};
  return hy_expr_substitute(context, hy_expr_part(value, access->part), bindings, (size_t)access->count);
}

/* -- what is of coordinates alone -- */

typedef struct {
  hy_context *context;
  const hy_func_node *nodes;
  const hy_expr *const *followed;
} following;

static const hy_expr *follow_node(void *self, const hy_expr *node) {
  const following *f = self;
  const hy_expr *value = node->kind == HY_EXPR_ACCESS ? f->followed[node->func->index] : NULL;
  return value ? put_in_place(f->context, &f->nodes[node->func->index], value, node) : node;
}

const hy_expr *hy_graph_followed(const hy_func_graph *g, const hy_expr *expr) {
  following f = {g->context, g->nodes, g->followed};
  return expr->has_access ? hy_expr_map(g->context, expr, follow_node, &f) : expr;
}

// NULL: it has updates, or reads what is none itself, or is too large.
static const hy_expr *of_coordinates(const hy_func_graph *g, const hy_func_node *node) {
  const hy_node_stage *s = &node->stages[0];
  hy_expr_list accesses = {0};
  if (node->stage_count != 1) return NULL;
  for (int i = 0; i < s->access_count; i++)
    if (!g->followed[s->accesses[i]->func->index]) return NULL;
  const hy_expr *value = hy_graph_followed(g, s->rhs);
  bool is_small = hy_cost_arithmetic(&value, 1, MOST_FOLLOWED, &accesses) >= 0;
  hy_vec_free(&accesses);
  return is_small ? value : NULL;
}

hy_func_graph *hy_graph_new(hy_context *context, const hy_alg *alg, const hy_estimates *estimates) {
  hy_func_graph *g = HY_NEW(hy_context_arena(context), hy_func_graph);
  *g = (hy_func_graph){.context = context, .alg = alg, .estimates = estimates, .first = alg->image_count};
  g->count = alg->image_count + alg->definition_count;
  g->nodes = HY_NEW_ARRAY(hy_context_arena(context), hy_func_node, g->count);
  for (int i = 0; i < alg->image_count; i++) g->nodes[alg->images[i]->index].func = alg->images[i];
  g->followed = HY_NEW_ARRAY(hy_context_arena(context), const hy_expr *, g->count);
  for (int i = 0; i < alg->definition_count; i++) {
    add_func(g, &alg->definitions[i]);
    const hy_func_node *node = &g->nodes[alg->definitions[i].func->index];
    g->followed[node->func->index] = of_coordinates(g, node);
  }
  return g;
}

hy_func_graph *hy_graph_copy(const hy_func_graph *graph) {
  hy_arena *arena = hy_context_arena(graph->context);
  hy_func_graph *g = HY_NEW(arena, hy_func_graph);
  *g = *graph;
  g->nodes = HY_NEW_ARRAY(arena, hy_func_node, g->count);
  for (int n = 0; n < g->count; n++) {
    g->nodes[n] = graph->nodes[n];
    g->nodes[n].stages = HY_NEW_ARRAY(arena, hy_node_stage, g->nodes[n].stage_count + 1);
    for (int k = 0; k < g->nodes[n].stage_count; k++) g->nodes[n].stages[k] = graph->nodes[n].stages[k];
  }
  return g;
}

/* -- who reads whom -- */

bool hy_graph_stage_reads(const hy_func_graph *g, int reader, int stage, int read) {
  const hy_node_stage *s = &g->nodes[reader].stages[stage];
  for (int i = 0; i < s->access_count; i++)
    if ((int)s->accesses[i]->func->index == read && read != reader) return true;
  return false;
}

bool hy_graph_reads(const hy_func_graph *g, int reader, int read) {
  if (g->nodes[reader].is_inlined) return false;
  for (int k = 0; k < g->nodes[reader].stage_count; k++)
    if (hy_graph_stage_reads(g, reader, k, read)) return true;
  return false;
}

/* -- inlining -- */

bool hy_graph_may_inline(const hy_func_graph *g, int node) {
  const hy_func_node *n = &g->nodes[node];
  if (!n->definition || n->is_output || n->is_inlined || n->stage_count != 1) return false;
  for (int reader = node + 1; reader < g->count; reader++)
    if (hy_graph_reads(g, reader, node)) return true;
  return false;
}

typedef struct {
  hy_context *context;
  const hy_func_node *inlined;
} inlining;

static const hy_expr *inline_node(void *self, const hy_expr *node) {
  inlining *in = self;
  if (node->kind != HY_EXPR_ACCESS || node->func != in->inlined->func) return node;
  return put_in_place(in->context, in->inlined, in->inlined->stages[0].rhs, node);
}

static const hy_expr *inline_expr(inlining *in, const hy_expr *expr) {
  return expr && expr->has_access ? hy_expr_map(in->context, expr, inline_node, in) : expr;
}

bool hy_graph_inlined_stage(const hy_func_graph *g, int node, int reader, int stage, hy_node_stage *made) {
  inlining in = {g->context, &g->nodes[node]};
  int rank = g->nodes[reader].func->rank;
  *made = g->nodes[reader].stages[stage];
  const hy_expr **lhs = HY_NEW_ARRAY(hy_context_arena(g->context), const hy_expr *, rank + 1);
  for (int d = 0; d < rank; d++) lhs[d] = inline_expr(&in, made->lhs[d]);
  made->lhs = lhs;
  made->rhs = inline_expr(&in, made->rhs);
  made->predicate = inline_expr(&in, made->predicate);
  return measure(g->context, made, rank, MOST_NODES);
}

bool hy_graph_inline(hy_func_graph *g, int node) {
  for (int apply = 0; apply < 2; apply++)
    for (int reader = node + 1; reader < g->count; reader++)
      for (int k = 0; k < g->nodes[reader].stage_count && !g->nodes[reader].is_inlined; k++) {
        hy_node_stage made;
        if (!hy_graph_stage_reads(g, reader, k, node)) continue;
        if (!hy_graph_inlined_stage(g, node, reader, k, &made)) return false;
        if (apply) g->nodes[reader].stages[k] = made;
      }
  g->nodes[node].is_inlined = true;
  return true;
}
