#ifndef HY_AUTOSCHED_MEASURED_H
#define HY_AUTOSCHED_MEASURED_H

/* Level 2: schedules that are measured. Seeds are raced, then, generation by generation, what moves and crossings make
 * of the best: the model says which are worth running, runs decide. Everything that is not known from the algorithm,
 * the estimates and the seed is asked of the host; so the same answers give the same schedules.
 */

#include "autosched/model.h"
#include "autosched/spell.h"

// One schedule that was raced, or would have been.
typedef struct hy_entry {
  char *schedule;           // its text
  const char *origin;       // "level 1, cache 32 KiB, load cost 10", "a move from 3": in words
  double predicted;         // ns, by the model; infinity: not known
  double seconds;           // the best run; infinity: it did not run
  hy_choices_list *choices; // in the graph's context; NULL: a text that was given, or no longer among the best
} hy_entry;

typedef struct hy_host {
  void *self;
  bool (*is_legal)(void *self, const char *schedule);
  void (*start)(void *self, int number, const char *schedule); // begins to get a racer ready: all of them at once
  bool (*is_ready)(void *self, int number);                    // in the end; false: it cannot run
  double (*run)(void *self, int number);                       // seconds; negative: it failed
  void (*release)(void *self);                                 // all racers
  bool (*goes_on)(void *self);                                 // is there time left, and nothing wrong?
  // The graph once more, with its boxes, in a context of its own; what the call before the last gave is no longer used.
  hy_graph *(*renew)(void *self);
  void (*tell)(void *self, const hy_entry *best, int generation, int measured); // progress
} hy_host;

typedef struct hy_measured_options {
  uint64_t seed;
  hy_machine machine;
  const bool *kept;  // by node: what the user fixed; NULL: nothing
  const char *given; // the lines of that
} hy_measured_options;

typedef struct hy_measured {
  hy_entry *entries; // all that were raced, in order; seeds first
  size_t count, capacity;
  int best; // the incumbent; -1: nothing ran
  int generations, refused;
} hy_measured;

// A schedule to begin with; "choices" may be NULL. One that is there already is not added.
void hy_measured_seed(hy_measured *measured, const char *schedule, const char *origin, hy_choices_list *choices);
void hy_measured_search(hy_measured *measured, const hy_measured_options *options, const hy_host *host);
void hy_measured_free(hy_measured *measured);
// The entries that ran, the fastest first; of equal ones the earlier. "order" has room for all; returns how many.
int hy_measured_ranking(const hy_measured *measured, int *order);

#endif
