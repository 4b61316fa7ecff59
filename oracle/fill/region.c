#include "oracle/fill/region_internal.h"

#include "oracle/fill/flat.h"
#include "semantics/tgt/defined.h"
#include "semantics/tgt/values.h"
#include "semantics/value/monotone.h"

#include <string.h>

static bool is_float(const hy_expr *expr) { return hy_type_class_of(expr->type) == HY_CLASS_FLOAT; }

bool hy_ends_holds(const hy_region_site *site, hy_op op, const hy_expr *a, const hy_expr *b) {
  int64_t left, right;
  if (hy_expr_is_int(a, &left) && hy_expr_is_int(b, &right) &&
      (op == HY_OP_LT   ? left < right
       : op == HY_OP_LE ? left <= right
                        : op == HY_OP_GE && left >= right))
    return true; // whatever the facts are
  return hy_prover_holds(site->prover, site->facts, site->fact_count, binary(site, op, a, b)) == HY_YES;
}

// Of "a" = min(p, q), or a sum of that, what is left where the other is below p, or q, anyway; NULL = it is needed as
// it is.
static const hy_expr *without_what(hy_affine_table *table, hy_prover *prover, hy_context *context,
                                   const hy_expr *const *facts, size_t fact_count, hy_side side, const hy_expr *a,
                                   const hy_expr *other) {
  const hy_affine *form = hy_affine_of(table, a);
  const hy_expr *parts[2];
  hy_op op;
  int only = -1;
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (atom->kind != HY_EXPR_OP || hy_op_kind_of(atom->op) != HY_KIND_EXTREMUM) continue;
    if (only >= 0) return NULL;
    only = i;
  }
  if (only < 0) return NULL;
  hy_affine_distribute(table, form, only, &op, &parts[0], &parts[1]);
  if (op != (side == HY_LOW ? HY_OP_MIN : HY_OP_MAX)) return NULL;
  for (int i = 0; i < 2; i++) {
    const hy_expr *needless = hy_expr_binary(context, side == HY_LOW ? HY_OP_LE : HY_OP_GE, other, parts[i]);
    if (hy_prover_holds(prover, facts, fact_count, needless) == HY_YES) return parts[1 - i];
  }
  return NULL;
}

const hy_expr *hy_region_extremum(hy_affine_table *table, hy_prover *prover, hy_context *context,
                                  const hy_expr *const *facts, size_t fact_count, hy_side side, const hy_expr *a,
                                  const hy_expr *b) {
  int64_t distance;
  if (hy_affine_distance(table, a, b, &distance)) return (distance <= 0) == (side == HY_LOW) ? a : b;
  const hy_expr *a_first = hy_expr_binary(context, HY_OP_LE, a, b), *b_first = hy_expr_binary(context, HY_OP_LE, b, a);
  // Where both orders can be shown it is "a", what was there before: facts that hold only later (a need within the
  // user's bounds, decision D43) must not put another expression in its place.
  const hy_expr *for_a = side == HY_LOW ? a_first : b_first, *for_b = side == HY_LOW ? b_first : a_first;
  if (hy_prover_holds(prover, facts, fact_count, for_a) == HY_YES) return a;
  if (hy_prover_holds(prover, facts, fact_count, for_b) == HY_YES) return b;
  const hy_expr *left = without_what(table, prover, context, facts, fact_count, side, a, b);
  if (left) return hy_region_extremum(table, prover, context, facts, fact_count, side, left, b);
  left = without_what(table, prover, context, facts, fact_count, side, b, a);
  if (left) return hy_region_extremum(table, prover, context, facts, fact_count, side, a, left);
  return hy_affine_normal(table, hy_expr_binary(context, side == HY_LOW ? HY_OP_MIN : HY_OP_MAX, a, b));
}

static void count_node(void *self, const hy_expr *node) {
  hy_region_effort *effort = self;
  if (node) effort->steps++;
}

// False: there have been too many steps.
static bool spend(const hy_region_site *site, const hy_expr *expr) {
  if (site->effort->steps < HY_REGION_STEPS) hy_expr_visit(expr, count_node, site->effort);
  if (site->effort->steps < HY_REGION_STEPS) return true;
  site->effort->given_up = true;
  return false;
}

// NULL stands for "unbounded" and absorbs.
const hy_expr *hy_ends_extremum(const hy_region_site *site, hy_side side, const hy_expr *a, const hy_expr *b) {
  if (!a || !b || !spend(site, a) || !spend(site, b)) return NULL;
  return hy_region_extremum(site->table, site->prover, site->context, site->facts, site->fact_count, side, a, b);
}

const hy_expr *hy_ends_add(const hy_region_site *site, const hy_expr *a, const hy_expr *b) {
  return a && b ? hy_affine_add(site->table, a, b) : NULL;
}
static const hy_expr *subtract(const hy_region_site *site, const hy_expr *a, const hy_expr *b) {
  return a && b ? hy_affine_sub(site->table, a, b) : NULL;
}
const hy_expr *hy_ends_multiply(const hy_region_site *site, const hy_expr *a, const hy_expr *b) {
  return a && b ? hy_affine_normal(site->table, binary(site, HY_OP_MUL, a, b)) : NULL;
}

/* -- ranges of variables -- */

static int binder_position(const hy_region_site *site, const hy_var *var) {
  for (int i = site->depth - 1; i >= 0; i--) {
    const hy_stmt *s = site->path[i];
    if ((s->kind == HY_STMT_FOR && s->loop.var == var) || (s->kind == HY_STMT_LET && s->let.var == var)) return i;
  }
  return -1;
}

// Asked of each thing once: variables share what they are made of.
typedef bool question(const hy_region_site *site, const void *thing);

