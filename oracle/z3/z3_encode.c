#include "oracle/z3/z3_encode.h"

#include "oracle/z3/z3_floats.h"
#include "oracle/z3/z3_unknowns.h"

enum { MAX_DEPTH = 1500 };

typedef struct division {
  Z3_ast quotient, rest;
} division;

void hy_z3_encoding_init(hy_z3_encoding *encoding, Z3_context z3) {
  *encoding = (hy_z3_encoding){.z3 = z3, .arena = hy_arena_new()};
}

void hy_z3_encoding_free(hy_z3_encoding *encoding) {
  hy_arena_free(encoding->arena);
  hy_pair_map_free(&encoding->terms);
  hy_pair_map_free(&encoding->divisions);
  hy_vec_free(&encoding->conditions);
  hy_pair_map_free(&encoding->ranges);
  hy_vec_free(&encoding->applications);
}

/* -- terms: kept until the context goes -- */

static Z3_ast keep(hy_z3_encoding *e, Z3_ast term) {
  if (term) Z3_inc_ref(e->z3, term);
  return term;
}

static Z3_ast number(hy_z3_encoding *e, int64_t value) {
  return keep(e, Z3_mk_int64(e->z3, value, Z3_mk_int_sort(e->z3)));
}

// 2^exponent
static Z3_ast power(hy_z3_encoding *e, int exponent) {
  return keep(e, Z3_mk_unsigned_int64(e->z3, UINT64_C(1) << exponent, Z3_mk_int_sort(e->z3)));
}

static Z3_ast add(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_add(e->z3, 2, (Z3_ast[]){a, b})); }
static Z3_ast sub(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_sub(e->z3, 2, (Z3_ast[]){a, b})); }
static Z3_ast mul(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_mul(e->z3, 2, (Z3_ast[]){a, b})); }
static Z3_ast both(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_and(e->z3, 2, (Z3_ast[]){a, b})); }
static Z3_ast either(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_or(e->z3, 2, (Z3_ast[]){a, b})); }
static Z3_ast not(hy_z3_encoding * e, Z3_ast a) { return keep(e, Z3_mk_not(e->z3, a)); }
static Z3_ast equal(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_eq(e->z3, a, b)); }
static Z3_ast at_most(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_le(e->z3, a, b)); }
static Z3_ast less(hy_z3_encoding *e, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_lt(e->z3, a, b)); }
static Z3_ast choose(hy_z3_encoding *e, Z3_ast c, Z3_ast a, Z3_ast b) { return keep(e, Z3_mk_ite(e->z3, c, a, b)); }

static Z3_ast fresh(hy_z3_encoding *e, bool is_bool) {
  Z3_sort sort = is_bool ? Z3_mk_bool_sort(e->z3) : Z3_mk_int_sort(e->z3);
  return keep(e, Z3_mk_fresh_const(e->z3, "u", sort));
}

static void demand(hy_z3_encoding *e, Z3_ast condition) { hy_vec_push(&e->conditions, condition); }

/* -- types -- */

static bool is_fixed(hy_type type) {
  hy_type_class class = hy_type_class_of(type);
  return class == HY_CLASS_UNSIGNED || class == HY_CLASS_SIGNED;
}

// least <= a <= greatest, for types of fixed width.
static Z3_ast in_range(hy_z3_encoding *e, hy_type type, Z3_ast a) {
  int bits = hy_type_bits(type);
  bool is_signed = hy_type_class_of(type) == HY_CLASS_SIGNED;
  Z3_ast limit = power(e, is_signed ? bits - 1 : bits < 64 ? bits : 63);
  if (!is_signed && bits == 64) limit = add(e, limit, limit);
  Z3_ast least = is_signed ? sub(e, number(e, 0), limit) : number(e, 0);
  return both(e, at_most(e, least, a), less(e, a, limit));
}

// Any number of a type.
static Z3_ast unknown(hy_z3_encoding *e, hy_type type) {
  Z3_ast term = fresh(e, type == HY_BOOL);
  if (is_fixed(type)) demand(e, in_range(e, type, term));
  return term;
}

// The number of the type that is congruent to "a": a = 2^n * turns + result.
static Z3_ast wrap(hy_z3_encoding *e, hy_type type, Z3_ast a) {
  if (!is_fixed(type)) return a;
  int bits = hy_type_bits(type);
  Z3_ast result = unknown(e, type), half = power(e, bits - 1);
  demand(e, equal(e, a, add(e, mul(e, add(e, half, half), fresh(e, false)), result)));
  return result;
}

/* -- division -- */

