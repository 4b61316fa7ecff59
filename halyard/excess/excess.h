#ifndef HY_EXCESS_H
#define HY_EXCESS_H

#include "halyard/pipeline.h"

// Regions that are much larger than what is read of them: a warning for each func and image, at the load that makes it
// so. Says nothing of target programs, nor where no usual window meets what the program asks for at entry.
//   requires: hy_pipeline_check said HY_YES
void hy_excess_report(hy_pipeline *pipeline, hy_diagnostics *diagnostics);

#endif
