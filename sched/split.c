#include "sched/rewrite.h"

/* rewrite: for x in (emin, elen) do s
 *       -> for xo in (0, ceil(elen / fac)) do for xi in (0, fac) do push-down(phi, s)
 *   phi_Guard(s) = let x = emin + xi + fac*xo in if x < emin + elen then s
 *   phi_Round(s) = let x = emin + xi + fac*xo in s
 *   phi_Shift(s) = let x = min(emin + fac*xo, emin + elen - fac) + xi in s          (decision D31)
 */

bool hy_split_factor_applies(hy_context *context, const hy_directive *directive, hy_diagnostics *diagnostics) {
  int64_t factor;
  if (!hy_expr_is_int(directive->args[0], &factor) || factor >= 1) return true;
  hy_context_hit(context, HY_RULE_DIR_SPLIT_FACTOR);
  hy_report(diagnostics, HY_E_SPLIT_FACTOR, hy_directive_at(directive, directive->at.args[0]),
            "DIR.Split.Factor (decision D34)", "write a factor of at least 1",
            "a split factor must be at least 1, not %lld", (long long)factor);
  return false;
}

bool hy_split_tail_applies(hy_context *context, const hy_directive *directive, hy_diagnostics *diagnostics) {
  if (directive->tail == HY_TAIL_GUARD || directive->loop->stage == 0) return true;
  hy_context_hit(context, HY_RULE_DIR_SPLIT_TAIL);
  hy_report(diagnostics, HY_E_TAIL_ON_UPDATE, hy_directive_at(directive, directive->at.tail),
            "DIR.Split.Tail (section 8.2 and decision D32: only on pure stages)",
            hy_arena_printf(hy_context_arena(context),
                            "write guard in place of %s, or leave it out: guard is what is meant then",
                            hy_tail_name(directive->tail)),
            "the tail '%s' would apply an update %s: '%s' belongs to stage %d, an update",
            hy_tail_name(directive->tail),
            directive->tail == HY_TAIL_ROUND ? "behind the last iteration of its loop" : "twice",
            hy_names_of(context, directive->loop), directive->loop->stage);
  return false;
}

// DIR.Split.Range: round and shift leave the loop's range, where a length that depends on it may be negative.
static bool range_may_grow(hy_context *context, const hy_directive *directive, const hy_stmt *loop,
                           hy_diagnostics *diagnostics) {
  if (directive->tail == HY_TAIL_GUARD) return true;
  const hy_stmt *inner = hy_tree_loop_depending(loop->loop.body, loop->loop.var, false);
  if (!inner) return true;
  hy_context_hit(context, HY_RULE_DIR_SPLIT_RANGE);
  hy_report(diagnostics, HY_E_BOUNDS_DEPEND, hy_directive_at(directive, directive->at.tail), "DIR.Split.Range",
            hy_arena_printf(hy_context_arena(context),
                            "write guard in place of %s, or leave it out: guard is what is meant then",
                            hy_tail_name(directive->tail)),
            "the tail '%s' lets '%s' leave its range, and the length of '%s' inside depends on it",
            hy_tail_name(directive->tail), hy_names_of(context, directive->loop),
            hy_names_of(context, inner->loop.var));
  return false;
}

bool hy_split_names_free(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                         hy_diagnostics *diagnostics) {
  const char *consumed[2] = {directive->loop->name, NULL};
  if (directive->names[0] == directive->names[1]) {
    hy_report(diagnostics, HY_E_NAME_CLASH, hy_directive_at(directive, directive->at.names[1]),
              "SCH.Fresh (section 8.2)", "give the two loops two names",
              "the outer and the inner loop are both called '%s'", directive->names[0]);
    return false;
  }
  for (int i = 0; i < 2; i++)
    if (!hy_names_free(context, tgt, directive, directive->names[i], consumed, diagnostics)) return false;
  return true;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_names_loop(context, tgt, directive, diagnostics);
  if (!loop || !hy_split_factor_applies(context, directive, diagnostics) ||
      !hy_split_tail_applies(context, directive, diagnostics) ||
      !range_may_grow(context, directive, loop, diagnostics) ||
      !hy_split_names_free(context, tgt, directive, diagnostics))
    return false;
  if (loop->loop.traversal == HY_SERIAL) return true;
  hy_context_hit(context, HY_RULE_DIR_SERIAL); // DIR.Serial
  hy_report(diagnostics, HY_E_DIRECTIVE_ARGUMENTS, hy_directive_at(directive, directive->at.loop), "DIR.Serial",
            "split first, then traverse the new loops", "'%s' is %s already and cannot be split any more",
            hy_names_of(context, directive->loop), hy_traversal_name(loop->loop.traversal));
  return false;
}

typedef struct {
  const hy_var *let;
  hy_origin origin;
} phi;

