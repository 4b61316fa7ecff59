#include "sched/sugar.h"

#include <string.h>

/* Bounds directives: "bound(f, x, min, len)", "bound_extent(f, x, len)", "align_bounds(f, x, modulus, remainder)", and
 * the same as methods of a chain. They are applied after all others, in the order of the text.
 */

static const struct {
  const char *name;
  const hy_directive_type *type;
  int least, most; // expressions after the dimension
  const char *form;
} rows[] = {{"bound", &hy_directive_bound, 2, 2, "x, min, length"},
            {"bound_extent", &hy_directive_bound_extent, 1, 1, "x, length"},
            {"align_bounds", &hy_directive_align_bounds, 1, 2, "x, modulus, remainder"}};

bool hy_sugar_is_bounds(const char *name) {
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strcmp(name, rows[i].name) == 0) return true;
  return false;
}

static int find_row(const char *name) {
  int i = 0;
  while (strcmp(name, rows[i].name) != 0) i++;
  return i;
}

static int find_dim(hy_sugar *s, const hy_func *func, const hy_argument *argument) {
  for (int d = 0; d < func->rank; d++)
    if (strcmp(func->dims[d], argument->path[0]) == 0) return d;
  s->failed = true;
  hy_text dims = {0};
  for (int d = 0; d < func->rank; d++) hy_text_printf(&dims, "%s%s", d ? ", " : "", func->dims[d]);
  char *help = hy_arena_printf(hy_context_arena(s->context), func->rank ? "its dimensions are %s" : "it has none%s",
                               hy_text_string(&dims));
  hy_text_free(&dims);
  hy_report(s->diagnostics, HY_E_UNKNOWN_DIMENSION, argument->loc, "DIR.Bound (section 8.5)", help,
            "'%s' has no dimension '%s'; bounds speak of dimensions, not of loops", func->name, argument->path[0]);
  return -1;
}

// The arguments after the func: a dimension, then expressions.
static void add(hy_sugar *s, const hy_call *call, const hy_func *func, const hy_argument *args, int count) {
  int row = find_row(call->name);
  int before = call->count - count; // 1: the func
  const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(func, %s), or in a chain .%s(%s)", call->name,
                                     rows[row].form, call->name, rows[row].form);
  if (!hy_sugar_takes(s, call, before + 1 + rows[row].least, before + 1 + rows[row].most, before, before + 1, form))
    return;
  hy_directive directive = {.type = rows[row].type, .loc = call->loc, .func = func};
  for (int i = 1; i < count; i++) directive.at.args[i - 1] = args[i].loc;
  directive.dim = find_dim(s, func, &args[0]);
  if (s->failed) return;
  directive.args[1] = hy_expr_int(s->context, 0); // align_bounds without a remainder
  for (int i = 1; i < count; i++)
    if (!(directive.args[i - 1] = hy_sugar_startup(s, &args[i], HY_INT))) return;
  hy_vec_push(&s->bounds, directive);
}

void hy_sugar_bounds(hy_sugar *s, const hy_call *call) {
  if (call->count < 1 || call->args[0].path_count != 1) {
    hy_sugar_refuse(
        s, call,
        hy_arena_printf(hy_context_arena(s->context), "%s(func, %s)", call->name, rows[find_row(call->name)].form));
    return;
  }
  const hy_func *func = hy_sugar_func(s, call->args[0].path[0], call->args[0].loc);
  if (func) add(s, call, func, call->args + 1, call->count - 1);
}

void hy_sugar_chain_bounds(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  add(s, call, chain->func, call->args, call->count);
}
