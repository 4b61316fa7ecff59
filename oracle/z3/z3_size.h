#ifndef HY_Z3_SIZE_H
#define HY_Z3_SIZE_H

/* Which questions Z3 is not asked: their answer would be UNKNOWN after a time that its steps do not count, since a
 * step of a large question takes many times as long as one of a small question.
 */

#include "oracle/z3/z3_check.h"

// More distinct nodes, facts and goal together, than HY_Z3_MOST_NODES, or a product of more than HY_Z3_MOST_DEGREE
// unknowns. Depends on the question alone.
bool hy_z3_is_too_large(const hy_z3_question *question);

// Of a limit that a question of few quotients and remainders has, the part that this one has: each brings two unknowns
// and a product, and each step takes longer. At least 1.
unsigned hy_z3_limit_for(const hy_z3_question *question, unsigned z3_limit);

#endif
