#ifndef HY_TUNE_MEASURE_H
#define HY_TUNE_MEASURE_H

/* Level 2: the host of autosched/measured.h. Schedules run in processes of their own, the outputs of all runs are
 * compared, and what was told is logged, or taken from a log.
 */

#include "autosched/measured.h"
#include "cli/tune/keep.h"
#include "cli/tune/log.h"
#include "cli/tune/search.h"

// HY_STATUS_FINE: "measured" has what was found, though nothing may have run. HY_STATUS_DEFECT: a proved schedule
// computes something else than another one; reported, with a case file. HY_STATUS_USAGE: the input, or the
// measurements, cannot be used.
hy_status hy_measure(hy_search *search, const hy_schedule *start, const hy_kept *kept, hy_measured *measured);

#endif
