#include "semantics/tgt/constraint.h"

static const hy_expr *hole(hy_context *context, hy_hole_kind kind, const hy_func *func, int dim, bool is_len) {
  hy_hole what = {.kind = kind, .is_len = is_len, .func = func, .dim = dim};
  return hy_expr_hole(context, hy_hole_get(context, what));
}

static const hy_expr *equal(hy_context *context, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(context, HY_OP_EQ, a, b);
}

/* -- constraints -- */

static const hy_expr *aligned(hy_context *context, const hy_expr *value, int64_t modulus, int64_t remainder) {
  const hy_expr *rest = hy_expr_binary(context, HY_OP_MOD, value, hy_expr_int(context, modulus));
  return equal(context, rest, hy_expr_int(context, remainder));
}

const hy_expr *hy_constraint_condition(hy_context *context, const hy_constraint *c) {
  const hy_expr *min = hole(context, HY_HOLE_CPU, c->func, c->dim, false);
  const hy_expr *len = hole(context, HY_HOLE_CPU, c->func, c->dim, true);
  const hy_expr *condition = hy_expr_bool(context, true);
  if (c->min) condition = hy_expr_and(context, condition, equal(context, min, c->min));
  if (c->len) condition = hy_expr_and(context, condition, equal(context, len, c->len));
  if (!c->modulus) return condition;
  condition = hy_expr_and(context, condition, aligned(context, min, c->modulus, c->remainder));
  return hy_expr_and(context, condition, aligned(context, len, c->modulus, 0));
}

static bool is_op(const hy_expr *e, hy_op op) { return e->kind == HY_EXPR_OP && e->op == op; }

// One conjunct: "?cpu == e" or "?cpu % m == r".
static bool take_conjunct(const hy_expr *e, hy_constraint *c) {
  if (!is_op(e, HY_OP_EQ)) return false;
  const hy_expr *left = e->args[0];
  int64_t modulus, remainder;
  bool is_alignment = is_op(left, HY_OP_MOD);
  if (is_alignment &&
      (!hy_expr_is_int(left->args[1], &modulus) || !hy_expr_is_int(e->args[1], &remainder) || modulus < 1))
    return false;
  if (is_alignment && (remainder < 0 || remainder >= modulus)) return false;
  if (is_alignment) left = left->args[0];
  if (left->kind != HY_EXPR_HOLE || left->hole->kind != HY_HOLE_CPU || e->args[1]->has_hole) return false;
  if (c->func && (c->func != left->hole->func || c->dim != left->hole->dim)) return false;
  c->func = left->hole->func;
  c->dim = left->hole->dim;
  if (!is_alignment) {
    *(left->hole->is_len ? &c->len : &c->min) = e->args[1];
    return true;
  }
  if (left->hole->is_len) return remainder == 0 && (!c->modulus || c->modulus == modulus);
  c->modulus = modulus;
  c->remainder = remainder;
  return true;
}

static bool take_all(const hy_expr *e, hy_constraint *c) {
  if (is_op(e, HY_OP_AND)) return take_all(e->args[0], c) && take_all(e->args[1], c);
  return take_conjunct(e, c);
}

bool hy_constraint_of(const hy_expr *condition, hy_constraint *constraint) {
  *constraint = (hy_constraint){0};
  return take_all(condition, constraint);
}

/* -- alignments -- */

int64_t hy_common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a < 0 ? -a : a;
}

bool hy_alignment_join(int64_t *m, int64_t *r, int64_t m2, int64_t r2) {
  if (*m < m2) { // steps of the larger modulus
    int64_t other_m = *m, other_r = *r;
    *m = m2, *r = r2;
    m2 = other_m, r2 = other_r;
  }
  int64_t common = hy_common_divisor(*m, m2);
  if ((*r - r2) % common != 0) return false;
  __int128 joined = (__int128)*m / common * m2;
  if (joined > INT64_C(1) << 31) return false;
  int64_t result = *r;
  while (result % m2 != r2) result += *m; // at most 2^16 steps: their product with the modulus is the joined one
  *m = (int64_t)joined;
  *r = result;
  return true;
}

/* -- needs -- */

const hy_expr *hy_need_condition(hy_context *context, const hy_func *func, int dim) {
  const hy_expr *zero = hy_expr_int(context, 0), *empty = hy_expr_bool(context, false);
  for (int d = 0; d < func->rank; d++)
    empty =
        hy_expr_or(context, empty, hy_expr_binary(context, HY_OP_LE, hole(context, HY_HOLE_NEED, func, d, true), zero));
  const hy_expr *cpu_min = hole(context, HY_HOLE_CPU, func, dim, false);
  const hy_expr *need_min = hole(context, HY_HOLE_NEED, func, dim, false);
  const hy_expr *need_end = hy_expr_binary(context, HY_OP_ADD, need_min, hole(context, HY_HOLE_NEED, func, dim, true));
  const hy_expr *cpu_end = hy_expr_binary(context, HY_OP_ADD, cpu_min, hole(context, HY_HOLE_CPU, func, dim, true));
  const hy_expr *is_below = hy_expr_binary(context, HY_OP_LE, need_end, cpu_end);
  const hy_expr *inside = hy_expr_and(context, hy_expr_binary(context, HY_OP_LE, cpu_min, need_min), is_below);
  return hy_expr_or(context, empty, inside);
}

bool hy_need_ends_of(const hy_expr *condition, hy_need_ends *ends) {
  while (is_op(condition, HY_OP_OR)) condition = condition->args[1];
  if (!is_op(condition, HY_OP_AND)) return false;
  const hy_expr *low = condition->args[0], *high = condition->args[1];
  if (!is_op(low, HY_OP_LE) || !is_op(high, HY_OP_LE) || low->args[0]->type != HY_INT || high->args[0]->type != HY_INT)
    return false;
  *ends = (hy_need_ends){low->args[0], low->args[1], high->args[0], high->args[1]};
  return true;
}

void hy_need_print(hy_context *context, const hy_func *func, const hy_interval *box, const hy_need_ends *ends,
                   const int64_t values[4], hy_text *out) {
  const char *word = " of dimension";
  hy_text_printf(out, "'%s' is needed in [%lld, %lld)", func->name, (long long)values[1], (long long)values[2]);
  for (int d = 0; d < func->rank; d++) { // the dimensions with these bounds: as a rule one
    const hy_expr *end = hy_expr_binary(context, HY_OP_ADD, box[d].min, box[d].len);
    if (box[d].min != ends->given_min || end != ends->given_end) continue;
    hy_text_printf(out, "%s %s", word, func->dims[d]);
    word = " or";
  }
  hy_text_printf(out, ", but the schedule bounds it to [%lld, %lld)", (long long)values[0], (long long)values[3]);
}
