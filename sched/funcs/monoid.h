#ifndef HY_MONOID_H
#define HY_MONOID_H

/* Updates that may be done in another order (decision D87): f(e) <- op(f(e), v), op one of monoids.def. */

#include "sched/rewrite.h"

// Is the operator associative and commutative on that type, and with which identity?
bool hy_monoid_find(hy_op op, hy_type type, hy_value *identity);

enum { HY_MOST_COMBINED = 8 };

// What f(e) is combined with, from the outermost operator inwards.
typedef struct hy_combined {
  const hy_expr *operands[HY_MOST_COMBINED];
  int count;
  bool self_is_first; // f(e) stands before them all
} hy_combined;

// Of a tuple each part has one.
typedef struct hy_update {
  const hy_stmt *assign;
  hy_op op[HY_MAX_PARTS];
  hy_combined combined[HY_MAX_PARTS];
  hy_value identity[HY_MAX_PARTS];
  // f(e) <- v if p && v[deciding] better f(e)[deciding], better < or >: neither op nor combined is set
  bool keeps_where;
  hy_op better;
  int deciding;
} hy_update;

// Does that rfactor combine floats in another order than the program before it (DIR.RFactor.Real)?
bool hy_combines_anew(const hy_tgt *before, const hy_directive *directive);

// Is the assignment such an update in every part, in these loops, under that predicate (NULL: none), so that the values
// of "factored", one of the loops, may be taken apart? If not, why, in words that go on from "its update ..."; NULL: it
// is. Where the operator is && or ||, nothing that it is combined with may be an error, unless the parts are combined
// in the order of the text. A sum of int is one where all that is added has one sign and is too small to leave 64 bits
// by itself: whether f(e) and these do is then no question of the order. What argmin and argmax make keeps the first of
// equal values, and is one where the parts are combined in the order of the text, and the func begins with a number.
//   requires: a lowered program
const char *hy_update_of(hy_context *context, const hy_tgt *tgt, const hy_stmt *assign, const hy_expr *predicate,
                         const hy_stmt *const *loops, int loop_count, const hy_var *factored, hy_update *update);

#endif
