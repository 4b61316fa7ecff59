#ifndef HY_PLUGIN_INTERNAL_H
#define HY_PLUGIN_INTERNAL_H

/* One call of a plug-in: the host that it sees (plugin/host.c), and what it made so far. */

#include "plugin/plugin.h"
#include "sched/rewrite.h"
#include "semantics/base/vec.h"

struct hyd_loop {
  const hy_var *var;   // of the loop; of one that is taken: the variable that its let binds
  const hy_stmt *loop; // the FOR that stands there; NULL for one that was made
  bool is_taken, is_pure;
  const hy_stmt *let; // of one that is taken, once it is made
};

// The host comes first: the plug-in's pointer to it is one to the call.
typedef struct hy_plugin_call {
  hyd_host host;
  hy_context *context;
  const hy_tgt *tgt;
  const hy_directive *directive;
  const hyd_directive *plugin;
  hyd_loop taken[HYD_MOST_LOOPS], made[HYD_MOST_LOOPS], around[HYD_MOST_ARGUMENTS];
  int taken_count, made_count, around_count;
  const hyd_loop *by_argument[HYD_MOST_ARGUMENTS];
  hy_relation *given;          // what the lets say; it has its lists in the end
  bool rewrites, spoke;        // "rewrite" is under way; a variable was spoken of
  HY_VEC(const void *) handed; // expressions and statements that the plug-in was given in this call
  const char *fault;           // the first thing that it did wrong; NULL = none
} hy_plugin_call;

// Do the arguments fit the program? Reports if not (plugin/match.c).
bool hy_plugin_match(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                     hy_diagnostics *diagnostics);
// Fills in the call for a directive whose arguments fit the program (hy_plugin_match said so).
void hy_plugin_open(hy_plugin_call *call, hy_context *context, const hy_tgt *tgt, const hy_directive *directive);
void hy_plugin_close(hy_plugin_call *call);
// Notes what it did wrong, if it is the first.
void hy_plugin_blame(hy_plugin_call *call, const char *format, ...) HY_PRINTF(2, 3);
bool hy_plugin_was_handed(const hy_plugin_call *call, const void *thing);

#endif
