#ifndef HY_TUNE_WORKER_H
#define HY_TUNE_WORKER_H

/* A process that holds one schedule, compiled, and runs it when asked. What it runs need not be proved: if it ends the
 * process, only that one ends; and its memory goes with it.
 */

#include "autosched/measured.h"
#include "semantics/alg/input.h"

#include <signal.h>
#include <sys/types.h>

typedef struct hy_worker {
  pid_t pid; // 0: there is none
  int ask, answer;
  const volatile sig_atomic_t *stop; // NULL: nothing does
} hy_worker;

// A turn: runs right behind each other, the fastest of which counts; no more are begun when they have taken so long.
enum { HY_TURN_RUNS = 5 };
static const double hy_turn_seconds = 0.02;

typedef struct hy_worker_run {
  double seconds;    // of the fastest run
  uint64_t checksum; // of all outputs
} hy_worker_run;

// Begins to compile the schedule for runs on that input. When "stop" is set nobody waits for it any longer.
void hy_worker_start(hy_worker *worker, const char *algorithm, const char *schedule, const hy_input *input,
                     const volatile sig_atomic_t *stop);
// Waits until it is compiled, then until it has run for the first time, which does not count; each at most so many
// seconds. If it is not fine the worker is gone.
hy_run_answer hy_worker_is_compiled(hy_worker *worker, double limit);
hy_run_answer hy_worker_is_ready(hy_worker *worker, double limit);
// One turn. If it is not fine the worker is gone.
hy_run_answer hy_worker_take_turn(hy_worker *worker, double limit, hy_worker_run *run);
void hy_worker_stop(hy_worker *worker);

#endif
