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

// What two constraints of one dimension ask of the inputs: nothing, something, or too much.
typedef struct {
  hy_context *context;
  hy_affine_table *table;
  bool never;             // no input fits
  const hy_expr *residue; // what an input that fits makes true, as far as that is not always so
} joint;

// Is form == remainder, modulo that number unless it is 0? HY_NO: for no values of the variables, since a divisor of
// all that they are multiplied with does not divide the rest; HY_UNKNOWN: not for all.
static hy_answer leaves(const hy_affine *form, int64_t modulus, int64_t remainder) {
  int64_t divisor = modulus;
  bool always = true;
  for (int i = 0; i < form->count; i++) {
    int64_t coefficient = form->terms[i].coefficient;
    if (coefficient == INT64_MIN) return HY_UNKNOWN;
    always = always && modulus && coefficient % modulus == 0;
    divisor = hy_common_divisor(divisor, coefficient);
  }
  __int128 rest = (__int128)form->constant - remainder;
  if (divisor ? rest % divisor != 0 : rest != 0) return HY_NO;
  return always ? HY_YES : HY_UNKNOWN;
}

static void ask(joint *j, hy_answer answer, const hy_expr *condition) {
  if (answer == HY_NO) j->never = true;
  if (answer == HY_UNKNOWN) j->residue = hy_expr_and(j->context, j->residue, condition);
}

// Two minima, or two lengths. NULL: none is given.
static void ask_same(joint *j, const hy_expr *a, const hy_expr *b) {
  if (!a || !b) return;
  const hy_affine *of_b = hy_affine_of(j->table, b),
                  *form = hy_affine_combine(j->table, 1, hy_affine_of(j->table, a), -1, of_b);
  hy_answer answer = !form ? HY_UNKNOWN : form->count ? leaves(form, 0, 0) : form->constant ? HY_NO : HY_YES;
  ask(j, answer, hy_expr_binary(j->context, HY_OP_EQ, a, b));
}

static void ask_aligned(joint *j, const hy_expr *value, int64_t modulus, int64_t remainder) {
  if (!value || !modulus) return;
  const hy_expr *rest = hy_expr_binary(j->context, HY_OP_MOD, value, hy_expr_int(j->context, modulus));
  const hy_expr *same = hy_expr_binary(j->context, HY_OP_EQ, rest, hy_expr_int(j->context, remainder));
  ask(j, leaves(hy_affine_of(j->table, value), modulus, remainder), same);
}

static joint combine(hy_context *context, const hy_constraint *a, const hy_constraint *b) {
  joint j = {context, hy_affine_table_new(context), false, hy_expr_bool(context, true)};
  ask_same(&j, a->min, b->min);
  ask_same(&j, a->len, b->len);
  ask_aligned(&j, a->min, b->modulus, b->remainder);
  ask_aligned(&j, a->len, b->modulus, 0);
  ask_aligned(&j, b->min, a->modulus, a->remainder);
  ask_aligned(&j, b->len, a->modulus, 0);
  int64_t modulus = a->modulus, remainder = a->remainder;
  if (a->modulus && b->modulus && !hy_alignment_join(&modulus, &remainder, b->modulus, b->remainder)) j.never = true;
  hy_affine_table_free(j.table);
  return j;
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

// DIR.Bounds.Combine: bound, bound_extent and align_bounds on one dimension hold together for some inputs, or there is
// no solution (decisions D43, D58, D90).
bool hy_bounds_combine(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                       const hy_constraint *constraint, hy_diagnostics *diagnostics) {
  int count;
  const hy_stmt *room;
  const hy_stmt *const *items = front(tgt, constraint->func, &count, &room);
  hy_constraint other;
  bool fits = true;
  for (int i = 0; i < count && fits; i++)
    if (is_constraint(items[i], &other) && other.dim == constraint->dim)
      fits = !combine(context, &other, constraint).never;
  if (fits) return true;
  hy_text first = {0}, second = {0};
  print(context, &other, &first);
  print(context, constraint, &second);
  hy_context_hit(context, HY_RULE_DIR_BOUNDS_COMBINE);
  hy_report(diagnostics, HY_E_NO_SOLUTION, directive->loc, "DIR.Bounds.Combine (decision D43)",
            "leave one of them out, or give numbers that satisfy both",
            "no bounds satisfy both %s and %s, for any input", hy_text_string(&first), hy_text_string(&second));
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
  if (!negative) return true;
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

// The program with one more check of a user's bounds at entry, before the images'.
static const hy_tgt *assume_bound(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_expr *good) {
  if (!good->has_var) return tgt;
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, tgt->entry_count + 1);
  int count = 0, next = 0;
  while (next < tgt->entry_count && tgt->entry[next]->assume.why != HY_ASSUME_IMAGE)
    entry[count++] = tgt->entry[next++];
  entry[count++] = hy_stmt_assume(context, HY_ASSUME_BOUND, func, good);
  while (next < tgt->entry_count) entry[count++] = tgt->entry[next++];
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->entry = entry;
  copy->entry_count = count;
  return copy;
}

// Given bounds are defined and their length is not negative: checked once at entry (decision D25).
static const hy_tgt *assume_given(hy_context *context, const hy_tgt *tgt, const hy_constraint *c) {
  const hy_expr *zero = hy_expr_int(context, 0);
  if (!c->len) return tgt;
  hy_interval given = {c->min ? c->min : zero, c->len};
  return assume_bound(context, tgt, c->func, hy_interval_is_ordinary(context, given));
}

// DIR.Bounds.Residue: what fits those that stand there for some inputs only is checked at entry, behind that both are
// defined (decision D90).
static const hy_tgt *assume_residue(hy_context *context, const hy_tgt *tgt, const hy_stmt *const *front, int count,
                                    const hy_constraint *c) {
  hy_constraint other;
  for (int i = 0; i < count; i++) {
    if (!is_constraint(front[i], &other) || other.dim != c->dim) continue;
    const hy_expr *residue = combine(context, &other, c).residue;
    if (!residue->has_var) continue;
    hy_context_hit(context, HY_RULE_DIR_BOUNDS_RESIDUE);
    tgt = assume_bound(context, tgt, c->func, residue);
  }
  return tgt;
}

const hy_tgt *hy_bounds_add(hy_context *context, const hy_tgt *tgt, const hy_constraint *c) {
  int count, at = 0;
  const hy_stmt *room;
  const hy_stmt *const *old = front(tgt, c->func, &count, &room);
  const hy_stmt **items = hy_allocate(sizeof *items * (size_t)(count + 2));
  const hy_expr *need = c->modulus ? NULL : hy_need_condition(context, c->func, c->dim);
  int kept = 0;
  for (; kept < count && old[kept]->kind == HY_STMT_ASSUME; kept++) {
    items[at++] = old[kept];
    if (old[kept]->assume.condition == need) need = NULL; // one check per dimension is enough
  }
  items[at++] = hy_stmt_assume(context, HY_ASSUME_CONSTRAIN, c->func, hy_constraint_condition(context, c));
  if (need) items[at++] = hy_stmt_assume(context, HY_ASSUME_NEED, c->func, need);
  while (kept < count) items[at++] = old[kept++];
  const hy_stmt *body = hy_stmt_seq(context, items, at);
  hy_free(items);
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, c->func);
  body = hy_stmt_with_children(context, compute, &body, 1);
  tgt = assume_residue(context, assume_given(context, tgt, c), old, count, c);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, compute, body));
}
