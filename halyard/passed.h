#ifndef HY_PASSED_H
#define HY_PASSED_H

/* The program that is emitted: what codegen's passes made of one that is proved, judged as well. Nothing that a pass
 * does is believed then: the program is well formed, keeps the rules of final programs, is one that the proved program
 * was cut into (but for what specializations say of parameters), and all of its B holds.
 */

#include "halyard/pipeline.h"

typedef struct hy_passed {
  const hy_tgt *program;   // "filled" if the passes change nothing; then nothing else is said
  hy_oracle_report report; // of all that it owes
  size_t fresh;            // of which so many were not decided for the program before
} hy_passed;

// requires: hy_pipeline_check said HY_YES, or left obligations undecided (they are undecided here, too)
//   returns: HY_NO where it is no such program or something is refuted, which is a defect of ours; nothing is reported
hy_answer hy_passed_prove(hy_pipeline *pipeline, const hy_oracle_options *options, HY_GIVE hy_passed *passed);

// What native code is made of: what the passes make of "filled". Directives make shapes that the passes were tried on
// by the million; of a program that somebody wrote by hand they are taken only where all that their result owes is
// proved, else it is compiled as it is.
//   requires: as above
const hy_tgt *hy_passed_believed(hy_pipeline *pipeline);

#endif
