#include "oracle/prover/prover_internal.h"

/* Divisions by what is known to be at least 1: what the quotient and the remainder are, and lemmas that bound quotients
 * and products. A lemma is shown below the state it is for, by the simplex and products, without splits.
 */

/* -- lemmas -- */

// Refutes poly <= -1 on the next level as it stands, without splits.
static const hy_proof *refute_below(hy_prover *prover, int level, const hy_poly *poly) {
  hy_state *below = &prover->levels[level + 1];
  prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
  hy_state_constrain(prover, below, hy_poly_scale(prover->arena, -1, poly, -1), false, HY_ORIGIN_SPLIT, -1, -1);
  hy_state_check(prover, below);
  for (int round = 0; round < 2 && !below->closed && !below->lost; round++) {
    if (prover->thorough ? !hy_products_wanted(below) : hy_poly_is_linear(poly)) break;
    hy_products_add(prover, below, round);
    hy_state_check(prover, below);
  }
  return below->closed ? below->proof : NULL;
}

// Is poly >= 0 here? Returns how, or NULL.
const hy_proof *hy_lemma_at_least_0(hy_prover *prover, int level, const hy_poly *poly) {
  if (!poly || level >= HY_PROVER_LEVELS) return NULL;
  hy_state_copy(&prover->levels[level + 1], &prover->levels[level]);
  return refute_below(prover, level, poly);
}

const hy_proof *hy_lemma_by_cases(hy_prover *prover, int level, const hy_poly *poly, const hy_atom *atom) {
  const hy_split *split = hy_state_split(&prover->levels[level], atom);
  if (!poly || !split || level + 1 >= HY_PROVER_LEVELS) return NULL;
  hy_state *denied = &prover->levels[level + 1], *below = &prover->levels[level + 2];
  hy_state_copy(denied, &prover->levels[level]);
  prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
  hy_state_constrain(prover, denied, hy_poly_scale(prover->arena, -1, poly, -1), false, HY_ORIGIN_SPLIT, -1, -1);
  if (denied->closed) return denied->proof;
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_SPLIT, 0);
  proof->split = split;
  hy_origin_of origin = prover->origin;
  prover->origin = HY_ORIGIN_SPLIT;
  bool refuted = true;
  for (int choice = 0; choice < split->count && refuted; choice++) {
    hy_state_copy(below, denied);
    hy_state_choose(prover, below, split, choice);
    hy_state_check(prover, below);
    refuted = below->closed;
    proof->branches[choice] = below->proof;
  }
  prover->origin = origin;
  return refuted ? proof : NULL;
}

const hy_poly *hy_quotient_by_monomial(hy_arena *arena, const hy_poly *a, const hy_poly *m) {
  const hy_poly *u = hy_poly_constant(arena, 0);
  if (m->count != 1 || m->constant != 0 || m->terms[0].coefficient < 1) return u;
  hy_wide factor = m->terms[0].coefficient; // fused tiles of two are divided by 2*n
  for (uint32_t i = 0; i < a->count && u; i++) {
    hy_monomial rest;
    if (a->terms[i].coefficient % factor || !hy_monomial_divide(a->terms[i].monomial, m->terms[0].monomial, &rest))
      continue;
    u = hy_poly_add(arena, u, hy_poly_monomial(arena, a->terms[i].coefficient / factor, rest));
  }
  return u;
}

static void say(hy_prover *prover, hy_state *state, const hy_division *division, int part, const hy_poly *poly,
                bool is_equal) {
  prover->cause = (hy_ground){.kind = HY_CAUSE_DIVISION, .division = division, .part = part};
  hy_state_constrain(prover, state, poly, is_equal, HY_ORIGIN_DEFINITION, -1, -1);
}

// a = m*u + b for a divisor m that is one monomial; u may be 0.
static void divide_by_monomial(hy_prover *prover, const hy_poly *a, const hy_poly *m, const hy_poly **u,
                               const hy_poly **b) {
  hy_arena *arena = prover->terms.arena; // keys of atoms
  *b = a;
  *u = hy_quotient_by_monomial(arena, a, m);
  if (*u && (*u)->count + ((*u)->constant != 0) > 0) *b = hy_poly_sub(arena, a, hy_poly_mul(arena, m, *u));
}

