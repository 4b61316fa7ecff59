// What rewrites index expressions and conditions must not change their values (simplifier rules of class INDEX,
// VAL.Logic, decisions D2, D27, D43): random ones, as they are written and as they come back, at a few points.

#include "fuzz/judge/judge_internal.h"
#include "fuzz/judge/whole.h"

#include "engines/generator.h"
#include "semantics/expr/affine.h"
#include "semantics/tgt/constraint.h"
#include "semantics/tgt/defined.h"

enum { ALGEBRA_ONE_IN = 4, VARIABLES = 2, POINTS = 6, FORMS = 3 };

typedef struct {
  hy_judging *g;
  hy_choices choices;
  const hy_expr *vars[VARIABLES];
  hy_whole values[VARIABLES];
} algebra;

static hy_context *context_of(const algebra *a) { return a->g->context; }
static const hy_expr *number(const algebra *a, int64_t i) { return hy_expr_int(context_of(a), i); }

static bool value_of(void *self, const hy_expr *leaf, hy_whole *value) {
  const algebra *a = self;
  for (int i = 0; i < VARIABLES; i++)
    if (leaf == a->vars[i]) return *value = a->values[i], true;
  return false;
}

static void move(algebra *a) {
  for (int i = 0; i < VARIABLES; i++) a->values[i] = hy_choose_between(&a->choices, -9, 9);
}

static const hy_expr *pick_term(algebra *a) {
  const hy_expr *v = a->vars[hy_choose(&a->choices, VARIABLES)];
  int64_t by = hy_choose_between(&a->choices, -4, 4);
  switch (hy_choose(&a->choices, 4)) {
  case 0: return number(a, by);
  case 1: return v;
  case 2: return hy_expr_binary(context_of(a), HY_OP_ADD, v, number(a, by));
  default: return hy_expr_binary(context_of(a), HY_OP_MUL, number(a, by), v);
  }
}

static const hy_expr *pick_form(algebra *a, int depth) {
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_SUB, HY_OP_MIN, HY_OP_MAX, HY_OP_DIV, HY_OP_MOD, HY_OP_MUL};
  if (depth == 0) return pick_term(a);
  hy_op op = ops[hy_choose(&a->choices, HY_COUNT(ops))];
  const hy_expr *x = pick_form(a, depth - 1);
  bool divides = hy_op_kind_of(op) == HY_KIND_DIVISION;
  const hy_expr *y =
      divides || op == HY_OP_MUL ? number(a, hy_choose_between(&a->choices, 1, 5)) : pick_form(a, depth - 1);
  if (divides && hy_choose(&a->choices, 4) == 0) y = pick_term(a);
  return hy_expr_binary(context_of(a), op, x, y);
}

static void find(algebra *a, const char *what, const hy_expr *from, const hy_expr *to) {
  hy_text text = {0};
  hy_text_printf(&text, "%s: ", what);
  hy_expr_print(from, &text);
  hy_text_add(&text, " became ");
  hy_expr_print(to, &text);
  hy_judging_find(a->g, HY_FOUND_DISAGREE, "algebra", hy_text_string(&text));
  a->g->j->step = 0;
  hy_text_free(&text);
}

// Where "from" has a value, "to" has it too.
static void compare(algebra *a, const char *what, const hy_expr *from, const hy_expr *to) {
  for (int i = 0; i < POINTS; i++) {
    hy_whole x = 0, y = 0;
    move(a);
    if (hy_whole_of(from, value_of, a, &x) != HY_EVALUATED) continue;
    if (hy_whole_of(to, value_of, a, &y) != HY_EVALUATED || x != y) find(a, what, from, to);
  }
}

