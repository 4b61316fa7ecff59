#include "oracle/prover/prover_internal.h"

/* Degree 2. From p >= 0 and q >= 0 follows p*q >= 0; from p == 0 follows p*a == 0. Monomials count as unknowns of the
 * simplex, so a product helps if its monomials occur elsewhere: round 0 takes only products that bring no new monomial,
 * round 1 those that bring at most one.
 */

enum {
  MAX_PRODUCTS = 90,
  MAX_FACTORS = 48,
  MAX_FACTOR_TERMS = 8,
  MAX_MONOMIALS = 64,
  SLOTS = 256,
  MARKS = 1024,
  PAIR_EFFORT = 50
};

typedef struct {
  hy_monomial monomials[MAX_MONOMIALS]; // of degree 2 and more, that the constraints mention
  uint8_t slots[SLOTS];                 // by hash: the position of a monomial there, plus 1; 0 = free
  bool marks[MARKS];                    // of their atoms, by number: where none is, the atom is in none of them
  int count;
} wanted_monomials;

static size_t slot_of(const wanted_monomials *wanted, hy_monomial monomial) {
  size_t i = (monomial * 0x9e3779b97f4a7c15u) >> 56;
  while (wanted->slots[i] && wanted->monomials[wanted->slots[i] - 1] != monomial) i = (i + 1) % SLOTS;
  return i;
}

static bool is_wanted(const wanted_monomials *wanted, hy_monomial monomial) {
  return wanted->slots[slot_of(wanted, monomial)] != 0;
}

static void want(wanted_monomials *wanted, const hy_poly *poly) {
  for (uint32_t i = 0; i < poly->count && wanted->count < MAX_MONOMIALS; i++) {
    hy_monomial monomial = poly->terms[i].monomial;
    size_t slot = slot_of(wanted, monomial);
    if (hy_monomial_degree(monomial) < 2 || wanted->slots[slot]) continue;
    wanted->monomials[wanted->count++] = monomial;
    wanted->slots[slot] = (uint8_t)wanted->count;
    for (int k = 0; k < hy_monomial_degree(monomial); k++) wanted->marks[hy_monomial_atom(monomial, k) % MARKS] = true;
  }
}

// The terms of a polynomial that no wanted monomial has as a factor: whatever they are multiplied by is new.
static int strange_terms(const wanted_monomials *wanted, const hy_poly *poly) {
  int count = 0;
  for (uint32_t i = 0; i < poly->count; i++) {
    hy_monomial monomial = poly->terms[i].monomial;
    bool strange = false;
    for (int k = 0; k < hy_monomial_degree(monomial); k++)
      strange |= !wanted->marks[hy_monomial_atom(monomial, k) % MARKS];
    count += strange;
  }
  return count;
}

// Has p * term a monomial that is wanted, and at most "*room" others? What others it has is taken off the room.
static bool is_welcome(const wanted_monomials *wanted, const hy_poly *p, hy_monomial term, int *room, bool *useful) {
  for (uint32_t i = 0; i < p->count; i++) {
    hy_monomial product;
    if (!hy_monomial_mul(p->terms[i].monomial, term, &product)) return false;
    if (is_wanted(wanted, product))
      *useful = true;
    else if (--*room < 0)
      return false;
  }
  return true;
}

// Has p * q a monomial that is wanted, and at most "room" others?
static bool is_useful(const wanted_monomials *wanted, const hy_poly *p, const hy_poly *q, int room) {
  bool useful = false;
  for (uint32_t j = 0; j < q->count; j++)
    if (!is_welcome(wanted, p, q->terms[j].monomial, &room, &useful)) return false;
  return useful;
}

static bool is_factor(const hy_linear_constraint *constraint) {
  return constraint->poly->count <= MAX_FACTOR_TERMS && constraint->origin != HY_ORIGIN_PRODUCT &&
         constraint->origin != HY_ORIGIN_MULTIPLE && constraint->origin != HY_ORIGIN_SQUARE;
}

