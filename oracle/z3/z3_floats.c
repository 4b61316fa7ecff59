#include "oracle/z3/z3_floats.h"

#include "semantics/value/monotone.h"

static bool is_float(const hy_expr *expr) { return hy_type_class_of(expr->type) == HY_CLASS_FLOAT; }

/* -- terms -- */

static Z3_ast keep(hy_z3_encoding *e, Z3_ast term) {
  if (term) Z3_inc_ref(e->z3, term);
  return term;
}
static Z3_ast number(hy_z3_encoding *e, int64_t value) {
  return keep(e, Z3_mk_int64(e->z3, value, Z3_mk_int_sort(e->z3)));
}
static Z3_ast at_most(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_le(e->z3, a, b)); }
static Z3_ast both(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_and(e->z3, 2, (Z3_ast[]){a, b})); }
static Z3_ast not(hy_z3_encoding * e, Z3_ast a) { return keep(e, Z3_mk_not(e->z3, a)); }
static Z3_ast equal(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_eq(e->z3, a, b)); }
static Z3_ast fresh(hy_z3_encoding *e) { return keep(e, Z3_mk_fresh_const(e->z3, "f", Z3_mk_int_sort(e->z3))); }
static void demand(hy_z3_encoding *e, Z3_ast condition) { hy_vec_push(&e->conditions, condition); }
static void demand_if(hy_z3_encoding *e, Z3_ast condition, Z3_ast then) {
  demand(e, keep(e, Z3_mk_implies(e->z3, condition, then)));
}

static Z3_ast is_number(hy_z3_encoding *e, hy_type type, Z3_ast rank) {
  return at_most(e, rank, number(e, hy_float_infinity(type)));
}

static void demand_between(hy_z3_encoding *e, int64_t low, int64_t high, Z3_ast term) {
  demand(e, at_most(e, number(e, low), term));
  demand(e, at_most(e, term, number(e, high)));
}

/* -- ranges of parameters -- */

// By a variable: the bounds that facts give.
typedef struct {
  int64_t low, high;
} range;

static range *range_of(hy_z3_encoding *e, const hy_expr *var) {
  range *known = (range *)(uintptr_t)hy_pair_map_get(&e->ranges, var, NULL);
  if (known) return known;
  known = HY_NEW(e->arena, range);
  *known = (range){-1 - hy_float_infinity(var->type), hy_float_nan(var->type)};
  hy_pair_map_put(&e->ranges, var, NULL, known);
  return known;
}

// Of a zero the end that is farther away: zeros compare alike.
static void note_bound(hy_z3_encoding *e, hy_op op, const hy_expr *var, const hy_expr *limit) {
  if (var->kind != HY_EXPR_VAR || limit->kind != HY_EXPR_CONST || limit->value.error != HY_OK) return;
  int64_t rank = hy_float_rank(limit->value);
  if (rank > hy_float_infinity(var->type)) return;
  range *r = range_of(e, var);
  bool is_zero = rank == 0 || rank == -1, is_upper = op == HY_OP_LE || op == HY_OP_LT;
  if (is_zero) rank = is_upper ? 0 : -1;
  if (is_upper && rank < r->high) r->high = rank;
  if (!is_upper && rank > r->low) r->low = rank;
  if (r->high > hy_float_infinity(var->type)) r->high = hy_float_infinity(var->type); // it compares: no NaN
}

void hy_z3_note_ranges(hy_z3_encoding *e, const hy_expr *fact) {
  if (fact->kind != HY_EXPR_OP) return;
  if (fact->op == HY_OP_AND)
    for (int i = 0; i < 2; i++) hy_z3_note_ranges(e, fact->args[i]);
  bool orders = fact->op == HY_OP_LE || fact->op == HY_OP_LT || fact->op == HY_OP_GE || fact->op == HY_OP_GT;
  if (!orders || !is_float(fact->args[0])) return;
  note_bound(e, fact->op, fact->args[0], fact->args[1]);
  note_bound(e, hy_op_turned(fact->op), fact->args[1], fact->args[0]);
}

/* -- sizes -- */

static int least_size(hy_type type, int64_t low, int64_t high) {
  int i = hy_float_least_power(type), top = hy_float_top_power(type);
  while (i < top && (hy_float_power(type, i) < high || -1 - hy_float_power(type, i) > low)) i++;
  return i;
}

static bool size_of(hy_z3_encoding *e, const hy_expr *expr, int *size);

