#include "autosched/vectors.h"

#include "autosched/boxes.h"
#include "autosched/choices.h"

#include <stdlib.h>

enum { FEW_POINTS = 4, MOST_PASSES = 16, EACH_LANE = 2 }; // a load, and its way into the vector

/* -- how far apart lanes lie -- */

// What a coordinate adds for the next value of a variable: factor / divisor. Not known: lanes may lie anywhere.
typedef struct {
  bool known;
  int64_t factor, divisor;
} stride;

static const stride unknown = {false, 0, 1}, none = {true, 0, 1};

static stride sum_of(stride a, stride b, int64_t sign) {
  if (!a.known || !b.known || __builtin_mul_overflow(b.factor, sign, &b.factor)) return unknown;
  if (!b.factor) return a;
  if (!a.factor) return b;
  bool is_whole = a.divisor == 1 && b.divisor == 1;
  return is_whole && !__builtin_add_overflow(a.factor, b.factor, &a.factor) ? a : unknown;
}

static stride stride_of(const hy_expr *e, const hy_var *var);

static stride product_of(const hy_expr *a, const hy_expr *b, const hy_var *var) {
  int64_t times;
  stride s = stride_of(a, var);
  if (!hy_expr_is_int(b, &times) || !s.known || s.divisor != 1 || __builtin_mul_overflow(s.factor, times, &s.factor))
    return unknown;
  return s;
}

static stride quotient_of(const hy_expr *e, const hy_var *var) {
  int64_t by;
  stride s = stride_of(e->args[0], var);
  if (!hy_expr_is_int(e->args[1], &by) || by < 1 || !s.known || s.divisor != 1) return unknown;
  if (s.factor % by == 0) return (stride){true, s.factor / by, 1};
  return (stride){s.factor == 1 || s.factor == -1, s.factor, by};
}

// Of a clamp that of what is clamped: most lanes lie inside.
static stride limited(const hy_expr *e, const hy_var *var) {
  stride a = stride_of(e->args[0], var), b = stride_of(e->args[1], var);
  if (!hy_expr_mentions(e->args[0], var)) return b;
  if (!hy_expr_mentions(e->args[1], var)) return a;
  return a.known && b.known && a.factor == b.factor && a.divisor == b.divisor ? a : unknown;
}

static stride stride_of(const hy_expr *e, const hy_var *var) {
  if (!hy_expr_mentions(e, var)) return none;
  if (e->kind == HY_EXPR_VAR) return (stride){true, 1, 1};
  if (e->kind != HY_EXPR_OP) return unknown;
  if (e->op == HY_OP_ADD) return sum_of(stride_of(e->args[0], var), stride_of(e->args[1], var), 1);
  if (e->op == HY_OP_SUB) return sum_of(stride_of(e->args[0], var), stride_of(e->args[1], var), -1);
  if (e->op == HY_OP_MIN || e->op == HY_OP_MAX) return limited(e, var);
  if (e->op == HY_OP_DIV) return quotient_of(e, var);
  if (e->op != HY_OP_MUL) return unknown;
  bool is_first = hy_expr_mentions(e->args[0], var);
  return product_of(e->args[!is_first], e->args[is_first], var);
}

/* -- loads of a vector -- */

// Every second point is two loads and a choice, and so is each point twice.
static int64_t loads_along(stride s, int64_t lanes) {
  int64_t anywhere = EACH_LANE * lanes;
  if (!s.known || s.factor > anywhere || s.factor < -anywhere) return anywhere;
  if (s.divisor > 1) return 2;
  return s.factor ? llabs(s.factor) : 1;
}

