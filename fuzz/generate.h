#ifndef HY_GENERATE_H
#define HY_GENERATE_H

/* Random programs, valid by construction, and random schedules, legal because each move is asked of sched/ first. */

#include "fuzz/choices.h"
#include "sched/sched.h"

// The text of an algorithm: 1 to 6 funcs, 0 to 3 dimensions, 0 to 3 updates each.
void hy_generate_alg(hy_choices *choices, hy_text *out);

enum { HY_MOST_FACTORS = 16, HY_DIRECTIVE_KINDS = HY_DIRECTIVE_ALIGN_BOUNDS + 1 };

typedef struct hy_walk {
  int64_t factors[HY_MOST_FACTORS]; // constant split factors that were picked
  int factor_count;
  unsigned picked[HY_DIRECTIVE_KINDS], tails[3], traversals[4];
  int deepest;  // how many splits stand inside each other
  bool illegal; // an illegal directive was planted: the schedule must be refused
  bool silent;  // something was refused without a diagnostic: a defect of ours
} hy_walk;

// Core directives for a lowered program, one a line, walked through the phases.
void hy_generate_schedule(hy_choices *choices, hy_context *context, const hy_tgt *lowered, hy_walk *walk, hy_text *out);

#endif
