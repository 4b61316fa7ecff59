#include "sched/sugar.h"
#include "sched/foreign.h"

#include <string.h>

/* From a schedule as written to core directives in the order applied (shared language page, "Schedules").
 *
 * Loops directives are desugared and applied to a scratch program in the order of the text, because "reorder" and the
 * names of inner loops depend on the loops that are there. Computations and allocations are sorted consumers first.
 */

typedef hy_directive_list directive_list;
typedef hy_sugar sugar;
typedef hy_chain chain;

/* -- calls -- */

// What may stand alone, and what in a chain; bounds directives, compute_at and the like in both.
static const char *const core_names[] = {"split",      "fuse",     "swap",  "traverse",     "specialize",
                                         "compute_at", "store_at", "bound", "bound_extent", "align_bounds"};
static const char *const chain_names[] = {"split",      "tile",         "fuse",       "reorder",    "parallel",
                                          "vectorize",  "unroll",       "serial",     "specialize", "update",
                                          "bound",      "bound_extent", "compute_at", "store_at",   "compute_root",
                                          "store_root", "align_bounds"};

static bool is_among(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static void unknown(sugar *s, const hy_call *call, bool in_chain) {
  hy_arena *arena = hy_context_arena(s->context);
  const char *const *names = in_chain ? chain_names : core_names;
  size_t count = in_chain ? HY_COUNT(chain_names) : HY_COUNT(core_names);
  const char *near = hy_nearest_name(call->name, names, count),
             *help =
                 "'halyard directives' lists what there is, or give the plug-in that defines it with --plugin FILE.so";
  if (near)
    help = hy_arena_printf(arena, "did you mean '%s'? or give the plug-in that defines it with --plugin FILE.so", near);
  else if (!in_chain && is_among(call->name, chain_names, HY_COUNT(chain_names)))
    help = hy_arena_printf(arena, "it follows a func in a chain: f.%s(...)", call->name);
  else if (in_chain && is_among(call->name, core_names, HY_COUNT(core_names)))
    help = hy_arena_printf(arena, "it stands alone: %s(f.x, ...)", call->name);
  s->failed = true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_DIRECTIVE, call->loc, NULL, help,
            in_chain ? "there is no method '%s' of a schedule chain" : "there is no directive '%s'", call->name);
}

static const struct hy_plugin *find_foreign(const sugar *s, const char *name) {
  const hy_foreign *foreign = hy_context_foreign(s->context);
  return foreign ? foreign->find(hy_context_plugins(s->context), name) : NULL;
}

// "first" is NULL if the first argument is to be read as "f.x".
static void plugin_call(sugar *s, const struct hy_plugin *plugin, const hy_call *call, const hy_var *first) {
  const hy_foreign *foreign = hy_context_foreign(s->context);
  hy_directive directive;
  int count;
  const char *form = foreign->form(plugin, &count);
  if (call->count != count) {
    hy_sugar_refuse(s, call, form);
    return;
  }
  if (!first) first = hy_sugar_loop(s, &call->args[0]);
  if (first && foreign->read(s, plugin, call, first, &directive)) hy_sugar_emit(s, directive);
}

static void core_call(sugar *s, const hy_call *call) {
  const struct hy_plugin *plugin = find_foreign(s, call->name);
  if (plugin) {
    plugin_call(s, plugin, call, NULL);
    return;
  }
  if (strcmp(call->name, "split") == 0)
    hy_sugar_core_split(s, call);
  else if (strcmp(call->name, "fuse") == 0)
    hy_sugar_core_fuse(s, call);
  else if (strcmp(call->name, "swap") == 0)
    hy_sugar_core_swap(s, call);
  else if (strcmp(call->name, "traverse") == 0)
    hy_sugar_core_traverse(s, call);
  else if (strcmp(call->name, "compute_at") != 0 && strcmp(call->name, "store_at") != 0 &&
           strcmp(call->name, "specialize") != 0 && !hy_sugar_is_bounds(call->name))
    unknown(s, call, false);
}

