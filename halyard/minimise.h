#ifndef HY_MINIMISE_H
#define HY_MINIMISE_H

/* Smaller counterexamples: parameters near 0, short windows, early iterations. */

#include "oracle/oracle.h"

// A decision like the given one, whose model is as small as the time allows; never a model that does not refute the
// obligation and keeps the facts of the entry (every question goes to Z3, and every model is evaluated).
//   requires: an obligation of the query; HY_VERDICT_REFUTED with values
//   "budget": steps that may be used; what was used is taken off
hy_decision hy_minimise(hy_context *context, const hy_query *query, const hy_decision *decision, unsigned z3_limit,
                        uint64_t *budget);

#endif
