#include "autosched/rules.h"

#include "autosched/boxes.h"

enum { FEW_ITERATIONS = 4, LITTLE_WORK = 1 << 14 };

hy_tune_parameters hy_tune_default(void) {
  return (hy_tune_parameters){.lanes = 16, .parallelism = 12, .cache_bytes = 256 << 10, .load_cost = 10};
}

/* -- costs -- */

int hy_stage_loads(const hy_func_graph *g, int node, const hy_node_stage *stage) {
  int loads = 0;
  for (int i = 0; i < stage->access_count; i++) loads += stage->accesses[i]->func != g->nodes[node].func;
  return loads;
}

bool hy_stage_cost(const hy_func_graph *g, int node, int stage, const hy_box *box, int64_t load_cost, hy_cost *cost) {
  const hy_node_stage *s = &g->nodes[node].stages[stage];
  int64_t instances;
  if (!hy_boxes_instances(g, node, stage, box, &instances)) return false;
  *cost = (hy_cost)instances * (s->arithmetic + load_cost * hy_stage_loads(g, node, s));
  return true;
}

/* -- vectors -- */

static int64_t iterations(const hy_stage_choice *c, const hy_box *box, int dim) {
  return c->tile[dim] ? c->tile[dim] : box->len[dim];
}

// The stage's pure dimensions, that whose points lie side by side first. -1: there is none behind it.
static int next_pure(const hy_func_graph *g, int node, int stage, int dim) {
  for (int d = dim + 1; d < g->nodes[node].func->rank; d++)
    if (hy_choices_is_pure(g, node, stage, d)) return d;
  return -1;
}

void hy_rule_vectorize(const hy_func_graph *g, int node, int stage, const hy_box *box, const hy_tune_parameters *p,
                       hy_stage_choice *c) {
  if (!g->nodes[node].func->rank || !hy_choices_is_pure(g, node, stage, 0)) return; // neighbours in memory, or nothing
  int dim = 0, next = next_pure(g, node, stage, 0);
  int64_t count = iterations(c, box, dim);
  if (count <= FEW_ITERATIONS && next >= 0) {
    if (count > 1) {
      c->unroll = dim;
      c->unrolled = count;
    }
    count = iterations(c, box, dim = next);
  }
  int64_t lanes = p->lanes;
  while (lanes > count) lanes /= 2;
  if (lanes < 2) return;
  c->vector = dim;
  c->lanes = lanes;
}

// What rule_vectorize does by itself where the first dimension is short: along the next one.
static bool is_usual(const hy_func_graph *g, int node, int stage, const hy_box *box, int dim,
                     const hy_stage_choice *c) {
  if (dim <= 0) return true;
  return hy_choices_is_pure(g, node, stage, 0) && dim == next_pure(g, node, stage, 0) &&
         iterations(c, box, 0) <= FEW_ITERATIONS;
}

void hy_rule_vectorize_along(const hy_func_graph *g, int node, int stage, const hy_box *box, int dim,
                             const hy_tune_parameters *p, hy_stage_choice *c) {
  if (is_usual(g, node, stage, box, dim, c)) {
    hy_rule_vectorize(g, node, stage, box, p, c);
    return;
  }
  int64_t lanes = p->lanes;
  while (lanes > iterations(c, box, dim)) lanes /= 2;
  if (lanes < 2) return;
  c->vector = c->innermost = dim;
  c->lanes = lanes;
  int at = 0;
  while (c->order[at] != dim) at++;
  for (; at > 0; at--) c->order[at] = c->order[at - 1];
  c->order[0] = dim;
}

/* -- what is summed up in registers -- */

enum { BLOCK = 4, MANY_VECTORS = 8, FEWEST_LANES = 4, MOST_BESIDE = 6, REGISTER_BYTES = 640 };

// How many of the loads are the same all along the dimension.
static int shared_loads(const hy_func_graph *g, int node, const hy_node_stage *s, int dim) {
  int count = 0;
  for (int i = 0; i < s->access_count; i++)
    count += s->accesses[i]->func != g->nodes[node].func && !hy_expr_mentions(s->accesses[i], s->lhs[dim]->var);
  return count;
}

