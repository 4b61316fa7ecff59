#include "autosched/moves.h"

#include "autosched/rules.h"

// SplitMix64 (Steele, Lea and Flood).
uint64_t hy_dice_below(hy_dice *dice, uint64_t below) {
  uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

static bool is_movable(const hy_func_graph *g, int node) {
  return g->nodes[node].definition && g->nodes[node].is_needed;
}

/* -- where a func is computed -- */

// Those that read it, or stand inside of the same loops; NULL-free list of nodes.
static int consumers_of(const hy_func_graph *g, const hy_choices_list *c, int node, int *list) {
  int count = 0;
  for (int n = node + 1; n < g->count; n++) {
    if (!is_movable(g, n) || !hy_graph_reads(g, n, node)) continue;
    int at = n;
    if (c->funcs[n].place == HY_PLACE_AT) at = c->funcs[n].consumer; // beside it
    list[count++] = n;
    if (at != n) list[count++] = at;
  }
  return count;
}

static void inline_or_not(const hy_func_graph *g, int node, hy_func_choice *f) {
  f->slides = false;
  f->place = f->place != HY_PLACE_INLINE && hy_graph_may_inline(g, node) ? HY_PLACE_INLINE : HY_PLACE_ROOT;
}

static void place_at(const hy_func_graph *g, hy_dice *dice, int node, hy_choices_list *c) {
  int *list = hy_allocate(sizeof *list * 2 * (size_t)g->count);
  int count = consumers_of(g, c, node, list);
  hy_func_choice *f = &c->funcs[node];
  hy_loop_name loops[HY_MOST_LOOPS];
  if (count) {
    int consumer = list[hy_dice_below(dice, (uint64_t)count)], last = g->nodes[consumer].stage_count - 1;
    int loop_count = hy_choices_loops(g, consumer, last, &c->funcs[consumer].stages[last], loops);
    if (loop_count && c->funcs[consumer].place != HY_PLACE_INLINE) {
      f->place = HY_PLACE_AT;
      f->slides = false;
      f->consumer = consumer;
      f->site = loops[hy_dice_below(dice, (uint64_t)loop_count)];
      for (int k = 0; k < g->nodes[node].stage_count; k++) f->stages[k].parallel = 0;
    }
  }
  hy_free(list);
}

// How much of it is asked for in one iteration of its loop, about.
static int64_t at_a_time(const hy_stage_choice *s, hy_loop_name site) {
  if (site.is_outer) return s->tile[site.dim];
  return s->vector == site.dim ? s->lanes : 1;
}

// Stored at a loop farther out, in as many rows as a power of two, and computed as far as it is new. Less than what one
// iteration asks for would be no room for that.
static void slide(const hy_func_graph *g, hy_dice *dice, int node, hy_choices_list *c) {
  hy_func_choice *f = &c->funcs[node];
  hy_loop_name loops[HY_MOST_LOOPS];
  if (f->place != HY_PLACE_AT || g->nodes[node].stage_count != 1 || !g->nodes[node].func->rank) return;
  int last = g->nodes[f->consumer].stage_count - 1, at = 0;
  int count = hy_choices_loops(g, f->consumer, last, &c->funcs[f->consumer].stages[last], loops);
  while (at < count && (loops[at].dim != f->site.dim || loops[at].is_outer != f->site.is_outer)) at++;
  if (at == 0 || at >= count) return;
  f->slides = !f->slides;
  f->store = loops[hy_dice_below(dice, (uint64_t)at)];
  f->fold_dim = (int)hy_dice_below(dice, (uint64_t)g->nodes[node].func->rank);
  if (f->site.dim < g->nodes[node].func->rank) f->fold_dim = f->site.dim; // the loop's own dimension, most likely
  int64_t least = at_a_time(&c->funcs[f->consumer].stages[last], loops[at]);
  f->fold = INT64_C(2) << hy_dice_below(dice, 4);
  while (f->fold < least) f->fold *= 2;
}

static void move_place(const hy_func_graph *g, hy_dice *dice, int node, hy_choices_list *c) {
  if (g->nodes[node].is_output) return;
  switch (hy_dice_below(dice, 5)) {
  case 0: inline_or_not(g, node, &c->funcs[node]); break;
  case 1: slide(g, dice, node, c); break;
  case 2:
    c->funcs[node].place = HY_PLACE_ROOT;
    c->funcs[node].slides = false;
    break;
  default: place_at(g, dice, node, c); break;
  }
}

/* -- loops of a stage -- */

enum { MOST_BESIDE = 4 }; // vectors

static void move_tile(const hy_func_graph *g, hy_dice *dice, int node, hy_stage_choice *s) {
  static const int64_t sizes[] = {0, 0, 4, 8, 16, 32, 64, 128, 256, 512};
  if (!s->order_count) return;
  int dim = s->order[hy_dice_below(dice, (uint64_t)s->order_count)];
  s->tile[dim] = sizes[hy_dice_below(dice, HY_COUNT(sizes))];
  if (s->tile[dim] >= g->nodes[node].box.len[dim]) s->tile[dim] = 0;
}

static void move_lanes(hy_dice *dice, bool sums, hy_stage_choice *s) {
  static const int64_t lanes[] = {4, 8, 16, 32, 64};
  if (!s->order_count) return;
  s->vector = hy_dice_below(dice, 8) ? s->order[0] : -1;
  s->lanes = lanes[hy_dice_below(dice, HY_COUNT(lanes))];
  s->vectors = sums ? 1 + (int64_t)hy_dice_below(dice, MOST_BESIDE) : 0;
}

static void move_order(hy_dice *dice, hy_stage_choice *s) {
  if (s->order_count < 2) return;
  int at = (int)hy_dice_below(dice, (uint64_t)s->order_count - 1), dim = s->order[at];
  s->order[at] = s->order[at + 1];
  s->order[at + 1] = dim;
}

static void move_unroll(hy_dice *dice, hy_stage_choice *s) {
  static const int64_t counts[] = {2, 3, 4, 8};
  if (!s->order_count) return;
  s->unroll = hy_dice_below(dice, 3) ? s->order[hy_dice_below(dice, (uint64_t)s->order_count)] : -1;
  s->unrolled = counts[hy_dice_below(dice, HY_COUNT(counts))];
  if (s->unroll == s->vector) s->unroll = -1;
}

static void move_stage(const hy_func_graph *g, hy_dice *dice, int node, hy_func_choice *f) {
  uint64_t stage = hy_dice_below(dice, (uint64_t)g->nodes[node].stage_count);
  bool sums = g->nodes[node].stages[stage].stage->rdom_count > 0;
  hy_stage_choice *s = &f->stages[stage];
  switch (hy_dice_below(dice, 6)) {
  case 0:
  case 1: move_tile(g, dice, node, s); break;
  case 2: move_lanes(dice, sums, s); break;
  case 3: move_order(dice, s); break;
  case 4: move_unroll(dice, s); break;
  default: s->parallel = (int)hy_dice_below(dice, 3); break;
  }
}

void hy_move(const hy_func_graph *g, hy_dice *dice, const bool *kept, hy_choices_list *c) {
  for (int tries = 0; tries < 64; tries++) {
    int node = g->first + (int)hy_dice_below(dice, (uint64_t)(g->count - g->first));
    if (!is_movable(g, node) || (kept && kept[node])) continue;
    if (hy_dice_below(dice, 3) == 0)
      move_place(g, dice, node, c);
    else
      move_stage(g, dice, node, &c->funcs[node]);
    return;
  }
}

// From some func on, in the order of definition, what the other has.
void hy_cross(const hy_func_graph *g, hy_dice *dice, const hy_choices_list *other, hy_choices_list *c) {
  int from = g->first + (int)hy_dice_below(dice, (uint64_t)(g->count - g->first));
  hy_choices_list *copy = hy_choices_copy(g, other);
  for (int n = from; n < g->count; n++) c->funcs[n] = copy->funcs[n];
}

/* -- random starts -- */

static bool reads_points(const hy_func_graph *g, int node) {
  const hy_node_stage *s = &g->nodes[node].stages[0];
  for (int i = 0; i < s->access_count; i++)
    for (int k = 0; k < i; k++)
      if (s->accesses[i]->func == s->accesses[k]->func) return false;
  return true;
}

void hy_random_start(const hy_func_graph *g, hy_dice *dice, const bool *kept, hy_choices_list *c) {
  hy_tune_parameters p = hy_tune_default();
  p.lanes = INT64_C(8) << hy_dice_below(dice, 3);
  for (int n = g->first; n < g->count; n++) {
    if (!is_movable(g, n) || (kept && kept[n])) continue;
    if (hy_graph_may_inline(g, n) && reads_points(g, n)) {
      c->funcs[n].place = HY_PLACE_INLINE;
      continue;
    }
    for (int k = 0; k < g->nodes[n].stage_count; k++) {
      hy_stage_choice *s = &c->funcs[n].stages[k];
      bool tiled = hy_dice_below(dice, 2);
      for (int i = 0; tiled && i < s->order_count && i < 2; i++) {
        s->tile[s->order[i]] = INT64_C(16) << hy_dice_below(dice, 5);
        if (s->tile[s->order[i]] >= g->nodes[n].box.len[s->order[i]]) s->tile[s->order[i]] = 0;
      }
      hy_rule_vectorize(g, n, k, &g->nodes[n].box, &p, s);
      hy_rule_parallelize(g, n, k, &g->nodes[n].box, &p, s);
    }
  }
}