// What a divisor's size is at least.
static bool size_of_divisor(hy_z3_encoding *e, const hy_expr *expr, int *size) {
  if (expr->kind != HY_EXPR_VAR && expr->kind != HY_EXPR_CONST) return false;
  range r =
      expr->kind == HY_EXPR_VAR ? *range_of(e, expr) : (range){hy_float_rank(expr->value), hy_float_rank(expr->value)};
  int64_t nearest = r.low >= 0 ? r.low : -1 - r.high;
  int low = hy_float_least_power(expr->type), top = hy_float_top_power(expr->type);
  if (nearest < hy_float_power(expr->type, low) || r.high > hy_float_infinity(expr->type)) return false;
  for (*size = low; *size < top && hy_float_power(expr->type, *size + 1) <= nearest;) ++*size;
  return true;
}

static bool size_of_result(hy_z3_encoding *e, const hy_expr *expr, hy_monotone op, int *size) {
  int sizes[2] = {64, 0};
  for (int i = 0; i < expr->count; i++) {
    if (!is_float(expr->args[i])) continue;
    bool divides = i == 1 && op.row == HY_MONOTONE_DIV;
    if (!(divides ? size_of_divisor : size_of)(e, expr->args[i], &sizes[i])) return false;
  }
  return hy_monotone_size(op, sizes[0], sizes[1], size);
}

// Of a float: what it does not exceed, in size.
static bool size_of(hy_z3_encoding *e, const hy_expr *expr, int *size) {
  hy_monotone op;
  if (expr->kind == HY_EXPR_CONST || expr->kind == HY_EXPR_VAR) {
    if (expr->kind == HY_EXPR_CONST && expr->value.error != HY_OK) return false;
    range r = expr->kind == HY_EXPR_VAR ? *range_of(e, expr)
                                        : (range){hy_float_rank(expr->value), hy_float_rank(expr->value)};
    *size = least_size(expr->type, r.low, r.high);
    return r.high <= hy_float_infinity(expr->type);
  }
  if (expr->kind != HY_EXPR_OP || expr->count > 2 || !hy_monotone_find(expr->op, expr->type, expr->args[0]->type, &op))
    return false;
  return size_of_result(e, expr, op, size);
}

static void demand_size(hy_z3_encoding *e, const hy_expr *expr, hy_monotone op, Z3_ast result) {
  int size;
  if (!size_of_result(e, expr, op, &size)) return;
  if (is_float(expr))
    demand_between(e, -1 - hy_float_power(expr->type, size), hy_float_power(expr->type, size), result);
  else if (size < 63)
    demand_between(e, -(INT64_C(1) << size), INT64_C(1) << size, result);
}

/* -- orders -- */

static Z3_ast in_order(hy_z3_encoding *e, bool grows, Z3_ast a, Z3_ast b) {
  return grows ? at_most(e, a, b) : at_most(e, b, a);
}

// u <= v where one argument (or none) of v is another than of u, and it grows (or falls) with that.
static void demand_order(hy_z3_encoding *e, const hy_z3_application *u, const hy_z3_application *v, int argument,
                         bool grows) {
  hy_growth growth = hy_monotone_growth(u->op, argument);
  if (growth == HY_GROWTH_NOT || (growth == HY_GROWTH_GROWS && !grows) || (growth == HY_GROWTH_FALLS && grows)) return;
  Z3_ast given = in_order(e, grows, u->args[argument], v->args[argument]);
  if (u->count == 2) given = both(e, given, equal(e, u->args[1 - argument], v->args[1 - argument]));
  Z3_ast other = u->args[1 - argument];
  if (growth == HY_GROWTH_SIGN)
    given = both(e, given, grows ? at_most(e, number(e, 0), other) : at_most(e, other, number(e, -1)));
  if (hy_monotone_nan(u->op) == HY_NAN_RESULT) given = both(e, given, is_number(e, u->op.result, u->result));
  if (hy_monotone_nan(u->op) == HY_NAN_ARGUMENT) given = both(e, given, is_number(e, u->op.from, v->args[0]));
  demand_if(e, given, at_most(e, u->result, v->result));
}

// Sums and differences in both arguments at once, by way of what lies between, where all three are numbers.
static void demand_order_of_sums(hy_z3_encoding *e, const hy_z3_application *u, const hy_z3_application *v) {
  bool second_grows = u->op.row == HY_MONOTONE_ADD;
  if (!second_grows && u->op.row != HY_MONOTONE_SUB) return;
  Z3_ast given = both(e, at_most(e, u->args[0], v->args[0]), in_order(e, second_grows, u->args[1], v->args[1]));
  given = both(e, given, both(e, is_number(e, u->op.result, u->result), is_number(e, v->op.result, v->result)));
  demand_if(e, given, at_most(e, u->result, v->result));
}

// More would be minutes of search, and hardly ever an answer.
enum { MOST_ORDERS = 60 };

