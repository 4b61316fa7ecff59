#ifndef HY_FUNCS_MEANING_H
#define HY_FUNCS_MEANING_H

/* Lowering backwards: the algorithm that a lowered program is, with what directives of the funcs phase made of it. */

#include "sched/rewrite.h"

// One func alone, as its stages up to that one leave it.
typedef struct hy_meaning_cut {
  const hy_func *func;
  int stage;
  bool magnitudes; // that stage adds up what makes a difference if it is combined in another order: of a sum of floats
                   // the absolute values, of min and max nothing but a NaN
} hy_meaning_cut;

// The algorithm, with funcs and variables of its own, called as in the program; parameters and images in the same
// order. "cut": its outputs are the parts of that func; NULL: the outputs are the program's.
//   requires: a lowered program, or what directives of the funcs phase made of one
const hy_alg *hy_funcs_meaning(hy_context *context, const hy_tgt *tgt, const hy_meaning_cut *cut);

#endif
