#include "oracle/prover/terms.h"

#include <string.h>

enum { MAX_DEPTH = 400 };

/* -- atoms -- */

static uint64_t atom_hash(const hy_atom *atom) {
  uint64_t hash = hy_hash((uint64_t)atom->kind, (uint64_t)(uintptr_t)atom->expr);
  if (atom->a) hash = hy_hash(hy_hash(hash, atom->a->hash), (uint64_t)atom->a->constant);
  if (atom->m) hash = hy_hash(hy_hash(hash, atom->m->hash), (uint64_t)atom->m->constant);
  return hy_hash(hash, (uint64_t)atom->divisor);
}

static bool same_poly(const hy_poly *a, const hy_poly *b) { return a == b || (a && b && hy_poly_same(a, b)); }

static bool same_atom(const void *left, const void *right) {
  const hy_atom *a = left, *b = right;
  return a->kind == b->kind && a->expr == b->expr && a->divisor == b->divisor && same_poly(a->a, b->a) &&
         same_poly(a->m, b->m);
}

void hy_terms_init(hy_terms *terms) {
  *terms = (hy_terms){.arena = hy_arena_new(), .table = hy_intern_new(same_atom)};
  hy_vec_push(&terms->atoms, NULL);
}

void hy_terms_free(hy_terms *terms) {
  hy_arena_free(terms->arena);
  hy_intern_free(terms->table);
  hy_vec_free(&terms->atoms);
  hy_pair_map_free(&terms->polys);
}

static const hy_poly *atom_poly(hy_terms *terms, hy_atom key) {
  uint64_t hash = atom_hash(&key);
  const hy_atom *known = hy_intern_find(terms->table, hash, &key);
  if (known) return hy_poly_atom(terms->arena, known->number);
  if (terms->atoms.count > HY_MAX_ATOM) return NULL;
  hy_atom *atom = HY_NEW(terms->arena, hy_atom);
  *atom = key;
  atom->number = (uint32_t)terms->atoms.count;
  hy_vec_push(&terms->atoms, atom);
  hy_intern_add(terms->table, hash, atom);
  return hy_poly_atom(terms->arena, atom->number);
}

/* -- ranges -- */

static const hy_atom_range anything = {0};

static hy_atom_range exactly(hy_wide value) { return (hy_atom_range){true, true, value, value}; }

static hy_atom_range range_add(hy_atom_range a, hy_atom_range b) {
  bool low_lost = false, high_lost = false;
  hy_atom_range sum = {.low = hy_wide_add(a.low, b.low, &low_lost), .high = hy_wide_add(a.high, b.high, &high_lost)};
  sum.has_low = a.has_low && b.has_low && !low_lost;
  sum.has_high = a.has_high && b.has_high && !high_lost;
  return sum;
}

static hy_atom_range range_scale(hy_wide factor, hy_atom_range a) {
  bool overflow = false;
  hy_wide low = hy_wide_mul(factor, a.low, &overflow), high = hy_wide_mul(factor, a.high, &overflow);
  if (overflow) return anything;
  return factor >= 0 ? (hy_atom_range){a.has_low, a.has_high, low, high}
                     : (hy_atom_range){a.has_high, a.has_low, high, low};
}

// Products only of ranges with both ends.
static hy_atom_range range_mul(hy_atom_range a, hy_atom_range b) {
  if (!a.has_low || !a.has_high || !b.has_low || !b.has_high) {
    bool both_positive = a.has_low && b.has_low && a.low >= 0 && b.low >= 0;
    return both_positive ? (hy_atom_range){.has_low = true} : anything;
  }
  bool overflow = false;
  hy_wide corners[] = {hy_wide_mul(a.low, b.low, &overflow), hy_wide_mul(a.low, b.high, &overflow),
                       hy_wide_mul(a.high, b.low, &overflow), hy_wide_mul(a.high, b.high, &overflow)};
  if (overflow) return anything;
  hy_atom_range product = exactly(corners[0]);
  for (int i = 1; i < 4; i++) {
    if (corners[i] < product.low) product.low = corners[i];
    if (corners[i] > product.high) product.high = corners[i];
  }
  return product;
}

