#ifndef HY_DEFER_H
#define HY_DEFER_H

/* --unknown=runtime: what neither the prover nor Z3 decides for all inputs is checked for the one input of a run, at
 * entry, before anything else (decision D25).
 *
 * Nothing is taken on trust: a condition over parameters, the window and image boxes is found that should imply the
 * obligation, the program is given an "assume undecided" of it, and B of that program is decided anew.
 */

#include "halyard/pipeline.h"

// A condition that should imply the obligation; NULL, with the reason in *why, if it speaks of more than the input.
const hy_expr *hy_defer_condition(hy_context *context, const hy_obligation *obligation, const char **why);

// The filled program with the conditions of all undecided obligations checked at entry. NULL if one has none.
//   requires: p->report is of p->query, with nothing refuted
const hy_tgt *hy_defer_program(hy_pipeline *pipeline);

// The first of these checks that an input fails, NULL if it passes all.
const hy_stmt *hy_defer_failure(const hy_tgt *filled, const hy_input *input);

#endif
