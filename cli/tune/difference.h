#ifndef HY_TUNE_DIFFERENCE_H
#define HY_TUNE_DIFFERENCE_H

#include "cli/tune/search.h"

// Two proved schedules compute different outputs: a defect of ours. Writes a case file for 'halyard replay', and
// reports it.
//   returns: HY_STATUS_DEFECT
hy_status hy_difference_report(hy_search *search, const char *reference, const char *different);

#endif
