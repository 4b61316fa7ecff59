#include "validate/validate_internal.h"

#include "semantics/tgt/defined.h"

/* May the parts of a reduction be combined in another order (DIR.RFactor)? What has to be shown of the update before it
 * is taken apart, from that update alone: nothing here knows what sched/ found out about it.
 *
 *   each part is f(e) with its operands, under one operator, and nothing else in the update reads f
 *   the operator's laws hold on the machine: by what it is, and its arithmetic is asked for triples of far numbers
 *   sums of int: all operands have one sign, and all of them, as often as there are instances, fit 64 bits. Numbers are
 *   found by ranges, which are not believed: that each operand and each length lies within them is asked of the prover
 *   && and ||, and what argmin makes: what they might leave out is no error, and the order is kept where it has to be
 */

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  const hy_stage_copy *update;
  const hy_var *taken;
  hy_order_claims *claims;
} judging;

static void claim(const judging *j, const hy_expr *goal, bool at_entry, const char *about) {
  hy_vec_push(j->claims, ((hy_order_claim){goal, at_entry, about}));
}

// What cannot be shown, whatever is known.
static void refuse(const judging *j, const char *about) { claim(j, NULL, false, about); }

static const hy_stmt *assigned(const judging *j) { return j->update->assign; }

/* -- who reads the func -- */

typedef struct {
  const hy_func *func; // NULL: any but images
  bool found;
} reading;

static void see_read(void *self, const hy_expr *access) {
  reading *r = self;
  r->found |= r->func ? access->func == r->func : !access->func->is_image;
}

static bool reads(const hy_expr *expr, const hy_func *func) {
  reading r = {func, false};
  if (expr->has_access) hy_expr_visit_accesses(expr, see_read, &r);
  return r.found;
}

/* -- the update as a tree of one operator -- */

typedef struct {
  const hy_expr *whole; // what is stored in the part
  hy_op op;
  HY_VEC(const hy_expr *) operands; // in the order of the text, without f(e)
  int own;                          // how often f(e) is among them
  bool own_is_first;
} combination;

// What reads f only ever as f(e) itself, below operators that are all the same.
static bool gather(const judging *j, const hy_expr *expr, const hy_expr *own, combination *c) {
  if (expr == own) {
    c->own_is_first = !c->own && !c->operands.count;
    c->own++;
    return true;
  }
  if (!reads(expr, own->func)) {
    hy_vec_push(&c->operands, expr);
    return true;
  }
  if (expr->kind != HY_EXPR_OP || expr->op != c->op || expr->count != 2) return false;
  return gather(j, expr->args[0], own, c) && gather(j, expr->args[1], own, c);
}

static bool take_apart(const judging *j, int part, combination *c) {
  const hy_stmt *assign = assigned(j);
  *c = (combination){.whole = hy_expr_part(assign->assign.rhs, part)};
  if (c->whole->kind != HY_EXPR_OP) return false;
  c->op = c->whole->op;
  const hy_expr *own = hy_expr_access_part(j->context, assign->assign.func, part, assign->assign.lhs);
  return gather(j, c->whole, own, c) && c->own == 1 && c->operands.count;
}

/* -- the laws of an operator -- */

// On whole numbers: residues, the lesser and the greater of an order, bits one by one; of truth, and and or.
static bool is_lawful(hy_op op, hy_type type) {
  hy_type_class class = hy_type_class_of(type);
  bool wraps = class == HY_CLASS_SIGNED || class == HY_CLASS_UNSIGNED;
  switch ((int)op) {
  case HY_OP_ADD:
  case HY_OP_MUL: return wraps;
  case HY_OP_MIN:
  case HY_OP_MAX:
  case HY_OP_BIT_AND:
  case HY_OP_BIT_OR:
  case HY_OP_BIT_XOR: return wraps || class == HY_CLASS_INTEGER;
  case HY_OP_AND:
  case HY_OP_OR: return class == HY_CLASS_BOOL;
  default: return false;
  }
}

static hy_value applied(hy_op op, hy_type type, hy_value a, hy_value b) {
  return hy_value_apply(op, type, (const hy_value[]){a, b});
}

// The machine's arithmetic on numbers that are far from each other.
static bool obeys(hy_op op, hy_type type) {
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  const int64_t some[] = {0, 1, -1, 3, 100, least, greatest};
  const size_t count = HY_COUNT(some);
  for (size_t i = 0; i < count * count * count; i++) {
    hy_value a = hy_value_integral(type, some[i % count]), b = hy_value_integral(type, some[i / count % count]),
             c = hy_value_integral(type, some[i / count / count]);
    hy_value left = applied(op, type, applied(op, type, a, b), c),
             right = applied(op, type, a, applied(op, type, b, c));
    if (!hy_value_same(left, right) || !hy_value_same(applied(op, type, a, b), applied(op, type, b, a))) return false;
  }
  return true;
}

/* -- sums of int -- */

// At most what 64 bits hold, and then one more: too large.
static const uint64_t too_large = (uint64_t)INT64_MAX + 1;

