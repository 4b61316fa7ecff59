/* Forms that stand for core expressions, on their way to semantics/alg/expand/: their names, arguments and types, and
 * what is said where they do not fit.
 *
 *   boundary = name "(" func ["," value] {"," "(" min "," len ")"} ")" "(" [coordinate {"," coordinate}] ")"
 */

#include "semantics/text/elaborate_internal.h"

#include <string.h>

// What an expansion may have of each of its arguments, and how much deeper they stand then.
enum { COPIES = 8, DEEPER = 8 };

hy_typed *hy_typed_built(hy_elaboration *e, const hy_syntax *syntax, const hy_expr *expr) {
  hy_typed *node = hy_typed_leaf(e, HY_TYPED_BUILT, syntax, hy_slot_of(e, expr->type));
  node->built = expr;
  node->nodes = COPIES;
  node->height = DEEPER;
  node->nesting = 1;
  return node;
}

/* -- boundary conditions -- */

// May the name be that of a form? Nothing in scope has it.
static bool is_free(const hy_elaboration *e, const hy_syntax *name) {
  return e->scope->has_forms && name->kind == HY_SYNTAX_NAME && !name->in_parentheses &&
         !e->scope->func(e->scope->self, name) && !e->scope->var(e->scope->self, name) &&
         !hy_elaboration_named(e, name);
}

bool hy_elaboration_is_boundary(hy_elaboration *e, const hy_syntax *name, hy_boundary *boundary) {
  return name->kind == HY_SYNTAX_NAME && hy_boundary_find(name->text, boundary) && is_free(e, name);
}

bool hy_elaboration_is_derived(hy_elaboration *e, const hy_syntax *name, hy_derived *derived) {
  bool is_made = name->reduction != NULL; // whatever the pipeline calls so
  return name->kind == HY_SYNTAX_NAME && hy_derived_find(name->text, derived) && (is_made || is_free(e, name));
}

bool hy_elaboration_is_mux(hy_elaboration *e, const hy_syntax *name) {
  return name->kind == HY_SYNTAX_NAME && strcmp(name->text, "mux") == 0 && is_free(e, name);
}

// "repeat_edge(f, (min, len), ..)"
static const char *spelling(hy_elaboration *e, hy_boundary boundary, const char *func, bool has_box) {
  return hy_arena_printf(e->arena, "%s(%s%s%s)", hy_boundary_name(boundary), func,
                         hy_boundary_takes_value(boundary) ? ", value" : "", has_box ? ", (min, len), ..." : "");
}

hy_typed *hy_elaboration_boundary_as_value(hy_elaboration *e, const hy_syntax *condition) {
  const char *quote = hy_syntax_quote(e->context, condition);
  hy_report(e->diagnostics, HY_E_FUNC_AS_VALUE, condition->loc, NULL,
            hy_arena_printf(e->arena, "write %s(x, y), or give it a name: fun c = %s;", quote, quote),
            "'%s' is a func; it has a value only at coordinates", quote);
  return hy_typed_bad(e, condition);
}

// The func that is continued; NULL after a report, or where one was made.
static const hy_func *read_source(hy_elaboration *e, const hy_syntax *condition, hy_boundary boundary) {
  const char *help = hy_arena_printf(e->arena, "write %s for an image, %s for a func",
                                     spelling(e, boundary, "in", false), spelling(e, boundary, "f", true));
  if (condition->count < 2) {
    hy_report(e->diagnostics, HY_E_ARITY, condition->loc, NULL, help,
              "'%s' continues a func or an image, but none is given", hy_boundary_name(boundary));
    return NULL;
  }
  const hy_syntax *source = condition->args[1];
  bool is_name = source->kind == HY_SYNTAX_NAME && !source->in_parentheses;
  const hy_func *func = is_name ? e->scope->func(e->scope->self, source) : NULL;
  if (func) return hy_elaboration_is_broken(e, func) ? NULL : func;
  if (is_name && !e->scope->var(e->scope->self, source))
    hy_typed_unknown(e, source);
  else
    hy_report(e->diagnostics, HY_E_NOT_A_FUNC, source->loc, NULL, help, "'%s' is neither a func nor an image",
              hy_syntax_quote(e->context, source));
  return NULL;
}

