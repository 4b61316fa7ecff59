#ifndef HY_CHILD_H
#define HY_CHILD_H

/* What has to be tidied up before a signal ends this process: files with a name for a while, and child processes.
 *
 * Who makes such a thing holds the signals that end a process until it is gone. A child leads a group of its own, so
 * that what it starts ends with it; since Ctrl-C reaches the terminal's group in the foreground alone, whoever waits
 * for a child looks out for signals that are held, and ends it when one comes. Linux.
 */

#include "semantics/base/base.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

// SIGINT, SIGTERM and SIGHUP wait from now on, but for those that are ignored or wait already (they are somebody else's).
// Of the thread that calls; may nest.
void hy_signals_hold(sigset_t *before);
void hy_signals_release(const sigset_t *before);

// Which of those that are held has come by now; 0: none.
int hy_signals_come(void);

typedef enum {
  HY_WAIT_READY,
  HY_WAIT_LATE,
  HY_WAIT_SIGNAL, // one that is held has come: tidy up, and release
} hy_wait;

// Waits until something can be read; -1 milliseconds: as long as it takes.
hy_wait hy_wait_for_input(int file, int milliseconds);
// requires: signals are held. READY: it has ended, and hy_child_end has to tell how.
hy_wait hy_wait_for_child(pid_t child, int milliseconds);

// This process's environment without what begins with "prefix", and with "added", which stays the caller's (NULL:
// nothing).
HY_GIVE char **hy_environment_without(const char *prefix, char *added);

// In a child, right after fork: a group of its own, which ends when its parent does, reads nothing, and gets the
// signals that its parent holds.
void hy_child_begin(const sigset_t *before);
// Ends it, if it has not ended, and all that is left of its group. As waitpid tells it; -1: there is none. "used" may be
// NULL.
int hy_child_end(pid_t child, struct rusage *used);

#endif
