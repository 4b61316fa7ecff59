#ifndef HY_TUNE_WORKER_H
#define HY_TUNE_WORKER_H

/* A process that holds one schedule, compiled, and runs it when asked. What it runs need not be proved: if it ends the
 * process, only that one ends; and its memory goes with it.
 */

#include "semantics/alg/input.h"

#include <sys/types.h>

typedef struct hy_worker {
  pid_t pid; // 0: there is none
  int ask, answer;
} hy_worker;

typedef struct hy_worker_run {
  double seconds;
  uint64_t checksum; // of all outputs
} hy_worker_run;

// Begins to compile the schedule for runs on that input.
void hy_worker_start(hy_worker *worker, const char *algorithm, const char *schedule, const hy_input *input);
// Waits until it can be run, at most so many seconds. False: it cannot be; the worker is gone then.
bool hy_worker_is_ready(hy_worker *worker, double limit);
// One run. False: it did not end well, or not within the limit; the worker is gone then.
bool hy_worker_run_once(hy_worker *worker, double limit, hy_worker_run *run);
void hy_worker_stop(hy_worker *worker);

#endif
