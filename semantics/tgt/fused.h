#ifndef HY_FUSED_H
#define HY_FUSED_H

/* The halves of what is fused. In the body of a loop over t in (0, p*q) each factor of the length is at least 1, as long
 * as none is negative: so 0 <= t/q < p, 0 <= t%q < q, and nothing is divided by 0. The same of halves of halves, where
 * more than two loops are fused. Ranges by themselves, of t and of q, tell none of it.
 */

#include "semantics/expr/affine.h"

enum { HY_MOST_FACTORS = 8 };
typedef struct hy_product {
  int count;
  const hy_expr *factors[HY_MOST_FACTORS]; // in normal form
} hy_product;

typedef struct hy_fused_scope {
  hy_affine_table *table;
  // The length of the loop over a variable, where it begins at 0 and the question is asked in its body; what is the half
  // of such a one may have a variable, too, and then it is how many values that has. Else NULL.
  const hy_expr *(*length)(void *self, const hy_var *var);
  bool (*is_natural)(void *self, const hy_expr *factor); // it is never negative
  void *self;
} hy_fused_scope;

// A quotient, a remainder or a loop's variable: is it defined, and 0 <= node < values?
bool hy_fused_values(const hy_fused_scope *scope, const hy_expr *node, hy_product *values);
const hy_expr *hy_product_expr(hy_context *context, const hy_product *product);

#endif
