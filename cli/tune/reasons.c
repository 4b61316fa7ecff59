#include "cli/tune/reasons.h"

#include <inttypes.h>

static const char *name_of(const hy_explained *e, int node) { return e->proposal->graph->nodes[node].func->name; }

static void print_lengths(const int64_t *len, int rank, hy_text *out) {
  for (int d = 0; d < rank; d++) hy_text_printf(out, "%s%" PRId64, d ? " x " : "", len[d]);
}

bool hy_reasons_is_shown(const hy_explained *e, int node) {
  const hy_func_node *n = &e->proposal->graph->nodes[node];
  return n->is_needed && !n->is_inlined;
}

/* -- where -- */

// The last stage's tile; what is not split is as long as what is needed.
static void print_tile(const hy_explained *e, int node, hy_text *out) {
  const hy_func_node *n = &e->proposal->graph->nodes[node];
  const hy_stage_choice *c = &e->proposal->choices->funcs[node].stages[n->stage_count - 1];
  int64_t len[HY_MAX_RANK];
  bool is_tiled = false;
  for (int d = 0; d < n->func->rank; d++) {
    len[d] = c->tile[d] ? c->tile[d] : n->box.len[d];
    is_tiled |= c->tile[d] > 0;
  }
  if (!is_tiled) return;
  hy_text_add(out, " (");
  print_lengths(len, n->func->rank, out);
  hy_text_add(out, ")");
}

void hy_reasons_place(const hy_explained *e, int node, hy_text *out) {
  const hy_func_choice *f = &e->proposal->choices->funcs[node];
  const hy_func_node *n = &e->proposal->graph->nodes[node];
  if (!n->definition) {
    hy_text_add(out, "an image");
    return;
  }
  if (!n->is_needed && !n->is_inlined) {
    hy_text_add(out, "nowhere");
    return;
  }
  switch (f->place) {
  case HY_PLACE_INLINE: hy_text_add(out, "inlined"); return;
  case HY_PLACE_AT:
    hy_text_printf(out, "in the %s of %s", f->site.is_outer ? "tiles" : "loops", name_of(e, f->consumer));
    print_tile(e, f->consumer, out);
    return;
  case HY_PLACE_ROOT:
    hy_text_add(out, "at root");
    print_tile(e, node, out);
    return;
  }
  HY_UNREACHABLE();
}

/* -- why -- */

static void print_more(const char *what, hy_cost costs, hy_text *out) {
  if (costs > 0)
    hy_text_printf(out, "%s would cost %.3g operations more", what, (double)costs);
  else
    hy_text_printf(out, "%s would save nothing", what);
}

// Why it was not inlined, or its group did not become part of another.
static void print_stay(const hy_explained *e, hy_stay stay, const hy_func_reasons *r, bool is_merging, hy_text *out) {
  const char *reader = r->reader >= 0 ? name_of(e, r->reader) : "";
  switch (stay) {
  case HY_STAY_NOT: return;
  case HY_STAY_UNNEEDED: hy_text_add(out, "nothing of it is needed"); return;
  case HY_STAY_OUTPUT: hy_text_add(out, "it is an output"); return;
  case HY_STAY_UPDATES: hy_text_add(out, "not inlined: it has updates"); return;
  case HY_STAY_VECTORS:
    hy_text_add(out, "not inlined: vectors of its readers would load what does not lie side by side");
    return;
  case HY_STAY_UNREAD: hy_text_add(out, "nobody reads it"); return;
  case HY_STAY_TOO_LARGE: hy_text_add(out, "not inlined: what reads it would become too large"); return;
  case HY_STAY_OFTEN: hy_text_printf(out, "not inlined: each point would be computed %.3g times", r->ratio); return;
  case HY_STAY_COSTS:
    print_more(is_merging ? "a group of its own: computing it in tiles of its reader" : "not inlined: that",
               is_merging ? r->merge_costs : r->inline_costs, out);
    return;
  case HY_STAY_READERS: hy_text_add(out, "a group of its own: several groups read it"); return;
  case HY_STAY_EARLIER: hy_text_add(out, "a group of its own: its reader reads it before its own tiles begin"); return;
  case HY_STAY_NO_TILE:
    hy_text_printf(out,
                   "a group of its own: in no tile of %s does what it needs fit the cache of %" PRId64
                   " KiB, with %" PRId64 " tiles left to run in parallel",
                   reader, e->search->parameters.cache_bytes / 1024, e->search->parameters.parallelism);
    return;
  case HY_STAY_NO_GROUPS: hy_text_add(out, "level 0 puts everything else at root"); return;
  }
  HY_UNREACHABLE();
}

static const hy_journal_step *step_of(const hy_journal *journal, hy_step_kind kind, int node) {
  for (int i = 0; i < journal->step_count; i++)
    if (journal->steps[i].kind == kind && journal->steps[i].node == node) return &journal->steps[i];
  return NULL;
}

static void print_inlined(const hy_explained *e, int node, hy_text *out) {
  const hy_journal_step *step = step_of(e->proposal->journal, HY_STEP_INLINED, node);
  if (e->is_level0 || !step)
    hy_text_add(out, "then it is evaluated no more often than it has points");
  else
    hy_text_printf(out, "that saves %.3g operations", (double)step->benefit);
}

void hy_reasons_why(const hy_explained *e, int node, hy_text *out) {
  const hy_proposal *p = e->proposal;
  const hy_func_reasons *r = &p->journal->reasons[node];
  const hy_journal_step *merged = step_of(p->journal, HY_STEP_MERGED, node);
  if (!p->graph->nodes[node].definition) return;
  if (e->search->is_kept && e->search->is_kept[node]) {
    hy_text_add(out, "kept as the schedule of --start has it");
    return;
  }
  if (p->graph->nodes[node].is_inlined) {
    print_inlined(e, node, out);
    return;
  }
  print_stay(e, r->inlining, r, false, out);
  if (merged) {
    hy_text_printf(out, "; in the tiles of %s it saves %.3g operations", name_of(e, merged->into),
                   (double)merged->benefit);
  } else if (r->merging != HY_STAY_NOT && (r->merging == HY_STAY_COSTS || r->merging != r->inlining)) {
    hy_text_add(out, "; ");
    print_stay(e, r->merging, r, true, out);
  }
}

void hy_reasons_step(const hy_explained *e, const hy_journal_step *step, hy_text *out) {
  if (step->kind == HY_STEP_INLINED) {
    hy_text_printf(out, "%s is inlined", name_of(e, step->node));
    return;
  }
  hy_text_printf(out, "%s is computed in the tiles of %s, ", name_of(e, step->node), name_of(e, step->into));
  print_lengths(step->tile.len, e->proposal->graph->nodes[step->into].func->rank, out);
}