static uint64_t saturated(uint64_t number, bool over) { return over || number > too_large ? too_large : number; }

static uint64_t sum(uint64_t a, uint64_t b) {
  uint64_t result;
  bool over = __builtin_add_overflow(a, b, &result);
  return saturated(result, over);
}

static uint64_t product(uint64_t a, uint64_t b) {
  uint64_t result;
  bool over = __builtin_mul_overflow(a, b, &result);
  return saturated(result, over);
}

// How far from 0, from numbers that need not fit.
static uint64_t distance(hy_wide_int low, hy_wide_int high) {
  hy_wide_int far = hy_greater(hy_greater(high, -low), 0);
  return far > INT64_MAX ? too_large : (uint64_t)far;
}

static const char *say(const judging *j, const char *format, const hy_expr *expr) {
  hy_text text = {0};
  hy_expr_print(expr, &text);
  const char *about = hy_arena_printf(hy_context_arena(j->context), format, hy_text_string(&text));
  hy_text_free(&text);
  return about;
}

// Bits that are counted are any number to the prover, which asks too much: no more than there are.
typedef struct {
  hy_context *context;
  const hy_expr *known;
} bit_counts;

static const hy_expr *any_count(void *self, const hy_expr *node) {
  bit_counts *b = self;
  if (node->kind != HY_EXPR_OP || hy_op_kind_of(node->op) != HY_KIND_COUNT || node->type != HY_INT) return node;
  const hy_expr *count = hy_expr_var(b->context, hy_var_new(b->context, HY_VAR_FRESH, HY_INT, "bits", NULL, 0, 0));
  const hy_expr *most = hy_expr_int(b->context, hy_type_bits(node->type)), *least = hy_expr_int(b->context, 0);
  b->known = hy_expr_and(b->context, b->known, hy_expr_binary(b->context, HY_OP_LE, least, count));
  b->known = hy_expr_and(b->context, b->known, hy_expr_binary(b->context, HY_OP_LE, count, most));
  return count;
}

static const hy_expr *compare(const judging *j, hy_op op, const hy_expr *expr, hy_wide_int number) {
  bit_counts b = {j->context, hy_expr_bool(j->context, true)};
  expr = hy_expr_map(j->context, expr, any_count, &b);
  const hy_expr *goal = hy_expr_binary(j->context, op, expr, hy_expr_int(j->context, (int64_t)number));
  if (hy_expr_is_true(b.known)) return goal;
  return hy_expr_or(j->context, hy_expr_unary(j->context, HY_OP_NOT, b.known), goal);
}

// At most so many instances update one point: those of the reduction, whatever its loops' lengths depend on. A point
// has one iteration of each pure loop, which is a coordinate of its own.
static uint64_t count_instances(const judging *j, hy_ranges *ranges) {
  uint64_t count = 1;
  for (int i = 0; i < j->update->count; i++) {
    const hy_stmt *loop = j->update->chain[i];
    if (loop->kind != HY_STMT_FOR) continue;
    bool is_coordinate = false;
    for (int d = 0; loop->loop.is_pure && d < j->update->func->rank; d++)
      is_coordinate |= assigned(j)->assign.lhs[d] == hy_expr_var(j->context, loop->loop.var);
    if (is_coordinate) continue;
    const hy_expr *length = loop->loop.interval.len;
    hy_wide_int most = hy_greater(hy_ranges_of(ranges, length).high, 0);
    count = product(count, distance(0, most));
    hy_ranges_bind_loop(ranges, loop->loop.var, loop->loop.interval);
    if (most <= INT64_MAX)
      claim(j, compare(j, HY_OP_LE, length, most), false, say(j, "there are no more than so many of %s", length));
  }
  return count;
}

// Sums of numbers of one sign only grow, or only fall: one of them leaves 64 bits exactly if the last one does,
// whatever the order; and parts, which do not begin with f's value, never do.
static void judge_sum_of_int(const judging *j, const combination *c) {
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, j->tgt);
  uint64_t count = count_instances(j, ranges), size = 0;
  bool falls = true;
  for (size_t i = 0; i < c->operands.count; i++) falls &= hy_ranges_of(ranges, c->operands.data[i]).high <= 0;
  for (size_t i = 0; i < c->operands.count; i++) {
    const hy_expr *operand = c->operands.data[i];
    hy_range range = hy_ranges_of(ranges, operand);
    uint64_t far = distance(range.low, range.high);
    size = sum(size, far);
    claim(j, compare(j, falls ? HY_OP_LE : HY_OP_GE, operand, 0), false,
          say(j, "of a sum of int, all that is added has one sign: %s", operand));
    if (far == too_large) continue;
    claim(j, compare(j, falls ? HY_OP_GE : HY_OP_LE, operand, falls ? -(hy_wide_int)far : (hy_wide_int)far), false,
          say(j, "of a sum of int, what is added has a bound: %s", operand));
  }
  hy_ranges_free(ranges);
  if (product(size, count) >= too_large)
    refuse(j,
           say(j, "of a sum of int, all that is added, as often as there are instances, fits 64 bits: %s", c->whole));
}