static bool answer(const hy_region_site *site, question *asked, const void *key, const void *thing) {
  static const char answers[2]; // their addresses stand for no and yes
  const char *known = hy_pair_map_get(site->answers, thing, key);
  if (!known) hy_pair_map_put(site->answers, thing, key, known = &answers[asked(site, thing)]);
  return known == &answers[true];
}

static bool find_total(const hy_region_site *site, const void *thing);

// Are all loops that a variable is made of eliminated?
static bool is_total(const hy_region_site *site, const hy_var *var) {
  static const char key;
  return answer(site, find_total, &key, var);
}

static bool find_total(const hy_region_site *site, const void *thing) {
  const hy_var *var = thing;
  int at = binder_position(site, var);
  if (at < site->keep) return false;
  const hy_stmt *s = site->path[at];
  if (s->kind == HY_STMT_FOR) return true;
  const hy_origin *o = &s->let.origin;
  return o->relation && is_total(site, o->sources[0]) && (!o->sources[1] || is_total(site, o->sources[1]));
}

static bool may_underflow(const hy_region_site *site, const hy_var *var);
static bool may_overflow(const hy_region_site *site, const hy_var *var);

static bool find_leaving(const hy_region_site *site, const void *thing) {
  const hy_relation *relation = thing;
  bool leaves = false;
  for (int i = 0; i < relation->loop_count && !leaves; i++)
    leaves = may_underflow(site, relation->loops[i]) || may_overflow(site, relation->loops[i]);
  return leaves;
}

// The origin of the let that binds a variable outside of which the site is; NULL: a loop does, or it stands further
// outside.
static const hy_origin *origin_of(const hy_region_site *site, const hy_var *var) {
  int at = binder_position(site, var);
  return at < 0 || site->path[at]->kind == HY_STMT_FOR ? NULL : &site->path[at]->let.origin;
}

static bool any_source(const hy_region_site *site, const hy_origin *o,
                       bool leaves(const hy_region_site *site, const hy_var *var)) {
  for (int i = HY_MOST_SOURCES; i-- > 0;)
    if (o->sources[i] && leaves(site, o->sources[i])) return true;
  return false;
}

// A directive from outside the tree says itself what leaves its range, for loops that stay in those that it gave them.
// (B refuses the fill that a lie makes.)
static bool may_leave(const hy_region_site *site, const hy_origin *o, bool above,
                      bool leaves(const hy_region_site *site, const hy_var *var)) {
  static const char key;
  switch (hy_origin_staying(o, above)) {
  case HY_STAYS: return false;
  case HY_STAYS_WITH_LOOPS: return any_source(site, o, leaves);
  case HY_STAYS_WITH_ALL: return answer(site, find_leaving, &key, o->relation);
  case HY_LEAVES: return true;
  }
  HY_UNREACHABLE();
}

// May a shift inside make the value fall below its range? (Only when its factor exceeds its extent.)
static bool may_underflow(const hy_region_site *site, const hy_var *var) {
  const hy_origin *o = origin_of(site, var);
  if (!o) return false;
  return may_leave(site, o, false, may_underflow);
}

// May rounding up make the value leave its range above? The quotient of a fused loop then leaves its range too.
static bool may_overflow(const hy_region_site *site, const hy_var *var) {
  const hy_origin *o = origin_of(site, var);
  if (!o) return false;
  return may_leave(site, o, true, may_overflow);
}

static int pure_dimension(const hy_region_site *site, const hy_var *var) {
  for (int d = 0; site->lhs && d < site->rank; d++)
    if (site->lhs[d]->kind == HY_EXPR_VAR && site->lhs[d]->var == var) return d;
  return -1;
}

static hy_interval filled(const hy_region_site *site, hy_interval interval) {
  return (hy_interval){hy_fills_apply(site->fills, interval.min), hy_fills_apply(site->fills, interval.len)};
}

static const hy_expr *last_of(const hy_region_site *site, hy_interval interval) {
  return hy_affine_add_int(site->table, binary(site, HY_OP_ADD, interval.min, interval.len), -1);
}

// Is the end of its range one that the let's value does not pass, by a guard or because its loops stay in theirs?
static bool is_kept(const hy_region_site *site, const hy_stmt *let, hy_side side) {
  if (side == HY_HIGH && hy_origin_staying(&let->let.origin, true) == HY_STAYS) return true;
  return !may_underflow(site, let->let.var) && !may_overflow(site, let->let.var);
}

// What a let's variable is at most or at least, over the variables outside of the let.
static const hy_expr *let_end(const hy_region_site *site, const hy_stmt *let, hy_side side) {
  const hy_origin *o = &let->let.origin;
  const hy_expr *value = hy_fills_apply(site->fills, let->let.value);
  if (!o->relation) return value;
  hy_interval range = filled(site, o->range);
  bool total = is_total(site, let->let.var);
  if (!is_kept(site, let, side) || !(total || hy_origin_clamps(o, side == HY_HIGH))) return value;
  const hy_expr *end = side == HY_LOW ? range.min : last_of(site, range); // the guard's own bound (decision D40)
  return total ? end : hy_ends_extremum(site, other_side(side), value, end);
}

// rewrite: max(0, n) -> n as a loop's length: where its body runs, the loop is not empty (a hull skips empty boxes,
// D60)
static const hy_expr *length_inside(const hy_expr *len) {
  int64_t zero;
  if (len->kind != HY_EXPR_OP || len->op != HY_OP_MAX) return len;
  for (int i = 0; i < 2; i++)
    if (hy_expr_is_int(len->args[i], &zero) && zero <= 0) return len->args[1 - i];
  return len;
}

static const hy_expr *own_end(const hy_region_site *site, const hy_stmt *binder, hy_side side) {
  if (binder->kind == HY_STMT_LET) return let_end(site, binder, side);
  hy_interval range = filled(site, binder->loop.interval);
  range.len = length_inside(range.len);
  return side == HY_LOW ? range.min : last_of(site, range);
}

