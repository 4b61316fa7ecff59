// Directives from outside the tree in random schedules: arguments of the kinds that they declare.

#include "fuzz/generate.h"

#include "plugin/plugin.h"

typedef struct {
  hy_choices *c;
  hy_context *context;
  const hy_tgt *tgt;
  const hy_stmt *const *loops;
  size_t count;
  const hy_stmt *first, *last; // of the loops that are taken
  int *names;
  bool reuses; // gives new loops the names of those that are taken, too
  const hy_plugin_value *values;
  int value_count; // picked so far
  const hy_wanted_argument *wanted;
} picker;

static const hy_expr *pick_param(picker *p) {
  if (!p->tgt->alg->param_count) return NULL;
  const hy_var *param = p->tgt->alg->params[hy_choose(p->c, (uint64_t)p->tgt->alg->param_count)];
  return param->type == HY_INT ? hy_expr_var(p->context, param) : NULL;
}

static const hy_expr *pick_factor(picker *p) {
  static const int factors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 23, 31, 64};
  static const int weights[] = {8, 22, 22, 18, 10, 3, 8, 8, 2, 2, 3, 2, 3, 1, 1, 4, 2, 1, 1, 1, 1};
  const hy_expr *param = hy_choose_chance(p->c, 10) ? pick_param(p) : NULL;
  return param ? param : hy_expr_int(p->context, factors[hy_choose_weighted(p->c, weights, HY_COUNT(factors))]);
}

static const hy_expr *pick_number(picker *p) { return hy_expr_int(p->context, hy_choose_between(p->c, -2, 6)); }

static bool is_picked(const picker *p, const char *name) {
  for (int i = 0; i < p->value_count; i++)
    if (p->values[i].name == name) return true;
  return false;
}

// The name of a loop that is taken, if one is left; NULL if not.
static const char *pick_taken_name(picker *p) {
  const char *found[HYD_MOST_LOOPS];
  size_t count = 0;
  for (const hy_stmt *loop = p->first;; loop = loop->loop.body) {
    if (!is_picked(p, loop->loop.var->name)) found[count++] = loop->loop.var->name;
    if (loop == p->last) break;
  }
  return count ? found[hy_choose(p->c, count)] : NULL;
}

static const char *pick_name(picker *p) {
  const char *taken = p->reuses && hy_choose_chance(p->c, 80) ? pick_taken_name(p) : NULL;
  if (taken) return taken;
  return hy_context_name_of(p->context, hy_arena_printf(hy_context_arena(p->context), "n%d", (*p->names)++));
}

static bool holds(const hy_stmt *outer, const hy_stmt *inner) {
  if (outer == inner) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(outer, &children, room);
  for (int i = 0; i < count; i++)
    if (holds(children[i], inner)) return true;
  return false;
}

static const hy_var *pick_around(picker *p) {
  const hy_var *found[8], *var = p->first->loop.var;
  size_t count = 0;
  for (size_t i = 0; i < p->count && count < HY_COUNT(found); i++) {
    const hy_var *other = p->loops[i]->loop.var;
    if (p->loops[i] != p->first && other->func == var->func && other->spec == var->spec && other->stage == var->stage &&
        holds(p->loops[i]->loop.body, p->first))
      found[count++] = other;
  }
  return count ? found[hy_choose(p->c, count)] : NULL;
}

static bool pick_value(picker *p, hyd_argument kind, hy_plugin_value *value) {
  if (p->wanted && p->wanted->position == p->value_count) {
    value->expr = p->wanted->value;
    return true;
  }
  switch (kind) {
  case HYD_END: break;
  case HYD_LOOP: value->loop = p->first->loop.var; return true;
  case HYD_INNER:
    p->last = p->last->loop.body;
    if (p->last->kind != HY_STMT_FOR) return false;
    value->loop = p->last->loop.var;
    return true;
  case HYD_AROUND: value->loop = pick_around(p); return value->loop != NULL;
  case HYD_NAME: value->name = pick_name(p); return true;
  case HYD_FACTOR: value->expr = pick_factor(p); return true;
  case HYD_EXPR:
    value->expr = hy_choose_chance(p->c, 15) ? pick_param(p) : NULL;
    if (!value->expr) value->expr = pick_number(p);
    return true;
  case HYD_NUMBER: value->expr = pick_number(p); return true;
  }
  HY_UNREACHABLE();
}

bool hy_generate_plugin(hy_choices *choices, hy_context *context, const hy_tgt *tgt, const hy_stmt *const *loops,
                        size_t count, const hy_stmt *loop, const hy_wanted_argument *wanted, int *names,
                        hy_directive *directive) {
  const hy_plugins *plugins = hy_context_plugins(context);
  if (!plugins || !plugins->count) return false;
  const hy_plugin *plugin = plugins->items[hy_choose(choices, (uint64_t)plugins->count)];
  hy_plugin_value *values = HY_NEW_ARRAY(hy_context_arena(context), hy_plugin_value, plugin->count);
  picker p = {choices, context, tgt, loops, count, loop, loop, names, hy_choose_chance(choices, 25), values, 0, wanted};
  for (; p.value_count < plugin->count; p.value_count++)
    if (!pick_value(&p, plugin->directive->arguments[p.value_count], &values[p.value_count])) return false;
  *directive = (hy_directive){.type = &plugin->type,
                              .loc = tgt->alg->loc,
                              .loop = loop->loop.var,
                              .plugin = plugin,
                              .plugin_name = plugin->directive->name,
                              .values = values,
                              .value_count = plugin->count};
  return true;
}
