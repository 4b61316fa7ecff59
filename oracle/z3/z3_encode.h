#ifndef HY_Z3_ENCODE_H
#define HY_Z3_ENCODE_H

/* From expressions to Z3's terms, the solver-encoding column of ops.def. Integers of every width are Z3's Int and wrap
 * explicitly; a quotient is a fresh unknown with its defining conditions, so that a division by zero is any number.
 *
 * Unknowns: variables, accesses, nodes of or from floats (of some of which z3_floats.c says more), and the nodes that may have no value over Z ("partial").
 */

#include "oracle/prover/pair_map.h"
#include "semantics/base/vec.h"
#include "semantics/expr/expr.h"
#include "semantics/value/monotone.h"

#include <z3.h>

// Of a monotone operator of floats (z3_floats.c).
typedef struct hy_z3_application {
  hy_monotone op;
  int count;
  Z3_ast args[2], result;
} hy_z3_application;

typedef struct hy_z3_encoding {
  Z3_context z3; // belongs to the caller
  hy_arena *arena;
  hy_pair_map terms;         // expression -> Z3_ast
  hy_pair_map divisions;     // (a, m) -> quotient and remainder
  HY_VEC(Z3_ast) conditions; // what defines the fresh unknowns
  hy_pair_map ranges;        // of float parameters: z3_floats.c
  HY_VEC(hy_z3_application) applications;
  int orders; // asked for between these
  int depth;
} hy_z3_encoding;

void hy_z3_encoding_init(hy_z3_encoding *encoding, Z3_context z3);
void hy_z3_encoding_free(hy_z3_encoding *encoding);

// An Int or, for type bool, a Bool; requires: not a float. New conditions are appended.
Z3_ast hy_z3_encode(hy_z3_encoding *encoding, const hy_expr *expr);
// The term of an expression that was encoded, else NULL.
Z3_ast hy_z3_encoded(const hy_z3_encoding *encoding, const hy_expr *expr);

#endif
