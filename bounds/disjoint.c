#include "bounds/query_internal.h"

/* B.Disjoint: two iterations of a parallel or vectorized loop never write one point (decisions D33, D70; theorem 8.4).
 *
 * Asked of every such loop, whoever made it, of each assignment below it. Two of its iterations that write one point
 * agree in the pure coordinates of the assignment (those that every access to the func has as they are, definition
 * 4.2), and in whatever is evaluated outside of the loop. From these the way back leads to the loop, one let at a time:
 * what is shown of each let, in any one iteration, leaves one value for the loops that it is made of.
 *
 *   split    factor*outer <= x - min < factor*outer + factor                 (x - min - inner, if inner is known)
 *            shift, with inner known: factor*(outer - 1) < x - min - inner <= factor*outer
 *            inner = x - (min + factor*outer), or what shift makes of it
 *   fuse     t = (x1 - min1)*factor + (x2 - min2)
 *   given    loop = its way back
 *
 * Of a loop that is a coordinate itself nothing is owed.
 *
 * Equal x, min, factor then have equal sources. Where no such way leads to the loop, two iterations are compared as
 * they are. Obligations are about machine numbers as B.Fits and B.Defined have them.
 */

typedef HY_VEC(const hy_var *) var_list;

typedef struct {
  const hy_expr *goal;
  const hy_var *of; // the loop that it leaves one value for
} step;

typedef struct {
  hy_query_walk *w;
  const hy_stmt *assign;
  const hy_stmt *const *chain; // the statements between the compute and the assignment
  size_t count, position;      // of the loop asked about
  var_list equal;              // known to be the same in both iterations
  var_list trying;
  HY_VEC(step) steps;
} disjoint;

static bool has(const var_list *list, const hy_var *var) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == var) return true;
  return false;
}

static const hy_var *bound_by(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) return stmt->loop.var;
  return stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
}

static const hy_expr *variable(const disjoint *d, const hy_var *var) { return hy_expr_var(d->w->context, var); }

/* -- what is equal to begin with -- */

typedef struct {
  const hy_func *func;
  const hy_var *var;
  int dim;
  bool separated;
} separation;

static bool is_var(const hy_expr *expr, const hy_var *var) { return expr->kind == HY_EXPR_VAR && expr->var == var; }

static void see_access(void *self, const hy_expr *node) {
  separation *s = self;
  if (node->kind == HY_EXPR_ACCESS && node->func == s->func && !is_var(node->args[s->dim], s->var))
    s->separated = false;
}

// Does every access to the func, in predicates too, have this variable as its coordinate there? Then iterations that
// differ in it touch different points.
static bool is_separated(const disjoint *d, const hy_var *var, int dim) {
  separation s = {d->assign->assign.func, var, dim, true};
  for (int i = 0; i < s.func->rank; i++) hy_expr_visit(d->assign->assign.lhs[i], see_access, &s);
  hy_expr_visit(d->assign->assign.rhs, see_access, &s);
  for (size_t i = 0; i < d->count; i++)
    if (d->chain[i]->kind == HY_STMT_IF) hy_expr_visit(d->chain[i]->branch.condition, see_access, &s);
  return s.separated;
}

static bool is_settled(const disjoint *d, const hy_expr *expr) {
  for (size_t i = 0; i < d->count; i++) {
    const hy_var *var = bound_by(d->chain[i]);
    if (var && !has(&d->equal, var) && hy_expr_mentions(expr, var)) return false;
  }
  return true;
}

// What stands outside of the loop, the lets inside that speak of nothing else, and the coordinates.
static void find_equal(disjoint *d) {
  for (size_t i = 0; i < d->position; i++)
    if (bound_by(d->chain[i])) hy_vec_push(&d->equal, bound_by(d->chain[i]));
  for (size_t i = d->position + 1; i < d->count; i++)
    if (d->chain[i]->kind == HY_STMT_LET && is_settled(d, d->chain[i]->let.value))
      hy_vec_push(&d->equal, d->chain[i]->let.var);
  for (int k = 0; k < d->assign->assign.func->rank; k++) {
    const hy_expr *e = d->assign->assign.lhs[k];
    if (e->kind == HY_EXPR_VAR && is_separated(d, e->var, k)) hy_vec_push(&d->equal, e->var);
  }
}

