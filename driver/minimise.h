#ifndef HY_MINIMISE_H
#define HY_MINIMISE_H

/* Smaller counterexamples: parameters near 0, short windows, early iterations. */

#include "oracle/oracle.h"

// A decision like the given one, whose model is as small as the time allows; never a model that does not refute the
// obligation (every question goes to Z3, and every model is evaluated).
//   requires: HY_VERDICT_REFUTED with values
//   "budget": seconds that may be used; what was used is taken off
hy_decision hy_minimise(hy_context *context, const hy_decision *decision, unsigned z3_limit, uint64_t *budget);

#endif
