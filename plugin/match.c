#include "plugin/plugin_internal.h"

#include <string.h>

/* Does a directive from outside the tree fit where it stands? Its loops are there, directly nested, serial, with bounds
 * that do not depend on each other; its names are new; its factors are at least 1. Only then is it asked itself.
 */

static bool is_inside(hy_context *context, const hy_directive *directive, const hy_stmt *inner, const hy_stmt *outer,
                      hy_diagnostics *diagnostics) {
  if (inner == outer->loop.body) return true;
  hy_context_hit(context, HY_RULE_DIR_NESTED);
  hy_report(diagnostics, HY_E_NOT_NESTED, directive->loc, "DIR.Plugin (decision D36: immediately nested)",
            outer->loop.body->kind == HY_STMT_FOR
                ? hy_arena_printf(hy_context_arena(context), "the loop directly inside is %s; swap or reorder first",
                                  hy_names_of(context, outer->loop.body->loop.var))
                : "there is no loop directly inside it",
            "'%s' is not directly inside '%s'", hy_names_of(context, inner->loop.var),
            hy_names_of(context, outer->loop.var));
  return false;
}

static bool loop_fits(hy_context *context, const hy_directive *directive, const hy_stmt *outermost, const hy_stmt *loop,
                      hy_diagnostics *diagnostics) {
  const hy_var *var = loop->loop.var;
  if (loop->loop.traversal != HY_SERIAL) {
    hy_report(diagnostics, HY_E_DIRECTIVE_ARGUMENTS, directive->loc, "DIR.Plugin",
              hy_arena_printf(hy_context_arena(context), "apply %s first, then traverse the new loops",
                              directive->type->name),
              "'%s' is %s already and cannot be taken any more", hy_names_of(context, var),
              hy_traversal_name(loop->loop.traversal));
    return false;
  }
  for (const hy_stmt *at = outermost; at != loop; at = at->loop.body) {
    if (!hy_expr_mentions(loop->loop.interval.min, at->loop.var) &&
        !hy_expr_mentions(loop->loop.interval.len, at->loop.var))
      continue;
    hy_report(diagnostics, HY_E_BOUNDS_DEPEND, directive->loc, "DIR.Plugin (decision D36)", "take one of them alone",
              "the bounds of '%s' depend on '%s'", hy_names_of(context, var), hy_names_of(context, at->loop.var));
    return false;
  }
  return true;
}

static bool around_fits(hy_context *context, const hy_directive *directive, const hy_stmt *around, const hy_stmt *first,
                        hy_diagnostics *diagnostics) {
  if (around != first && hy_tree_contains(around->loop.body, first)) return true;
  hy_report(diagnostics, HY_E_NOT_NESTED, directive->loc, "DIR.Plugin", "name a loop further outside",
            "'%s' does not stand around '%s'", hy_names_of(context, around->loop.var),
            hy_names_of(context, first->loop.var));
  return false;
}

static bool loops_fit(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const hy_stmt *first = NULL, *last = NULL;
  for (int i = 0; d->type->arguments[i] != HY_TAKES_END; i++) {
    hy_directive wanted = *d;
    wanted.loop = hy_names_argument(context, d, i);
    if (!wanted.loop) continue;
    if (i) wanted.at.loop = d->at.names[hy_directive_place(d->type, i)];
    const hy_stmt *loop = hy_names_loop(context, tgt, &wanted, diagnostics);
    if (!loop) return false;
    if (d->type->arguments[i] == HY_TAKES_AROUND) {
      if (!around_fits(context, d, loop, first, diagnostics)) return false;
      continue;
    }
    if (last && !is_inside(context, d, loop, last, diagnostics)) return false;
    if (!first) first = loop;
    last = loop;
    if (!loop_fits(context, d, first, loop, diagnostics)) return false;
  }
  return true;
}

static bool is_taken_name(const hy_directive *d, const char *name) {
  if (d->loop->name == name) return true;
  for (int i = 0; d->type->arguments[i] != HY_TAKES_END; i++)
    if (d->type->arguments[i] == HY_TAKES_INNER && d->names[hy_directive_place(d->type, i)] == name) return true;
  return false;
}

// Is it the name of a new loop named before the argument at that position?
static bool is_made_name(const hy_directive *d, const char *name, int position) {
  for (int i = 0; i < position; i++)
    if (d->type->arguments[i] == HY_TAKES_NAME && d->names[hy_directive_place(d->type, i)] == name) return true;
  return false;
}

static bool names_fit(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const char *none[2] = {NULL, NULL};
  for (int i = 0; d->type->arguments[i] != HY_TAKES_END; i++) {
    if (d->type->arguments[i] != HY_TAKES_NAME) continue;
    const char *name = d->names[hy_directive_place(d->type, i)];
    if (is_made_name(d, name, i)) {
      hy_report(diagnostics, HY_E_NAME_CLASH, d->loc, "SCH.Fresh (section 8.2)", "give each loop a name of its own",
                "two new loops are both called '%s'", name);
      return false;
    }
    if (!is_taken_name(d, name) && !hy_names_free(context, tgt, d, name, none, diagnostics)) return false;
  }
  return true;
}

static bool factors_fit(const hy_directive *d, hy_context *context, hy_diagnostics *diagnostics) {
  int64_t constant;
  for (int i = 0; d->type->arguments[i] != HY_TAKES_END; i++) {
    if (d->type->arguments[i] != HY_TAKES_FACTOR ||
        !hy_expr_is_int(d->args[hy_directive_place(d->type, i)], &constant) || constant >= 1)
      continue;
    hy_context_hit(context, HY_RULE_DIR_SPLIT_FACTOR);
    hy_report(diagnostics, HY_E_SPLIT_FACTOR, d->loc, "DIR.Split.Factor (decision D34), as for a split",
              "write a factor of at least 1", "a factor of %s must be at least 1, not %lld", d->type->name,
              (long long)constant);
    return false;
  }
  return true;
}

bool hy_plugin_match(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  return loops_fit(context, tgt, d, diagnostics) && names_fit(context, tgt, d, diagnostics) &&
         factors_fit(d, context, diagnostics);
}
