#ifndef HY_RATIO_H
#define HY_RATIO_H

/* Is it slower? What laps say of two contestants that run in turn, one of them twice.
 *
 * A lap has the seconds of the baseline, of the baseline again (another copy of the same bytes), and of the candidate,
 * in an order that goes round. Two ratios are looked at, lap by lap: candidate by baseline, and baseline by baseline,
 * which is 1 but for what the machine does. Of each, the interval between two order statistics holds the median but for
 * one time in a thousand, whatever the distribution; no normal distribution is assumed, and a lap that something else
 * disturbed counts for no more than any other.
 */

#include <stddef.h>

enum { HY_LAP_BASELINE, HY_LAP_AGAIN, HY_LAP_CANDIDATE, HY_LAP_RUNNERS };
typedef struct hy_lap {
  double seconds[HY_LAP_RUNNERS];
} hy_lap;

typedef struct hy_ratio {
  double low, median, high; // low 0 and high infinite if there are too few laps to say anything
} hy_ratio;

// 1 + allowed is the greatest ratio that passes.
typedef enum {
  HY_SPEED_FINE,   // the whole interval is allowed
  HY_SPEED_SLOWER, // nothing of it is
  HY_SPEED_CLOSE,  // some of it
  HY_SPEED_NOISY,  // the baseline itself, against itself, may be that much slower or quicker, and the difference from
                   // what is allowed is no greater
} hy_speed;

typedef struct hy_speed_finding {
  hy_speed speed;
  hy_ratio candidate, noise;
  double seconds; // the median of the baseline
} hy_speed_finding;

hy_speed_finding hy_speed_judge(const hy_lap *laps, size_t count, double allowed);

#endif
