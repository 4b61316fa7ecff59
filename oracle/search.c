#include "oracle/evaluate.h"
#include "oracle/prover_internal.h"

/* Refuting a state: the simplex first, then what its rational point tells. A pending split that the point violates must
 * be taken; if none is violated, whole numbers and products are what the rationals do not know about.
 */

enum { PRODUCT_ROUNDS = 3, MAX_FORMULA_DEPTH = 60 };

/* -- what the point says -- */

typedef enum { FALSE_THERE, TRUE_THERE, UNSETTLED } truth;

static bool value_at(hy_prover *prover, const hy_state *state, const hy_poly *poly, hy_rational *value) {
  const hy_poly *image = poly ? hy_fact_set_image(prover, prover->set, poly) : NULL;
  if (!image) return false;
  bool overflow = false;
  *value = hy_rational_of(image->constant);
  for (uint32_t i = 0; i < image->count; i++) {
    hy_rational unknown;
    if (!hy_simplex_value(&state->simplex, image->terms[i].monomial, &unknown)) return false;
    hy_rational part = hy_rational_mul(hy_rational_of(image->terms[i].coefficient), unknown, &overflow);
    *value = hy_rational_add(*value, part, &overflow);
  }
  return !overflow;
}

static truth of_bool(bool b) { return b ? TRUE_THERE : FALSE_THERE; }

static truth comparison_at(hy_prover *prover, const hy_state *state, const hy_expr *formula) {
  hy_rational d;
  if (!value_at(prover, state, hy_prover_difference(prover, formula), &d)) return UNSETTLED;
  switch ((int)formula->op) {
  case HY_OP_EQ: return of_bool(d.num == 0);
  case HY_OP_NE: return of_bool(d.num != 0);
  // Over the integers a < b is a <= b - 1; the point may lie between.
  case HY_OP_LT: return d.num >= 0 ? FALSE_THERE : hy_rational_floor(d) <= -1 ? TRUE_THERE : UNSETTLED;
  case HY_OP_LE: return of_bool(d.num <= 0);
  case HY_OP_GT: return d.num <= 0 ? FALSE_THERE : hy_rational_floor(d) >= 1 ? TRUE_THERE : UNSETTLED;
  case HY_OP_GE: return of_bool(d.num >= 0);
  }
  HY_UNREACHABLE();
}

static truth formula_at(hy_prover *prover, const hy_state *state, const hy_expr *formula, bool polarity, int depth);

static truth op_at(hy_prover *prover, const hy_state *state, const hy_expr *formula, bool polarity, int depth) {
  if (hy_prover_is_comparison(formula)) {
    truth t = comparison_at(prover, state, formula);
    return t == UNSETTLED || polarity ? t : of_bool(t == FALSE_THERE);
  }
  if (formula->op == HY_OP_NOT) return formula_at(prover, state, formula->args[0], !polarity, depth);
  if (formula->op != HY_OP_AND && formula->op != HY_OP_OR) return UNSETTLED;
  truth a = formula_at(prover, state, formula->args[0], polarity, depth);
  truth b = formula_at(prover, state, formula->args[1], polarity, depth);
  truth decides = (formula->op == HY_OP_AND) == polarity ? FALSE_THERE : TRUE_THERE;
  return a == decides || b == decides ? decides : a == b ? a : UNSETTLED;
}

static truth formula_at(hy_prover *prover, const hy_state *state, const hy_expr *formula, bool polarity, int depth) {
  if (depth > MAX_FORMULA_DEPTH || ++prover->looks > HY_PROVER_FORMULAS) return UNSETTLED;
  if (hy_expr_is_true(formula)) return of_bool(polarity);
  if (hy_expr_is_false(formula)) return of_bool(!polarity);
  if (formula->kind == HY_EXPR_OP) return op_at(prover, state, formula, polarity, depth + 1);
  for (size_t i = 0; i < state->literals.count; i++)
    if (state->literals.data[i].expr == formula) return of_bool(state->literals.data[i].polarity == polarity);
  return UNSETTLED;
}

