#ifndef HY_TUNE_LIMITS_H
#define HY_TUNE_LIMITS_H

/* How long a measured search goes on, and how long it waits for a schedule, so that the whole ends within the budget
 * and some seconds whatever runs: functions of numbers; whoever asks has the clock.
 */

#include "autosched/measured.h"

typedef struct hy_tune_limits {
  double begin, budget; // seconds
  double compiled;      // when the first schedule of all could be run; 0: none yet
  double race;          // the same, of this race
} hy_tune_limits;

// When the time for races of that kind is up. "best": the fastest run, in seconds; infinity: there is none.
double hy_tune_ends(const hy_tune_limits *limits, hy_race_kind kind, double best);
// So many seconds from now on a schedule may take to be compiled, to run for the first time, and to run once more.
double hy_tune_compile_limit(const hy_tune_limits *limits, hy_race_kind kind, double now, double best);
double hy_tune_first_run_limit(const hy_tune_limits *limits, hy_race_kind kind, double now, double best);
double hy_tune_run_limit(const hy_tune_limits *limits, hy_race_kind kind, double now, double best);

#endif
