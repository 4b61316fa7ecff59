#ifndef HY_REFUTED_H
#define HY_REFUTED_H

#include "halyard/pipeline.h"

// Tells of every refuted obligation: one diagnostic for each cause, with an input as small as time allows, the
// iteration in the words of the program and the schedule, and what the target interpreter sees there (decision D63).
// Obligations that speak of the same end of the same box, of the same loops or of the same number have one cause.
//   requires: p->report is of p->query
void hy_refuted_report(hy_pipeline *pipeline, unsigned z3_limit, hy_diagnostics *diagnostics);

#endif
