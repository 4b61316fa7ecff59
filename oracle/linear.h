#ifndef HY_LINEAR_H
#define HY_LINEAR_H

/* Index expressions in normal form: constant + sum of coefficient * atom (simplifier rules of class INDEX: identities of Z).
 *
 * Atoms are expressions that are no sums: variables, holes, divisions, minima, products. Two index expressions that differ
 * by a constant have forms that differ in the constant only. Forms live in the context; a table remembers them.
 * Sound over Z, that is, wherever nothing overflows, which B.Fits demands of every bound (decision D26), and wherever the
 * expression is defined: x/0 is never made defined or undefined, because divisors are kept.
 */

#include "semantics/expr.h"

typedef struct hy_linear_term {
  int64_t coefficient; // not 0
  const hy_expr *atom;
} hy_linear_term;

typedef struct hy_linear {
  int64_t constant;
  int count;
  hy_linear_term terms[]; // by ascending id of the atom
} hy_linear;

typedef struct hy_linear_table hy_linear_table;
HY_GIVE hy_linear_table *hy_linear_table_new(hy_context *context);
void hy_linear_table_free(HY_TAKE hy_linear_table *table);

// requires: an expression of type int
const hy_linear *hy_linear_of(hy_linear_table *table, const hy_expr *expr);
const hy_expr *hy_linear_expr(hy_linear_table *table, const hy_linear *form);
// hy_linear_expr of hy_linear_of: the expression in normal form.
const hy_expr *hy_linear_normal(hy_linear_table *table, const hy_expr *expr);

// left * a + right * b; NULL if a coefficient overflows
const hy_linear *hy_linear_combine(hy_linear_table *table, int64_t left, const hy_linear *a, int64_t right,
                                   const hy_linear *b);
// Is a - b a constant? Then it is stored.
bool hy_linear_distance(hy_linear_table *table, const hy_expr *a, const hy_expr *b, int64_t *distance);

// Normal sums, for building bounds.
const hy_expr *hy_linear_add(hy_linear_table *table, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_linear_sub(hy_linear_table *table, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_linear_add_int(hy_linear_table *table, const hy_expr *a, int64_t b);

#endif
