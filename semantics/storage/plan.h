#ifndef HY_PLAN_H
#define HY_PLAN_H

/* How an allocation lies in memory: its storage plan. It stands in a target program's allocate; NULL is the plain one.
 *
 * A plan without folds has no meaning: it says where cells lie, not what they hold. A fold does: points that are equal
 * modulo it share a cell (TGT.Read, TGT.Store), and B.Fold says when that is not seen.
 */

#include "semantics/expr/expr.h"

#include <stdint.h>

typedef enum {
  HY_STORE_ANYWHERE, // on the stack where the size is known and small, else on the heap
  HY_STORE_HEAP,
  HY_STORE_STACK,
} hy_store_place;

enum { HY_STORES = HY_STORE_STACK + 1 };
const char *hy_store_name(hy_store_place store); // "heap", "stack"; "" of anywhere

#define HY_MOST_OF_PLAN (INT64_C(1) << 31) // what an alignment and a fold are at most

typedef struct hy_plan {
  int order[HY_MAX_RANK];     // dimensions, that whose neighbours lie side by side first
  int64_t align[HY_MAX_RANK]; // by dimension: how many cells it has in memory is a multiple of this; 1: any number
  int64_t fold[HY_MAX_RANK];  // by dimension: points that are equal modulo this share a cell; 0: none do
  hy_store_place store;
} hy_plan;

hy_plan hy_plan_plain(void);
bool hy_plan_is_ordered(const hy_plan *plan, int rank); // by dimension, the first one first
bool hy_plan_is_plain(const hy_plan *plan, int rank);   // NULL is
bool hy_plan_folds(const hy_plan *plan, int rank);      // NULL does not

// What is wrong with it, in words (static storage); NULL: nothing. It does not look at the func.
const char *hy_plan_fault(const hy_plan *plan, int rank);

// " order(y, x) align(x, 8) fold(y, 4) in stack": what it says beyond the plain one. "dims" are the dimensions' names.
void hy_plan_print(const hy_plan *plan, int rank, const char *const *dims, hy_text *out);

#endif
