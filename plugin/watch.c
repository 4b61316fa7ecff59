#include "plugin/plugin.h"
#include "semantics/base/clock.h"

#include <unistd.h>

/* Being watched: what each process is doing in a plug-in stands in memory that outlives it. */

const char *hy_plugin_part_name(hy_plugin_part part) {
  switch (part) {
  case HY_PLUGIN_OUTSIDE: return "no function of its own";
  case HY_PLUGIN_LOAD: return "the code that runs when it is loaded";
  case HY_PLUGIN_RECORD: return "its record 'halyard_directive', which Halyard read";
  case HY_PLUGIN_LEGAL: return "its function 'legal'";
  case HY_PLUGIN_REWRITE: return "its function 'rewrite'";
  case HY_PLUGIN_INVERSE: return "its function 'inverse'";
  case HY_PLUGIN_ORDER: return "its function 'order'";
  case HY_PLUGIN_HOLES: return "its function 'holes'";
  case HY_PLUGIN_UNLOAD: return "the code that runs when it is unloaded";
  }
  HY_UNREACHABLE();
}

bool hy_plugins_stuck(const hy_plugins *plugins, int process) {
  int slot = process % HY_PLUGIN_SLOTS;
  const hy_plugin_watch *watch = plugins ? plugins->watch : NULL;
  return watch && watch->slots[slot].process == process && watch->slots[slot].part != HY_PLUGIN_OUTSIDE &&
         hy_seconds() - watch->slots[slot].since > hy_plugin_limits_seconds(plugins->limits);
}

static void note(const hy_plugins *plugins, int index, hy_plugin_part part) {
  if (!plugins || !plugins->watch) return;
  int32_t process = (int32_t)getpid();
  int slot = process % HY_PLUGIN_SLOTS;
  plugins->watch->slots[slot].index = index;
  plugins->watch->slots[slot].process = process;
  plugins->watch->slots[slot].since = hy_seconds();
  plugins->watch->slots[slot].part = (int32_t)part;
}

static void keep_longest(const hy_plugins *plugins) {
  if (!plugins || !plugins->watch) return;
  int slot = (int32_t)getpid() % HY_PLUGIN_SLOTS;
  int32_t ms = (int32_t)((hy_seconds() - plugins->watch->slots[slot].since) * 1e3);
  if (ms > plugins->watch->longest_ms) plugins->watch->longest_ms = ms;
}

void hy_plugin_enter(const hy_plugins *plugins, int index, hy_plugin_part part) {
  note(plugins, index, part);
  if (plugins) hy_plugin_limits_enter(plugins->limits);
}

// Moves what the branches have counted to where it outlives the process.
static void keep_branches(const hy_plugins *plugins) {
  if (!plugins || !plugins->watch || !plugins->count) return;
  const hyd_directive *d = plugins->items[0]->directive;
  for (int i = 0; d->branches && d->branches + i < d->branches_end && i < HY_PLUGIN_BRANCHES; i++)
    for (int way = 0; way < 2; way++) {
      uint32_t taken = d->branches[i]->taken[way];
      if (!taken) continue;
      __atomic_fetch_add(&plugins->watch->taken[i][way], taken, __ATOMIC_RELAXED);
      d->branches[i]->taken[way] = 0;
    }
}

void hy_plugin_leave(const hy_plugins *plugins) {
  keep_branches(plugins);
  keep_longest(plugins);
  if (plugins) hy_plugin_limits_leave(plugins->limits);
  note(plugins, 0, HY_PLUGIN_OUTSIDE);
}
