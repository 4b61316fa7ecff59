#include "oracle/prover/polynomial.h"

#include "semantics/base/intern.h"

#include <string.h>

/* -- monomials -- */

hy_monomial hy_monomial_of(uint32_t atom) { return (hy_monomial)atom << 48; }

bool hy_monomial_mul(hy_monomial a, hy_monomial b, hy_monomial *product) {
  if (((a | b) << 16) == 0 && a && b) { // one atom each, as most have
    *product = a >= b ? a | b >> 16 : b | a >> 16;
    return true;
  }
  int degree = hy_monomial_degree(a) + hy_monomial_degree(b);
  if (degree > HY_MAX_DEGREE) return false;
  hy_monomial result = 0;
  for (int i = 0; i < degree; i++) {
    bool left = (a >> 48) >= (b >> 48);
    hy_monomial *from = left ? &a : &b;
    result |= (*from >> 48) << (48 - 16 * i);
    *from <<= 16;
  }
  *product = result;
  return true;
}

bool hy_monomial_divide(hy_monomial a, hy_monomial b, hy_monomial *quotient) {
  hy_monomial result = 0;
  int degree = 0;
  for (; a >> 48 != 0; a <<= 16) {
    if (a >> 48 == b >> 48)
      b <<= 16;
    else
      result |= (a >> 48) << (48 - 16 * degree++);
  }
  *quotient = result;
  return b == 0;
}

/* -- building -- */

// A polynomial with room for "count" terms, to be filled and finished.
static hy_poly *allocate(hy_arena *arena, size_t count) {
  return hy_arena_allocate(arena, sizeof(hy_poly) + sizeof(hy_term) * count);
}

static const hy_poly *finish(hy_poly *poly, bool overflow) {
  if (overflow || poly->count > HY_MAX_TERMS) return NULL;
  uint64_t hash = poly->count;
  for (uint32_t i = 0; i < poly->count; i++) {
    hash = hy_hash(hash, poly->terms[i].monomial);
    hash = hy_hash(hash, (uint64_t)poly->terms[i].coefficient);
  }
  poly->hash = hash;
  return poly;
}

const hy_poly *hy_poly_constant(hy_arena *arena, hy_wide constant) {
  hy_poly *poly = allocate(arena, 0);
  poly->constant = constant;
  return finish(poly, false);
}

const hy_poly *hy_poly_atom(hy_arena *arena, uint32_t atom) {
  hy_poly *poly = allocate(arena, 1);
  poly->terms[poly->count++] = (hy_term){1, hy_monomial_of(atom)};
  return finish(poly, false);
}

const hy_poly *hy_poly_monomial(hy_arena *arena, hy_wide coefficient, hy_monomial monomial) {
  if (monomial == 0 || coefficient == 0) return hy_poly_constant(arena, monomial == 0 ? coefficient : 0);
  hy_poly *poly = allocate(arena, 1);
  poly->terms[poly->count++] = (hy_term){coefficient, monomial};
  return finish(poly, false);
}

const hy_poly *hy_poly_combine(hy_arena *arena, hy_wide factor, const hy_poly *a, hy_wide other_factor,
                               const hy_poly *b, hy_wide constant) {
  if (!a || !b) return NULL;
  bool overflow = false;
  hy_poly *sum = allocate(arena, (size_t)a->count + b->count);
  hy_wide left = hy_wide_mul(factor, a->constant, &overflow), right = hy_wide_mul(other_factor, b->constant, &overflow);
  sum->constant = hy_wide_add(hy_wide_add(left, right, &overflow), constant, &overflow);
  for (uint32_t i = 0, j = 0; i < a->count || j < b->count;) {
    bool take_left = i < a->count && (j == b->count || a->terms[i].monomial >= b->terms[j].monomial);
    bool take_right = j < b->count && (i == a->count || b->terms[j].monomial >= a->terms[i].monomial);
    hy_term term = {0, take_left ? a->terms[i].monomial : b->terms[j].monomial};
    if (take_left) term.coefficient = hy_wide_mul(factor, a->terms[i++].coefficient, &overflow);
    if (take_right)
      term.coefficient =
          hy_wide_add(term.coefficient, hy_wide_mul(other_factor, b->terms[j++].coefficient, &overflow), &overflow);
    if (term.coefficient != 0) sum->terms[sum->count++] = term;
  }
  return finish(sum, overflow);
}

const hy_poly *hy_poly_add(hy_arena *arena, const hy_poly *a, const hy_poly *b) {
  return hy_poly_combine(arena, 1, a, 1, b, 0);
}

