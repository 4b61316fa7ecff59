#include "validate/validate_internal.h"

#include <math.h>

/* L0 of rfactor: the added func begins with what its operator leaves as it is, its update is the one before with u for
 * the loop that was taken, and the func's update combines its parts over that loop's range. It looks at the two
 * programs alone: what is added is named as before, and compared. That the operator may be used in another order is no
 * question of this shape: validate/reordered.c asks it (L3). What argmin makes is taken
 * apart at its outermost loop alone: the first of equal values stays the first.
 */

typedef struct {
  hy_context *context;
  const hy_func *made, *func;
  const hy_var *taken, *u; // the loop of the reduction, and the one that stands for it
  bool good;
} naming;

static const hy_expr *old_node(void *self, const hy_expr *node) {
  naming *n = self;
  if (node->kind == HY_EXPR_VAR && node->var->kind == HY_VAR_LOOP && node->var->func == n->made)
    return hy_expr_var(n->context, node->var == n->u
                                       ? n->taken
                                       : hy_var_loop(n->context, n->func, 0, n->taken->stage, node->var->name));
  if (node->kind != HY_EXPR_ACCESS || node->func != n->made) return node;
  n->good = n->good && node->args[n->func->rank] == hy_expr_var(n->context, n->taken);
  return hy_expr_access_part(n->context, n->func, node->part, node->args);
}

static bool same(naming *n, const hy_expr *before, const hy_expr *after) {
  return hy_expr_map(n->context, after, old_node, n) == before && n->good;
}

// Each coordinate of what is assigned a pure loop of its own, in the order of the dimensions.
static bool covers(hy_context *context, const hy_stage_copy *c) {
  bool good = c->pure_count == c->func->rank;
  for (int d = 0; d < c->func->rank && good; d++) good = c->assign->assign.lhs[d] == hy_expr_var(context, c->keys[d]);
  return good;
}

/* -- what argmin and argmax make: f(e) <- v if p && v[j] < f(e)[j] -- */

// a < b, a > b; false comes before true
static const hy_expr *comes_before(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b) {
  if (a->type != HY_BOOL) return hy_expr_binary(context, op, a, b);
  const hy_expr **lesser = op == HY_OP_LT ? &a : &b;
  *lesser = hy_expr_op(context, HY_OP_NOT, HY_BOOL, lesser);
  return hy_expr_binary(context, HY_OP_AND, a, b);
}

static bool has_order(hy_type type) { return hy_type_is_numeric(type) || type == HY_BOOL; }

bool hy_validate_keeps_better(hy_context *context, const hy_stmt *assign, const hy_expr *condition, hy_better *found) {
  const hy_func *func = assign->assign.func;
  for (int part = 0; part < hy_func_parts(func); part++) {
    const hy_expr *value = hy_expr_part(assign->assign.rhs, part);
    const hy_expr *kept = hy_expr_access_part(context, func, part, assign->assign.lhs);
    for (int k = 0; k < 2 && has_order(value->type); k++) {
      *found = (hy_better){k ? HY_OP_GT : HY_OP_LT, part};
      if (condition == comes_before(context, found->op, value, kept)) return true;
    }
  }
  return false;
}

// Is the stage such an update?
static bool better(hy_context *context, const hy_stage_copy *c, hy_better *found) {
  const hy_expr *condition = hy_stage_predicate(c);
  for (; condition; condition = condition->args[1]) {
    if (hy_validate_keeps_better(context, c->assign, condition, found)) return true;
    if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_AND) return false;
  }
  return false;
}

// Is nothing beyond it?
static bool is_farthest(hy_op op, hy_value value) {
  hy_type type = (hy_type)value.type;
  int64_t least, greatest;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT)
    return hy_value_same(value, hy_value_from_double(type, op == HY_OP_LT ? INFINITY : -INFINITY));
  hy_type_range(type, &least, &greatest);
  if (type == HY_U64) greatest = -1;
  return hy_value_same(value, hy_value_integral(type, op == HY_OP_LT ? greatest : least));
}

// A number, or the quotient of two, as which an infinity is written.
static bool is_number(const hy_expr *e, hy_value *value) {
  if (e->kind == HY_EXPR_CONST) return *value = e->value, !value->error;
  if (e->kind != HY_EXPR_OP || e->op != HY_OP_DIV || e->args[0]->kind != HY_EXPR_CONST ||
      e->args[1]->kind != HY_EXPR_CONST)
    return false;
  *value = hy_value_apply(HY_OP_DIV, e->type, (const hy_value[]){e->args[0]->value, e->args[1]->value});
  return !value->error;
}

