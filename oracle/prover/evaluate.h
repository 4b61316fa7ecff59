#ifndef HY_EVALUATE_H
#define HY_EVALUATE_H

/* The value of an expression over Z when its unknowns have given values: how a counterexample is checked before anybody
 * calls it one. It shares nothing with the translations whose answers it judges.
 */

#include "semantics/expr/expr.h"

#include "oracle/prover/wide.h"

// The value of an unknown: a variable, an access, a node of or from floats, and any node that has no value over Z (a
// division by zero, a bit operation outside 64 bits). Returns false if there is none.
typedef bool hy_unknown_value(void *self, const hy_expr *unknown, hy_wide *value);

// bool is 0 or 1. False if an unknown without a value is needed, or a number does not fit. AND, OR and SELECT look only
// at what they select.
bool hy_evaluate(const hy_expr *expr, hy_unknown_value *unknown, void *self, hy_wide *value);

// One step of it, of any operator but these three, on arguments none of which is a float; false: no value over Z.
bool hy_evaluate_op(hy_op op, hy_type type, const hy_wide *args, hy_wide *value);
bool hy_evaluate_constant(const hy_expr *constant, hy_wide *value); // false: an error value

#endif
