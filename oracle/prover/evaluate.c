#include "oracle/prover/evaluate.h"

#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"

#include <stdlib.h>

enum { MAX_DEPTH = 2500 };

typedef struct {
  hy_unknown_value *unknown;
  void *self;
  HY_VEC(hy_wide) values;
  hy_id_map *numbers; // of values, by nodes
  int depth;
} evaluation;

/* -- values -- */

static bool evaluate(evaluation *e, const hy_expr *expr, hy_wide *value);

static bool is_float(const hy_expr *expr) { return hy_type_class_of(expr->type) == HY_CLASS_FLOAT; }

// The number of the type that is congruent to "value" modulo 2^bits.
static hy_wide wrap(hy_type type, hy_wide value) {
  hy_type_class class = hy_type_class_of(type);
  if (class != HY_CLASS_UNSIGNED && class != HY_CLASS_SIGNED) return value;
  hy_wide modulus = hy_wide_power_of_two(hy_type_bits(type)), rest = hy_wide_mod(value, modulus);
  return class == HY_CLASS_SIGNED && rest >= modulus / 2 ? rest - modulus : rest;
}

// Euclidean: a = m*q + r with 0 <= r < |m|; requires: m is not 0
static hy_wide quotient(hy_wide a, hy_wide m, bool *overflow) {
  if (m > 0) return hy_wide_div(a, m);
  hy_wide size = hy_wide_neg(m, overflow);
  return *overflow ? 0 : hy_wide_neg(hy_wide_div(a, size), overflow);
}

static bool fits_64(hy_wide value) { return value == (int64_t)value; }

// a << k for k of either sign; by the width or more 0 or the sign. False where int has no result.
static bool shift(hy_type type, hy_wide a, hy_wide k, hy_wide *value) {
  int width = hy_type_bits(type);
  if (k <= -width) {
    *value = a < 0 ? -1 : 0;
  } else if (k < 0) {
    *value = hy_wide_div(a, hy_wide_power_of_two((int)-k));
  } else if (type == HY_INT && k >= width) {
    *value = 0;
    return a == 0; // else it does not fit, whatever it is
  } else {
    bool overflow = false;
    *value = k >= width ? 0 : hy_wide_mul(a, hy_wide_power_of_two((int)k), &overflow);
    return !overflow;
  }
  return true;
}

static bool bits(hy_op op, hy_type type, hy_wide a, hy_wide b, hy_wide *value) {
  if (type == HY_INT && (!fits_64(a) || !fits_64(b))) return false;
  *value = op == HY_OP_BIT_AND ? a & b : op == HY_OP_BIT_OR ? a | b : a ^ b;
  return true;
}

// One operator on whole arguments, before wrapping; false: it has no value there.
static bool apply(hy_op op, hy_type type, const hy_wide *a, hy_wide *value) {
  bool overflow = false;
  switch (op) {
  case HY_OP_ADD: *value = hy_wide_add(a[0], a[1], &overflow); break;
  case HY_OP_SUB: *value = hy_wide_sub(a[0], a[1], &overflow); break;
  case HY_OP_MUL:
    if (type != HY_INT)
      *value = (hy_wide)((unsigned __int128)a[0] * (unsigned __int128)a[1]); // right modulo 2^128
    else
      *value = hy_wide_mul(a[0], a[1], &overflow);
    break;
  case HY_OP_DIV:
    if (a[1] == 0) return false;
    *value = quotient(a[0], a[1], &overflow);
    break;
  case HY_OP_MOD:
    if (a[1] == 0) return false;
    *value = hy_wide_sub(a[0], hy_wide_mul(a[1], quotient(a[0], a[1], &overflow), &overflow), &overflow);
    break;
  case HY_OP_NEG: *value = hy_wide_neg(a[0], &overflow); break;
  case HY_OP_EQ: *value = a[0] == a[1]; break;
  case HY_OP_NE: *value = a[0] != a[1]; break;
  case HY_OP_LT: *value = a[0] < a[1]; break;
  case HY_OP_LE: *value = a[0] <= a[1]; break;
  case HY_OP_GT: *value = a[0] > a[1]; break;
  case HY_OP_GE: *value = a[0] >= a[1]; break;
  case HY_OP_NOT: *value = !a[0]; break;
  case HY_OP_BIT_AND:
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_OR: return bits(op, type, a[0], a[1], value);
  case HY_OP_BIT_NOT: *value = hy_wide_sub(-1, a[0], &overflow); break;
  case HY_OP_SHL: return shift(type, a[0], a[1], value);
  case HY_OP_SHR: return shift(type, a[0], -a[1], value);
  case HY_OP_MIN: *value = a[0] < a[1] ? a[0] : a[1]; break;
  case HY_OP_MAX: *value = a[0] > a[1] ? a[0] : a[1]; break;
  case HY_OP_ABS: *value = a[0] < 0 ? hy_wide_neg(a[0], &overflow) : a[0]; break;
  case HY_OP_CAST: *value = type == HY_BOOL ? a[0] != 0 : a[0]; break;
  case HY_OP_AND:
  case HY_OP_OR:
  case HY_OP_SELECT: // lazily, below
#include "semantics/value/opaque_cases.def"
    return false;
  }
  return !overflow;
}

