#include "autosched/boxes.h"

#include "semantics/tgt/range.h"

#include <string.h>

#define MOST_NUMBER (INT64_C(1) << 40) // of an end of a box: what is farther out is no interval

hy_box_set *hy_box_set_new(const hy_func_graph *g) {
  hy_box_set *needs = hy_allocate_zeroed(1, sizeof *needs);
  needs->count = g->count;
  needs->boxes = hy_allocate_zeroed((size_t)g->count, sizeof *needs->boxes);
  needs->has = hy_allocate_zeroed((size_t)g->count, sizeof *needs->has);
  needs->unbounded = -1;
  return needs;
}

void hy_box_set_free(hy_box_set *needs) {
  if (!needs) return;
  hy_free(needs->boxes);
  hy_free(needs->has);
  hy_free(needs);
}

void hy_box_set_clear(hy_box_set *needs) {
  memset(needs->has, 0, sizeof *needs->has * (size_t)needs->count);
  needs->unbounded = -1;
}

/* -- numbers for variables -- */

static hy_interval numbers(hy_context *context, int64_t min, int64_t len) {
  return (hy_interval){hy_expr_int(context, min), hy_expr_int(context, len)};
}

static hy_ranges *sizes_of(const hy_func_graph *g) {
  const hy_estimates *e = g->estimates;
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_follow_floats(ranges);
  if (g->values) hy_ranges_use_values(ranges, g->values);
  for (int i = 0; i < g->alg->param_count; i++)
    if (e->has_param[i]) hy_ranges_bind_let(ranges, g->alg->params[i], hy_expr_const(g->context, e->params[i]));
  for (int k = 0; k < g->alg->image_count; k++) {
    const hy_func *image = g->alg->images[k];
    const hy_box *box = &e->boxes[image->index];
    for (int d = 0; d < image->rank; d++) {
      if (!(e->known[image->index] & UINT32_C(1) << d)) continue;
      hy_ranges_bind_loop(ranges, image->min[d], numbers(g->context, box->min[d], 1));
      hy_ranges_bind_loop(ranges, image->len[d], numbers(g->context, box->len[d], 1));
    }
  }
  return ranges;
}

// The variables of a stage that is computed on the box.
static hy_ranges *ranges_of(const hy_func_graph *g, int node, int stage, const hy_box *box) {
  const hy_func_node *n = &g->nodes[node];
  const hy_stage *s = n->stages[stage].stage;
  hy_ranges *ranges = sizes_of(g);
  for (int d = 0; d < n->func->rank; d++)
    if (stage == 0 || s->pure & UINT32_C(1) << d)
      hy_ranges_bind_loop(ranges, n->definition->vars[d], numbers(g->context, box->min[d], box->len[d]));
  for (int r = 0; r < s->rdom_count; r++) hy_ranges_bind_loop(ranges, s->rdoms[r].var, s->rdoms[r].interval);
  return ranges;
}

static bool take(hy_range range, int64_t *min, int64_t *len) {
  if (range.low < -MOST_NUMBER || range.high > MOST_NUMBER) return false;
  *min = (int64_t)range.low;
  *len = (int64_t)(range.high - range.low) + 1;
  return true;
}

/* -- what is needed -- */

static void join(hy_box *box, int d, int64_t min, int64_t len) {
  int64_t end = box->min[d] + box->len[d], other = min + len;
  if (min < box->min[d]) box->min[d] = min;
  box->len[d] = (end > other ? end : other) - box->min[d];
}

static void add_box(hy_box_set *needs, int node, const hy_box *box) {
  if (!needs->has[node]) {
    needs->has[node] = true;
    needs->boxes[node] = *box;
    return;
  }
  for (int d = 0; d < box->rank; d++) join(&needs->boxes[node], d, box->min[d], box->len[d]);
}

// All that is known to be needed of it: where a coordinate may be anything.
static bool whole_side(const hy_func_graph *g, int node, int d, hy_box *box, hy_box_set *needs) {
  const hy_func_node *n = &g->nodes[node];
  const hy_box *all = &g->estimates->boxes[n->func->index];
  if (!(g->estimates->known[n->func->index] & UINT32_C(1) << d)) {
    all = &n->box;
    if (!n->is_needed) {
      needs->unbounded = node;
      needs->unbounded_dim = d;
      return false;
    }
  }
  box->min[d] = all->min[d];
  box->len[d] = all->len[d];
  return true;
}

static bool add_point(const hy_func_graph *g, hy_ranges *ranges, int node, const hy_expr *const *coordinates,
                      hy_box_set *needs) {
  hy_box box = {.rank = g->nodes[node].func->rank};
  for (int d = 0; d < box.rank; d++)
    if (!take(hy_ranges_of(ranges, hy_graph_followed(g, coordinates[d])), &box.min[d], &box.len[d]) &&
        !whole_side(g, node, d, &box, needs))
      return false;
  add_box(needs, node, &box);
  return true;
}

