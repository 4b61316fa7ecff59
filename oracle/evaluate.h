#ifndef HY_EVALUATE_H
#define HY_EVALUATE_H

/* The value of an expression over Z when its unknowns have given values: how a counterexample is checked before anybody
 * calls it one. It shares nothing with the translations whose answers it judges.
 */

#include "semantics/expr.h"

#include "oracle/wide.h"

// The value of an unknown: a variable, an access, a node of or from floats, and any node that has no value over Z (a
// division by zero, a bit operation outside 64 bits). Returns false if there is none.
typedef bool hy_unknown_value(void *self, const hy_expr *unknown, hy_wide *value);

// Many expressions under one assignment: what was evaluated is remembered. "unknown" must always say the same; where it
// has no value nothing is remembered.
typedef struct hy_evaluation hy_evaluation;
HY_GIVE hy_evaluation *hy_evaluation_new(hy_unknown_value *unknown, void *self);
void hy_evaluation_free(HY_TAKE hy_evaluation *evaluation);
bool hy_evaluation_value(hy_evaluation *evaluation, const hy_expr *expr, hy_wide *value);

// bool is 0 or 1. False if an unknown without a value is needed, or a number does not fit. AND, OR and SELECT look only
// at what they select.
bool hy_evaluate(const hy_expr *expr, hy_unknown_value *unknown, void *self, hy_wide *value);

#endif
