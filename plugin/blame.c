/* What became of a process that ended while a plug-in was at work in it: the watch (watch.c) says in which function of
 * which plug-in, the signal that ended it says how, or which limit was passed (limits.c).
 */

#include "plugin/load.h"

#include <string.h>
#include <sys/wait.h>

static const char *describe_end(hy_context *context, int status) {
  if (!WIFSIGNALED(status))
    return hy_arena_printf(hy_context_arena(context), "ended the process with status %d", WEXITSTATUS(status));
  switch (WTERMSIG(status)) {
  case HY_PLUGIN_RAN:
  case HY_PLUGIN_WAITED: return "did not return, and was ended,";
  case HY_PLUGIN_GREEDY: return "asked for more than 4 GiB of memory";
  case HY_PLUGIN_CLOSED: return "closed the standard input, output or error";
  case HY_PLUGIN_STARTED: return "started a process";
  case SIGKILL: return "did not return, or was killed,";
  default: return hy_arena_printf(hy_context_arena(context), "crashed (%s)", strsignal(WTERMSIG(status)));
  }
}

const char *hy_plugin_blame_end(hy_context *context, const hy_plugin_watch *watch, int process, int status,
                                int *index) {
  int slot = process % HY_PLUGIN_SLOTS;
  if (watch->slots[slot].process != process || watch->slots[slot].part == HY_PLUGIN_OUTSIDE) return NULL;
  *index = watch->slots[slot].index;
  return hy_arena_printf(hy_context_arena(context), "%s in %s", describe_end(context, status),
                         hy_plugin_part_name((hy_plugin_part)watch->slots[slot].part));
}