static void demand_orders(hy_z3_encoding *e, const hy_z3_application *u, const hy_z3_application *v) {
  if (++e->orders > MOST_ORDERS) return;
  for (int argument = 0; argument < u->count; argument++)
    for (int grows = 0; grows < 2; grows++) demand_order(e, u, v, argument, grows);
  demand_order_of_sums(e, u, v);
}

/* -- expressions -- */

bool hy_z3_knows_floats(const hy_expr *expr) {
  hy_monotone ignored;
  if (expr->kind != HY_EXPR_OP || expr->has_access) return false;
  if (hy_op_kind_of(expr->op) == HY_KIND_COMPARISON) return true;
  return expr->op == HY_OP_CAST && hy_monotone_find(expr->op, expr->type, expr->args[0]->type, &ignored);
}

static Z3_ast encode_float(hy_z3_encoding *e, const hy_expr *expr);

static Z3_ast apply(hy_z3_encoding *e, const hy_expr *expr, hy_monotone op) {
  hy_z3_application made = {.op = op, .count = expr->count, .result = fresh(e)};
  for (int i = 0; i < expr->count; i++)
    made.args[i] = is_float(expr->args[i]) ? encode_float(e, expr->args[i]) : hy_z3_encode(e, expr->args[i]);
  int64_t low, high;
  if (is_float(expr))
    low = -1 - hy_float_infinity(expr->type), high = hy_float_nan(expr->type);
  else
    hy_type_range(expr->type, &low, &high);
  if (expr->type != HY_U64) demand_between(e, low, high, made.result);
  demand_size(e, expr, op, made.result);
  for (size_t i = 0; i < e->applications.count; i++) {
    const hy_z3_application *other = &e->applications.data[i];
    if (hy_monotone_code(other->op) != hy_monotone_code(op)) continue;
    demand_orders(e, &made, other);
    demand_orders(e, other, &made);
  }
  hy_vec_push(&e->applications, made);
  return made.result;
}

static Z3_ast encode_new(hy_z3_encoding *e, const hy_expr *expr) {
  hy_monotone op;
  if (expr->kind == HY_EXPR_CONST && expr->value.error == HY_OK) return number(e, hy_float_rank(expr->value));
  if (expr->kind == HY_EXPR_OP && expr->count <= 2 && hy_monotone_find(expr->op, expr->type, expr->args[0]->type, &op))
    return apply(e, expr, op);
  Z3_ast any = fresh(e);
  demand_between(e, -1 - hy_float_infinity(expr->type), hy_float_nan(expr->type), any);
  return any;
}

static Z3_ast encode_float(hy_z3_encoding *e, const hy_expr *expr) {
  Z3_ast known = hy_z3_encoded(e, expr);
  if (known) return known;
  Z3_ast term = encode_new(e, expr);
  if (term) hy_pair_map_put(&e->terms, expr, NULL, term);
  return term;
}

// Zeros compare alike: -0 counts as +0.
static Z3_ast comparable(hy_z3_encoding *e, Z3_ast rank) {
  Z3_ast negative = at_most(e, rank, number(e, -1));
  Z3_ast turned = keep(e, Z3_mk_add(e->z3, 2, (Z3_ast[]){rank, number(e, 1)}));
  return keep(e, Z3_mk_ite(e->z3, negative, turned, rank));
}

static Z3_ast compare(hy_z3_encoding *e, const hy_expr *expr) {
  Z3_ast a = encode_float(e, expr->args[0]), b = encode_float(e, expr->args[1]);
  Z3_ast numbers = both(e, is_number(e, expr->args[0]->type, a), is_number(e, expr->args[1]->type, b));
  a = comparable(e, a), b = comparable(e, b);
  switch ((int)expr->op) {
  case HY_OP_EQ: return both(e, numbers, equal(e, a, b));
  case HY_OP_NE: return not(e, both(e, numbers, equal(e, a, b)));
  case HY_OP_LT: return both(e, numbers, not(e, at_most(e, b, a)));
  case HY_OP_LE: return both(e, numbers, at_most(e, a, b));
  case HY_OP_GT: return both(e, numbers, not(e, at_most(e, a, b)));
  case HY_OP_GE: return both(e, numbers, at_most(e, b, a));
  }
  HY_UNREACHABLE();
}

Z3_ast hy_z3_encode_floats(hy_z3_encoding *e, const hy_expr *expr) {
  hy_monotone op;
  if (expr->op != HY_OP_CAST) return compare(e, expr);
  HY_ASSERT(hy_monotone_find(expr->op, expr->type, expr->args[0]->type, &op));
  return apply(e, expr, op);
}
