#include "autosched/group.h"

#include "autosched/boxes.h"
#include "autosched/journal.h"
#include "autosched/rules.h"

enum { ROW_LOADS = 64 }; // before its points are fetched ahead there are misses: what they cost

// What evaluating a merge gave; it holds while neither group has changed.
typedef struct hy_merge {
  int consumer; // -1: not evaluated
  bool fits;
  hy_cost benefit;
  hy_tile_lengths tile;
} hy_merge;

/* -- figures of a box -- */

static bool add_member(const hy_groups *groups, int node, bool is_output, const hy_box *box, hy_group_figures *f) {
  const hy_func_graph *g = groups->graph;
  int64_t points, instances;
  for (int k = 0; k < g->nodes[node].stage_count; k++) {
    if (!hy_boxes_instances(g, node, k, box, &instances)) return false;
    instances = hy_vectors_lanes(groups->vectors, node, k, box, instances);
    f->arithmetic += (hy_cost)instances * g->nodes[node].stages[k].arithmetic;
  }
  if (is_output) return true;
  if (!hy_box_points(box, &points)) return false;
  f->between_bytes += (hy_cost)points * (hy_cost)hy_func_bytes(g->nodes[node].func);
  return true;
}

// How often the members' stages load a point of the input.
static bool asked_of(const hy_func_graph *g, const bool *members, const hy_box_set *needs, int input, hy_cost *asked) {
  *asked = 0;
  for (int n = input + 1; n < g->count; n++)
    for (int k = 0; members[n] && needs->has[n] && k < g->nodes[n].stage_count; k++) {
      const hy_node_stage *s = &g->nodes[n].stages[k];
      int64_t instances = 0, loads = 0;
      for (int i = 0; i < s->access_count; i++) loads += (int)s->accesses[i]->func->index == input;
      if (loads && !hy_boxes_instances(g, n, k, &needs->boxes[n], &instances)) return false;
      *asked += (hy_cost)instances * loads;
    }
  return true;
}

// Where a box has rows as long as the func's, one goes on where the one before ends.
static hy_cost rows_of(const hy_groups *groups, const hy_box_set *needs, int input, int64_t points) {
  const hy_func_node *node = &groups->graph->nodes[input];
  if (!node->func->rank) return 0;
  int dense = groups->vectors->dense[input];
  int64_t length = needs->boxes[input].len[dense];
  return length > 0 && length < node->box.len[dense] ? points / length : 0;
}

static bool add_input(const hy_groups *groups, const bool *members, const hy_box_set *needs, int input,
                      hy_group_figures *f) {
  const hy_func_graph *g = groups->graph;
  int64_t points;
  hy_cost asked;
  if (!hy_box_points(&needs->boxes[input], &points) || !asked_of(g, members, needs, input, &asked)) return false;
  f->loads += asked < points ? asked : points;
  if (asked >= points) f->rows += rows_of(groups, needs, input, points);
  f->input_bytes += (hy_cost)points * (hy_cost)hy_func_bytes(g->nodes[input].func);
  return true;
}

bool hy_group_figures_of(const hy_groups *groups, const bool *members, int output, const hy_box *box,
                         hy_group_figures *f) {
  const hy_func_graph *g = groups->graph;
  hy_box_set *needs = hy_box_set_new(g);
  *f = (hy_group_figures){0};
  bool fine = hy_boxes_propagate(g, output, box, members, needs);
  for (int n = 0; n <= output && fine; n++) {
    if (!needs->has[n]) continue;
    fine =
        members[n] ? add_member(groups, n, n == output, &needs->boxes[n], f) : add_input(groups, members, needs, n, f);
  }
  hy_box_set_free(needs);
  return fine;
}

static hy_cost loads_of(const hy_group_figures *f) { return f->loads + ROW_LOADS * f->rows; }

/* -- a group as it is -- */

static bool *members_of(const hy_groups *groups, int first, int second) {
  bool *members = hy_allocate_zeroed((size_t)groups->graph->count, sizeof *members);
  for (int n = groups->graph->first; n < groups->graph->count; n++)
    members[n] = groups->group_of[n] >= 0 && (groups->group_of[n] == first || groups->group_of[n] == second);
  return members;
}

