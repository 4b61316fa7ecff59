#include "oracle/prover/prover_internal.h"

/* What one fact and the definitions of atoms show, without the simplex: most questions of fills are of this kind. The
 * simplex would find the same, so that certificates do not need to know.
 */

enum { MOST_REPLACED = 2 };

static bool same_terms_negated(const hy_poly *a, const hy_poly *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->terms[i].monomial != b->terms[i].monomial || a->terms[i].coefficient != -b->terms[i].coefficient)
      return false;
  return true;
}

// p + c >= 0 holds, or p + c == 0, or -p + c == 0, and c is not above the constant.
static bool is_given(const hy_fact_set *set, const hy_poly *poly, hy_wide constant) {
  for (size_t i = 0; i < set->constraints.count; i++) {
    const hy_linear_constraint *c = set->constraints.data[i];
    if (c->poly->constant <= constant && hy_poly_same_terms(c->poly, poly)) return true;
    if (c->is_equal && -c->poly->constant <= constant && same_terms_negated(c->poly, poly)) return true;
  }
  return false;
}

// Is the least value by the bounds of the unknowns at least 0?
static bool is_bounded(const hy_fact_set *set, const hy_poly *poly) {
  bool overflow = false;
  hy_wide sum = poly->constant;
  for (uint32_t i = 0; i < poly->count; i++) {
    hy_wide factor = poly->terms[i].coefficient, bound;
    if (!hy_simplex_bound(&set->state.simplex, poly->terms[i].monomial, factor > 0, &bound)) return false;
    sum = hy_wide_add(sum, hy_wide_mul(factor, bound, &overflow), &overflow);
  }
  return !overflow && sum >= 0;
}

// What the polynomial is at least with the atom's definition in its place, NULL if that says nothing: min(a, 0) <= a;
// a - d + 1 <= d * (a / d) <= a.
static const hy_poly *replaced(hy_prover *prover, const hy_poly *poly, const hy_term *term, const hy_atom *atom) {
  hy_arena *arena = prover->scratch;
  const hy_poly *self = hy_poly_atom(arena, atom->number);
  hy_wide factor = term->coefficient;
  if (atom->kind == HY_ATOM_NEGATIVE && factor < 0)
    return hy_poly_combine(arena, 1, poly, factor, hy_poly_sub(arena, atom->a, self), 0);
  if (atom->kind != HY_ATOM_QUOTIENT || factor % atom->divisor != 0) return NULL;
  hy_wide whole = factor / atom->divisor, most = atom->divisor - 1;
  const hy_poly *gap = hy_poly_combine(arena, 1, atom->a, -atom->divisor, self, factor > 0 ? -most : 0);
  return hy_poly_combine(arena, 1, poly, whole, gap, 0);
}

static bool is_at_least_0(hy_prover *prover, hy_fact_set *set, const hy_poly *poly, int depth) {
  const hy_poly *image = poly ? hy_fact_set_image(prover, set, poly) : NULL;
  hy_wide constant;
  if (!image) return false;
  if (hy_poly_is_constant(image, &constant)) return constant >= 0;
  hy_wide common = hy_poly_content(image);
  if (common > 1) image = hy_poly_reduce(prover->scratch, image, common, hy_wide_div(image->constant, common));
  if (is_given(set, image, image->constant) || is_bounded(set, image)) return true;
  for (uint32_t i = 0; i < image->count && depth < MOST_REPLACED; i++) {
    if (hy_monomial_degree(image->terms[i].monomial) != 1) continue;
    const hy_atom *atom = hy_terms_atom(&prover->terms, hy_monomial_atom(image->terms[i].monomial, 0));
    if (is_at_least_0(prover, set, replaced(prover, image, &image->terms[i], atom), depth + 1)) return true;
  }
  return false;
}

bool hy_follows_at_once(hy_prover *prover, hy_fact_set *set, const hy_expr *goal) {
  hy_arena *arena = prover->scratch;
  const hy_poly *d = hy_prover_is_comparison(goal) ? hy_prover_difference(prover, goal) : NULL;
  if (!d) return false;
  switch ((int)goal->op) {
  case HY_OP_LT: return is_at_least_0(prover, set, hy_poly_scale(arena, -1, d, -1), 0);
  case HY_OP_LE: return is_at_least_0(prover, set, hy_poly_scale(arena, -1, d, 0), 0);
  case HY_OP_GT: return is_at_least_0(prover, set, hy_poly_scale(arena, 1, d, -1), 0);
  case HY_OP_GE: return is_at_least_0(prover, set, d, 0);
  }
  return false;
}
