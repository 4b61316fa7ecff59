#ifndef HY_VALUES_H
#define HY_VALUES_H

/* Value ranges of funcs (decision D88): between which numbers lie the values of a func at the points of Cpu?
 *
 * Only of funcs whose values form an address, directly or through other funcs; of whole numbers of less than 64 bits,
 * or int. A range is that of all stages and specializations together: it holds for what the pure stage stores, and if
 * it holds for what an update reads of its own func, it holds for what the update stores (induction over the
 * instances). Where that has no end but each update only adds, what is added is counted (counted.h): the range is then
 * that of what all other stages store, and of what is added as often as a point can be written. It speaks of the
 * machine: an int that leaves 64 bits may be anything.
 *
 * Of a point outside of Cpu nothing is known: whoever uses a range owes that what is read lies in Cpu (B.Address), and
 * that what is stored lies in the range (B.Value).
 */

#include "semantics/tgt/range.h"

typedef struct hy_values hy_values;

// In the context's arena. The program may have holes.
const hy_values *hy_values_of(hy_context *context, const hy_tgt *tgt);
// The same with ranges of floats (hy_ranges_follow_floats): of funcs of floats as well, and of those that are made of them.
const hy_values *hy_values_of_floats(hy_context *context, const hy_tgt *tgt);
// Do its values form an address?
bool hy_value_forms_address(const hy_values *values, const hy_func *func);
// False: nothing but its type says what it may be.
bool hy_value_range(const hy_values *values, const hy_func *func, int part, hy_range *range);
// What they are at most, or at least, by parameters and boxes (value_ends.h), of type int; NULL: nothing that says more than
// the range.
const hy_expr *hy_value_end(const hy_values *values, const hy_func *func, int part, bool upper);

// Is there any of both?
bool hy_value_is_bounded(const hy_values *values, const hy_func *func, int part);

// What has to be shown of an assignment so that the range of a part holds (B.Value).
typedef struct hy_value_claim {
  const hy_stmt *assign;
  int part;
  const hy_expr *value; // as the machine has it: what is stored; or, counted, an amount that is added or taken away
  bool is_amount;
  hy_range range; // in which it lies
} hy_value_claim;
// Of those whose ranges are counted, all claims, in the order of the assignments; sets "count".
const hy_value_claim *hy_value_claims(const hy_values *values, size_t *count);
bool hy_value_is_counted(const hy_values *values, const hy_func *func, int part);

// Of funcs with an index below "count", none of which has a range yet: for whoever finds them elsewhere, and proves nothing of it.
hy_values *hy_values_none(hy_context *context, size_t count);
void hy_values_learn(hy_values *values, const hy_func *func, hy_range range);
void hy_values_unlearn(hy_values *values, const hy_func *func);

#endif
