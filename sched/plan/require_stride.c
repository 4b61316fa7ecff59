#include "sched/rewrite.h"

/* rewrite: target P(.., f: t[n], ..) on g(..) { .. }  ->  the same with  buffer f in require stride(d, i)
 * How the caller's memory of an image or an output has to lie. No meaning: code for no other buffers is made, and they
 * are refused before anything is written (GEN.Demand).
 */

// DIR.Require-Stride
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics;
  hy_context_hit(context, HY_RULE_DIR_REQUIRE_STRIDE);
  hy_laid *laid;
  const hy_tgt *after = hy_laid_put(context, tgt, d->func, &laid);
  laid->strides.of[d->dim] = laid->demanded.of[d->dim] = hy_laid_number(d);
  return after;
}

const hy_directive_type hy_directive_require_stride = {
    .name = "require_stride",
    .form = "require_stride(f, x, number)",
    .summary =
        "demands of an image or an output that neighbours in that dimension lie so many elements apart; others are "
        "refused when the code is called",
    .alone =
        "require_stride(image or output, x, number), or in a chain .require_stride(x, number); an image's dimensions "
        "are numbers",
    .in_chain = "require_stride(image or output, x, number), or in a chain .require_stride(x, number); an image's "
                "dimensions are numbers",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_BUFFER, HY_TAKES_DIMENSION, HY_TAKES_NUMBER},
    .applies = hy_laid_stride_applies,
    .apply = apply};
