#ifndef HY_PLUGIN_H
#define HY_PLUGIN_H

/* Directives from outside the tree (include/halyard_directive.h): what a schedule says of them, applied.
 *
 * Nothing that a plug-in does is trusted. Arguments are checked before it is asked; what it hands back must be what it
 * was given or made; the program that it makes must be well formed; its claims (way back, order, holes) are obligations
 * that are proved for every program before it runs (halyard/promise.h). Its crashes and loops are its own: whoever runs
 * it watches (hy_plugin_watch).
 */

#include "include/halyard_directive.h"
#include "sched/sched.h"

#include <signal.h>

typedef struct hy_plugin {
  hy_directive_type type;         // comes first: what sched/ and all that judges directives see of it
  const hyd_directive *directive; // in the shared object
  const char *path;
  int index; // in its list
  int count; // of its arguments
} hy_plugin;

// Which function of which plug-in each process is in; in memory that they share, so that it outlives them.
typedef enum {
  HY_PLUGIN_OUTSIDE,
  HY_PLUGIN_LOAD,
  HY_PLUGIN_RECORD,
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
    double since;           // when the call began, by hy_plugin_clock
  } slots[HY_PLUGIN_SLOTS]; // by process, modulo
  int32_t longest_ms;       // of all calls that came back
} hy_plugin_watch;

// What a call may use (plugin/limits.c). A process that goes beyond it ends by one of these signals.
typedef struct hy_plugin_limits hy_plugin_limits;
enum {
  HY_PLUGIN_RAN = SIGVTALRM,  // too much processor time
  HY_PLUGIN_WAITED = SIGALRM, // too much time
  HY_PLUGIN_GREEDY = SIGUSR1, // all the memory that it may have
  HY_PLUGIN_CLOSED = SIGUSR2, // it closed the standard input, output or error
  HY_PLUGIN_STARTED = SIGPWR, // it started a process
};
#define HY_PLUGIN_MEMORY (INT64_C(4) << 30) // bytes more than Halyard itself uses
HY_GIVE hy_plugin_limits *hy_plugin_limits_new(int processor_seconds, int seconds);
void hy_plugin_limits_free(HY_TAKE hy_plugin_limits *limits);
int hy_plugin_limits_seconds(const hy_plugin_limits *limits);
void hy_plugin_limits_enter(hy_plugin_limits *limits);
void hy_plugin_limits_leave(hy_plugin_limits *limits);
// Ends the process by a signal, whatever the plug-in has done to that.
_Noreturn void hy_plugin_end_by(int number);
bool hy_has_children(void); // alive, or not yet waited for
// Ends those that the calling thread started or was left with, but one (0 = all).
void hy_end_children(int but);
// Is a process that is about to die out of the memory that a plug-in may have? For a handler of signals.
bool hy_plugin_memory_is_spent(void);

typedef struct hy_plugins {
  const hy_plugin *const *items;
  int count;
  hy_plugin_watch *watch;   // NULL: nobody watches
  hy_plugin_limits *limits; // of this process and, copied, of each that it starts; NULL = none
} hy_plugins;

// Of a declaration that hy_plugin_check has let pass (plugin/apply.c).
hy_plugin hy_plugin_make(const hyd_directive *directive, const char *path, int index);
// Whose record it is.
//   requires: the directive is one from outside the tree
const hy_plugin *hy_plugin_of(const hy_directive *directive);
const hy_plugin *hy_plugins_find(const hy_plugins *plugins, const char *name);
// Its file without the folder: what messages and cases say of it is the same on every machine.
const char *hy_plugin_file(const hy_plugin *plugin);
// Is the declaration one that can be used? NULL, or what is wrong with it.
const char *hy_plugin_check(hy_context *context, const hyd_directive *directive);

// Has the process been in one function of a plug-in for longer than a call may take?
bool hy_plugins_stuck(const hy_plugins *plugins, int process);
// Around every call of a plug-in's function.
void hy_plugin_enter(const hy_plugins *plugins, int index, hy_plugin_part part);
void hy_plugin_leave(const hy_plugins *plugins);

// What schedules of the context may use; NULL = none. Borrowed.
void hy_plugins_use(hy_context *context, const hy_plugins *plugins);

#endif
