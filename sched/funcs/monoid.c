#include "sched/funcs/monoid.h"
#include "sched/funcs/funcs.h"

#include "semantics/tgt/defined.h"

#include <math.h>

typedef enum { TYPES_WRAP, TYPES_WHOLE, TYPES_TRUTH } types;
typedef enum { ID_ZERO, ID_ONE, ID_ONES, ID_LEAST, ID_GREATEST, ID_YES, ID_NO } identity;

static const struct {
  hy_op op;
  types types;
  identity identity;
} monoids[] = {
#define HY_MONOID(op, types, identity) {HY_OP_##op, TYPES_##types, ID_##identity},
#include "sched/funcs/monoids.def"
#undef HY_MONOID
};

static bool has_type(types types, hy_type type) {
  switch (types) {
  case TYPES_WRAP: return hy_type_is_integral(type) && type != HY_INT;
  case TYPES_WHOLE: return hy_type_is_integral(type);
  case TYPES_TRUTH: return type == HY_BOOL;
  }
  HY_UNREACHABLE();
}

static hy_value value_of(identity identity, hy_type type) {
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  switch (identity) {
  case ID_ZERO:
  case ID_NO: return hy_value_zero(type);
  case ID_ONE:
  case ID_YES: return hy_value_integral(type, 1);
  case ID_ONES: return hy_value_integral(type, -1);
  case ID_LEAST: return hy_value_integral(type, least);
  case ID_GREATEST: return hy_value_integral(type, type == HY_U64 ? -1 : greatest);
  }
  HY_UNREACHABLE();
}

bool hy_monoid_find(hy_op op, hy_type type, hy_value *identity) {
  for (size_t i = 0; i < HY_COUNT(monoids); i++)
    if (monoids[i].op == op && has_type(monoids[i].types, type)) {
      *identity = value_of(monoids[i].identity, type);
      return true;
    }
  return false;
}

/* -- is nothing an error that && or || might leave out? -- */

static void see_func(void *self, const hy_expr *node) {
  *(bool *)self |= node->kind == HY_EXPR_ACCESS && !node->func->is_image;
}

static bool reads_funcs(const hy_expr *expr) {
  bool found = false;
  hy_expr_visit(expr, see_func, &found);
  return found;
}

static bool never_errs(hy_context *context, hy_ranges *ranges, const hy_expr *expr) {
  const hy_expr *defined = reads_funcs(expr) ? NULL : hy_defined(context, ranges, expr);
  return defined && hy_expr_is_true(defined);
}

/* -- sums of int -- */

// How often may a point be combined with something? At most as often as the reduction has instances.
static hy_wide_int count_instances(hy_ranges *ranges, const hy_stmt *const *loops, int loop_count) {
  const hy_wide_int most = (hy_wide_int)1 << 63;
  hy_wide_int count = 1;
  for (int i = 0; i < loop_count; i++) {
    if (loops[i]->loop.is_pure) continue;
    hy_wide_int length = hy_ranges_of(ranges, loops[i]->loop.interval.len).high;
    hy_ranges_bind_loop(ranges, loops[i]->loop.var, loops[i]->loop.interval);
    count = length >= most || count * length >= most ? most : count * (length < 0 ? 0 : length);
  }
  return count;
}

// DIR.RFactor.Sum: of one sign, so that sums only grow, or only fall, and fits as often as there are instances. That
// holds of each number that is added, if there are several: (f + 9) + -8 is an error where f + 1 is none.
static bool is_one_sided(const hy_tgt *tgt, const hy_combined *v, const hy_stmt *const *loops, int loop_count) {
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, tgt);
  hy_wide_int count = count_instances(ranges, loops, loop_count), size = 0;
  bool grows = true, falls = true, fits = true;
  for (int i = 0; i < v->count && fits; i++) {
    hy_range range = hy_ranges_of(ranges, v->operands[i]);
    fits = hy_range_fits(range);
    if (!fits) break;
    size += range.high > -range.low ? range.high : -range.low;
    grows = grows && range.low >= 0;
    falls = falls && range.high <= 0;
  }
  hy_ranges_free(ranges);
  // Either is at most 2^63, and their product fits 128 bits.
  fits = fits && size <= INT64_MAX && size * count <= INT64_MAX;
  return fits && (grows || falls);
}

