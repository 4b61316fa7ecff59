#include "sched/plugin.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What one call of a plug-in's function may use: processor time, time, memory, and Halyard's own files, which it must
 * leave open; and it must start no processes. Who goes beyond it ends the process by a signal that says which limit it
 * was.
 */

struct hy_plugin_limits {
  int processor_seconds, seconds;
  timer_t timer; // of "process"
  pid_t process; // a child has no timers of its parent's
  bool is_open[3], has_children;
  struct rlimit before;   // of memory
  int64_t resident, kept; // kilobytes at the call's start; by which earlier calls made the process larger
};

#if !defined(HALYARD_SANITIZE_ADDRESS) && !defined(HALYARD_SANITIZE_THREAD)
enum { LIMITS_MEMORY = 1 };
#else
enum { LIMITS_MEMORY = 0 }; // sanitizers reserve more than any limit
#endif

static bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

hy_plugin_limits *hy_plugin_limits_new(int processor_seconds, int seconds) {
  hy_plugin_limits *l = hy_allocate_zeroed(1, sizeof *l);
  l->processor_seconds = processor_seconds;
  l->seconds = seconds;
  for (int file = 0; file < 3; file++) l->is_open[file] = is_open(file);
  return l;
}

void hy_plugin_limits_free(hy_plugin_limits *l) {
  if (l && l->process == getpid()) timer_delete(l->timer);
  free(l);
}

int hy_plugin_limits_seconds(const hy_plugin_limits *l) { return l ? l->seconds : 0; }

/* -- time -- */

static void limit_processor(int seconds) {
  struct itimerval time = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_VIRTUAL, &time, NULL);
}

// Not alarm: the fuzzer's own limit for a case uses it.
static void limit_time(hy_plugin_limits *l, int seconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = HY_PLUGIN_WAITED};
  struct itimerspec time = {.it_value = {.tv_sec = seconds}};
  if (l->process != getpid() && timer_create(CLOCK_MONOTONIC, &event, &l->timer) == 0) l->process = getpid();
  if (l->process == getpid()) timer_settime(l->timer, 0, &time, NULL);
}

/* -- memory -- */

static int64_t resident(void) {
  struct rusage used;
  return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_maxrss : 0;
}

// More than what Halyard itself uses; what earlier calls kept is not Halyard's.
static void limit_memory(hy_plugin_limits *l) {
  l->resident = resident();
  if (!LIMITS_MEMORY || getrlimit(RLIMIT_DATA, &l->before) != 0) return;
  struct rlimit limit = l->before;
  rlim_t most = (rlim_t)HY_PLUGIN_MEMORY + (rlim_t)(l->resident - l->kept) * 1024;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most) limit.rlim_cur = most;
  setrlimit(RLIMIT_DATA, &limit);
}

static void free_memory(hy_plugin_limits *l) {
  l->kept += resident() - l->resident;
  if (LIMITS_MEMORY) setrlimit(RLIMIT_DATA, &l->before);
}

// Bytes that count for RLIMIT_DATA. Can be called while a signal is handled.
static int64_t data_size(void) {
  char text[256];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC), field = 0;
  if (file < 0) return 0;
  ssize_t got = read(file, text, sizeof text);
  close(file);
  int64_t pages = 0;
  for (ssize_t i = 0; i < got && field < 6; i++) // the sixth
    if (text[i] == ' ')
      field++;
    else if (field == 5 && text[i] >= '0' && text[i] <= '9')
      pages = pages * 10 + (text[i] - '0');
  return pages * sysconf(_SC_PAGESIZE);
}

bool hy_plugin_memory_is_spent(void) {
  enum { NEAR = 8 }; // the last request may have been for much
  struct rlimit limit;
  if (!LIMITS_MEMORY || getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  return (rlim_t)data_size() > limit.rlim_cur - HY_PLUGIN_MEMORY / NEAR;
}

/* -- processes -- */

// Alive, or not yet waited for.
static bool has_children(void) {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

// Those that the calling thread started: there were none before.
static void end_children(void) {
  char text[4096];
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  text[got > 0 ? got : 0] = 0;
  for (char *at = text, *end; *at; at = end + (*end == ' ')) {
    long process = strtol(at, &end, 10);
    if (end == at) return;
    if (process > 1) kill((pid_t)process, SIGKILL);
  }
}

/* -- around a call -- */

void hy_plugin_limits_enter(hy_plugin_limits *l) {
  if (!l) return;
  l->has_children = has_children();
  limit_memory(l);
  limit_processor(l->processor_seconds);
  limit_time(l, l->seconds);
}

void hy_plugin_limits_leave(hy_plugin_limits *l) {
  if (!l) return;
  limit_time(l, 0);
  limit_processor(0);
  free_memory(l);
  for (int file = 0; file < 3; file++)
    if (l->is_open[file] && !is_open(file)) raise(HY_PLUGIN_CLOSED); // nothing that is said now would be heard
  if (!l->has_children && has_children()) {
    end_children();
    raise(HY_PLUGIN_STARTED);
  }
}
