#include "sched/rewrite.h"

#include <string.h>

/* rewrite: target P(.., f: t[n], ..) on g(..) { .. }  ->  the same with  buffer f in stride(d, i)
 * How the caller's memory of an image or an output lies where the program is at its best. No meaning, and no demand:
 * code for buffers that lie otherwise is there as well (GEN.Laid).
 */

// DIR.Set-Stride.Own
static bool is_the_callers(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (d->func->is_image || hy_alg_output(tgt->alg, d->func)) return true;
  hy_context_hit(context, HY_RULE_DIR_SET_STRIDE_OWN);
  hy_report(
      diagnostics, HY_E_STRIDE_OWN, d->loc, "DIR.Set-Stride.Own",
      "reorder_storage(f, c, x) says in which order its dimensions lie, align_storage(f, c, 4) how many cells one has",
      "'%s' is neither an image nor an output: the program allocates it itself", d->func->name);
  return false;
}

// DIR.Set-Stride.Number
static bool take_number(hy_context *context, const hy_directive *d, hy_diagnostics *diagnostics, int64_t *number) {
  bool constant = hy_expr_is_int(d->args[0], number);
  if (constant && *number >= 1 && *number <= HY_MOST_OF_STRIDE) return true;
  hy_context_hit(context, HY_RULE_DIR_SET_STRIDE_NUMBER);
  hy_report(diagnostics, HY_E_PLAN_NUMBER, hy_directive_at(d, d->at.args[0]), "DIR.Set-Stride.Number",
            "write a constant from 1 to 1073741824: how many elements neighbours lie apart",
            "a stride of '%s' cannot be that", d->func->name);
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const hy_strides *before = hy_tgt_strides(tgt, d->func);
  int64_t number;
  return is_the_callers(context, tgt, d, diagnostics) && take_number(context, d, diagnostics, &number) &&
         hy_plan_once(context, d, before && before->of[d->dim] != 0, diagnostics);
}

// In the order of the signature: what is said does not depend on when.
static void put(hy_laid *laid, int count, const hy_func *func, int dim, int64_t number) {
  int at = 0;
  while (at < count && laid[at].func->index < func->index) at++;
  if (at == count || laid[at].func != func) {
    memmove(&laid[at + 1], &laid[at], sizeof *laid * (size_t)(count - at));
    laid[at] = (hy_laid){.func = func};
  }
  laid[at].strides.of[dim] = number;
}

// DIR.Set-Stride
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  int64_t number;
  bool fits = take_number(context, d, diagnostics, &number);
  HY_ASSERT(fits);
  hy_context_hit(context, HY_RULE_DIR_SET_STRIDE);
  bool is_new = !hy_tgt_strides(tgt, d->func);
  hy_laid *laid = HY_NEW_ARRAY(hy_context_arena(context), hy_laid, tgt->laid_count + 1);
  if (tgt->laid_count) memcpy(laid, tgt->laid, sizeof *laid * (size_t)tgt->laid_count);
  put(laid, tgt->laid_count, d->func, d->dim, number);
  hy_tgt *after = HY_NEW(hy_context_arena(context), hy_tgt);
  *after = *tgt;
  after->laid = laid;
  after->laid_count += is_new;
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
    .applies = applies,
    .apply = apply};
