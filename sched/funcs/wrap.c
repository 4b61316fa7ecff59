#include "sched/funcs/funcs.h"

/* rewrite: label f: .. label g: .. f(e1, .., en) ..
 *       -> label f: .. allocate w B; label w: compute w on I: for xn: .. for x1: w(x1, .., xn) <- f(x1, .., xn)
 *          label g: .. w(e1, .., en) ..
 *   What an access errs stays what it is: w's point is f's point, error and all, and it is read where f's was.
 */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  return hy_funcs_name_free(context, tgt, d, diagnostics) && hy_funcs_has_readers(context, tgt, d, diagnostics);
}

// w(x1, .., xn) <- f(x1, .., xn), each part of a tuple
static const hy_stmt *identity(hy_context *context, const hy_directive *d, const hy_expr *const *at) {
  const hy_expr *values[HY_MAX_PARTS];
  for (int part = 0; part < hy_func_parts(d->func); part++)
    values[part] = hy_expr_access_part(context, d->func, part, at);
  const hy_expr *value = hy_expr_tuple(context, values, hy_func_parts(d->func));
  return hy_stmt_assign(context, d->made, 0, 0, at, value);
}

static const hy_stmt *computation(hy_context *context, const hy_directive *d) {
  const hy_func *made = d->made;
  const hy_interval *box = hy_funcs_box(context, made);
  const hy_expr *at[HY_MAX_RANK] = {NULL};
  for (int k = 0; k < made->rank; k++) at[k] = hy_expr_var(context, hy_var_loop(context, made, 0, 0, made->dims[k]));
  const hy_stmt *body = identity(context, d, at);
  for (int k = 0; k < made->rank; k++) body = hy_stmt_for(context, at[k]->var, true, HY_SERIAL, box[k], body);
  body = hy_stmt_label(context, HY_LABEL_STAGE, made, 0, body);
  return hy_stmt_label(context, HY_LABEL_FUNC, made, 0, hy_stmt_compute(context, made, box, body));
}

// DIR.Wrap
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_context_hit(context, HY_RULE_DIR_WRAP);
  return hy_funcs_insert(context, tgt, d, computation(context, d), 1);
}

const hy_directive_type hy_directive_wrap = {
    .name = "wrap",
    .form = "wrap(f, w, g, ...)",
    .summary = "adds the func w, a copy of f's values (of an input image's, too), which g and the others read instead "
               "of f; without any, all that read f do",
    .alone = "wrap(f, w) or wrap(f, w, reader, ...), or in a chain f.in() or f.in(reader, ...)",
    .phase = HY_PHASE_FUNCS,
    .arguments = {HY_TAKES_SOURCE, HY_TAKES_MADE, HY_TAKES_READERS},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds,
    .may_add = hy_funcs_may_add};