hy_atom_range hy_terms_range(const hy_terms *terms, const hy_poly *poly) {
  hy_atom_range sum = exactly(poly->constant);
  for (uint32_t i = 0; i < poly->count && (sum.has_low || sum.has_high); i++) {
    hy_monomial monomial = poly->terms[i].monomial;
    hy_atom_range product = terms->atoms.data[hy_monomial_atom(monomial, 0)]->range;
    for (int k = 1; k < hy_monomial_degree(monomial); k++)
      product = range_mul(product, terms->atoms.data[hy_monomial_atom(monomial, k)]->range);
    sum = range_add(sum, range_scale(poly->terms[i].coefficient, product));
  }
  return sum;
}

static hy_atom_range type_range(hy_type type) {
  int bits = hy_type_bits(type);
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER: return anything;
  case HY_CLASS_FLOAT: // ranks, with that of a NaN
    return (hy_atom_range){true, true, -1 - (hy_wide)hy_float_infinity(type), hy_float_nan(type)};
  case HY_CLASS_BOOL: return (hy_atom_range){true, true, 0, 1};
  case HY_CLASS_UNSIGNED: return (hy_atom_range){true, true, 0, hy_wide_power_of_two(bits) - 1};
  case HY_CLASS_SIGNED:
    return (hy_atom_range){true, true, -hy_wide_power_of_two(bits - 1), hy_wide_power_of_two(bits - 1) - 1};
  }
  HY_UNREACHABLE();
}

static bool range_within(hy_atom_range a, hy_atom_range b) {
  return (!b.has_low || (a.has_low && a.low >= b.low)) && (!b.has_high || (a.has_high && a.high <= b.high));
}

/* -- constructors -- */

static const hy_poly *unknown(hy_terms *terms, const hy_expr *expr) {
  return atom_poly(terms, (hy_atom){.kind = HY_ATOM_UNKNOWN, .expr = expr, .range = type_range(expr->type)});
}

static const hy_poly *constant(hy_terms *terms, hy_wide value) { return hy_poly_constant(terms->arena, value); }

static const hy_atom *single_atom(const hy_terms *terms, const hy_poly *a) {
  if (a->count != 1 || a->terms[0].coefficient != 1 || hy_monomial_degree(a->terms[0].monomial) != 1) return NULL;
  return terms->atoms.data[hy_monomial_atom(a->terms[0].monomial, 0)];
}

// rewrite: (a / m + c) / n -> (a + c*m) / (m*n)
// rewrite: (g*a + c) / (g*n) -> (a + floor(c/g)) / n
static const hy_poly *quotient_atom(hy_terms *terms, const hy_poly *a, hy_wide divisor) {
  bool overflow = false;
  hy_wide common = hy_wide_gcd(hy_poly_content(a), divisor);
  if (common > 1)
    return hy_terms_quotient(terms, hy_poly_reduce(terms->arena, a, common, hy_wide_div(a->constant, common)),
                             divisor / common);
  const hy_atom *inner = single_atom(terms, a);
  if (inner && inner->kind == HY_ATOM_QUOTIENT) {
    hy_wide shift = hy_wide_mul(a->constant, inner->divisor, &overflow);
    hy_wide product = hy_wide_mul(divisor, inner->divisor, &overflow);
    if (!overflow) return hy_terms_quotient(terms, hy_poly_scale(terms->arena, 1, inner->a, shift), product);
  }
  hy_atom_range range = hy_terms_range(terms, a);
  if (range.has_low) range.low = hy_wide_div(range.low, divisor);
  if (range.has_high) range.high = hy_wide_div(range.high, divisor);
  if (range.has_low && range.has_high && range.low == range.high) return constant(terms, range.low);
  return atom_poly(terms, (hy_atom){.kind = HY_ATOM_QUOTIENT, .a = a, .divisor = divisor, .range = range});
}