/* -- the update -- */

typedef struct {
  const hy_func *func;
  bool found;
} func_search;

static void see_access(void *self, const hy_expr *node) {
  func_search *search = self;
  search->found |= node->kind == HY_EXPR_ACCESS && node->func == search->func;
}

static bool reads(const hy_expr *expr, const hy_func *func) {
  func_search search = {func, false};
  hy_expr_visit(expr, see_access, &search);
  return search.found;
}

/* -- why an update is none -- */

static bool saturates(const hy_expr *value) {
  while (value->kind == HY_EXPR_OP && value->op == HY_OP_CAST) value = value->args[0];
  return value->kind == HY_EXPR_OP && hy_op_kind_of(value->op) == HY_KIND_EXTREMUM;
}

static const char *refusal_of_floats(const hy_expr *value) {
  if (value->kind == HY_EXPR_OP && value->op == HY_OP_MIN)
    return "takes the least of floats, and what a NaN leaves depends on the order: min(min(1.0, nan), 2.0) is 2.0, "
           "min(1.0, min(nan, 2.0)) is 1.0; min(0.0, -0.0) is -0.0, min(-0.0, 0.0) is 0.0; where any order will do, "
           "say so: pipeline p(..) contract real { .. }";
  if (value->kind == HY_EXPR_OP && value->op == HY_OP_MAX)
    return "takes the greatest of floats, and what a NaN leaves depends on the order: max(max(2.0, nan), 1.0) is 1.0, "
           "max(2.0, max(nan, 1.0)) is 2.0; max(0.0, -0.0) is -0.0, max(-0.0, 0.0) is 0.0; where any order will do, "
           "say so: pipeline p(..) contract real { .. }";
  return value->kind == HY_EXPR_OP && (value->op == HY_OP_ADD || value->op == HY_OP_FMA)
             ? "is of floats, whose results depend on the order: (1.0 + 1e30) - 1e30 is 0.0, 1.0 + (1e30 - 1e30) is "
               "1.0; where any order will do, say so: pipeline p(..) contract real { .. }"
         : value->kind == HY_EXPR_OP && value->op == HY_OP_MUL
             ? "is a product of floats, which depends on the order: in f32 (1e-30 * 1e-30) * 1e30 is 0.0, 1e-30 * "
               "(1e-30 * "
               "1e30) is 1e-30; contract real is of sums, min and max alone"
             : "is of floats, whose results depend on the order: (1.0 + 1e30) - 1e30 is 0.0, 1.0 + (1e30 - 1e30) is "
               "1.0";
}

static const char *refusal_of_cast(const hy_expr *value) {
  const hy_expr *least = value->args[0];
  bool is_sum = least->op == HY_OP_MIN && least->args[0]->kind == HY_EXPR_OP && least->args[0]->op == HY_OP_ADD;
  if (is_sum && hy_type_class_of(value->type) == HY_CLASS_UNSIGNED)
    return "saturates, which is none of + * min max & | ^ && ||: of unsigned numbers, add up in a func of a wider "
           "type, and take the min of the sum once, which is the same";
  return "saturates, where it depends on the order what is left: as an i8, (127 + 1) + -1 is 126, 127 + (1 + -1) is "
         "127";
}

