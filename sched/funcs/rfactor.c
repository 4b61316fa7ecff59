#include "sched/funcs/funcs.h"
#include "sched/funcs/monoid.h"

#include "semantics/alg/expand/expand.h"
#include "semantics/text/syntax.h"

#include <math.h>
#include <string.h>

/* rewrite: label f.sk: for x1 .. pure: for r ..: for q ..: if p then f(e) <- f(e) op v
 *       -> allocate i B  label i: compute i on I:
 *            label i.s0: for u: for xn: .. for x1:               i(x1, .., xn, u) <- identity of op
 *            label i.s1: for u: for x1 .. pure: for q ..: if p'  then i(e', u) <- i(e', u) op v'      ' : u for r
 *          label f.sk: for xn: .. for x1: for r:                 f(x1, .., xn) <- f(x1, .., xn) op i(x1, .., xn, r)
 *   f(e) <- v if p && v[j] < f(e)[j], what argmin makes, is taken apart likewise: i begins with what nothing is beyond, and
 *   f(x1, .., xn) <- i(x1, .., xn, r) if i(x1, .., xn, r)[j] < f(x1, .., xn)[j].
 *   Sound where op is associative and commutative with that identity: what f(x) is combined with is the same, in
 * another order. An error stays one: each operator but && and || is an error where an argument is, and those combine
 * none.
 */

typedef hy_lowered_stage stage;

/* -- may it be applied? -- */

// DIR.RFactor.Loop
static bool is_reduction(hy_context *context, const hy_tgt *tgt, const hy_stmt *loop, const hy_directive *d,
                         hy_diagnostics *diagnostics) {
  const char *why = loop->loop.is_pure ? "is no loop of a reduction" : NULL;
  stage s = hy_funcs_stage(tgt, d->loop);
  if (!why && d->func->rank == HY_MAX_RANK) why = "cannot become a dimension: the func has as many as there may be";
  if (!why && hy_funcs_names_point(&s, d->loop))
    why = "names the point that is updated: each of its values has points of its own";
  if (!why) return true;
  hy_context_hit(context, HY_RULE_DIR_RFACTOR_LOOP);
  hy_report(diagnostics, HY_E_RFACTOR_LOOP, hy_directive_at(d, d->at.loop), "DIR.RFactor.Loop (decision D87)",
            "name a variable of the update's rdom, over which it combines values", "'%s' %s",
            hy_names_of(context, d->loop), why);
  return false;
}

// DIR.RFactor.Operator
static bool is_proved(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  hy_update update;
  stage s = hy_funcs_stage(tgt, d->loop);
  const char *why = hy_update_of(context, tgt, s.assign, s.predicate, s.loops, s.loop_count, d->loop, &update);
  if (!why) return true;
  hy_context_hit(context, HY_RULE_DIR_RFACTOR_OPERATOR);
  hy_report(diagnostics, HY_E_RFACTOR_OPERATOR, d->loc, "DIR.RFactor.Operator (decision D87)",
            "write the partial results as a func of their own, with one more dimension, if any order is meant",
            "the parts of '%s' cannot be combined in another order: its update %s", d->func->name, why);
  return false;
}

// SCH.Fresh, of a dimension, which stands in the text as the variable of a func does.
static bool is_no_word(hy_context *context, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (!hy_is_reserved_word(d->names[0])) return true;
  hy_context_hit(context, HY_RULE_SCH_FRESH);
  hy_report(diagnostics, HY_E_NAME_CLASH, hy_directive_at(d, d->at.names[0]),
            "SCH.Fresh (section 8.2: new, unique, non-conflicting names)", "choose another name",
            "'%s' is a word of the language, which no dimension can be called", d->names[0]);
  return false;
}

static bool is_free(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  static const char *const nothing[2] = {NULL, NULL};
  return is_no_word(context, d, diagnostics) && hy_names_free(context, tgt, d, d->names[0], nothing, diagnostics) &&
         hy_funcs_name_free(context, tgt, d, diagnostics);
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_names_loop(context, tgt, d, diagnostics);
  return loop && is_reduction(context, tgt, loop, d, diagnostics) && is_free(context, tgt, d, diagnostics) &&
         is_proved(context, tgt, d, diagnostics);
}

/* -- the rewrite -- */

typedef struct {
  hy_context *context;
  const hy_directive *d;
  const hy_func *func, *made;
  stage s;
  hy_update update;
} factoring;

static const hy_expr *variable(const factoring *f, const hy_func *func, int number, const char *name) {
  return hy_expr_var(f->context, hy_var_loop(f->context, func, 0, number, name));
}

