/* Desugaring: computations and allocations, made after all loops directives. */

#include "sched/site.h"
#include "sched/sugar/sugar.h"
#include "semantics/text/syntax.h"

#include <stdio.h>
#include <string.h>

typedef hy_sugar sugar;
typedef hy_chain chain;

static hy_directive directive_of(const hy_directive_type *type, const hy_func *func, const hy_call *call) {
  hy_loc site = call->count == 2 ? call->args[1].loc : call->loc;
  return (hy_directive){.type = type, .loc = call->loc, .at = {.loop = site}, .in_chain = true, .func = func};
}

// g.compute_at(f.s1.y), g.compute_at(f, s1.y): a loop by its path, which the core's directives take. Was it that?
static bool is_path(sugar *s, const chain *c, const hy_call *call) {
  const hy_argument *last = call->count ? &call->args[call->count - 1] : NULL;
  if (!last || call->count > 2 || last->path_count < 2 || !call->args[0].path_count) return false;
  hy_text path = {0};
  bool repeats = call->count == 2 && strcmp(call->args[0].path[0], last->path[0]) == 0; // (f, f.y)
  for (int i = repeats; i < call->count; i++)
    for (int k = 0; k < call->args[i].path_count; k++)
      hy_text_printf(&path, "%s%s", path.length ? "." : "", call->args[i].path[k]);
  hy_arena *arena = hy_context_arena(s->context);
  const char *loop = hy_arena_printf(arena, "%s", hy_text_string(&path)), *func = c->func->name;
  hy_text_free(&path);
  bool is_plain = call->count == 1 + repeats && last->path_count == 2;
  bool stores = strcmp(call->name, "store_at") == 0;
  const char *help =
      is_plain ? hy_arena_printf(arena, "write %s(%s, %s)", call->name, last->path[0], last->path[1])
      : stores ? hy_arena_printf(arena, "such a loop stands in a directive alone: store_at(%s, %s);", func, loop)
               : hy_arena_printf(arena, "such a loop stands in directives alone: compute_at(%s, %s); store_at(%s, %s);",
                                 func, loop, func, loop);
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, last->loc, NULL, help,
            "'%s' takes a func and the name of a loop here, and '%s' is a path", call->name, loop);
  return true;
}

// g.compute_at(root), g.compute_at(root, x): Halide's root as a func. Was it that?
static bool is_root(sugar *s, const chain *c, const hy_call *call) {
  const hy_argument *first = call->count ? &call->args[0] : NULL;
  if (!first || first->path_count != 1 || strcmp(first->path[0], "root") != 0 || hy_alg_find(s->tgt->alg, "root"))
    return false;
  const bool stores = strcmp(call->name, "store_at") == 0;
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, first->loc, NULL,
            hy_arena_printf(hy_context_arena(s->context), "write %s.%s()", c->func->name,
                            stores ? "store_root" : "compute_root"),
            "'%s' takes a func here, and 'root' is none", call->name);
  return true;
}

// g.compute_at(f.update(0), x): Halide's stage as a func. Was it that?
static bool is_stage(sugar *s, const chain *c, const hy_call *call) {
  enum { LONGEST = 63 };
  if (call->count != 2 || call->args[0].path_count || call->args[1].path_count != 1) return false;
  hy_text text = {0};
  char consumer[LONGEST + 1];
  int number = 0;
  hy_syntax_print(call->args[0].syntax, &text);
  bool is = sscanf(hy_text_string(&text), "%63[A-Za-z0-9_].update(%d)", consumer, &number) > 0 &&
            strstr(hy_text_string(&text), ".update(");
  if (is) {
    const char *loop = call->args[1].path[0], *func = c->func->name;
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->args[0].loc, NULL,
              hy_arena_printf(hy_context_arena(s->context),
                              "write %s(%s, %s); where several stages have that loop, its directive alone: %s(%s, "
                              "%s.s%d.%s);",
                              call->name, consumer, loop, call->name, func, consumer, number + 1, loop),
              "'%s' takes a func here, and '%s' is a stage of one", call->name, hy_text_string(&text));
  }
  hy_text_free(&text);
  return is;
}

// Which loop it is, is known when all moves were read (sugar_site.c).
static void move(sugar *s, const chain *c, const hy_call *call, const hy_directive_type *type, bool root) {
  const hy_func *consumer = NULL;
  if (root) {
    if (!hy_sugar_takes(s, call, 0, 0, 0, 0, hy_arena_printf(hy_context_arena(s->context), "%s()", call->name))) return;
  } else {
    const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(func, loop)", call->name);
    if (is_path(s, c, call) || is_root(s, c, call) || is_stage(s, c, call) ||
        !hy_sugar_takes(s, call, 2, 2, 0, 2, form))
      return;
    consumer = hy_sugar_func(s, hy_sugar_name_at(call, 0), call->args[0].loc);
    if (!consumer) return;
  }
  hy_directive_list *moves = &s->phases[type->phase];
  hy_sugar_add(s, directive_of(type, c->func, call));
  if (s->failed) return;
  if (consumer) hy_vec_push(&s->placed, ((hy_placed){type->phase, moves->count - 1, consumer, *c, call}));
  if (type == &hy_directive_compute_at) hy_vec_push(&s->implied, directive_of(&hy_directive_store_at, c->func, call));
}

