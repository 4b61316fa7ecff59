#include "sched/site.h"

/* rewrite: allocate f(...); ... for x ...: s2  ->  ... for x ...: (allocate f(...); s2)
 * The allocation stays where it dominates the computation and every access (section 8.4).
 */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  if (!directive->loop) return true; // at root, where lowering put it
  if (hy_site_is_output(context, tgt, directive, diagnostics)) return false;
  const hy_stmt *loop = hy_names_loop(context, tgt, directive, diagnostics);
  if (!loop) return false;
  if (hy_site_dominates(tgt, directive->func, loop, true)) return true;
  hy_context_hit(context, HY_RULE_DIR_STORE_AT_DOMINATE);
  bool branch = hy_site_is_one_branch(tgt, directive->func, loop);
  hy_report(diagnostics, HY_E_STORAGE_BELOW_COMPUTE, hy_directive_at(directive, directive->at.loop),
            "DIR.Store-At.Dominate (section 8.4)", hy_site_help(context, tgt, directive, branch, true),
            branch ? "'%s' cannot be stored at '%s': that is one specialization, and another one reads it, too"
                   : "storing '%s' at '%s' would not enclose its computation and all of its readers",
            directive->func->name, hy_names_of(context, directive->loop));
  return false;
}

// DIR.Store-At
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_context_hit(context, HY_RULE_DIR_STORE_AT);
  if (!directive->loop) return tgt;
  const hy_stmt *allocate = hy_tree_find(tgt->body, HY_STMT_ALLOCATE, directive->func);
  HY_ASSERT(allocate);
  return hy_site_move(context, tgt, allocate, directive->loop);
}

const hy_directive_type hy_directive_store_at = {.name = "store_at",
                                                 .form = "store_at(f, g.x)  or  store_at(f, root)",
                                                 .summary = "moves the allocation of f to just inside a loop",
                                                 .alone = "store_at(func, func.loop) or store_at(func, root)",
                                                 .phase = HY_PHASE_STORAGE,
                                                 .arguments = {HY_TAKES_FUNC, HY_TAKES_SITE},
                                                 .applies = applies,
                                                 .apply = apply,
                                                 .order = hy_order_of_move};