// m != 0 implies a = m*q + r and 0 <= r < |m|
static const division *divide(hy_z3_encoding *e, Z3_ast a, Z3_ast m) {
  const division *known = hy_pair_map_get(&e->divisions, a, m);
  if (known) return known;
  division *made = HY_NEW(e->arena, division);
  made->quotient = fresh(e, false);
  made->rest = fresh(e, false);
  Z3_ast zero = number(e, 0), r = made->rest;
  Z3_ast whole = equal(e, a, add(e, mul(e, m, made->quotient), r));
  Z3_ast below = either(e, less(e, r, m), less(e, r, sub(e, zero, m)));
  Z3_ast defined = both(e, whole, both(e, at_most(e, zero, r), below));
  demand(e, either(e, equal(e, m, zero), defined));
  hy_pair_map_put(&e->divisions, a, m, made);
  return made;
}

/* -- bits -- */

static Z3_ast from_bits(hy_z3_encoding *e, hy_type type, Z3_ast bits) {
  bool is_signed = hy_type_class_of(type) != HY_CLASS_UNSIGNED;
  return keep(e, Z3_mk_bv2int(e->z3, bits, is_signed));
}

// Exact where both arguments fit the width; "int" outside 64 bits gives any number.
static Z3_ast bitwise(hy_z3_encoding *e, const hy_expr *expr, Z3_ast a, Z3_ast b) {
  unsigned width = (unsigned)hy_type_bits(expr->type);
  Z3_ast left = keep(e, Z3_mk_int2bv(e->z3, width, a)), right = keep(e, Z3_mk_int2bv(e->z3, width, b));
  Z3_ast bits = expr->op == HY_OP_BIT_AND  ? Z3_mk_bvand(e->z3, left, right)
                : expr->op == HY_OP_BIT_OR ? Z3_mk_bvor(e->z3, left, right)
                                           : Z3_mk_bvxor(e->z3, left, right);
  Z3_ast result = from_bits(e, expr->type, keep(e, bits));
  if (is_fixed(expr->type)) return result;
  Z3_ast fits = both(e, in_range(e, HY_I64, a), in_range(e, HY_I64, b));
  return choose(e, fits, result, fresh(e, false));
}

// A constant; what exceeds 64 bits with a sign is INT64_MAX (for masks and shifts that makes no difference).
static bool constant_number(const hy_expr *expr, int64_t *value) {
  if (expr->kind != HY_EXPR_CONST || expr->value.error != HY_OK || expr->type == HY_BOOL) return false;
  bool large = hy_type_class_of(expr->type) == HY_CLASS_UNSIGNED && expr->value.i < 0;
  *value = large ? INT64_MAX : expr->value.i;
  return true;
}

// a & (2^k - 1) is a % 2^k
static Z3_ast mask(hy_z3_encoding *e, const hy_expr *expr, Z3_ast a, Z3_ast b) {
  int64_t bits;
  for (int i = 0; i < 2; i++)
    if (constant_number(expr->args[i], &bits) && bits >= 0 && bits < INT64_MAX && (bits & (bits + 1)) == 0)
      return divide(e, i == 0 ? b : a, number(e, bits + 1))->rest;
  return bitwise(e, expr, a, b);
}

// a * 2^k or floor(a / 2^k) for a constant k; else any number of the type.
static Z3_ast shift(hy_z3_encoding *e, const hy_expr *expr, Z3_ast a) {
  int64_t amount;
  int width = hy_type_bits(expr->type);
  if (!constant_number(expr->args[1], &amount)) return unknown(e, expr->type);
  bool left = (expr->op == HY_OP_SHL) == (amount >= 0);
  if (amount < 0) amount = amount < -width ? width : -amount;
  if (left && amount >= width && is_fixed(expr->type)) return number(e, 0);
  if (left && amount >= width) return choose(e, equal(e, a, number(e, 0)), a, unknown(e, expr->type));
  if (left) return wrap(e, expr->type, mul(e, a, power(e, (int)amount)));
  if (amount >= width) return choose(e, less(e, a, number(e, 0)), number(e, -1), number(e, 0));
  return divide(e, a, power(e, (int)amount))->quotient;
}

/* -- operators -- */

static Z3_ast cast(hy_z3_encoding *e, const hy_expr *expr, Z3_ast a) {
  hy_type from = expr->args[0]->type;
  if (from == expr->type) return a;
  if (expr->type == HY_BOOL) return not(e, equal(e, a, number(e, 0)));
  if (from == HY_BOOL) return choose(e, a, number(e, 1), number(e, 0));
  return wrap(e, expr->type, a);
}

