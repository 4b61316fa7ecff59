#include "bounds/query_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hy_obligation_rule(hy_obligation_kind kind) {
  static const char *const names[] = {"B.Window",  "B.Inside",  "B.Length", "B.Cover",     "B.Mem",     "B.Cpu",
                                      "B.Address", "B.Defined", "B.Fits",   "B.Constrain", "B.Disjoint"};
  return names[kind];
}

bool hy_obligation_speaks_of_its_place(const hy_obligation *o) {
  switch (o->kind) {
  case HY_B_MEM:
  case HY_B_LENGTH:
  case HY_B_DEFINED:
  case HY_B_CONSTRAIN: return true;
  case HY_B_WINDOW:
  case HY_B_INSIDE:
  case HY_B_COVER:
  case HY_B_CPU:
  case HY_B_ADDRESS:
  case HY_B_FITS:
  case HY_B_DISJOINT: return false;
  }
  HY_UNREACHABLE();
}

static const hy_rule rules[] = {HY_RULE_B_WINDOW, HY_RULE_B_INSIDE,    HY_RULE_B_LENGTH,  HY_RULE_B_COVER,
                                HY_RULE_B_MEM,    HY_RULE_B_CPU,       HY_RULE_B_ADDRESS, HY_RULE_B_DEFINED,
                                HY_RULE_B_FITS,   HY_RULE_B_CONSTRAIN, HY_RULE_B_DISJOINT};

/* -- facts and obligations -- */

void hy_query_share_facts(hy_query_walk *w, size_t count) {
  const hy_expr **copy = HY_NEW_ARRAY(hy_context_arena(w->context), const hy_expr *, count);
  if (count) memcpy(copy, w->facts.data, sizeof *copy * count);
  w->shared = copy;
  w->shared_count = count;
}

void hy_query_push_fact(hy_query_walk *w, const hy_expr *fact) {
  if (hy_expr_is_true(fact)) return;
  hy_vec_push(&w->facts, fact);
  w->shared = NULL;
}

void hy_query_pop_facts(hy_query_walk *w, size_t count) {
  if (w->facts.count == count) return;
  w->facts.count = count;
  w->shared = NULL;
}

void hy_query_owe(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_expr *goal, const char *format,
                  ...) {
  char about[512];
  va_list args;
  va_start(args, format);
  vsnprintf(about, sizeof about, format, args);
  va_end(args);
  if (!w->shared) hy_query_share_facts(w, w->facts.count);
  hy_context_hit(w->context, rules[kind]);
  hy_vec_push(&w->obligations, (hy_obligation){.kind = kind,
                                               .facts = w->shared,
                                               .fact_count = w->shared_count,
                                               .goal = goal,
                                               .func = at.func,
                                               .stage = at.stage,
                                               .other = at.other,
                                               .dim = -1,
                                               .loc = at.loc,
                                               .about = hy_context_name_of(w->context, about)});
}

// The last obligation is about that end of a box.
void hy_query_end_at(hy_query_walk *w, int dim, bool is_upper) {
  hy_vec_last(&w->obligations).dim = dim;
  hy_vec_last(&w->obligations).is_upper = is_upper;
}

