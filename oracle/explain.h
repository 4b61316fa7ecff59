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

// The same of the holes of one func: the others are not asked about.
const hy_explained_hole *hy_oracle_explain_func(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled,
                                                const hy_func *func, const hy_oracle_options *options, size_t *count);

/* explain_text.c */

void hy_explained_place(const hy_hole *hole, hy_text *out);          // "bh computed, dimension x"
void hy_explained_fill(const hy_explained_hole *hole, hy_text *out); // "(x.min, x.len)"
// "bh(x, y - 1), read by bv (apps/box_blur.alg:4:19), over the loop bv.s0.y"
void hy_explained_cause(const hy_obligation *because, hy_text *out);
void hy_explained_print(const hy_explained_hole *hole, hy_text *out); // all of it, in lines

#endif
