#ifndef HY_Z3_UNKNOWNS_H
#define HY_Z3_UNKNOWNS_H

/* The unknowns of a question, in an order that depends on nothing else: a worker names them by position. */

#include "oracle/z3/z3_check.h"
#include "semantics/base/vec.h"

typedef HY_VEC(const hy_expr *) hy_unknowns;

// A variable, an access, a node of or from floats: any number of its type.
bool hy_is_opaque(const hy_expr *expr);
// An operator that has no value for some arguments (division by zero), or none that the encoding describes.
bool hy_is_partial(const hy_expr *expr);

void hy_question_unknowns(const hy_z3_question *question, hy_unknowns *unknowns);

#endif
