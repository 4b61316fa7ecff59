#ifndef HY_LANES_H
#define HY_LANES_H

/* What a pair is judged by. Each lane costs more than the one before. */

#include "semantics/base/text.h"

enum {
  HY_LANE_INTERPRET = 1, // 1: algorithm and target program agree, watched, in several orders
  HY_LANE_QUERY = 2,     // 2: every obligation of B(S), with certificates that halyard-certcheck accepts
  HY_LANE_CROSS = 4,     // 3: Z3 is asked about every obligation
  HY_LANE_LIGHT = 8,     // 4: native code, light optimization
  HY_LANE_NATIVE = 16,   // 5: native code, fully optimized
  HY_LANE_MIX = 32,      // the lanes of a pair follow from its number
  HY_LANE_PROMISE = 64,  // every level of validation of every directive (validate/validate.h): "levels"
  HY_LANE_FAULTS = 128,  // hand-made faults in the pair's target program (fault.h): "faults"
  HY_LANE_GAP =
      256, // pairs where numbers end, the gap between Z and the machine: lanes 1 and 2, one in 16 natively: "gap"
  HY_LANE_HALIDE = 512, // Halide computes what the algorithm means: "halide"
  HY_LANE_TUNE =
      1024, // schedules as "halyard tune" tries them: lanes 1 and 2, all certificates, one in 16 natively: "tune"
  HY_LANE_MOST = 1024,
};

// "1,2", "1,2,5", "mix"; false if the text is something else.
bool hy_lanes_parse(const char *text, unsigned *lanes);
void hy_lanes_print(unsigned lanes, hy_text *out);
// The lanes in which the pair of that number is judged.
unsigned hy_lanes_of_pair(unsigned lanes, uint64_t index);
// How many pairs make a block, the unit in which a campaign is dealt out, written down and taken up again.
uint64_t hy_lanes_block(unsigned lanes);

#endif