// Is b - more * m the remainder, in [0, m)? Terms that cancel can leave the quotient one off:
// a = m*(u + more) + (b - more * m).
static bool is_rest(hy_prover *prover, int level, hy_division *d, int more) {
  hy_arena *arena = prover->terms.arena; // keys of atoms
  const hy_poly *m = d->ratio->m, *u = hy_poly_scale(arena, 1, d->u, more),
                *b = hy_poly_combine(arena, 1, d->b, -more, m, 0);
  if (!u || !b) return false;
  const hy_poly *room = hy_poly_scale(arena, 1, hy_poly_sub(arena, m, b), -1);
  d->low = hy_lemma_at_least_0(prover, level, b);
  d->high = d->low ? hy_lemma_at_least_0(prover, level, room) : NULL;
  if (!d->high) return false;
  d->u = u;
  d->b = b;
  return true;
}

static void say_exact(hy_prover *prover, int level, const hy_division *d) {
  hy_state *state = &prover->levels[level];
  hy_arena *arena = prover->arena;
  say(prover, state, d, 0, hy_poly_sub(arena, hy_poly_atom(arena, d->ratio->number), d->u), true);
  say(prover, state, d, 1, hy_poly_sub(arena, hy_poly_atom(arena, d->ratio->partner), d->b), true);
}

// a = m*q + r, 0 <= r <= m - 1. With a = m*u + b the uniqueness of division says more: q = u and r = b if 0 <= b < m,
// else q = u + b / m and r = b % m. requires: m >= 1 here
static void define_division(hy_prover *prover, int level, const hy_atom *ratio, const hy_proof *positive) {
  hy_state *state = &prover->levels[level];
  hy_arena *arena = prover->arena;
  const hy_poly *q = hy_poly_atom(arena, ratio->number), *r = hy_poly_atom(arena, ratio->partner), *u, *b;
  divide_by_monomial(prover, ratio->a, ratio->m, &u, &b);
  if (!u || !b) return;
  hy_division *d = HY_NEW(arena, hy_division);
  *d = (hy_division){.ratio = ratio, .u = u, .b = b, .positive = positive};
  if (!is_rest(prover, level, d, 0)) (void)is_rest(prover, level, d, d->low ? 1 : -1);
  if (d->high) {
    d->kind = HY_DIVISION_EXACT;
    say_exact(prover, level, d);
  } else if (u->count != 0 || u->constant != 0) {
    const hy_poly *ratio_of_b = hy_terms_ratio(&prover->terms, b, ratio->m);
    const hy_poly *rest_of_b = hy_terms_rest(&prover->terms, b, ratio->m);
    d->kind = HY_DIVISION_SHIFT;
    say(prover, state, d, 0, hy_poly_sub(arena, q, hy_poly_add(arena, u, ratio_of_b)), true);
    say(prover, state, d, 1, hy_poly_sub(arena, r, rest_of_b), true);
  } else {
    d->kind = HY_DIVISION_PLAIN;
    say(prover, state, d, 0, hy_poly_sub(arena, hy_poly_sub(arena, ratio->a, r), hy_poly_mul(arena, ratio->m, q)),
        true);
    say(prover, state, d, 1, r, false);
    say(prover, state, d, 2, hy_poly_scale(arena, 1, hy_poly_sub(arena, ratio->m, r), -1), false);
  }
}

bool hy_division_rest(hy_prover *prover, const hy_atom *ratio, const hy_poly **b, const hy_poly **room) {
  const hy_poly *u;
  divide_by_monomial(prover, ratio->a, ratio->m, &u, b);
  const hy_poly *gap = u && *b ? hy_poly_sub(prover->arena, ratio->m, *b) : NULL;
  *room = gap ? hy_poly_scale(prover->arena, 1, gap, -1) : NULL;
  return *room != NULL;
}

bool hy_division_settle(hy_prover *prover, int level, const hy_atom *ratio) {
  hy_arena *arena = prover->arena;
  const hy_poly *u, *b;
  divide_by_monomial(prover, ratio->a, ratio->m, &u, &b);
  if (!u || !b) return false;
  hy_division *d = HY_NEW(arena, hy_division);
  *d = (hy_division){.kind = HY_DIVISION_EXACT, .ratio = ratio, .u = u, .b = b};
  d->positive = hy_lemma_at_least_0(prover, level, hy_poly_scale(arena, 1, ratio->m, -1));
  if (!d->positive || !is_rest(prover, level, d, 0)) return false;
  say_exact(prover, level, d);
  return true;
}

