#include "autosched/halving.h"

#include <math.h>

hy_halving hy_halving_begin(int count) {
  return (hy_halving){.racers = hy_allocate_zeroed((size_t)count, sizeof(hy_racer)), .count = count};
}

void hy_halving_end(hy_halving *race) { hy_free(race->racers); }

static double least(const hy_racer *r, int from) {
  double best = INFINITY;
  for (int i = from; i < r->runs; i++) best = fmin(best, r->seconds[i]);
  return best;
}

double hy_halving_best(const hy_halving *race, int racer) { return least(&race->racers[racer], 0); }

static int left(const hy_halving *race) {
  int count = 0;
  for (int i = 0; i < race->count; i++) count += !race->racers[i].is_out;
  return count;
}

// Drops the slower half of those that are left, but for the incumbent and the best other one; of equal ones the first
// stays.
static void halve(hy_halving *race) {
  int keep = (left(race) + 1) / 2;
  for (int drop = left(race) - (keep < 2 ? 2 : keep); drop > 0; drop--) {
    int slowest = -1;
    for (int i = 1; i < race->count; i++)
      if (!race->racers[i].is_out && (slowest < 0 || hy_halving_best(race, i) >= hy_halving_best(race, slowest)))
        slowest = i;
    if (slowest < 0) return;
    race->racers[slowest].is_out = true;
  }
}

int hy_halving_next(hy_halving *race) {
  while (race->round < HY_HALVING_ROUNDS) {
    for (; race->at < race->count; race->at++)
      if (!race->racers[race->at].is_out) return race->at;
    race->at = 0;
    if (++race->turn < 1 << race->round) continue;
    race->turn = 0;
    race->round++;
    if (race->round < HY_HALVING_ROUNDS) halve(race);
    if (left(race) < 2) race->round = HY_HALVING_ROUNDS;
  }
  return -1;
}

void hy_halving_add(hy_halving *race, double seconds) {
  hy_racer *r = &race->racers[race->at];
  if (seconds < 0)
    r->is_out = true;
  else
    r->seconds[r->runs++] = seconds;
  race->at++;
}

// Of the runs of the last round, which both took part in, is it faster in more than half?
static bool wins_most(const hy_racer *a, const hy_racer *b) {
  int wins = 0, runs = a->runs < b->runs ? a->runs : b->runs, from = runs / 2;
  for (int i = from; i < runs; i++) wins += a->seconds[i] < b->seconds[i];
  return 2 * wins > runs - from;
}

int hy_halving_winner(const hy_halving *race) {
  int best = 0;
  for (int i = 1; i < race->count; i++) {
    if (race->racers[i].is_out || race->racers[i].runs == 0) continue;
    bool first = race->racers[0].runs == 0;
    bool beats = first || (hy_halving_best(race, i) < hy_halving_gain * hy_halving_best(race, 0) &&
                           wins_most(&race->racers[i], &race->racers[0]));
    if (beats && (best == 0 || hy_halving_best(race, i) < hy_halving_best(race, best))) best = i;
  }
  return best;
}