// Is it a pure variable, or made of one? Those of reductions range over what the rdom says, whatever is computed.
static bool is_pure(const hy_region_site *site, const hy_stmt *binder) {
  while (binder->kind == HY_STMT_LET) {
    int at = binder->let.origin.relation ? binder_position(site, binder->let.origin.sources[0]) : -1;
    if (at < 0) return true;
    binder = site->path[at];
  }
  return binder->loop.is_pure;
}

// The end of a variable's range; within the box of points that count, if there is one.
const hy_expr *hy_ends_of_variable(const elimination *what, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *end = own_end(site, what->binder, side);
  int d = pure_dimension(site, what->var);
  if (d < 0) return end;
  const hy_expr *limit = side == HY_LOW ? site->low[d] : site->high[d];
  if (!is_pure(site, what->binder)) return hy_ends_extremum(site, other_side(side), end, limit);
  if (is_total(site, what->var)) return limit; // the loops cover the box (B.Cover)
  const hy_relation *relation = what->binder->kind == HY_STMT_LET ? what->binder->let.origin.relation : NULL;
  bool shift = relation && relation->tail == HY_TAIL_SHIFT;
  if (side == HY_LOW && !shift && !hy_relation_is_given(relation)) return end;
  return hy_ends_extremum(site, other_side(side), end, limit);
}

/* -- atoms -- */

static bool is_positive(const hy_region_site *site, const hy_expr *expr) {
  return hy_ends_holds(site, HY_OP_GE, expr, number(site, 1));
}

// rewrite: b -> max(b, 1), the same wherever the eliminated loops run, where b >= 1 is known only inside of them: the
// fill is evaluated outside (decision D42)
static const hy_expr *safe_divisor(const hy_region_site *site, const hy_expr *b) {
  const hy_expr *one = number(site, 1), *positive = binary(site, HY_OP_GE, b, one);
  if (hy_prover_holds(site->prover, site->facts, site->outer_count, positive) == HY_YES) return b;
  return hy_affine_normal(site->table, binary(site, HY_OP_MAX, b, one));
}

HY_GIVE static hy_ranges *ranges_of(const hy_region_site *site) {
  hy_ranges *ranges = hy_ranges_new();
  hy_fills_assume(site->fills, ranges);
  hy_ranges_use_values(ranges, site->values);
  for (int i = 0; i < site->depth; i++) {
    const hy_stmt *s = site->path[i];
    if (s->kind == HY_STMT_FOR) hy_ranges_bind_loop(ranges, s->loop.var, filled(site, s->loop.interval));
    if (s->kind == HY_STMT_LET) hy_ranges_bind_let(ranges, s->let.var, hy_fills_apply(site->fills, s->let.value));
  }
  return ranges;
}

bool hy_region_is_total(const hy_region_site *site, const hy_expr *expr) {
  hy_ranges *ranges = ranges_of(site);
  bool is_total = hy_ranges_total(ranges, expr);
  hy_ranges_free(ranges);
  return is_total;
}

// Bounds by the numbers alone: the type's range, or what its arithmetic leaves (decision D14). What lies beyond the
// limit lies beyond it: of a lower end that is very large, the limit is one, too, and a min around it may do the rest.
static const hy_expr *numeric_end(const hy_region_site *site, const hy_expr *atom, hy_side side) {
  hy_ranges *ranges = ranges_of(site);
  hy_range range = hy_ranges_of(ranges, atom);
  hy_ranges_free(ranges);
  hy_wide_int end = side == HY_LOW ? range.low : range.high, limit = HY_SMALL_LIMIT;
  if (side == HY_LOW ? end < -limit : end > limit) return NULL;
  if (end > limit || end < -limit) end = end > 0 ? limit : -limit;
  return number(site, (int64_t)end);
}

static bool find_division(const hy_region_site *site, const void *thing);

// May evaluating it divide by zero, in what is known where the fill stands?
static bool may_divide_by_zero(const hy_region_site *site, const hy_expr *expr) {
  static const char key;
  if (expr->kind != HY_EXPR_OP) return false;
  return answer(site, find_division, &key, expr);
}

// i64(e), as the machine has it: 0 for every e that is congruent to 0, and so e has to fit as well.
static bool is_divisor_in_word(const hy_region_site *site, const hy_expr *b) {
  hy_context *context = site->context;
  if (b->kind != HY_EXPR_OP || b->op != HY_OP_CAST || b->type != HY_I64 || b->args[0]->type != HY_INT) return false;
  const hy_expr *positive = binary(site, HY_OP_GT, b->args[0], number(site, 0));
  const hy_expr *fits = binary(site, HY_OP_LE, b->args[0], hy_expr_int(context, INT64_MAX));
  return hy_prover_holds(site->prover, site->facts, site->outer_count, hy_expr_and(context, positive, fits)) == HY_YES;
}

static bool is_divisor(const hy_region_site *site, const hy_expr *b) {
  int64_t constant;
  if (hy_expr_is_int(b, &constant)) return constant != 0;
  if (b->type != HY_INT) return is_divisor_in_word(site, b);
  const hy_expr *zero = number(site, 0);
  static const hy_op signs[] = {HY_OP_GT, HY_OP_LT, HY_OP_NE};
  for (size_t i = 0; i < HY_COUNT(signs); i++)
    if (hy_prover_holds(site->prover, site->facts, site->outer_count, binary(site, signs[i], b, zero)) == HY_YES)
      return true;
  return false;
}

typedef struct {
  const hy_region_site *site;
  bool holds;
} divisors;

static void see_divisor(void *self, hy_risk risk) {
  divisors *d = self;
  const hy_expr *avoided = hy_risk_avoided(d->site->context, risk);
  if (risk.what & HY_RISK_DIVISOR && d->holds)
    d->holds = hy_prover_holds(d->site->prover, d->site->facts, d->site->outer_count, avoided) == HY_YES;
}

