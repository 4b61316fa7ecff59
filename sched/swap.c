#include "sched/alternatives.h"

/* rewrite: for x in b do for x' in b' do s  ->  for x' in b' do for x in b do s */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  const hy_stmt *outer = hy_names_loop(context, tgt, directive, diagnostics);
  if (!outer) return false;
  const hy_stmt *inner = outer->loop.body;
  const char *name = hy_names_of(context, directive->loop);
  if (inner->kind != HY_STMT_FOR) {
    hy_context_hit(context, HY_RULE_DIR_NESTED);
    hy_report(diagnostics, HY_E_NOT_NESTED, hy_directive_at(directive, directive->at.loop),
              "DIR.Swap (decision D36: immediately nested)", hy_alternatives_swap(context, tgt, directive->loop),
              "there is no loop directly inside '%s'", name);
    return false;
  }
  const char *other = hy_names_of(context, inner->loop.var);
  if (!outer->loop.is_pure && !inner->loop.is_pure) {
    hy_context_hit(context, HY_RULE_DIR_SWAP_REDUCTION); // DIR.Swap.Reduction
    hy_report(diagnostics, HY_E_SWAP_REDUCTION, hy_directive_at(directive, directive->at.loop),
              "DIR.Swap (section 8.2: two reduction loops keep their order)",
              hy_arena_printf(hy_context_arena(context),
                              "their order is part of the algorithm's meaning, and nothing here proves that the "
                              "update's operator is associative and commutative (decision D92); %s",
                              hy_alternatives_swap(context, tgt, directive->loop)),
              "'%s' and '%s' are both reduction loops", name, other);
    return false;
  }
  if (hy_expr_mentions(inner->loop.interval.min, outer->loop.var) ||
      hy_expr_mentions(inner->loop.interval.len, outer->loop.var)) {
    hy_context_hit(context, HY_RULE_DIR_NESTED); // DIR.Nested
    hy_report(diagnostics, HY_E_BOUNDS_DEPEND, hy_directive_at(directive, directive->at.loop),
              "DIR.Swap (decision D36)", hy_alternatives_swap(context, tgt, directive->loop),
              "the bounds of '%s' depend on '%s'", other, name);
    return false;
  }
  return true;
}

// DIR.Swap
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *outer = hy_tree_loop(tgt->body, directive->loop), *inner = outer->loop.body;
  const hy_stmt *below = inner->loop.body;
  const hy_stmt *lower = hy_stmt_with_children(context, outer, &below, 1);
  const hy_stmt *upper = hy_stmt_with_children(context, inner, &lower, 1);
  hy_context_hit(context, HY_RULE_DIR_SWAP);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, outer, upper));
}

static hy_order_class order(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before, (void)directive;
  return HY_ORDER_PERMUTED;
}

const hy_directive_type hy_directive_swap = {.name = "swap",
                                             .form = "swap(f.y)",
                                             .summary = "exchanges a loop with the one directly inside it",
                                             .alone = "swap(f.x)",
                                             .phase = HY_PHASE_LOOPS,
                                             .arguments = {HY_TAKES_LOOP},
                                             .applies = applies,
                                             .apply = apply,
                                             .order = order};