// Without tiles each load is one from memory (total_load_ops of the paper).
static bool untiled_loads(const hy_func_graph *g, const bool *members, hy_cost *loads) {
  *loads = 0;
  for (int n = g->first; n < g->count; n++)
    for (int k = 0; members[n] && k < g->nodes[n].stage_count; k++) {
      int64_t instances;
      if (!hy_boxes_instances(g, n, k, &g->nodes[n].box, &instances)) return false;
      *loads += (hy_cost)instances * hy_stage_loads(g, n, &g->nodes[n].stages[k]);
    }
  return true;
}

// arith_cost + LOAD_COST * group_loads, of listing 2
bool hy_group_cost(const hy_groups *groups, int output, hy_cost *cost) {
  const hy_func_graph *g = groups->graph;
  const hy_box *box = &g->nodes[output].box;
  bool *members = members_of(groups, output, output);
  hy_group_figures whole, part;
  hy_cost loads = 0;
  bool fine = hy_group_figures_of(groups, members, output, box, &whole);
  if (fine && groups->is_tiled[output]) {
    hy_box tile = hy_tile_box(box, &groups->tiles[output]);
    fine = hy_group_figures_of(groups, members, output, &tile, &part);
    loads = hy_tile_count(box, &groups->tiles[output]) * loads_of(&part);
  } else if (fine)
    fine = untiled_loads(g, members, &loads);
  *cost = whole.arithmetic + groups->parameters->load_cost * loads;
  hy_free(members);
  return fine;
}

// The dimension of its last stage's vectors; where there are none the first.
static int vectors_of(const hy_groups *groups, int node) {
  int along = groups->vectors->along[node][groups->graph->nodes[node].stage_count - 1];
  return along < 0 ? 0 : along;
}

/* -- listing 1: one func with updates -- */

static void tile_singleton(hy_groups *groups, int node) {
  const hy_func_graph *g = groups->graph;
  const hy_box *box = &g->nodes[node].box;
  const hy_tune_parameters *p = groups->parameters;
  hy_tile_list tiles = {0};
  hy_cost untiled, best = 0;
  bool *members = members_of(groups, node, node);
  if (!untiled_loads(g, members, &untiled)) untiled = 0;
  hy_tiles_of(g, node, p, vectors_of(groups, node), groups->reuse[node], &tiles);
  for (size_t i = 0; i < tiles.count; i++) {
    hy_group_figures f;
    hy_box tile = hy_tile_box(box, &tiles.tiles[i]);
    int64_t count = hy_tile_count(box, &tiles.tiles[i]);
    if (count < 2 || count < p->parallelism || !hy_group_figures_of(groups, members, node, &tile, &f)) continue;
    if (f.input_bytes > p->cache_bytes || untiled - count * loads_of(&f) <= best) continue;
    best = untiled - count * loads_of(&f);
    groups->is_tiled[node] = true;
    groups->tiles[node] = tiles.tiles[i];
  }
  hy_free(tiles.tiles);
  hy_free(members);
}

hy_groups *hy_groups_new(const hy_func_graph *g, const hy_tune_parameters *parameters) {
  hy_arena *arena = hy_context_arena(g->context);
  hy_groups *groups = HY_NEW(arena, hy_groups);
  *groups = (hy_groups){.graph = g, .parameters = parameters};
  groups->group_of = HY_NEW_ARRAY(arena, int, g->count);
  groups->is_tiled = HY_NEW_ARRAY(arena, bool, g->count);
  groups->tiles = HY_NEW_ARRAY(arena, hy_tile_lengths, g->count);
  groups->reuse = hy_arena_allocate(arena, sizeof *groups->reuse * (size_t)g->count);
  groups->merges = HY_NEW_ARRAY(arena, hy_merge, g->count);
  groups->vectors = hy_vectors_plan(g, parameters);
  for (int n = 0; n < g->count; n++) {
    const hy_func_node *node = &g->nodes[n];
    groups->group_of[n] = node->definition && !node->is_inlined && node->is_needed ? n : -1;
    groups->merges[n].consumer = -1;
  }
  for (int n = g->first; n < g->count; n++) {
    if (groups->group_of[n] < 0) continue;
    if (!hy_reuse(g, n, groups->reuse[n])) return NULL;
    if (g->nodes[n].stage_count > 1) tile_singleton(groups, n);
  }
  return groups;
}

/* -- listing 2: two groups -- */

