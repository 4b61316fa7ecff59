// A case judged in a child process, where it may crash or hang.

#include "fuzz/judge/judge.h"

#include "plugin/load.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLACK = 10 }; // a busy machine gives a process this part of a processor at least

void hy_judge_limit(unsigned seconds) {
  struct itimerval limit = {.it_value = {.tv_sec = (time_t)seconds}};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm(seconds * SLACK);
}

void hy_judge_death(int status, hy_judgement *j) {
  bool killed = WIFSIGNALED(status);
  bool late = killed && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
  *j = (hy_judgement){.found = late ? HY_FOUND_HANG : HY_FOUND_CRASH, .step = -1, .directive = HY_NO_DIRECTIVE};
  if (late)
    snprintf(j->rule, sizeof j->rule, "time");
  else if (killed)
    snprintf(j->rule, sizeof j->rule, "signal %d", WTERMSIG(status));
  else
    snprintf(j->rule, sizeof j->rule, "status %d", WEXITSTATUS(status));
  snprintf(j->end, sizeof j->end, "%.15s", j->rule);
  snprintf(j->detail, sizeof j->detail, "the judge ended: %s", j->rule);
}

int hy_judge_hear(void) { return memfd_create("stderr", MFD_CLOEXEC); }

void hy_judge_speak_to(int words) {
  if (words < 0 || dup2(words, STDERR_FILENO) < 0)
    words = open("/dev/null", O_WRONLY | O_CLOEXEC), dup2(words, STDERR_FILENO);
}

void hy_judge_quote(int words, hy_judgement *j) {
  char text[400];
  off_t end = words >= 0 ? lseek(words, 0, SEEK_END) : 0,
        from = end < (off_t)sizeof text ? 0 : end - (off_t)sizeof text + 1;
  ssize_t got = end > 0 ? pread(words, text, sizeof text - 1, from) : 0;
  if (words >= 0) close(words);
  while (got > 0 && text[got - 1] == '\n') got--;
  if (got <= 0 || !*j->end) return;
  text[got] = 0;
  const char *line = strrchr(text, '\n'), *last = line ? line + 1 : text;
  size_t used = strlen(j->detail);
  snprintf(j->detail + used, sizeof j->detail - used, "; its last words: %s", last);
}

void hy_judge_end(const hy_plugins *plugins, int process, int status, hy_judgement *j) {
  int index = 0;
  hy_judge_death(status, j);
  if (!plugins || !plugins->watch) return;
  hy_context *context = hy_context_new();
  // Whichever of our limits ended it: it did not return.
  const char *how =
      hy_plugin_blame_end(context, plugins->watch, process, j->found == HY_FOUND_HANG ? SIGALRM : status, &index);
  if (how && index < plugins->count) {
    const char *name = plugins->items[index]->directive->name;
    j->found = HY_FOUND_PROMISE;
    j->directive = HY_OWN_DIRECTIVES;
    snprintf(j->rule, sizeof j->rule, "HY%04d", (int)HY_E_PLUGIN_DIED);
    snprintf(j->plugin, sizeof j->plugin, "%s", name);
    snprintf(j->detail, sizeof j->detail, "the plug-in that defines '%s' %s", name, how);
  }
  hy_context_free(context);
}

_Noreturn static void judge_in_child(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, int to,
                                     int words) {
  hy_judgement j;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  hy_judge_limit(seconds);
  hy_judge_speak_to(words);
  hy_judge(c, lanes, first_step, &j);
  _exit(write(to, &j, sizeof j) == sizeof j ? 0 : 9);
}

bool hy_wait_readable(int file, double deadline) {
  for (;;) {
    struct pollfd ear = {file, POLLIN, 0};
    double left = deadline - hy_seconds();
    if (deadline > 0 && left <= 0) return false;
    if (poll(&ear, 1, deadline > 0 ? (int)(left * 1e3) + 1 : -1) > 0) return true;
  }
}

// A process that a plug-in started may keep the pipe open when the child has ended.
static bool wait_for(pid_t child, int from, double deadline) {
  enum { GLANCE_SECONDS = 1 };
  for (;;) {
    double glance = hy_seconds() + GLANCE_SECONDS;
    siginfo_t info = {0};
    if (hy_wait_readable(from, deadline > 0 && deadline < glance ? deadline : glance)) return true;
    if (deadline > 0 && hy_seconds() > deadline) return false;
    if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child) {
      fcntl(from, F_SETFL, O_NONBLOCK);
      return true;
    }
  }
}

void hy_judge_apart(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, hy_judgement *judgement) {
  hy_judge_apart_until(c, lanes, first_step, seconds, 0, judgement);
}

bool hy_judge_apart_until(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, double deadline,
                          hy_judgement *judgement) {
  int ends[2], status = 0, words = hy_judge_hear();
  hy_judge_death(0, judgement);
  if (pipe2(ends, O_CLOEXEC) != 0) {
    close(words);
    return true;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) judge_in_child(c, lanes, first_step, seconds, ends[1], words);
  close(ends[1]);
  ssize_t got = -1;
  bool late = child > 0 && !wait_for(child, ends[0], deadline), stuck = late && hy_plugins_stuck(c->plugins, child);
  if (late) kill(child, SIGKILL), fcntl(ends[0], F_SETFL, O_NONBLOCK);
  while (child > 0 && (got = read(ends[0], judgement, sizeof *judgement)) < 0 && errno == EINTR) continue;
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (got != sizeof *judgement) hy_judge_end(c->plugins, child, late ? SIGALRM : status, judgement);
  hy_judge_quote(words, judgement);
  return !late || stuck;
}
