#include "sched/plugin.h"

#include <sys/time.h>
#include <unistd.h>

/* Being watched: what each process is doing in a plug-in stands in memory that outlives it. */

const char *hy_plugin_part_name(hy_plugin_part part) {
  switch (part) {
  case HY_PLUGIN_OUTSIDE: return "no function of its own";
  case HY_PLUGIN_LOAD: return "the code that runs when it is loaded";
  case HY_PLUGIN_LEGAL: return "its function 'legal'";
  case HY_PLUGIN_REWRITE: return "its function 'rewrite'";
  case HY_PLUGIN_INVERSE: return "its function 'inverse'";
  case HY_PLUGIN_ORDER: return "its function 'order'";
  case HY_PLUGIN_HOLES: return "its function 'holes'";
  case HY_PLUGIN_UNLOAD: return "the code that runs when it is unloaded";
  }
  HY_UNREACHABLE();
}

static void limit(int seconds) {
  struct itimerval time = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_VIRTUAL, &time, NULL);
}

static void note(const hy_plugins *plugins, int index, hy_plugin_part part) {
  if (!plugins || !plugins->watch) return;
  int32_t process = (int32_t)getpid();
  int slot = process % HY_PLUGIN_SLOTS;
  plugins->watch->slots[slot].index = index;
  plugins->watch->slots[slot].process = process;
  plugins->watch->slots[slot].part = (int32_t)part;
}

void hy_plugin_enter(const hy_plugins *plugins, int index, hy_plugin_part part) {
  note(plugins, index, part);
  if (plugins && plugins->seconds) limit(plugins->seconds);
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
  if (plugins && plugins->seconds) limit(0);
  note(plugins, 0, HY_PLUGIN_OUTSIDE);
}
