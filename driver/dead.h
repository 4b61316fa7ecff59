#ifndef HY_DEAD_H
#define HY_DEAD_H

#include "driver/pipeline.h"

// What can never be reached: its obligations hold for nothing. They are PROVED and said to be so (decision D62): one
// warning for each func and stage. Returns how many obligations hold only because of that.
//   requires: hy_pipeline_check said HY_YES
size_t hy_dead_report(hy_pipeline *pipeline, hy_diagnostics *diagnostics);

#endif
