#include "sched/rewrite.h"

/* rewrite: target P(.., f: t[n], ..) on g(..) { .. }  ->  the same with  buffer f in stride(d, i)
 * How the caller's memory of an image or an output lies where the program is at its best. No meaning, and no demand:
 * code for buffers that lie otherwise is there as well (GEN.Laid).
 */

// DIR.Set-Stride
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics;
  hy_context_hit(context, HY_RULE_DIR_SET_STRIDE);
  hy_laid *laid;
  const hy_tgt *after = hy_laid_put(context, tgt, d->func, &laid);
  laid->strides.of[d->dim] = hy_laid_number(d);
  return after;
}

const hy_directive_type hy_directive_set_stride = {
    .name = "set_stride",
    .form = "set_stride(f, x, number)",
    .summary = "makes the program for an image or an output whose neighbours in that dimension lie so many elements "
               "apart; others are taken, too",
    .alone = "set_stride(image or output, x, number), or in a chain .set_stride(x, number); an image's dimensions are "
             "numbers",
    .in_chain = "set_stride(image or output, x, number), or in a chain .set_stride(x, number); an image's dimensions "
                "are numbers",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_BUFFER, HY_TAKES_DIMENSION, HY_TAKES_NUMBER},
    .applies = hy_laid_stride_applies,
    .apply = apply};