// A select asks only one of its branches, the one where it can divide (D94).
static bool chooses_divisors(const hy_region_site *site, const hy_expr *expr) {
  divisors d = {site, true};
  hy_ranges *ranges = ranges_of(site);
  hy_defined_risks(site->context, ranges, expr, see_divisor, &d);
  hy_ranges_free(ranges);
  return d.holds;
}

static bool find_division(const hy_region_site *site, const void *thing) {
  const hy_expr *expr = thing;
  bool divides = hy_op_kind_of(expr->op) == HY_KIND_DIVISION && !is_float(expr); // floats divide by anything
  if (divides && !is_divisor(site, expr->args[1])) return true;
  bool found = false;
  for (int i = 0; i < expr->count && !found; i++) found = may_divide_by_zero(site, expr->args[i]);
  return found && !(expr->op == HY_OP_SELECT && chooses_divisors(site, expr));
}

// A conversion that keeps the number, of a type that "int" holds.
static bool is_widening(const hy_expr *expr) {
  return expr->kind == HY_EXPR_OP && expr->op == HY_OP_CAST && expr->type == HY_INT && expr->args[0]->type != HY_U64 &&
         hy_type_is_integral(expr->args[0]->type);
}

static bool find_forbidden(const hy_region_site *site, const void *thing);

// Does it load, or convert otherwise than from and to floats?
static bool is_forbidden(const hy_region_site *site, const hy_expr *expr) {
  static const char key;
  if (!expr->has_conversion) return false;
  return expr->has_access || answer(site, find_forbidden, &key, expr);
}

static bool find_forbidden(const hy_region_site *site, const void *thing) {
  const hy_expr *expr = thing;
  hy_monotone ignored;
  if (expr->kind == HY_EXPR_VAR) return !is_float(expr);
  if (expr->kind != HY_EXPR_OP) return expr->kind != HY_EXPR_CONST;
  bool converts = expr->op == HY_OP_CAST && !is_widening(expr);
  if (converts && !hy_monotone_find(expr->op, expr->type, expr->args[0]->type, &ignored)) return true;
  for (int i = 0; i < expr->count; i++)
    if (is_forbidden(site, expr->args[i])) return true;
  return false;
}

bool hy_ends_mentions(const elimination *what, const hy_expr *expr) {
  if (what->var) return hy_expr_mentions(expr, what->var);
  return is_forbidden(what->site, expr) || may_divide_by_zero(what->site, expr);
}

// The cofactor of "factor" in an atom that is a product with it, or the factor itself; else NULL.
const hy_expr *hy_ends_without_factor(const hy_region_site *site, const hy_expr *atom, const hy_expr *factor) {
  if (atom == factor) return number(site, 1);
  if (atom->kind != HY_EXPR_OP || atom->op != HY_OP_MUL) return NULL;
  for (int i = 0; i < 2; i++) {
    const hy_expr *rest = hy_ends_without_factor(site, atom->args[i], factor);
    if (rest) return hy_ends_multiply(site, rest, atom->args[1 - i]);
  }
  return NULL;
}

// rewrite: (b*q + r) / b -> q + r / b, where b >= 1;  0 / b -> 0,  -1 / b -> -1,  r / b -> 0 where 0 <= r < b
const hy_expr *hy_ends_divide(const hy_region_site *site, const hy_expr *a, const hy_expr *b) {
  const hy_affine *form = hy_affine_of(site->table, a);
  const hy_expr *quotient = number(site, 0), *rest = number(site, form->constant);
  for (int i = 0; i < form->count; i++) {
    const hy_expr *c = number(site, form->terms[i].coefficient), *atom = form->terms[i].atom;
    const hy_expr *cofactor = hy_ends_without_factor(site, atom, b);
    if (cofactor)
      quotient = hy_ends_add(site, quotient, hy_ends_multiply(site, c, cofactor));
    else
      rest = hy_ends_add(site, rest, hy_ends_multiply(site, c, atom));
  }
  int64_t constant;
  if (hy_expr_is_int(rest, &constant) && (constant == 0 || constant == -1))
    return hy_affine_add_int(site->table, quotient, constant);
  if (hy_ends_holds(site, HY_OP_GE, rest, number(site, 0)) && hy_ends_holds(site, HY_OP_LT, rest, b)) return quotient;
  return hy_ends_add(site, quotient,
                     hy_affine_normal(site->table, binary(site, HY_OP_DIV, rest, safe_divisor(site, b))));
}

// -b where b <= -1 is known, else NULL.
static const hy_expr *negated(const hy_region_site *site, const hy_expr *b) {
  return hy_ends_holds(site, HY_OP_LE, b, number(site, -1)) ? subtract(site, number(site, 0), b) : NULL;
}

static const hy_expr *quotient_end(const elimination *what, const hy_expr *a, const hy_expr *b, hy_side side) {
  const hy_region_site *site = what->site;
  if (!hy_ends_mentions(what, b)) {
    // A fused loop runs only where the length it divides by is not 0 (decision D36), shown or not.
    bool is_length = b->kind == HY_EXPR_OP && hy_ends_holds(site, HY_OP_GE, b, number(site, 0));
    if (!is_length && !is_positive(site, b)) return NULL;
    const hy_expr *end = hy_ends_eliminate(what, a, side);
    return end ? hy_ends_divide(site, end, b) : NULL;
  }
  const hy_expr *low = hy_ends_eliminate(what, b, HY_LOW), *high = hy_ends_eliminate(what, b, HY_HIGH);
  const hy_expr *end = hy_ends_eliminate(what, a, side);
  if (!low || !high || !end || !is_positive(site, low)) return NULL;
  const hy_expr *by_high = binary(site, HY_OP_DIV, end, safe_divisor(site, high));
  return hy_ends_extremum(site, side, binary(site, HY_OP_DIV, end, safe_divisor(site, low)), by_high);
}