static const hy_stmt *dimension_loop(const factoring *f, const hy_func *func, int number, int dim, bool last,
                                     const hy_stmt *body) {
  const hy_var *var = hy_var_loop(f->context, func, 0, number, func->dims[dim]);
  hy_interval range = hy_funcs_box(f->context, func)[dim];
  if (!last) range = hy_funcs_own_range(f->context, func, dim, var);
  return hy_stmt_for(f->context, var, true, HY_SERIAL, range, body);
}

// What f's parts begin with: an infinity is written as a quotient, as reductions write it.
static const hy_expr *beginning(const factoring *f, int part) {
  const hy_value identity = f->update.identity[part];
  hy_type type = hy_func_type(f->made, part);
  if (hy_type_class_of(type) != HY_CLASS_FLOAT || !isinf(hy_value_to_double(identity)))
    return hy_expr_const(f->context, identity);
  return hy_expand_start(f->context, hy_value_to_double(identity) > 0 ? HY_REDUCTION_MINIMUM : HY_REDUCTION_MAXIMUM,
                         type);
}

// i(x1, .., xn, u) <- identity
static const hy_stmt *first_stage(const factoring *f) {
  const hy_expr *values[HY_MAX_PARTS], *at[HY_MAX_RANK];
  const int parts = hy_func_parts(f->made);
  for (int part = 0; part < parts; part++) values[part] = beginning(f, part);
  for (int d = 0; d < f->made->rank; d++) at[d] = variable(f, f->made, 0, f->made->dims[d]);
  const hy_stmt *body = hy_stmt_assign(f->context, f->made, 0, 0, at, hy_expr_tuple(f->context, values, parts));
  for (int d = 0; d < f->made->rank; d++) body = dimension_loop(f, f->made, 0, d, false, body);
  return hy_stmt_label(f->context, HY_LABEL_STAGE, f->made, 0, body);
}

// Loops of f.sk are those of i.s1, and r is u.
static hy_binding renamed(const factoring *f, const hy_stmt *loop) {
  const hy_var *var = loop->loop.var;
  return (hy_binding){var, variable(f, f->made, 1, var == f->d->loop ? f->d->names[0] : var->name)};
}

static const hy_expr *moved(const factoring *f, const hy_expr *expr) {
  hy_binding bindings[HY_COUNT(f->s.loops)];
  for (int i = 0; i < f->s.loop_count; i++) bindings[i] = renamed(f, f->s.loops[i]);
  return hy_expr_substitute(f->context, expr, bindings, (size_t)f->s.loop_count);
}

// f(e') -> i(e', u)
static const hy_expr *redirected(void *self, const hy_expr *node) {
  const factoring *f = self;
  if (node->kind != HY_EXPR_ACCESS || node->func != f->func) return node;
  const hy_expr *at[HY_MAX_RANK];
  for (int d = 0; d < node->count; d++) at[d] = node->args[d];
  at[node->count] = variable(f, f->made, 1, f->d->names[0]);
  return hy_expr_access_part(f->context, f->made, node->part, at);
}

// i(e', u) <- i(e', u) op v': what is combined reads f nowhere else
static const hy_stmt *partial(factoring *f) {
  const hy_expr *values[HY_MAX_PARTS], *at[HY_MAX_RANK];
  const int rank = f->func->rank, parts = hy_func_parts(f->func);
  for (int d = 0; d < rank; d++) at[d] = moved(f, f->s.assign->assign.lhs[d]);
  at[rank] = variable(f, f->made, 1, f->d->names[0]);
  for (int part = 0; part < parts; part++) {
    const hy_expr *value = moved(f, hy_expr_part(f->s.assign->assign.rhs, part));
    values[part] = hy_expr_map(f->context, value, redirected, f);
  }
  return hy_stmt_assign(f->context, f->made, 0, 1, at, hy_expr_tuple(f->context, values, parts));
}

static int dimension_of(const hy_func *func, const char *name) {
  for (int d = 0; d < func->rank; d++)
    if (strcmp(func->dims[d], name) == 0) return d;
  HY_UNREACHABLE();
}

static const hy_stmt *second_stage(factoring *f) {
  const hy_stmt *body = partial(f);
  if (f->s.predicate) {
    const hy_expr *predicate = hy_expr_map(f->context, moved(f, f->s.predicate), redirected, f);
    body = hy_stmt_if(f->context, HY_IF_USER, predicate, body, NULL);
  }
  for (int i = f->s.loop_count; i-- > 0;) {
    const hy_stmt *loop = f->s.loops[i];
    if (loop->loop.var == f->d->loop) continue;
    if (loop->loop.is_pure)
      body = dimension_loop(f, f->made, 1, dimension_of(f->func, loop->loop.var->name), true, body);
    else
      body = hy_stmt_for(f->context, renamed(f, loop).expr->var, false, HY_SERIAL, loop->loop.interval, body);
  }
  body = dimension_loop(f, f->made, 1, f->func->rank, true, body);
  return hy_stmt_label(f->context, HY_LABEL_STAGE, f->made, 1, body);
}

