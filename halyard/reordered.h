#ifndef HY_REORDERED_H
#define HY_REORDERED_H

/* Sums of floats in another order (DIR.RFactor.Real): which algorithm a schedule then computes, bit by bit, and how far
 * that may be from the one that was written.
 *
 * Each rfactor of such a sum changes one stage of one func. The sums before and after it have the same summands; both
 * are within gamma * (|s_0| + |t_1| + .. + |t_n|) of the real one, gamma = m*u / (1 - m*u), m the additions and u half a
 * unit in the last place of 1 (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). So they are
 * compared on the points that the program computes, and the bound is computed from the magnitudes of the summands.
 */

#include "halyard/pipeline.h"

// The algorithm with its sums as the schedule has them; p->alg where it leaves them.
//   requires: all steps of the schedule
const hy_alg *hy_reordered_meaning(const hy_pipeline *p);

// One rfactor on one input.
typedef struct hy_reordering {
  const hy_directive *directive;
  uint64_t points;          // compared
  uint64_t unbounded;       // left out: an infinity or a NaN among what is added up
  double difference, bound; // where the difference is largest, measured by its bound
  bool differs_more;        // than the bound there
  int part;                 // there
  int64_t at[HY_MAX_RANK];  // there
} hy_reordering;

// How many there are in the schedule.
int hy_reordered_count(const hy_pipeline *p);
// Compares each, in their order: sets out[0 .. count). False: some could not be run within "step_limit" points.
bool hy_reordered_compare(const hy_pipeline *p, const hy_input *input, uint64_t step_limit, hy_reordering *out);

#endif
