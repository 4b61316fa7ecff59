#ifndef HY_TUNE_HEAD_H
#define HY_TUNE_HEAD_H

/* The comment at the head of a schedule that was found: for which algorithm and sizes, how, and what was shown of it.
 */

#include "autosched/levels.h"
#include "cli/tune/candidate.h"

typedef struct hy_tune_head {
  const char *algorithm; // its text, printed
  const char *level;     // "1 (groups and tiles, nothing run)"
  const hy_estimates *estimates;
  const hy_tune_parameters *parameters; // NULL: of no meaning
  hy_cost cost;                         // predicted, in cheap operations; -1: none
  // level 2: what was measured; 0 seconds: nothing was
  double seconds, baseline_seconds; // of this one, and of level 0's
  size_t measured;
  int generations, processors;
  uint64_t seed;
  int tried, refused, unproved;
  const hy_tune_proof *proof;
} hy_tune_head;
void hy_tune_head_print(const hy_alg *alg, const hy_tune_head *head, hy_text *out);

// Warns (HY_E_TUNE_STALE) where the schedule's head says that it was found for another algorithm.
void hy_tune_head_check(const hy_alg *alg, const hy_schedule *schedule, hy_diagnostics *diagnostics);

#endif