bool hy_boxes_need(const hy_func_graph *g, int node, int stage, const hy_box *box, hy_box_set *needs) {
  const hy_node_stage *s = &g->nodes[node].stages[stage];
  hy_ranges *ranges = ranges_of(g, node, stage, box);
  bool fine = true;
  for (int i = 0; i < s->access_count && fine; i++)
    fine = add_point(g, ranges, (int)s->accesses[i]->func->index, s->accesses[i]->args, needs);
  hy_ranges_free(ranges);
  return fine;
}

// What updates write and read of their own func lies in its box, too.
static bool widen(const hy_func_graph *g, int node, hy_box_set *needs) {
  const hy_func_node *n = &g->nodes[node];
  for (int k = 1; k < n->stage_count; k++) {
    const hy_node_stage *s = &n->stages[k];
    hy_ranges *ranges = ranges_of(g, node, k, &needs->boxes[node]);
    bool fine = add_point(g, ranges, node, s->lhs, needs);
    for (int i = 0; i < s->access_count && fine; i++)
      if ((int)s->accesses[i]->func->index == node) fine = add_point(g, ranges, node, s->accesses[i]->args, needs);
    hy_ranges_free(ranges);
    if (!fine) return false;
  }
  return true;
}

static bool step(const hy_func_graph *g, int node, hy_box_set *needs) {
  if (!g->nodes[node].definition || g->nodes[node].is_inlined || !needs->has[node]) return true;
  if (!widen(g, node, needs)) return false;
  hy_box box = needs->boxes[node];
  for (int k = 0; k < g->nodes[node].stage_count; k++)
    if (!hy_boxes_need(g, node, k, &box, needs)) return false;
  return true;
}

bool hy_boxes_propagate(const hy_func_graph *g, int root, const hy_box *box, const bool *members, hy_box_set *needs) {
  add_box(needs, root, box);
  for (int n = root; n >= g->first; n--)
    if ((!members || members[n]) && !step(g, n, needs)) return false;
  return true;
}

bool hy_boxes_instances(const hy_func_graph *g, int node, int stage, const hy_box *box, int64_t *count) {
  const hy_func_node *n = &g->nodes[node];
  const hy_stage *s = n->stages[stage].stage;
  hy_box loops = {.rank = 0};
  for (int d = 0; d < n->func->rank; d++)
    if (stage == 0 || s->pure & UINT32_C(1) << d) loops.len[loops.rank++] = box->len[d];
  int64_t points;
  if (!hy_box_points(&loops, &points)) return false;
  hy_ranges *ranges = s->rdom_count ? sizes_of(g) : NULL; // most have none, and this is asked a hundred thousand times
  bool fine = true;
  for (int r = 0; r < s->rdom_count && fine; r++) {
    hy_range len = hy_ranges_of(ranges, s->rdoms[r].interval.len);
    int64_t most = len.high > MOST_NUMBER ? MOST_NUMBER : len.high < 0 ? 0 : (int64_t)len.high;
    fine = !__builtin_mul_overflow(points, most, &points) && points <= INT64_C(1) << 62;
  }
  if (ranges) hy_ranges_free(ranges);
  *count = points;
  return fine;
}

/* -- of the whole pipeline -- */

// What was said of a func counts, whatever is inferred.
static void use_estimate(const hy_func_graph *g, int node, hy_box_set *needs) {
  const hy_func *func = g->nodes[node].func;
  const hy_box *said = &g->estimates->boxes[func->index];
  for (int d = 0; d < func->rank && !g->nodes[node].is_output; d++) {
    if (!(g->estimates->known[func->index] & UINT32_C(1) << d)) continue;
    needs->boxes[node].min[d] = said->min[d];
    needs->boxes[node].len[d] = said->len[d];
  }
}

bool hy_boxes_concrete(hy_func_graph *g, hy_box_set *needs) {
  hy_box_set_clear(needs);
  for (int k = 0; k < g->alg->output_count; k++) {
    const hy_func *func = g->alg->outputs[k].func;
    add_box(needs, (int)func->index, &g->estimates->boxes[func->index]);
  }
  for (int n = g->count - 1; n >= 0; n--) {
    g->nodes[n].is_needed = false;
    if (!needs->has[n]) continue;
    use_estimate(g, n, needs);
    if (!step(g, n, needs)) return false;
    g->nodes[n].box = needs->boxes[n];
    g->nodes[n].is_needed = true;
  }
  return true;
}
