#ifndef HY_AUTOSCHED_HALVING_H
#define HY_AUTOSCHED_HALVING_H

/* Who is fastest, with few runs (halving): all run once, the better half twice, the better half of that four times, and
 * so on. Runs of a round are taken in turn. Racer 0 is the incumbent: it runs in every round, and loses only to
 * somebody who is faster by more than a hundredth and in more than half of the runs of the last round. What is decided
 * depends on the times alone; whoever asks has the clock.
 */

#include "semantics/base/base.h"

enum {
  HY_HALVING_ROUNDS = 4,
  HY_HALVING_RUNS = (1 << HY_HALVING_ROUNDS) - 1
}; // rounds, and runs of who goes through all of them

static const double hy_halving_gain = 0.99; // who takes more than that of the incumbent's time is not faster

typedef struct hy_racer {
  double seconds[HY_HALVING_RUNS];
  int runs;
  bool is_out; // in an earlier round, or it did not run
} hy_racer;

typedef struct hy_halving {
  hy_racer *racers;
  int count;
  int round, turn, at; // the next run: the round, which of its runs, whose
} hy_halving;

hy_halving hy_halving_begin(int count); // at least 1
void hy_halving_end(hy_halving *race);
// Whose turn it is; -1: the race is over.
int hy_halving_next(hy_halving *race);
// What the run of whose turn it is took; a negative number: it failed, and is out.
void hy_halving_add(hy_halving *race, double seconds);
// The fastest of all when it is over, and the best time of a racer (infinity: it never ran).
int hy_halving_winner(const hy_halving *race);
double hy_halving_best(const hy_halving *race, int racer);

#endif