static bool begins_farthest(const hy_stage_copy *c, hy_better better) {
  for (int part = 0; part < hy_func_parts(c->func); part++) {
    const hy_expr *value = hy_expr_part(c->assign->assign.rhs, part);
    hy_value number;
    if (!is_number(value, &number) || (part == better.part && !is_farthest(better.op, number))) return false;
  }
  return true;
}

// The parts in the order of the text, each kept where it is better than what was there.
static bool keeps_better(const naming *n, const hy_stage_copy *before, const hy_stage_copy *c, const hy_expr *const *at,
                         hy_better better) {
  const hy_expr *partial = hy_expr_access_part(n->context, n->made, better.part, at);
  const hy_expr *whole = hy_expr_access_part(n->context, n->func, better.part, at);
  bool good = before->keys[before->pure_count] == n->taken &&
              hy_stage_predicate(c) == comes_before(n->context, better.op, partial, whole);
  for (int part = 0; part < hy_func_parts(n->func) && good; part++)
    good = hy_expr_part(c->assign->assign.rhs, part) == hy_expr_access_part(n->context, n->made, part, at);
  return good;
}

/* -- the added func's first stage -- */

static bool keeps(hy_op op, hy_value identity) {
  static const int64_t some[] = {0, 1, -1, 2, 5, 77, -128, 127, INT64_MAX, INT64_MIN};
  hy_type type = (hy_type)identity.type;
  int64_t ends[2];
  if (hy_type_class_of(type) == HY_CLASS_FLOAT && op == HY_OP_ADD)
    return hy_value_same(identity, hy_value_from_double(type, -0.0)); // x + -0.0 is x
  if (hy_type_class_of(type) == HY_CLASS_FLOAT)
    return (op == HY_OP_MIN || op == HY_OP_MAX) &&
           is_farthest(op == HY_OP_MIN ? HY_OP_LT : HY_OP_GT, identity); // any number is nearer
  hy_type_range(type, &ends[0], &ends[1]);
  for (size_t i = 0; i < HY_COUNT(some) + 2; i++) {
    int64_t number = i < 2 ? ends[i] : some[i - 2];
    hy_value args[] = {hy_value_integral(type, number), identity}, turned[] = {args[1], args[0]};
    if (!hy_value_same(hy_value_apply(op, type, args), args[0])) return false;
    if (!hy_value_same(hy_value_apply(op, type, turned), args[0])) return false;
  }
  return true;
}

static bool begins(hy_context *context, const hy_stage_copy *before, const hy_stage_copy *c) {
  if (!covers(context, c) || c->rdom_count || hy_stage_predicate(c)) return false;
  hy_better kept;
  if (better(context, before, &kept)) return begins_farthest(c, kept);
  for (int part = 0; part < hy_func_parts(c->func); part++) {
    const hy_expr *value = hy_expr_part(c->assign->assign.rhs, part);
    const hy_expr *old = hy_expr_part(before->assign->assign.rhs, part);
    hy_value number;
    if (!is_number(value, &number) || old->kind != HY_EXPR_OP || !keeps(old->op, number)) return false;
  }
  return true;
}

/* -- its update -- */

// The loops of the reduction but the one that was taken, in their order and over their ranges.
static bool reduces(const naming *n, const hy_stage_copy *before, const hy_stage_copy *c) {
  int at = 0;
  for (int k = before->pure_count; k < before->pure_count + before->rdom_count; k++) {
    if (before->keys[k] == n->taken) continue;
    if (at == c->rdom_count) return false;
    const hy_stmt *old = hy_stage_loop(before, before->keys[k]), *new = hy_stage_loop(c, c->keys[c->pure_count + at++]);
    if (old->loop.var->name != new->loop.var->name || old->loop.interval.min != new->loop.interval.min ||
        old->loop.interval.len != new->loop.interval.len)
      return false;
  }
  return at == c->rdom_count;
}

