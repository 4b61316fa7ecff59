/* Desugaring: reorder, by legal swaps of neighbours. */

#include "sched/sugar/sugar.h"

#include <string.h>

typedef hy_sugar sugar;
typedef hy_chain chain;

// The loops of a stage from the outside in, as far as they are nested without anything between.
static void list_nest(const hy_stmt *root, const chain *c, HY_KEEP const hy_stmt **nest, int *count, int room) {
  *count = 0;
  const hy_stmt *stmt = root;
  while (stmt && stmt->kind == HY_STMT_FOR && *count < room) {
    if (stmt->loop.var->func != c->func || stmt->loop.var->stage != c->stage) break;
    nest[(*count)++] = stmt;
    stmt = stmt->loop.body;
  }
}

typedef struct {
  const chain *c;
  int spec; // of the func's branch that is being visited
  const hy_stmt *found;
} stage_search;

static void see_stage(void *self, const hy_stmt *stmt) {
  stage_search *search = self;
  if (stmt->kind != HY_STMT_LABEL || stmt->label.func != search->c->func) return;
  if (stmt->label.what == HY_LABEL_SPEC) search->spec = stmt->label.number;
  if (stmt->label.what == HY_LABEL_STAGE && stmt->label.number == search->c->stage && search->spec == search->c->spec)
    search->found = stmt;
}

enum { MOST_LOOPS = HY_MOST_REORDERED };

// Reads the wanted order: wanted[k] is the position in the nest of the loop that shall stand at position k.
static bool plan_reorder(sugar *s, const chain *c, const hy_call *call, const hy_stmt *const *nest, int count,
                         int *wanted) {
  int places[MOST_LOOPS], named[MOST_LOOPS], found = 0;
  bool is_named[MOST_LOOPS] = {false};
  for (int i = call->count - 1; i >= 0; i--) { // innermost first in the text, outermost first here
    const hy_var *var = hy_sugar_loop_of(s, c, hy_sugar_name_at(call, i));
    int at = 0;
    while (at < count && nest[at]->loop.var != var) at++;
    if (at == count) {
      hy_directive missing = {.type = &hy_directive_swap, .loc = call->args[i].loc, .loop = var};
      s->failed = true;
      if (hy_names_loop(s->context, s->tgt, &missing, s->diagnostics))
        hy_report(s->diagnostics, HY_E_REORDER, call->args[i].loc, "DIR.Swap", "name loops of one nest",
                  "'%s' is not in the same nest", hy_sugar_name_at(call, i));
      return false;
    }
    if (is_named[at]) {
      s->failed = true;
      hy_report(s->diagnostics, HY_E_REORDER, call->args[i].loc, "DIR.Swap", "name each loop once",
                "'%s' is named twice", hy_sugar_name_at(call, i));
      return false;
    }
    is_named[at] = true;
    named[found++] = at;
  }
  int k = 0;
  for (int i = 0; i < count; i++)
    if (is_named[i]) places[k++] = i;
  for (int i = 0; i < count; i++) wanted[i] = i;
  for (int i = 0; i < found; i++) wanted[places[i]] = named[i];
  return true;
}

// Where the text names that loop; loops that stay are not named.
static hy_loc place_of(const hy_call *call, const hy_var *loop) {
  for (int i = 0; i < call->count; i++)
    if (strcmp(hy_sugar_name_at(call, i), loop->name) == 0) return call->args[i].loc;
  return call->loc;
}

// Two reduction loops keep their order (section 8.2). Reports, with the nearest order that is legal: the reduction
// loops share the places that the text gives them, in the order that they have.
static bool keeps_reductions(sugar *s, const hy_call *call, const hy_stmt *const *nest, int count, const int *wanted) {
  int last = -1, legal[MOST_LOOPS], next = 0;
  const hy_stmt *moved = NULL, *before = NULL;
  for (int i = 0; i < count; i++) {
    legal[i] = wanted[i];
    if (nest[wanted[i]]->loop.is_pure) continue;
    while (nest[next]->loop.is_pure) next++;
    legal[i] = next++;
    if (wanted[i] < last && !moved) moved = nest[wanted[i]], before = nest[last];
    if (wanted[i] > last) last = wanted[i];
  }
  if (!moved) return true;
  hy_text order = {0};
  for (int i = count - 1; i >= 0; i--)
    hy_text_printf(&order, "%s%s", order.length ? ", " : "", nest[legal[i]]->loop.var->name);
  s->failed = true;
  hy_context_hit(s->context, HY_RULE_DIR_SWAP_REDUCTION);
  hy_report(s->diagnostics, HY_E_SWAP_REDUCTION, place_of(call, moved->loop.var),
            "DIR.Swap (section 8.2: two reduction loops keep their order)",
            hy_arena_printf(hy_context_arena(s->context),
                            "their order is part of the algorithm's meaning; legal is reorder(%s)",
                            hy_text_string(&order)),
            "the reduction loop '%s' would come outside of '%s'", hy_names_of(s->context, before->loop.var),
            hy_names_of(s->context, moved->loop.var));
  hy_text_free(&order);
  return false;
}

// reorder(a, b, c): innermost first; permutes the named loops among their own places by legal swaps of neighbours.
void hy_sugar_reorder(sugar *s, chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 2, MOST_LOOPS, 0, MOST_LOOPS, "reorder(innermost, ..., outermost)")) return;
  stage_search search = {c, 0, NULL};
  hy_tree_visit(s->tgt->body, see_stage, &search);
  const hy_stmt *nest[MOST_LOOPS];
  int count = 0, wanted[MOST_LOOPS], rank[MOST_LOOPS];
  if (search.found) list_nest(search.found->label.body, c, nest, &count, MOST_LOOPS);
  if (!plan_reorder(s, c, call, nest, count, wanted) || !keeps_reductions(s, call, nest, count, wanted)) return;
  const hy_var *order[MOST_LOOPS];
  for (int i = 0; i < count; i++) rank[wanted[i]] = i;
  for (int i = 0; i < count; i++) order[i] = nest[i]->loop.var;
  for (int pass = 0; pass < count; pass++) // bubble sort: exactly the inversions are swapped
    for (int i = 0; i + 1 < count && !s->failed; i++) {
      if (rank[i] < rank[i + 1]) continue;
      hy_sugar_add(s, (hy_directive){.type = &hy_directive_swap,
                                     .loc = call->loc,
                                     .at = {.loop = place_of(call, order[i])},
                                     .loop = order[i]});
      int r = rank[i];
      const hy_var *v = order[i];
      rank[i] = rank[i + 1], order[i] = order[i + 1];
      rank[i + 1] = r, order[i + 1] = v;
    }
}

const hy_method hy_method_reorder = {.name = "reorder",
                                     .form = "reorder(x, y, ...)",
                                     .summary = "puts loops of one nest into that order, the innermost first",
                                     .least = 2,
                                     .most = HY_MOST_REORDERED,
                                     .phase = HY_PHASE_LOOPS,
                                     .read = hy_sugar_reorder};
