#include "semantics/tgt/defined.h"

#include "semantics/base/vec.h"

static const hy_expr *binary(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(context, op, a, b);
}

static const hy_expr *largest_int(hy_context *context) {
  return hy_expr_const(context, hy_value_integral(HY_U64, INT64_MAX));
}

/* -- the walk -- */

typedef struct {
  const hy_expr *expr, *guard;
} arm;

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
  hy_risk_visitor *visit;
  void *self;
  HY_VEC(const hy_expr *) certain; // evaluated whatever is chosen: told once
  HY_VEC(const hy_expr *) here;    // of the arm that is being walked
  HY_VEC(arm) arms;                // still to walk
  int steps;
  bool is_exact;
} risk_walk;

static bool has(const hy_expr *const *list, size_t count, const hy_expr *expr) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == expr) return true;
  return false;
}

static bool is_lazy(const hy_expr *node) { return node->kind == HY_EXPR_OP && hy_op_is_lazy(node->op); }

static void add_arm(risk_walk *w, const hy_expr *expr, const hy_expr *guard, const hy_expr *chosen, bool is) {
  if (hy_ranges_total(w->ranges, expr)) return;
  if (!is) chosen = hy_expr_unary(w->context, HY_OP_NOT, chosen);
  hy_vec_push(&w->arms, (arm){expr, hy_expr_and(w->context, guard, chosen)});
}

static void tell(const risk_walk *w, const hy_expr *node, const hy_expr *guard) {
  unsigned risks = hy_ranges_risks(w->ranges, node);
  hy_context *c = w->context;
  if (risks & HY_RISK_ERROR) w->visit(w->self, (hy_risk){node, hy_expr_bool(c, false), guard, HY_RISK_ERROR});
  if (risks & HY_RISK_DIVISOR) {
    const hy_expr *zero = hy_expr_const(c, hy_value_zero(node->args[1]->type));
    w->visit(w->self, (hy_risk){node, binary(c, HY_OP_NE, node->args[1], zero), guard, HY_RISK_DIVISOR});
  }
  if (risks & HY_RISK_CAST)
    w->visit(w->self, (hy_risk){node, binary(c, HY_OP_LE, node->args[0], largest_int(c)), guard, HY_RISK_CAST});
  if (risks & HY_RISK_WIDTH) {
    const hy_expr *least = binary(c, HY_OP_GE, node, hy_expr_int(c, INT64_MIN));
    const hy_expr *most = binary(c, HY_OP_LE, node, hy_expr_int(c, INT64_MAX));
    w->visit(w->self, (hy_risk){node, hy_expr_and(c, least, most), guard, HY_RISK_WIDTH});
  }
}

// requires: something below "node" may err
static void walk(risk_walk *w, const hy_expr *node, const hy_expr *guard) {
  enum { MOST_STEPS = 4000 };
  if (hy_ranges_total(w->ranges, node)) return;
  if (has(w->certain.data, w->certain.count, node) || has(w->here.data, w->here.count, node)) return;
  if (++w->steps > MOST_STEPS) w->is_exact = false;
  hy_vec_push(&w->here, node);
  if (!is_lazy(node) || !w->is_exact) {
    for (int i = 0; i < node->count; i++) walk(w, node->args[i], guard);
    tell(w, node, guard);
    return;
  }
  const hy_expr *c = node->args[0];
  walk(w, c, guard);
  add_arm(w, node->args[1], guard, c, node->op != HY_OP_OR);
  if (node->op == HY_OP_SELECT) add_arm(w, node->args[2], guard, c, false);
}

bool hy_defined_risks(hy_context *context, hy_ranges *ranges, const hy_expr *expr, hy_risk_visitor *visit, void *self) {
  if (hy_ranges_total(ranges, expr)) return true;
  risk_walk w = {.context = context, .ranges = ranges, .visit = visit, .self = self, .is_exact = true};
  walk(&w, expr, hy_expr_bool(context, true));
  for (size_t i = 0; i < w.here.count; i++) hy_vec_push(&w.certain, w.here.data[i]);
  for (size_t i = 0; i < w.arms.count; i++) {
    arm next = w.arms.data[i];
    w.here.count = 0;
    walk(&w, next.expr, w.is_exact ? next.guard : hy_expr_bool(context, true));
  }
  hy_vec_free(&w.certain);
  hy_vec_free(&w.here);
  hy_vec_free(&w.arms);
  return w.is_exact;
}

/* -- as a formula -- */

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
} startup;

