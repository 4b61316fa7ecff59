#ifndef HY_RANGE_H
#define HY_RANGE_H

/* Numeric ranges: between which numbers does an expression lie, whatever the input? Used for what needs numbers only:
 * that indices fit 64 bits (decision D26), and that a data-dependent index is bounded by its type or its arithmetic
 * (D14). Parameters, window and image boxes are any numbers of their types unless a condition that is checked at entry
 * says otherwise (D69).
 */

#include "semantics/tgt/tgt.h"

typedef __int128 hy_wide_int;

typedef struct hy_range {
  hy_wide_int low, high; // inclusive; an unbounded side is at -/+ HY_RANGE_LIMIT
  bool or_nan;           // of floats: a number between the ends, or a NaN
} hy_range;

#define HY_RANGE_LIMIT (((hy_wide_int)1) << 100)

static inline hy_wide_int hy_lesser(hy_wide_int a, hy_wide_int b) { return a < b ? a : b; }
static inline hy_wide_int hy_greater(hy_wide_int a, hy_wide_int b) { return a > b ? a : b; }
static inline hy_range hy_range_between(hy_wide_int low, hy_wide_int high) {
  return (hy_range){.low = low, .high = high};
}
// The least that holds both; is all of "a" in "b"?
static inline hy_range hy_range_joined(hy_range a, hy_range b) {
  return (hy_range){hy_lesser(a.low, b.low), hy_greater(a.high, b.high), a.or_nan || b.or_nan};
}
static inline bool hy_range_is_within(hy_range a, hy_range b) {
  return b.low <= a.low && a.high <= b.high && (!a.or_nan || b.or_nan);
}

// What is in it, so many times, or fewer: not negative.
hy_range hy_range_times(hy_range a, hy_wide_int times);

typedef struct hy_ranges hy_ranges;
struct hy_values; // values.h
HY_GIVE hy_ranges *hy_ranges_new(void);
void hy_ranges_free(HY_TAKE hy_ranges *ranges);

// Makes a loop's or let's variable known. Others may be any 64-bit integer.
void hy_ranges_bind_loop(hy_ranges *ranges, const hy_var *var, hy_interval interval);
void hy_ranges_bind_let(hy_ranges *ranges, const hy_var *var, const hy_expr *value);

// What a condition that holds says of single variables: "c <= v && v < c'" and the like. Before expressions over them
// are looked at.
void hy_ranges_assume(hy_ranges *ranges, const hy_expr *condition);
// The same of the ranges that a program's entry block assumes: all that is believed of parameters, windows and images
// (decision D69).
void hy_ranges_assume_entry(hy_ranges *ranges, const hy_tgt *tgt);
// Loads of funcs lie in these ranges (values.h); to be said before anything is asked.
void hy_ranges_use_values(hy_ranges *ranges, const struct hy_values *values);
// Forgets the answers, not the variables: ranges of values have changed.
void hy_ranges_forget(hy_ranges *ranges);
// Follows ranges of floats as well (range_floats.h): of what is computed with floats, of conversions from them, and of funcs
// of them, if their values do (hy_values_of_floats). Nobody proves those: only where a wrong one would make a value wrong, and no
// address (LOW.Held). Before anything is asked.
void hy_ranges_follow_floats(hy_ranges *ranges);
hy_range hy_type_numbers(hy_type type); // of a float type: ranks (value/monotone.h)

// Of a float: of its rank, where it is a number.
hy_range hy_ranges_of(hy_ranges *ranges, const hy_expr *expr);
bool hy_range_fits(hy_range range); // in 64 bits
// Do fills take its ends as they are (decision D14)?
bool hy_range_is_small(hy_range range);
#define HY_SMALL_LIMIT (((hy_wide_int)1) << 33)
// Nothing in the expression can err, whatever is evaluated of it (bounds/defined.h)?
bool hy_ranges_total(hy_ranges *ranges, const hy_expr *expr);

// How the operator of a node may err on arguments that are none, as far as the ranges tell.
enum {
  HY_RISK_ERROR = 1,   // it is an error constant
  HY_RISK_DIVISOR = 2, // what it divides by may be 0
  HY_RISK_CAST = 4,    // the u64 that it makes an int of may not fit
  HY_RISK_WIDTH = 8    // the int may not fit
};
unsigned hy_ranges_risks(hy_ranges *ranges, const hy_expr *node);

// A node of type int below "expr" (itself included) that may not fit 64 bits, or NULL.
const hy_expr *hy_ranges_overflowing(hy_ranges *ranges, const hy_expr *expr);

#endif