static int collect(const hy_prover *prover, const hy_state *state, wanted_monomials *wanted, int *factors) {
  int count = 0;
  for (size_t i = state->active.count; i-- > 0;) { // the newest first: the goal and its splits
    const hy_linear_constraint *constraint = prover->constraints.data[state->active.data[i]];
    want(wanted, constraint->poly);
    if (is_factor(constraint) && count < MAX_FACTORS) factors[count++] = state->active.data[i];
  }
  return count;
}

static void add_multiples(hy_prover *prover, hy_state *state, const wanted_monomials *wanted, int number, int limit) {
  const hy_poly *equal = prover->constraints.data[number]->poly;
  if (strange_terms(wanted, equal) > limit) return;
  for (int i = 0; i < wanted->count; i++)
    for (int k = 0; k < hy_monomial_degree(wanted->monomials[i]); k++) {
      uint32_t atom = hy_monomial_atom(wanted->monomials[i], k);
      int room = limit;
      bool useful = false;
      if (!is_welcome(wanted, equal, hy_monomial_of(atom), &room, &useful) || !useful) continue;
      const hy_poly *factor = hy_poly_atom(prover->arena, atom);
      prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT, .factors = {prover->constraints.data[number]}};
      hy_state_constrain(prover, state, hy_poly_mul(prover->arena, equal, factor), true, HY_ORIGIN_MULTIPLE, number,
                         (int)atom);
    }
}

static void add_squares(hy_prover *prover, hy_state *state, const wanted_monomials *wanted) {
  for (int i = 0; i < wanted->count; i++) {
    uint32_t atom = hy_monomial_atom(wanted->monomials[i], 0);
    if (hy_monomial_degree(wanted->monomials[i]) != 2 || hy_monomial_atom(wanted->monomials[i], 1) != atom) continue;
    const hy_poly *root = hy_poly_atom(prover->arena, atom);
    prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT};
    hy_state_constrain(prover, state, hy_poly_mul(prover->arena, root, root), false, HY_ORIGIN_SQUARE, -1, (int)atom);
  }
}

void hy_products_add(hy_prover *prover, hy_state *state, int round) {
  wanted_monomials wanted = {.count = 0};
  int factors[MAX_FACTORS], count = collect(prover, state, &wanted, factors), added = 0;
  if (wanted.count == 0) return;
  prover->effort += (uint64_t)count * (uint64_t)count * PAIR_EFFORT;
  int strange[MAX_FACTORS];
  for (int i = 0; i < count; i++) strange[i] = strange_terms(&wanted, prover->constraints.data[factors[i]]->poly);
  add_squares(prover, state, &wanted);
  for (int i = 0; i < count && !state->closed && !state->lost; i++) {
    const hy_linear_constraint *p = prover->constraints.data[factors[i]];
    if (p->is_equal) {
      add_multiples(prover, state, &wanted, factors[i], round);
      continue;
    }
    if (strange[i] > round) continue; // with any q of one term or more
    for (int j = i; j < count && added < MAX_PRODUCTS && !state->closed && !state->lost; j++) {
      const hy_linear_constraint *q = prover->constraints.data[factors[j]];
      if (q->is_equal || strange[j] > round || !is_useful(&wanted, p->poly, q->poly, round)) continue;
      prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT, .factors = {p, q}};
      hy_state_constrain(prover, state, hy_poly_mul(prover->arena, p->poly, q->poly), false, HY_ORIGIN_PRODUCT,
                         factors[i], factors[j]);
      added++;
    }
  }
}

bool hy_products_wanted(const hy_state *state) {
  const hy_simplex *simplex = &state->simplex;
  for (int v = 0; v < simplex->var_count; v++) {
    hy_monomial monomial = simplex->keys[v];
    hy_rational value, factor, product = hy_rational_of(1);
    int degree = hy_monomial_degree(monomial);
    if (!hy_simplex_is_unknown(simplex, v) || degree < 2) continue;
    bool lost = !hy_simplex_value(simplex, monomial, &value);
    for (int k = 0; k < degree && !lost; k++) {
      if (hy_simplex_value(simplex, hy_monomial_of(hy_monomial_atom(monomial, k)), &factor))
        product = hy_rational_mul(product, factor, &lost);
      else
        lost = true; // nothing linear mentions the atom: it may have any value
    }
    if (lost || value.num != product.num || value.den != product.den) return true;
  }
  return false;
}
