#include "sched/rewrite.h"

#include <stdlib.h>

/* rewrite: compute f on I: s
 *       -> compute f on I: if defined(c1) && c1 then label z1 in s[z1] else ... else label z0 in s
 *   s[k] is s with every loop and assignment of f renamed to specialization k (lemma 6.1). The last stage keeps the cpu
 *   hole in every branch; loop holes follow their loops (decision D41). A condition that errs is false (D27, D44).
 */

void hy_specialize_note(hy_diagnostics *diagnostics, hy_loc loc, const hy_func *func, const hy_expr *condition) {
  hy_text text = {0};
  hy_expr_print(condition, &text);
  hy_note(diagnostics, HY_E_UNKNOWN_LOOP, loc,
          "the copy of '%s' for '%s' begins with the loops that chains give '%s' before they turn to it", func->name,
          hy_text_string(&text), func->name);
  hy_text_free(&text);
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, directive->func);
  HY_ASSERT(compute && directive->condition_count > 0);
  if (compute->compute.body->kind != HY_STMT_IF) return true;
  // DIR.Specialize.Once: at most one specialize directive per func (section 8.1).
  hy_context_hit(context, HY_RULE_DIR_SPECIALIZE_ONCE);
  hy_report(diagnostics, HY_E_SPECIALIZED_TWICE, directive->loc, "DIR.Specialize.Once (section 8.1)",
            "write one specialize with all conditions", "'%s' is specialized twice", directive->func->name);
  return false;
}

typedef struct {
  hy_context *context;
  const hy_func *func;
  int spec;
} copying;

static const hy_var *copy_loop(const copying *c, const hy_var *var) {
  return hy_var_loop(c->context, var->func, c->spec, var->stage, var->name);
}

static bool is_own(const copying *c, const hy_var *var) {
  return var && var->kind == HY_VAR_LOOP && var->func == c->func;
}

static const hy_expr *copy_node(void *self, const hy_expr *node) {
  const copying *c = self;
  if (node->kind == HY_EXPR_VAR && is_own(c, node->var)) return hy_expr_var(c->context, copy_loop(c, node->var));
  if (node->kind != HY_EXPR_HOLE || !is_own(c, node->hole->loop)) return node;
  hy_hole hole = *node->hole;
  hole.loop = copy_loop(c, hole.loop);
  return hy_expr_hole(c->context, hy_hole_get(c->context, hole));
}

static const hy_expr *copy_expr(void *self, const hy_expr *expr) {
  return hy_expr_map(((copying *)self)->context, expr, copy_node, self);
}

// The names of loops and assignments; expressions have theirs already.
static const hy_stmt *copy_names(const copying *c, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = copy_names(c, children[i]);
  stmt = hy_stmt_with_children(c->context, stmt, fresh, count);
  hy_free(fresh);
  if (stmt->kind == HY_STMT_ASSIGN)
    return hy_stmt_assign(c->context, stmt->assign.func, c->spec, stmt->assign.stage, stmt->assign.lhs,
                          stmt->assign.rhs);
  if (stmt->kind != HY_STMT_FOR) return stmt;
  return hy_stmt_for(c->context, copy_loop(c, stmt->loop.var), stmt->loop.is_pure, stmt->loop.traversal,
                     stmt->loop.interval, stmt->loop.body);
}

static const hy_stmt *copy_stages(hy_context *context, const hy_func *func, const hy_stmt *stages, int spec) {
  copying c = {context, func, spec};
  return copy_names(&c, hy_stmt_map_exprs(context, stages, copy_expr, &c));
}

// DIR.Specialize
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_func *func = directive->func;
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, func), *stages = compute->compute.body;
  const hy_stmt *choice = hy_stmt_label(context, HY_LABEL_SPEC, func, 0, stages);
  for (int k = directive->condition_count; k > 0; k--) {
    const hy_expr *condition = directive->conditions[k - 1];
    const hy_stmt *copy = copy_stages(context, func, stages, k);
    copy = hy_stmt_label(context, HY_LABEL_SPEC, func, k, copy);
    choice = hy_stmt_if(context, HY_IF_SPECIALIZE, condition, copy, choice);
  }
  hy_context_hit(context, HY_RULE_DIR_SPECIALIZE);
  choice = hy_stmt_with_children(context, compute, &choice, 1);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, compute, choice));
}

// Loops of copied stages have holes of their own (decision D41).
static bool may_add(const hy_directive *directive, const hy_hole *hole) {
  return hole->kind == HY_HOLE_FOR && hole->func == directive->func && hole->loop->spec > 0;
}

const hy_directive_type hy_directive_specialize = {
    .name = "specialize",
    .form = "specialize(f, condition, ...)",
    .summary = "makes a copy of f's loops for each condition; loops of the k-th are f.zk.s0.x",
    .phase = HY_PHASE_SPECIALIZE,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_CONDITIONS},
    .applies = applies,
    .apply = apply,
    .may_add = may_add};
