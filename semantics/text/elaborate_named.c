/* Names that stand for expressions. A constant is read anew at each use. Calls of helpers are written out before
 * (alg_helpers.c); here is what is said of the text that came of them, and of calls in helpers looked at by themselves.
 *
 * What is wrong there is told where the expression is written, with a note of where the name stands for it.
 */

#include "semantics/text/elaborate_internal.h"

enum { MOST_USES = 1 << 14 }; // in the stages of one func

const hy_named *hy_elaboration_named(const hy_elaboration *e, const hy_syntax *name) {
  return e->scope->named ? e->scope->named(e->scope->self, name) : NULL;
}

void hy_elaboration_note_use(hy_elaboration *e, const hy_syntax *use) {
  hy_syntax_note_use(e->context, e->diagnostics, use);
}

// The expression for which "use" stands. Names inside are those of the place where it is declared: lets around the use
// are not in scope, those from "first_let" on are.
static hy_typed *read_value(hy_elaboration *e, const hy_syntax *use, const hy_named *named, size_t first_let) {
  bool is_outermost = e->use == NULL;
  size_t before = hy_diagnostics_errors(e->diagnostics), outer_let = e->first_let;
  if (is_outermost) e->use = use;
  e->first_let = first_let;
  hy_typed *typed = named->is_helper ? hy_elaboration_read_open(e, named->value) : hy_elaboration_read(e, named->value);
  e->first_let = outer_let;
  if (is_outermost && hy_diagnostics_errors(e->diagnostics) > before) hy_elaboration_note_use(e, use);
  if (is_outermost) e->use = NULL;
  if (typed->use) typed->shown = use; // not what came from outside
  return typed;
}

static const char *spelling(hy_elaboration *e, const hy_named *helper) {
  hy_text text = {0};
  hy_text_printf(&text, "%s(", helper->name);
  for (int i = 0; i < helper->param_count; i++) hy_text_printf(&text, "%s%s", i ? ", " : "", helper->params[i]);
  hy_text_add(&text, ")");
  const char *copy = hy_arena_printf(e->arena, "%s", hy_text_string(&text));
  hy_text_free(&text);
  return copy;
}

// Helpers of helpers double with each layer: their uses are counted, since no operation may be left of them.
static bool count_use(hy_elaboration *e) { return ++e->uses <= MOST_USES; }

// ALG.Expand.Const: the name of a constant is its expression, so that a literal in it takes the type of this place
hy_typed *hy_elaboration_read_named(hy_elaboration *e, const hy_syntax *name, const hy_named *named) {
  if (named->is_helper) {
    hy_report(e->diagnostics, HY_E_FUNC_AS_VALUE, name->loc, NULL,
              hy_arena_printf(e->arena, "write %s", spelling(e, named)),
              "'%s' is a helper; it has a value only with its arguments", named->name);
    return hy_typed_bad(e, name);
  }
  if (named->is_broken || e->is_too_large) return hy_typed_bad(e, name);
  if (!count_use(e)) return hy_elaboration_too_large(e, name, "uses of constants and helpers", MOST_USES);
  hy_context_hit(e->context, HY_RULE_ALG_EXPAND_CONST);
  return read_value(e, name, named, e->lets.count);
}

static bool has_arity(hy_elaboration *e, const hy_syntax *call, const hy_named *helper) {
  int given = call->count - 1, wanted = helper->param_count;
  if (given == wanted) return true;
  hy_report(e->diagnostics, HY_E_ARITY, call->loc, NULL, hy_arena_printf(e->arena, "write %s", spelling(e, helper)),
            "'%s' takes %d argument%s, but %d %s given", helper->name, wanted, wanted == 1 ? "" : "s", given,
            given == 1 ? "is" : "are");
  return false;
}

// In a helper that is looked at by itself; elsewhere what is left of calls is what something was said of.
hy_typed *hy_elaboration_read_helper(hy_elaboration *e, const hy_syntax *call, const hy_named *helper) {
  hy_typed *args[HY_MAX_ARGUMENTS];
  size_t first = e->lets.count;
  if (!has_arity(e, call, helper) || !e->is_open || e->is_too_large) return hy_typed_bad(e, call);
  if (!count_use(e)) return hy_elaboration_too_large(e, call, "uses of constants and helpers", MOST_USES);
  for (int i = 0; i < helper->param_count; i++) {
    args[i] = helper->takes_func[i] ? NULL : hy_elaboration_read_open(e, call->args[i + 1]);
    if (!args[i]) continue; // what is no func there is told where it is written out
    hy_vec_push(&e->values, args[i]);
  }
  e->lets.count = first;
  if (helper->is_broken || e->is_too_large) return hy_typed_bad(e, call);
  for (int i = 0; i < helper->param_count; i++)
    if (args[i])
      hy_vec_push(&e->lets, (hy_let){helper->params[i], args[i], false});
    else
      hy_elaboration_bind(e, helper->params[i], call, true);
  hy_typed *typed = read_value(e, call, helper, first);
  e->lets.count = first;
  return typed;
}

static bool is_broken(hy_elaboration *e, const hy_syntax *syntax) {
  const hy_named *helper =
      hy_elaboration_named(e, &(hy_syntax){.kind = HY_SYNTAX_NAME, .text = hy_syntax_helper(syntax)});
  return helper && helper->is_broken;
}

hy_typed *hy_elaboration_read_written(hy_elaboration *e, const hy_syntax *syntax) {
  const char *outer = e->helper;
  bool is_outermost = e->use == NULL;
  size_t before = hy_diagnostics_errors(e->diagnostics);
  if (hy_syntax_helper(syntax) != outer && is_broken(e, syntax)) return hy_typed_bad(e, syntax);
  if (is_outermost) e->use = syntax->written_for->use;
  e->helper = syntax->written_for->helper;
  hy_typed *typed = hy_elaboration_read_plain(e, syntax);
  e->helper = outer;
  if (is_outermost && hy_diagnostics_errors(e->diagnostics) > before) hy_elaboration_note_use(e, e->use);
  if (is_outermost) e->use = NULL;
  if (typed->use && syntax->written_for->shown) typed->shown = syntax->written_for->shown; // not what came from outside
  return typed;
}
