#include "autosched/journal.h"

#include "autosched/inline.h"
#include "autosched/rules.h"

#include <string.h>

hy_journal *hy_journal_new(const hy_func_graph *graph, int64_t load_cost) {
  hy_arena *arena = hy_context_arena(graph->context);
  hy_journal *journal = HY_NEW(arena, hy_journal);
  *journal = (hy_journal){.context = graph->context, .graph = graph, .load_cost = load_cost};
  journal->reasons = HY_NEW_ARRAY(arena, hy_func_reasons, graph->count);
  return journal;
}

void hy_journal_add(hy_journal *journal, hy_journal_step step) {
  if (!journal) return;
  if (journal->step_count == journal->room) {
    journal->room = journal->room ? 2 * journal->room : 16;
    hy_journal_step *more = HY_NEW_ARRAY(hy_context_arena(journal->context), hy_journal_step, journal->room);
    if (journal->step_count) memcpy(more, journal->steps, (size_t)journal->step_count * sizeof *more);
    journal->steps = more;
  }
  journal->steps[journal->step_count++] = step;
}

static bool is_read(const hy_func_graph *g, int node) {
  for (int n = node + 1; n < g->count; n++)
    if (!g->nodes[n].is_inlined && g->nodes[n].is_needed && hy_graph_reads(g, n, node)) return true;
  return false;
}

static void explain_cost(const hy_func_graph *g, int node, int64_t load_cost, hy_func_reasons *r) {
  hy_cost benefit;
  bool is_known = hy_inline_benefit(g, node, load_cost, &benefit);
  r->inlining = is_known ? HY_STAY_COSTS : HY_STAY_TOO_LARGE;
  if (is_known) r->inline_costs = -benefit;
}

static void explain_inlining(const hy_journal *journal, int node, hy_func_reasons *r) {
  const hy_func_graph *g = journal->graph;
  const hy_func_node *n = &g->nodes[node];
  if (n->is_output)
    r->inlining = HY_STAY_OUTPUT;
  else if (n->stage_count > 1)
    r->inlining = HY_STAY_UPDATES;
  else if (!is_read(g, node))
    r->inlining = HY_STAY_UNREAD;
  else if (journal->kept && journal->kept[node])
    r->inlining = HY_STAY_VECTORS;
  else if (journal->groups)
    explain_cost(g, node, journal->load_cost, r);
  else
    r->inlining = hy_inline_ratio(g, node, &r->ratio) ? HY_STAY_OFTEN : HY_STAY_TOO_LARGE;
}

// Several groups, or one that reads it too early?
static hy_stay why_no_reader(const hy_groups *groups, int node) {
  const hy_func_graph *g = groups->graph;
  int reader = -1;
  for (int n = node + 1; n < g->count; n++) {
    int group = groups->group_of[n];
    if (group < 0 || group == node || !hy_graph_reads(g, n, node)) continue;
    if (reader >= 0 && group != reader) return HY_STAY_READERS;
    reader = group;
  }
  return reader < 0 ? HY_STAY_UNREAD : HY_STAY_EARLIER;
}

static void explain_merging(const hy_groups *groups, int node, hy_func_reasons *r) {
  hy_cost benefit;
  hy_tile_lengths tile;
  r->reader = -1;
  if (groups->graph->nodes[node].is_output) {
    r->merging = HY_STAY_OUTPUT;
    return;
  }
  r->reader = hy_group_reader(groups, node);
  if (r->reader < 0)
    r->merging = why_no_reader(groups, node);
  else if (!hy_group_benefit(groups, node, r->reader, &benefit, &tile))
    r->merging = HY_STAY_NO_TILE;
  else {
    r->merging = HY_STAY_COSTS;
    r->merge_costs = -benefit;
  }
}

static bool func_cost(const hy_func_graph *g, int node, int64_t load_cost, hy_cost *cost) {
  *cost = 0;
  for (int k = 0; k < g->nodes[node].stage_count; k++) {
    hy_cost one;
    if (!hy_stage_cost(g, node, k, &g->nodes[node].box, load_cost, &one)) return false;
    *cost += one;
  }
  return true;
}

static void explain_func(const hy_journal *journal, int node, hy_func_reasons *r) {
  const hy_func_graph *g = journal->graph;
  const hy_groups *groups = journal->groups;
  r->reader = -1;
  if (!g->nodes[node].definition || g->nodes[node].is_inlined) return;
  if (!g->nodes[node].is_needed) {
    r->inlining = r->merging = HY_STAY_UNNEEDED;
    return;
  }
  explain_inlining(journal, node, r);
  bool is_head = !groups || groups->group_of[node] == node;
  if (!groups)
    r->merging = HY_STAY_NO_GROUPS;
  else if (is_head)
    explain_merging(groups, node, r);
  if (is_head)
    r->has_cost = groups ? hy_group_cost(groups, node, &r->cost) : func_cost(g, node, journal->load_cost, &r->cost);
}

void hy_journal_explain(hy_journal *journal) {
  for (int n = 0; n < journal->graph->count; n++) explain_func(journal, n, &journal->reasons[n]);
}
