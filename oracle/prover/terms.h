#ifndef HY_TERMS_H
#define HY_TERMS_H

/* From expressions to polynomials over atoms. An atom is what linear arithmetic does not look into: a variable, an
 * access, an opaque node, a quotient, the negative part of a sum, a choice by a condition. Structure is normalised so
 * that equal values tend to become equal polynomials: min(a, b) and max(a, b) share one atom, a % m has none of its own
 * when m is constant, (256*y + x) / 256 is y + x / 256.
 *
 * The value of an expression is taken over Z: fixed-width operations wrap explicitly. A node without a value (division
 * by zero) may stand for any number. A float is worth its rank (semantics/value/monotone.h).
 */

#include "oracle/prover/pair_map.h"
#include "oracle/prover/polynomial.h"
#include "semantics/base/vec.h"
#include "semantics/expr/expr.h"
#include "semantics/value/monotone.h"

typedef struct hy_atom_range {
  bool has_low, has_high;
  hy_wide low, high;
} hy_atom_range;

typedef enum {
  HY_ATOM_UNKNOWN,  // expr: a variable, an access or an opaque node
  HY_ATOM_QUOTIENT, // a / divisor, divisor >= 2
  HY_ATOM_RATIO,    // a / m; says something only where m >= 1
  HY_ATOM_REST,     // a % m; the same
  HY_ATOM_NEGATIVE, // min(a, 0)
  HY_ATOM_CHOICE,   // a if expr holds, else 0; expr is of type bool
  HY_ATOM_FLOAT,    // a monotone operator of floats (divisor: hy_monotone_code) of a, or a and m; a float is its rank
} hy_atom_kind;

typedef struct hy_atom {
  hy_atom_kind kind;
  uint32_t number;
  const hy_expr *expr;
  const hy_poly *a, *m;
  hy_wide divisor;
  hy_atom_range range; // known whatever the facts
  uint32_t partner;    // RATIO and REST of one division name each other; 0 = not made yet
} hy_atom;

typedef struct hy_terms {
  hy_arena *arena;         // atoms and polynomials
  HY_VEC(hy_atom *) atoms; // atoms.data[0] is NULL: numbers start at 1
  hy_intern *table;
  hy_pair_map polys; // expression -> polynomial
  int depth;
  bool has_floats; // atoms HY_ATOM_FLOAT
} hy_terms;

void hy_terms_init(hy_terms *terms);
void hy_terms_free(hy_terms *terms);

// The value of an expression, as a polynomial; NULL only when the atoms are used up.
const hy_poly *hy_terms_poly(hy_terms *terms, const hy_expr *expr);
// Does it have a value that polynomials can speak of (an integral type or bool)?
bool hy_terms_is_whole(const hy_expr *expr);
// Is the expression an atom HY_ATOM_FLOAT, of the operator in "*op"? What loads is not looked into.
bool hy_terms_is_monotone(const hy_expr *expr, hy_monotone *op);

// The constructors behind it; arguments may be NULL, results too.
const hy_poly *hy_terms_quotient(hy_terms *terms, const hy_poly *a, hy_wide divisor); // requires: divisor >= 1
const hy_poly *hy_terms_ratio(hy_terms *terms, const hy_poly *a, const hy_poly *m);
const hy_poly *hy_terms_rest(hy_terms *terms, const hy_poly *a, const hy_poly *m);
const hy_poly *hy_terms_least(hy_terms *terms, const hy_poly *a, const hy_poly *b);
const hy_poly *hy_terms_choice(hy_terms *terms, const hy_expr *condition, const hy_poly *a);
const hy_poly *hy_terms_float(hy_terms *terms, hy_monotone op, const hy_poly *a,
                              const hy_poly *m); // m NULL: one argument
// The value that the atom would have of other arguments.
const hy_poly *hy_terms_rebuild(hy_terms *terms, const hy_atom *atom, const hy_poly *a, const hy_poly *m);
// The atom of that kind as it stands, not normalised: for a proof that it equals its normal form. "like" gives kind,
// expr and divisor.
const hy_poly *hy_terms_raw(hy_terms *terms, const hy_atom *like, const hy_poly *a, const hy_poly *m);

static inline const hy_atom *hy_terms_atom(const hy_terms *terms, uint32_t number) { return terms->atoms.data[number]; }

// What the ranges of the atoms say about a polynomial.
hy_atom_range hy_terms_range(const hy_terms *terms, const hy_poly *poly);

#endif
