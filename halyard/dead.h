#ifndef HY_DEAD_H
#define HY_DEAD_H

#include "halyard/pipeline.h"

// What can never be reached: its obligations hold for nothing. They are PROVED and said to be so (decision D62): one
// warning for each func and stage.
//   requires: hy_pipeline_check said HY_YES
void hy_dead_report(hy_pipeline *pipeline, hy_diagnostics *diagnostics);

#endif
