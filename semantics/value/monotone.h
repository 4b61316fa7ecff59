#ifndef HY_MONOTONE_H
#define HY_MONOTONE_H

/* Operators of floats that are monotone: monotone.def, and what its columns mean. All functions are pure.
 *
 * The rank of a float is an integer: its bits if its sign is +, -1 - (its bits without the sign) if it is -, so that ranks
 * are ordered as the numbers are, -0 (-1) just below +0 (0). That of a NaN, which is one value, is one more than infinity's.
 * So a float is a NaN where its rank exceeds infinity's, and its sign is + where its rank is at least 0.
 */

#include "semantics/value/value.h"

typedef enum {
#define HY_MONOTONE(row, ...) HY_MONOTONE_##row,
#include "semantics/value/monotone.def"
#undef HY_MONOTONE
  HY_MONOTONE_COUNT
} hy_monotone_row;

typedef enum { HY_GROWTH_NOT, HY_GROWTH_GROWS, HY_GROWTH_FALLS, HY_GROWTH_SIGN } hy_growth;
typedef enum { HY_NAN_NEVER, HY_NAN_RESULT, HY_NAN_ARGUMENT } hy_nan_spoils;

// An operator, the type of what it gives and that of its arguments; all of them as one number, for keys.
typedef struct hy_monotone {
  hy_monotone_row row;
  hy_type result, from;
} hy_monotone;

// The row of an operator with floats among its result and arguments (a conversion by both its types); false: there is
// none.
bool hy_monotone_find(hy_op op, hy_type result, hy_type from, hy_monotone *monotone);
static inline int hy_monotone_code(hy_monotone m) { return (int)m.row << 8 | (int)m.result << 4 | (int)m.from; }
static inline hy_monotone hy_monotone_of(int code) {
  return (hy_monotone){(hy_monotone_row)(code >> 8), (hy_type)(code >> 4 & 15), (hy_type)(code & 15)};
}
hy_growth hy_monotone_growth(hy_monotone m, int argument); // 0 or 1
hy_nan_spoils hy_monotone_nan(hy_monotone m);
int hy_monotone_arity(hy_monotone m);
// As certificates have it: "f32.add", "f32.of_int" (of integers of any type), "f64.of_f32", "i16.of_f32".
void hy_monotone_print(hy_monotone m, hy_text *out);

// Ranks. requires: a float, or a float type
int64_t hy_float_rank(hy_value value);                 // an ordinary one
hy_value hy_float_of_rank(hy_type type, int64_t rank); // requires: it is one
int64_t hy_float_infinity(hy_type type);               // its rank
static inline int64_t hy_float_nan(hy_type type) { return hy_float_infinity(type) + 1; }
int hy_float_least_power(hy_type type);             // the exponent of the least normal number
int hy_float_top_power(hy_type type);               // of infinity, as if it were one: the greatest, and one more
int64_t hy_float_power(hy_type type, int exponent); // the rank of 2^exponent; requires: between these two

/* The size of a float is at most 2^i where -1 - hy_float_power(i) <= its rank <= hy_float_power(i); i is between least and
 * top, and where it is "top" the float is no NaN. That of an integer where -2^i <= it <= 2^i.
 *
 * "i" and "j" are what the sizes of the arguments do not exceed (j of a divisor: what its size is at least); "*size" is
 * what that of the result does not exceed then. False: nothing is known. An integer made a float never exceeds 2^64.
 */
bool hy_monotone_size(hy_monotone m, int i, int j, int *size);

#endif
