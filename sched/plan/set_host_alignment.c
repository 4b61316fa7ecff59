#include "sched/rewrite.h"

/* rewrite: target P(.., f: t[n], ..) on g(..) { .. }  ->  the same with  buffer f in require align(i)
 * Where the caller's memory of an image or an output has to begin. No meaning: buffers that begin elsewhere are refused
 * before anything is written (GEN.Demand).
 */

// DIR.Host-Alignment.Number
static bool is_power_of_two(hy_context *context, const hy_directive *d, hy_diagnostics *diagnostics) {
  int64_t number;
  if (hy_expr_is_int(d->args[0], &number) && hy_alignment_fits(number)) return true;
  hy_context_hit(context, HY_RULE_DIR_HOST_ALIGNMENT_NUMBER);
  hy_report(diagnostics, HY_E_PLAN_NUMBER, hy_directive_at(d, d->at.args[0]), "DIR.Host-Alignment.Number",
            "write a power of two from 1 to 4096: of how many bytes the address of the first element is a multiple",
            "memory of '%s' cannot begin at multiples of that", d->func->name);
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const hy_laid *before = hy_tgt_laid(tgt, d->func);
  return hy_laid_is_the_callers(context, tgt, d, diagnostics) && is_power_of_two(context, d, diagnostics) &&
         hy_plan_once(context, d, before && before->align, diagnostics);
}

// DIR.Host-Alignment
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics;
  hy_context_hit(context, HY_RULE_DIR_HOST_ALIGNMENT);
  hy_laid *laid;
  const hy_tgt *after = hy_laid_put(context, tgt, d->func, &laid);
  laid->align = hy_laid_number(d);
  return after;
}

const hy_directive_type hy_directive_set_host_alignment = {
    .name = "set_host_alignment",
    .form = "set_host_alignment(f, bytes)",
    .summary =
        "demands of an image or an output that its first element's address is a multiple of so many bytes; others "
        "are refused when the code is called",
    .alone = "set_host_alignment(image or output, bytes), or in a chain .set_host_alignment(bytes)",
    .in_chain = "set_host_alignment(image or output, bytes), or in a chain .set_host_alignment(bytes)",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_BUFFER, HY_TAKES_NUMBER},
    .applies = applies,
    .apply = apply};
