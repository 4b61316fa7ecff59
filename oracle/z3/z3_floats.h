#ifndef HY_Z3_FLOATS_H
#define HY_Z3_FLOATS_H

/* Floats for Z3: each that loads nothing is an Int, its rank (semantics/value/monotone.h). Of an operator's result Z3 is told
 * what the rows of monotone.def say: sizes, and how it compares with every other result of that operator. It knows no more.
 */

#include "oracle/z3/z3_encode.h"

// Is it a comparison or a conversion of floats that Z3 is told of? requires: a float among its arguments
bool hy_z3_knows_floats(const hy_expr *expr);
// requires: hy_z3_knows_floats
Z3_ast hy_z3_encode_floats(hy_z3_encoding *encoding, const hy_expr *expr);
// Ranges of float parameters, of a fact that says any; before what they matter to.
void hy_z3_note_ranges(hy_z3_encoding *encoding, const hy_expr *fact);

#endif
