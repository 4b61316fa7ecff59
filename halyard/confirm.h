#ifndef HY_CONFIRM_H
#define HY_CONFIRM_H

#include "halyard/pipeline.h"

// VER.Replay (decision D72): a refutation is a model of all facts, those of the entry included, and a run on it breaks
// its contract in the target interpreter (D63). What has none such is UNKNOWN from here on, or proved, if Z3 says so
// once it is told the facts of the entry.
//   requires: p->report is of p->query
void hy_confirm(hy_pipeline *pipeline, unsigned z3_limit);

#endif