static bool computes_parts(naming *n, const hy_stage_copy *before, const hy_stage_copy *c) {
  const hy_stmt *old = before->assign, *new = c->assign;
  const hy_expr *was = hy_stage_predicate(before), *is = hy_stage_predicate(c);
  if (!reduces(n, before, c) || c->pure_count != before->pure_count + 1 || !was != !is) return false;
  for (int d = 0; d < n->func->rank; d++)
    if (!same(n, old->assign.lhs[d], new->assign.lhs[d])) return false;
  return new->assign.lhs[n->func->rank] == hy_expr_var(n->context, n->u) && (!was || same(n, was, is)) &&
         same(n, old->assign.rhs, new->assign.rhs);
}

/* -- the func's own update -- */

static bool combines(const naming *n, const hy_stage_copy *before, const hy_stage_copy *c) {
  const hy_expr *at[HY_MAX_RANK];
  hy_better kept;
  bool keeps_where = better(n->context, before, &kept);
  if (!covers(n->context, c) || c->rdom_count != 1 || c->keys[c->pure_count] != n->taken) return false;
  const hy_stmt *old = hy_stage_loop(before, n->taken), *new = hy_stage_loop(c, n->taken);
  if (old->loop.interval.min != new->loop.interval.min || old->loop.interval.len != new->loop.interval.len)
    return false;
  for (int d = 0; d < n->func->rank; d++) at[d] = c->assign->assign.lhs[d];
  at[n->func->rank] = hy_expr_var(n->context, n->taken);
  if (keeps_where) return keeps_better(n, before, c, at, kept);
  if (hy_stage_predicate(c)) return false;
  for (int part = 0; part < hy_func_parts(n->func); part++) {
    const hy_expr *value = hy_expr_part(c->assign->assign.rhs, part);
    hy_op op = hy_expr_part(before->assign->assign.rhs, part)->op;
    const hy_expr *partial = hy_expr_access_part(n->context, n->made, part, at);
    const hy_expr *whole = hy_expr_access_part(n->context, n->func, part, at);
    if (value != hy_expr_binary(n->context, op, whole, partial)) return false;
  }
  return true;
}

static bool is_same_stage(const hy_stage_copy *before, const hy_stage_copy *c) {
  bool good = before->count == c->count && before->assign->assign.rhs == c->assign->assign.rhs &&
              hy_stage_predicate(before) == hy_stage_predicate(c);
  for (int d = 0; d < c->func->rank && good; d++) good = before->assign->assign.lhs[d] == c->assign->assign.lhs[d];
  return good;
}

const char *hy_validate_factored(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                                 const hy_stage_copy *from, const hy_stage_copy *copy) {
  const hy_var *taken = directive->loop, *u = hy_var_loop(context, directive->made, 0, 1, directive->names[0]);
  naming n = {context, directive->made, directive->func, taken, u, true};
  const hy_stage_copy *old = hy_stages_find(before, n.func, 0, taken->stage);
  const char *wrong = NULL;
  if (!old)
    wrong = "there is no such update";
  else if (copy->func == n.func && copy->stage == taken->stage)
    wrong = combines(&n, old, copy) ? NULL : "it does not combine the parts";
  else if (from)
    wrong = is_same_stage(from, copy) ? NULL : "it is another stage";
  else if (copy->stage == 0)
    wrong = begins(context, old, copy) ? NULL : "it does not begin with what the operator leaves as it is";
  else
    wrong = computes_parts(&n, old, copy) ? NULL : "its update is not the one that was taken apart";
  if (!wrong) return NULL;
  return hy_arena_printf(hy_context_arena(context), "%s: %s", hy_stage_name(context, copy), wrong);
}

bool hy_validate_sums_anew(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  bool floats = false;
  if (!directive->made || !directive->loop || !before->alg->floats_in_any_order) return false;
  hy_stage_list stages = hy_stages_of(context, before);
  const hy_stage_copy *update = hy_stages_find(&stages, directive->func, 0, directive->loop->stage);
  hy_better kept;
  if (!update || better(context, update, &kept)) return false;
  for (int part = 0; part < hy_func_parts(directive->func); part++) {
    const hy_expr *value = hy_expr_part(update->assign->assign.rhs, part);
    bool may =
        value->kind == HY_EXPR_OP && (value->op == HY_OP_ADD || value->op == HY_OP_MIN || value->op == HY_OP_MAX);
    floats |= may && hy_type_class_of(value->type) == HY_CLASS_FLOAT;
  }
  return floats;
}
