#include "sched/alternatives.h"

/* rewrite: for x1 in (e1min, e1len) do for x2 in (e2min, e2len) do s
 *       -> for t in (0, e1len * e2len) do push-down(phi, s)
 *   phi(s) = let x1 = e1min + t / e2len in let x2 = e2min + t % e2len in s
 * The division is evaluated only inside the (possibly empty) loop, where e2len >= 1 (decision D36).
 */

static bool purity_applies(hy_context *context, const hy_tgt *tgt, const hy_stmt *outer, const hy_stmt *inner,
                           const hy_directive *directive, hy_diagnostics *diagnostics) {
  if (outer->loop.is_pure == inner->loop.is_pure) return true;
  hy_context_hit(context, HY_RULE_DIR_FUSE_MIXED); // DIR.Fuse.Mixed
  hy_report(diagnostics, HY_E_FUSE_MIXED, hy_directive_at(directive, directive->at.loop),
            "DIR.Fuse (section 8.2: both pure or both reduction)",
            hy_alternatives_fuse(context, tgt, directive->loop, directive->in_chain),
            "'%s' is a %s loop and '%s' a %s loop", hy_names_of(context, outer->loop.var),
            outer->loop.is_pure ? "pure" : "reduction", hy_names_of(context, inner->loop.var),
            inner->loop.is_pure ? "pure" : "reduction");
  return false;
}

// What to write instead, for loops that are not nested so: in a chain most often the other way around.
static const char *alternatives(hy_context *context, const hy_tgt *tgt, const hy_directive *d, const hy_var *inner) {
  const hy_stmt *around = d->in_chain ? hy_tree_loop(tgt->body, inner) : NULL;
  bool is_turned = around && around->loop.body->kind == HY_STMT_FOR && around->loop.body->loop.var == d->loop;
  if (!is_turned) return hy_alternatives_fuse(context, tgt, d->loop, d->in_chain);
  return hy_arena_printf(hy_context_arena(context), "the inner loop is named first: write %s.fuse(%s, %s, %s)",
                         hy_alternatives_chain(context, d->loop), d->loop->name, inner->name, d->names[1]);
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                    hy_diagnostics *diagnostics) {
  const hy_stmt *outer = hy_names_loop(context, tgt, directive, diagnostics);
  if (!outer) return false;
  const hy_stmt *inner = outer->loop.body;
  const hy_var *var = directive->loop;
  const hy_var *wanted = hy_var_loop(context, var->func, var->spec, var->stage, directive->names[0]);
  if (inner->kind != HY_STMT_FOR || inner->loop.var != wanted) {
    hy_context_hit(context, HY_RULE_DIR_NESTED); // DIR.Nested
    hy_report(diagnostics, HY_E_NOT_NESTED, hy_directive_at(directive, directive->at.names[0]),
              "DIR.Fuse (decision D36: immediately nested)", alternatives(context, tgt, directive, wanted),
              wanted == var ? "'%s' is one loop, and two are fused: '%s' and the one directly inside it"
                            : "'%s' is not directly inside '%s'",
              hy_names_of(context, wanted), hy_names_of(context, var));
    return false;
  }
  if (!purity_applies(context, tgt, outer, inner, directive, diagnostics)) return false;
  if (hy_expr_mentions(inner->loop.interval.min, var) || hy_expr_mentions(inner->loop.interval.len, var)) {
    hy_context_hit(context, HY_RULE_DIR_NESTED); // DIR.Nested
    hy_report(diagnostics, HY_E_BOUNDS_DEPEND, hy_directive_at(directive, directive->at.loop),
              "DIR.Fuse (decision D36)", hy_alternatives_fuse(context, tgt, var, directive->in_chain),
              "the bounds of '%s' depend on '%s'", hy_names_of(context, wanted), hy_names_of(context, var));
    return false;
  }
  if (outer->loop.traversal != HY_SERIAL || inner->loop.traversal != HY_SERIAL) {
    hy_context_hit(context, HY_RULE_DIR_SERIAL); // DIR.Serial
    hy_report(diagnostics, HY_E_DIRECTIVE_ARGUMENTS, hy_directive_at(directive, directive->at.loop), "DIR.Serial",
              "fuse first, then traverse the fused loop", "'%s' is not serial any more and cannot be fused",
              hy_names_of(context, outer->loop.traversal != HY_SERIAL ? var : wanted));
    return false;
  }
  const char *consumed[2] = {var->name, wanted->name};
  return hy_names_free(context, tgt, directive, directive->names[1], consumed, diagnostics);
}

typedef struct {
  const hy_var *outer, *inner;
  hy_origin outer_origin, inner_origin;
} phi;

// DIR.Fuse
static const hy_stmt *wrap(hy_context *context, const hy_stmt *body, const void *self) {
  const phi *p = self;
  const hy_expr *fused = hy_expr_var(context, p->outer_origin.sources[0]), *length = p->outer_origin.factor;
  const hy_expr *quotient = hy_expr_binary(context, HY_OP_DIV, fused, length);
  const hy_expr *remainder = hy_expr_binary(context, HY_OP_MOD, fused, length);
  const hy_expr *low = p->inner_origin.range.min;
  body = hy_stmt_let(context, p->inner, hy_index_add(context, low, remainder), p->inner_origin, body);
  hy_context_hit(context, HY_RULE_DIR_FUSE);
  return hy_stmt_let(context, p->outer, hy_index_add(context, p->outer_origin.range.min, quotient), p->outer_origin,
                     body);
}

static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *outer = hy_tree_loop(tgt->body, directive->loop), *inner = outer->loop.body;
  const hy_var *var = directive->loop;
  const hy_var *fused = hy_var_loop(context, var->func, var->spec, var->stage, directive->names[1]);
  hy_interval first = outer->loop.interval, second = inner->loop.interval;
  const char *taken[1] = {directive->names[1]};
  const hy_var *lets[2] = {hy_names_let(context, tgt, outer->loop.var, taken, 1),
                           hy_names_let(context, tgt, inner->loop.var, taken, 1)};
  const hy_expr *row = second.len;
  phi p = {lets[0], lets[1], hy_origin_fuse(context, 0, lets, fused, row, first),
           hy_origin_fuse(context, 1, lets, fused, second.len, second)};
  const hy_stmt *body = hy_tree_rename(context, inner->loop.body, outer->loop.var, p.outer);
  body = hy_tree_rename(context, body, inner->loop.var, p.inner);
  body = hy_tree_push_down(context, body, p.outer, p.inner, wrap, &p);
  hy_interval range = {hy_expr_int(context, 0), hy_index_mul(context, first.len, second.len)};
  body = hy_stmt_for(context, fused, outer->loop.is_pure, HY_SERIAL, range, body);
  const hy_stmt *root = hy_tree_rename_around(context, tgt->body, outer, outer->loop.var, p.outer);
  root = hy_tree_rename_around(context, root, outer, inner->loop.var, p.inner);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, root, outer, body));
}

static hy_order_class order(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before, (void)directive;
  return HY_ORDER_EQUAL;
}

const hy_directive_type hy_directive_fuse = {.name = "fuse",
                                             .form = "fuse(f.y, x, t)",
                                             .summary = "makes one loop t of loop y and the loop x directly inside it",
                                             .alone = "fuse(f.outer, inner, fused)",
                                             .phase = HY_PHASE_LOOPS,
                                             .arguments = {HY_TAKES_LOOP, HY_TAKES_INNER, HY_TAKES_NAME},
                                             .applies = applies,
                                             .apply = apply,
                                             .order = order};