// An average is a difference, too: (f | v) - ((f ^ v) >> 1).
static const char *refusal(const hy_expr *value, const hy_func *func) {
  if (hy_type_is_numeric(value->type) && !hy_type_is_integral(value->type)) return refusal_of_floats(value);
  if (value->kind == HY_EXPR_OP && value->op == HY_OP_CAST && saturates(value)) return refusal_of_cast(value);
  int with_func = 0;
  for (int i = 0; i < value->count; i++) with_func += reads(value->args[i], func);
  if (with_func > 1)
    return "has the func in it more than once: it is not f(e) <- f(e) op v, op one of + * min max & | ^ && || (of an "
           "average the results depend on the order: the average of 0, 0 and then 4 is 2, that of 0, 4 and then 0 is "
           "1)";
  if (value->kind == HY_EXPR_OP && value->type == HY_INT && (value->op == HY_OP_ADD || value->op == HY_OP_MUL))
    return "is of int, where it depends on the order whether 64 bits are left: (9223372036854775807 + 1) + -1 is an "
           "error, 9223372036854775807 + (1 + -1) is none, and what is added is not seen to be of one sign and small; "
           "compute it as an i64 or i32, which wrap";
  if (value->kind == HY_EXPR_OP && value->op == HY_OP_SUB)
    return "subtracts, which is not associative: (0 - 1) - 1 is -2, 0 - (1 - 1) is 0; add what is negated";
  return "is not f(e) <- f(e) op v, op one of + * min max & | ^ && ||";
}

/* -- the update, taken apart -- */

// Takes apart what "value" makes of f(e) by its one operator; false: it is not of that form.
static bool take_apart(const hy_expr *value, const hy_expr *self, hy_combined *v) {
  const hy_op op = value->op;
  while (value != self) {
    if (value->kind != HY_EXPR_OP || value->op != op || value->count != 2 || v->count == HY_MOST_COMBINED) return false;
    int side = reads(value->args[0], self->func) ? 0 : 1;
    v->self_is_first = v->self_is_first && side == 0;
    v->operands[v->count++] = value->args[1 - side];
    value = value->args[side];
  }
  return true;
}

// What a part is combined with, f(e) op v or (f(e) op v1) op v2; false: it is not such an update, v without f.
static bool combined(hy_context *context, const hy_stmt *assign, int part, hy_combined *v) {
  const hy_expr *value = hy_expr_part(assign->assign.rhs, part);
  const hy_expr *self = hy_expr_access_part(context, assign->assign.func, part, assign->assign.lhs);
  *v = (hy_combined){.self_is_first = true};
  if (value->kind != HY_EXPR_OP || !take_apart(value, self, v)) return false;
  for (int i = 0; i < v->count; i++)
    if (reads(v->operands[i], assign->assign.func)) return false;
  return true;
}

// && and || leave out what stands behind. Where r is the outermost loop of the reduction, its parts are combined in the
// order of the text: then that they are associative is enough. What leads to an update is evaluated in any order.
static const char *lazy_refusal(hy_context *context, const hy_tgt *tgt, const hy_update *u, const hy_expr *predicate,
                                const hy_stmt *const *loops, int loop_count, bool in_order) {
  const hy_func *func = u->assign->assign.func;
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, tgt);
  for (int i = 0; i < loop_count; i++)
    if (!loops[i]->loop.is_pure) hy_ranges_bind_loop(ranges, loops[i]->loop.var, loops[i]->loop.interval);
  bool good = !predicate || never_errs(context, ranges, predicate);
  for (int d = 0; d < func->rank; d++) good = good && never_errs(context, ranges, u->assign->assign.lhs[d]);
  for (int part = 0; part < hy_func_parts(func); part++) {
    const hy_combined *v = &u->combined[part];
    bool lazy = hy_op_is_lazy(u->op[part]);
    good = good && (v->self_is_first || !lazy); // v && f(e) may leave out what f was, error and all
    for (int i = 0; i < v->count; i++)
      good = good && ((lazy && in_order) || never_errs(context, ranges, v->operands[i]));
  }
  hy_ranges_free(ranges);
  if (good) return NULL;
  return "may leave out an error, and which one depends on the order: false && 1/0 > 0 is false, 1/0 > 0 && false an "
         "error; in the order of the text they are combined where the outermost variable of the rdom is taken";
}

