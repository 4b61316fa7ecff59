#ifndef HY_CONSTRAINT_H
#define HY_CONSTRAINT_H

/* What a bounds directive demands of a func's cpu holes in one dimension (paper, section 8.5; decision D43), as a
 * structure and as the condition of a "constrain" statement. And "need inside Cpu", which a bound has checked at run
 * time.
 */

#include "semantics/tgt/tgt.h"

typedef struct hy_constraint {
  const hy_func *func;
  int dim;
  const hy_expr *min, *len;   // Cpu's, given by the user; NULL: free
  int64_t modulus, remainder; // min % modulus == remainder and len % modulus == 0; modulus 0: no alignment
} hy_constraint;

const hy_expr *hy_constraint_condition(hy_context *context, const hy_constraint *constraint);
// The structure of a condition that hy_constraint_condition made (its holes are not filled yet); false if it is
// another.
bool hy_constraint_of(const hy_expr *condition, hy_constraint *constraint);

// The greatest that divides both, not negative; of 0 and b it is that of b. requires: neither is the least int
int64_t hy_common_divisor(int64_t a, int64_t b);

// Numbers that leave remainder "*r" modulo "*m" and also r2 modulo m2: sets *m and *r. False: there are none, or the
// modulus does not fit.
//   requires: 0 <= *r < *m, 0 <= r2 < m2
bool hy_alignment_join(int64_t *m, int64_t *r, int64_t m2, int64_t r2);

// "need(func) is empty in some dimension, or lies inside Cpu(func) in dimension dim" (decision D60)
const hy_expr *hy_need_condition(hy_context *context, const hy_func *func, int dim);
// The four ends in such a condition, filled or not.
typedef struct hy_need_ends {
  const hy_expr *given_min, *needed_min, *needed_end, *given_end;
} hy_need_ends;
bool hy_need_ends_of(const hy_expr *condition, hy_need_ends *ends);
// "'f' is needed in [-1, 12) of dimension x, but the schedule bounds it to [0, 10)". "values" are those of the ends, in
// their order; "box" is the one of f's compute.
void hy_need_print(hy_context *context, const hy_func *func, const hy_interval *box, const hy_need_ends *ends,
                   const int64_t values[4], hy_text *out);

#endif
