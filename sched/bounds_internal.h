#ifndef HY_BOUNDS_INTERNAL_H
#define HY_BOUNDS_INTERNAL_H

/* The bounds phase (section 8.5, decision D43): what bound.c, bound_extent.c and align_bounds.c share. */

#include "sched/rewrite.h"
#include "semantics/tgt/constraint.h"

// Can the constraint hold together with those that are there, for all inputs? Reports which directives conflict if not.
bool hy_bounds_combine(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                       const hy_constraint *constraint, hy_diagnostics *diagnostics);
// Is a given length negative for sure? Reports if so.
bool hy_bounds_length(hy_context *context, const hy_directive *directive, const hy_expr *len,
                      hy_diagnostics *diagnostics);
// A user's bound asks for need (decision D43).
bool hy_bounds_may_add(const hy_directive *directive, const hy_hole *hole);
// The func's compute with "constrain" at its front and, if the bounds are the user's, "assume need inside Cpu"; lengths
// and definedness are checked at entry.
const hy_tgt *hy_bounds_add(hy_context *context, const hy_tgt *tgt, const hy_constraint *constraint);

#endif
