#ifndef HY_Z3_ENCODE_H
#define HY_Z3_ENCODE_H

/* From expressions to Z3's terms, the solver-encoding column of ops.def. Integers of every width are Z3's Int and wrap
 * explicitly; a quotient is a fresh unknown with its defining conditions, so that a division by zero is any number.
 *
 * Unknowns: variables, accesses, nodes of or from floats, and the nodes that may have no value over Z ("partial").
 */

#include "oracle/prover/pair_map.h"
#include "semantics/base/vec.h"
#include "semantics/expr/expr.h"

#include <z3.h>

typedef struct hy_z3_encoding {
  Z3_context z3; // belongs to the caller
  hy_arena *arena;
  hy_pair_map terms;         // expression -> Z3_ast
  hy_pair_map divisions;     // (a, m) -> quotient and remainder
  HY_VEC(Z3_ast) conditions; // what defines the fresh unknowns
  int depth;
} hy_z3_encoding;

void hy_z3_encoding_init(hy_z3_encoding *encoding, Z3_context z3);
void hy_z3_encoding_free(hy_z3_encoding *encoding);

// An Int or, for type bool, a Bool; requires: not a float. New conditions are appended.
Z3_ast hy_z3_encode(hy_z3_encoding *encoding, const hy_expr *expr);
// The term of an expression that was encoded, else NULL.
Z3_ast hy_z3_encoded(const hy_z3_encoding *encoding, const hy_expr *expr);

#endif
