#ifndef HY_QUERY_H
#define HY_QUERY_H

/* B(S), corrected (paper, Figure 10; decisions D50 to D63): what the bounds of a filled target program must satisfy.
 *
 * The result is a list of atomic obligations "facts |- goal", quantifier-free, over parameters, the window, image boxes
 * and loop variables, each with its rule, its place and a sentence for the user. Deciding them is oracle/'s work.
 */

#include "semantics/tgt/tgt.h"

typedef enum {
  HY_B_WINDOW,    // the window lies inside Cpu(output)                          B.Window   (D50)
  HY_B_INSIDE,    // Cpu lies inside Mem at the compute statement                B.Inside   (D53, D60)
  HY_B_LENGTH,    // a loop, box or hole has a length >= 0 where evaluated       B.Length   (D51)
  HY_B_COVER,     // a stage's loops cover Cpu, through the inverse map          B.Cover    (D54, D55)
  HY_B_MEM,       // an access or a write lies inside Mem                        B.Mem      (D56)
  HY_B_CPU,       // a point in Cpu reads only points in Cpu                     B.Cpu      (D56, D61)
  HY_B_ADDRESS,   // what forms an address is in Cpu                             B.Address  (D56)
  HY_B_DEFINED,   // a division in a bound or index has a divisor that is not 0  B.Defined  (D52)
  HY_B_FITS,      // an index or bound fits 64 bits                              B.Fits     (D26)
  HY_B_VALUE,     // what is stored lies in the range of the func's values       B.Value    (D88)
  HY_B_CONSTRAIN, // the bounds are what a directive constrains them to         B.Constrain (D43)
  HY_B_DISJOINT,  // iterations of a parallel or vectorized loop write points of their own   B.Disjoint (D33, D70)
  HY_B_FOLD,      // no two points of one computation share a cell                           B.Fold (D86)
  HY_B_PIECES,    // pieces of a loop run what it runs, and implied guards hold              B.Pieces
} hy_obligation_kind;

typedef struct hy_obligation {
  hy_obligation_kind kind;
  const hy_expr *const *facts; // shared by the obligations of one place
  size_t fact_count;
  const hy_expr *goal;
  bool decided_by_range;  // B.Fits only: the numeric ranges of the facts already show it (then goal is "true")
  const hy_expr *fitting; // B.Fits only: everything of type int in it fits
  // the place
  const hy_func *func;  // whose statement it is about
  int stage;            // -1 = none
  const hy_func *other; // whose access it is; NULL if none
  int dim;              // of the box that something must lie in: at its lower or its upper end; -1: none
  bool is_upper;
  hy_loc loc;
  const char *about; // "bh(x, y + 1) lies inside the allocation of bh, dimension y, lower bound"
} hy_obligation;

typedef struct hy_query {
  const hy_obligation *obligations;
  size_t count;
  const hy_expr *const *entry; // the facts that hold at entry: what makes the query vacuous if unsatisfiable (D62)
  size_t entry_count;
} hy_query;

const char *hy_obligation_rule(hy_obligation_kind kind); // "B.Window"

// Are its facts those of its place and no others? Coverage speaks of any point, and what must lie in Cpu of the points
// that do: that such facts contradict each other says nothing of the place.
bool hy_obligation_speaks_of_its_place(const hy_obligation *obligation);

// requires: no holes
const hy_query *hy_query_extract(hy_context *context, const hy_tgt *filled);

// The same, for somebody who asks many such questions: the list and its facts live in "arena", expressions and texts in
// the context.
const hy_query *hy_query_extract_into(hy_context *context, hy_arena *arena, const hy_tgt *filled);

#endif