/* -- the way back -- */

static bool recover(disjoint *d, const hy_var *var);

static bool recover_all_of(disjoint *d, const hy_expr *expr) {
  for (size_t i = 0; i < d->count; i++) {
    const hy_var *var = bound_by(d->chain[i]);
    if (var && !has(&d->equal, var) && hy_expr_mentions(expr, var) && !recover(d, var)) return false;
  }
  return true;
}

// The first let that is made of the loop.
static const hy_stmt *made_of(const disjoint *d, const hy_var *var) {
  for (size_t i = 0; i < d->count; i++) {
    const hy_stmt *let = d->chain[i];
    if (let->kind == HY_STMT_LET &&
        (hy_origin_has_source(&let->let.origin, var) || hy_relation_has_loop(let->let.origin.relation, var)))
      return let;
  }
  return NULL;
}

// Does another loop of the application have one value already?
static bool is_beside(const disjoint *d, const hy_relation *r, const hy_var *var) {
  for (int i = 0; i < r->loop_count; i++)
    if (r->loops[i] != var && has(&d->equal, r->loops[i])) return true;
  return false;
}

static bool recover_from(disjoint *d, const hy_var *var) {
  const hy_stmt *let = made_of(d, var);
  if (!let) return false;
  const hy_relation *r = let->let.origin.relation;
  hy_related related = hy_relation_in(r, d->chain, d->count);
  hy_needs needs;
  const hy_expr *conditions[2];
  int loop = 0;
  while (loop < r->loop_count && r->loops[loop] != var) loop++;
  if (loop == r->loop_count || !hy_related_needs(&related, loop, &needs)) return false;
  for (int i = 0; i < needs.var_count; i++)
    if (!recover(d, needs.vars[i])) return false;
  for (int i = 0; i < needs.expr_count; i++)
    if (!recover_all_of(d, needs.exprs[i])) return false;
  int count = hy_related_back(d->w->context, &related, loop, is_beside(d, r, var), conditions);
  for (int i = 0; i < count; i++) hy_vec_push(&d->steps, (step){conditions[i], var});
  return true;
}

// Is the loop's or let's value the same in both iterations, by steps that are then owed? Each variable rests on those
// that were recovered before it.
static bool recover(disjoint *d, const hy_var *var) {
  if (has(&d->equal, var)) return true;
  if (has(&d->trying, var)) return false;
  hy_vec_push(&d->trying, var);
  bool recovered = recover_from(d, var);
  (void)hy_vec_pop(&d->trying);
  if (recovered) hy_vec_push(&d->equal, var);
  return recovered;
}

static const char *name_of(const disjoint *d, const hy_var *var) { return hy_query_print(d->w, variable(d, var)); }

static const char *traversal_of(const disjoint *d) { return hy_traversal_name(d->chain[d->position]->loop.traversal); }

static void owe_steps(disjoint *d, hy_query_place at) {
  const hy_var *loop = d->chain[d->position]->loop.var;
  for (size_t i = 0; i < d->steps.count; i++)
    hy_query_owe(d->w, HY_B_DISJOINT, at, d->steps.data[i].goal,
                 "iterations of the %s loop %s write points of their own: %s follows from the point written",
                 traversal_of(d), name_of(d, loop), name_of(d, d->steps.data[i].of));
}

/* -- where no way leads back: two iterations -- */

typedef struct {
  hy_binding *bindings;
  size_t count;
} second_iteration;

static const hy_expr *in(const disjoint *d, const second_iteration *s, const hy_expr *expr) {
  return hy_expr_substitute(d->w->context, expr, s->bindings, s->count);
}

