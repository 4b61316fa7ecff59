/* Facts and obligations, and what every expression and box owes wherever it stands: that it is defined and fits 64 bits
 * (B.Defined, B.Fits), that lengths are not negative (B.Length), that one box lies in another (B.Inside, B.Window).
 *
 * A condition becomes a fact only as far as the machine obeys it (decisions D65, D94): what it has checked is defined
 * and true; where it went the other way the condition is an error or false; below a predicate it is an error or true,
 * because one that errs hits. The rules call these three checked(p), denied(p) and hit(p).
 */

#include "bounds/query_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hy_obligation_rule(hy_obligation_kind kind) {
  static const char *const names[] = {"B.Window",    "B.Inside",   "B.Length",  "B.Cover", "B.Mem",
                                      "B.Cpu",       "B.Address",  "B.Defined", "B.Fits",  "B.Value",
                                      "B.Constrain", "B.Disjoint", "B.Fold",    "B.Pieces"};
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
  case HY_B_VALUE:
  case HY_B_DISJOINT:
  case HY_B_FOLD:
  case HY_B_PIECES: return false;
  }
  HY_UNREACHABLE();
}

static const hy_rule rules[] = {HY_RULE_B_WINDOW, HY_RULE_B_INSIDE, HY_RULE_B_LENGTH,    HY_RULE_B_COVER,
                                HY_RULE_B_MEM,    HY_RULE_B_CPU,    HY_RULE_B_ADDRESS,   HY_RULE_B_DEFINED,
                                HY_RULE_B_FITS,   HY_RULE_B_VALUE,  HY_RULE_B_CONSTRAIN, HY_RULE_B_DISJOINT,
                                HY_RULE_B_FOLD,   HY_RULE_B_PIECES};

/* -- facts and obligations -- */

// What is shared is a list that grows at its end alone: places whose facts begin as those of the last one share it as far
// as it goes. A list for each place would take memory with the square of their number.
static void begin_shared(hy_query_walk *w, size_t count) {
  enum { ROOM = 64 };
  w->shared_room = count + count / 8 + ROOM;
  w->shared = hy_arena_allocate(w->arena, w->shared_room * sizeof *w->shared);
  w->shared_count = w->same = 0;
}

const hy_expr *const *hy_query_share_facts(hy_query_walk *w, size_t count) {
  bool goes_on = w->same >= count || (w->same == w->shared_count && count <= w->shared_room);
  if (!w->shared || !goes_on) begin_shared(w, count);
  if (w->same >= count) return w->shared;
  memcpy(w->shared + w->same, w->facts.data + w->same, sizeof *w->shared * (count - w->same));
  w->same = w->shared_count = count;
  return w->shared;
}

void hy_query_push_fact(hy_query_walk *w, const hy_expr *fact) {
  if (hy_expr_is_true(fact)) return;
  if (w->same == w->facts.count && w->same < w->shared_count && w->shared[w->same] == fact) w->same++;
  hy_vec_push(&w->facts, fact);
}

void hy_query_pop_facts(hy_query_walk *w, size_t count) {
  w->facts.count = count;
  if (w->same > count) w->same = count;
}