const char *hy_query_print(hy_query_walk *w, const hy_expr *expr) {
  hy_text text = {0};
  hy_expr_print_brief(expr, 157, &text); // an index can be long; the place tells the rest
  const char *name = hy_context_name_of(w->context, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

hy_query_place hy_query_here(hy_query_walk *w, const hy_func *func) {
  const hy_definition *d = hy_alg_definition(w->tgt->alg, func);
  return (hy_query_place){func, NULL, -1, d ? func->loc : (hy_loc){0}};
}

// The same place, but at a statement of a .tgt file.
hy_query_place hy_query_on(hy_query_place at, const hy_stmt *stmt) {
  at.loc = hy_stmt_loc(stmt, at.loc);
  return at;
}

static const hy_expr *negate(const hy_query_walk *w, const hy_expr *e) {
  return hy_expr_unary(w->context, HY_OP_NOT, e);
}

// Can it not err, read lazily? "defined(c) && c", as a directive writes a specialization's condition, cannot.
static bool is_total(const hy_query_walk *w, const hy_expr *condition) {
  if (condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND &&
      condition->args[0] == hy_expr_defined(w->context, condition->args[1]))
    condition = condition->args[0];
  return hy_expr_is_true(hy_expr_defined(w->context, condition));
}

// What holds in a branch. A condition is a fact if it is total and load-free (decision D56); one that errs counts as
// false (D27), so its negation is a fact only if it cannot err.
void hy_query_push_branch(hy_query_walk *w, const hy_stmt *stmt, const hy_stmt *branch) {
  const hy_expr *condition = stmt->branch.condition;
  if (condition->has_access) return;
  if (stmt->branch.why == HY_IF_USER && HY_MUTANT(D56_Predicates_Are_No_Facts)) return;
  if (branch == stmt->branch.then) {
    if (stmt->branch.why != HY_IF_SPECIALIZE || !HY_MUTANT(D62_Branches_Are_Reached)) hy_query_push_fact(w, condition);
    hy_query_push_fact(w, hy_expr_defined(w->context, condition));
  } else if (HY_MUTANT(D27_Negation_Of_An_Error) ||
             (is_total(w, condition) && !hy_ranges_overflowing(w->ranges, condition))) {
    hy_query_push_fact(w, negate(w, condition));
  }
}

/* -- B.Fits and B.Defined: what every expression of a place owes -- */

typedef struct {
  hy_query_walk *w;
  hy_query_place at;
} divisor_walk;

static void see_division(void *self, const hy_expr *node) {
  divisor_walk *d = self;
  const hy_expr *divisor = hy_expr_divisor_maybe_zero(node); // of fixed width, too: by 0 it is an error as well (D5)
  if (!divisor) return;
  hy_query_owe(d->w, HY_B_DEFINED, d->at,
               binary(d->w, HY_OP_NE, divisor, hy_expr_const(d->w->context, hy_value_zero(divisor->type))),
               "the divisor %s of a bound is not 0", hy_query_print(d->w, divisor));
}

// B.Defined: bounds are defined wherever they are evaluated (decision D52).
void hy_query_owe_defined(hy_query_walk *w, hy_query_place at, const hy_expr *expr) {
  if (!HY_MUTANT(D52_Fills_Divide_Freely)) hy_expr_visit(expr, see_division, &(divisor_walk){w, at});
}

typedef struct {
  hy_query_walk *w;
  hy_query_place at;
  const hy_expr *expr;
  const char *what;
  size_t count;
} fits_walk;

static void owe_fitting(fits_walk *f, const hy_expr *node) {
  hy_query_walk *w = f->w;
  const hy_expr *goal = hy_expr_bool(w->context, true);
  if (node)
    goal = hy_expr_and(w->context, binary(w, HY_OP_GE, node, hy_expr_int(w->context, INT64_MIN)),
                       binary(w, HY_OP_LE, node, hy_expr_int(w->context, INT64_MAX)));
  hy_query_owe(w, HY_B_FITS, f->at, goal, "%s %s fits 64 bits", f->what, hy_query_print(w, node ? node : f->expr));
  hy_vec_last(&w->obligations).decided_by_range = !node;
  hy_vec_last(&w->obligations).fitting = f->expr;
  f->count++;
  if (!node) return;
  hy_vec_push(&w->fitting, goal);
  hy_query_push_fact(w, goal);
}

static void see_fitting(void *self, const hy_expr *node) {
  fits_walk *f = self;
  bool fits = hy_range_fits(hy_ranges_of(f->w->ranges, node)) || HY_MUTANT(D26_Nothing_Overflows);
  if (node->type == HY_INT && !fits) owe_fitting(f, node);
}

// B.Fits: the expression and everything below it fits 64 bits (decision D26): one obligation for all that ranges show,
// one for each of the others.
void hy_query_owe_fits(hy_query_walk *w, hy_query_place at, const hy_expr *expr, const char *what) {
  fits_walk f = {w, at, expr, what, 0};
  size_t facts = w->facts.count;
  for (size_t i = 0; i < w->widths.count; i++) hy_query_push_fact(w, w->widths.data[i]);
  for (size_t i = 0; i < w->fitting.count; i++) hy_query_push_fact(w, w->fitting.data[i]);
  hy_expr_visit(expr, see_fitting, &f);
  if (!f.count) owe_fitting(&f, NULL);
  hy_query_pop_facts(w, facts);
}

void hy_query_owe_interval(hy_query_walk *w, hy_query_place at, hy_interval interval, const char *what,
                           const char *name) {
  hy_query_owe_defined(w, at, interval.min);
  hy_query_owe_defined(w, at, interval.len);
  hy_query_owe_fits(w, at, end_of(w, interval), what);
  int64_t constant;
  if ((hy_expr_is_int(interval.len, &constant) && constant >= 0) || HY_MUTANT(D51_Lengths_Unasked)) return;
  hy_query_owe(w, HY_B_LENGTH, at, binary(w, HY_OP_GE, interval.len, hy_expr_int(w->context, 0)),
               "the length %s of %s %s is not negative", hy_query_print(w, interval.len), what, name);
}

/* -- B.Inside -- */

// Inclusion of "inner" in "outer", dimension by dimension; an empty inner box demands nothing (decision D60).
void hy_query_owe_inside(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_interval *inner,
                         const hy_interval *outer, const char *what) {
  size_t facts = w->facts.count;
  const hy_expr *one = hy_expr_int(w->context, 1);
  for (int i = 0; i < at.func->rank && !HY_MUTANT(D60_Empty_Boxes_Demand); i++)
    hy_query_push_fact(w, binary(w, HY_OP_GE, inner[i].len, one));
  for (int i = 0; i < at.func->rank; i++) {
    if (!HY_MUTANT(B_Inside_Lower_Unasked)) {
      hy_query_owe(w, kind, at, binary(w, HY_OP_LE, outer[i].min, inner[i].min), "%s, dimension %s, lower bound", what,
                   dim_name(at.func, i));
      hy_query_end_at(w, i, false);
    }
    if (HY_MUTANT(B_Inside_Upper_Unasked)) continue;
    hy_query_owe(w, kind, at, binary(w, HY_OP_LE, end_of(w, inner[i]), end_of(w, outer[i])),
                 "%s, dimension %s, upper bound", what, dim_name(at.func, i));
    hy_query_end_at(w, i, true);
  }
  hy_query_pop_facts(w, facts);
}

void hy_query_owe_missing(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const char *access,
                          const char *what) {
  hy_query_owe(w, kind, at, hy_expr_bool(w->context, false), "%s has %s in scope", access, what);
}