// A value of its own for the loop asked about and for everything inside.
static second_iteration make_second(const disjoint *d) {
  second_iteration s = {hy_allocate_zeroed(d->count + 1, sizeof(hy_binding)), 0};
  for (size_t i = d->position; i < d->count; i++) {
    const hy_var *var = bound_by(d->chain[i]);
    if (!var) continue;
    const char *name = hy_arena_printf(hy_context_arena(d->w->context), "%s'", var->name);
    const hy_var *copy = hy_var_new(d->w->context, HY_VAR_FRESH, HY_INT, name, NULL, 0, 0);
    s.bindings[s.count++] = (hy_binding){var, variable(d, copy)};
  }
  return s;
}

static void know_second(const disjoint *d, const second_iteration *s) {
  hy_query_walk *w = d->w;
  for (size_t i = d->position; i < d->count; i++) {
    const hy_stmt *stmt = d->chain[i];
    if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD)
      hy_query_push_fact(w, in(d, s, stmt->branch.condition));
    if (!bound_by(stmt)) continue;
    const hy_expr *v = in(d, s, variable(d, bound_by(stmt)));
    if (stmt->kind == HY_STMT_LET) {
      hy_query_push_fact(w, binary(w, HY_OP_EQ, v, in(d, s, stmt->let.value)));
      continue;
    }
    hy_query_push_fact(w, binary(w, HY_OP_LE, in(d, s, stmt->loop.interval.min), v));
    hy_query_push_fact(w, binary(w, HY_OP_LT, v, in(d, s, end_of(w, stmt->loop.interval))));
  }
}

static void owe_two_iterations(disjoint *d, hy_query_place at) {
  hy_query_walk *w = d->w;
  const hy_var *loop = d->chain[d->position]->loop.var;
  second_iteration s = make_second(d);
  size_t facts = w->facts.count;
  know_second(d, &s);
  for (int k = 0; k < d->assign->assign.func->rank; k++) {
    const hy_expr *e = d->assign->assign.lhs[k];
    if (e->kind == HY_EXPR_VAR && is_separated(d, e->var, k))
      hy_query_push_fact(w, binary(w, HY_OP_EQ, e, in(d, &s, e)));
  }
  const hy_expr *v = variable(d, loop);
  hy_query_push_fact(w, binary(w, HY_OP_LT, v, in(d, &s, v)));
  hy_query_owe(w, HY_B_DISJOINT, at, hy_expr_bool(w->context, false),
               "iterations of the %s loop %s write points of their own", traversal_of(d), name_of(d, loop));
  hy_query_pop_facts(w, facts);
  hy_free(s.bindings);
}

/* -- the whole -- */

static void owe_disjoint(hy_query_walk *w, hy_query_place at, const hy_stmt *assign, const hy_stmt *const *chain,
                         size_t count, size_t position) {
  disjoint d = {.w = w, .assign = assign, .chain = chain, .count = count, .position = position};
  at = hy_query_on(at, chain[position]);
  find_equal(&d);
  if (recover(&d, chain[position]->loop.var))
    owe_steps(&d, at);
  else
    owe_two_iterations(&d, at);
  hy_vec_free(&d.equal);
  hy_vec_free(&d.trying);
  hy_vec_free(&d.steps);
}

void hy_query_owe_disjoint(hy_query_walk *w, hy_query_place at, const hy_stmt *assign) {
  size_t top = w->path.count;
  while (top > 0 && w->path.data[top - 1] != w->computes[at.func->index]) top--;
  if (!top) return; // no compute around it: B.Cover says so
  const hy_stmt *const *chain = w->path.data + top;
  for (size_t i = 0; i + top < w->path.count; i++) {
    if (chain[i]->kind != HY_STMT_FOR) continue;
    hy_traversal traversal = chain[i]->loop.traversal;
    if (traversal == HY_PARALLEL || traversal == HY_VECTORIZED)
      owe_disjoint(w, at, assign, chain, w->path.count - top, i);
  }
}
