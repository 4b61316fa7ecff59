#ifndef HY_VALUE_ENDS_H
#define HY_VALUE_ENDS_H

/* Ends of values by what is known at entry (decision D88, B.Value): a func that stores clamp(e, 0, in.width() - 1) has
 * values of at most max(in.width() - 1, 0), which is no number. An end is an expression over parameters and boxes that
 * cannot err.
 */

#include "semantics/tgt/range.h"

typedef struct hy_value_ends {
  hy_context *context;
  hy_ranges *ranges; // with what is known at entry
  const struct hy_values *values;
  const hy_func *func; // whose values they are: those of its own that are read lie between the ends, by induction
  int part;
  const hy_stmt *const *loops; // around what is stored
  size_t loop_count;
} hy_value_ends;

// An end of what one assignment stores. Not "known": nothing is. "end" NULL: that of the values themselves, as far as it goes.
typedef struct hy_value_end_found {
  bool is_known;
  const hy_expr *end;
} hy_value_end_found;
hy_value_end_found hy_value_end_of(const hy_value_ends *e, const hy_expr *stored, bool upper);

// That of both; of an upper end the greater.
hy_value_end_found hy_value_ends_joined(hy_context *context, hy_value_end_found a, hy_value_end_found b, bool upper);
// Is it worth more than the numbers, and small enough to be told?
bool hy_value_end_says_more(const hy_expr *end);

#endif
