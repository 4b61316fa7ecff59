#ifndef HY_POINTS_H
#define HY_POINTS_H

/* The values of expressions at many points at once: one walk through an expression for all of them. What evaluate.h
 * says of values holds here, too; an unknown has the value that it was given at a point, else none there.
 */

#include "oracle/prover/wide.h"
#include "semantics/expr/expr.h"

// A float is its rank (semantics/value/monotone.h); what loads floats is no unknown, what converts them is.
typedef struct hy_points hy_points;

enum { HY_MOST_POINTS = 32 }; // a bit each

HY_GIVE hy_points *hy_points_new(void);
void hy_points_free(HY_TAKE hy_points *points);

// At which of the wanted points has it a value? Where it has none, "missing" names the first unknown without one, by
// point; it stays what it was where no unknown is to blame (a division by 0).
uint32_t hy_points_evaluate(hy_points *points, const hy_expr *expr, uint32_t wanted, const hy_expr **missing);
// The value of what was evaluated, or given; false if there is none.
bool hy_points_value(const hy_points *points, const hy_expr *expr, int point, hy_wide *value);
// Of what was just evaluated where it has a value: which of these points make the formula false?
uint32_t hy_points_false(const hy_points *points, const hy_expr *formula, uint32_t among);
void hy_points_give(hy_points *points, const hy_expr *unknown, int point, hy_wide value);

#endif
