#include "semantics/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

// What is blocked is pending even where it is ignored: then it has to stay ignored.
static void list_deadly(sigset_t *deadly) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  sigemptyset(deadly);
  for (size_t i = 0; i < HY_COUNT(signals); i++)
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(deadly, signals[i]);
}

void hy_signals_hold(sigset_t *before) {
  sigset_t deadly;
  list_deadly(&deadly);
  pthread_sigmask(SIG_BLOCK, &deadly, before);
}

void hy_signals_release(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

hy_wait hy_wait_for_input(int file, int milliseconds) {
  sigset_t deadly;
  list_deadly(&deadly);
  struct pollfd ears[] = {{.fd = file, .events = POLLIN},
                          {.fd = signalfd(-1, &deadly, SFD_CLOEXEC | SFD_NONBLOCK), .events = POLLIN}};
  int ready;
  while ((ready = poll(ears, HY_COUNT(ears), milliseconds)) < 0 && errno == EINTR) {
  }
  if (ears[1].fd >= 0) close(ears[1].fd);
  return ready == 0 ? HY_WAIT_LATE : ready > 0 && ears[1].revents && !ears[0].revents ? HY_WAIT_SIGNAL : HY_WAIT_READY;
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