const hy_poly *hy_poly_sub(hy_arena *arena, const hy_poly *a, const hy_poly *b) {
  return hy_poly_combine(arena, 1, a, -1, b, 0);
}

const hy_poly *hy_poly_scale(hy_arena *arena, hy_wide factor, const hy_poly *a, hy_wide constant) {
  if (!a) return NULL;
  bool overflow = false;
  hy_poly *scaled = allocate(arena, a->count);
  scaled->constant = hy_wide_add(hy_wide_mul(factor, a->constant, &overflow), constant, &overflow);
  for (uint32_t i = 0; i < a->count && factor != 0; i++)
    scaled->terms[scaled->count++] =
        (hy_term){hy_wide_mul(factor, a->terms[i].coefficient, &overflow), a->terms[i].monomial};
  return finish(scaled, overflow);
}

// One row of a product: term * b, its terms in order because multiplication by a monomial may reorder them.
static const hy_poly *mul_term(hy_arena *arena, hy_term term, const hy_poly *b) {
  bool overflow = false;
  hy_poly *row = allocate(arena, (size_t)b->count + 1);
  for (uint32_t i = 0; i <= b->count; i++) {
    hy_term next = {term.coefficient, term.monomial};
    if (i < b->count) {
      next.coefficient = hy_wide_mul(term.coefficient, b->terms[i].coefficient, &overflow);
      if (!hy_monomial_mul(term.monomial, b->terms[i].monomial, &next.monomial)) return NULL;
    } else {
      next.coefficient = hy_wide_mul(term.coefficient, b->constant, &overflow);
    }
    if (next.coefficient == 0) continue;
    uint32_t place = row->count++;
    for (; place > 0 && row->terms[place - 1].monomial < next.monomial; place--)
      row->terms[place] = row->terms[place - 1];
    row->terms[place] = next;
  }
  return finish(row, overflow);
}

const hy_poly *hy_poly_mul(hy_arena *arena, const hy_poly *a, const hy_poly *b) {
  if (!a || !b) return NULL;
  if (a->count > b->count) {
    const hy_poly *other = a;
    a = b;
    b = other;
  }
  const hy_poly *product = hy_poly_scale(arena, a->constant, b, 0);
  for (uint32_t i = 0; product && i < a->count; i++)
    product = hy_poly_add(arena, product, mul_term(arena, a->terms[i], b));
  return product;
}

bool hy_poly_divide(hy_arena *arena, const hy_poly *a, hy_wide divisor, const hy_poly **quotient,
                    const hy_poly **rest) {
  hy_poly *divided = allocate(arena, a->count), *other = allocate(arena, a->count);
  other->constant = a->constant;
  for (uint32_t i = 0; i < a->count; i++) {
    hy_term term = a->terms[i];
    if (hy_wide_mod(term.coefficient, divisor) == 0) {
      term.coefficient /= divisor;
      divided->terms[divided->count++] = term;
    } else {
      other->terms[other->count++] = term;
    }
  }
  *quotient = finish(divided, false);
  *rest = finish(other, false);
  return *quotient && *rest;
}

const hy_poly *hy_poly_reduce(hy_arena *arena, const hy_poly *a, hy_wide divisor, hy_wide constant) {
  if (!a) return NULL;
  hy_poly *reduced = allocate(arena, a->count);
  reduced->constant = constant;
  reduced->count = a->count;
  for (uint32_t i = 0; i < a->count; i++)
    reduced->terms[i] = (hy_term){a->terms[i].coefficient / divisor, a->terms[i].monomial};
  return finish(reduced, false);
}

/* -- questions -- */

hy_wide hy_poly_content(const hy_poly *a) {
  hy_wide content = 0;
  for (uint32_t i = 0; i < a->count && content != 1; i++) {
    if (a->terms[i].coefficient == hy_wide_least()) return 1; // no gcd with the least value; 1 is always right
    content = hy_wide_gcd(content, a->terms[i].coefficient);
  }
  return content;
}

bool hy_poly_is_constant(const hy_poly *a, hy_wide *constant) {
  *constant = a->constant;
  return a->count == 0;
}

bool hy_poly_same_terms(const hy_poly *a, const hy_poly *b) {
  if (a->hash != b->hash || a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->terms[i].monomial != b->terms[i].monomial || a->terms[i].coefficient != b->terms[i].coefficient)
      return false;
  return true;
}

bool hy_poly_same(const hy_poly *a, const hy_poly *b) { return a->constant == b->constant && hy_poly_same_terms(a, b); }

bool hy_poly_is_linear(const hy_poly *a) {
  for (uint32_t i = 0; i < a->count; i++)
    if (hy_monomial_degree(a->terms[i].monomial) > 1) return false;
  return true;
}
