#ifndef HY_ALTERNATIVES_H
#define HY_ALTERNATIVES_H

/* What could be written instead of a refused directive, for its help: "the
 * legal swaps of that stage are: swap(h.s1.y)". Texts live in the context's
 * arena. "like" is a loop of the stage, live or not.
 */

#include "sched/rewrite.h"

const char *hy_alternatives_swap(hy_context *context, const hy_tgt *tgt, const hy_var *like);
// "in_chain": as a chain spells it, the inner loop first
const char *hy_alternatives_fuse(hy_context *context, const hy_tgt *tgt, const hy_var *like, bool in_chain);
const char *hy_alternatives_pure(hy_context *context, const hy_tgt *tgt,
                                 const hy_var *like); // parallel, vectorized
// What the methods of a chain follow that work on such a loop: "o", "o.update(0)"
const char *hy_alternatives_chain(hy_context *context, const hy_var *loop);

#endif