static truth alternative_at(hy_prover *prover, const hy_state *state, const hy_alternative *alternative) {
  truth all = TRUE_THERE;
  for (int i = 0; i < alternative->poly_count; i++) {
    hy_rational value;
    if (!value_at(prover, state, alternative->polys[i], &value))
      all = UNSETTLED;
    else if (alternative->is_equal[i] ? value.num != 0 : value.num < 0)
      return FALSE_THERE;
  }
  for (int i = 0; i < alternative->formula_count; i++) {
    truth t = formula_at(prover, state, alternative->formulas[i], alternative->polarity[i], 0);
    if (t == FALSE_THERE) return t;
    if (t == UNSETTLED) all = t;
  }
  return all;
}

static truth split_at(hy_prover *prover, const hy_state *state, const hy_split *split) {
  truth any = FALSE_THERE;
  for (int i = 0; i < split->count; i++) {
    truth t = alternative_at(prover, state, &split->alternatives[i]);
    if (t == TRUE_THERE) return t;
    if (t == UNSETTLED) any = t;
  }
  return any;
}

// The pending split to take: of the goal, or violated at the point, or unsettled there; -1 if all hold there.
static int pick_split(hy_prover *prover, const hy_state *state) {
  int unsettled = -1;
  prover->looks = 0;
  for (size_t i = 0; i < state->splits.count; i++)
    if (state->splits.data[i]->is_goal) return (int)i;
  for (size_t i = 0; i < state->splits.count; i++) {
    truth t = split_at(prover, state, state->splits.data[i]);
    if (t == FALSE_THERE) return (int)i;
    if (t == UNSETTLED && unsettled < 0) unsettled = (int)i;
  }
  return unsettled;
}

/* -- branching -- */

static bool refute_alternative(hy_prover *prover, int level, const hy_split *split, int choice) {
  hy_state *below = &prover->levels[level + 1];
  hy_state_copy(below, &prover->levels[level]);
  prover->origin = HY_ORIGIN_SPLIT;
  if (split->is_goal) below->quotients_bounded = false; // the goal brings new ones
  hy_state_choose(prover, below, split, choice);
  return hy_search_refute(prover, level + 1);
}

static bool refute_split(hy_prover *prover, int level, int number) {
  hy_state *state = &prover->levels[level];
  const hy_split *split = state->splits.data[number];
  state->splits.data[number] = state->splits.data[--state->splits.count];
  if (level >= HY_PROVER_LEVELS) return false;
  prover->splits_taken++;
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_SPLIT, 0);
  proof->split = split;
  for (int i = 0; i < split->count; i++) {
    if (!refute_alternative(prover, level, split, i)) return false;
    proof->branches[i] = prover->levels[level + 1].proof;
  }
  state->proof = proof;
  return true;
}

// An unknown without a whole value is <= its floor or >= the next number.
static bool refute_fraction(hy_prover *prover, int level) {
  hy_monomial monomial;
  hy_rational value;
  if (level >= HY_PROVER_LEVELS || !hy_simplex_fractional(&prover->levels[level].simplex, &monomial, &value))
    return false;
  const hy_poly *unknown = hy_poly_monomial(prover->arena, 1, monomial);
  const hy_poly *above = hy_poly_scale(prover->arena, 1, unknown, -hy_rational_floor(value) - 1);
  const hy_poly *under = hy_poly_scale(prover->arena, -1, unknown, hy_rational_floor(value));
  prover->splits_taken++;
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_CUT, 0);
  proof->poly = above;
  for (int side = 0; side < 2; side++) {
    hy_state *below = &prover->levels[level + 1];
    hy_state_copy(below, &prover->levels[level]);
    prover->cause = (hy_cause){.kind = HY_CAUSE_ASSUMED};
    hy_state_constrain(prover, below, side ? above : under, false, HY_ORIGIN_CUT, -1, -1);
    if (!hy_search_refute(prover, level + 1)) return false;
    proof->branches[side] = below->proof;
  }
  prover->levels[level].proof = proof;
  return true;
}

/* -- division by what is at least 1 -- */