// rewrite: (m*a + b + m*k + c) / m -> a + k + (b + c) / m, 0 <= c < m
const hy_poly *hy_terms_quotient(hy_terms *terms, const hy_poly *a, hy_wide divisor) {
  if (!a || divisor == 1) return a;
  const hy_poly *whole, *rest;
  if (!hy_poly_divide(terms->arena, a, divisor, &whole, &rest)) return NULL;
  hy_wide shift = hy_wide_div(rest->constant, divisor), left = hy_wide_mod(rest->constant, divisor);
  whole = hy_poly_scale(terms->arena, 1, whole, shift);
  if (rest->count == 0) return whole;
  rest = hy_poly_reduce(terms->arena, rest, 1, left);
  return hy_poly_add(terms->arena, whole, quotient_atom(terms, rest, divisor));
}

// Makes RATIO and REST of one division together, so that each can name the other.
static const hy_poly *division_atom(hy_terms *terms, hy_atom_kind kind, const hy_poly *a, const hy_poly *m) {
  const hy_poly *ratio = atom_poly(terms, (hy_atom){.kind = HY_ATOM_RATIO, .a = a, .m = m});
  const hy_poly *rest = atom_poly(terms, (hy_atom){.kind = HY_ATOM_REST, .a = a, .m = m});
  if (!ratio || !rest) return NULL;
  uint32_t first = hy_monomial_atom(ratio->terms[0].monomial, 0), second = hy_monomial_atom(rest->terms[0].monomial, 0);
  terms->atoms.data[first]->partner = second;
  terms->atoms.data[second]->partner = first;
  return kind == HY_ATOM_RATIO ? ratio : rest;
}

// rewrite: a / -m -> -(a / m) for a constant m
const hy_poly *hy_terms_ratio(hy_terms *terms, const hy_poly *a, const hy_poly *m) {
  hy_wide divisor;
  if (!a || !m) return NULL;
  if (!hy_poly_is_constant(m, &divisor) || divisor == 0) return division_atom(terms, HY_ATOM_RATIO, a, m);
  bool overflow = false;
  const hy_poly *quotient = hy_terms_quotient(terms, a, divisor < 0 ? hy_wide_neg(divisor, &overflow) : divisor);
  if (overflow) return NULL;
  return divisor < 0 ? hy_poly_scale(terms->arena, -1, quotient, 0) : quotient;
}

// rewrite: a % m -> a - m * (a / m) for a constant m
const hy_poly *hy_terms_rest(hy_terms *terms, const hy_poly *a, const hy_poly *m) {
  hy_wide divisor;
  if (!a || !m) return NULL;
  if (!hy_poly_is_constant(m, &divisor) || divisor == 0) return division_atom(terms, HY_ATOM_REST, a, m);
  bool overflow = false;
  hy_wide minus = hy_wide_neg(divisor, &overflow);
  if (overflow) return NULL;
  return hy_poly_combine(terms->arena, 1, a, minus, hy_terms_ratio(terms, a, m), 0);
}

// rewrite: min(g*a, 0) -> g * min(a, 0);  min(-a, 0) -> min(a, 0) - a
static const hy_poly *negative_part(hy_terms *terms, const hy_poly *a) {
  if (!a) return NULL;
  hy_atom_range range = hy_terms_range(terms, a);
  if (range.has_low && range.low >= 0) return constant(terms, 0);
  if (range.has_high && range.high <= 0) return a;
  if (a->constant == hy_wide_least()) return NULL;
  hy_wide common = hy_wide_gcd(hy_poly_content(a), a->constant);
  if (a->terms[0].coefficient < 0) common = -common;
  const hy_poly *b = hy_poly_reduce(terms->arena, a, common, a->constant / common);
  range = hy_terms_range(terms, b);
  hy_atom_range below = {range.has_low, true, range.low, 0};
  const hy_poly *part = atom_poly(terms, (hy_atom){.kind = HY_ATOM_NEGATIVE, .a = b, .range = below});
  if (common < 0) part = hy_poly_sub(terms->arena, part, b);
  return hy_poly_scale(terms->arena, common < 0 ? -common : common, part, 0);
}

