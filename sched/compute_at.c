#include "sched/site.h"

/* rewrite: label f: s; ... label g: label s_j: for x ...: s2  ->  ... for x ...: (label f: s; s2)
 * The computation stays where it dominates every external access to f (section 8.3, decision D39).
 */

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  if (!directive->loop) return true; // at root, where lowering put it
  if (hy_site_is_output(context, tgt, directive, diagnostics)) return false;
  const hy_stmt *loop = hy_names_loop(context, tgt, directive, diagnostics);
  if (!loop) return false;
  if (hy_site_dominates(tgt, directive->func, loop, false)) return true;
  hy_context_hit(context, HY_RULE_DIR_COMPUTE_AT_DOMINATE);
  bool own = directive->loop->func == directive->func, branch = hy_site_is_one_branch(tgt, directive->func, loop);
  hy_report(diagnostics, HY_E_NOT_DOMINATING, hy_directive_at(directive, directive->at.loop),
            "DIR.Compute-At.Dominate (section 8.3, lemma 6.2, decision D39)",
            branch || own ? hy_site_help(context, tgt, directive, branch, false)
                          : hy_site_help_reader(context, tgt, directive, loop),
            own      ? "'%s' cannot be computed inside its own loop '%s'"
            : branch ? "'%s' cannot be computed at '%s': that is one specialization, and another one reads it, too"
            : !hy_tree_reads(tgt->body, directive->func)
                ? "'%s' is read by nothing, and '%s' is outside of the scope of its allocation"
                : "computing '%s' at '%s' would leave out a reader: %s reads it outside of that loop",
            directive->func->name, hy_names_of(context, directive->loop),
            hy_site_reader_outside(context, tgt, directive->func, loop));
  return false;
}

// DIR.Compute-At
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_context_hit(context, HY_RULE_DIR_COMPUTE_AT);
  if (!directive->loop) return tgt;
  const hy_stmt *label = hy_tree_find(tgt->body, HY_STMT_LABEL, directive->func);
  HY_ASSERT(label);
  return hy_site_move(context, tgt, label, directive->loop);
}

const hy_directive_type hy_directive_compute_at = {.name = "compute_at",
                                                   .form = "compute_at(f, g.x)  or  compute_at(f, root)",
                                                   .summary = "moves the computation of f to just inside a loop",
                                                   .alone = "compute_at(func, func.loop) or compute_at(func, root)",
                                                   .phase = HY_PHASE_COMPUTE,
                                                   .arguments = {HY_TAKES_FUNC, HY_TAKES_SITE},
                                                   .applies = applies,
                                                   .apply = apply,
                                                   .order = hy_order_of_move};
