#include "bounds/query_internal.h"

/* B.Slide: what a computation that keeps need not cover (decision D85).
 *
 *   for v in (m, n) .. compute f on B keeping v
 *   of each point c that B.Cover asks about:  v <= m  or  c is not in B[v - 1/v]
 *
 * A point that is in both boxes lies in memory as the iteration before left it. By induction over v it was computed
 * there: at v = m all of B is covered, and later a point of B is covered, or in the box before, which was. It is still
 * there: WF.Keep says that the iteration before computed f, into the same allocation, and WF.Stage that nobody else
 * writes f. In an allocation with folds no other point took its cell, because B.Fold says of each of these
 * computations, as of any, that all its stores lie among as many neighbours as there are cells, and the point, which is
 * in the boxes of all of them, does so, too.
 *
 * B[v - 1/v] is what the iteration before computed B to be: B mentions v, what is bound around v's loop, and startup
 * variables (WF.Keep, WF.Scope), and where v > m its bounds were owed to be defined and to fit for v - 1 as for any v.
 */

static const hy_stmt *loop_of(const hy_query_walk *w, const hy_var *var) {
  for (size_t i = w->path.count; i-- > 0;)
    if (w->path.data[i]->kind == HY_STMT_FOR && w->path.data[i]->loop.var == var) return w->path.data[i];
  return NULL;
}

// What it was in the iteration before.
static const hy_expr *before(const hy_query_walk *w, const hy_expr *e, const hy_var *var) {
  const hy_expr *v = hy_expr_var(w->context, var);
  hy_binding binding = {var, binary(w, HY_OP_SUB, v, hy_expr_int(w->context, 1))};
  return hy_expr_substitute(w->context, e, &binding, 1);
}

// B.Slide. In a dimension of which B does not speak of v, the point is in the box before as it is in this one.
void hy_query_push_slide(hy_query_walk *w, const hy_stmt *compute, const hy_expr *const *point) {
  const hy_var *var = compute->compute.keep;
  const hy_stmt *loop = var ? loop_of(w, var) : NULL;
  if (!loop) return;
  hy_context_hit(w->context, HY_RULE_B_SLIDE);
  const hy_expr *fresh = binary(w, HY_OP_LE, hy_expr_var(w->context, var), loop->loop.interval.min);
  for (int d = 0; d < compute->compute.func->rank; d++) {
    hy_interval box = compute->compute.box[d];
    if (!hy_expr_mentions(box.min, var) && !hy_expr_mentions(box.len, var)) continue;
    const hy_expr *min = before(w, box.min, var), *end = before(w, end_of(w, box), var);
    fresh = hy_expr_or(w->context, fresh, binary(w, HY_OP_LT, point[d], min));
    fresh = hy_expr_or(w->context, fresh, binary(w, HY_OP_GE, point[d], end));
  }
  hy_query_push_fact(w, fresh);
}
