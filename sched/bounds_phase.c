#include "sched/bounds_internal.h"
#include "semantics/expr/affine.h"
#include "semantics/tgt/defined.h"

#include <stdlib.h>

// The statements at the front of a func's compute.
static const hy_stmt *const *front(const hy_tgt *tgt, const hy_func *func, int *count, const hy_stmt **room) {
  *room = hy_tree_find(tgt->body, HY_STMT_COMPUTE, func)->compute.body;
  *count = (*room)->kind == HY_STMT_SEQ ? (*room)->seq.count : 1;
  return (*room)->kind == HY_STMT_SEQ ? (*room)->seq.items : room;
}

static bool is_constraint(const hy_stmt *stmt, hy_constraint *constraint) {
  return stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_CONSTRAIN &&
         hy_constraint_of(stmt->assume.condition, constraint);
}

/* -- do constraints fit together? -- */

static bool same(hy_affine_table *table, const hy_expr *a, const hy_expr *b) {
  int64_t distance;
  return !a || !b || (hy_affine_distance(table, a, b, &distance) && distance == 0);
}

// Does value % modulus == remainder hold for all inputs? Every coefficient is then a multiple of the modulus.
static bool leaves(hy_affine_table *table, const hy_expr *value, int64_t modulus, int64_t remainder) {
  if (!value) return true;
  const hy_affine *form = hy_affine_of(table, value);
  for (int i = 0; i < form->count; i++)
    if (form->terms[i].coefficient % modulus != 0) return false;
  int64_t rest = form->constant % modulus;
  return (rest < 0 ? rest + modulus : rest) == remainder;
}

static bool fits_alignment(hy_affine_table *table, const hy_constraint *given, const hy_constraint *alignment) {
  if (!alignment->modulus || HY_MUTANT(D43_Bound_And_Align_Fit)) return true;
  return leaves(table, given->min, alignment->modulus, alignment->remainder) &&
         leaves(table, given->len, alignment->modulus, 0);
}

static bool fit(hy_affine_table *table, const hy_constraint *a, const hy_constraint *b) {
  if ((!same(table, a->min, b->min) && !HY_MUTANT(BOUND_Two_Minima)) ||
      (!same(table, a->len, b->len) && !HY_MUTANT(EXTENT_Two_Lengths)))
    return false;
  if (!fits_alignment(table, a, b) || !fits_alignment(table, b, a)) return false;
  int64_t modulus = a->modulus, remainder = a->remainder;
  return !a->modulus || !b->modulus || hy_alignment_join(&modulus, &remainder, b->modulus, b->remainder);
}

// The directive that a constraint comes from, for messages.
static void print(hy_context *context, const hy_constraint *c, hy_text *out) {
  hy_directive d = {.type = c->modulus ? &hy_directive_align_bounds
                            : c->min   ? &hy_directive_bound
                                       : &hy_directive_bound_extent,
                    .func = c->func,
                    .dim = c->dim};
  d.args[0] = c->modulus ? hy_expr_int(context, c->modulus) : c->min ? c->min : c->len;
  d.args[1] = c->modulus ? hy_expr_int(context, c->remainder) : c->len;
  hy_directive_print(&d, out);
  out->data[--out->length] = 0; // without the semicolon
}

// DIR.Bounds.Combine: bound, bound_extent and align_bounds on one dimension hold together for all inputs, or there is
// no solution (decisions D43, D58).
bool hy_bounds_combine(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                       const hy_constraint *constraint, hy_diagnostics *diagnostics) {
  int count;
  const hy_stmt *room;
  const hy_stmt *const *items = front(tgt, constraint->func, &count, &room);
  hy_affine_table *table = hy_affine_table_new(context);
  hy_constraint other;
  bool fits = true;
  for (int i = 0; i < count && fits; i++)
    if (is_constraint(items[i], &other) && other.dim == constraint->dim) fits = fit(table, &other, constraint);
  hy_affine_table_free(table);
  if (fits || HY_MUTANT(D43_Anything_Combines)) return true;
  hy_text first = {0}, second = {0};
  print(context, &other, &first);
  print(context, constraint, &second);
  hy_context_hit(context, HY_RULE_DIR_BOUNDS_COMBINE);
  hy_report(diagnostics, HY_E_NO_SOLUTION, directive->loc, "DIR.Bounds.Combine (decision D43)",
            "leave one of them out, or give numbers that satisfy both",
            "no bounds satisfy both %s and %s for every input", hy_text_string(&first), hy_text_string(&second));
  hy_text_free(&first);
  hy_text_free(&second);
  return false;
}