// rewrite: min(a, b) -> b + min(a - b, 0)
const hy_poly *hy_terms_least(hy_terms *terms, const hy_poly *a, const hy_poly *b) {
  return hy_poly_add(terms->arena, b, negative_part(terms, hy_poly_sub(terms->arena, a, b)));
}

// rewrite: choice(!c, a) -> a - choice(c, a)
const hy_poly *hy_terms_choice(hy_terms *terms, const hy_expr *condition, const hy_poly *a) {
  hy_wide value;
  if (!a || (hy_poly_is_constant(a, &value) && value == 0)) return a;
  if (hy_expr_is_true(condition)) return a;
  if (hy_expr_is_false(condition)) return constant(terms, 0);
  if (condition->kind == HY_EXPR_OP && condition->op == HY_OP_NOT)
    return hy_poly_sub(terms->arena, a, hy_terms_choice(terms, condition->args[0], a));
  hy_atom_range range = hy_terms_range(terms, a);
  if (range.has_low && range.low > 0) range.low = 0;
  if (range.has_high && range.high < 0) range.high = 0;
  return atom_poly(terms, (hy_atom){.kind = HY_ATOM_CHOICE, .expr = condition, .a = a, .range = range});
}

// What it gives lies in its type, of "int" too: conversions saturate.
const hy_poly *hy_terms_float(hy_terms *terms, hy_monotone op, const hy_poly *a, const hy_poly *m) {
  if (!a || (hy_monotone_arity(op) == 2 && !m)) return NULL;
  terms->has_floats = true;
  return atom_poly(terms, (hy_atom){.kind = HY_ATOM_FLOAT,
                                    .a = a,
                                    .m = m,
                                    .divisor = hy_monotone_code(op),
                                    .range = type_range(op.result == HY_INT ? HY_I64 : op.result)});
}

const hy_poly *hy_terms_rebuild(hy_terms *terms, const hy_atom *atom, const hy_poly *a, const hy_poly *m) {
  switch (atom->kind) {
  case HY_ATOM_UNKNOWN: return hy_poly_atom(terms->arena, atom->number);
  case HY_ATOM_QUOTIENT: return hy_terms_quotient(terms, a, atom->divisor);
  case HY_ATOM_RATIO: return hy_terms_ratio(terms, a, m);
  case HY_ATOM_REST: return hy_terms_rest(terms, a, m);
  case HY_ATOM_NEGATIVE: return hy_terms_least(terms, a, constant(terms, 0));
  case HY_ATOM_CHOICE: return hy_terms_choice(terms, atom->expr, a);
  case HY_ATOM_FLOAT: return hy_terms_float(terms, hy_monotone_of((int)atom->divisor), a, m);
  }
  HY_UNREACHABLE();
}

const hy_poly *hy_terms_raw(hy_terms *terms, const hy_atom *like, const hy_poly *a, const hy_poly *m) {
  if (!a || (like->m && !m)) return NULL;
  if (like->kind == HY_ATOM_RATIO || like->kind == HY_ATOM_REST) return division_atom(terms, like->kind, a, m);
  if (like->kind == HY_ATOM_FLOAT) return hy_terms_float(terms, hy_monotone_of((int)like->divisor), a, m);
  return atom_poly(terms, (hy_atom){.kind = like->kind, .expr = like->expr, .a = a, .divisor = like->divisor});
}

/* -- expressions -- */

bool hy_terms_is_whole(const hy_expr *expr) { return hy_type_class_of(expr->type) != HY_CLASS_FLOAT; }