static const hy_expr *remainder_end(const elimination *what, const hy_expr *a, const hy_expr *b, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *low = hy_ends_eliminate(what, a, HY_LOW), *high = hy_ends_eliminate(what, a, HY_HIGH);
  const hy_expr *most = hy_ends_eliminate(what, b, HY_HIGH), *least = hy_ends_eliminate(what, b, HY_LOW),
                *one = number(site, 1);
  if (!most || !least) return NULL;
  if (!is_positive(site, least)) { // a condition above may say that it is positive, or negative
    const hy_expr *size = hy_ends_extremum(site, HY_HIGH, most, subtract(site, number(site, 0), least));
    return side == HY_LOW ? number(site, 0)
                          : hy_affine_add_int(site->table, hy_ends_extremum(site, HY_HIGH, size, one), -1);
  }
  if (low && high && hy_ends_holds(site, HY_OP_GE, low, number(site, 0)) && hy_ends_holds(site, HY_OP_LT, high, least))
    return side == HY_LOW ? low : high; // it never wraps around
  return side == HY_LOW ? number(site, 0) : hy_affine_add_int(site->table, most, -1);
}

static const hy_expr *magnitude_end(const elimination *what, const hy_expr *a, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *low = hy_ends_eliminate(what, a, HY_LOW), *high = hy_ends_eliminate(what, a, HY_HIGH);
  const hy_expr *negated = subtract(site, number(site, 0), side == HY_LOW ? high : low);
  if (side == HY_HIGH) return hy_ends_extremum(site, HY_HIGH, high, negated);
  if (!low || !negated) return number(site, 0);
  const hy_expr *away = hy_ends_extremum(site, HY_HIGH, low, negated);
  return hy_ends_extremum(site, HY_HIGH, number(site, 0), away);
}

// rewrite: a / b -> -(a / -b) and a % b -> a % -b, where b <= -1
static const hy_expr *division_end(const elimination *what, const hy_expr *atom, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *a = atom->args[0], *b = atom->args[1], *size = negated(site, b);
  if (atom->op == HY_OP_MOD) return remainder_end(what, a, size ? size : b, side);
  if (!size) return quotient_end(what, a, b, side);
  const hy_expr *end = quotient_end(what, a, size, other_side(side));
  return subtract(site, number(site, 0), end);
}

static const hy_expr *product_end(const elimination *what, const hy_expr *a, const hy_expr *b, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *al = hy_ends_eliminate(what, a, HY_LOW), *ah = hy_ends_eliminate(what, a, HY_HIGH);
  const hy_expr *bl = hy_ends_eliminate(what, b, HY_LOW), *bh = hy_ends_eliminate(what, b, HY_HIGH);
  const hy_expr *l_h = hy_ends_multiply(site, al, bh), *l_l = hy_ends_multiply(site, al, bl),
                *first = hy_ends_extremum(site, side, l_l, l_h);
  const hy_expr *h_h = hy_ends_multiply(site, ah, bh), *h_l = hy_ends_multiply(site, ah, bl);
  return hy_ends_extremum(site, side, first, hy_ends_extremum(site, side, h_l, h_h));
}

// rewrite: ~a -> -1 - a,  a << k -> a * 2^k,  a >> k -> a / 2^k for a constant 0 <= k <= 62,  a & 2^k - 1 -> a % 2^k
static const hy_expr *bits_as_arithmetic(const hy_region_site *site, const hy_expr *atom) {
  const hy_expr *a = atom->args[0];
  int64_t constant;
  if (atom->op == HY_OP_BIT_NOT) return subtract(site, number(site, -1), a);
  for (int i = 0; i < 2 && atom->op == HY_OP_BIT_AND; i++)
    if (hy_expr_is_int(atom->args[i], &constant) && constant >= 0 && constant < INT64_MAX &&
        (constant & (constant + 1)) == 0)
      return binary(site, HY_OP_MOD, atom->args[1 - i], number(site, constant + 1));
  bool shifts = (atom->op == HY_OP_SHL || atom->op == HY_OP_SHR) && hy_expr_is_int(atom->args[1], &constant);
  if (!shifts || constant < 0 || constant > 62) return NULL;
  const hy_expr *power = number(site, INT64_C(1) << constant);
  return atom->op == HY_OP_SHL ? hy_ends_multiply(site, a, power) : binary(site, HY_OP_DIV, a, power);
}

// What the facts of an access say as well (atoms), by the sign that the numbers show b to have:
// a <= a | b <= a + b,  a - b <= a ^ b <= a + b,  0 <= a & b <= b where b >= 0,  a + b + 1 <= a & b <= a where b < 0.
static const hy_expr *bits_beside(const elimination *what, hy_op op, const hy_expr *a, const hy_expr *b, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *least = numeric_end(site, b, HY_LOW), *greatest = numeric_end(site, b, HY_HIGH);
  int64_t low, high;
  bool natural = least && hy_expr_is_int(least, &low) && low >= 0;
  bool negative = op == HY_OP_BIT_AND && greatest && hy_expr_is_int(greatest, &high) && high < 0;
  if (!natural && !negative) return NULL;
  if (least == greatest) b = least; // a number
  const hy_expr *end = hy_ends_eliminate(what, a, side);
  if (negative && side == HY_HIGH) return end;
  if (negative) {
    const hy_expr *one = number(site, 1);
    return hy_ends_add(site, end, hy_ends_add(site, hy_ends_eliminate(what, b, HY_LOW), one));
  }
  const hy_expr *most = hy_ends_eliminate(what, b, HY_HIGH);
  if (op == HY_OP_BIT_AND) return side == HY_LOW ? number(site, 0) : most;
  if (side == HY_HIGH) return hy_ends_add(site, end, most);
  return op == HY_OP_BIT_OR ? end : subtract(site, end, most);
}

