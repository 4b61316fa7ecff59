#include "semantics/base/clock.h"

#include <sys/resource.h>
#include <time.h>

double hy_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor_seconds(int whose) {
  struct rusage used;
  if (getrusage(whose, &used) != 0) return 0;
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double hy_own_seconds(void) { return processor_seconds(RUSAGE_SELF); }
double hy_children_seconds(void) { return processor_seconds(RUSAGE_CHILDREN); }