static void chain_update(sugar *s, chain *c, const hy_call *call) {
  const hy_expr *k = call->count == 1 ? hy_sugar_startup(s, &call->args[0], HY_INT) : hy_expr_int(s->context, 0);
  int64_t number = 0;
  if (s->failed || !hy_sugar_takes(s, call, 0, 1, 0, 0, "update(k) with a constant k")) return;
  int stages = 0;
  for (int i = 0; i < s->tgt->func_count; i++)
    if (s->tgt->funcs[i] == c->func) stages = s->tgt->stage_counts[i];
  if (hy_expr_is_int(k, &number) && number >= 0 && number < stages - 1) {
    c->stage = (int)number + 1;
    return;
  }
  s->failed = true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_LOOP, call->count ? call->args[0].loc : call->loc, "SCH.Loop (lemma 6.1)",
            stages > 1 ? hy_arena_printf(hy_context_arena(s->context), "its updates are 0 to %d", stages - 2)
                       : "it has no updates",
            "'%s' has no such update", c->func->name);
}

// SCH.Chain: one call of a chain; moves wait until all loops directives were applied ("moving" is the second walk).
static void chain_call(sugar *s, chain *c, const hy_call *call, bool moving) {
  const char *name = call->name;
  hy_context_hit(s->context, HY_RULE_SCH_CHAIN);
  const struct hy_plugin *plugin = find_foreign(s, name);
  if (plugin) {
    bool fits = call->count > 0 && call->args[0].path_count == 1;
    if (!moving) plugin_call(s, plugin, call, fits ? hy_sugar_loop_of(s, c, hy_sugar_name_at(call, 0)) : NULL);
    return;
  }
  bool is_move = strcmp(name, "compute_at") == 0 || strcmp(name, "store_at") == 0 ||
                 strcmp(name, "compute_root") == 0 || strcmp(name, "store_root") == 0;
  if (strcmp(name, "update") == 0) {
    chain_update(s, c, call);
  } else if (strcmp(name, "specialize") == 0) {
    hy_sugar_turn(s, c, call);
  } else if (hy_sugar_is_bounds(name)) {
    if (moving) hy_sugar_chain_bounds(s, c, call);
  } else if (is_move != moving) {
    return;
  } else if (is_move) {
    const hy_directive_type *type = name[0] == 'c' ? &hy_directive_compute_at : &hy_directive_store_at;
    hy_sugar_chain_move(s, c, call, type, strstr(name, "root") != NULL);
  } else if (strcmp(name, "split") == 0) {
    hy_sugar_chain_split(s, c, call);
  } else if (strcmp(name, "tile") == 0) {
    hy_sugar_chain_tile(s, c, call);
  } else if (strcmp(name, "fuse") == 0) {
    hy_sugar_chain_fuse(s, c, call);
  } else if (strcmp(name, "reorder") == 0) {
    hy_sugar_chain_reorder(s, c, call);
  } else if (strcmp(name, "parallel") == 0) {
    hy_sugar_chain_traverse(s, c, call, HY_PARALLEL, "p");
  } else if (strcmp(name, "vectorize") == 0) {
    hy_sugar_chain_traverse(s, c, call, HY_VECTORIZED, "v");
  } else if (strcmp(name, "unroll") == 0) {
    hy_sugar_chain_traverse(s, c, call, HY_UNROLLED, "u");
  } else if (strcmp(name, "serial") == 0) {
    hy_sugar_chain_serial(s, c, call);
  } else {
    unknown(s, call, true);
  }
}

static void chain_item(sugar *s, const hy_schedule_item *item, bool moving) {
  chain c = {.func = hy_sugar_func(s, item->func, item->loc)};
  if (!c.func) return;
  for (int i = 0; i < item->count; i++) c.stores |= strncmp(item->calls[i].name, "store_", 6) == 0;
  for (int i = 0; i < item->count && !s->failed; i++) chain_call(s, &c, &item->calls[i], moving);
}

