/* Desugaring: which loop a chained compute_at, store_at or slide means. A func is needed where what reads it is
 * computed, so that this is looked for when all moves were read, consumers first.
 */

#include "sched/site.h"
#include "sched/sugar/sugar.h"

#include <string.h>

typedef hy_sugar sugar;

typedef struct {
  const hy_func *consumer, *producer;
  const char *name;
  bool is_stored; // store_at; false: compute_at
  int spec;       // only loops of this branch; HY_ALL_BRANCHES: of any
  HY_VEC(const hy_var *) having, reading;
} site_search;

// The program with the computations that were found so far where they are to be; made when somebody asks for it.
typedef struct {
  sugar *s;
  const hy_tgt *moved;
  HY_VEC(const hy_directive *) found; // consumers first
  size_t applied;
  const hy_directive *refused; // the first that does not apply
} placing;

static void see_site(void *self, const hy_stmt *stmt) {
  site_search *search = self;
  if (stmt->kind != HY_STMT_FOR || stmt->loop.var->func != search->consumer) return;
  if (strcmp(stmt->loop.var->name, search->name) != 0) return;
  if (search->spec != HY_ALL_BRANCHES && stmt->loop.var->spec != search->spec) return;
  hy_vec_push(&search->having, stmt->loop.var);
  if (hy_tree_reads(stmt, search->producer)) hy_vec_push(&search->reading, stmt->loop.var);
}

static void search_in(site_search *search, const hy_tgt *tgt) {
  search->having.count = search->reading.count = 0;
  search->spec = 0;
  hy_tree_visit(tgt->body, see_site, search);
  if (search->having.count) return;
  search->spec = HY_ALL_BRANCHES; // of what one specialization alone reads, and only that has such a loop
  hy_tree_visit(tgt->body, see_site, search);
  search->having.count = 0;
  if (search->reading.count != 1) search->reading.count = 0;
}

static const hy_var *only_one(const site_search *search) {
  if (search->reading.count == 1) return search->reading.data[0];
  return search->reading.count == 0 && search->having.count == 1 ? search->having.data[0] : NULL;
}

// What does not apply stays where it is: why not is said when it is applied for good.
static void apply_found(placing *p) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  for (; p->applied < p->found.count; p->applied++) {
    const hy_directive *move = p->found.data[p->applied];
    const hy_tgt *next = hy_sched_apply(p->s->context, p->moved, move, unheard);
    if (next)
      p->moved = next;
    else if (!p->refused)
      p->refused = move;
  }
  hy_diagnostics_free(unheard);
}

static void add_found(placing *p, const hy_directive *move) {
  hy_directive *copy = HY_NEW(hy_context_arena(p->s->context), hy_directive); // the list of the phase may move
  *copy = *move;
  hy_vec_push(&p->found, copy);
}

// Of several loops of that name those that g may be moved to; where none is, what else there is.
static const char *several_help(const placing *p, const site_search *search) {
  hy_context *context = p->s->context;
  hy_arena *arena = hy_context_arena(context);
  bool reading = search->reading.count;
  const hy_var *const *loops = reading ? search->reading.data : search->having.data;
  const char *producer = search->producer->name;
  hy_text text = {0};
  for (size_t i = 0, count = reading ? search->reading.count : search->having.count; i < count; i++) {
    const hy_stmt *loop = hy_tree_loop(p->moved->body, loops[i]);
    if (!loop || !hy_site_dominates(p->moved, search->producer, loop, search->is_stored)) continue;
    if (text.length) hy_text_add(&text, ", ");
    hy_var_print(loops[i], &text);
  }
  const char *help =
      text.length ? hy_arena_printf(arena, "write %s(%s, loop) with one of %s",
                                    search->is_stored ? "store_at" : "compute_at", producer, hy_text_string(&text))
                  : hy_arena_printf(arena, "each of these leaves out a stage that reads '%s'; the legal sites are %s",
                                    producer, hy_site_list(context, p->moved, search->producer, search->is_stored));
  hy_text_free(&text);
  return help;
}

static void report_several(placing *p, const site_search *search, hy_loc loc) {
  sugar *s = p->s;
  s->failed = true;
  // A reader that cannot be where it is to be comes first; specializations may have a copy of it each.
  if (p->refused && !s->specializations.count) {
    (void)hy_sched_apply(s->context, p->moved, p->refused, s->diagnostics);
    return;
  }
  hy_context_hit(s->context, HY_RULE_SCH_SITE);
  hy_report(s->diagnostics, HY_E_AMBIGUOUS_SITE, loc, NULL, several_help(p, search),
            "several stages of '%s' have a loop '%s'", search->consumer->name, search->name);
}

