#include "plugin/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What one call of a plug-in's function may use: processor time, time, memory, and Halyard's own files, which it must
 * leave open; and it must start no processes: none that it leaves behind, and none that it has waited for. Who goes
 * beyond it ends the process by a signal that says which limit it was. How floats are computed is set back after it:
 * what is built with -ffast-math has code that runs when it is loaded, and takes small numbers for 0 from then on.
 */

struct hy_plugin_limits {
  int processor_seconds, seconds;
  timer_t timer; // of "process"
  pid_t process; // a child has no timers of its parent's
  bool is_open[3], has_children;
  int64_t waited;         // what the children that were waited for had done
  struct rlimit before;   // of memory
  int64_t resident, kept; // kilobytes at the call's start; by which earlier calls made the process larger
  pid_t keeper;           // the process that "kept" is of
  fenv_t floats;          // how floats are rounded, and what becomes of small ones
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
  hy_free(l);
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
  if (l->keeper != getpid()) l->kept = 0;
  l->keeper = getpid();
  l->resident = resident();
  int64_t own = l->resident > l->kept ? l->resident - l->kept : 0;
  if (!LIMITS_MEMORY || getrlimit(RLIMIT_DATA, &l->before) != 0) return;
  struct rlimit limit = l->before;
  rlim_t most = (rlim_t)HY_PLUGIN_MEMORY + (rlim_t)own * 1024;
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

bool hy_has_children(void) {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

// Changes whenever a child is waited for: none runs without touching memory.
static int64_t count_waited(void) {
  struct rusage used;
  if (getrusage(RUSAGE_CHILDREN, &used) != 0) return 0;
  return (int64_t)used.ru_minflt + used.ru_majflt + used.ru_nvcsw + used.ru_nivcsw;
}

void hy_end_children(int but) {
  char text[4096];
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  text[got > 0 ? got : 0] = 0;
  for (char *at = text, *end; *at; at = end + (*end == ' ')) {
    long process = strtol(at, &end, 10);
    if (end == at) return;
    if (process > 1 && process != but) kill((pid_t)process, SIGKILL);
  }
}

/* -- around a call -- */

_Noreturn void hy_plugin_end_by(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  raise(number);
  _exit(1);
}

void hy_plugin_limits_enter(hy_plugin_limits *l) {
  if (!l) return;
  l->has_children = hy_has_children();
  l->waited = count_waited();
  fegetenv(&l->floats);
  limit_memory(l);
  limit_processor(l->processor_seconds);
  limit_time(l, l->seconds);
  errno = 0; // ENOMEM is the plug-in's from here on
}

void hy_plugin_limits_leave(hy_plugin_limits *l) {
  if (!l) return;
  limit_time(l, 0);
  limit_processor(0);
  free_memory(l);
  fesetenv(&l->floats);
  for (int file = 0; file < 3; file++)
    if (l->is_open[file] && !is_open(file))
      hy_plugin_end_by(HY_PLUGIN_CLOSED); // nothing that is said now would be heard
  bool leaves = !l->has_children && hy_has_children();
  if (leaves) hy_end_children(0);
  if (leaves || count_waited() != l->waited) hy_plugin_end_by(HY_PLUGIN_STARTED);
}