// The loads, or stores, of a vector along the variable.
static int64_t accesses_of(const hy_func_graph *g, const hy_vector_plan *p, int node, const hy_expr *const *coordinates,
                           const hy_var *var) {
  const hy_func_node *n = &g->nodes[node];
  int moved = -1, dense = p->dense[node];
  int64_t anywhere = EACH_LANE * p->lanes;
  for (int d = 0; d < n->func->rank; d++) {
    if (!hy_expr_mentions(coordinates[d], var)) continue;
    if (moved >= 0) return anywhere;
    moved = d;
  }
  if (moved < 0) return 1;
  int64_t loads = loads_along(stride_of(coordinates[moved], var), p->lanes);
  if (moved == dense) return loads;
  // beside a few points that lie side by side, as the channels of a pixel
  bool is_next = moved == (dense == 0 ? 1 : 0) && n->box.len[dense] <= FEW_POINTS;
  if (is_next && n->is_needed && n->box.len[dense] > 0) loads *= n->box.len[dense];
  return is_next && loads < anywhere ? loads : anywhere;
}

/* -- a stage -- */

static const hy_var *variable_of(const hy_func_graph *g, int node, int dim) {
  return g->nodes[node].definition->vars[dim];
}

static int64_t vector_cost(const hy_func_graph *g, const hy_vector_plan *p, int node, int stage, int dim) {
  const hy_node_stage *s = &g->nodes[node].stages[stage];
  const hy_var *var = variable_of(g, node, dim);
  int64_t accesses = hy_func_parts(g->nodes[node].func) * accesses_of(g, p, node, s->lhs, var);
  for (int i = 0; i < s->access_count; i++)
    accesses += accesses_of(g, p, (int)s->accesses[i]->func->index, s->accesses[i]->args, var);
  return s->arithmetic + p->load_cost * accesses;
}

bool hy_vectors_cost(const hy_func_graph *g, const hy_vector_plan *p, int node, int stage, int dim, hy_cost *cost) {
  const hy_node_stage *s = &g->nodes[node].stages[stage];
  const hy_box *box = &g->nodes[node].box;
  int64_t instances;
  if (!hy_boxes_instances(g, node, stage, box, &instances)) return false;
  if (dim < 0)
    *cost =
        (hy_cost)instances * (s->arithmetic + p->load_cost * (s->access_count + hy_func_parts(g->nodes[node].func)));
  else if (box->len[dim] < 1)
    *cost = 0;
  else {
    int64_t vectors = instances / box->len[dim] * ((box->len[dim] - 1) / p->lanes + 1);
    *cost = (hy_cost)vectors * vector_cost(g, p, node, stage, dim);
  }
  return true;
}

int64_t hy_vectors_lanes(const hy_vector_plan *p, int node, int stage, const hy_box *box, int64_t instances) {
  int along = p->along[node][stage];
  int64_t lanes;
  if (along < 0 || box->len[along] < 1) return instances;
  int64_t vectors = instances / box->len[along] * ((box->len[along] - 1) / p->lanes + 1);
  return __builtin_mul_overflow(vectors, p->lanes, &lanes) ? instances : lanes;
}

/* -- the choice -- */

// Along which of the stage's dimensions its vectors cost least; of equal ones the first. Scalars only where the first
// dimension is none of its loops.
static bool best_along(const hy_func_graph *g, const hy_vector_plan *p, int node, int stage, int *along,
                       hy_cost *least) {
  bool has = false;
  for (int d = hy_choices_is_pure(g, node, stage, 0) ? 0 : -1; d < g->nodes[node].func->rank; d++) {
    hy_cost cost;
    if (d >= 0 && !hy_choices_is_pure(g, node, stage, d)) continue;
    if (!hy_vectors_cost(g, p, node, stage, d, &cost)) return false;
    if (has && cost >= *least) continue;
    has = true;
    *least = cost;
    *along = d;
  }
  return true;
}

static bool is_there(const hy_func_graph *g, int node) {
  return g->nodes[node].definition && !g->nodes[node].is_inlined && g->nodes[node].is_needed &&
         g->nodes[node].func->rank > 0;
}

// Its own stages at their best, and those that read it as they are.
static bool cost_around(const hy_func_graph *g, const hy_vector_plan *p, int node, hy_cost *total) {
  hy_cost cost;
  int along = -1;
  *total = 0;
  for (int k = 0; k < g->nodes[node].stage_count; k++) {
    if (!best_along(g, p, node, k, &along, &cost)) return false;
    *total += cost;
  }
  for (int n = node + 1; n < g->count; n++)
    for (int k = 0; is_there(g, n) && k < g->nodes[n].stage_count; k++) {
      if (!hy_graph_stage_reads(g, n, k, node)) continue;
      if (!hy_vectors_cost(g, p, n, k, p->along[n][k], &cost)) return false;
      *total += cost;
    }
  return true;
}