// requires: no argument is a float; a has the arguments' terms
static Z3_ast encode_op(hy_z3_encoding *e, const hy_expr *expr, const Z3_ast *a) {
  hy_type type = expr->type;
  switch (expr->op) {
  case HY_OP_ADD: return wrap(e, type, add(e, a[0], a[1]));
  case HY_OP_SUB: return wrap(e, type, sub(e, a[0], a[1]));
  case HY_OP_MUL: return wrap(e, type, mul(e, a[0], a[1]));
  case HY_OP_DIV: return wrap(e, type, divide(e, a[0], a[1])->quotient);
  case HY_OP_MOD: return wrap(e, type, divide(e, a[0], a[1])->rest);
  case HY_OP_NEG: return wrap(e, type, sub(e, number(e, 0), a[0]));
  case HY_OP_EQ: return equal(e, a[0], a[1]);
  case HY_OP_NE: return not(e, equal(e, a[0], a[1]));
  case HY_OP_LT: return less(e, a[0], a[1]);
  case HY_OP_LE: return at_most(e, a[0], a[1]);
  case HY_OP_GT: return less(e, a[1], a[0]);
  case HY_OP_GE: return at_most(e, a[1], a[0]);
  case HY_OP_AND: return both(e, a[0], a[1]);
  case HY_OP_OR: return either(e, a[0], a[1]);
  case HY_OP_NOT: return not(e, a[0]);
  case HY_OP_BIT_AND: return mask(e, expr, a[0], a[1]);
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_OR: return bitwise(e, expr, a[0], a[1]);
  case HY_OP_BIT_NOT: return wrap(e, type, sub(e, number(e, -1), a[0]));
  case HY_OP_SHL:
  case HY_OP_SHR: return shift(e, expr, a[0]);
  case HY_OP_SELECT: return choose(e, a[0], a[1], a[2]);
  case HY_OP_MIN: return choose(e, less(e, a[0], a[1]), a[0], a[1]);
  case HY_OP_MAX: return choose(e, less(e, a[1], a[0]), a[0], a[1]);
  case HY_OP_ABS: return wrap(e, type, choose(e, less(e, a[0], number(e, 0)), sub(e, number(e, 0), a[0]), a[0]));
  case HY_OP_CAST: return cast(e, expr, a[0]);
#include "semantics/value/opaque_cases.def"
    break; // an unknown (hy_is_opaque)
  }
  HY_UNREACHABLE();
}

static Z3_ast encode_constant(hy_z3_encoding *e, const hy_expr *expr) {
  if (expr->type == HY_BOOL) return keep(e, expr->value.u ? Z3_mk_true(e->z3) : Z3_mk_false(e->z3));
  if (hy_type_class_of(expr->type) == HY_CLASS_UNSIGNED)
    return keep(e, Z3_mk_unsigned_int64(e->z3, expr->value.u, Z3_mk_int_sort(e->z3)));
  return number(e, expr->value.i);
}

static Z3_ast encode_new(hy_z3_encoding *e, const hy_expr *expr) {
  bool has_floats = expr->kind == HY_EXPR_OP && hy_type_class_of(expr->args[expr->count - 1]->type) == HY_CLASS_FLOAT;
  if (has_floats && e->depth <= MAX_DEPTH && hy_z3_knows_floats(expr)) return hy_z3_encode_floats(e, expr);
  if (hy_is_opaque(expr) || e->depth > MAX_DEPTH) return unknown(e, expr->type);
  if (expr->kind == HY_EXPR_CONST) return encode_constant(e, expr);
  Z3_ast args[HY_MAX_ARITY];
  for (int i = 0; i < expr->count; i++) args[i] = hy_z3_encode(e, expr->args[i]);
  return encode_op(e, expr, args);
}

Z3_ast hy_z3_encode(hy_z3_encoding *encoding, const hy_expr *expr) {
  HY_ASSERT(hy_type_class_of(expr->type) != HY_CLASS_FLOAT);
  Z3_ast known = hy_z3_encoded(encoding, expr);
  if (known) return known;
  encoding->depth++;
  Z3_ast term = encode_new(encoding, expr);
  encoding->depth--;
  if (term) hy_pair_map_put(&encoding->terms, expr, NULL, term);
  return term;
}

Z3_ast hy_z3_encoded(const hy_z3_encoding *encoding, const hy_expr *expr) {
  return (Z3_ast)(uintptr_t)hy_pair_map_get(&encoding->terms, expr, NULL);
}