bool hy_evaluate_op(hy_op op, hy_type type, const hy_wide *args, hy_wide *value) {
  if (!apply(op, type, args, value)) return false;
  *value = wrap(type, *value);
  return true;
}

bool hy_evaluate_constant(const hy_expr *constant, hy_wide *value) {
  if (constant->value.error != HY_OK) return false;
  hy_type_class class = hy_type_class_of(constant->type);
  bool is_signed = class == HY_CLASS_INTEGER || class == HY_CLASS_SIGNED;
  *value = is_signed ? (hy_wide)constant->value.i : (hy_wide)constant->value.u;
  return true;
}

static bool evaluate_lazily(evaluation *e, const hy_expr *expr, hy_wide *value) {
  hy_wide first;
  if (!evaluate(e, expr->args[0], &first)) return false;
  if (expr->op == HY_OP_SELECT) return evaluate(e, expr->args[first ? 1 : 2], value);
  *value = first;
  return (expr->op == HY_OP_AND) == (first != 0) ? evaluate(e, expr->args[1], value) : true;
}

static bool evaluate_op(evaluation *e, const hy_expr *expr, hy_wide *value) {
  if (hy_op_is_lazy(expr->op)) return evaluate_lazily(e, expr, value);
  hy_wide args[HY_MAX_ARITY];
  for (int i = 0; i < expr->count; i++) {
    if (is_float(expr->args[i])) return e->unknown(e->self, expr, value);
    if (!evaluate(e, expr->args[i], &args[i])) return false;
  }
  return hy_evaluate_op(expr->op, expr->type, args, value) || e->unknown(e->self, expr, value);
}

static bool evaluate_new(evaluation *e, const hy_expr *expr, hy_wide *value) {
  switch (expr->kind) {
  case HY_EXPR_CONST: return hy_evaluate_constant(expr, value);
  case HY_EXPR_VAR:
  case HY_EXPR_ACCESS:
  case HY_EXPR_HOLE: return e->unknown(e->self, expr, value);
  case HY_EXPR_TUPLE: break;
  case HY_EXPR_OP: return evaluate_op(e, expr, value);
  }
  HY_UNREACHABLE();
}

static bool evaluate(evaluation *e, const hy_expr *expr, hy_wide *value) {
  if (is_float(expr) || e->depth > MAX_DEPTH) return false;
  if (expr->kind != HY_EXPR_OP) return evaluate_new(e, expr, value); // shared nodes only are remembered
  const uintptr_t *known = hy_id_map_find(e->numbers, expr->id);
  if (known) {
    *value = e->values.data[*known];
    return true;
  }
  e->depth++;
  bool has_value = evaluate_new(e, expr, value);
  e->depth--;
  if (!has_value) return false;
  *hy_id_map_put(e->numbers, expr->id) = e->values.count;
  hy_vec_push(&e->values, *value);
  return true;
}

bool hy_evaluate(const hy_expr *expr, hy_unknown_value *unknown, void *self, hy_wide *value) {
  hy_id_map numbers;
  evaluation e = {.unknown = unknown, .self = self, .numbers = &numbers};
  hy_id_map_begin(&numbers);
  bool has_value = evaluate(&e, expr, value);
  hy_id_map_end(&numbers);
  hy_vec_free(&e.values);
  return has_value;
}
