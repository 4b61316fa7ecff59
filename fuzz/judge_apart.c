// A case judged in a child process, where it may crash or hang.

#include "fuzz/judge.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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
  snprintf(j->detail, sizeof j->detail, "the judge ended: %s", j->rule);
}

_Noreturn static void judge_in_child(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, int to) {
  hy_judgement j;
  hy_judge_limit(seconds);
  if (!freopen("/dev/null", "w", stderr)) _exit(9);
  hy_judge(c, lanes, first_step, &j);
  _exit(write(to, &j, sizeof j) == sizeof j ? 0 : 9);
}

void hy_judge_apart(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, hy_judgement *judgement) {
  int ends[2], status = 0;
  hy_judge_death(0, judgement);
  if (pipe(ends) != 0) return;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) judge_in_child(c, lanes, first_step, seconds, ends[1]);
  close(ends[1]);
  ssize_t got = -1;
  while (child > 0 && (got = read(ends[0], judgement, sizeof *judgement)) < 0 && errno == EINTR) continue;
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (got != sizeof *judgement) hy_judge_death(status, judgement);
}