// The proof that m - 1 >= 0 is looked for again: it is not kept with the state.
bool hy_quotient_order(hy_prover *prover, int level, const hy_atom *ratio, const hy_poly *u, bool is_least) {
  hy_state *state = &prover->levels[level];
  hy_arena *arena = prover->arena;
  const hy_poly *q = hy_poly_atom(arena, ratio->number), *product = hy_poly_mul(arena, ratio->m, u);
  const hy_poly *claim = hy_poly_sub(arena, ratio->a, product);
  if (!is_least) claim = hy_poly_combine(arena, -1, claim, 1, ratio->m, -1);
  const hy_proof *low = hy_lemma_at_least_0(prover, level, claim);
  if (!low) return false;
  const hy_proof *positive = hy_lemma_at_least_0(prover, level, hy_poly_scale(arena, 1, ratio->m, -1));
  if (!positive) return false;
  hy_division *d = HY_NEW(arena, hy_division);
  *d = (hy_division){is_least ? HY_DIVISION_LEAST : HY_DIVISION_MOST, ratio, u, NULL, positive, low, NULL, claim};
  say(prover, state, d, 0, is_least ? hy_poly_sub(arena, q, u) : hy_poly_sub(arena, u, q), false);
  return true;
}

bool hy_divisions_define(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  bool progress = false;
  if (state->divisions_tried) return false;
  state->divisions_tried = true;
  for (size_t i = 0; i < state->divisions.count && !state->closed && !hy_prover_is_tired(prover);) {
    const hy_atom *ratio = hy_terms_atom(&prover->terms, state->divisions.data[i]);
    const hy_proof *positive = hy_lemma_at_least_0(prover, level, hy_poly_scale(prover->arena, 1, ratio->m, -1));
    if (!positive) {
      i++;
      continue;
    }
    state->divisions.data[i] = state->divisions.data[--state->divisions.count];
    hy_vec_push(&state->divided, ratio->number);
    define_division(prover, level, ratio, positive);
    progress = true;
  }
  if (progress) state->divisions_tried = false; // more may follow, and new ones may have come
  return progress;
}

/* -- bounds of quotients -- */

enum { MAX_TRIES = 60 };

bool hy_lemma_add(hy_prover *prover, int level, const hy_poly *poly, const hy_proof *proof) {
  if (!proof) return false;
  prover->cause = (hy_ground){.kind = HY_CAUSE_LEMMA, .proof = proof};
  hy_state_constrain(prover, &prover->levels[level], poly, false, HY_ORIGIN_DEFINITION, -1, -1);
  return true;
}

// Tries poly >= 0 as a lemma. Products with m - 1 >= 0 are what it takes: a >= b |- a / m >= b / m for an m >= 1.
static bool try_lemma(hy_prover *prover, int level, const hy_poly *poly, int *tries) {
  if (!poly || prover->levels[level].closed || hy_prover_is_tired(prover) || ++*tries > MAX_TRIES) return false;
  return hy_lemma_add(prover, level, poly, hy_lemma_at_least_0(prover, level, poly));
}

// The constraint that bounds an unknown by a number from below or above as well as any, -1 if there is none.
static int bound_of(const hy_prover *prover, const hy_state *state, hy_monomial unknown, bool is_low) {
  int best = -1;
  for (size_t i = 0; i < state->active.count; i++) {
    const hy_poly *poly = prover->constraints.data[state->active.data[i]]->poly;
    bool fits =
        poly->count == 1 && poly->terms[0].monomial == unknown && poly->terms[0].coefficient == (is_low ? 1 : -1);
    if (fits && (best < 0 || poly->constant < prover->constraints.data[best]->poly->constant))
      best = state->active.data[i];
  }
  return best;
}

