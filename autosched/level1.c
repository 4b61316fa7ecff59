#include "autosched/boxes.h"
#include "autosched/group.h"
#include "autosched/inline.h"
#include "autosched/journal.h"
#include "autosched/rules.h"

/* Section 4.4: loops and places for the groups that were found. */

// Loops over dimensions in which neighbours share what they read go inside; the first dimension stays innermost.
static void order_loops(hy_stage_choice *c, const int64_t *reuse) {
  for (int i = 2; i < c->order_count; i++) {
    int dim = c->order[i], at = i;
    for (; at > 1 && reuse[c->order[at - 1]] < reuse[dim]; at--) c->order[at] = c->order[at - 1];
    c->order[at] = dim;
  }
}

static void set_tile(const hy_groups *groups, int output, hy_stage_choice *c) {
  const hy_box *box = &groups->graph->nodes[output].box;
  for (int i = 0; i < c->order_count; i++) {
    int64_t len = groups->tiles[output].len[c->order[i]];
    if (len < box->len[c->order[i]]) c->tile[c->order[i]] = len;
  }
}

// The output: the last stage in tiles, what stands before it whole.
static void choose_output(const hy_groups *groups, int output, hy_func_choice *f) {
  const hy_func_graph *g = groups->graph;
  int last = g->nodes[output].stage_count - 1;
  for (int k = 0; k <= last; k++) {
    hy_stage_choice *c = &f->stages[k];
    if (k == last && groups->is_tiled[output]) set_tile(groups, output, c);
    order_loops(c, groups->reuse[output]);
    hy_rule_vectorize_along(g, output, k, &g->nodes[output].box, groups->vectors->along[output][k], groups->parameters,
                            c);
    hy_rule_accumulate(g, output, k, &g->nodes[output].box, c);
    hy_rule_parallelize(g, output, k, &g->nodes[output].box, groups->parameters, c);
  }
}

// The innermost loop over tiles.
static hy_loop_name site_of(const hy_func_graph *g, int output, const hy_choices_list *choices) {
  hy_loop_name loops[HY_MOST_LOOPS];
  int last = g->nodes[output].stage_count - 1;
  int count = hy_choices_loops(g, output, last, &choices->funcs[output].stages[last], loops), at = 0;
  while (at + 1 < count && loops[at + 1].is_outer) at++;
  return loops[at];
}

static bool choose_members(const hy_groups *groups, int output, hy_choices_list *choices) {
  const hy_func_graph *g = groups->graph;
  hy_box_set *needs = hy_box_set_new(g);
  bool *members = hy_allocate_zeroed((size_t)g->count, sizeof *members);
  for (int n = 0; n < g->count; n++) members[n] = groups->group_of[n] == output;
  hy_box tile = hy_tile_box(&g->nodes[output].box, &groups->tiles[output]);
  bool fine = hy_boxes_propagate(g, output, &tile, members, needs);
  for (int n = g->first; n < output && fine; n++) {
    hy_func_choice *f = &choices->funcs[n];
    if (!members[n]) continue;
    f->place = HY_PLACE_AT;
    f->consumer = output;
    f->site = site_of(g, output, choices);
    for (int k = 0; k < g->nodes[n].stage_count; k++) {
      hy_rule_vectorize_along(g, n, k, &needs->boxes[n], groups->vectors->along[n][k], groups->parameters,
                              &f->stages[k]);
      hy_rule_accumulate(g, n, k, &needs->boxes[n], &f->stages[k]);
    }
  }
  hy_free(members);
  hy_box_set_free(needs);
  return fine;
}

bool hy_tune_level1(const hy_func_graph *graph, const hy_tune_parameters *p, hy_proposal *proposal) {
  hy_func_graph *g = hy_graph_copy(graph);
  hy_choices_list *choices = hy_choices_plain(g);
  *proposal = (hy_proposal){.choices = choices, .graph = g, .journal = hy_journal_new(g, p->load_cost)};
  const bool *kept = proposal->journal->kept = hy_inline_kept(graph, p);
  if (!hy_inline_greedily(g, p->load_cost, kept, choices, proposal->journal)) return false;
  hy_groups *groups = hy_groups_new(g, p);
  if (!groups) return false;
  groups->journal = proposal->journal;
  proposal->journal->groups = groups;
  hy_groups_merge(groups);
  proposal->group_of = groups->group_of;
  for (int n = g->first; n < g->count; n++)
    if (groups->group_of[n] >= 0) choices->funcs[n].dense = groups->vectors->dense[n];
  for (int n = g->first; n < g->count; n++) {
    hy_cost cost;
    if (groups->group_of[n] != n) continue;
    choose_output(groups, n, &choices->funcs[n]);
    if (groups->is_tiled[n] && !choose_members(groups, n, choices)) return false;
    if (!hy_group_cost(groups, n, &cost)) return false;
    proposal->cost += cost;
  }
  return true;
}
