/* Funcs without variables: "fun c = repeat_edge(in);" is "fun c(_0, _1) = repeat_edge(in)(_0, _1);", with as many
 * variables as what is continued has dimensions. They are called as in Halide, and schedules name them so.
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/text/alg_internal.h"
#include "semantics/text/habits.h"

#include <string.h>

static const char short_help[] =
    "write fun c(x, y) = e;, or continue an image: fun c = repeat_edge(in); (its variables are _0, _1, ...)";

// Of a func of several values the pure stage is (c_0[0], c_1[1], ..) by now (alg_tuples.c).
static const hy_syntax *condition_of(const hy_syntax *rhs) {
  bool is_tuple = rhs->kind == HY_SYNTAX_TUPLE && rhs->args[0]->kind == HY_SYNTAX_INDEX;
  return is_tuple ? rhs->args[0]->args[0] : rhs;
}

// fun f = lambda(x, y, e); and other words of Halide
static void unknown(hy_alg_scope *scope, const hy_written_func *written, const hy_syntax *call) {
  const hy_syntax *name = call->args[0];
  hy_arena *arena = hy_context_arena(scope->context);
  const char *help = hy_habit_of_word(scope->context, call), *variables = "";
  bool is_lambda = strcmp(name->text, "lambda") == 0 && call->count > 2;
  for (int i = 1; is_lambda && i < call->count - 1; i++)
    variables =
        hy_arena_printf(arena, "%s%s%s", variables, i > 1 ? ", " : "", hy_syntax_quote(scope->context, call->args[i]));
  if (is_lambda)
    help = hy_arena_printf(arena, "write fun %s(%s) = %s;", written->name.text, variables,
                           hy_syntax_quote(scope->context, call->args[call->count - 1]));
  if (help)
    hy_report(scope->diagnostics, HY_E_UNKNOWN_NAME, name->loc, NULL, help, "nothing here is called '%s'", name->text);
  else
    hy_alg_scope_of(scope).unknown(scope, name);
}

// "repeat_edge(in)": the func or image that it continues; NULL after a report.
static const hy_func *find_source(hy_alg_scope *scope, const hy_written_func *written) {
  const hy_syntax *condition = condition_of(written->stages[0].rhs);
  hy_scope names = hy_alg_scope_of(scope);
  const hy_syntax *name = condition->kind == HY_SYNTAX_CALL ? condition->args[0] : condition;
  hy_boundary boundary;
  bool is_call = condition->kind == HY_SYNTAX_CALL && name->kind == HY_SYNTAX_NAME && !condition->in_parentheses;
  bool is_known = is_call && names.func(scope, name);
  if (is_call && !is_known && !hy_boundary_find(name->text, &boundary)) {
    unknown(scope, written, condition);
    return NULL;
  }
  if (!is_call || is_known) {
    hy_report(scope->diagnostics, HY_E_SYNTAX, written->name.loc, NULL, short_help,
              "'%s' has no variables, and is no boundary condition", written->name.text);
    return NULL;
  }
  const hy_syntax *source = condition->count > 1 ? condition->args[1] : condition;
  const hy_func *func = source->kind == HY_SYNTAX_NAME ? names.func(scope, source) : NULL;
  if (func || source->kind != HY_SYNTAX_NAME || names.var(scope, source)) {
    if (func) return func;
    hy_report(scope->diagnostics, HY_E_NOT_A_FUNC, source->loc, NULL, short_help, "'%s' is neither a func nor an image",
              hy_syntax_quote(scope->context, source));
    return NULL;
  }
  names.unknown(scope, source);
  return NULL;
}

static const hy_syntax *name_of(hy_arena *arena, const hy_syntax *model, const char *text) {
  hy_syntax *name = HY_NEW(arena, hy_syntax);
  *name = *model;
  name->kind = HY_SYNTAX_NAME;
  name->text = text;
  name->count = 0;
  hy_syntax_sum_up(name);
  return name;
}

static const hy_syntax *read_at(hy_context *context, const hy_syntax *condition, const hy_written_name *dims,
                                int rank) {
  hy_arena *arena = hy_context_arena(context);
  const hy_syntax **args = HY_NEW_ARRAY(arena, const hy_syntax *, rank + 1);
  args[0] = condition;
  for (int d = 0; d < rank; d++) args[d + 1] = name_of(arena, condition, dims[d].text);
  hy_syntax *call = HY_NEW(arena, hy_syntax);
  *call = *condition;
  call->count = rank + 1;
  call->args = args;
  hy_syntax_sum_up(call);
  return call;
}

// The pure stage: of one value, or of each of several.
static const hy_syntax *read_all(hy_context *context, const hy_syntax *rhs, const hy_written_name *dims, int rank) {
  if (condition_of(rhs) == rhs) return read_at(context, rhs, dims, rank);
  const hy_syntax **parts = HY_NEW_ARRAY(hy_context_arena(context), const hy_syntax *, rhs->count);
  for (int k = 0; k < rhs->count; k++) {
    const hy_syntax *part = rhs->args[k];
    const hy_syntax *args[] = {read_at(context, part->args[0], dims, rank), part->args[1]};
    parts[k] = hy_syntax_at(context, *part, part, args, 2);
  }
  return hy_syntax_at(context, *rhs, rhs, parts, rhs->count);
}

// ALG.Expand.Short
bool hy_written_out(hy_alg_scope *scope, const hy_written_func *written, hy_written_func *out) {
  static const char *const variables[] = {"_0", "_1", "_2", "_3", "_4", "_5", "_6", "_7"};
  _Static_assert(HY_COUNT(variables) == HY_MAX_RANK, "one name for each dimension");
  hy_arena *arena = hy_context_arena(scope->context);
  *out = *written;
  if (written->stage_count == 0) return false; // reported
  const hy_func *source = find_source(scope, written);
  if (!source) return false;
  hy_context_hit(scope->context, HY_RULE_ALG_EXPAND_SHORT);
  hy_written_name *dims = HY_NEW_ARRAY(arena, hy_written_name, source->rank);
  for (int d = 0; d < source->rank; d++)
    dims[d] = (hy_written_name){hy_context_name(scope->context, variables[d], 2), written->name.loc};
  hy_written_stage *stages = HY_NEW_ARRAY(arena, hy_written_stage, written->stage_count);
  for (int j = 0; j < written->stage_count; j++) stages[j] = written->stages[j];
  stages[0].rhs = read_all(scope->context, stages[0].rhs, dims, source->rank);
  out->dims = dims;
  out->rank = source->rank;
  out->stages = stages;
  return true;
}
