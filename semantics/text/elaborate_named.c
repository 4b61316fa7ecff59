/* Names that stand for expressions: what they stand for is read anew at each use.
 *
 * What is wrong there is told where the expression is written, with a note of where the name stands for it.
 */

#include "semantics/text/elaborate_internal.h"

const hy_named *hy_elaboration_named(const hy_elaboration *e, const hy_syntax *name) {
  return e->scope->named ? e->scope->named(e->scope->self, name) : NULL;
}

void hy_elaboration_note_use(hy_elaboration *e, const hy_syntax *use) {
  size_t count = hy_diagnostics_count(e->diagnostics);
  if (!use || !count) return;
  hy_note(e->diagnostics, hy_diagnostics_at(e->diagnostics, count - 1)->code, use->loc, "'%s' stands for it here",
          hy_syntax_quote(e->context, use));
}

// The expression "value", where "use" is written.
static hy_typed *read_value(hy_elaboration *e, const hy_syntax *use, const hy_syntax *value) {
  bool is_outermost = e->use == NULL;
  if (is_outermost) e->use = use;
  size_t before = hy_diagnostics_errors(e->diagnostics);
  hy_typed *typed = hy_elaboration_read(e, value);
  if (is_outermost && hy_diagnostics_errors(e->diagnostics) > before) hy_elaboration_note_use(e, use);
  if (is_outermost) e->use = NULL;
  if (typed->use) typed->shown = use; // not what came from outside
  return typed;
}

// ALG.Expand.Const: the name of a constant is its expression, so that a literal in it takes the type of this place
hy_typed *hy_elaboration_read_constant(hy_elaboration *e, const hy_syntax *name, const hy_named *constant) {
  if (constant->is_broken || e->is_too_large) return hy_typed_bad(e, name);
  hy_context_hit(e->context, HY_RULE_ALG_EXPAND_CONST);
  return read_value(e, name, constant->value);
}