// DIR.RFactor.Real: x + -0.0 is x, whatever x is; nothing but a NaN is changed by the infinity behind all numbers
static bool is_of_reals(const hy_tgt *tgt, const hy_expr *value, hy_value *identity) {
  if (!tgt->alg->floats_in_any_order || hy_type_class_of(value->type) != HY_CLASS_FLOAT) return false;
  if (value->op != HY_OP_ADD && value->op != HY_OP_MIN && value->op != HY_OP_MAX) return false;
  *identity = hy_value_from_double(value->type, value->op == HY_OP_ADD   ? -0.0
                                                : value->op == HY_OP_MIN ? INFINITY
                                                                         : -INFINITY);
  return true;
}

/* -- argmin and argmax -- */

// value < stored, value > stored; of bools !value && stored, value && !stored (ALG.Expand.Arg)
typedef struct comparison {
  hy_op better;
  const hy_expr *value, *stored;
} comparison;

static bool is_op(const hy_expr *expr, hy_op op) { return expr->kind == HY_EXPR_OP && expr->op == op; }

static bool compares(const hy_expr *condition, comparison *c) {
  if (is_op(condition, HY_OP_LT) || is_op(condition, HY_OP_GT)) {
    *c = (comparison){condition->op, condition->args[0], condition->args[1]};
    return true;
  }
  if (!is_op(condition, HY_OP_AND)) return false;
  const hy_expr *first = condition->args[0], *second = condition->args[1];
  if (is_op(second, HY_OP_NOT)) {
    *c = (comparison){HY_OP_GT, first, second->args[0]};
    return true;
  }
  if (!is_op(first, HY_OP_NOT)) return false;
  *c = (comparison){HY_OP_LT, first->args[0], second};
  return true;
}

// Which part of the func, at the point that is updated, is compared with what is stored there; -1: none
static int deciding_part(hy_context *context, const hy_stmt *assign, const hy_expr *condition, comparison *c) {
  const hy_func *func = assign->assign.func;
  bool found = compares(condition, c);
  for (int part = 0; found && part < hy_func_parts(func); part++)
    if (c->value == hy_expr_part(assign->assign.rhs, part) &&
        c->stored == hy_expr_access_part(context, func, part, assign->assign.lhs))
      return part;
  return -1;
}

// The same of p && q, where q alone reads the func.
static int find_deciding(hy_context *context, const hy_stmt *assign, const hy_expr *predicate, comparison *c) {
  int part = deciding_part(context, assign, predicate, c);
  while (part < 0 && is_op(predicate, HY_OP_AND) && !reads(predicate->args[0], assign->assign.func)) {
    predicate = predicate->args[1];
    part = deciding_part(context, assign, predicate, c);
  }
  return part;
}

static hy_value farthest(hy_op better, hy_type type) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT)
    return hy_value_from_double(type, better == HY_OP_LT ? INFINITY : -INFINITY);
  return value_of(better == HY_OP_LT ? ID_GREATEST : ID_LEAST, type);
}

static bool begins_with_number(hy_context *context, const hy_tgt *tgt, const hy_func *func, int part) {
  hy_lowered_stage first = hy_funcs_stage_at(tgt, func, 0);
  hy_ranges *ranges = hy_ranges_new();
  bool good = never_errs(context, ranges, hy_expr_part(first.assign->assign.rhs, part));
  hy_ranges_free(ranges);
  return good;
}

