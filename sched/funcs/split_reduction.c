#include "sched/funcs/funcs.h"

#include "semantics/tgt/range.h"

/* rewrite: for r in (m, n): .. if p then f(e) <- v
 *       -> for ro in (0, ceil(n / c)): for ri in (0, c): .. if m + ri + c*ro < m + n && p' then f(e') <- v'
 *   ' : m + ri + c*ro for r. Where p reads nothing is known below it (B.If), so that there ' is
 *       min(m + ri + c*ro, m + n - 1) for r, the same below the condition.
 *   No condition where n is a constant multiple of c.
 *   The instances are the same in the same order: && is lazy, and the condition is no error (DIR.Split-Reduction.Width).
 */

typedef struct {
  const hy_stmt *loop;
  const hy_var *outer, *inner;
  hy_interval outer_range, inner_range;
  const hy_expr *value;  // m + ri + c*ro
  const hy_expr *inside; // that it is below m + n; NULL: it always is
} parts;

static bool is_multiple(const hy_expr *len, const hy_expr *factor) {
  int64_t n, c;
  if (!hy_expr_is_int(factor, &c)) return false;
  return c == 1 || (hy_expr_is_int(len, &n) && n % c == 0);
}

static parts parts_of(hy_context *context, const hy_directive *d, const hy_stmt *loop) {
  const hy_var *var = d->loop;
  const hy_expr *factor = d->args[0], *zero = hy_expr_int(context, 0), *one = hy_expr_int(context, 1);
  const hy_interval range = loop->loop.interval;
  parts p = {.loop = loop,
             .outer = hy_var_loop(context, var->func, var->spec, var->stage, d->names[0]),
             .inner = hy_var_loop(context, var->func, var->spec, var->stage, d->names[1])};
  const hy_expr *rounded = hy_index_add(context, range.len, hy_index_sub(context, factor, one));
  p.outer_range = (hy_interval){zero, hy_index_div(context, rounded, factor)};
  p.inner_range = (hy_interval){zero, factor};
  const hy_expr *first = hy_index_mul(context, factor, hy_expr_var(context, p.outer));
  p.value = hy_index_add(context, hy_index_add(context, range.min, hy_expr_var(context, p.inner)), first);
  if (!is_multiple(range.len, factor))
    p.inside = hy_expr_binary(context, HY_OP_LT, p.value, hy_index_add(context, range.min, range.len));
  return p;
}

/* -- may it be applied? -- */

// DIR.Split-Reduction.Loop
static bool is_reduction(hy_context *context, const hy_tgt *tgt, const hy_stmt *loop, const hy_directive *d,
                         hy_diagnostics *diagnostics) {
  const char *why = loop->loop.is_pure ? "is no loop of a reduction" : NULL;
  hy_lowered_stage stage = hy_funcs_stage(tgt, d->loop);
  if (!why && hy_funcs_names_point(&stage, d->loop))
    why = "names the point that is updated: each of its values has points of its own";
  if (!why && stage.loop_count == (int)HY_COUNT(stage.loops)) why = "stands in as many loops as a stage may have";
  if (!why) return true;
  hy_context_hit(context, HY_RULE_DIR_SPLIT_REDUCTION_LOOP);
  hy_report(diagnostics, HY_E_RFACTOR_LOOP, hy_directive_at(d, d->at.loop), "DIR.Split-Reduction.Loop (decision D87)",
            "name a variable of the update's rdom, over which it combines values", "'%s' %s",
            hy_names_of(context, d->loop), why);
  return false;
}

