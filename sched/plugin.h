#ifndef HY_PLUGIN_H
#define HY_PLUGIN_H

/* Directives from outside the tree (include/halyard_directive.h): what a schedule says of them, applied.
 *
 * Nothing that a plug-in does is trusted. Arguments are checked before it is asked; what it hands back must be what it
 * was given or made; the program that it makes must be well formed; its claims (way back, order, holes) are obligations
 * that are proved for every program before it runs (driver/promise.h). Its crashes and loops are its own: whoever runs
 * it watches (hy_plugin_watch).
 */

#include "include/halyard_directive.h"
#include "sched/sched.h"

typedef struct hy_plugin {
  const hyd_directive *directive; // in the shared object
  const char *path;
  int index; // in its list
  int count; // of its arguments
} hy_plugin;

// Which function of which plug-in each process is in; in memory that they share, so that it outlives them.
typedef enum {
  HY_PLUGIN_OUTSIDE,
  HY_PLUGIN_LOAD,
  HY_PLUGIN_LEGAL,
  HY_PLUGIN_REWRITE,
  HY_PLUGIN_INVERSE,
  HY_PLUGIN_ORDER,
  HY_PLUGIN_HOLES,
  HY_PLUGIN_UNLOAD,
} hy_plugin_part;
const char *hy_plugin_part_name(hy_plugin_part part); // "its function 'rewrite'"

enum { HY_PLUGIN_SLOTS = 64, HY_PLUGIN_BRANCHES = 64 };
typedef struct hy_plugin_watch {
  uint32_t taken[HY_PLUGIN_BRANCHES][2]; // of the first plug-in's branches, in all processes
  struct {
    int32_t process, part, index;
  } slots[HY_PLUGIN_SLOTS]; // by process, modulo
} hy_plugin_watch;

typedef struct hy_plugins {
  const hy_plugin *const *items;
  int count;
  hy_plugin_watch *watch; // NULL: nobody watches
  int seconds;            // of processor time for each call, then SIGVTALRM ends the process; 0 = no limit
} hy_plugins;

const hy_plugin *hy_plugins_find(const hy_plugins *plugins, const char *name);
// Is the declaration one that can be used? NULL, or what is wrong with it.
const char *hy_plugin_check(hy_context *context, const hyd_directive *directive, int *argument_count);

// Around every call of a plug-in's function.
void hy_plugin_enter(const hy_plugins *plugins, int index, hy_plugin_part part);
void hy_plugin_leave(const hy_plugins *plugins);

// The order that an application promises (plugin_apply.c).
hy_order_class hy_plugin_order(hy_context *context, const hy_tgt *before, const hy_directive *directive);

#endif
