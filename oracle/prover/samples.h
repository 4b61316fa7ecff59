#ifndef HY_SAMPLES_H
#define HY_SAMPLES_H

/* Points at which questions are tried before anybody reasons about them. A point gives each unknown a value the first
 * time that facts or a goal ask for it, within the bounds that those facts put on it, and keeps it: most questions of
 * one program share most of their facts. The first points are small, so that a counterexample reads well; the last ones
 * are as large as windows and parameters may be (decision D26).
 *
 * Whether facts hold at a point is evaluated, never assumed: a counterexample is one.
 */

#include "oracle/prover/pair_map.h"
#include "oracle/prover/wide.h"
#include "semantics/expr/expr.h"

typedef struct hy_samples hy_samples;

enum { HY_SAMPLE_POINTS = 30 };

HY_GIVE hy_samples *hy_samples_new(void);
void hy_samples_free(HY_TAKE hy_samples *samples);

// At which points do all facts hold? A bit each.
uint32_t hy_samples_holding(hy_samples *samples, const hy_expr *const *facts, size_t count);
// The first of those points at which the goal does not hold, -1 if there is none.
int hy_samples_refute(hy_samples *samples, uint32_t points, const hy_expr *goal);
// The value of an unknown that facts or goal have asked for at that point; false if none has.
bool hy_samples_value(const hy_samples *samples, int point, const hy_expr *unknown, hy_wide *value);

#endif