// SCH.Site: g.compute_at(h, x): the stage of h that has loop x and in whose loops g is read, by h or by what is
// computed there; several is an error that lists them.
static const hy_var *find_site(placing *p, const hy_placed *placed) {
  sugar *s = p->s;
  const hy_argument *argument = &placed->call->args[1];
  const char *name = hy_sugar_name_at(placed->call, 1);
  site_search search = {.consumer = placed->consumer,
                        .producer = placed->chain.func,
                        .name = name,
                        .is_stored = placed->phase == HY_PHASE_STORAGE};
  search_in(&search, s->tgt);
  const hy_var *found = only_one(&search);
  if (!found && search.having.count) { // what reads it may be computed in one of them
    apply_found(p);
    search_in(&search, p->moved);
    found = only_one(&search);
  }
  if (!found && search.having.count) {
    report_several(p, &search, argument->loc);
  } else if (!found) {
    hy_directive missing = {.type = &hy_directive_compute_at, .loc = argument->loc};
    missing.loop = hy_var_loop(s->context, placed->consumer, 0, 0, name);
    s->failed = true;
    (void)hy_names_loop(s->context, s->tgt, &missing, s->diagnostics);
  }
  hy_vec_free(&search.having);
  hy_vec_free(&search.reading);
  return found;
}

static void place(placing *p, const hy_placed *placed) {
  sugar *s = p->s;
  if (placed->phase == HY_PHASE_PLAN)
    hy_sugar_place_slide(s, placed);
  else
    s->phases[placed->phase].data[placed->index].loop = find_site(p, placed);
  if (s->failed) hy_sugar_note_lanes(s, &placed->chain, placed->call);
}

static const hy_placed *placed_at(const sugar *s, hy_phase phase, size_t index) {
  for (size_t i = 0; i < s->placed.count; i++)
    if (s->placed.data[i].phase == phase && s->placed.data[i].index == index) return &s->placed.data[i];
  return NULL;
}

static bool is_legal(const placing *p, const hy_directive *compute, const hy_directive *store) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  const hy_tgt *moved = hy_sched_apply(p->s->context, p->moved, compute, unheard);
  bool legal = moved && hy_sched_apply(p->s->context, moved, store, unheard);
  hy_diagnostics_free(unheard);
  return legal;
}

// DIR.Inline.Innermost: what cannot be computed or stored there stays at root. What every specialization reads in a loop
// of its own is copied for each when all loops are found (SCH.Spread).
static void place_innermost(placing *p, const hy_func *func) {
  sugar *s = p->s;
  apply_found(p);
  hy_directive compute = {.type = &hy_directive_compute_at, .loc = s->schedule->loc, .func = func};
  compute.loop = hy_sugar_innermost(p->moved, func);
  hy_directive store = compute;
  store.type = &hy_directive_store_at;
  if (compute.loop && is_legal(p, &compute, &store))
    add_found(p, &compute);
  else if (!compute.loop && (compute.loop = hy_sugar_innermost_spread(s, p->moved, func)))
    store.loop = compute.loop;
  else
    return;
  hy_context_hit(s->context, HY_RULE_DIR_INLINE_INNERMOST);
  hy_sugar_add(s, compute);
  hy_vec_push(&s->implied, store);
}

// As they will be applied: what reads a func is where it is to be by then.
static void place_computations(placing *p) {
  sugar *s = p->s;
  const hy_directive_list *moves = &s->phases[HY_PHASE_COMPUTE];
  for (int f = s->tgt->func_count - 1; f >= 0; f--) {
    for (size_t i = 0; i < moves->count && !s->failed; i++) {
      const hy_placed *placed = moves->data[i].func == s->tgt->funcs[f] ? placed_at(s, HY_PHASE_COMPUTE, i) : NULL;
      if (placed) place(p, placed);
      if (moves->data[i].func == s->tgt->funcs[f]) add_found(p, &moves->data[i]);
    }
    if (!s->failed && hy_sugar_is_left_innermost(s, s->tgt->funcs[f])) place_innermost(p, s->tgt->funcs[f]);
  }
}

void hy_sugar_place_moves(hy_sugar *s) {
  placing p = {.s = s, .moved = s->tgt};
  place_computations(&p);
  for (size_t i = 0; i < s->placed.count && !s->failed; i++)
    if (s->placed.data[i].phase != HY_PHASE_COMPUTE) place(&p, &s->placed.data[i]);
  hy_vec_free(&p.found);
  if (!s->failed) hy_sugar_place_stores(s);
}
