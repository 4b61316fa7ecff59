#ifndef HY_DRIVER_PLUGIN_H
#define HY_DRIVER_PLUGIN_H

/* Plug-ins as files: loading shared objects, and saying what became of a process that they were loaded into. */

#include "plugin/plugin.h"

typedef struct hy_plugin_set hy_plugin_set;

// Of processor time, and of any time, for one call.
HY_GIVE hy_plugin_set *hy_plugin_set_new(hy_plugin_watch *watch, int processor_seconds, int seconds);
void hy_plugin_set_free(HY_TAKE hy_plugin_set *set); // unloads them
// False after reporting: no shared object, another version, a declaration that makes no sense, a name that is taken.
bool hy_plugin_set_load(hy_plugin_set *set, hy_context *context, const char *path, hy_diagnostics *diagnostics);
const hy_plugins *hy_plugin_set_list(const hy_plugin_set *set);

// Memory that a process shares with those that it starts.
HY_GIVE void *hy_shared_new(size_t size);
void hy_shared_free(HY_TAKE void *memory, size_t size);

// "crashed in its function 'rewrite': segmentation fault" for a process that ended so; NULL if no plug-in was at work
// in it. *index is the plug-in's.
const char *hy_plugin_blame_end(hy_context *context, const hy_plugin_watch *watch, int process, int status, int *index);

#endif
