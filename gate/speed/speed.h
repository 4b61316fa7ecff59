#ifndef HY_GATE_SPEED_H
#define HY_GATE_SPEED_H

/* Level 4: does what ships take longer than what shipped before? Two shipped folders, the candidate and the baseline;
 * of every target that both have and this machine runs, the two shared objects run in turn on one generated input
 * (race.h), until the ratio of their times is known well enough (ratio.h). Three answers: a machine too noisy to judge
 * is one where nobody knows.
 */

#include "gate/inspect/inspect.h"
#include "gate/trial/programs.h"
#include "halyard/sample.h"

typedef struct hy_speed_pair {
  const hy_inspected *candidate, *baseline;
  hy_shipped_programs new, old; // theirs; both have one signature
} hy_speed_pair;

// Reads the programs. False: there is nothing to run in turn, which is told.
// requires: level 0 read both manifests
bool hy_speed_read(hy_context *context, const hy_inspected *candidate, const hy_inspected *baseline,
                   hy_gate_result *result, hy_speed_pair *pair);

typedef struct hy_speed_wishes {
  hy_sampler sampler;                     // parameters and the contents of images
  const int64_t *window_min, *window_len; // of all outputs; NULL: of a size that takes long enough
  double allowed;                         // how much longer it may take: 0.03
} hy_speed_wishes;

// Checks go to the result.
void hy_speed_run(const hy_speed_pair *pair, const hy_speed_wishes *wishes, hy_gate_result *result);

#endif
