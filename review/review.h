#ifndef HY_PLUGIN_REVIEW_H
#define HY_PLUGIN_REVIEW_H

/* Judging a directive from outside the tree: what 'halyard validate' does, and
 * what it found. Everything that runs the plug-in's code does so in processes
 * of its own.
 */

#include "engines/engine.h"
#include "engines/generator.h"
#include "halyard/pipeline.h"
#include "plugin/load.h"

#include "fuzz/campaign/campaign.h"
#include "semantics/base/vec.h"

// A nest of loops on which the directive is tried, its sizes unknown, or constants that are no small ones: L0 and L3
// there hold for all inputs.
typedef struct hy_review_shape {
  const char *name;
  int applied, refused, failed, undecided;
  int questions, proved, proved_z3;
  bool all_tried;   // all that was to be tried there; false: time ran out
  const char *open; // the first question that stayed open
} hy_review_shape;
enum { HY_REVIEW_SHAPES = 16 };

// A number that schedules give the directive, and what it was in applications to those nests whose promises were
// judged: the review speaks of these values, and of no others.
typedef struct hy_review_argument {
  bool is_number;
  HY_VEC(int64_t) values; // ascending
  bool is_param;          // and a parameter, which stands for any number
} hy_review_argument;

// Random pairs that were judged in the same way.
typedef struct hy_review_pairs {
  const char *name;
  uint64_t wanted, pairs, applications, refused, unusable, undecided, failures;
  uint64_t questions, proved, unknown, runs, points;
  double seconds;
} hy_review_pairs;
typedef enum { HY_REVIEW_LEVELS, HY_REVIEW_RUNS, HY_REVIEW_BOUNDS, HY_REVIEW_CAMPAIGNS } hy_review_campaign;

// Pairs in which the directive meets one of Halyard's own.
typedef struct hy_review_neighbour {
  int kind;                              // its number (hy_sched_number)
  uint64_t wanted, tried, before, after; // pairs; those in which it stands before it, after it
  uint64_t failures, undecided;
} hy_review_neighbour;
enum { HY_REVIEW_NEIGHBOURS = HY_OWN_DIRECTIVES };

// Something that must not be, as it was found and as small as it became.
typedef struct hy_review_failure {
  hy_case c;
  hy_judgement judgement;
  const char *where; // "a single directive", "random pairs", ...
  int funcs, directives;
} hy_review_failure;

typedef enum { HY_REVIEW_SOUND, HY_REVIEW_REFUTED, HY_REVIEW_OPEN } hy_review_verdict;

typedef struct hy_review {
  hy_context *context;
  void (*progress)(void *self, const char *line); // what is being done; for people who wait
  void *self;                                     // of progress
  const hy_plugins *plugins;
  const hy_plugin *plugin;
  uint64_t seed, pairs;
  int jobs;
  double start, seconds; // seconds: for the whole
  hy_review_shape shapes[HY_REVIEW_SHAPES];
  hy_review_argument arguments[HYD_MOST_ARGUMENTS];
  hy_review_pairs campaigns[HY_REVIEW_CAMPAIGNS];
  hy_review_neighbour neighbours[HY_REVIEW_NEIGHBOURS];
  bool leaks_measured;
  int leak_rounds;                    // programs made meanwhile
  int64_t leaked_bytes, leaked_files; // per application; files in all
  HY_VEC(hy_review_failure) failures;
  bool late;                  // something was ended, or left out, because time was over
  uint64_t unseen, unmade;    // failures that nobody could look at in time; whose pairs could not be made again
  const char *death;          // "it crashed (...) in its function 'rewrite'"; NULL = nobody died of it
  const char *before, *after; // of the smallest failure: the stage that the
                              // directive rewrites; NULL = there is none
  hy_review_verdict verdict;
  const char *open; // why it is open; whenever time ran out it is, whatever else was seen
} hy_review;

enum { HY_REVIEW_MUCH = 1 << 20 }; // bytes that are kept for each program made

void hy_review_progress(const hy_review *review, const char *format, ...) HY_PRINTF(2, 3);
double hy_review_left(const hy_review *review); // seconds
// Keeps a failure; the case is copied.
void hy_review_fail(hy_review *review, const hy_case *c, const hy_judgement *judgement, const char *where);
// Did the process that judged end inside of the plug-in?
void hy_review_see_death(hy_review *review, const hy_judgement *judgement);
bool hy_review_uses(const hy_review *review,
                    const char *items); // does a schedule use the directive?

// In a process of its own (review/apart.c), which has so many seconds; what it writes to "to" is added to "said". True
// if it ended well; else it is noted why.
typedef void hy_review_work(hy_review *review, void *self, int to);
bool hy_review_apart(hy_review *review, hy_review_work *work, void *self, double seconds, hy_text *said);

/* the phases, in order */
void hy_review_look(hy_review *review);  // review/shapes.c: single applications
void hy_review_leaks(hy_review *review); // review/leaks.c
void hy_review_name_neighbours(hy_review *review);
void hy_review_campaigns(hy_review *review); // review/campaigns.c: random pairs
void hy_review_smallest(hy_review *review);  // review/smallest.c: failures.data[0] is then the smallest
void hy_review_conclude(hy_review *review);  // review/review.c: the verdict
void hy_review_free(hy_review *review);

/* the page */
void hy_review_text(const hy_review *review, hy_text *out); // review/page.c
void hy_review_html(const hy_review *review, hy_text *out); // review/html.c

#endif