/* -- the whole -- */

static int position(const sugar *s, const hy_func *func) {
  for (int i = 0; i < s->tgt->func_count; i++)
    if (s->tgt->funcs[i] == func) return i;
  return -1;
}

// Consumers first: a producer is then moved to the front of a loop body, before its consumer.
static void append_consumers_first(sugar *s, const directive_list *from, directive_list *to) {
  for (int p = s->tgt->func_count - 1; p >= 0; p--)
    for (size_t i = 0; i < from->count; i++)
      if (position(s, from->data[i].func) == (HY_MUTANT(SUGAR_Producers_First) ? s->tgt->func_count - 1 - p : p))
        hy_vec_push(to, from->data[i]);
}

static void walk_items(sugar *s, const hy_schedule *schedule, bool moving) {
  for (int i = 0; i < schedule->count && !s->failed; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    if (item->func) {
      chain_item(s, item, moving);
    } else if (!moving) {
      core_call(s, &item->calls[0]);
    } else if (strcmp(item->calls[0].name, "compute_at") == 0) {
      hy_sugar_core_move(s, &item->calls[0], &hy_directive_compute_at);
    } else if (strcmp(item->calls[0].name, "store_at") == 0) {
      hy_sugar_core_move(s, &item->calls[0], &hy_directive_store_at);
    } else if (hy_sugar_is_bounds(item->calls[0].name)) {
      hy_sugar_bounds(s, &item->calls[0]);
    }
  }
}

bool hy_sched_desugar(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule,
                      hy_diagnostics *diagnostics, const hy_directive **core, int *count) {
  *core = NULL;
  *count = 0;
  sugar s = {.context = context, .tgt = lowered, .diagnostics = diagnostics};
  if (strcmp(schedule->pipeline, lowered->alg->name) != 0) {
    hy_report(diagnostics, HY_E_SCHEDULE_PIPELINE, schedule->pipeline_loc, NULL, "name the pipeline of the algorithm",
              "schedule '%s' is for '%s', the pipeline is '%s'", schedule->name, schedule->pipeline,
              lowered->alg->name);
    return false;
  }
  if (schedule->default_inline) {
    hy_report(diagnostics, HY_E_UNKNOWN_DIRECTIVE, schedule->loc, NULL,
              "leave it out: without it every func is computed at root",
              "'default inline' is not a form of this version");
    return false;
  }
  hy_sugar_specialize(&s, schedule);
  if (!s.failed) walk_items(&s, schedule, false);
  if (!s.failed) walk_items(&s, schedule, true);
  directive_list all = {0};
  for (size_t i = 0; i < s.specializes.count; i++) hy_vec_push(&all, s.specializes.data[i]);
  for (size_t i = 0; i < s.loops.count; i++) hy_vec_push(&all, s.loops.data[i]);
  append_consumers_first(&s, &s.computes, &all);
  append_consumers_first(&s, &s.stores, &all);
  for (size_t i = 0; i < s.bounds.count; i++) hy_vec_push(&all, s.bounds.data[i]);
  if (!s.failed && all.count) {
    hy_context_hit(context, HY_RULE_SCH_PHASE); // SCH.Phase: specialize, loops, compute, storage, bounds (Figure 11)
    hy_directive *copy = HY_NEW_ARRAY(hy_context_arena(context), hy_directive, all.count);
    memcpy(copy, all.data, sizeof *copy * all.count);
    *core = copy;
    *count = (int)all.count;
  }
  hy_vec_free(&all);
  hy_sugar_free_specializations(&s);
  hy_vec_free(&s.specializes);
  hy_vec_free(&s.bounds);
  hy_vec_free(&s.loops);
  hy_vec_free(&s.computes);
  hy_vec_free(&s.stores);
  return !s.failed;
}
