#ifndef HY_PLUGIN_GUARD_H
#define HY_PLUGIN_GUARD_H

/* Running the command line apart from plug-ins, so that one that crashes, loops or ends the process is reported as what
 * it is. */

#include "cli/session/options.h"
#include "cli/session/report.h"
#include "plugin/load.h"

typedef struct hy_plugin_guard hy_plugin_guard;

// Goes on in a child process, in which the result is not NULL and *parent false. In the parent the child has ended:
// *status is what the process should end with, and a plug-in's fault is in "diagnostics".
HY_GIVE hy_plugin_guard *hy_plugin_guard_start(const hy_options *options, hy_diagnostics *diagnostics, bool *parent,
                                               hy_status *status);
hy_plugin_watch *hy_plugin_guard_watch(hy_plugin_guard *guard);
// The child has said all that it has to say: from now on, ending is fine.
void hy_plugin_guard_finish(HY_TAKE hy_plugin_guard *guard);

#endif