// Everything that reads the output stands inside of the loops over tiles: the last stage's.
static bool fits_inside(const hy_func_graph *g, int producer, int consumer) {
  for (int k = 0; k + 1 < g->nodes[consumer].stage_count; k++)
    if (hy_graph_stage_reads(g, consumer, k, producer)) return false;
  return true;
}

int hy_group_reader(const hy_groups *groups, int output) {
  const hy_func_graph *g = groups->graph;
  int reader = -1;
  if (g->nodes[output].is_output) return -1;
  for (int n = output + 1; n < g->count; n++) {
    int group = groups->group_of[n];
    if (group < 0 || group == output || !hy_graph_reads(g, n, output)) continue;
    if (reader >= 0 && group != reader) return -1;
    reader = group;
  }
  return reader >= 0 && fits_inside(g, output, reader) ? reader : -1;
}

static bool is_allowed(const hy_tune_parameters *p, int64_t tiles, const hy_group_figures *f) {
  if (tiles < 2 || tiles < p->parallelism) return false;
  return f->between_bytes <= p->cache_bytes;
}

bool hy_group_benefit(const hy_groups *groups, int producer, int consumer, hy_cost *benefit, hy_tile_lengths *tile) {
  const hy_func_graph *g = groups->graph;
  const hy_tune_parameters *p = groups->parameters;
  const hy_box *box = &g->nodes[consumer].box;
  hy_cost before, after;
  if (!hy_group_cost(groups, producer, &before) || !hy_group_cost(groups, consumer, &after)) return false;
  before += after;
  bool fits = false, *members = members_of(groups, producer, consumer);
  hy_tile_list tiles = {0};
  hy_tiles_of(g, consumer, p, vectors_of(groups, consumer), groups->reuse[consumer], &tiles);
  for (size_t i = 0; i < tiles.count; i++) {
    hy_group_figures f;
    hy_box one = hy_tile_box(box, &tiles.tiles[i]);
    int64_t count = hy_tile_count(box, &tiles.tiles[i]);
    if (!hy_group_figures_of(groups, members, consumer, &one, &f) || !is_allowed(p, count, &f)) continue;
    after = count * (f.arithmetic + p->load_cost * loads_of(&f));
    hy_cost gain = before - after;
    if (fits && gain <= *benefit) continue;
    fits = true;
    *benefit = gain;
    *tile = tiles.tiles[i];
  }
  hy_free(tiles.tiles);
  hy_free(members);
  return fits;
}

static const hy_merge *evaluate(hy_groups *groups, int producer, int consumer) {
  hy_merge *m = &groups->merges[producer];
  if (m->consumer == consumer) return m;
  m->fits = hy_group_benefit(groups, producer, consumer, &m->benefit, &m->tile);
  m->consumer = consumer;
  return m;
}

// What was evaluated for either group no longer holds.
static void forget(hy_groups *groups, int producer, int consumer) {
  for (int n = 0; n < groups->graph->count; n++)
    if (n == consumer || groups->merges[n].consumer == consumer || groups->merges[n].consumer == producer)
      groups->merges[n].consumer = -1;
}

static void merge(hy_groups *groups, int producer, int consumer, hy_tile_lengths tile) {
  for (int n = 0; n < groups->graph->count; n++)
    if (groups->group_of[n] == producer) groups->group_of[n] = consumer;
  groups->is_tiled[producer] = false;
  groups->is_tiled[consumer] = true;
  groups->tiles[consumer] = tile;
  forget(groups, producer, consumer);
}

// Of equal benefits the first in the order of definition.
void hy_groups_merge(hy_groups *groups) {
  for (;;) {
    int producer = -1;
    hy_cost most = 0;
    for (int n = groups->graph->first; n < groups->graph->count; n++) {
      int reader = groups->group_of[n] == n ? hy_group_reader(groups, n) : -1;
      if (reader < 0) continue;
      const hy_merge *m = evaluate(groups, n, reader);
      if (!m->fits || m->benefit <= most) continue;
      producer = n;
      most = m->benefit;
    }
    if (producer < 0) return;
    int consumer = groups->merges[producer].consumer;
    hy_tile_lengths tile = groups->merges[producer].tile;
    hy_journal_add(groups->journal, (hy_journal_step){HY_STEP_MERGED, producer, consumer, most, tile});
    merge(groups, producer, consumer, tile);
  }
}