void hy_query_owe(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_expr *goal, const char *format,
                  ...) {
  char about[512];
  va_list args;
  va_start(args, format);
  vsnprintf(about, sizeof about, format, args);
  va_end(args);
  hy_context_hit(w->context, rules[kind]);
  hy_vec_push(&w->obligations, (hy_obligation){.kind = kind,
                                               .facts = hy_query_share_facts(w, w->facts.count),
                                               .fact_count = w->facts.count,
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

/* -- conditions as facts: believed as far as the machine obeys them (decisions D65, D94) -- */

static const hy_expr *defined(const hy_query_walk *w, const hy_expr *e) { return hy_defined(w->context, w->ranges, e); }

static bool is_and(const hy_expr *e) { return e->kind == HY_EXPR_OP && e->op == HY_OP_AND; }

// The machine asks whether it is defined and true, and goes on where it is: an entry check, an assumption, the first
// branch of a specialization (TGT.Assume, TGT.If-Specialize, GEN.Assume).
void hy_query_push_checked(hy_query_walk *w, const hy_expr *condition) {
  if (is_and(condition)) { // both sides are evaluated
    hy_query_push_checked(w, condition->args[0]);
    hy_query_push_checked(w, condition->args[1]);
    return;
  }
  hy_query_push_fact(w, condition);
  const hy_expr *fits = defined(w, condition);
  if (fits) hy_query_push_fact(w, fits);
}

// It goes on where the condition is an error or false: the other branch.
static void push_denied(hy_query_walk *w, const hy_expr *condition) {
  const hy_expr *no = negate(w, condition);
  if (hy_ranges_total(w->ranges, condition)) {
    hy_query_push_fact(w, no);
    return;
  }
  const hy_expr *fits = defined(w, condition);
  if (fits) hy_query_push_fact(w, hy_expr_or(w->context, negate(w, fits), no));
}

// A predicate that errs hits (D4, D12), and nobody says what it is natively: "it errs, or it holds".
static void push_predicate(hy_query_walk *w, const hy_expr *condition) {
  if (is_and(condition) && hy_ranges_total(w->ranges, condition->args[0])) {
    push_predicate(w, condition->args[0]);
    push_predicate(w, condition->args[1]);
    return;
  }
  if (hy_ranges_total(w->ranges, condition)) {
    hy_query_push_fact(w, condition);
    return;
  }
  const hy_expr *fits = defined(w, condition);
  if (fits) hy_query_push_fact(w, hy_expr_or(w->context, negate(w, fits), condition));
}

// What holds in a branch. A condition that reads is none (decision D56).
void hy_query_push_branch(hy_query_walk *w, const hy_stmt *stmt, const hy_stmt *branch) {
  const hy_expr *condition = stmt->branch.condition;
  if (condition->has_access) return;
  bool first = branch == stmt->branch.then;
  switch (stmt->branch.why) {
  case HY_IF_SPECIALIZE:
    if (!first)
      push_denied(w, condition);
    else
      hy_query_push_checked(w, condition);
    return;
  case HY_IF_USER: push_predicate(w, first ? condition : negate(w, condition)); return;
  case HY_IF_GUARD:
  case HY_IF_IMPLIED: hy_query_push_fact(w, first ? condition : negate(w, condition)); return; // it is owed
  }
  HY_UNREACHABLE();
}

/* -- B.Fits and B.Defined: what every expression of a place owes -- */

typedef struct {
  hy_query_walk *w;
  hy_query_place at;
  const hy_expr *expr;
  const char *what;
  size_t count;
} risk_owing;

// Of fixed width, too: by 0 it is an error as well (D5).
static void owe_defined(void *self, hy_risk risk) {
  risk_owing *o = self;
  hy_query_walk *w = o->w;
  const hy_expr *node = risk.node;
  if (risk.what == HY_RISK_WIDTH) return;
  const char *text = hy_query_print(w, risk.what == HY_RISK_DIVISOR ? node->args[1] : node);
  hy_query_owe(w, HY_B_DEFINED, o->at, hy_risk_avoided(w->context, risk),
               risk.what == HY_RISK_DIVISOR ? "the divisor %s of a bound is not 0" : "%s, in a bound, is no error",
               text);
}

// B.Defined: bounds are defined wherever they are evaluated (decision D52).
void hy_query_owe_defined(hy_query_walk *w, hy_query_place at, const hy_expr *expr) {
  risk_owing o = {w, at, expr, NULL, 0};
  hy_defined_risks(w->context, w->ranges, expr, owe_defined, &o);
}

static void owe_fitting(risk_owing *f, const hy_expr *node, const hy_expr *goal) {
  hy_query_walk *w = f->w;
  hy_query_owe(w, HY_B_FITS, f->at, goal, "%s %s fits 64 bits", f->what, hy_query_print(w, node));
  hy_vec_last(&w->obligations).decided_by_range = hy_expr_is_true(goal);
  hy_vec_last(&w->obligations).fitting = f->expr;
  f->count++;
  if (hy_expr_is_true(goal)) return;
  hy_vec_push(&w->fitting, goal);
  hy_query_push_fact(w, goal);
}

static void owe_width(void *self, hy_risk risk) {
  risk_owing *f = self;
  if (risk.what == HY_RISK_WIDTH) owe_fitting(f, risk.node, hy_risk_avoided(f->w->context, risk));
}

// What is evaluated whatever is chosen, and of the rest what cannot err: whether a quotient fits can be certified only
// where it is one. (Of the rest the ranges say so.)
static const hy_expr *drop_arm(void *self, const hy_expr *node) {
  const hy_query_walk *w = self;
  if (node->kind != HY_EXPR_OP || !hy_op_is_lazy(node->op)) return node;
  const hy_expr *args[HY_MAX_ARITY];
  for (int i = 0; i < node->count; i++) {
    bool keeps = i == 0 || hy_ranges_total(w->ranges, node->args[i]);
    args[i] = keeps ? node->args[i] : hy_expr_const(w->context, hy_value_zero(node->args[i]->type));
  }
  return hy_expr_op(w->context, node->op, node->type, args);
}

static const hy_expr *certain(hy_query_walk *w, const hy_expr *expr) {
  return hy_ranges_total(w->ranges, expr) ? expr : hy_expr_map(w->context, expr, drop_arm, w);
}

// B.Fits: the expression and everything that is evaluated below it fits 64 bits (decision D26): one obligation for all
// that ranges show, one for each of the others.
void hy_query_owe_fits(hy_query_walk *w, hy_query_place at, const hy_expr *expr, const char *what) {
  risk_owing f = {w, at, certain(w, expr), what, 0};
  size_t facts = w->facts.count;
  for (size_t i = 0; i < w->widths.count; i++) hy_query_push_fact(w, w->widths.data[i]);
  for (size_t i = 0; i < w->fitting.count; i++) hy_query_push_fact(w, w->fitting.data[i]);
  hy_defined_risks(w->context, w->ranges, expr, owe_width, &f);
  if (!f.count) owe_fitting(&f, expr, hy_expr_bool(w->context, true));
  hy_query_pop_facts(w, facts);
}

void hy_query_owe_interval(hy_query_walk *w, hy_query_place at, hy_interval interval, const char *what,
                           const char *name) {
  hy_query_owe_defined(w, at, interval.min);
  hy_query_owe_defined(w, at, interval.len);
  hy_query_owe_fits(w, at, end_of(w, interval), what);
  int64_t constant;
  if (hy_expr_is_int(interval.len, &constant) && constant >= 0) return;
  hy_query_owe(w, HY_B_LENGTH, at, binary(w, HY_OP_GE, interval.len, hy_expr_int(w->context, 0)),
               "the length %s of %s %s is not negative", hy_query_print(w, interval.len), what, name);
}

/* -- B.Inside -- */

// Inclusion of "inner" in "outer", dimension by dimension; an empty inner box demands nothing (decision D60).
void hy_query_owe_inside(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_interval *inner,
                         const hy_interval *outer, const char *what) {
  size_t facts = w->facts.count;
  const hy_expr *one = hy_expr_int(w->context, 1);
  for (int i = 0; i < at.func->rank; i++) hy_query_push_fact(w, binary(w, HY_OP_GE, inner[i].len, one));
  for (int i = 0; i < at.func->rank; i++) {
    hy_query_owe(w, kind, at, binary(w, HY_OP_LE, outer[i].min, inner[i].min), "%s, dimension %s, lower bound", what,
                 dim_name(at.func, i));
    hy_query_end_at(w, i, false);
    const hy_expr *outer_end = end_of(w, outer[i]), *inner_end = end_of(w, inner[i]);
    hy_query_owe(w, kind, at, binary(w, HY_OP_LE, inner_end, outer_end), "%s, dimension %s, upper bound", what,
                 dim_name(at.func, i));
    hy_query_end_at(w, i, true);
  }
  hy_query_pop_facts(w, facts);
}

void hy_query_owe_missing(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const char *access,
                          const char *what) {
  hy_query_owe(w, kind, at, hy_expr_bool(w->context, false), "%s has %s in scope", access, what);
}
