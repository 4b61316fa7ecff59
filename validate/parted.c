#include "validate/validate_internal.h"

/* L0 of split_reduction: in place of the loop of the reduction stand two, over blocks of its range and in a block, and
 * the assignment is the one before with min + inner + factor*outer for the loop's variable, under the condition that
 * this is in the range. It looks at the two programs alone. What comes to the same, that && is lazy and that nothing in
 * the condition errs, is DIR.Split-Reduction's.
 */

typedef struct {
  hy_context *context;
  const hy_directive *d;
  const hy_stage_copy *before, *after;
  const hy_expr *outer, *inner; // the new loops' variables
  hy_interval range;            // of the loop that was there
} parting;

static bool same_loop(const hy_stmt *old, const hy_stmt *new) {
  return old->kind == new->kind &&
         (old->kind != HY_STMT_FOR ||
          (old->loop.var == new->loop.var && old->loop.is_pure == new->loop.is_pure &&
           old->loop.traversal == new->loop.traversal && old->loop.interval.min == new->loop.interval.min &&
           old->loop.interval.len == new->loop.interval.len));
}

// The interval is (0, as many as n blocks of c are), or (0, c).
static bool ranges_fit(const parting *p, const hy_stmt *outer, const hy_stmt *inner) {
  const hy_expr *zero = hy_expr_int(p->context, 0), *c = p->d->args[0];
  int64_t factor;
  if (!hy_expr_is_int(c, &factor) || factor < 1) return false;
  const hy_expr *spare = hy_expr_int(p->context, factor - 1);
  const hy_expr *blocks = hy_index_div(p->context, hy_index_add(p->context, p->range.len, spare), c);
  return outer->loop.interval.min == zero && outer->loop.interval.len == blocks && inner->loop.interval.min == zero &&
         inner->loop.interval.len == c;
}

// The statements down to the assignment but for predicates: the same, with two loops for the one.
static bool same_loops(const parting *p) {
  const hy_stage_copy *a = p->before, *b = p->after;
  int at = 0;
  for (int i = 0; i < a->count; i++) {
    const hy_stmt *old = a->chain[i];
    if (old->kind == HY_STMT_IF || old->kind == HY_STMT_ASSIGN) continue;
    if (at >= b->count) return false;
    const hy_stmt *new = b->chain[at++];
    if (old->kind != HY_STMT_FOR || old->loop.var != p->d->loop) {
      if (!same_loop(old, new)) return false;
      continue;
    }
    const hy_stmt *inner = at < b->count ? b->chain[at++] : NULL;
    if (new->kind != HY_STMT_FOR || !inner || inner->kind != HY_STMT_FOR || new->loop.is_pure || inner->loop.is_pure ||
        new->loop.var != p->outer->var || inner->loop.var != p->inner->var || !ranges_fit(p, new, inner))
      return false;
  }
  for (; at < b->count; at++)
    if (b->chain[at]->kind != HY_STMT_IF && b->chain[at]->kind != HY_STMT_ASSIGN) return false;
  return true;
}

static bool same_assignment(const parting *p, const hy_binding *taken) {
  const hy_stmt *old = p->before->assign, *new = p->after->assign;
  for (int d = 0; d < p->before->func->rank; d++)
    if (hy_expr_substitute(p->context, old->assign.lhs[d], taken, 1) != new->assign.lhs[d]) return false;
  return hy_expr_substitute(p->context, old->assign.rhs, taken, 1) == new->assign.rhs;
}

// Does the factor divide the range, so that no block is cut?
static bool is_exact(const parting *p) {
  int64_t n, c;
  if (!hy_expr_is_int(p->d->args[0], &c)) return false;
  return c == 1 || (hy_expr_is_int(p->range.len, &n) && n % c == 0);
}

static const char *check(const parting *p) {
  hy_context *context = p->context;
  const hy_expr *was = hy_stage_predicate(p->before), *is = hy_stage_predicate(p->after);
  const hy_expr *first = hy_index_mul(context, p->d->args[0], p->outer);
  const hy_expr *value = hy_index_add(context, hy_index_add(context, p->range.min, p->inner), first);
  const hy_expr *end = hy_index_add(context, p->range.min, p->range.len);
  const hy_expr *inside = is_exact(p) ? NULL : hy_expr_binary(context, HY_OP_LT, value, end);
  if (inside && was && was->has_access)
    value = hy_index_min(context, value, hy_index_sub(context, end, hy_expr_int(context, 1)));
  const hy_binding taken = {p->d->loop, value};
  const hy_expr *condition = was ? hy_expr_substitute(context, was, &taken, 1) : NULL;
  if (inside) condition = condition ? hy_expr_and(context, inside, condition) : inside;
  if (!same_loops(p)) return "its loops are not those before with two for the one that was split";
  if (condition != is) return "its condition is not that the parts are in the range, and the predicate before";
  return same_assignment(p, &taken) ? NULL : "its assignment is not the one before";
}

static bool is_same_stage(const hy_stage_copy *before, const hy_stage_copy *c) {
  bool good = before->count == c->count && before->assign->assign.rhs == c->assign->assign.rhs &&
              hy_stage_predicate(before) == hy_stage_predicate(c);
  for (int i = 0; i < c->count && good; i++) good = same_loop(before->chain[i], c->chain[i]);
  for (int d = 0; d < c->func->rank && good; d++) good = before->assign->assign.lhs[d] == c->assign->assign.lhs[d];
  return good;
}

const char *hy_validate_parted(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                               const hy_stage_copy *from, const hy_stage_copy *copy) {
  const hy_var *taken = directive->loop;
  const hy_stage_copy *old = hy_stages_find(before, copy->func, copy->spec, copy->stage);
  const char *wrong = NULL;
  if (from) {
    wrong = is_same_stage(from, copy) ? NULL : "it is another stage";
  } else {
    const hy_stmt *loop = old ? hy_stage_loop(old, taken) : NULL;
    parting p = {.context = context, .d = directive, .before = old, .after = copy};
    for (int i = 0; i < 2; i++)
      *(i ? &p.inner : &p.outer) =
          hy_expr_var(context, hy_var_loop(context, taken->func, taken->spec, taken->stage, directive->names[i]));
    if (loop) p.range = loop->loop.interval;
    wrong = !loop || loop->loop.is_pure ? "there is no such loop of a reduction" : check(&p);
  }
  if (!wrong) return NULL;
  return hy_arena_printf(hy_context_arena(context), "%s: %s", hy_stage_name(context, copy), wrong);
}
