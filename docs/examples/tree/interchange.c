#include "sched/rewrite.h"

/* rewrite: for x in b do for y in b' do for z in b'' do s  ->  for z in b'' do for y in b' do for x in b do s */

static bool refuse(hy_context *context, const hy_directive *directive, const char *why, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_NOT_NESTED, hy_directive_at(directive, directive->at.loop), "DIR.Nested",
            "swap or reorder first", "'%s' cannot be interchanged: %s", hy_names_of(context, directive->loop), why);
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_names_loop(context, tgt, directive, diagnostics), *nest[3] = {loop};
  int reductions = 0;
  if (!loop) return false;
  for (int i = 0; i < 3; i++) {
    if (i) nest[i] = nest[i - 1]->loop.body;
    if (nest[i]->kind != HY_STMT_FOR || nest[i]->loop.var != hy_names_argument(context, directive, i))
      return refuse(context, directive, "the loops are not directly nested", diagnostics);
    reductions += !nest[i]->loop.is_pure;
    for (int k = 0; k < i; k++)
      if (hy_expr_mentions(nest[i]->loop.interval.min, nest[k]->loop.var) ||
          hy_expr_mentions(nest[i]->loop.interval.len, nest[k]->loop.var))
        return refuse(context, directive, "their bounds depend on each other", diagnostics);
  }
  return reductions < 2 || refuse(context, directive, "reduction loops keep their order", diagnostics);
}

static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *x = hy_tree_loop(tgt->body, directive->loop), *y = x->loop.body, *z = y->loop.body;
  const hy_stmt *made = hy_stmt_with_children(context, x, &z->loop.body, 1);
  made = hy_stmt_with_children(context, y, &made, 1);
  made = hy_stmt_with_children(context, z, &made, 1);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, x, made));
}

static hy_order_class order(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before, (void)directive;
  return HY_ORDER_PERMUTED;
}

const hy_directive_type hy_directive_interchange = {.name = "interchange",
                                                    .form = "interchange(f.x, y, z)",
                                                    .summary = "turns three nested loops inside out",
                                                    .in_chain = "interchange(x, y, z)",
                                                    .phase = HY_PHASE_LOOPS,
                                                    .arguments = {HY_TAKES_LOOP, HY_TAKES_INNER, HY_TAKES_INNER},
                                                    .applies = applies,
                                                    .apply = apply,
                                                    .order = order};