// The first argument behind the func and the value, which *value gets; 0 after a report.
static int read_value(hy_elaboration *e, const hy_syntax *condition, hy_boundary boundary, hy_typed **value) {
  *value = NULL;
  if (!hy_boundary_takes_value(boundary)) return 2;
  if (condition->count > 2 && condition->args[2]->kind != HY_SYNTAX_INTERVAL) {
    *value = hy_elaboration_read(e, condition->args[2]);
    return 3;
  }
  hy_report(e->diagnostics, HY_E_ARITY, condition->loc, NULL,
            hy_arena_printf(e->arena, "write %s", spelling(e, boundary, condition->args[1]->text, false)),
            "'%s' takes the value that is outside", hy_boundary_name(boundary));
  return 0;
}

static bool check_box(hy_elaboration *e, const hy_syntax *condition, int first, hy_boundary boundary,
                      const hy_func *func) {
  int count = condition->count - first;
  char *help = hy_arena_printf(e->arena, "write %s: an interval for each dimension, the first ones perhaps",
                               spelling(e, boundary, func->name, true));
  for (int i = first; i < condition->count; i++) {
    if (condition->args[i]->kind == HY_SYNTAX_INTERVAL) continue;
    hy_report(e->diagnostics, HY_E_BOUNDARY_BOX, condition->args[i]->loc, NULL, help, "'%s' is no interval (min, len)",
              hy_syntax_quote(e->context, condition->args[i]));
    return false;
  }
  if (count > func->rank) {
    hy_report(e->diagnostics, HY_E_BOUNDARY_BOX, condition->args[first + func->rank]->loc, NULL, help,
              "'%s' has %d dimension%s, but here are %d intervals", func->name, func->rank, func->rank == 1 ? "" : "s",
              count);
    return false;
  }
  if (count > 0 || func->is_image || func->rank == 0) return true;
  hy_report(e->diagnostics, HY_E_BOUNDARY_BOX, condition->loc, "only images have a box of their own", help,
            "'%s' is a func: where it ends has to be said", func->name);
  return false;
}

static int read_box(hy_elaboration *e, const hy_syntax *condition, int first, hy_typed **args) {
  int count = 0;
  for (int i = first; i < condition->count; i++)
    for (int side = 0; side < 2; side++) {
      hy_typed *bound = hy_elaboration_read(e, condition->args[i]->args[side]);
      hy_elaboration_want(e, bound, HY_INT, side ? "the length of a box" : "the minimum of a box");
      args[count++] = bound;
    }
  return count;
}

static bool read_coordinates(hy_elaboration *e, const hy_syntax *call, const hy_func *func, hy_typed **args) {
  int given = call->count - 1;
  hy_context_hit(e->context, given == func->rank ? HY_RULE_ALG_VALID_ARITY : HY_RULE_ALG_VALID_ARITY_NOT);
  if (given != func->rank) {
    const char *quote = hy_syntax_quote(e->context, call->args[0]);
    hy_report(e->diagnostics, HY_E_ARITY, call->loc, "definition 4.5, arity",
              hy_arena_printf(e->arena, "write %s%s", quote, hy_elaboration_coordinates(e, func) + strlen(func->name)),
              "'%s' has %d dimension%s, but %d coordinate%s %s given", quote, func->rank, func->rank == 1 ? "" : "s",
              given, given == 1 ? "" : "s", given == 1 ? "is" : "are");
    return false;
  }
  for (int d = 0; d < given; d++) {
    args[d] = hy_elaboration_read(e, call->args[d + 1]);
    hy_elaboration_want(e, args[d], HY_INT, "a coordinate");
  }
  return true;
}

