#ifndef HY_DEFINED_H
#define HY_DEFINED_H

/* "defined(e)": that evaluating e, lazily, meets no error (decision D94). The one definition over Z; the interpreters'
 * is that evaluation gives no error, native code's is codegen/llvm_condition.c, and a test holds the three together.
 *
 *   defined(op(e1, ..))      = defined(e1) && .. && the operator errs on none of them:
 *                                a / b, a % b           b != 0
 *                                any op of type int     -2^63 <= op(..) <= 2^63 - 1, its value taken in Z
 *                                int(e) of a u64        e <= 2^63 - 1
 *   defined(select(c, a, b)) = defined(c) && (c ? defined(a) : defined(b))
 *   defined(a && b)          = defined(a) && (!a || defined(b));  of a || b: (a || defined(b))
 *   defined(f(e1, ..))       = defined(e1) && ..      (whether a func's value is an error is not asked)
 */

#include "semantics/tgt/range.h"
#include "semantics/tgt/tgt.h"

// One thing that may go wrong: where "guard" holds, "node" is evaluated, and its operator errs unless "own" holds.
typedef struct hy_risk {
  const hy_expr *node, *own, *guard;
  unsigned what; // HY_RISK_...
} hy_risk;

const hy_expr *hy_risk_avoided(hy_context *context, hy_risk risk); // guard => own

typedef void hy_risk_visitor(void *self, hy_risk risk);

// Calls "visit" for every risk that the ranges do not rule out, inner nodes first. False: too many choices inside each
// other; then the rest was told as if nothing guarded it.
bool hy_defined_risks(hy_context *context, hy_ranges *ranges, const hy_expr *expr, hy_risk_visitor *visit, void *self);

// defined(e) as a formula over Z; "true" where the ranges show it; NULL if it is too large to be written down.
const hy_expr *hy_defined(hy_context *context, hy_ranges *ranges, const hy_expr *expr);

// What is true of an interval whose ends are no errors and fit, and whose length is not negative (decision D78), and
// else false or an error: what an entry check asks, where an error counts as false (D27).
const hy_expr *hy_interval_is_ordinary(hy_context *context, hy_interval interval);

// What the machine computes for an index: arithmetic of type int that may leave 64 bits wraps, int(e) of a u64
// saturates (decisions D66, D67). Where the ranges show that nothing does, the expression itself.
const hy_expr *hy_machine_value(hy_context *context, hy_ranges *ranges, const hy_expr *expr);

#endif