/* -- what may leave out an error -- */

static bool is_outermost(const judging *j) {
  for (int i = 0; i < j->update->count; i++) {
    const hy_stmt *stmt = j->update->chain[i];
    if (stmt->kind == HY_STMT_FOR && !stmt->loop.is_pure) return stmt->loop.var == j->taken;
  }
  return false;
}

static void claim_defined(const judging *j, const hy_expr *expr, bool at_entry) {
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, j->tgt);
  const hy_expr *defined = reads(expr, NULL) ? NULL : hy_defined(j->context, ranges, expr);
  hy_ranges_free(ranges);
  claim(j, defined, at_entry, say(j, "it is no error, which might be left out: %s", expr));
}

static void judge_lazy(const judging *j, const combination *c) {
  const hy_expr *predicate = hy_stage_predicate(j->update);
  if (!c->own_is_first) refuse(j, say(j, "what it was is evaluated in any case: %s", c->whole));
  if (predicate) claim_defined(j, predicate, false);
  for (int d = 0; d < j->update->func->rank; d++) claim_defined(j, assigned(j)->assign.lhs[d], false);
  for (size_t i = 0; i < c->operands.count && !is_outermost(j); i++) claim_defined(j, c->operands.data[i], false);
}

// Of which contract real asks no order: sums, up to rounding, and the least and the greatest but for a NaN.
static bool is_real(hy_op op) { return op == HY_OP_ADD || op == HY_OP_MIN || op == HY_OP_MAX; }

/* -- the parts of an update -- */

static void judge_part(const judging *j, int part) {
  combination c;
  if (!take_apart(j, part, &c)) {
    refuse(j, say(j, "what is stored is made of what was there by one operator: %s", c.whole));
  } else if (hy_type_class_of(c.whole->type) == HY_CLASS_FLOAT) {
    bool may = is_real(c.op) && j->tgt->alg->floats_in_any_order;
    claim(j, may ? hy_expr_bool(j->context, true) : NULL, false, say(j, "the order of floats may be any: %s", c.whole));
  } else if (c.op == HY_OP_ADD && c.whole->type == HY_INT) {
    judge_sum_of_int(j, &c);
  } else if (!is_lawful(c.op, c.whole->type) || !obeys(c.op, c.whole->type)) {
    refuse(j, say(j, "the operator may be used in any order: %s", c.whole));
  } else {
    claim(j, hy_expr_bool(j->context, true), false, say(j, "the operator may be used in any order: %s", c.whole));
    if (hy_op_is_lazy(c.op)) judge_lazy(j, &c);
  }
  hy_vec_free(&c.operands);
}

// "p && q" -> q where p does not read the func; what it decides by.
static bool keeps_first(const judging *j, const hy_expr *condition, hy_better *kept) {
  const hy_func *func = j->update->func;
  for (int k = 0; k < hy_func_parts(func); k++)
    if (reads(hy_expr_part(assigned(j)->assign.rhs, k), func)) return false;
  while (!hy_validate_keeps_better(j->context, assigned(j), condition, kept)) {
    if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_AND || reads(condition->args[0], func)) return false;
    condition = condition->args[1];
  }
  return true;
}

// DIR.RFactor.Arg: of equals the first, so in the order of the text; and what was there at first is compared once more.
static void judge_argument(const judging *j, const hy_stage_list *stages, const hy_expr *condition) {
  hy_better kept;
  const hy_stage_copy *first = hy_stages_find(stages, j->update->func, 0, 0);
  if (!keeps_first(j, condition, &kept)) {
    refuse(j, say(j, "what decides about an update reads the func in no other way than to keep the better: %s",
                  condition));
  } else if (!is_outermost(j) || j->update->stage != 1 || !first || hy_stage_predicate(first)) {
    refuse(j, say(j, "the first of equals stays the first: %s", condition));
  } else {
    claim_defined(j, hy_expr_part(first->assign->assign.rhs, kept.part), true);
  }
}

hy_order_claims hy_validate_order(hy_context *context, const hy_tgt *before, const hy_stage_list *stages,
                                  const hy_directive *directive) {
  hy_order_claims claims = {0};
  const hy_func *func = directive->func;
  const hy_stage_copy *update = hy_stages_find(stages, func, 0, directive->loop->stage);
  judging j = {context, before, update, directive->loop, &claims};
  if (!update) return claims; // L0 says so
  const hy_expr *predicate = hy_stage_predicate(update);
  for (int d = 0; d < func->rank; d++)
    if (reads(assigned(&j)->assign.lhs[d], func))
      refuse(&j, say(&j, "where it is updated does not depend on the func: %s", assigned(&j)->assign.lhs[d]));
  int predicates = 0;
  for (int i = 0; i < update->count; i++) predicates += update->chain[i]->kind == HY_STMT_IF;
  if (predicates > 1) refuse(&j, "one predicate decides about an instance");
  if (predicate && reads(predicate, func)) {
    judge_argument(&j, stages, predicate);
    return claims;
  }
  for (int part = 0; part < hy_func_parts(func); part++) judge_part(&j, part);
  return claims;
}