// DIR.RFactor.Arg: f(e) <- v if p && v[j] < f(e)[j]. Why it is none of these, or may not be taken apart; NULL: it may.
static const char *keeps_where(hy_context *context, const hy_tgt *tgt, const hy_stmt *assign, const hy_expr *predicate,
                               bool in_order, hy_update *u) {
  const hy_func *func = assign->assign.func;
  comparison c;
  u->deciding = find_deciding(context, assign, predicate, &c);
  bool is_one = u->deciding >= 0;
  for (int part = 0; part < hy_func_parts(func); part++)
    is_one = is_one && !reads(hy_expr_part(assign->assign.rhs, part), func);
  if (!is_one) return "reads the func itself to decide what is updated";
  if (!in_order)
    return "keeps the first of equal values, and which one is first depends on the order; in the order of the text "
           "they are combined where the outermost variable of the rdom, its last one, is taken";
  if (assign->assign.stage != 1 || !begins_with_number(context, tgt, func, u->deciding))
    return "keeps what is better than what was there, which has to be a number at first, in the pure stage, that is no "
           "error";
  u->keeps_where = true;
  u->better = c.better;
  for (int part = 0; part < hy_func_parts(func); part++)
    u->identity[part] =
        part == u->deciding ? farthest(u->better, hy_func_type(func, part)) : hy_value_zero(hy_func_type(func, part));
  return NULL;
}

bool hy_combines_anew(const hy_tgt *before, const hy_directive *directive) {
  bool floats = false;
  if (directive->type != &hy_directive_rfactor || !before->alg->floats_in_any_order) return false;
  for (int part = 0; part < hy_func_parts(directive->func); part++)
    floats |= hy_type_class_of(hy_func_type(directive->func, part)) == HY_CLASS_FLOAT;
  const hy_stmt *assign = hy_funcs_stage(before, directive->loop).assign;
  const hy_expr *value = hy_expr_part(assign->assign.rhs, 0);
  return floats && reads(value, directive->func); // not what argmin makes
}

// The operator's identity, where it may be used in another order on what is combined here.
static bool find_identity(hy_context *context, const hy_tgt *tgt, const hy_stmt *assign, int part,
                          const hy_stmt *const *loops, int loop_count, hy_update *u) {
  const hy_expr *value = hy_expr_part(assign->assign.rhs, part);
  if (!combined(context, assign, part, &u->combined[part])) return false;
  if (hy_monoid_find(value->op, value->type, &u->identity[part])) return true;
  if (is_of_reals(tgt, value, &u->identity[part])) {
    hy_context_hit(context, HY_RULE_DIR_RFACTOR_REAL);
    return true;
  }
  u->identity[part] = hy_value_zero(value->type);
  bool sums =
      value->op == HY_OP_ADD && value->type == HY_INT && is_one_sided(tgt, &u->combined[part], loops, loop_count);
  if (sums) hy_context_hit(context, HY_RULE_DIR_RFACTOR_SUM);
  return sums;
}

static bool is_outermost(const hy_stmt *const *loops, int loop_count, const hy_var *var) {
  for (int i = 0; i < loop_count; i++)
    if (!loops[i]->loop.is_pure) return loops[i]->loop.var == var;
  return false;
}

const char *hy_update_of(hy_context *context, const hy_tgt *tgt, const hy_stmt *assign, const hy_expr *predicate,
                         const hy_stmt *const *loops, int loop_count, const hy_var *factored, hy_update *update) {
  const hy_func *func = assign->assign.func;
  bool lazy = false, reads_own = predicate && reads(predicate, func);
  *update = (hy_update){.assign = assign};
  for (int d = 0; d < func->rank; d++) reads_own = reads_own || reads(assign->assign.lhs[d], func);
  bool in_order = is_outermost(loops, loop_count, factored);
  if (reads_own) {
    for (int d = 0; d < func->rank; d++)
      if (reads(assign->assign.lhs[d], func)) return "reads the func itself to decide what is updated";
    return keeps_where(context, tgt, assign, predicate, in_order, update);
  }
  for (int part = 0; part < hy_func_parts(func); part++) {
    const hy_expr *value = hy_expr_part(assign->assign.rhs, part);
    if (!find_identity(context, tgt, assign, part, loops, loop_count, update)) return refusal(value, func);
    update->op[part] = value->op;
    lazy = lazy || hy_op_is_lazy(value->op);
  }
  if (!lazy) return NULL;
  return lazy_refusal(context, tgt, update, predicate, loops, loop_count, in_order);
}
