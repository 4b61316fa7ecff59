#include "sched/sched_internal.h"

/* rewrite: for x in b do for x' in b' do s  ->  for x' in b' do for x in b do s */

bool hy_applies_swap(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                     hy_diagnostics *diagnostics) {
  const hy_stmt *outer = hy_names_loop(context, tgt, directive, diagnostics);
  if (!outer) return false;
  const hy_stmt *inner = outer->loop.body;
  const char *name = hy_names_of(context, directive->loop);
  if (inner->kind != HY_STMT_FOR) {
    hy_context_hit(context, HY_RULE_DIR_NESTED);
    hy_report(diagnostics, HY_E_NOT_NESTED, directive->loc, "DIR.Swap (decision D36: immediately nested)",
              "name the outer one of two loops that stand directly inside each other",
              "there is no loop directly inside '%s'", name);
    return false;
  }
  const char *other = hy_names_of(context, inner->loop.var);
  if (!outer->loop.is_pure && !inner->loop.is_pure) {
    hy_context_hit(context, HY_RULE_DIR_SWAP_REDUCTION);
    hy_report(diagnostics, HY_E_SWAP_REDUCTION, directive->loc,
              "DIR.Swap (section 8.2: two reduction loops keep their order)",
              "their order is part of the algorithm's meaning; change the order in the rdom instead",
              "'%s' and '%s' are both reduction loops", name, other);
    return false;
  }
  if (hy_expr_mentions(inner->loop.interval.min, outer->loop.var) ||
      hy_expr_mentions(inner->loop.interval.len, outer->loop.var)) {
    hy_report(diagnostics, HY_E_BOUNDS_DEPEND, directive->loc, "DIR.Swap (decision D36)",
              "swap loops whose bounds are independent", "the bounds of '%s' depend on '%s'", other, name);
    return false;
  }
  return true;
}

// DIR.Swap
const hy_tgt *hy_apply_swap(hy_context *context, const hy_tgt *tgt, const hy_directive *directive) {
  const hy_stmt *outer = hy_tree_loop(tgt->body, directive->loop), *inner = outer->loop.body;
  const hy_stmt *below = inner->loop.body;
  const hy_stmt *lower = hy_stmt_with_children(context, outer, &below, 1);
  const hy_stmt *upper = hy_stmt_with_children(context, inner, &lower, 1);
  hy_context_hit(context, HY_RULE_DIR_SWAP);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, outer, upper));
}
