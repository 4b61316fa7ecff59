#include "cli/tune/limits.h"

#include "autosched/halving.h"
#include "cli/tune/worker.h"

#include <math.h>

enum { FINALISTS = 5 };
static const double compile_limit = 60, run_limit = 30;
static const double patience = 5; // what begins as the time is up is not ended at once
static const double slack = 1;    // a run that is a little longer than the time that is left counts

// A turn in a race, where a run takes that long.
static double turn(double run) { return fmin(HY_TURN_RUNS * run, hy_turn_seconds + run); }

// The last race is run within the budget, unless it takes more than a quarter of it.
static double last_race(const hy_tune_limits *l, double best) {
  return fmin(l->budget / 4, FINALISTS * HY_HALVING_RUNS * turn(best));
}

double hy_tune_ends(const hy_tune_limits *l, hy_race_kind kind, double best) {
  double end = l->begin + l->budget;
  switch (kind) {
  case HY_RACE_FIRST: return fmax(end, l->compiled) + patience; // however long that takes, there is something to run
  case HY_RACE_NEXT: return end - last_race(l, best);
  case HY_RACE_LAST: return end + patience;
  }
  HY_UNREACHABLE();
}

static double left(const hy_tune_limits *l, hy_race_kind kind, double now, double best) {
  return fmax(hy_tune_ends(l, kind, best) + slack - now, 0);
}

double hy_tune_compile_limit(const hy_tune_limits *l, hy_race_kind kind, double now, double best) {
  bool waits = kind == HY_RACE_FIRST && l->compiled == 0;
  return waits ? compile_limit : fmin(compile_limit, left(l, kind, now, best));
}

// All of a race run at the same time, so that each has been running since the first could.
double hy_tune_first_run_limit(const hy_tune_limits *l, hy_race_kind kind, double now, double best) {
  return fmin(fmax(l->race + run_limit - now, 0), left(l, kind, now, best));
}

double hy_tune_run_limit(const hy_tune_limits *l, hy_race_kind kind, double now, double best) {
  return fmin(fmin(run_limit, slack + 20 * best), left(l, kind, now, best));
}
