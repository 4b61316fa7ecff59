#include "oracle/prover/prover_internal.h"

/* That a number fits is shown by the bounds of the single unknowns that it is made of, one inside the other: the range
 * of a minimum, of its sum, of a quotient of that. The simplex alone would have to find out which of hundreds of facts
 * it takes, and all cases of all minima. So, for goals that ask for nothing else, bounds are carried from the unknowns
 * outwards, each a lemma of its own.
 */

enum { INTERVAL_ROUNDS = 3, MOST_INTERVALS = 160 };

typedef struct {
  hy_prover *prover;
  int level, tries;
  hy_state *state;
  bool added;
} propagation;

// The least value of sign * poly by the bounds of its unknowns, all but "but"; false: it has none.
static bool least_value(const propagation *p, const hy_poly *poly, int sign, hy_monomial but, hy_wide *least) {
  bool overflow = false;
  *least = hy_wide_mul(sign, poly->constant, &overflow);
  for (uint32_t i = 0; i < poly->count; i++) {
    hy_wide bound, k = hy_wide_mul(sign, poly->terms[i].coefficient, &overflow);
    if (poly->terms[i].monomial == but) continue;
    if (!hy_simplex_bound(&p->state->simplex, poly->terms[i].monomial, k > 0, &bound)) return false;
    *least = hy_wide_add(*least, hy_wide_mul(k, bound, &overflow), &overflow);
  }
  return !overflow;
}

static bool may_learn(const propagation *p) {
  return p->tries < MOST_INTERVALS && !p->state->closed && !p->state->lost && !hy_prover_is_tired(p->prover);
}

static void learn(propagation *p, const hy_poly *poly, const hy_atom *cases) {
  if (!poly || !may_learn(p)) return;
  p->tries++;
  const hy_proof *proof = hy_lemma_at_least_0(p->prover, p->level, poly);
  if (!proof && cases) proof = hy_lemma_by_cases(p->prover, p->level, poly, cases);
  p->added |= hy_lemma_add(p->prover, p->level, poly, proof);
}

// sign * x + k >= 0
static const hy_poly *bound(const propagation *p, hy_monomial x, int sign, hy_wide k) {
  return hy_poly_scale(p->prover->arena, 1, hy_poly_monomial(p->prover->arena, sign, x), k);
}

static bool has_bound(const propagation *p, hy_monomial x, int sign) {
  hy_wide ignored;
  return hy_simplex_bound(&p->state->simplex, x, sign > 0, &ignored);
}

// k*x + rest >= 0 bounds x where the rest is bounded: the closest of all such bounds of sign * x from below.
static void bound_by_constraints(propagation *p, hy_monomial x, int sign) {
  bool found = false;
  hy_wide best = 0;
  for (size_t i = 0; i < p->state->active.count; i++) {
    const hy_linear_constraint *c = p->prover->constraints.data[p->state->active.data[i]];
    for (uint32_t t = 0; t < c->poly->count; t++) {
      hy_wide k = c->poly->terms[t].coefficient, least;
      if (c->poly->terms[t].monomial != x || (!c->is_equal && (k > 0) != (sign > 0))) continue;
      int turned = (k > 0) == (sign > 0) ? 1 : -1; // |k| * (sign * x) >= -turned * rest
      if (!least_value(p, c->poly, -turned, x, &least)) continue;
      hy_wide above = hy_wide_div(least, k < 0 ? -k : k);
      if (!found || above > best) best = above;
      found = true;
    }
  }
  if (found) learn(p, bound(p, x, sign, -best), NULL);
}

// What the atom is made of bounds it: min(a, 0), a or 0, a / m for an m >= 1.
static void bound_by_definition(propagation *p, const hy_atom *atom, int sign) {
  hy_monomial x = hy_monomial_of(atom->number);
  const hy_poly *a = atom->a ? hy_fact_set_image(p->prover, p->prover->set, atom->a) : NULL;
  hy_wide least;
  if (!a || !may_learn(p) || !least_value(p, a, sign, 0, &least)) return;
  if (least > 0) least = 0;
  if (atom->kind == HY_ATOM_NEGATIVE || atom->kind == HY_ATOM_CHOICE) learn(p, bound(p, x, sign, -least), atom);
  if (atom->kind != HY_ATOM_RATIO) return;
  p->tries++;
  p->added |= hy_quotient_order(p->prover, p->level, atom, hy_poly_constant(p->prover->arena, sign * least), sign > 0);
}

static bool is_divided(const hy_state *state, const hy_atom *atom) {
  for (size_t i = 0; i < state->divided.count; i++)
    if (state->divided.data[i] == atom->number) return true;
  return false;
}

static void bound_unknown(propagation *p, hy_monomial x, int sign) {
  if (hy_monomial_degree(x) == 2) p->added |= hy_product_bound(p->prover, p->level, x, sign);
  if (hy_monomial_degree(x) != 1 || has_bound(p, x, sign)) return;
  const hy_atom *atom = hy_terms_atom(&p->prover->terms, hy_monomial_atom(x, 0));
  if (atom->kind != HY_ATOM_RATIO || is_divided(p->state, atom)) bound_by_definition(p, atom, sign);
  if (!has_bound(p, x, sign)) bound_by_constraints(p, x, sign);
}

bool hy_intervals_add(hy_prover *prover, int level) {
  propagation p = {.prover = prover, .level = level, .state = &prover->levels[level]};
  if (level + 1 >= HY_PROVER_LEVELS) return false;
  for (int round = 0; round < INTERVAL_ROUNDS; round++) {
    int count = p.state->simplex.var_count;
    bool before = p.added;
    p.added = false;
    for (int v = 0; v < count && may_learn(&p); v++) {
      if (!hy_simplex_is_unknown(&p.state->simplex, v)) continue;
      hy_monomial x = p.state->simplex.keys[v];
      for (int sign = 1; sign >= -1; sign -= 2)
        if (!has_bound(&p, x, sign)) bound_unknown(&p, x, sign);
    }
    bool learnt = p.added;
    p.added = before || learnt;
    if (!learnt) break;
  }
  return p.added;
}
