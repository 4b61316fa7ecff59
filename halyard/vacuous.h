#ifndef HY_VACUOUS_H
#define HY_VACUOUS_H

#include "halyard/pipeline.h"

// Says which of the entry conditions excludes every input that those before it allow (decision D62).
//   requires: p->report.vacuous
void hy_vacuous_report(hy_pipeline *pipeline, unsigned z3_limit, hy_diagnostics *diagnostics);

#endif