static bool is_bitwise(hy_op op) { return hy_op_kind_of(op) == HY_KIND_BITS || hy_op_kind_of(op) == HY_KIND_SHIFT; }

// The numbers alone where they are tight; that a loop's variable has 33 bits bounds nothing.
static const hy_expr *bits_end(const elimination *what, const hy_expr *atom, hy_side side) {
  enum { TIGHT_BITS = 30 };
  const hy_region_site *site = what->site;
  const hy_expr *exact = bits_as_arithmetic(site, atom), *end = NULL, *by_number = numeric_end(site, atom, side);
  if (exact) return hy_ends_eliminate(what, hy_affine_normal(site->table, exact), side);
  int64_t constant = 0, other;
  if (what->var && by_number && hy_expr_is_int(by_number, &constant) && constant >> TIGHT_BITS &&
      ~constant >> TIGHT_BITS)
    by_number = NULL;
  bool is_pair = hy_op_kind_of(atom->op) == HY_KIND_BITS && atom->count == 2;
  for (int i = 1; i >= 0 && is_pair && !end; i--)
    end = bits_beside(what, atom->op, atom->args[1 - i], atom->args[i], side);
  if (!end || !by_number) return end ? end : by_number;
  bool is_number = hy_expr_is_int(end, &other);
  return !is_number || ((other < constant) == (side == HY_HIGH)) ? end : by_number;
}

/* -- conversions of floats -- */

/* ORA.Float: int(floor(f32(x) * s)) grows with x, or falls, as each operator of it does (monotone.def): the end is that of x, put in
 * its place. Where the sign of a factor is not known it is one end or the other, the lesser or greater of both. What the
 * operators promise may be spoiled by a NaN; so the prover is asked, and where it does not know the numbers must do.
 */

enum { MOST_SIGNS = 3, MOST_LEAVES = 16 };

typedef struct {
  const elimination *what;
  const hy_expr *factors[MOST_SIGNS]; // whose signs are not known
  int factor_count;
  unsigned negative;                  // a bit for each: what is tried
  const hy_expr *leaves[MOST_LEAVES]; // end <= integer, or integer <= end
  size_t leaf_count;
} descent;

static const hy_expr *float_end(descent *d, const hy_expr *expr, hy_side side);

static bool has_sign(const hy_region_site *site, hy_op op, const hy_expr *factor) {
  if (factor->kind == HY_EXPR_CONST && factor->value.error == HY_OK)
    return (hy_float_rank(factor->value) >= 0) == (op == HY_OP_GT);
  const hy_expr *zero = hy_expr_const(site->context, hy_value_zero(factor->type));
  return hy_prover_holds(site->prover, site->facts, site->fact_count, binary(site, op, factor, zero)) == HY_YES;
}

// The side of an argument, by the sign of the other one; false: there are too many whose signs are not known.
static bool side_by_sign(descent *d, const hy_expr *factor, hy_side *side) {
  if (has_sign(d->what->site, HY_OP_GT, factor)) return true;
  int i = 0;
  while (i < d->factor_count && d->factors[i] != factor) i++;
  if (i == d->factor_count && !has_sign(d->what->site, HY_OP_LT, factor)) {
    if (i == MOST_SIGNS) return false;
    d->factors[d->factor_count++] = factor;
  }
  if (i == d->factor_count || d->negative >> i & 1) *side = other_side(*side);
  return true;
}

static bool side_of_argument(descent *d, const hy_expr *expr, hy_monotone op, int argument, hy_side *side) {
  switch (hy_monotone_growth(op, argument)) {
  case HY_GROWTH_NOT: return false;
  case HY_GROWTH_GROWS: return true;
  case HY_GROWTH_FALLS: *side = other_side(*side); return true;
  case HY_GROWTH_SIGN:
    return !hy_ends_mentions(d->what, expr->args[1 - argument]) && side_by_sign(d, expr->args[1 - argument], side);
  }
  HY_UNREACHABLE();
}

// Of an integer of fixed width, which wraps: the least or greatest number that it can be.
static const hy_expr *word_end(const hy_region_site *site, const hy_expr *leaf, hy_side side) {
  int64_t end;
  const hy_expr *by_number = numeric_end(site, leaf, side);
  if (!by_number || !hy_expr_is_int(by_number, &end)) return NULL;
  return hy_expr_const(site->context, hy_value_integral(leaf->type, end));
}

// Over all loops at once: where a sign is not known both ends count, and a low end that moved on with a loop would count
// as a high one.
static const hy_expr *leaf_end(descent *d, const hy_expr *leaf, hy_side side) {
  const hy_region_site *site = d->what->site;
  const hy_expr *end = leaf;
  if (leaf->type != HY_INT) return word_end(site, leaf, side); // whether the prover sees it, too, is asked of the whole
  for (int i = site->depth - 1; i >= site->keep && end; i--) {
    const hy_stmt *s = site->path[i];
    if (s->kind == HY_STMT_FOR || s->kind == HY_STMT_LET)
      end = hy_ends_eliminate_one(site, s->kind == HY_STMT_FOR ? s->loop.var : s->let.var, s, end, side);
  }
  if (!end || d->leaf_count == MOST_LEAVES) return NULL;
  d->leaves[d->leaf_count++] = binary(d->what->site, side == HY_LOW ? HY_OP_LE : HY_OP_GE, end, leaf);
  return end;
}