// sign * x*y >= the least corner, from the bounds of x and y alone: in a state that holds nothing else. x is an atom, y
// what is left, an atom or a product.
static void bound_product(hy_prover *prover, int level, hy_monomial product, int sign, int *tries) {
  hy_state *state = &prover->levels[level], *below = &prover->levels[level + 1];
  hy_monomial factors[2] = {hy_monomial_of(hy_monomial_atom(product, 0)), 0};
  hy_wide ends[2][2], least = 0;
  int bounds[4];
  bool overflow = false;
  if (!hy_monomial_divide(product, factors[0], &factors[1])) return;
  for (int i = 0; i < 4; i++) {
    bounds[i] = bound_of(prover, state, factors[i / 2], i % 2 == 0);
    if (bounds[i] < 0) return;
    hy_wide constant = prover->constraints.data[bounds[i]]->poly->constant;
    ends[i / 2][i % 2] = i % 2 ? constant : hy_wide_neg(constant, &overflow);
  }
  for (int i = 0; i < 4; i++) {
    hy_wide corner = hy_wide_mul(sign, hy_wide_mul(ends[0][i / 2], ends[1][i % 2], &overflow), &overflow);
    if (i == 0 || corner < least) least = corner;
  }
  const hy_poly *bounded = hy_poly_monomial(prover->arena, sign, product);
  const hy_poly *poly = overflow ? NULL : hy_poly_scale(prover->arena, 1, bounded, -least);
  if (!poly || ++*tries > MAX_TRIES) return;
  hy_state_clear(below);
  for (int i = 0; i < 4; i++) hy_state_adopt(prover, below, bounds[i]);
  hy_lemma_add(prover, level, poly, refute_below(prover, level, poly));
}

bool hy_product_bound(hy_prover *prover, int level, hy_monomial product, int sign) {
  int tries = 0;
  size_t before = prover->levels[level].active.count;
  bound_product(prover, level, product, sign, &tries);
  return prover->levels[level].active.count > before;
}

static void bound_products(hy_prover *prover, int level, int *tries) {
  hy_state *state = &prover->levels[level];
  hy_monomial seen[8];
  int count = 0;
  size_t last = state->active.count;
  for (size_t i = 0; i < last; i++) {
    const hy_poly *poly = prover->constraints.data[state->active.data[i]]->poly;
    for (uint32_t k = 0; k < poly->count && count < (int)HY_COUNT(seen); k++) {
      bool is_new = hy_monomial_degree(poly->terms[k].monomial) == 2;
      for (int j = 0; j < count; j++) is_new &= seen[j] != poly->terms[k].monomial;
      if (is_new) seen[count++] = poly->terms[k].monomial;
    }
  }
  for (int j = 0; j < count && level < HY_PROVER_LEVELS; j++)
    for (int sign = -1; sign < 2; sign += 2) bound_product(prover, level, seen[j], sign, tries);
}

// a / m against u, for every monomial m*u that a constraint mentions: q >= u, or u - 1 >= q.
static void bound_by_monomials(hy_prover *prover, int level, const hy_atom *ratio, int *tries) {
  hy_arena *arena = prover->arena;
  const hy_state *state = &prover->levels[level];
  const hy_poly *q = hy_poly_atom(arena, ratio->number);
  if (ratio->m->count != 1 || ratio->m->constant != 0) return;
  hy_monomial m = ratio->m->terms[0].monomial, rest, seen[16];
  int count = 0;
  size_t last = state->active.count; // lemmas add more
  for (size_t i = 0; i < last; i++) {
    const hy_poly *poly = prover->constraints.data[state->active.data[i]]->poly;
    for (uint32_t k = 0; k < poly->count && count < (int)HY_COUNT(seen); k++) {
      bool is_new = hy_monomial_divide(poly->terms[k].monomial, m, &rest) && rest != 0;
      is_new = is_new && rest != hy_monomial_of(ratio->number);
      for (int j = 0; j < count; j++) is_new &= seen[j] != rest;
      if (!is_new) continue;
      seen[count++] = rest;
      const hy_poly *u = hy_poly_monomial(arena, 1, rest);
      if (!try_lemma(prover, level, hy_poly_combine(arena, 1, u, -1, q, -1), tries))
        try_lemma(prover, level, hy_poly_sub(arena, q, u), tries);
    }
  }
}

void hy_quotients_bound(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  int tries = 0;
  bound_products(prover, level, &tries);
  for (size_t i = 0; i < state->divided.count; i++) {
    const hy_atom *ratio = hy_terms_atom(&prover->terms, state->divided.data[i]);
    const hy_poly *q = hy_poly_atom(prover->arena, ratio->number);
    if (!try_lemma(prover, level, q, &tries)) try_lemma(prover, level, hy_poly_scale(prover->arena, -1, q, -1), &tries);
    for (size_t j = 0; j < state->divided.count; j++) {
      const hy_atom *other = hy_terms_atom(&prover->terms, state->divided.data[j]);
      if (j == i || !hy_poly_same(ratio->m, other->m)) continue;
      try_lemma(prover, level, hy_poly_sub(prover->arena, q, hy_poly_atom(prover->arena, other->number)), &tries);
    }
    bound_by_monomials(prover, level, ratio, &tries);
  }
}
