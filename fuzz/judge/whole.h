#ifndef HY_WHOLE_H
#define HY_WHOLE_H

/* Values of whole-number and boolean expressions in 128 bits: a second opinion on what the rest of Halyard computes in
 * 64, and shares nothing with it.
 */

#include "semantics/expr/expr.h"

typedef __int128 hy_whole;

// The r of a = b * q + r with 0 <= r < |b| (decision D2); b is not 0.
hy_whole hy_whole_rest(hy_whole a, hy_whole b);

// The value of a variable or a hole; false: it is not known.
typedef bool hy_leaf(void *self, const hy_expr *leaf, hy_whole *value);

typedef enum {
  HY_EVALUATED,
  HY_EVALUATED_ERROR, // divides by zero, or leaves 64 bits (decisions D1, D5)
  HY_NOT_EVALUATED,   // it has loads, conversions, or leaves that are not known
} hy_evaluated;

// Lazily: what "&&", "||" and select do not need may be an error (decision D4).
hy_evaluated hy_whole_of(const hy_expr *expr, hy_leaf *leaf, void *self, hy_whole *value);

#endif
