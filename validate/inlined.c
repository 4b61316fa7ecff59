#include "validate/validate_internal.h"

/* L0 of compute_inline: walks the expression before and the one after side by side. Where the one before reads the func
 * that is gone, the one after must have its definition, with that access's arguments for its variables; and each
 * argument is evaluated there, or a guard of the form select(m == m, .., 0) evaluates it. It shares nothing with the
 * rewrite: nothing is substituted here. A func reads itself nowhere, so that definitions do not nest.
 */

enum { MOST_COMPARISONS = 4000000 };

typedef struct {
  const hy_func *func;
  const hy_expr *values, *const *vars; // its definition; of a tuple, of all parts
  int left;                            // comparisons
} walk;

// Is the variable met by every evaluation?
static bool is_met(const hy_expr *expr, const hy_expr *var) {
  if (expr == var) return true;
  if (!hy_expr_mentions(expr, var->var)) return false;
  if (expr->kind == HY_EXPR_OP && expr->op == HY_OP_SELECT)
    return is_met(expr->args[0], var) || (is_met(expr->args[1], var) && is_met(expr->args[2], var));
  int count = expr->kind == HY_EXPR_OP && (expr->op == HY_OP_AND || expr->op == HY_OP_OR) ? 1 : expr->count;
  for (int i = 0; i < count; i++)
    if (is_met(expr->args[i], var)) return true;
  return false;
}

// What an access of the func reads.
static const hy_expr *value_of(const walk *w, const hy_expr *access) { return hy_expr_part(w->values, access->part); }

// A variable or a number, when it is expanded: nothing that could be an error.
static bool is_plain(const walk *w, const hy_expr *e) {
  if (e->kind == HY_EXPR_CONST) return !e->value.error;
  if (e->kind != HY_EXPR_ACCESS || e->func != w->func) return e->kind == HY_EXPR_VAR;
  for (int i = 0; i < e->count; i++)
    if (value_of(w, e) == w->vars[i]) return is_plain(w, e->args[i]);
  return is_plain(w, value_of(w, e));
}

// "access": whose definition is looked at; NULL: none.
static bool matches(walk *w, const hy_expr *before, const hy_expr *access, const hy_expr *after);

// The least of some arguments: min(min(e1, e2), e3).
static bool holds_argument(walk *w, const hy_expr *least, const hy_expr *argument) {
  if (matches(w, argument, NULL, least)) return true;
  return least->kind == HY_EXPR_OP && least->op == HY_OP_MIN &&
         (holds_argument(w, least->args[0], argument) || holds_argument(w, least->args[1], argument));
}

static bool is_guard(const hy_expr *e) {
  return e->kind == HY_EXPR_OP && e->op == HY_OP_SELECT && e->args[0]->kind == HY_EXPR_OP &&
         e->args[0]->op == HY_OP_EQ && e->args[0]->args[0] == e->args[0]->args[1];
}

static bool matches_access(walk *w, const hy_expr *before, const hy_expr *after) {
  const hy_expr *least = NULL;
  for (int i = 0; i < before->count; i++) {
    if (is_plain(w, before->args[i]) || is_met(value_of(w, before), w->vars[i])) continue;
    if (!least && !is_guard(after)) return false;
    least = after->args[0]->args[0];
    if (!holds_argument(w, least, before->args[i])) return false;
  }
  return matches(w, value_of(w, before), before, least ? after->args[1] : after);
}

static bool matches(walk *w, const hy_expr *before, const hy_expr *access, const hy_expr *after) {
  if (w->left-- <= 0) return false;
  if (!access && before->kind == HY_EXPR_ACCESS && before->func == w->func) return matches_access(w, before, after);
  for (int i = 0; access && i < access->count; i++)
    if (w->vars[i] == before) return matches(w, access->args[i], NULL, after);
  if (before == after && !access && !before->has_access) return true;
  if (before->kind != after->kind || before->type != after->type || before->count != after->count) return false;
  if (before->kind == HY_EXPR_CONST || before->kind == HY_EXPR_HOLE || before->kind == HY_EXPR_VAR)
    return before == after;
  if (before->kind == HY_EXPR_OP ? before->op != after->op : before->func != after->func || before->part != after->part)
    return false;
  for (int i = 0; i < before->count; i++)
    if (!matches(w, before->args[i], access, after->args[i])) return false;
  return true;
}

static const hy_stmt *next_predicate(const hy_stage_copy *c, int *at) {
  while (*at < c->count) {
    const hy_stmt *stmt = c->chain[(*at)++];
    if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER) return stmt;
  }
  return NULL;
}

static bool predicates_match(walk *w, const hy_stage_copy *before, const hy_stage_copy *after) {
  for (int at = 0, to = 0;;) {
    const hy_stmt *old = next_predicate(before, &at), *new = next_predicate(after, &to);
    if (!old || !new) return old == new;
    if (!matches(w, old->branch.condition, NULL, new->branch.condition)) return false;
  }
}

const char *hy_validate_inlined(hy_context *context, const hy_stage_list *stages, const hy_func *func,
                                const hy_stage_copy *before, const hy_stage_copy *after) {
  const hy_stage_copy *definition = hy_stages_find(stages, func, 0, 0);
  if (!definition || hy_stages_find(stages, func, 0, 1)) return "what is inlined is not one definition";
  walk w = {func, definition->assign->assign.rhs, definition->assign->assign.lhs, MOST_COMPARISONS};
  bool same =
      predicates_match(&w, before, after) && matches(&w, before->assign->assign.rhs, NULL, after->assign->assign.rhs);
  for (int i = 0; i < before->func->rank; i++)
    same = same && matches(&w, before->assign->assign.lhs[i], NULL, after->assign->assign.lhs[i]);
  if (same) return NULL;
  return hy_arena_printf(hy_context_arena(context), "the assignment of %s is not the one before with %s put in",
                         hy_stage_name(context, after), func->name);
}
