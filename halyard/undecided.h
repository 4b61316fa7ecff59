#ifndef HY_UNDECIDED_H
#define HY_UNDECIDED_H

#include "halyard/pipeline.h"

// Tells of every obligation that neither the prover nor Z3 decided: one diagnostic for each cause, with what is hard
// about it, what to write instead, and whether a run could check it.
//   requires: p->report is of p->query, with nothing refuted
//   unhelped: with --unknown=runtime: a run could check all of it, but even so it could not be decided
void hy_undecided_report(hy_pipeline *pipeline, bool unhelped, hy_diagnostics *diagnostics);

#endif