// ALG.Valid.Parts: of the func that is continued, as of itself
static bool has_part(hy_elaboration *e, const hy_syntax *written, const hy_func *func, int *part) {
  bool is_part = written->kind == HY_SYNTAX_INDEX;
  int parts = hy_func_parts(func);
  *part = is_part ? hy_syntax_part(written) : 0;
  bool good = is_part ? parts > 1 && *part >= 0 && *part < parts : parts == 1;
  if (is_part || parts > 1) hy_context_hit(e->context, good ? HY_RULE_ALG_VALID_PARTS : HY_RULE_ALG_VALID_PARTS_NOT);
  if (good) return true;
  const char *quote = hy_syntax_quote(e->context, is_part ? written->args[0] : written), *help;
  if (!is_part)
    hy_report(e->diagnostics, HY_E_TUPLE_WHOLE, written->loc, "an expression has one value",
              hy_arena_printf(e->arena, "write %s[0] for the first of them", quote),
              "'%s' has %d values, and one stands here", quote, parts);
  else if (parts == 1)
    hy_report(e->diagnostics, HY_E_TUPLE_PART, written->loc, NULL, hy_arena_printf(e->arena, "write %s", quote),
              "'%s' has one value at each point", quote);
  else {
    help = hy_arena_printf(e->arena, "write %s[0] to %s[%d], with the number itself", quote, quote, parts - 1);
    hy_report(e->diagnostics, HY_E_TUPLE_PART, written->loc, NULL, help, "'%s' has %d values, and no '%s'", quote,
              parts, hy_syntax_quote(e->context, written));
  }
  return false;
}

hy_typed *hy_elaboration_read_boundary(hy_elaboration *e, const hy_syntax *written, hy_boundary boundary) {
  const hy_syntax *call = written->kind == HY_SYNTAX_INDEX ? written->args[0] : written, *condition = call->args[0];
  hy_typed *args[3 * HY_MAX_RANK + 1], *value;
  const hy_func *func = read_source(e, condition, boundary);
  int part;
  if (!func || !has_part(e, written, func, &part)) return hy_typed_bad(e, written);
  int first = read_value(e, condition, boundary, &value);
  if (!first || !check_box(e, condition, first, boundary, func) || !read_coordinates(e, call, func, args))
    return hy_typed_bad(e, call);
  int bounds = read_box(e, condition, first, args + func->rank), count = func->rank + bounds;
  if (value) args[count++] = value;
  int slot = func == e->own ? e->own_slots[part] : hy_slot_of(e, hy_func_type(func, part));
  if (value && func == e->own)
    hy_typing_want_own_part(e, value, part);
  else if (value)
    hy_elaboration_want(e, value, hy_func_type(func, part),
                        hy_arena_printf(e->arena, "the value outside of '%s'", func->name));
  hy_typed model = {.func = func, .part = part, .boundary = boundary, .interval_count = bounds / 2, .slot = slot};
  hy_typed *node = hy_typed_branch(e, HY_TYPED_BOUNDARY, written, model, args, count);
  if (node->kind == HY_TYPED_BAD) return node;
  node->nodes = COPIES * (node->nodes + (uint32_t)func->rank);
  node->height += DEEPER + func->rank;
  node->nesting += DEEPER;
  return hy_typed_within_limits(e, node);
}

const hy_expr *hy_elaboration_build_boundary(hy_elaboration *e, const hy_typed *typed, const hy_expr *const *args,
                                             hy_access_sites *sites) {
  const hy_func *func = typed->func;
  hy_interval box[HY_MAX_RANK];
  int treated = typed->interval_count ? typed->interval_count : func->is_image ? func->rank : 0;
  for (int d = 0; d < treated; d++) {
    const hy_expr *const *given = args + func->rank + 2 * d;
    bool is_given = typed->interval_count > 0;
    box[d].min = is_given ? given[0] : hy_expand_box(e->context, HY_BOX_MIN, func, d);
    box[d].len = is_given ? given[1] : hy_expand_box(e->context, HY_BOX_LEN, func, d);
  }
  const hy_expr *value = hy_boundary_takes_value(typed->boundary) ? args[typed->count - 1] : NULL, *access;
  const hy_expr *expr =
      hy_expand_boundary(e->context, typed->boundary, func, typed->part, box, treated, args, value, &access);
  hy_elaboration_note_access(e, typed, access, sites);
  return expr;
}
