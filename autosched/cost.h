#ifndef HY_AUTOSCHED_COST_H
#define HY_AUTOSCHED_COST_H

/* What computing a point costs, given what it loads (cost.def). An expression that stands in several places of a stage
 * is computed once. Coordinates are addresses, and free, but where they load something, or are made of floats.
 */

#include "semantics/base/vec.h"
#include "semantics/expr/expr.h"

int64_t hy_op_cost(const hy_expr *node); // of an operator, without its arguments
// The cost of all these together; NULLs are left out. "accesses" gets each distinct load, the inner ones first.
//   returns: -1 where they have more than "most" distinct nodes
int64_t hy_cost_arithmetic(const hy_expr *const *exprs, int count, size_t most, hy_expr_list *accesses);

#endif
