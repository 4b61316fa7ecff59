#ifndef HY_AFFINE_H
#define HY_AFFINE_H

/* Index expressions in normal form: constant + sum of coefficient * atom (simplifier rules of class INDEX: identities
 * of Z).
 *
 * Atoms are expressions that are no sums: variables, holes, divisions, minima, products. Two index expressions that
 * differ by a constant have forms that differ in the constant only. Forms live in the context; a table remembers them.
 * Sound over Z, that is, wherever nothing overflows, which B.Fits demands of every bound (decision D26), and wherever
 * the expression is defined: x/0 is never made defined or undefined, because divisors are kept.
 */

#include "semantics/expr/expr.h"

typedef struct hy_affine_term {
  int64_t coefficient; // not 0
  const hy_expr *atom;
} hy_affine_term;

typedef struct hy_affine {
  int64_t constant;
  int count;
  hy_affine_term terms[]; // by ascending id of the atom
} hy_affine;

typedef struct hy_affine_table hy_affine_table;
HY_GIVE hy_affine_table *hy_affine_table_new(hy_context *context);
void hy_affine_table_free(HY_TAKE hy_affine_table *table);

// requires: an expression of type int
const hy_affine *hy_affine_of(hy_affine_table *table, const hy_expr *expr);
const hy_expr *hy_affine_expr(hy_affine_table *table, const hy_affine *form);
// hy_affine_expr of hy_affine_of: the expression in normal form.
const hy_expr *hy_affine_normal(hy_affine_table *table, const hy_expr *expr);

// The coefficient of a variable, 0 where it is not; false if it occurs otherwise than as a term of its own.
bool hy_affine_coefficient(const hy_affine *form, const hy_var *var, int64_t *coefficient);
// left * a + right * b; NULL if a coefficient overflows
const hy_affine *hy_affine_combine(hy_affine_table *table, int64_t left, const hy_affine *a, int64_t right,
                                   const hy_affine *b);
// Is a - b a constant? Then it is stored.
bool hy_affine_distance(hy_affine_table *table, const hy_expr *a, const hy_expr *b, int64_t *distance);

// rewrite: rest + c * min(a, b) -> min(rest + c*a, rest + c*b), and with max where c < 0; likewise for max.
//   requires: form's term at "index" is a min or max
void hy_affine_distribute(hy_affine_table *table, const hy_affine *form, int index, hy_op *op, const hy_expr **a,
                          const hy_expr **b);

// Normal sums, for building bounds.
const hy_expr *hy_affine_add(hy_affine_table *table, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_affine_sub(hy_affine_table *table, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_affine_add_int(hy_affine_table *table, const hy_expr *a, int64_t b);

#endif