// DIR.Split.Guard, DIR.Split.Round, DIR.Split.Shift
static const hy_stmt *wrap(hy_context *context, const hy_stmt *body, const void *self) {
  const phi *p = self;
  const hy_expr *outer = hy_expr_var(context, p->origin.sources[0]);
  const hy_expr *inner = hy_expr_var(context, p->origin.sources[1]);
  const hy_expr *min = p->origin.range.min, *end = hy_index_add(context, min, p->origin.range.len);
  const hy_expr *step = hy_index_mul(context, p->origin.factor, outer);
  const hy_expr *value = hy_index_add(context, hy_index_add(context, min, inner), step);
  switch (p->origin.relation->tail) {
  case HY_TAIL_GUARD: {
    hy_context_hit(context, HY_RULE_DIR_SPLIT_GUARD);
    const hy_expr *inside = hy_expr_binary(context, HY_OP_LT, hy_expr_var(context, p->let), end);
    body = hy_stmt_if(context, HY_IF_GUARD, inside, body, NULL);
    break;
  }
  case HY_TAIL_ROUND: hy_context_hit(context, HY_RULE_DIR_SPLIT_ROUND); break;
  case HY_TAIL_SHIFT: {
    hy_context_hit(context, HY_RULE_DIR_SPLIT_SHIFT);
    const hy_expr *last = hy_index_sub(context, end, p->origin.factor);
    const hy_expr *base = hy_index_min(context, hy_index_add(context, min, step), last);
    value = hy_index_add(context, base, inner);
    break;
  }
  }
  return hy_stmt_let(context, p->let, value, p->origin, body);
}

// DIR.Split.Factor: a factor that is not a constant is checked once at entry, then a fact (decision D34).
const hy_tgt *hy_tree_assume_factor(hy_context *context, const hy_tgt *tgt, const hy_expr *factor) {
  int64_t constant;
  if (hy_expr_is_int(factor, &constant)) return tgt;
  const hy_expr *positive = hy_expr_binary(context, HY_OP_GE, factor, hy_expr_int(context, 1));
  for (int i = 0; i < tgt->entry_count; i++)
    if (tgt->entry[i]->assume.condition == positive) return tgt;
  // Before the images' checks: what an image must hold may depend on the factor.
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, tgt->entry_count + 1);
  int count = 0, next = 0;
  while (next < tgt->entry_count && tgt->entry[next]->assume.why != HY_ASSUME_IMAGE)
    entry[count++] = tgt->entry[next++];
  entry[count++] = hy_stmt_assume(context, HY_ASSUME_FACTOR, NULL, positive);
  while (next < tgt->entry_count) entry[count++] = tgt->entry[next++];
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->entry = entry;
  copy->entry_count = count;
  return copy;
}

static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *loop = hy_tree_loop(tgt->body, directive->loop);
  HY_ASSERT(loop && loop->loop.traversal == HY_SERIAL);
  const hy_var *var = loop->loop.var, *outer, *inner;
  outer = hy_var_loop(context, var->func, var->spec, var->stage, directive->names[0]);
  inner = hy_var_loop(context, var->func, var->spec, var->stage, directive->names[1]);
  const hy_var *let = hy_names_let(context, tgt, var, directive->names, 2);
  const hy_expr *factor = directive->args[0];
  phi p = {let, hy_origin_split(context, directive->tail, let, outer, inner, factor, loop->loop.interval)};
  const hy_stmt *body = hy_tree_rename(context, loop->loop.body, var, let);
  body = hy_tree_push_down(context, body, let, NULL, wrap, &p);
  const hy_expr *zero = hy_expr_int(context, 0), *one = hy_expr_int(context, 1);
  const hy_expr *spare = hy_index_sub(context, factor, one);
  const hy_expr *rounded = hy_index_add(context, loop->loop.interval.len, spare);
  hy_interval inner_range = {zero, factor}, outer_range = {zero, hy_index_div(context, rounded, factor)};
  body = hy_stmt_for(context, inner, loop->loop.is_pure, HY_SERIAL, inner_range, body);
  body = hy_stmt_for(context, outer, loop->loop.is_pure, HY_SERIAL, outer_range, body);
  tgt = hy_tree_assume_factor(context, tgt, factor);
  const hy_stmt *root = hy_tree_rename_around(context, tgt->body, loop, var, let);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, root, loop, body));
}

static bool is_exact(const hy_expr *factor, const hy_expr *extent) {
  int64_t f, n;
  if (!hy_expr_is_int(factor, &f) || f < 1) return false;
  return f == 1 || (hy_expr_is_int(extent, &n) && n % f == 0);
}

static hy_order_class order(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context;
  const hy_stmt *loop = hy_tree_loop(before->body, directive->loop);
  HY_ASSERT(loop);
  if (is_exact(directive->args[0], loop->loop.interval.len)) return HY_ORDER_EQUAL;
  switch (directive->tail) {
  case HY_TAIL_GUARD: return HY_ORDER_EQUAL;
  case HY_TAIL_ROUND: return hy_order_overflow(before->body, directive->loop);
  case HY_TAIL_SHIFT: return HY_ORDER_REPEATED;
  }
  HY_UNREACHABLE();
}

const hy_directive_type hy_directive_split = {
    .name = "split",
    .form = "split(f.x, outer, inner, factor[, guard|round|shift])",
    .summary = "makes two nested loops of one; the tail is guarded, rounded up or shifted inwards",
    .alone = "split(f.x, outer, inner, factor) or split(f.x, outer, inner, factor, tail)",
    .in_chain = "split(x, outer, inner, factor) or split(x, outer, inner, factor, tail)",
    .phase = HY_PHASE_LOOPS,
    .arguments = {HY_TAKES_LOOP, HY_TAKES_NAME, HY_TAKES_NAME, HY_TAKES_FACTOR, HY_TAKES_TAIL},
    .applies = applies,
    .apply = apply,
    .order = order};
