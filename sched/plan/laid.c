#include "sched/rewrite.h"

#include <string.h>

// DIR.Set-Stride.Own
bool hy_laid_is_the_callers(hy_context *context, const hy_tgt *tgt, const hy_directive *d,
                            hy_diagnostics *diagnostics) {
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

// DIR.Plan.Once
static bool is_said_once(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const hy_laid *laid = hy_tgt_laid(tgt, d->func);
  if (!laid || !laid->strides.of[d->dim]) return true;
  hy_context_hit(context, HY_RULE_DIR_PLAN_ONCE);
  hy_report(diagnostics, HY_E_PLAN_TWICE, d->loc, "DIR.Plan.Once", "keep one of them",
            "another '%s' says that of '%s' already", laid->demanded.of[d->dim] ? "require_stride" : "set_stride",
            d->func->name);
  return false;
}

bool hy_laid_stride_applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d,
                            hy_diagnostics *diagnostics) {
  int64_t number;
  return hy_laid_is_the_callers(context, tgt, d, diagnostics) && take_number(context, d, diagnostics, &number) &&
         is_said_once(context, tgt, d, diagnostics);
}

int64_t hy_laid_number(const hy_directive *directive) {
  int64_t number = 0;
  bool constant = hy_expr_is_int(directive->args[0], &number);
  HY_ASSERT(constant);
  return number;
}

// In the order of the signature: what is said does not depend on when.
const hy_tgt *hy_laid_put(hy_context *context, const hy_tgt *tgt, const hy_func *func, hy_laid **laid) {
  int count = tgt->laid_count, at = 0;
  while (at < count && tgt->laid[at].func->index < func->index) at++;
  bool is_new = at == count || tgt->laid[at].func != func;
  hy_laid *all = HY_NEW_ARRAY(hy_context_arena(context), hy_laid, count + 1);
  if (at) memcpy(all, tgt->laid, sizeof *all * (size_t)at);
  if (count > at) memcpy(&all[at + is_new], &tgt->laid[at], sizeof *all * (size_t)(count - at));
  if (is_new) all[at] = (hy_laid){.func = func};
  hy_tgt *after = HY_NEW(hy_context_arena(context), hy_tgt);
  *after = *tgt;
  after->laid = all;
  after->laid_count += is_new;
  *laid = &all[at];
  return after;
}