static bool reads_itself(const hy_func_graph *g, int node, const hy_node_stage *s) {
  for (int i = 0; i < s->access_count; i++)
    if (s->accesses[i]->func == g->nodes[node].func) return true;
  return false;
}

// A number of points that the loop's are a multiple of; what is left of a long loop costs little.
static int64_t block_for(int64_t count) {
  static const int64_t blocks[] = {BLOCK, BLOCK + 1, BLOCK + 2, BLOCK - 1};
  for (size_t i = 0; i < HY_COUNT(blocks); i++)
    if (count % blocks[i] == 0) return blocks[i];
  return count >= BLOCK * BLOCK ? BLOCK : 0;
}

// Vectors beside each other that use each of the block's other loads together: as many as there are, or a number that
// divides it, as long as all sums fit the registers.
static int64_t vectors_beside(int64_t count, int64_t bytes) {
  int64_t beside = MOST_BESIDE;
  while (beside > 1 && (count % beside || beside * bytes > REGISTER_BYTES)) beside--;
  return beside;
}

void hy_rule_accumulate(const hy_func_graph *g, int node, int stage, const hy_box *box, hy_stage_choice *c) {
  const hy_node_stage *s = &g->nodes[node].stages[stage];
  int most = 0;
  if (!s->stage->rdom_count || c->vector < 0 || !reads_itself(g, node, s)) return;
  int64_t count = iterations(c, box, c->vector);
  if (count % c->lanes && count < MANY_VECTORS * c->lanes && c->lanes > FEWEST_LANES && count % (c->lanes / 2) == 0)
    c->lanes /= 2;
  if (c->unroll >= 0) return;
  for (int d = next_pure(g, node, stage, -1); d >= 0; d = next_pure(g, node, stage, d)) {
    int64_t length = c->tile[d] > 1 ? c->tile[d] : box->len[d], block = d == c->vector ? 0 : block_for(length);
    int shared = block ? shared_loads(g, node, s, d) : 0;
    if (shared <= most) continue;
    most = shared;
    c->unroll = d;
    c->unrolled = block;
  }
  if (c->unroll < 0 || count % c->lanes) return;
  int64_t bytes = c->lanes * c->unrolled * (int64_t)hy_func_bytes(g->nodes[node].func);
  c->vectors = vectors_beside(count / c->lanes, bytes);
}

/* -- tasks -- */

static int64_t rounded_up(int64_t a, int64_t b) { return a / b + (a % b != 0); }

// How often the loop runs where what it holds is vectorized and unrolled.
static int64_t loop_count(const hy_stage_choice *c, const hy_box *box, hy_loop_name loop) {
  int64_t count = box->len[loop.dim];
  if (loop.is_outer) return rounded_up(count, c->tile[loop.dim]);
  if (c->tile[loop.dim]) count = c->tile[loop.dim];
  if (c->vector == loop.dim) count = rounded_up(count, hy_choices_summed(c));
  if (c->unroll == loop.dim) count = rounded_up(count, c->unrolled);
  return count;
}

void hy_rule_parallelize(const hy_func_graph *g, int node, int stage, const hy_box *box, const hy_tune_parameters *p,
                         hy_stage_choice *c) {
  hy_loop_name loops[HY_MOST_LOOPS];
  hy_cost work;
  int count = hy_choices_loops(g, node, stage, c, loops);
  if (!hy_stage_cost(g, node, stage, box, 1, &work) || work < LITTLE_WORK) return;
  bool tiled = count && loops[0].is_outer;
  int64_t tasks = 1;
  for (int i = 0; i < count && tasks < p->parallelism && loops[i].is_outer == tiled; i++) {
    tasks *= loop_count(c, box, loops[i]);
    c->parallel = i + 1;
  }
  if (tasks < 2) c->parallel = 0;
}
