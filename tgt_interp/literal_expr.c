#include "tgt_interp/literal_internal.h"

/* E, M |- e => v: a walk over the expression's tree, one function per rule. Nothing is remembered. */

enum { DEEPEST = 2000 }; // nested premises

// TGT.Const: a constant is its value, a variable what the environment says.
static hy_value constant(literal *l, const lane *e, const hy_expr *expr) {
  if (!hy_literal_apply(l, HY_RULE_TGT_CONST)) return hy_value_zero(expr->type);
  hy_value value = expr->kind == HY_EXPR_VAR ? hy_literal_lookup(e->env, expr->var) : expr->value;
  hy_literal_trace_variable(l, expr->kind == HY_EXPR_VAR ? expr->var : NULL, value);
  return value;
}

// TGT.Op: all arguments, then the operator, which joins their errors.
static hy_value operation(literal *l, const lane *e, const hy_expr *expr) {
  hy_value args[HY_MAX_ARITY];
  if (!hy_literal_apply(l, HY_RULE_TGT_OP)) return hy_value_zero(expr->type);
  const char *name = expr->op == HY_OP_CAST ? hy_type_name(expr->type) : hy_op_spelling(expr->op);
  hy_literal_trace_premise(l, HY_RULE_TGT_OP, name);
  for (int i = 0; i < expr->count; i++) args[i] = hy_literal_eval(l, e, expr->args[i]);
  hy_value value = hy_value_apply(expr->op, expr->type, args);
  hy_literal_trace_value(l, value);
  return value;
}

// Which argument the first one selects; -1: it is the value itself.
static int selected(const hy_expr *expr, hy_value first) {
  if (expr->op == HY_OP_SELECT) return hy_value_is_true(first) ? 1 : 2;
  return hy_value_is_true(first) == (expr->op == HY_OP_AND) ? 1 : -1;
}

// TGT.Op-Lazy: select, && and || evaluate what decides and what is selected (decision D4); an error that decides is the
// value.
static hy_value lazy_operation(literal *l, const lane *e, const hy_expr *expr) {
  if (!hy_literal_apply(l, HY_RULE_TGT_OP_LAZY)) return hy_value_zero(expr->type);
  hy_literal_trace_premise(l, HY_RULE_TGT_OP_LAZY, hy_op_spelling(expr->op));
  hy_value first = hy_literal_eval(l, e, expr->args[0]), value = first;
  if (first.error) {
    value = hy_value_error(expr->type, (hy_error)first.error);
  } else {
    int arm = selected(expr, first);
    if (arm > 0) value = hy_literal_eval(l, e, expr->args[arm]);
  }
  value.undefined |= first.undefined;
  hy_literal_trace_value(l, value);
  return value;
}

static hy_value read_outside(literal *l, const hy_expr *access);

// TGT.Read: the cell's value; with an erring coordinate the join of the errors.
static bool lose(literal *l, const hy_func *func);

static hy_value read_cell(literal *l, const lane *e, const hy_expr *expr) {
  hy_value coordinates[HY_MAX_RANK];
  if (!hy_literal_apply(l, HY_RULE_TGT_READ)) return hy_value_zero(expr->type);
  hy_literal_trace_premise(l, HY_RULE_TGT_READ, expr->func->name);
  for (int d = 0; d < expr->count; d++) coordinates[d] = hy_literal_eval(l, e, expr->args[d]);
  const location *at = hy_literal_location(e->env, expr->func);
  place p = hy_literal_locate(at, expr->count, coordinates);
  hy_value value = p.error     ? hy_value_error(expr->type, p.error)
                   : !p.inside ? read_outside(l, expr)
                               : hy_literal_get(at, expr->part, coordinates);
  value.undefined |= p.undefined;
  if (!p.error && p.inside && at->holds && !hy_literal_holds(at, coordinates)) value.undefined = lose(l, expr->func);
  hy_literal_trace_value(l, value);
  return value;
}

// TGT.Read-Fold: the cell holds another point; what was stored at this one is gone.
static bool lose(literal *l, const hy_func *func) {
  hy_literal_apply(l, HY_RULE_TGT_READ_FOLD);
  hy_literal_trace_premise(l, HY_RULE_TGT_READ_FOLD, func->name);
  return true;
}

// TGT.Read-Out: outside Mem an access is eps_mem.
static hy_value read_outside(literal *l, const hy_expr *access) {
  hy_literal_apply(l, HY_RULE_TGT_READ_OUT);
  hy_literal_trace_premise(l, HY_RULE_TGT_READ_OUT, access->func->name);
  return hy_value_error(access->type, HY_ERROR_MEM);
}

hy_value hy_literal_eval(literal *l, const lane *e, const hy_expr *expr) {
  if (l->stopped) return hy_value_zero(expr->type);
  if (l->depth >= DEEPEST) {
    hy_literal_stop(l, HY_RUN_LIMIT);
    return hy_value_zero(expr->type);
  }
  hy_value value = hy_value_zero(expr->type);
  l->depth++;
  switch (expr->kind) {
  case HY_EXPR_CONST:
  case HY_EXPR_VAR: value = constant(l, e, expr); break;
  case HY_EXPR_ACCESS: value = read_cell(l, e, expr); break;
  case HY_EXPR_OP: {
    bool lazy = hy_op_is_lazy(expr->op) && l->options->mode == HY_LAZY;
    value = lazy ? lazy_operation(l, e, expr) : operation(l, e, expr);
    break;
  }
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: HY_DIE("a hole or a tuple in an expression of a program that runs");
  }
  l->depth--;
  return value;
}

/* -- what an expression reads, whatever is selected -- */

typedef struct watcher {
  literal *l;
  const hy_stmt *stmt;
  const lane *e;
} watcher;

static void tell_read(watcher *w, hy_contract contract, const hy_func *func, const hy_value *coordinates) {
  hy_text story = {0};
  hy_text_add(&story, "reads ");
  hy_literal_point(&story, func, coordinates);
  hy_text_add(&story, contract == HY_CONTRACT_UNDEFINED ? ", at an undefined address" : ", outside Mem");
  hy_literal_breach(w->l, w->stmt, w->e, contract, &story);
}

static void watch_access(void *self, const hy_expr *expr) {
  watcher *w = self;
  hy_value coordinates[HY_MAX_RANK];
  if (expr->kind != HY_EXPR_ACCESS || !is_watched(w->l)) return;
  hy_literal_apply(w->l, HY_RULE_TGT_READ_ARMS);
  hy_literal_trace_premise(w->l, HY_RULE_TGT_READ_ARMS, expr->func->name);
  for (int d = 0; d < expr->count; d++) coordinates[d] = hy_literal_eval(w->l, w->e, expr->args[d]);
  place p = hy_literal_locate(hy_literal_location(w->e->env, expr->func), expr->count, coordinates);
  if (w->l->stopped) return;
  if (p.undefined) {
    hy_literal_apply(w->l, HY_RULE_TGT_MON_UNDEFINED);
    tell_read(w, HY_CONTRACT_UNDEFINED, expr->func, coordinates);
  } else if (!p.error && !p.inside) {
    tell_read(w, HY_CONTRACT_READ_OUTSIDE, expr->func, coordinates);
  }
}

// TGT.Read-Arms: every access with ordinary coordinates lies in Mem, those of parts that lazy mode skips included
// (D56).
void hy_literal_watch(literal *l, const hy_stmt *stmt, const lane *e, const hy_expr *expr) {
  if (!is_watched(l) || !expr->has_access) return;
  watcher w = {l, stmt, e};
  l->depth++;
  hy_expr_visit(expr, watch_access, &w);
  l->depth--;
}
