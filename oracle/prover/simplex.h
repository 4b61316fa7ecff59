#ifndef HY_SIMPLEX_H
#define HY_SIMPLEX_H

/* Are these bounds on linear forms contradictory over the rationals? The general simplex of Dutertre and de Moura,
 * exact, with Bland's rule: always the same answer for the same calls. A monomial counts as an unknown of its own.
 *
 * A contradiction comes with Farkas multipliers: nonnegative numbers by which the bounds add up to 0 >= 1. Each bound
 * is named by the "reason" it was given.
 */

#include "oracle/prover/polynomial.h"
#include "oracle/prover/rational.h"

typedef enum {
  HY_SIMPLEX_FEASIBLE,   // hy_simplex_value tells where
  HY_SIMPLEX_INFEASIBLE, // "conflict" tells why
  HY_SIMPLEX_LOST,       // overflow or too many steps
} hy_simplex_result;

typedef struct hy_simplex_part {
  int reason;
  bool is_low;            // the lower bound of its form, else the upper one
  hy_rational multiplier; // above 0
} hy_simplex_part;

typedef struct hy_simplex_var hy_simplex_var;

typedef struct hy_simplex {
  hy_simplex_var *vars; // unknowns and forms, in the order of their making
  uint64_t *keys;       // of vars: the monomial, or the hash of the form
  int var_count, var_capacity;
  hy_rational *cells; // row_count rows: basic variable = sum of cell * nonbasic variable
  int *basic;         // by row
  int *nonbasic;      // by column
  int row_count, row_capacity, column_count, column_capacity;
  hy_simplex_part *conflict;
  int conflict_count, conflict_capacity;
  bool overflow;
  uint64_t work;      // cells that pivots went through
  uint64_t most_work; // a check that goes through more is lost; 0: there is no such limit
} hy_simplex;

enum { HY_SIMPLEX_MAX_ROWS = 256, HY_SIMPLEX_MAX_COLUMNS = 192 };

void hy_simplex_init(hy_simplex *simplex);
void hy_simplex_free(hy_simplex *simplex);
void hy_simplex_clear(hy_simplex *simplex);
void hy_simplex_copy(hy_simplex *to, const hy_simplex *from); // conflicts are not copied

// Demands terms of "form" >= low, or <= high (its constant does not count). INFEASIBLE if that crosses another bound of
// the same form, else FEASIBLE or LOST. requires: "form" outlives the simplex, is not constant, its leading coefficient
// is positive, and its content is 1
hy_simplex_result hy_simplex_demand(hy_simplex *simplex, const hy_poly *form, bool is_low, hy_wide bound, int reason);
hy_simplex_result hy_simplex_check(hy_simplex *simplex);

bool hy_simplex_is_unknown(const hy_simplex *simplex, int var); // else a form
// After a FEASIBLE check: the value of an unknown, false if nothing mentions it.
bool hy_simplex_value(const hy_simplex *simplex, hy_monomial monomial, hy_rational *value);
// The bounds of an unknown, infinite where there is none: for choosing what to try, not for proofs.
void hy_simplex_bounds(const hy_simplex *simplex, hy_monomial monomial, double *low, double *high);
// The same exactly, one of them; false if there is none.
bool hy_simplex_bound(const hy_simplex *simplex, hy_monomial monomial, bool is_low, hy_wide *bound);
// The constraint that says so; false: nothing does.
bool hy_simplex_bound_reason(const hy_simplex *simplex, hy_monomial monomial, bool is_low, int *reason);
// An unknown that is an atom and has no whole value; false if there is none.
bool hy_simplex_fractional(const hy_simplex *simplex, hy_monomial *monomial, hy_rational *value);

#endif