static const hy_expr *float_end(descent *d, const hy_expr *expr, hy_side side) {
  const hy_expr *args[2];
  hy_monotone op = {.row = HY_MONOTONE_OF_WHOLE};
  if (!hy_ends_mentions(d->what, expr)) return expr;
  if (expr->kind != HY_EXPR_OP || expr->count > 2) return NULL;
  bool widens = is_widening(expr);
  if (!widens && !hy_monotone_find(expr->op, expr->type, expr->args[0]->type, &op)) return NULL;
  for (int i = 0; i < expr->count; i++) {
    hy_side own = side;
    args[i] = expr->args[i];
    if (!hy_ends_mentions(d->what, args[i])) continue;
    if (!side_of_argument(d, expr, op, i, &own)) return NULL;
    bool is_leaf = op.row == HY_MONOTONE_OF_WHOLE && !widens;
    args[i] = is_leaf ? leaf_end(d, args[i], own) : float_end(d, args[i], own);
    if (!args[i]) return NULL;
  }
  return hy_expr_op(d->what->site->context, expr->op, expr->type, args);
}

static bool is_conversion(const hy_expr *atom) {
  const hy_expr *inner = is_widening(atom) ? atom->args[0] : atom;
  return inner->kind == HY_EXPR_OP && inner->op == HY_OP_CAST && is_float(inner->args[0]) && inner->type != HY_BOOL &&
         !is_float(inner);
}

// Does the prover know that "end" is one, where the integers that floats are made of are not beyond theirs?
static bool is_end(const descent *d, const hy_expr *atom, const hy_expr *end, hy_side side) {
  const hy_region_site *site = d->what->site;
  HY_VEC(const hy_expr *) facts = {0};
  for (size_t i = 0; i < site->fact_count; i++) hy_vec_push(&facts, site->facts[i]);
  for (size_t i = 0; i < d->leaf_count; i++) hy_vec_push(&facts, d->leaves[i]);
  const hy_expr *goal = binary(site, side == HY_LOW ? HY_OP_LE : HY_OP_GE, end, atom);
  bool is = hy_prover_holds(site->prover, facts.data, facts.count, goal) == HY_YES;
  hy_vec_free(&facts);
  return is;
}

// NULL: none is known.
static const hy_expr *conversion_end(const elimination *what, const hy_expr *atom, hy_side side) {
  if (!what->var || atom->has_access || !is_conversion(atom)) return NULL;
  descent d = {.what = what};
  const hy_expr *end = float_end(&d, atom, side);
  for (d.negative = 1; end && d.negative < 1U << d.factor_count; d.negative++)
    end = hy_ends_extremum(what->site, side, end, float_end(&d, atom, side));
  if (!end || !is_end(&d, atom, end, side)) return NULL;
  hy_context_hit(what->site->context, HY_RULE_ORA_FLOAT);
  return end;
}

// B.Value: of a load, and of its number as an int, by what is known at entry.
static const hy_expr *value_end(const hy_region_site *site, const hy_expr *atom, hy_side side) {
  const hy_expr *load = is_widening(atom) ? atom->args[0] : atom;
  if (load->kind != HY_EXPR_ACCESS) return NULL;
  const hy_expr *end = hy_value_end(site->values, load->func, load->part, side == HY_HIGH);
  return end && atom->type == HY_INT ? hy_affine_normal(site->table, end) : NULL;
}

// The greatest or least value of an atom that mentions what is eliminated.
const hy_expr *hy_ends_of_atom(const elimination *what, const hy_expr *atom, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *by_values = value_end(site, atom, side);
  if (by_values) return by_values;
  if (atom->kind != HY_EXPR_OP) return numeric_end(site, atom, side);
  const hy_expr *a = atom->args[0], *b = atom->count > 1 ? atom->args[1] : NULL;
  if (hy_op_kind_of(atom->op) == HY_KIND_EXTREMUM) {
    hy_side wins = atom->op == HY_OP_MIN ? HY_LOW : HY_HIGH;
    const hy_expr *x = hy_ends_eliminate(what, a, side), *y = hy_ends_eliminate(what, b, side);
    if (x && y) return hy_ends_extremum(site, wins, x, y);
    return side == wins ? NULL : x ? x : y; // min(a, b) <= a, whatever b is
  }
  const hy_expr *end = conversion_end(what, atom, side);
  if (hy_op_kind_of(atom->op) == HY_KIND_DIVISION) end = division_end(what, atom, side);
  if (atom->op == HY_OP_MUL) end = product_end(what, a, b, side);
  if (atom->op == HY_OP_ABS) end = magnitude_end(what, a, side);
  if (atom->op == HY_OP_SELECT) {
    const hy_expr *otherwise = hy_ends_eliminate(what, atom->args[2], side);
    end = hy_ends_extremum(site, side, hy_ends_eliminate(what, b, side), otherwise);
  }
  if (is_bitwise(atom->op)) return bits_end(what, atom, side);
  if (end) return end;
  // The numbers alone would ask for all that a type can be, where somebody forgot what happens at 0.
  return !what->var && atom->op != HY_OP_CAST && may_divide_by_zero(site, atom) ? NULL : numeric_end(site, atom, side);
}

const hy_expr *hy_ends_eliminate(const elimination *what, const hy_expr *expr, hy_side side) {
  static const char sides[2];           // their addresses stand for the sides,
  static const hy_expr unbounded = {0}; // and this for NULL
  if (!hy_ends_mentions(what, expr)) return expr;
  const hy_expr *known = hy_pair_map_get(what->ends, expr, &sides[side]);
  if (known) return known == &unbounded ? NULL : known;
  if (what->ends->count >= HY_REGION_ENDS) return NULL; // eliminate_one says so
  const hy_expr *end = spend(what->site, expr) ? hy_ends_of_sum(what, expr, side) : NULL;
  if (end && !spend(what->site, end)) end = NULL;
  hy_pair_map_put(what->ends, expr, &sides[side], end ? end : &unbounded);
  return end;
}

