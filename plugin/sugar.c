#include "plugin/plugin_internal.h"
#include "sched/foreign.h"

#include <string.h>

/* Directives from outside the tree as they are declared, and as they are written: name(f.x, ...), or f.name(x, ...) in
 * a chain.
 */

const hy_plugin *hy_plugins_find(const hy_plugins *plugins, const char *name) {
  for (int i = 0; plugins && i < plugins->count; i++)
    if (strcmp(plugins->items[i]->directive->name, name) == 0) return plugins->items[i];
  return NULL;
}

const char *hy_plugin_file(const hy_plugin *plugin) {
  const char *folder = strrchr(plugin->path, '/');
  return folder ? folder + 1 : plugin->path;
}

/* -- declarations -- */

static bool is_identifier(const char *name) {
  size_t length = strnlen(name, 64);
  if (!length || length == 64 || (name[0] >= '0' && name[0] <= '9')) return false;
  for (size_t i = 0; i < length; i++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", name[i])) return false;
  return true;
}

// Words that schedules use already, as directives or in chains.
static bool is_own(const char *name) {
  static const char *const words[] = {"tile",   "reorder",      "parallel",   "vectorize", "unroll",   "serial",
                                      "update", "compute_root", "store_root", "root",      "schedule", "default"};
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(all[i]->name, name) == 0) return true;
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

static const char *check_arguments(hy_context *context, const hyd_directive *d) {
  int taken = 0, count = 0;
  for (; count <= HYD_MOST_ARGUMENTS && d->arguments[count] != HYD_END; count++) {
    hyd_argument kind = d->arguments[count];
    if ((unsigned)kind > HYD_NUMBER)
      return hy_arena_printf(hy_context_arena(context), "its argument %d is of kind %d, which there is not", count,
                             (int)kind);
    if ((kind == HYD_LOOP) != (count == 0)) return "its first argument, and no other, is to be HYD_LOOP";
    taken += kind == HYD_LOOP || kind == HYD_INNER;
  }
  if (count > HYD_MOST_ARGUMENTS) return "its list of arguments does not end with HYD_END";
  if (!count) return "its first argument, and no other, is to be HYD_LOOP";
  return taken > HYD_MOST_LOOPS ? "it takes more loops than HYD_MOST_LOOPS" : NULL;
}

const char *hy_plugin_check(hy_context *context, const hyd_directive *d) {
  hy_arena *arena = hy_context_arena(context);
  if (d->version != HYD_VERSION)
    return hy_arena_printf(arena, "it is for version %u of halyard_directive.h, this is version %d; build it again",
                           (unsigned)d->version, HYD_VERSION);
  if (d->size != sizeof *d)
    return hy_arena_printf(arena, "its hyd_directive has %u bytes instead of %zu; it must begin with HYD_HEAD",
                           (unsigned)d->size, sizeof *d);
  if (!d->name || !is_identifier(d->name)) return "its name is no identifier of at most 63 letters";
  if (is_own(d->name)) return hy_arena_printf(arena, "its name '%s' is one that Halyard's own schedules use", d->name);
  if (!d->form || !d->summary) return "it lacks 'form' or 'summary'";
  if (!d->rewrite || !d->inverse) return "it lacks 'rewrite' or 'inverse'";
  return check_arguments(context, d);
}

/* -- calls -- */

typedef struct {
  hy_sugar *s;
  const hy_call *call;
  const hy_plugin *plugin;
  const hy_var *first; // the first loop: the others are of its stage
} reading;

static const char *name_of(const reading *r, const hy_argument *a) {
  return a->path_count == 1 ? hy_context_name_of(r->s->context, a->path[0]) : NULL;
}

static bool read_value(reading *r, int i, hy_directive *directive) {
  const hy_argument *a = &r->call->args[i];
  int64_t constant;
  int place = hy_directive_place(directive->type, i);
  hyd_argument kind = r->plugin->directive->arguments[i];
  switch (kind) {
  case HYD_END: break;
  case HYD_LOOP: directive->loop = r->first; return true;
  case HYD_INNER:
  case HYD_AROUND:
  case HYD_NAME: return (directive->names[place] = name_of(r, a)) != NULL;
  case HYD_FACTOR:
  case HYD_EXPR:
  case HYD_NUMBER:
    directive->args[place] = hy_sugar_startup(r->s, a, HY_INT);
    if (!directive->args[place]) return true; // reported
    return kind != HYD_NUMBER || hy_expr_is_int(directive->args[place], &constant);
  }
  HY_UNREACHABLE();
}

// "first" is the loop that the first argument names.
static bool read_call(hy_sugar *s, const hy_plugin *plugin, const hy_call *call, const hy_var *first,
                      hy_directive *directive) {
  reading r = {s, call, plugin, first};
  *directive = (hy_directive){.type = &plugin->type, .loc = call->loc};
  for (int i = 0; i < plugin->count && !s->failed; i++)
    if (!read_value(&r, i, directive)) hy_sugar_refuse(s, call, plugin->directive->form);
  return !s->failed;
}

static const char *form_of(const hy_plugin *plugin, int *arguments) {
  *arguments = plugin->count;
  return plugin->directive->form;
}

void hy_plugins_use(hy_context *context, const hy_plugins *plugins) {
  static const hy_foreign answers = {hy_plugins_find, form_of, read_call};
  hy_context_use_plugins(context, plugins, &answers);
}