// How the func lies in memory: no output, whose form the caller has.
static bool choose_func(const hy_func_graph *g, hy_vector_plan *p, int node, bool *changed) {
  const hy_func_node *n = &g->nodes[node];
  hy_cost least, cost;
  int before = p->dense[node], best = before;
  if (!cost_around(g, p, node, &least)) return false;
  for (int d = 0; d < n->func->rank && !n->is_output; d++) {
    p->dense[node] = d;
    if (!cost_around(g, p, node, &cost)) return false;
    if (cost >= least) continue;
    least = cost;
    best = d;
  }
  *changed |= best != before;
  p->dense[node] = best;
  for (int k = 0; k < n->stage_count; k++) {
    int along = -1;
    if (!best_along(g, p, node, k, &along, &cost)) return false;
    *changed |= along != p->along[node][k];
    p->along[node][k] = along;
  }
  return true;
}

bool hy_vectors_total(const hy_func_graph *g, const hy_vector_plan *p, hy_cost *total) {
  *total = 0;
  for (int n = g->first; n < g->count; n++)
    for (int k = 0; is_there(g, n) && k < g->nodes[n].stage_count; k++) {
      hy_cost cost;
      if (!hy_vectors_cost(g, p, n, k, p->along[n][k], &cost)) return false;
      *total += cost;
    }
  return true;
}

static hy_vector_plan *plan_from(const hy_func_graph *g, const hy_tune_parameters *parameters, int dim) {
  hy_arena *arena = hy_context_arena(g->context);
  hy_vector_plan *p = HY_NEW(arena, hy_vector_plan);
  *p = (hy_vector_plan){HY_NEW_ARRAY(arena, int, g->count), HY_NEW_ARRAY(arena, int *, g->count), parameters->lanes,
                        parameters->load_cost};
  for (int n = 0; n < g->count; n++) {
    const hy_func_node *node = &g->nodes[n];
    p->along[n] = HY_NEW_ARRAY(arena, int, node->stage_count + 1);
    if (is_there(g, n) && !node->is_output && dim < node->func->rank) p->dense[n] = dim;
    for (int k = 0; k < node->stage_count; k++) {
      int along = dim < node->func->rank ? dim : 0;
      p->along[n][k] = is_there(g, n) && hy_choices_is_pure(g, n, k, along) ? along : -1;
    }
  }
  return p;
}

// Func by func, consumers first, as long as something costs less.
static bool improve(const hy_func_graph *g, hy_vector_plan *p) {
  bool changed = true;
  for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
    changed = false;
    for (int n = g->count - 1; n >= g->first; n--)
      if (is_there(g, n) && !choose_func(g, p, n, &changed)) return false;
  }
  return true;
}

// From all funcs along their first dimension, from all along their second, ..: of equal results the first.
hy_vector_plan *hy_vectors_plan(const hy_func_graph *g, const hy_tune_parameters *parameters) {
  hy_vector_plan *best = plan_from(g, parameters, 0);
  hy_cost least;
  if (!improve(g, best) || !hy_vectors_total(g, best, &least)) return plan_from(g, parameters, 0);
  for (int d = 1; d < HY_MAX_RANK; d++) {
    hy_cost cost;
    hy_vector_plan *p = plan_from(g, parameters, d);
    bool any = false;
    for (int n = g->first; n < g->count; n++) any |= is_there(g, n) && g->nodes[n].func->rank > d;
    if (!any || !improve(g, p) || !hy_vectors_total(g, p, &cost) || cost >= least) continue;
    least = cost;
    best = p;
  }
  return best;
}

bool hy_vectors_are_usual(const hy_func_graph *g, const hy_vector_plan *p) {
  for (int n = g->first; n < g->count; n++)
    for (int k = 0; is_there(g, n) && k < g->nodes[n].stage_count; k++)
      if (p->dense[n] || p->along[n][k] > 0) return false;
  return true;
}
