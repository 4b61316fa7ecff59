#include "cli/session/plugin_guard.h"

#include "semantics/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whatever a plug-in does to the process that it is loaded into, somebody must be left to say so: with --plugin, all of
 * the command line's work is done in a child.
 */

enum { PATIENCE = 17 }; // seconds in one function of a plug-in that has seen to it that its limit does not end it

struct hy_plugin_guard {
  hy_plugin_watch watch;
  int32_t finished;
};

hy_plugin_watch *hy_plugin_guard_watch(hy_plugin_guard *guard) { return &guard->watch; }

void hy_plugin_guard_finish(hy_plugin_guard *guard) { guard->finished = 1; }

/* -- the parent -- */

static bool is_inside(const hy_plugin_guard *guard, pid_t child) {
  int slot = child % HY_PLUGIN_SLOTS;
  return guard->watch.slots[slot].process == child && guard->watch.slots[slot].part != HY_PLUGIN_OUTSIDE;
}

/* What a plug-in started comes to this process when who started it ends, however that was, and is ended here. Only
 * where it began without children: those that whoever ran the command left it are not ours to end.
 */
static bool adopt_orphans(void) { return !hy_has_children() && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0; }

static void end_orphans(pid_t child) {
  hy_end_children(child);
  for (siginfo_t info = {0}; waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0; info = (siginfo_t){0})
    if (info.si_pid == 0 || info.si_pid == child || waitpid(info.si_pid, NULL, __WALL) < 0) return;
}

// Each that ends may leave others.
static void end_all_orphans(void) {
  enum { TRIES = 2000 };
  for (int i = 0; i < TRIES && hy_has_children(); i++) {
    end_orphans(0);
    if (hy_has_children()) usleep(1000);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

// What is to end this process is the child's first: it may have something to tidy up. Ctrl-C it has got itself; one that
// heeds nothing is ended.
static void pass_on(pid_t child, int *passed) {
  int come = hy_signals_come();
  if (!come) return;
  if (*passed == (come == SIGINT ? 10 : 0)) kill(child, come);
  if (++*passed > PATIENCE * 5) kill(child, SIGKILL);
}

// Waits for the child's end, which its end of the pipe tells; one that stays inside of a plug-in for long is ended.
static int wait_for(const hy_plugin_guard *guard, pid_t child, int pipe_end, bool adopts) {
  int status = 0, quiet = 0, passed = 0;
  struct pollfd ear = {pipe_end, POLLIN, 0};
  for (;;) {
    poll(&ear, 1, 200);
    pass_on(child, &passed);
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    if (adopts) end_orphans(child);
    if (ear.revents) ear.fd = -1; // the child is about to end
    quiet = is_inside(guard, child) ? quiet + 1 : 0;
    if (quiet > PATIENCE * 5) kill(child, SIGKILL);
  }
}

// Halyard itself ends with a message (hy_die, out of memory), or by a signal.
static bool has_spoken(int status) {
  return WIFSIGNALED(status) || WEXITSTATUS(status) == HY_STATUS_DEFECT || WEXITSTATUS(status) == HY_STATUS_USAGE;
}

static hy_status judge_end(const hy_plugin_guard *guard, const hy_options *options, pid_t child, int status,
                           hy_diagnostics *diagnostics) {
  if (guard->finished && WIFEXITED(status)) return (hy_status)WEXITSTATUS(status);
  hy_context *context = hy_context_new();
  int index = 0;
  const char *why = hy_plugin_blame_end(context, &guard->watch, child, status, &index);
  if (!why && !has_spoken(status))
    why = hy_arena_printf(hy_context_arena(context), "ended the process with status %d before all was said",
                          WEXITSTATUS(status));
  if (why && index < (int)options->plugins.count)
    hy_report(diagnostics, HY_E_PLUGIN_DIED, (hy_loc){0}, "DIR.Plugin.Fault",
              "this is a fault of the plug-in, not of Halyard; 'halyard validate' shows more", "the plug-in '%s' %s",
              options->plugins.data[index], why);
  hy_context_free(context);
  if (why) return HY_STATUS_WRONG;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status) ? (hy_status)WEXITSTATUS(status) : HY_STATUS_DEFECT;
  signal(WTERMSIG(status), SIG_DFL); // a defect of Halyard's own: as if nobody had guarded it
  raise(WTERMSIG(status));
  return HY_STATUS_DEFECT;
}

// Out of memory most code crashes, gives up or tries again: what it died of is told by another signal. A crash with
// much memory in use, of which none was refused, is a crash.
static void die(int number) {
  bool refused = errno == ENOMEM;
  hy_plugin_end_by(refused && hy_plugin_memory_is_spent() ? HY_PLUGIN_GREEDY : number);
}

// A function of the host that found no memory ends the process.
static void look_at_exit(void) {
  if (errno == ENOMEM && hy_plugin_memory_is_spent()) hy_plugin_end_by(HY_PLUGIN_GREEDY);
}

// Nobody outlives who started it: neither the command's own processes nor those that a plug-in started.
static void stay_alone(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

// How it ends is what is told.
static void catch_deaths(void) {
  static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, HY_PLUGIN_RAN, HY_PLUGIN_WAITED};
  struct sigaction action = {.sa_handler = die, .sa_flags = SA_NODEFER};
  for (size_t i = 0; i < HY_COUNT(deaths); i++) sigaction(deaths[i], &action, NULL);
  if (atexit(look_at_exit) != 0) HY_DIE("cannot ask for a call at exit");
}

hy_plugin_guard *hy_plugin_guard_start(const hy_options *options, hy_diagnostics *diagnostics, bool *parent,
                                       hy_status *status) {
  int ends[2];
  hy_plugin_guard *guard = hy_shared_new(sizeof *guard);
  if (pipe2(ends, O_CLOEXEC) != 0) HY_DIE("cannot make a pipe: %s", strerror(errno));
  bool adopts = adopt_orphans();
  sigset_t before;
  fflush(NULL);
  hy_signals_hold(&before);
  pid_t child = fork();
  if (child < 0) HY_DIE("cannot start a process: %s", strerror(errno));
  *parent = child != 0;
  if (!child) {
    hy_signals_release(&before);
    stay_alone();
    catch_deaths();
    if (pthread_atfork(NULL, NULL, stay_alone) != 0) HY_DIE("cannot watch over forks");
    close(ends[0]);
    return guard;
  }
  close(ends[1]);
  int ended = wait_for(guard, child, ends[0], adopts);
  if (adopts) end_all_orphans();
  close(ends[0]);
  hy_signals_release(&before);
  *status = judge_end(guard, options, child, ended, diagnostics);
  hy_shared_free(guard, sizeof *guard);
  return NULL;
}
