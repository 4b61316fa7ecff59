#include "autosched/inline.h"

#include "autosched/boxes.h"
#include "autosched/journal.h"
#include "autosched/rules.h"
#include "autosched/vectors.h"

// The instances of a stage on the node's whole box.
static bool instances_of(const hy_func_graph *g, int node, int stage, int64_t *count) {
  return hy_boxes_instances(g, node, stage, &g->nodes[node].box, count);
}

static hy_cost point_cost(const hy_func_graph *g, int node, const hy_node_stage *stage, int64_t load_cost) {
  return stage->arithmetic + load_cost * hy_stage_loads(g, node, stage);
}

bool hy_inline_benefit(const hy_func_graph *g, int node, int64_t load_cost, hy_cost *benefit) {
  int64_t instances;
  if (!hy_graph_may_inline(g, node) || !g->nodes[node].is_needed) return false;
  if (!instances_of(g, node, 0, &instances)) return false;
  *benefit = instances * point_cost(g, node, &g->nodes[node].stages[0], load_cost);
  for (int reader = node + 1; reader < g->count; reader++) {
    if (g->nodes[reader].is_inlined || !g->nodes[reader].is_needed) continue;
    for (int k = 0; k < g->nodes[reader].stage_count; k++) {
      hy_node_stage made;
      if (!hy_graph_stage_reads(g, reader, k, node)) continue;
      if (!hy_graph_inlined_stage(g, node, reader, k, &made) || !instances_of(g, reader, k, &instances)) return false;
      hy_cost before = point_cost(g, reader, &g->nodes[reader].stages[k], load_cost);
      *benefit += instances * (before - point_cost(g, reader, &made, load_cost));
    }
  }
  return true;
}

static bool inline_it(hy_func_graph *g, int node, hy_cost benefit, hy_choices_list *choices, hy_journal *journal) {
  if (!hy_graph_inline(g, node)) return false;
  hy_journal_add(journal, (hy_journal_step){.kind = HY_STEP_INLINED, .node = node, .into = -1, .benefit = benefit});
  choices->funcs[node].place = HY_PLACE_INLINE;
  return true;
}

static bool update_boxes(hy_func_graph *g) {
  hy_box_set *needs = hy_box_set_new(g);
  bool fine = hy_boxes_concrete(g, needs);
  hy_box_set_free(needs);
  return fine;
}

// Of equal benefits the first in the order of definition.
bool hy_inline_greedily(hy_func_graph *g, int64_t load_cost, const bool *kept, hy_choices_list *choices,
                        hy_journal *journal) {
  for (;;) {
    int best = -1;
    hy_cost most = 0, benefit;
    for (int n = g->first; n < g->count; n++)
      if (!(kept && kept[n]) && hy_inline_benefit(g, n, load_cost, &benefit) && benefit > most) {
        best = n;
        most = benefit;
      }
    if (best < 0 || !inline_it(g, best, most, choices, journal)) return update_boxes(g);
  }
}

// What all costs with these kept; "inlined" gets what is not.
static bool cost_with(const hy_func_graph *graph, const hy_tune_parameters *p, const bool *kept, bool *inlined,
                      bool *is_usual, hy_cost *cost) {
  hy_func_graph *g = hy_graph_copy(graph);
  if (!hy_inline_greedily(g, p->load_cost, kept, hy_choices_plain(g), NULL)) return false;
  const hy_vector_plan *plan = hy_vectors_plan(g, p);
  *is_usual = hy_vectors_are_usual(g, plan);
  for (int n = 0; n < g->count; n++) inlined[n] = g->nodes[n].is_inlined;
  return hy_vectors_total(g, plan, cost);
}

// One after the other, in the order of definition. Where all vectors run along first dimensions nothing is asked.
const bool *hy_inline_kept(const hy_func_graph *g, const hy_tune_parameters *p) {
  hy_arena *arena = hy_context_arena(g->context);
  bool *kept = HY_NEW_ARRAY(arena, bool, g->count), *inlined = HY_NEW_ARRAY(arena, bool, g->count);
  bool *others = HY_NEW_ARRAY(arena, bool, g->count), is_usual;
  hy_cost least, cost;
  if (!cost_with(g, p, kept, inlined, &is_usual, &least) || is_usual) return kept;
  for (int n = g->first; n < g->count; n++) {
    if (!inlined[n]) continue;
    kept[n] = true;
    if (cost_with(g, p, kept, others, &is_usual, &cost) && cost < least)
      least = cost;
    else
      kept[n] = false;
  }
  return kept;
}

/* -- level 0 -- */

static int reads_of(const hy_node_stage *stage, const hy_func *func) {
  int count = 0;
  for (int i = 0; i < stage->access_count; i++) count += stage->accesses[i]->func == func;
  return count;
}

// Of a func that may be inlined, and is needed.
static bool evaluations_of(const hy_func_graph *g, int node, hy_cost *evaluations, int64_t *points) {
  int64_t instances;
  *evaluations = 0;
  if (!hy_graph_may_inline(g, node) || !g->nodes[node].is_needed || !instances_of(g, node, 0, points)) return false;
  for (int reader = node + 1; reader < g->count; reader++)
    for (int k = 0; k < g->nodes[reader].stage_count; k++) {
      if (g->nodes[reader].is_inlined || !hy_graph_stage_reads(g, reader, k, node)) continue;
      if (!instances_of(g, reader, k, &instances)) return false;
      *evaluations += (hy_cost)instances * reads_of(&g->nodes[reader].stages[k], g->nodes[node].func);
    }
  return true;
}

bool hy_inline_ratio(const hy_func_graph *g, int node, double *ratio) {
  hy_cost evaluations;
  int64_t points;
  if (!evaluations_of(g, node, &evaluations, &points) || !points) return false;
  *ratio = (double)evaluations / (double)points;
  return true;
}

// Is it evaluated, once it is inlined, no more often than it has points?
static bool is_free(const hy_func_graph *g, int node) {
  hy_cost evaluations;
  int64_t points;
  return evaluations_of(g, node, &evaluations, &points) && evaluations <= points;
}

bool hy_inline_for_free(hy_func_graph *g, hy_choices_list *choices, hy_journal *journal) {
  for (int n = g->first; n < g->count; n++)
    if (is_free(g, n)) inline_it(g, n, 0, choices, journal);
  return update_boxes(g);
}
