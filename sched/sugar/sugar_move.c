/* Desugaring: computations and allocations, resolved after all loops directives. */

#include "sched/site.h"
#include "sched/sugar/sugar.h"
#include "semantics/text/syntax.h"

#include <stdio.h>
#include <string.h>

typedef hy_sugar sugar;
typedef hy_chain chain;

typedef struct {
  const hy_func *consumer, *producer;
  const char *name;
  int spec; // only loops of this branch; HY_ALL_BRANCHES: of any
  HY_VEC(const hy_var *) having, reading;
  const hy_stmt *stage;
} site_search;

static void see_site(void *self, const hy_stmt *stmt) {
  site_search *search = self;
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) search->stage = stmt;
  if (stmt->kind != HY_STMT_FOR || stmt->loop.var->func != search->consumer) return;
  if (strcmp(stmt->loop.var->name, search->name) != 0) return;
  if (search->spec != HY_ALL_BRANCHES && stmt->loop.var->spec != search->spec) return;
  hy_vec_push(&search->having, stmt->loop.var);
  if (hy_tree_reads(stmt, search->producer)) hy_vec_push(&search->reading, stmt->loop.var);
}

// Of several loops of that name those that g may be moved to; where none is, what else there is.
static const char *several_help(sugar *s, const hy_func *producer, const hy_var *const *loops, size_t count) {
  hy_arena *arena = hy_context_arena(s->context);
  hy_text text = {0};
  for (size_t i = 0; i < count; i++) {
    const hy_stmt *loop = hy_tree_loop(s->tgt->body, loops[i]);
    if (!loop || !hy_site_dominates(s->tgt, producer, loop, false)) continue;
    if (text.length) hy_text_add(&text, ", ");
    hy_var_print(loops[i], &text);
  }
  const char *help =
      text.length
          ? hy_arena_printf(arena, "write compute_at(%s, loop) with one of %s", producer->name, hy_text_string(&text))
          : hy_arena_printf(arena, "each of these leaves out a stage that reads '%s'; the legal sites are %s",
                            producer->name, hy_site_list(s->context, s->tgt, producer, false));
  hy_text_free(&text);
  return help;
}

// SCH.Site: g.compute_at(h, x): the stage of h that reads g and has loop x; several is an error that lists them.
static const hy_var *find_site(sugar *s, const hy_func *producer, const hy_func *consumer, const char *name,
                               hy_loc loc) {
  site_search search = {.consumer = consumer, .producer = producer, .name = name};
  hy_tree_visit(s->tgt->body, see_site, &search);
  if (!search.having.count) { // of what one specialization alone reads, and only that has such a loop
    search.spec = HY_ALL_BRANCHES;
    hy_tree_visit(s->tgt->body, see_site, &search);
    search.having.count = 0;
    if (search.reading.count != 1) search.reading.count = 0;
  }
  const hy_var *found = NULL;
  if (search.reading.count == 1)
    found = search.reading.data[0];
  else if (search.reading.count == 0 && search.having.count == 1)
    found = search.having.data[0];
  size_t several = search.reading.count ? search.reading.count : search.having.count;
  if (!found && several) {
    hy_context_hit(s->context, HY_RULE_SCH_SITE);
    const hy_var *const *loops = search.reading.count ? search.reading.data : search.having.data;
    s->failed = true;
    hy_report(s->diagnostics, HY_E_AMBIGUOUS_SITE, loc, NULL, several_help(s, producer, loops, several),
              "several stages of '%s' have a loop '%s'", consumer->name, name);
  } else if (!found) {
    hy_directive missing = {.type = &hy_directive_compute_at, .loc = loc};
    missing.loop = hy_var_loop(s->context, consumer, 0, 0, name);
    s->failed = true;
    (void)hy_names_loop(s->context, s->tgt, &missing, s->diagnostics);
  }
  hy_vec_free(&search.having);
  hy_vec_free(&search.reading);
  return found;
}

static hy_directive directive_of(const hy_directive_type *type, const hy_func *func, const hy_var *loop,
                                 const hy_call *call) {
  hy_loc site = call->count == 2 ? call->args[1].loc : call->loc;
  return (hy_directive){
      .type = type, .loc = call->loc, .at = {.loop = site}, .in_chain = true, .func = func, .loop = loop};
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

static void move(sugar *s, const chain *c, const hy_call *call, const hy_directive_type *type, bool root) {
  const hy_var *loop = NULL;
  if (root) {
    if (!hy_sugar_takes(s, call, 0, 0, 0, 0, hy_arena_printf(hy_context_arena(s->context), "%s()", call->name))) return;
  } else {
    const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(func, loop)", call->name);
    if (is_path(s, c, call) || is_root(s, c, call) || is_stage(s, c, call) ||
        !hy_sugar_takes(s, call, 2, 2, 0, 2, form))
      return;
    const hy_func *consumer = hy_sugar_func(s, hy_sugar_name_at(call, 0), call->args[0].loc);
    if (!consumer) return;
    loop = find_site(s, c->func, consumer, hy_sugar_name_at(call, 1), call->args[1].loc);
    if (!loop) return;
  }
  hy_sugar_add(s, directive_of(type, c->func, loop, call));
  if (type == &hy_directive_compute_at)
    hy_vec_push(&s->implied, directive_of(&hy_directive_store_at, c->func, loop, call));
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
    if (is_stored(s, s->implied.data[i].func)) continue;
    hy_context_hit(s->context, HY_RULE_SCH_CHAIN_STORE);
    hy_sugar_add(s, s->implied.data[i]);
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

static const hy_var *site_of(const sugar *s, const hy_func *func) {
  const hy_directive_list *list = &s->phases[HY_PHASE_COMPUTE];
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].func == func) return list->data[i].loop;
  return NULL;
}

// SCH.Chain-Slide: the loop where the func is computed, by its name.
static void slide(sugar *s, chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 1, 1, 0, 1, "slide(loop)")) return;
  const hy_var *loop = site_of(s, c->func);
  const char *name = hy_sugar_name_at(call, 0);
  hy_context_hit(s->context, HY_RULE_SCH_CHAIN_SLIDE);
  if (loop && strcmp(loop->name, name) == 0) {
    hy_sugar_add(s, (hy_directive){.type = &hy_directive_slide,
                                   .loc = call->loc,
                                   .at = {.loop = call->args[0].loc},
                                   .func = c->func,
                                   .loop = loop});
    return;
  }
  hy_arena *arena = hy_context_arena(s->context);
  s->failed = true;
  hy_report(
      s->diagnostics, HY_E_NO_SLIDE, call->args[0].loc, "SCH.Chain-Slide (decision D85)",
      loop
          ? hy_arena_printf(arena, "it is computed at '%s': write slide(%s)", hy_names_of(s->context, loop), loop->name)
          : hy_arena_printf(arena, "write %s.store_root().compute_at(g, %s).slide(%s), g being a func that reads it",
                            c->func->name, name, name),
      "'%s' cannot slide along '%s': nothing before this computes it in such a loop", c->func->name, name);
}

const hy_method hy_method_slide = {.name = "slide",
                                   .form = "slide(x)",
                                   .summary = "computes in each iteration of the loop what the one before has not",
                                   .least = 1,
                                   .most = 1,
                                   .phase = HY_PHASE_PLAN,
                                   .read = slide};
