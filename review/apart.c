#include "review/review.h"

#include "semantics/base/clock.h"
#include "semantics/base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Work in which the plug-in runs, in a process of its own that has until some time: whatever it does, the review goes
 * on.
 */

_Noreturn static void work_in_child(hy_review *r, hy_review_work *work, void *self, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  work(r, self, to);
  _exit(0);
}

// Reads until the other end is closed, or the time has come, or the child has ended: a process that it started may keep
// that end open. True if the child has ended by then.
static bool listen(pid_t child, int from, double deadline, hy_text *said, int *status) {
  enum { PIECE = 4096 };
  const double glance = 0.1;
  char piece[PIECE];
  for (bool open = true, ended = false;;) {
    double now = hy_seconds();
    bool readable = open && hy_wait_readable(from, now + glance < deadline ? now + glance : deadline);
    if (readable) {
      ssize_t got = read(from, piece, sizeof piece);
      if (got > 0) hy_text_add_bytes(said, piece, (size_t)got);
      open = got > 0 || (got < 0 && errno == EINTR);
      if (got > 0) continue;
    }
    if (ended) return true; // and nothing was left to read
    ended = waitpid(child, status, WNOHANG) == child;
    if (!ended && hy_seconds() > deadline) return false;
    if (!open && !ended) usleep(1000);
  }
}

bool hy_review_apart(hy_review *r, hy_review_work *work, void *self, double seconds, hy_text *said) {
  int ends[2], status = 0, index = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) work_in_child(r, work, self, ends[1]);
  close(ends[1]);
  bool ended = child > 0 && listen(child, ends[0], hy_seconds() + seconds, said, &status);
  bool stuck = child > 0 && !ended && hy_plugins_stuck(r->plugins, child);
  if (child > 0 && !ended) {
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  r->late |= !ended && !stuck;
  const char *how = ended || stuck ? hy_plugin_blame_end(r->context, r->plugins->watch, child,
                                                         stuck ? HY_PLUGIN_WAITED : status, &index)
                                   : NULL;
  if (how && !r->death) r->death = hy_arena_printf(hy_context_arena(r->context), "it %s", how);
  return ended && status == 0;
}