const hy_expr *hy_risk_avoided(hy_context *context, hy_risk risk) {
  if (hy_expr_is_true(risk.guard)) return risk.own;
  return hy_expr_or(context, hy_expr_unary(context, HY_OP_NOT, risk.guard), risk.own);
}

typedef struct {
  hy_context *context;
  const hy_expr *all;
} formula;

static void join(void *self, hy_risk risk) {
  formula *f = self;
  f->all = hy_expr_and(f->context, f->all, hy_risk_avoided(f->context, risk));
}

const hy_expr *hy_defined(hy_context *context, hy_ranges *ranges, const hy_expr *expr) {
  formula f = {context, hy_expr_bool(context, true)};
  return hy_defined_risks(context, ranges, expr, join, &f) ? f.all : NULL;
}

// Parameters, the window and image boxes lie within +-2^31, which the entry block of whatever is lowered asks first.
static void assume_startup(void *self, const hy_expr *node) {
  const startup *s = self;
  if (node->kind != HY_EXPR_VAR || node->type != HY_INT || !hy_var_is_startup(node->var)) return;
  const hy_expr *limit = hy_expr_int(s->context, INT64_C(1) << 31),
                *least = hy_expr_int(s->context, -(INT64_C(1) << 31));
  hy_ranges_assume(s->ranges, binary(s->context, HY_OP_LE, node, limit));
  hy_ranges_assume(s->ranges, binary(s->context, HY_OP_GE, node, least));
}

// "0 <= len" where the ranges show that nothing else can go wrong, else "min <= min + len".
const hy_expr *hy_interval_is_ordinary(hy_context *context, hy_interval interval) {
  const hy_expr *end = hy_index_add(context, interval.min, interval.len);
  hy_ranges *ranges = hy_ranges_new();
  hy_expr_visit(end, assume_startup, &(startup){context, ranges});
  bool is_total = hy_ranges_total(ranges, end) || end == interval.len;
  hy_ranges_free(ranges);
  if (is_total) return binary(context, HY_OP_GE, interval.len, hy_expr_int(context, 0));
  return binary(context, HY_OP_LE, interval.min, end);
}

/* -- what the machine computes -- */

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
} rendering;

static bool is_ring(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && node->type == HY_INT && hy_op_kind_of(node->op) == HY_KIND_RING;
}

// The number of 64 bits that is congruent to "e": itself, where it fits.
static const hy_expr *wrapped(const rendering *r, const hy_expr *e) {
  if (e->type != HY_INT || hy_range_fits(hy_ranges_of(r->ranges, e))) return e;
  return hy_expr_cast(r->context, HY_INT, hy_expr_cast(r->context, HY_I64, e));
}

// An operator that is no sum or product looks at numbers, sums and products at what they are congruent to: those are
// left in Z, so that what cancels out there cancels out.
static const hy_expr *render(void *self, const hy_expr *node) {
  const rendering *r = self;
  if (is_ring(node) || (node->kind != HY_EXPR_OP && node->kind != HY_EXPR_ACCESS)) return node;
  if (hy_ranges_risks(r->ranges, node) == HY_RISK_CAST)
    return hy_expr_cast(r->context, HY_INT, binary(r->context, HY_OP_MIN, node->args[0], largest_int(r->context)));
  const hy_expr *args[HY_MAX_RANK];
  for (int i = 0; i < node->count; i++) args[i] = wrapped(r, node->args[i]);
  if (node->kind == HY_EXPR_ACCESS) return hy_expr_access_part(r->context, node->func, node->part, args);
  hy_op_errors errs = hy_op_errs(node->op);
  bool wraps = node->type == HY_INT && (errs == HY_ERRS_WIDTH || errs == HY_ERRS_DIVISOR);
  const hy_expr *same = hy_expr_op(r->context, node->op, node->type, args);
  if (!wraps || hy_range_fits(hy_ranges_of(r->ranges, same))) return same;
  for (int i = 0; i < node->count; i++) args[i] = hy_expr_cast(r->context, HY_I64, args[i]);
  return hy_expr_cast(r->context, HY_INT, hy_expr_op(r->context, node->op, HY_I64, args));
}

const hy_expr *hy_machine_value(hy_context *context, hy_ranges *ranges, const hy_expr *expr) {
  if (hy_ranges_total(ranges, expr)) return expr;
  rendering r = {context, ranges};
  return wrapped(&r, hy_expr_map(context, expr, render, &r));
}
