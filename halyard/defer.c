#include "halyard/defer.h"

#include "engines/evaluate.h"
#include "semantics/base/vec.h"

#include <string.h>

/* -- conditions: the loops are eliminated, the innermost first -- */

enum { MOST_CONDITIONS = 64 };

typedef struct {
  hy_context *context;
  const hy_expr *conditions[MOST_CONDITIONS]; // all of them are to hold
  size_t count;
  const char *why; // it cannot be done; NULL: so far it can
} elimination;

static bool is_op(const hy_expr *e, hy_op op) { return e->kind == HY_EXPR_OP && e->op == op; }

static const hy_var *loop_of(const hy_expr *e) {
  return e->kind == HY_EXPR_VAR && e->var->kind == HY_VAR_LOOP ? e->var : NULL;
}

// Is it a sum of terms, of which those with v are v times something without it?
static bool is_affine(const hy_expr *e, const hy_var *v) {
  if (!hy_expr_mentions(e, v) || loop_of(e) == v) return true;
  if (is_op(e, HY_OP_ADD) || is_op(e, HY_OP_SUB)) return is_affine(e->args[0], v) && is_affine(e->args[1], v);
  if (is_op(e, HY_OP_NEG)) return is_affine(e->args[0], v);
  if (!is_op(e, HY_OP_MUL)) return false;
  const hy_expr *with = hy_expr_mentions(e->args[0], v) ? e->args[0] : e->args[1];
  const hy_expr *other = with == e->args[0] ? e->args[1] : e->args[0];
  return !hy_expr_mentions(other, v) && is_affine(with, v);
}

// What holds at both ends of an interval holds between them: comparisons of what is affine, but for "is not".
static bool is_decided_by_ends(const hy_expr *condition, const hy_var *v) {
  bool comparison = is_op(condition, HY_OP_LE) || is_op(condition, HY_OP_LT) || is_op(condition, HY_OP_GE) ||
                    is_op(condition, HY_OP_GT) || is_op(condition, HY_OP_EQ);
  return comparison && is_affine(condition->args[0], v) && is_affine(condition->args[1], v);
}

static const hy_expr *with(elimination *e, const hy_expr *condition, const hy_var *v, const hy_expr *value) {
  return hy_expr_substitute(e->context, condition, &(hy_binding){v, value}, 1);
}

static void give_up(elimination *e, const char *format, const hy_var *v) {
  hy_text name = {0};
  if (v) hy_var_print(v, &name);
  e->why = hy_arena_printf(hy_context_arena(e->context), format, hy_text_string(&name));
  hy_text_free(&name);
}

static void replace_let(elimination *e, const hy_var *v, const hy_expr *value) {
  for (size_t i = 0; i < e->count; i++) e->conditions[i] = with(e, e->conditions[i], v, value);
}

// The values of v are min, ..., end - 1.
static void replace_loop(elimination *e, const hy_var *v, const hy_expr *min, const hy_expr *end) {
  const hy_expr *last = hy_index_sub(e->context, end, hy_expr_int(e->context, 1));
  size_t count = e->count;
  for (size_t i = 0; i < count && !e->why; i++) {
    const hy_expr *condition = e->conditions[i];
    if (!hy_expr_mentions(condition, v)) continue;
    if (!is_decided_by_ends(condition, v))
      give_up(e, "it speaks of every iteration of the loop %s, in which it is not linear", v);
    else if (e->count == MOST_CONDITIONS)
      give_up(e, "it would take too many conditions%s", NULL);
    else
      e->conditions[e->count++] = with(e, condition, v, last), e->conditions[i] = with(e, condition, v, min);
  }
}

static void eliminate(elimination *e, const hy_obligation *o) {
  const hy_var *open = NULL; // the loop whose end was met
  const hy_expr *end = NULL;
  for (size_t i = o->fact_count; i-- > 0 && !e->why;) {
    const hy_expr *fact = o->facts[i];
    if (is_op(fact, HY_OP_LT) && loop_of(fact->args[0])) {
      open = loop_of(fact->args[0]);
      end = fact->args[1];
    } else if (is_op(fact, HY_OP_LE) && open && loop_of(fact->args[1]) == open) {
      replace_loop(e, open, fact->args[0], end);
      open = NULL;
    } else if (is_op(fact, HY_OP_EQ) && loop_of(fact->args[0])) {
      replace_let(e, loop_of(fact->args[0]), fact->args[1]);
    }
  }
}

static void see_unknown(void *self, const hy_expr *node) {
  elimination *e = self;
  if (e->why) return;
  if (node->kind == HY_EXPR_ACCESS) give_up(e, "it depends on values that the program computes%s", NULL);
  if (loop_of(node)) give_up(e, "it speaks of the loop %s, whose range it does not tell", node->var);
}

const hy_expr *hy_defer_condition(hy_context *context, const hy_obligation *o, const char **why) {
  elimination e = {.context = context, .conditions = {o->goal}, .count = 1};
  if (o->kind == HY_B_FITS)
    give_up(&e, "a number that may not fit 64 bits cannot be looked at either; clamp it%s", NULL);
  if (!e.why) eliminate(&e, o);
  const hy_expr *all = hy_expr_bool(context, true);
  for (size_t i = 0; i < e.count && !e.why; i++) {
    const hy_expr *c = e.conditions[i];
    hy_expr_visit(c, see_unknown, &e);
    all = hy_expr_and(context, all, c); // an entry check: what errs is not true (TGT.Assume)
  }
  *why = e.why;
  return e.why ? NULL : all;
}

/* -- programs -- */

const hy_tgt *hy_defer_program(hy_pipeline *p) {
  HY_VEC(const hy_stmt *) entry = {0};
  for (int i = 0; i < p->filled->entry_count; i++) hy_vec_push(&entry, p->filled->entry[i]);
  bool possible = true;
  for (size_t i = 0; i < p->report.count && possible; i++) {
    const hy_decision *d = &p->report.decisions[i];
    if (d->verdict != HY_VERDICT_UNKNOWN) continue;
    const char *why;
    const hy_expr *condition = hy_defer_condition(p->context, d->obligation, &why);
    bool known = false;
    for (size_t k = 0; k < entry.count; k++) known |= entry.data[k]->assume.condition == condition;
    if (!condition)
      possible = false;
    else if (!known)
      hy_vec_push(&entry, hy_stmt_assume(p->context, HY_ASSUME_UNDECIDED, d->obligation->func, condition));
  }
  hy_tgt *tgt = NULL;
  if (possible) {
    const hy_stmt **copy = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_stmt *, entry.count);
    memcpy(copy, entry.data, sizeof *copy * entry.count);
    tgt = HY_NEW(hy_context_arena(p->context), hy_tgt);
    *tgt = *p->filled;
    tgt->entry = copy;
    tgt->entry_count = (int)entry.count;
  }
  hy_vec_free(&entry);
  return tgt;
}

const hy_stmt *hy_defer_failure(const hy_tgt *filled, const hy_input *input) {
  if (hy_alg_nothing_asked(filled->alg, input)) return NULL; // an empty window returns at once (decision D11)
  for (int i = 0; i < filled->entry_count; i++) {
    const hy_stmt *check = filled->entry[i];
    if (check->assume.why != HY_ASSUME_UNDECIDED) continue;
    hy_value held = hy_input_evaluate(filled->alg, input, check->assume.condition);
    if (held.error != HY_OK || !held.u) return check;
  }
  return NULL;
}