// DIR.Split-Reduction.Width: what the parts are made of must be no error where r was none.
static bool is_number(hy_context *context, const hy_tgt *tgt, const hy_stmt *loop, const hy_directive *d,
                      hy_diagnostics *diagnostics) {
  parts p = parts_of(context, d, loop);
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, tgt);
  bool good = hy_ranges_total(ranges, p.outer_range.len);
  hy_ranges_bind_loop(ranges, p.outer, p.outer_range);
  hy_ranges_bind_loop(ranges, p.inner, p.inner_range);
  good = good && hy_ranges_total(ranges, p.value) && (!p.inside || hy_ranges_total(ranges, p.inside));
  hy_ranges_free(ranges);
  if (good) return true;
  hy_context_hit(context, HY_RULE_DIR_SPLIT_REDUCTION_WIDTH);
  hy_report(diagnostics, HY_E_SPLIT_FACTOR, hy_directive_at(d, d->at.args[0]), "DIR.Split-Reduction.Width",
            "split by less, or write the two variables in the rdom",
            "the range of '%s', rounded up to blocks of that size, is not seen to be numbers of 64 bits",
            hy_names_of(context, d->loop));
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_names_loop(context, tgt, d, diagnostics);
  return loop && hy_split_factor_applies(context, d, diagnostics) && hy_split_tail_applies(context, d, diagnostics) &&
         is_reduction(context, tgt, loop, d, diagnostics) && hy_split_names_free(context, tgt, d, diagnostics) &&
         is_number(context, tgt, loop, d, diagnostics);
}

/* -- the rewrite -- */

// r -> m + ri + c*ro, or what is the same below the condition and no more than the range has
static hy_binding part_for_loop(hy_context *context, const hy_directive *d, const parts *p, bool reads) {
  const hy_expr *value = p->value, *one = hy_expr_int(context, 1);
  if (reads && p->inside) value = hy_index_min(context, value, hy_index_sub(context, p->inside->args[1], one));
  return (hy_binding){d->loop, value};
}

// DIR.Split-Reduction, DIR.Split-Reduction.Exact: if p then f(e) <- v
static const hy_stmt *assignment(hy_context *context, const hy_lowered_stage *s, const parts *p,
                                 const hy_binding *binding) {
  const hy_expr *lhs[HY_MAX_RANK] = {NULL};
  const hy_stmt *a = s->assign;
  for (int i = 0; i < a->assign.func->rank; i++) lhs[i] = hy_expr_substitute(context, a->assign.lhs[i], binding, 1);
  const hy_expr *value = hy_expr_substitute(context, a->assign.rhs, binding, 1);
  const hy_stmt *body = hy_stmt_assign(context, a->assign.func, a->assign.spec, a->assign.stage, lhs, value);
  const hy_expr *condition = s->predicate ? hy_expr_substitute(context, s->predicate, binding, 1) : NULL;
  if (p->inside) condition = condition ? hy_expr_and(context, p->inside, condition) : p->inside;
  hy_context_hit(context, p->inside ? HY_RULE_DIR_SPLIT_REDUCTION : HY_RULE_DIR_SPLIT_REDUCTION_EXACT);
  return condition ? hy_stmt_if(context, HY_IF_USER, condition, body, NULL) : body;
}

static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_lowered_stage s = hy_funcs_stage(tgt, d->loop);
  parts p = parts_of(context, d, hy_tree_loop(tgt->body, d->loop));
  const hy_binding binding = part_for_loop(context, d, &p, s.predicate && s.predicate->has_access);
  const hy_stmt *body = assignment(context, &s, &p, &binding);
  for (int i = s.loop_count; i-- > 0;) {
    const hy_stmt *loop = s.loops[i];
    if (loop == p.loop) {
      body = hy_stmt_for(context, p.inner, false, HY_SERIAL, p.inner_range, body);
      body = hy_stmt_for(context, p.outer, false, HY_SERIAL, p.outer_range, body);
    } else {
      body = hy_stmt_for(context, loop->loop.var, loop->loop.is_pure, HY_SERIAL, loop->loop.interval, body);
    }
  }
  body = hy_stmt_label(context, HY_LABEL_STAGE, d->loop->func, d->loop->stage, body);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, s.label, body));
}

const hy_directive_type hy_directive_split_reduction = {
    .name = "split_reduction",
    .form = "split_reduction(f.s1.r, outer, inner, factor)",
    .summary = "makes two loops of a reduction's one before all other directives, so that rfactor may take one of them",
    .alone = "split_reduction(f.s1.r, outer, inner, 8), or in a chain f.update(0).split(r, outer, inner, 8) with "
             ".rfactor(outer, u) behind it",
    .phase = HY_PHASE_FUNCS,
    .arguments = {HY_TAKES_LOOP, HY_TAKES_NAME, HY_TAKES_NAME, HY_TAKES_NUMBER},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds};
