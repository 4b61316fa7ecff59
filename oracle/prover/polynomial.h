#ifndef HY_POLYNOMIAL_H
#define HY_POLYNOMIAL_H

/* Polynomials with whole coefficients over numbered unknowns ("atoms"), of degree at most four. Immutable; they live in
 * the arena they were made in. Every function returns NULL when a coefficient does not fit, a polynomial has too many
 * terms or a monomial too high a degree, and when an argument is NULL: a caller checks once, at the end.
 */

#include "oracle/prover/wide.h"
#include "semantics/base/arena.h"

// Up to four atoms of 16 bits, greatest first from the top; an atom stands as often as its power says. 0 is the empty
// product, which is never a term: the constant has its own field. Atoms are numbered from 1.
typedef uint64_t hy_monomial;

enum { HY_MAX_DEGREE = 4, HY_MAX_ATOM = 65535, HY_MAX_TERMS = 96 };

typedef struct hy_term {
  hy_wide coefficient; // not 0
  hy_monomial monomial;
} hy_term;

typedef struct hy_poly {
  hy_wide constant;
  uint64_t hash; // of the terms, not of the constant
  uint32_t count;
  hy_term terms[]; // monomials descend
} hy_poly;

hy_monomial hy_monomial_of(uint32_t atom);
static inline int hy_monomial_degree(hy_monomial monomial) { // the atoms stand at the top, without gaps
  return monomial == 0 ? 0 : HY_MAX_DEGREE - __builtin_ctzll(monomial) / 16;
}
// The atom at a position below the degree, greatest first.
static inline uint32_t hy_monomial_atom(hy_monomial monomial, int position) {
  return (uint32_t)(monomial >> (48 - 16 * position)) & 0xffff;
}
bool hy_monomial_mul(hy_monomial a, hy_monomial b, hy_monomial *product);     // false: the degree is too high
bool hy_monomial_divide(hy_monomial a, hy_monomial b, hy_monomial *quotient); // false: b is not a factor

const hy_poly *hy_poly_constant(hy_arena *arena, hy_wide constant);
const hy_poly *hy_poly_atom(hy_arena *arena, uint32_t atom);
const hy_poly *hy_poly_monomial(hy_arena *arena, hy_wide coefficient, hy_monomial monomial); // 0 = a constant
// factor * a + other_factor * b + constant
const hy_poly *hy_poly_combine(hy_arena *arena, hy_wide factor, const hy_poly *a, hy_wide other_factor,
                               const hy_poly *b, hy_wide constant);
const hy_poly *hy_poly_add(hy_arena *arena, const hy_poly *a, const hy_poly *b);
const hy_poly *hy_poly_sub(hy_arena *arena, const hy_poly *a, const hy_poly *b);
const hy_poly *hy_poly_scale(hy_arena *arena, hy_wide factor, const hy_poly *a,
                             hy_wide constant); // factor * a + constant
const hy_poly *hy_poly_mul(hy_arena *arena, const hy_poly *a, const hy_poly *b);
// The terms whose coefficients "divisor" divides, divided (in "*quotient", constant 0), and the others with the
// constant.
bool hy_poly_divide(hy_arena *arena, const hy_poly *a, hy_wide divisor, const hy_poly **quotient, const hy_poly **rest);
// (a - its constant) / divisor + constant; requires: divisor divides every coefficient of a term
const hy_poly *hy_poly_reduce(hy_arena *arena, const hy_poly *a, hy_wide divisor, hy_wide constant);

hy_wide hy_poly_content(const hy_poly *a); // gcd of the terms' coefficients, 0 if there is none
bool hy_poly_is_constant(const hy_poly *a, hy_wide *constant);
bool hy_poly_same_terms(const hy_poly *a, const hy_poly *b);
bool hy_poly_same(const hy_poly *a, const hy_poly *b);
bool hy_poly_is_linear(const hy_poly *a);

#endif