// DIR.RFactor.Arg: f(x1, .., xn) <- i(x1, .., xn, r) if i(x1, .., xn, r)[j] < f(x1, .., xn)[j]
static const hy_stmt *keep_better(const factoring *f, const hy_expr *const *at, const hy_stmt *body) {
  const hy_expr *partial = hy_expr_access_part(f->context, f->made, f->update.deciding, at);
  const hy_expr *whole = hy_expr_access_part(f->context, f->func, f->update.deciding, at);
  hy_context_hit(f->context, HY_RULE_DIR_RFACTOR_ARG);
  const hy_expr *is_better = hy_expand_comes_before(f->context, f->update.better, partial, whole);
  return hy_stmt_if(f->context, HY_IF_USER, is_better, body, NULL);
}

// f(x1, .., xn) <- f(x1, .., xn) op i(x1, .., xn, r)
static const hy_stmt *merging_stage(const factoring *f, bool last) {
  const hy_expr *values[HY_MAX_PARTS], *at[HY_MAX_RANK];
  const int rank = f->func->rank, parts = hy_func_parts(f->func), number = f->d->loop->stage;
  for (int d = 0; d < rank; d++) at[d] = variable(f, f->func, number, f->func->dims[d]);
  at[rank] = hy_expr_var(f->context, f->d->loop);
  for (int part = 0; part < parts; part++) {
    const hy_expr *partial = hy_expr_access_part(f->context, f->made, part, at);
    const hy_expr *whole = hy_expr_access_part(f->context, f->func, part, at);
    values[part] = f->update.keeps_where ? partial : hy_expr_binary(f->context, f->update.op[part], whole, partial);
  }
  const hy_stmt *body = hy_stmt_assign(f->context, f->func, 0, number, at, hy_expr_tuple(f->context, values, parts));
  if (f->update.keeps_where) body = keep_better(f, at, body);
  for (int i = 0; i < f->s.loop_count; i++)
    if (f->s.loops[i]->loop.var == f->d->loop)
      body = hy_stmt_for(f->context, f->d->loop, false, HY_SERIAL, f->s.loops[i]->loop.interval, body);
  for (int d = 0; d < rank; d++) body = dimension_loop(f, f->func, number, d, last, body);
  return hy_stmt_label(f->context, HY_LABEL_STAGE, f->func, number, body);
}

// DIR.RFactor
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  factoring f = {.context = context, .d = d, .func = d->func, .made = d->made, .s = hy_funcs_stage(tgt, d->loop)};
  const char *why =
      hy_update_of(context, tgt, f.s.assign, f.s.predicate, f.s.loops, f.s.loop_count, d->loop, &f.update);
  HY_ASSERT(!why);
  const hy_stmt *stages[] = {first_stage(&f), second_stage(&f)};
  const hy_stmt *body =
      hy_stmt_compute(context, f.made, hy_funcs_box(context, f.made), hy_stmt_seq(context, stages, 2));
  const hy_stmt *merging = merging_stage(&f, d->loop->stage == hy_tgt_stage_count(tgt, f.func) - 1);
  tgt = hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, f.s.label, merging));
  hy_context_hit(context, HY_RULE_DIR_RFACTOR);
  return hy_funcs_insert(context, tgt, d, hy_stmt_label(context, HY_LABEL_FUNC, f.made, 0, body), 2);
}

static bool may_add(const hy_directive *d, const hy_hole *hole) {
  return hole->func == d->made ||
         (hole->kind == HY_HOLE_FOR && hole->func == d->func && hole->loop->stage == d->loop->stage);
}

const hy_directive_type hy_directive_rfactor = {
    .name = "rfactor",
    .form = "rfactor(f.s1.r, u, i)",
    .summary = "adds the func i, which has f's reduction apart for each value of r, as its dimension u; f's update "
               "combines those",
    .alone = "rfactor(f.s1.r, u, i), or in a chain f.update(0).rfactor(r, u)",
    .phase = HY_PHASE_FUNCS,
    .arguments = {HY_TAKES_LOOP, HY_TAKES_NAME, HY_TAKES_MADE},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds,
    .may_add = may_add};