const hy_expr *hy_ends_eliminate_one(const hy_region_site *site, const hy_var *var, const hy_stmt *binder,
                                     const hy_expr *expr, hy_side side) {
  hy_pair_map ends = {0};
  const hy_expr *end = hy_ends_eliminate(&(elimination){site, var, binder, &ends}, expr, side);
  bool too_long = ends.count >= HY_REGION_ENDS;
  hy_pair_map_free(&ends);
  if (!too_long) return end;
  site->effort->given_up = true;
  return NULL; // not the numbers alone, which would hold, but ask for more memory than there is
}

// rewrite: v -> m for a loop over (m, 1) that the fill stands in: a split inside another has many
static const hy_expr *at_only_iterations(const hy_region_site *site, const hy_expr *bound) {
  int64_t len;
  for (int i = site->keep - 1; i >= 0 && bound; i--) {
    const hy_stmt *s = site->path[i];
    if (s->kind != HY_STMT_FOR || !hy_expr_mentions(bound, s->loop.var)) continue;
    hy_interval range = filled(site, s->loop.interval);
    const hy_expr *whole = hy_affine_normal(site->table, range.len);
    if (!hy_expr_is_int(whole, &len) || len != 1) continue;
    const hy_binding only = {s->loop.var, range.min};
    bound = hy_affine_normal(site->table, hy_expr_substitute(site->context, bound, &only, 1));
  }
  return bound;
}

static const hy_expr *find_bound(const hy_region_site *site, const hy_expr *expr, hy_side side) {
  const hy_expr *bound = hy_affine_normal(site->table, hy_fills_apply(site->fills, expr));
  for (int i = site->depth - 1; i >= site->keep && bound; i--) {
    const hy_stmt *s = site->path[i];
    if (s->kind != HY_STMT_FOR && s->kind != HY_STMT_LET) continue;
    bound = hy_ends_eliminate_one(site, s->kind == HY_STMT_FOR ? s->loop.var : s->let.var, s, bound, side);
  }
  bound = at_only_iterations(site, bound);
  if (!bound) return NULL;
  const hy_expr *end = hy_ends_eliminate_one(site, NULL, NULL, bound, side);
  // Where nothing else bounds a quotient, it stays, and whether its divisor may be 0 is B.Defined's question.
  return end || bound->has_conversion || site->effort->given_up ? end : bound;
}

static void see_holder(void *self, const hy_expr *node) {
  bool *found = self;
  if (node->kind != HY_EXPR_OP) return;
  *found |= node->op == HY_OP_MIN || node->op == HY_OP_MAX || node->op == HY_OP_MOD;
  *found |= node->op == HY_OP_CAST && node->args[0]->type == HY_U64;
}

// What may leave 64 bits under a clamp is some number for the machine, and the clamp's ends are what counts (D67).
static const hy_expr *as_machine_does(const hy_region_site *site, const hy_expr *expr) {
  bool is_held = false;
  hy_expr_visit(expr, see_holder, &is_held);
  if (!is_held) return expr;
  hy_ranges *ranges = ranges_of(site);
  const hy_expr *value = hy_machine_value(site->context, ranges, expr);
  hy_range range = hy_ranges_of(ranges, value);
  hy_ranges_free(ranges);
  return hy_range_is_small(range) ? value : expr;
}

/* -- predicates -- */

typedef struct {
  const hy_region_site *site;
  const hy_expr *limited, *end; // limited < end
  bool found;
} limit;

static const hy_expr *at_most(void *self, const hy_expr *node) {
  const limit *l = self;
  if (node != l->limited) return node;
  return binary(l->site, HY_OP_MIN, node, binary(l->site, HY_OP_SUB, l->end, number(l->site, 1)));
}

static void see_limited(void *self, const hy_expr *node) {
  limit *l = self;
  l->found |= node == l->limited;
}

// rewrite: e -> min(e, e' - 1) below a predicate e < e' that reads nothing (ORA.Predicate). Of one that may err nothing
// is known: it hits (D65). A variable has its loop's range.
static const hy_expr *limited_by(const hy_region_site *site, const hy_expr *condition, const hy_expr *expr) {
  if (condition->kind != HY_EXPR_OP) return expr;
  if (condition->op == HY_OP_AND && hy_region_is_total(site, condition->args[0]))
    return limited_by(site, condition->args[0],
                      limited_by(site, condition->args[1], expr)); // what is made of parts first
  if (condition->op != HY_OP_LT || condition->args[0]->type != HY_INT || condition->args[0]->kind != HY_EXPR_OP)
    return expr;
  limit l = {site, condition->args[0], condition->args[1], false};
  hy_expr_visit(expr, see_limited, &l);
  if (!l.found || !hy_region_is_total(site, condition)) return expr;
  hy_context_hit(site->context, HY_RULE_ORA_PREDICATE);
  return hy_expr_map(site->context, expr, at_most, &l);
}

static const hy_expr *below_predicates(const hy_region_site *site, const hy_expr *expr) {
  for (int i = 0; i < site->depth; i++) {
    const hy_stmt *s = site->path[i];
    if (s->kind == HY_STMT_IF && s->branch.why == HY_IF_USER && !s->branch.condition->has_access)
      expr = limited_by(site, s->branch.condition, expr);
  }
  return expr;
}

const hy_expr *hy_region_bound(const hy_region_site *site, const hy_expr *expr, hy_side side) {
  hy_pair_map answers = {0};
  hy_region_site own = *site;
  own.answers = &answers;
  const hy_expr *bound = find_bound(&own, as_machine_does(site, expr), side), *below = below_predicates(site, expr);
  if (below != expr) {
    const hy_expr *other = find_bound(&own, as_machine_does(site, below), side);
    bound = bound && other ? hy_ends_extremum(&own, other_side(side), bound, other) : bound ? bound : other;
  }
  hy_pair_map_free(&answers);
  return bound ? hy_flat(site->table, site->context, bound) : NULL;
}
