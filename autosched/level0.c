#include "autosched/boxes.h"
#include "autosched/inline.h"
#include "autosched/journal.h"
#include "autosched/rules.h"

// At root, each stage by the rules for its whole box.
static bool run_plainly(const hy_func_graph *g, int node, const hy_tune_parameters *p, hy_func_choice *f,
                        hy_cost *total) {
  const hy_box *box = &g->nodes[node].box;
  for (int k = 0; k < g->nodes[node].stage_count; k++) {
    hy_cost cost;
    hy_rule_vectorize(g, node, k, box, p, &f->stages[k]);
    hy_rule_parallelize(g, node, k, box, p, &f->stages[k]);
    if (!hy_stage_cost(g, node, k, box, p->load_cost, &cost)) return false;
    *total += cost;
  }
  return true;
}

bool hy_tune_level0(const hy_func_graph *graph, const hy_tune_parameters *p, hy_proposal *proposal) {
  hy_func_graph *g = hy_graph_copy(graph);
  hy_choices_list *choices = hy_choices_plain(g);
  *proposal = (hy_proposal){.choices = choices, .graph = g, .journal = hy_journal_new(g, p->load_cost)};
  proposal->group_of = HY_NEW_ARRAY(hy_context_arena(g->context), int, g->count);
  if (!hy_inline_for_free(g, choices, proposal->journal)) return false;
  for (int n = 0; n < g->count; n++) {
    bool stays = g->nodes[n].definition && !g->nodes[n].is_inlined && g->nodes[n].is_needed;
    proposal->group_of[n] = stays ? n : -1;
    if (stays && !run_plainly(g, n, p, &choices->funcs[n], &proposal->cost)) return false;
  }
  return true;
}