// Decision D94: it says where the expression has a value.
static void compare_defined(algebra *a, const hy_expr *expr) {
  hy_ranges *ranges = hy_ranges_new();
  const hy_expr *defined = hy_defined(context_of(a), ranges, expr);
  hy_ranges_free(ranges);
  if (!defined) return;
  for (int i = 0; i < POINTS; i++) {
    hy_whole x, holds = 0;
    move(a);
    bool good = hy_whole_of(expr, value_of, a, &x) == HY_EVALUATED;
    if (hy_whole_of(defined, value_of, a, &holds) != HY_EVALUATED || (holds != 0) != good)
      find(a, "where it is defined", expr, defined);
  }
}

static void judge_index(algebra *a, const hy_expr *x, const hy_expr *y) {
  static const struct {
    hy_op op;
    const hy_expr *(*make)(hy_context *, const hy_expr *, const hy_expr *);
  } rows[] = {{HY_OP_ADD, hy_index_add},
              {HY_OP_SUB, hy_index_sub},
              {HY_OP_MUL, hy_index_mul},
              {HY_OP_DIV, hy_index_div},
              {HY_OP_MIN, hy_index_min}};
  size_t which = hy_choose(&a->choices, HY_COUNT(rows));
  if (rows[which].op == HY_OP_DIV) y = number(a, hy_choose_between(&a->choices, 1, 5));
  const hy_expr *made = rows[which].make(context_of(a), x, y);
  compare(a, "an index", hy_expr_binary(context_of(a), rows[which].op, x, y), made);
}

static void judge_logic(algebra *a, const hy_expr *x, const hy_expr *y) {
  hy_context *c = context_of(a);
  const hy_expr *p = hy_expr_binary(c, HY_OP_LT, x, y), *q = hy_expr_binary(c, HY_OP_GE, y, number(a, 1));
  if (hy_choose(&a->choices, 2)) p = hy_expr_bool(c, hy_choose(&a->choices, 2));
  if (hy_choose(&a->choices, 3) == 0) q = hy_expr_bool(c, hy_choose(&a->choices, 2));
  const hy_expr *both = hy_expr_and(c, p, q);
  compare(a, "a condition", hy_expr_binary(c, HY_OP_AND, p, q), both);
  const hy_expr *either = hy_expr_or(c, p, q);
  compare(a, "a condition", hy_expr_binary(c, HY_OP_OR, p, q), either);
}

// Decision D43: is there a number that leaves both remainders, and does the joined pair say which?
static void judge_alignments(algebra *a) {
  int64_t m = hy_choose_between(&a->choices, 1, 6), r = hy_choose_between(&a->choices, 0, m - 1);
  int64_t m2 = hy_choose_between(&a->choices, 1, 6), r2 = hy_choose_between(&a->choices, 0, m2 - 1);
  int64_t joined = m, rest = r, first = -1;
  bool can = hy_alignment_join(&joined, &rest, m2, r2);
  for (int64_t i = 0; i < m * m2 && first < 0; i++)
    if (i % m == r && i % m2 == r2) first = i;
  if (can != (first >= 0) || (can && first != rest)) {
    hy_judging_find(a->g, HY_FOUND_DISAGREE, "algebra", "two alignments are joined wrongly");
    a->g->j->step = 0;
  }
}

void hy_judging_algebra(hy_judging *g) {
  if (g->c->seed % ALGEBRA_ONE_IN != 2) return;
  algebra a = {.g = g, .choices = hy_choices_of_seed(hy_splitmix(g->c->seed, 860))};
  for (int i = 0; i < VARIABLES; i++)
    a.vars[i] = hy_expr_var(g->context, hy_var_new(g->context, HY_VAR_FRESH, HY_INT, i ? "b" : "a", NULL, 0, 0));
  hy_affine_table *table = hy_affine_table_new(g->context);
  for (int i = 0; i < FORMS; i++) {
    const hy_expr *x = pick_form(&a, 2), *y = pick_form(&a, 1);
    compare(&a, "a normal form", x, hy_affine_normal(table, x));
    compare_defined(&a, y);
    const hy_expr *right = pick_term(&a), *left = pick_term(&a);
    judge_index(&a, left, right);
    judge_logic(&a, x, y);
    judge_alignments(&a);
  }
  hy_affine_table_free(table);
}
