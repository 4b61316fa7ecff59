#ifndef HY_EXPLAIN_H
#define HY_EXPLAIN_H

/* Why is a bound what it is? Every hole's fill is shrunk by one on one side, everything else kept; if an obligation of
 * B is then refuted the fill is tight on that side, and the obligation names who forced it (verification: tightness).
 */

#include "oracle/oracle.h"

typedef enum {
  HY_TIGHT,         // an obligation fails when the side is shrunk by one
  HY_LOOSE,         // everything is still proved
  HY_TIGHT_UNKNOWN, // neither could be shown
} hy_tightness;
const char *hy_tightness_name(hy_tightness tightness);

typedef struct hy_explained_side {
  hy_tightness tightness;
  const hy_obligation *because; // HY_TIGHT: the first obligation that fails
  const char *model;            // and where: "x.len = 1, bv.s0.x = 3"; NULL if the prover alone refuted it
} hy_explained_side;

typedef struct hy_explained_hole {
  const hy_hole *min, *len; // the pair
  hy_interval fill;
  hy_explained_side low, high;
} hy_explained_hole;

// Explains every pair of holes of allocations, computations and loops, in the order of the program.
//   requires: "filled" is hy_oracle_fill's result for "scheduled"
const hy_explained_hole *hy_oracle_explain(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled,
                                           const hy_oracle_options *options, size_t *count);

#endif