static bool is_stored(const sugar *s, const hy_func *func) {
  const hy_directive_list *list = &s->phases[HY_PHASE_STORAGE];
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].func == func) return true;
  return false;
}

// SCH.Chain-Store: chained compute_at also stores there, unless the schedule says otherwise; the core directive moves
// the computation alone.
void hy_sugar_place_stores(hy_sugar *s) {
  for (size_t i = 0; i < s->implied.count && !s->failed; i++) {
    hy_directive store = s->implied.data[i];
    if (is_stored(s, store.func)) continue;
    hy_context_hit(s->context, HY_RULE_SCH_CHAIN_STORE);
    store.loop = hy_sugar_move_of(s, store.func)->loop;
    hy_sugar_add(s, store);
  }
}

static void compute_at(sugar *s, chain *c, const hy_call *call) { move(s, c, call, &hy_directive_compute_at, false); }
static void compute_root(sugar *s, chain *c, const hy_call *call) { move(s, c, call, &hy_directive_compute_at, true); }
static void store_at(sugar *s, chain *c, const hy_call *call) { move(s, c, call, &hy_directive_store_at, false); }
static void store_root(sugar *s, chain *c, const hy_call *call) { move(s, c, call, &hy_directive_store_at, true); }

const hy_method hy_method_compute_at = {
    .name = "compute_at",
    .form = "compute_at(g, x)",
    .summary = "computes the func just inside a loop of g, and stores it there unless the schedule says where",
    .least = 2,
    .most = 2,
    .phase = HY_PHASE_COMPUTE,
    .read = compute_at};
const hy_method hy_method_compute_root = {.name = "compute_root",
                                          .form = "compute_root()",
                                          .summary = "computes the func as a whole, before what reads it",
                                          .least = 0,
                                          .most = 0,
                                          .phase = HY_PHASE_COMPUTE,
                                          .read = compute_root};
const hy_method hy_method_store_at = {.name = "store_at",
                                      .form = "store_at(g, x)",
                                      .summary = "stores the func just inside a loop of g",
                                      .least = 2,
                                      .most = 2,
                                      .phase = HY_PHASE_STORAGE,
                                      .read = store_at};
const hy_method hy_method_store_root = {.name = "store_root",
                                        .form = "store_root()",
                                        .summary = "stores the func as a whole",
                                        .least = 0,
                                        .most = 0,
                                        .phase = HY_PHASE_STORAGE,
                                        .read = store_root};

/* -- slide -- */

const hy_directive *hy_sugar_move_of(const hy_sugar *s, const hy_func *func) {
  const hy_directive_list *list = &s->phases[HY_PHASE_COMPUTE];
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].func == func) return &list->data[i];
  return NULL;
}

static void no_such_slide(sugar *s, const hy_func *func, const hy_call *call, const hy_var *loop) {
  const char *name = hy_sugar_name_at(call, 0);
  hy_arena *arena = hy_context_arena(s->context);
  s->failed = true;
  hy_report(
      s->diagnostics, HY_E_NO_SLIDE, call->args[0].loc, "SCH.Chain-Slide (decision D85)",
      loop
          ? hy_arena_printf(arena, "it is computed at '%s': write slide(%s)", hy_names_of(s->context, loop), loop->name)
          : hy_arena_printf(arena, "write %s.store_root().compute_at(g, %s).slide(%s), g being a func that reads it",
                            func->name, name, name),
      "'%s' cannot slide along '%s': nothing before this computes it in such a loop", func->name, name);
}

// SCH.Chain-Slide: the loop where the func is computed, by its name.
static void slide(sugar *s, chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 1, 1, 0, 1, "slide(loop)")) return;
  hy_context_hit(s->context, HY_RULE_SCH_CHAIN_SLIDE);
  if (!hy_sugar_move_of(s, c->func)) {
    no_such_slide(s, c->func, call, NULL);
    return;
  }
  hy_sugar_add(s,
               (hy_directive){
                   .type = &hy_directive_slide, .loc = call->loc, .at = {.loop = call->args[0].loc}, .func = c->func});
  hy_vec_push(&s->placed, ((hy_placed){HY_PHASE_PLAN, s->phases[HY_PHASE_PLAN].count - 1, NULL, *c, call}));
}

void hy_sugar_place_slide(hy_sugar *s, const hy_placed *placed) {
  const hy_func *func = placed->chain.func;
  const hy_var *loop = hy_sugar_move_of(s, func)->loop;
  const char *name = hy_sugar_name_at(placed->call, 0);
  if (loop && strcmp(loop->name, name) == 0)
    s->phases[placed->phase].data[placed->index].loop = loop;
  else
    no_such_slide(s, func, placed->call, loop);
}

const hy_method hy_method_slide = {.name = "slide",
                                   .form = "slide(x)",
                                   .summary = "computes in each iteration of the loop what the one before has not",
                                   .least = 1,
                                   .most = 1,
                                   .phase = HY_PHASE_PLAN,
                                   .read = slide};
