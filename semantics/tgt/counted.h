#ifndef HY_COUNTED_H
#define HY_COUNTED_H

/* Counting: how often an update adds to what a point has, and how much (decision D88, B.Value).
 *
 *   f(e) <- f(e) + d        with d in [low, high], N times at most at one point: f grows by N*[min(low, 0), max(high, 0)]
 *
 * That is no range that each update keeps, as induction asks (values.h). It holds because a point has no more steps than
 * the loops that do not choose it have iterations.
 */

#include "semantics/tgt/range.h"

// How often one execution of the compute, below which "path" leads to the assignment, writes one point at most:
// HY_RANGE_LIMIT if numbers do not tell. The loops' and lets' variables are known to "ranges".
hy_wide_int hy_times_at_a_point(hy_context *context, hy_ranges *ranges, const hy_stmt *const *path, size_t count,
                                const hy_stmt *assign);

typedef void hy_amount_visitor(void *self, const hy_expr *amount, hy_range range); // as the machine has it

// Does the assignment store in a part what that point's part has, more or less some amounts that do not speak of the func?
// Then "step" is by how much one execution changes it, 0 among it, and each amount is visited.
bool hy_grows_by(hy_context *context, hy_ranges *ranges, const hy_stmt *assign, int part, hy_amount_visitor *visit,
                 void *self, hy_range *step);
// Is the func read in it?
bool hy_expr_reads(const hy_expr *expr, const hy_func *func);

#endif