// Refutes poly <= -1 on the next level as it stands, without splits.
static const hy_proof *refute_below(hy_prover *prover, int level, const hy_poly *poly) {
  hy_state *below = &prover->levels[level + 1];
  prover->cause = (hy_cause){.kind = HY_CAUSE_ASSUMED};
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
static const hy_proof *at_least_0(hy_prover *prover, int level, const hy_poly *poly) {
  if (!poly || level >= HY_PROVER_LEVELS) return NULL;
  hy_state_copy(&prover->levels[level + 1], &prover->levels[level]);
  return refute_below(prover, level, poly);
}

static void say(hy_prover *prover, hy_state *state, const hy_division *division, int part, const hy_poly *poly,
                bool is_equal) {
  prover->cause = (hy_cause){.kind = HY_CAUSE_DIVISION, .division = division, .part = part};
  hy_state_constrain(prover, state, poly, is_equal, HY_ORIGIN_DEFINITION, -1, -1);
}

// a = m*u + b for a divisor m that is one monomial; u may be 0.
static void divide_by_monomial(hy_prover *prover, const hy_poly *a, const hy_poly *m, const hy_poly **u,
                               const hy_poly **b) {
  hy_arena *arena = prover->terms.arena; // keys of atoms
  *u = hy_poly_constant(arena, 0);
  *b = a;
  if (m->count != 1 || m->constant != 0 || m->terms[0].coefficient != 1) return;
  for (uint32_t i = 0; i < a->count; i++) {
    hy_monomial rest;
    if (!hy_monomial_divide(a->terms[i].monomial, m->terms[0].monomial, &rest)) continue;
    *u = hy_poly_add(arena, *u, hy_poly_monomial(arena, a->terms[i].coefficient, rest));
  }
  *b = hy_poly_sub(arena, a, hy_poly_mul(arena, m, *u));
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
  const hy_poly *room = hy_poly_scale(arena, 1, hy_poly_sub(arena, ratio->m, b), -1);
  d->low = at_least_0(prover, level, b);
  d->high = d->low ? at_least_0(prover, level, room) : NULL;
  if (d->high) {
    d->kind = HY_DIVISION_EXACT;
    say(prover, state, d, 0, hy_poly_sub(arena, q, u), true);
    say(prover, state, d, 1, hy_poly_sub(arena, r, b), true);
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

static bool define_divisions(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  bool progress = false;
  if (state->divisions_tried) return false;
  state->divisions_tried = true;
  for (size_t i = 0; i < state->divisions.count && !state->closed;) {
    const hy_atom *ratio = hy_terms_atom(&prover->terms, state->divisions.data[i]);
    const hy_proof *positive = at_least_0(prover, level, hy_poly_scale(prover->arena, 1, ratio->m, -1));
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

static bool add_lemma(hy_prover *prover, int level, const hy_poly *poly, const hy_proof *proof) {
  if (!proof) return false;
  prover->cause = (hy_cause){.kind = HY_CAUSE_LEMMA, .proof = proof};
  hy_state_constrain(prover, &prover->levels[level], poly, false, HY_ORIGIN_DEFINITION, -1, -1);
  return true;
}

// Tries poly >= 0 as a lemma. Products with m - 1 >= 0 are what it takes: a >= b |- a / m >= b / m for an m >= 1.
static bool try_lemma(hy_prover *prover, int level, const hy_poly *poly, int *tries) {
  if (!poly || prover->levels[level].closed || ++*tries > MAX_TRIES) return false;
  return add_lemma(prover, level, poly, at_least_0(prover, level, poly));
}

// The constraint that bounds an atom by a number from below or above as well as any, -1 if there is none.
static int bound_of(const hy_prover *prover, const hy_state *state, uint32_t atom, bool is_low) {
  int best = -1;
  for (size_t i = 0; i < state->active.count; i++) {
    const hy_poly *poly = prover->constraints.data[state->active.data[i]]->poly;
    bool fits = poly->count == 1 && poly->terms[0].monomial == hy_monomial_of(atom) &&
                poly->terms[0].coefficient == (is_low ? 1 : -1);
    if (fits && (best < 0 || poly->constant < prover->constraints.data[best]->poly->constant))
      best = state->active.data[i];
  }
  return best;
}

// sign * x*y >= the least corner, from the bounds of x and y alone: in a state that holds nothing else.
static void bound_product(hy_prover *prover, int level, hy_monomial product, int sign, int *tries) {
  hy_state *state = &prover->levels[level], *below = &prover->levels[level + 1];
  hy_wide ends[2][2], least = 0;
  int bounds[4];
  bool overflow = false;
  for (int i = 0; i < 4; i++) {
    bounds[i] = bound_of(prover, state, hy_monomial_atom(product, i / 2), i % 2 == 0);
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
  add_lemma(prover, level, poly, refute_below(prover, level, poly));
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

static void bound_quotients(hy_prover *prover, int level) {
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

/* -- the search -- */

// Everything that needs no branch; true when the state is closed.
static bool saturate(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  for (;;) {
    hy_state_check(prover, state);
    if (state->closed || state->lost) return state->closed;
    if (define_divisions(prover, level)) continue;
    if (!prover->thorough || state->quotients_bounded) return false;
    state->quotients_bounded = true;
    bound_quotients(prover, level);
    state->divisions_tried = false; // a divisor may have become known
  }
}

// Would lemmas about quotients and products have something to say?
static bool is_nonlinear(const hy_prover *prover) {
  for (size_t i = 0; i < prover->constraints.count; i++)
    if (!hy_poly_is_linear(prover->constraints.data[i]->poly)) return true;
  return prover->levels[0].divided.count > 0;
}

bool hy_search_refute_question(hy_prover *prover) {
  hy_state *first = &prover->levels[0], *saved = &prover->saved;
  if (first->closed) return true;
  hy_state_copy(saved, first);
  if (hy_search_refute(prover, 0)) return true;
  if (!is_nonlinear(prover)) return false;
  hy_state_copy(first, saved);
  prover->nodes = prover->splits_taken = 0;
  prover->overflow = false;
  prover->thorough = true;
  return hy_search_refute(prover, 0);
}

bool hy_search_refute(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  if (++prover->nodes > HY_PROVER_NODES) return false;
  for (;;) {
    if (saturate(prover, level)) return true;
    prover->leaf = level;
    if (state->lost) return false;
    int split = pick_split(prover, state);
    bool nonlinear = hy_products_wanted(state);
    // Products before splits at the top, where all branches profit, and at the leaves.
    if (nonlinear && state->products_done < PRODUCT_ROUNDS &&
        (split < 0 || (level <= 1 && !state->splits.data[split]->is_goal))) {
      hy_products_add(prover, state, state->products_done++ == 1);
      continue;
    }
    if (split >= 0) return refute_split(prover, level, split);
    hy_monomial monomial;
    hy_rational value;
    bool fractional = hy_simplex_fractional(&state->simplex, &monomial, &value);
    if (fractional && refute_fraction(prover, level)) return true;
    if ((fractional || nonlinear) && state->splits.count && prover->nodes < HY_PROVER_NODES)
      return refute_split(prover, level, (int)state->splits.count - 1);
    prover->leaf = level;
    return false;
  }
}

/* -- counterexamples -- */

typedef struct {
  hy_prover *prover;
  const hy_state *state;
} point;

// Variables only: an eliminated one follows from the others; one that nothing mentions is 0.
static bool variable_at(void *self, const hy_expr *unknown, hy_wide *value) {
  const point *p = self;
  if (unknown->kind != HY_EXPR_VAR || !hy_terms_is_whole(unknown)) return false;
  *value = 0;
  if (unknown->type == HY_BOOL) {
    for (size_t i = 0; i < p->state->literals.count; i++)
      if (p->state->literals.data[i].expr == unknown) *value = p->state->literals.data[i].polarity;
    return true;
  }
  const hy_poly *poly = hy_terms_poly(&p->prover->terms, unknown);
  const hy_poly *image = poly ? hy_fact_set_image(p->prover, p->prover->set, poly) : NULL;
  bool overflow = false;
  if (!image) return false;
  *value = image->constant;
  for (uint32_t i = 0; i < image->count; i++) {
    hy_rational part = hy_rational_of(0);
    if (hy_monomial_degree(image->terms[i].monomial) > 1) return false;
    if (hy_simplex_value(&p->state->simplex, image->terms[i].monomial, &part) && !hy_rational_is_whole(part))
      part = hy_rational_of(hy_rational_floor(part));
    *value = hy_wide_add(*value, hy_wide_mul(image->terms[i].coefficient, part.num, &overflow), &overflow);
  }
  return !overflow && *value == (int64_t)*value;
}

bool hy_search_counterexample(hy_prover *prover, const hy_state *state, const hy_expr *goal) {
  point p = {prover, state};
  hy_wide value;
  if (state->lost || goal->has_access || !prover->set->is_plain) return false;
  if (!hy_evaluate(goal, variable_at, &p, &value) || value != 0) return false;
  for (size_t i = 0; i < prover->set->fact_count; i++)
    if (!hy_evaluate(prover->set->facts[i], variable_at, &p, &value) || value != 1) return false;
  return true;
}