bool hy_terms_is_monotone(const hy_expr *expr, hy_monotone *op) {
  if (expr->kind != HY_EXPR_OP || expr->has_access || expr->count > 2) return false;
  return hy_monotone_find(expr->op, expr->type, expr->args[0]->type, op);
}

// The number in the type that is congruent to "a": wrapping as arithmetic says it, a - 2^n * floor((a - least) / 2^n).
static const hy_poly *wrap(hy_terms *terms, hy_type type, const hy_poly *a) {
  if (!a || hy_type_class_of(type) == HY_CLASS_INTEGER || hy_type_class_of(type) == HY_CLASS_FLOAT) return a;
  hy_atom_range range = type_range(type);
  if (range_within(hy_terms_range(terms, a), range)) return a;
  hy_wide modulus = hy_wide_power_of_two(hy_type_bits(type));
  const hy_poly *turns = hy_terms_quotient(terms, hy_poly_scale(terms->arena, 1, a, -range.low), modulus);
  return hy_poly_combine(terms->arena, 1, a, -modulus, turns, 0);
}

static const hy_poly *const_poly(hy_terms *terms, const hy_expr *expr) {
  if (expr->value.error != HY_OK) return unknown(terms, expr);
  if (!hy_terms_is_whole(expr)) return constant(terms, hy_float_rank(expr->value));
  bool is_signed = hy_type_class_of(expr->type) == HY_CLASS_INTEGER || hy_type_class_of(expr->type) == HY_CLASS_SIGNED;
  return constant(terms, is_signed ? (hy_wide)expr->value.i : (hy_wide)expr->value.u);
}

static const hy_poly *divide(hy_terms *terms, const hy_expr *expr) {
  const hy_poly *a = hy_terms_poly(terms, expr->args[0]), *m = hy_terms_poly(terms, expr->args[1]);
  if (!a || !m) return NULL;
  // A fixed-width division by what may be 0 or -1 keeps the range of its type and nothing else.
  bool plain = expr->type == HY_INT || (m->count == 0 && m->constant >= 1);
  if (!plain) return unknown(terms, expr);
  return expr->op == HY_OP_DIV ? hy_terms_ratio(terms, a, m) : hy_terms_rest(terms, a, m);
}

// rewrite: a << k -> a * 2^k and a >> k -> a / 2^k for a constant 0 <= k below the width
static const hy_poly *shift(hy_terms *terms, const hy_expr *expr) {
  const hy_poly *a = hy_terms_poly(terms, expr->args[0]), *k = hy_terms_poly(terms, expr->args[1]);
  if (!a || !k) return NULL;
  if (k->count != 0 || k->constant < 0 || k->constant >= hy_type_bits(expr->type)) return unknown(terms, expr);
  hy_wide power = hy_wide_power_of_two((int)k->constant);
  return expr->op == HY_OP_SHR ? hy_terms_quotient(terms, a, power) : hy_poly_scale(terms->arena, power, a, 0);
}

// rewrite: a & (2^k - 1) -> a % 2^k; other masks keep a range
static const hy_poly *mask(hy_terms *terms, const hy_expr *expr) {
  for (int i = 0; i < 2; i++) {
    const hy_poly *a = hy_terms_poly(terms, expr->args[1 - i]), *bits = hy_terms_poly(terms, expr->args[i]);
    if (!a || !bits) return NULL;
    hy_wide value = bits->constant;
    if (bits->count != 0 || value < 0) continue;
    if ((value & (value + 1)) == 0) return hy_terms_rest(terms, a, constant(terms, value + 1));
    hy_atom_range range = {true, true, 0, value};
    return atom_poly(terms, (hy_atom){.kind = HY_ATOM_UNKNOWN, .expr = expr, .range = range});
  }
  return unknown(terms, expr);
}

static const hy_poly *arg(hy_terms *terms, const hy_expr *expr, int position) {
  return hy_terms_poly(terms, expr->args[position]);
}