bool hy_bounds_length(hy_context *context, const hy_directive *directive, const hy_expr *len,
                      hy_diagnostics *diagnostics) {
  int64_t constant;
  hy_affine_table *table = hy_affine_table_new(context);
  bool negative = hy_expr_is_int(hy_affine_normal(table, len), &constant) && constant < 0;
  hy_affine_table_free(table);
  if (!negative || HY_MUTANT(BOUND_Negative_Length)) return true;
  hy_report(diagnostics, HY_E_DIRECTIVE_ARGUMENTS,
            hy_directive_at(directive, directive->at.args[hy_directive_find(directive->type, HY_TAKES_LENGTH)]),
            "DIR.Bound (section 8.5)", "bounds are a minimum and a length, and the length is at least 0",
            "the length %lld is negative", (long long)constant);
  return false;
}

bool hy_bounds_may_add(const hy_directive *directive, const hy_hole *hole) {
  return hole->kind == HY_HOLE_NEED && hole->func == directive->func;
}

/* -- the rewrite -- */

// Given bounds are defined and their length is not negative: checked once at entry (decision D25), before the images'.
static const hy_tgt *assume_given(hy_context *context, const hy_tgt *tgt, const hy_constraint *c) {
  const hy_expr *good = hy_expr_bool(context, true), *zero = hy_expr_int(context, 0);
  if (c->len)
    good = hy_interval_is_ordinary(context,
                                   (hy_interval){c->min && !HY_MUTANT(D27_Bound_May_Err) ? c->min : zero, c->len});
  if (!good->has_var || HY_MUTANT(BOUND_Given_Length_Unchecked)) return tgt;
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, tgt->entry_count + 1);
  int count = 0, next = 0;
  while (next < tgt->entry_count && tgt->entry[next]->assume.why != HY_ASSUME_IMAGE)
    entry[count++] = tgt->entry[next++];
  entry[count++] = hy_stmt_assume(context, HY_ASSUME_BOUND, c->func, good);
  while (next < tgt->entry_count) entry[count++] = tgt->entry[next++];
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->entry = entry;
  copy->entry_count = count;
  return copy;
}

const hy_tgt *hy_bounds_add(hy_context *context, const hy_tgt *tgt, const hy_constraint *c) {
  int count, at = 0;
  const hy_stmt *room;
  const hy_stmt *const *old = front(tgt, c->func, &count, &room);
  const hy_stmt **items = hy_allocate(sizeof *items * (size_t)(count + 2));
  const hy_expr *need =
      c->modulus || HY_MUTANT(D43_Need_Not_Assumed) ? NULL : hy_need_condition(context, c->func, c->dim);
  int kept = 0;
  for (; kept < count && old[kept]->kind == HY_STMT_ASSUME; kept++) {
    items[at++] = old[kept];
    if (old[kept]->assume.condition == need) need = NULL; // one check per dimension is enough
  }
  bool late = HY_MUTANT(BOUND_After_Stages);
  while (late && kept < count) items[at++] = old[kept++];
  items[at++] = hy_stmt_assume(context, HY_ASSUME_CONSTRAIN, c->func, hy_constraint_condition(context, c));
  if (need) items[at++] = hy_stmt_assume(context, HY_ASSUME_NEED, c->func, need);
  while (kept < count) items[at++] = old[kept++];
  const hy_stmt *body = hy_stmt_seq(context, items, at);
  free(items);
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, c->func);
  body = hy_stmt_with_children(context, compute, &body, 1);
  tgt = assume_given(context, tgt, c);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, compute, body));
}
