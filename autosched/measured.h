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
  char *schedule;            // its text
  const char *origin;        // "level 1, cache 32 KiB, load cost 10", "a move from 3": in words
  double predicted;          // ns, by the model; infinity: not known
  double seconds;            // the best run; infinity: it did not run
  bool took_too_long;        // it was ended before it had run once
  bool was_asked, is_proved; // whether it is proved: once it has won a race, or is to be varied
  hy_choices_list *choices;  // in the graph's context; NULL: a text that was given, or no longer among the best
} hy_entry;

// What becomes of a racer, or of a run of one.
typedef enum hy_run_answer {
  HY_RUN_FINE = 1,
  HY_RUN_FAILED = -1,
  HY_RUN_TOO_LONG = -2, // it was ended
  HY_RUN_STOPPED = -3,  // the search was, and nothing is known of it
  HY_RUN_WRONG = -4,    // something else came out, of a schedule that is not proved
} hy_run_answer;

// Each has a time of its own (the host's clock says which): the first schedules run once though the time is up, and
// some of it is left for the last race.
typedef enum hy_race_kind { HY_RACE_FIRST, HY_RACE_NEXT, HY_RACE_LAST } hy_race_kind;
enum { HY_RACE_KINDS = HY_RACE_LAST + 1 };

typedef struct hy_host {
  void *self;
  bool (*is_legal)(void *self, const char *schedule);
  void (*start)(void *self, int number, const char *schedule);          // begins to get a racer ready, while others are
  hy_run_answer (*is_ready)(void *self, int number, hy_race_kind kind); // in the end
  double (*run)(void *self, int number, hy_race_kind kind);             // seconds, or a negative hy_run_answer
  void (*release)(void *self);                                          // all racers
  bool (*is_proved)(void *self, const char *schedule);                  // all of it, with certificates
  bool (*goes_on)(void *self, hy_race_kind kind); // is there time left for such a race, and nothing wrong?
  // The graph once more, with its boxes, in a context of its own; what the call before the last gave is no longer used.
  hy_func_graph *(*renew)(void *self);
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
  int generations, refused, unproved;
} hy_measured;

// A schedule to begin with; "choices" may be NULL. One that is there already is not added.
void hy_measured_seed(hy_measured *measured, const char *schedule, const char *origin, hy_choices_list *choices);
void hy_measured_search(hy_measured *measured, const hy_measured_options *options, const hy_host *host);
void hy_measured_free(hy_measured *measured);
bool hy_entry_is_unproved(const hy_entry *entry); // that is known
// The entries that ran, but for those that are known not to be proved, the fastest first; of equal ones the earlier. "order" has room for all; returns how many.
int hy_measured_ranking(const hy_measured *measured, int *order);

#endif