// The exact result over Z; the caller wraps it to the type.
static const hy_poly *op_poly(hy_terms *terms, const hy_expr *expr) {
  hy_arena *arena = terms->arena;
  const hy_poly *a, *b, *least;
  hy_monotone monotone;
  if (hy_terms_is_monotone(expr, &monotone)) {
    a = arg(terms, expr, 0), b = expr->count == 2 ? arg(terms, expr, 1) : NULL;
    return hy_terms_float(terms, monotone, a, b);
  }
  if (!hy_terms_is_whole(expr) || !hy_terms_is_whole(expr->args[expr->count - 1])) return unknown(terms, expr);
  switch (expr->op) {
  case HY_OP_ADD: b = arg(terms, expr, 1); return hy_poly_add(arena, arg(terms, expr, 0), b);
  case HY_OP_SUB: b = arg(terms, expr, 1); return hy_poly_sub(arena, arg(terms, expr, 0), b);
  case HY_OP_MUL: b = arg(terms, expr, 1); return hy_poly_mul(arena, arg(terms, expr, 0), b);
  case HY_OP_NEG: return hy_poly_scale(arena, -1, arg(terms, expr, 0), 0);
  case HY_OP_CAST: return arg(terms, expr, 0);
  case HY_OP_BIT_NOT: return hy_poly_scale(arena, -1, arg(terms, expr, 0), -1);
  case HY_OP_DIV:
  case HY_OP_MOD: return divide(terms, expr);
  case HY_OP_SHL:
  case HY_OP_SHR: return shift(terms, expr);
  case HY_OP_BIT_AND: return mask(terms, expr);
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_OR: return unknown(terms, expr);
  case HY_OP_MIN: b = arg(terms, expr, 1); return hy_terms_least(terms, arg(terms, expr, 0), b);
  // rewrite: max(a, b) -> a + b - min(a, b)
  case HY_OP_MAX:
    a = arg(terms, expr, 0), b = arg(terms, expr, 1);
    least = hy_terms_least(terms, a, b);
    return hy_poly_sub(arena, hy_poly_add(arena, a, b), least);
  // rewrite: abs(a) -> a - 2 * min(a, 0)
  case HY_OP_ABS: a = arg(terms, expr, 0); return hy_poly_combine(arena, 1, a, -2, negative_part(terms, a), 0);
  // rewrite: select(c, a, b) -> b + choice(c, a - b)
  case HY_OP_SELECT:
    a = arg(terms, expr, 1), b = arg(terms, expr, 2);
    return hy_poly_add(arena, b, hy_terms_choice(terms, expr->args[0], hy_poly_sub(arena, a, b)));
  case HY_OP_EQ:
  case HY_OP_NE:
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE:
  case HY_OP_AND:
  case HY_OP_OR:
  case HY_OP_NOT: // of type bool: not here
#include "semantics/value/opaque_cases.def"
    return unknown(terms, expr);
  }
  HY_UNREACHABLE();
}

static const hy_poly *translate(hy_terms *terms, const hy_expr *expr) {
  if (expr->kind == HY_EXPR_CONST) return const_poly(terms, expr);
  if (expr->type == HY_BOOL) return hy_terms_choice(terms, expr, constant(terms, 1));
  if (expr->kind != HY_EXPR_OP || terms->depth >= MAX_DEPTH) return unknown(terms, expr);
  terms->depth++;
  const hy_poly *poly = wrap(terms, expr->type, op_poly(terms, expr));
  terms->depth--;
  return poly ? poly : unknown(terms, expr); // too large for a polynomial: an unknown of its type
}

const hy_poly *hy_terms_poly(hy_terms *terms, const hy_expr *expr) {
  const hy_poly *poly = hy_pair_map_get(&terms->polys, expr, NULL);
  if (poly) return poly;
  poly = translate(terms, expr);
  if (poly) hy_pair_map_put(&terms->polys, expr, NULL, poly);
  return poly;
}
