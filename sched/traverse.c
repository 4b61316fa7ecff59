#include "sched/sched_internal.h"

/* rewrite: for x in b do s  ->  for^tau x in b do s */

bool hy_applies_traverse(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                         hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_names_loop(context, tgt, directive, diagnostics);
  if (!loop) return false;
  bool needs_pure = directive->traversal == HY_PARALLEL || directive->traversal == HY_VECTORIZED;
  if (!needs_pure || loop->loop.is_pure) return true;
  hy_context_hit(context, HY_RULE_DIR_TRAVERSE_PURE);
  hy_report(diagnostics, HY_E_PARALLEL_REDUCTION, directive->loc,
            "DIR.Traverse (section 8.2: only pure loops; decision D37)",
            "run a pure loop of the stage that way, or leave this one serial or unrolled",
            "'%s' is a reduction loop: its iterations depend on each other and cannot be %s",
            hy_names_of(context, directive->loop), hy_traversal_name(directive->traversal));
  return false;
}

// DIR.Traverse
const hy_tgt *hy_apply_traverse(hy_context *context, const hy_tgt *tgt, const hy_directive *directive) {
  const hy_stmt *loop = hy_tree_loop(tgt->body, directive->loop);
  const hy_stmt *changed = hy_stmt_for(context, loop->loop.var, loop->loop.is_pure, directive->traversal,
                                       loop->loop.interval, loop->loop.body);
  hy_context_hit(context, HY_RULE_DIR_TRAVERSE);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, loop, changed));
}
