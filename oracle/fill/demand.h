#ifndef HY_DEMAND_H
#define HY_DEMAND_H

/* What the bounds phase demands of Cpu, and how the oracle satisfies it (paper, section 8.5; decision D43). */

#include "semantics/expr/affine.h"
#include "semantics/tgt/constraint.h"

// All constraints on one dimension in one; sched/ has seen that they fit together.
hy_constraint hy_demand_of(const hy_constraint *all, size_t count, const hy_func *func, int dim);
bool hy_demand_is_any(const hy_constraint *demand);
bool hy_demand_is_given(const hy_constraint *demand); // the user's own bounds, not only an alignment
// An interval that satisfies the demand: the user's bounds, or the given interval rounded out.
hy_interval hy_demand_apply(hy_affine_table *table, hy_context *context, const hy_constraint *demand,
                            hy_interval interval);

#endif
