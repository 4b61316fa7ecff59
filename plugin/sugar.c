#include "plugin/plugin_internal.h"

#include <string.h>

/* Directives from outside the tree as they are declared. */

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

// Words that schedules use already, as directives, in chains, or otherwise.
static bool is_own(const char *name) {
  static const char *const words[] = {"root", "schedule", "default"};
  int count;
  const char *method, *form, *summary;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(all[i]->name, name) == 0) return true;
  for (int i = 0; (method = hy_sched_method(i, &form, &summary)); i++)
    if (strcmp(method, name) == 0) return true;
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

// One that can be printed in a line.
static bool is_line(const char *text) {
  enum { MOST = 500 };
  size_t length = strnlen(text, MOST + 1);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] < ' ' || text[i] == 127) return false;
  return length && length <= MOST;
}

// What HYD_BRANCH and HYD_HEAD have made of it, of all that is ever looked at.
static bool has_branches(const hyd_directive *d) {
  uintptr_t first = (uintptr_t)d->branches, end = (uintptr_t)d->branches_end;
  if (!first || first == end) return first || !end;
  if (end < first || first % sizeof(void *) || (end - first) % sizeof(void *)) return false;
  for (int i = 0; d->branches + i < d->branches_end && i < HY_PLUGIN_BRANCHES; i++)
    if (!d->branches[i] || !d->branches[i]->text || !*d->branches[i]->text) return false;
  return true;
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
  if (!is_line(d->form) || !is_line(d->summary)) return "its 'form' or 'summary' is no line of at most 500 letters";
  if (!has_branches(d)) return "its list of branches is none; it must begin with HYD_HEAD";
  if (!d->rewrite || !d->inverse) return "it lacks 'rewrite' or 'inverse'";
  return check_arguments(context, d);
}

/* -- their records -- */

static const hy_directive_type *find_type(const hy_plugins *plugins, const char *name) {
  const hy_plugin *plugin = hy_plugins_find(plugins, name);
  return plugin ? &plugin->type : NULL;
}

void hy_plugins_use(hy_context *context, const hy_plugins *plugins) {
  hy_context_use_plugins(context, plugins, find_type);
}
