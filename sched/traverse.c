#include "sched/alternatives.h"

/* rewrite: for x in b do s  ->  for^tau x in b do s */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_names_loop(context, tgt, directive, diagnostics);
  if (!loop) return false;
  bool needs_pure = directive->traversal == HY_PARALLEL || directive->traversal == HY_VECTORIZED;
  if (!needs_pure || loop->loop.is_pure) return true;
  hy_context_hit(context, HY_RULE_DIR_TRAVERSE_PURE); // DIR.Traverse.Pure
  hy_report(diagnostics, HY_E_PARALLEL_REDUCTION, hy_directive_at(directive, directive->at.loop),
            "DIR.Traverse (section 8.2: only pure loops; decision D37)",
            hy_alternatives_pure(context, tgt, directive->loop),
            "'%s' is a reduction loop: its iterations run one after the other and cannot be %s",
            hy_names_of(context, directive->loop), hy_traversal_name(directive->traversal));
  return false;
}

// DIR.Traverse
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *loop = hy_tree_loop(tgt->body, directive->loop);
  const hy_stmt *changed = hy_stmt_for(context, loop->loop.var, loop->loop.is_pure, directive->traversal,
                                       loop->loop.interval, loop->loop.body);
  hy_context_hit(context, HY_RULE_DIR_TRAVERSE);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, loop, changed));
}

static hy_order_class order(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before;
  switch (directive->traversal) {
  case HY_SERIAL:
  case HY_UNROLLED: return HY_ORDER_EQUAL;
  case HY_PARALLEL:
  case HY_VECTORIZED: return HY_ORDER_PERMUTED;
  }
  HY_UNREACHABLE();
}

const hy_directive_type hy_directive_traverse = {.name = "traverse",
                                                 .form = "traverse(f.x, serial|parallel|vectorized|unrolled)",
                                                 .summary = "sets the order in which a loop is traversed",
                                                 .alone = "traverse(f.x, serial), parallel, vectorized or unrolled",
                                                 .phase = HY_PHASE_LOOPS,
                                                 .arguments = {HY_TAKES_LOOP, HY_TAKES_TRAVERSAL},
                                                 .applies = applies,
                                                 .apply = apply,
                                                 .order = order};
