#include "semantics/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Of this thread: what the outermost hold has made to wait. What was blocked before is whoever's business who did it.
static _Thread_local struct {
  int depth;
  sigset_t signals;
} held;

static const int deadly[] = {SIGHUP, SIGTERM, SIGINT};

// What is blocked is pending even where it is ignored: then it has to stay ignored.
static void begin_to_hold(void) {
  struct sigaction action;
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  sigemptyset(&held.signals);
  for (size_t i = 0; i < HY_COUNT(deadly); i++)
    if (sigaction(deadly[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN && !sigismember(&blocked, deadly[i]))
      sigaddset(&held.signals, deadly[i]);
}

void hy_signals_hold(sigset_t *before) {
  if (held.depth++ == 0) begin_to_hold();
  pthread_sigmask(SIG_BLOCK, &held.signals, before);
}

void hy_signals_release(const sigset_t *before) {
  held.depth--;
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

int hy_signals_come(void) {
  sigset_t pending;
  sigpending(&pending);
  for (size_t i = 0; i < HY_COUNT(deadly); i++)
    if (held.depth > 0 && sigismember(&held.signals, deadly[i]) == 1 && sigismember(&pending, deadly[i]) == 1)
      return deadly[i];
  return 0;
}

hy_wait hy_wait_for_input(int file, int milliseconds) {
  int signals = held.depth > 0 ? signalfd(-1, &held.signals, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
  struct pollfd ears[] = {{.fd = file, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  int ready;
  while ((ready = poll(ears, HY_COUNT(ears), milliseconds)) < 0 && errno == EINTR) {
  }
  if (signals >= 0) close(signals);
  return ready == 0 ? HY_WAIT_LATE : ready > 0 && !ears[0].revents ? HY_WAIT_SIGNAL : HY_WAIT_READY;
}

hy_wait hy_wait_for_child(pid_t child, int milliseconds) {
  int end = pidfd_open(child, 0);
  if (end < 0) {
    siginfo_t about;
    while (waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    return HY_WAIT_READY;
  }
  hy_wait answer = hy_wait_for_input(end, milliseconds);
  close(end);
  return answer;
}

char **hy_environment_without(const char *prefix, char *added) {
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  char **all = hy_allocate((count + 2) * sizeof *all);
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], prefix, strlen(prefix)) != 0) all[kept++] = environ[i];
  if (added) all[kept++] = added;
  all[kept] = NULL;
  return all;
}

void hy_child_begin(const sigset_t *before) {
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGTTOU, SIG_IGN); // a terminal that wants its writers in the foreground
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  hy_signals_release(before);
}

int hy_child_end(pid_t child, struct rusage *used) {
  int status = -1;
  pid_t ended;
  // As long as it is not waited for, nobody else has its number.
  kill(child, SIGKILL);
  kill(-child, SIGKILL);
  while ((ended = wait4(child, &status, 0, used)) < 0 && errno == EINTR) {
  }
  return ended == child ? status : -1;
}
