#include "oracle/prover/evaluate.h"
#include "oracle/prover/prover_internal.h"

/* Refuting a state: the simplex first, then what its rational point tells. A pending split that the point violates must
 * be taken; if none is violated, whole numbers and products are what the rationals do not know about.
 */

enum {
  SIMPLE_NODES = 24,
  SIMPLE_SHARE = 8,
  ORDER_SHARE = 4,
  QUICK_NODES = 48,
  PRODUCT_ROUNDS = 3,
  MAX_FORMULA_DEPTH = 60
};

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
  const hy_expr *plain = hy_floats_plain(prover->context, formula);
  if (plain != formula) return formula_at(prover, state, plain, polarity, depth);
  if (formula->op == HY_OP_NOT) return formula_at(prover, state, formula->args[0], !polarity, depth);
  if (formula->op != HY_OP_AND && formula->op != HY_OP_OR) return UNSETTLED;
  truth a = formula_at(prover, state, formula->args[0], polarity, depth);
  truth b = formula_at(prover, state, formula->args[1], polarity, depth);
  truth decides = (formula->op == HY_OP_AND) == polarity ? FALSE_THERE : TRUE_THERE;
  return a == decides || b == decides ? decides : a == b ? a : UNSETTLED;
}

static truth formula_at(hy_prover *prover, const hy_state *state, const hy_expr *formula, bool polarity, int depth) {
  if (depth > MAX_FORMULA_DEPTH || ++prover->looks > prover->patience->formulas) return UNSETTLED;
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

/* -- what the goal is made of -- */

static bool is_near(const hy_prover *prover, uint32_t atom) {
  return atom / 32 < prover->near.count && (prover->near.data[atom / 32] >> atom % 32 & 1);
}

static void note_near(hy_prover *prover, const hy_poly *poly, int depth) {
  enum { MAX_NEAR_DEPTH = 60 };
  const hy_poly *image = poly && depth < MAX_NEAR_DEPTH ? hy_fact_set_image(prover, prover->set, poly) : NULL;
  for (uint32_t i = 0; image && i < image->count; i++)
    for (int k = 0; k < hy_monomial_degree(image->terms[i].monomial); k++) {
      uint32_t number = hy_monomial_atom(image->terms[i].monomial, k);
      if (is_near(prover, number)) continue;
      while (prover->near.count <= number / 32) hy_vec_push(&prover->near, 0);
      prover->near.data[number / 32] |= (uint32_t)1 << number % 32;
      const hy_atom *atom = hy_terms_atom(&prover->terms, number);
      note_near(prover, atom->a, depth + 1);
      note_near(prover, atom->m, depth + 1);
    }
}

static void see_comparison(void *self, const hy_expr *node) {
  if (hy_prover_is_comparison(node)) note_near(self, hy_prover_difference(self, node), 0);
}

// The pending split to take: of the goal, or violated at the point, or unsettled there, what the goal is made of before
// all else; -1 if all hold there.
static int pick_split(hy_prover *prover, const hy_state *state) {
  int unsettled = -1, violated = -1;
  prover->looks = 0;
  for (size_t i = 0; i < state->splits.count; i++)
    if (state->splits.data[i]->is_goal) return (int)i;
  for (size_t i = 0; i < state->splits.count; i++) {
    const hy_split *split = state->splits.data[i];
    bool near = !split->formula && is_near(prover, split->atom);
    if (violated >= 0 && !near) continue;
    truth t = split_at(prover, state, split);
    if (t == FALSE_THERE && near) return (int)i;
    if (t == FALSE_THERE) violated = (int)i;
    if (t == UNSETTLED && unsettled < 0) unsettled = (int)i;
  }
  return violated >= 0 ? violated : unsettled;
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

// above >= 0, or -above - 1 >= 0.
static bool refute_both_sides(hy_prover *prover, int level, const hy_poly *above) {
  const hy_poly *under = above ? hy_poly_scale(prover->arena, -1, above, -1) : NULL;
  if (level >= HY_PROVER_LEVELS || !under) return false;
  prover->splits_taken++;
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_CUT, 0);
  proof->poly = above;
  for (int side = 0; side < 2; side++) {
    hy_state *below = &prover->levels[level + 1];
    hy_state_copy(below, &prover->levels[level]);
    prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
    hy_state_constrain(prover, below, side ? above : under, false, HY_ORIGIN_CUT, -1, -1);
    if (!hy_search_refute(prover, level + 1)) return false;
    proof->branches[side] = below->proof;
  }
  prover->levels[level].proof = proof;
  return true;
}

// An unknown without a whole value is <= its floor or >= the next number.
static bool refute_fraction(hy_prover *prover, int level) {
  hy_monomial monomial;
  hy_rational value;
  if (!hy_simplex_fractional(&prover->levels[level].simplex, &monomial, &value)) return false;
  const hy_poly *unknown = hy_poly_monomial(prover->arena, 1, monomial);
  return refute_both_sides(prover, level, hy_poly_scale(prover->arena, 1, unknown, -hy_rational_floor(value) - 1));
}

/* -- the search -- */

// A goal that is still to be taken apart tells nothing of what is worth knowing: what the point breaks would be chance.
static bool awaits_goal(const hy_state *state) {
  for (size_t i = 0; i < state->splits.count; i++)
    if (state->splits.data[i]->is_goal) return true;
  return false;
}

// Everything that needs no branch; true when the state is closed.
static bool saturate(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  for (;;) {
    hy_state_check(prover, state);
    if (state->closed || state->lost) return state->closed;
    if (hy_divisions_define(prover, level)) continue;
    if (awaits_goal(state)) return false;
    if (hy_floats_add(prover, level)) continue;
    if (prover->simple) return false;
    if (!prover->quick && hy_cuts_add(prover, level)) continue;
    if (!prover->thorough || state->quotients_bounded) return false;
    state->quotients_bounded = true;
    hy_quotients_bound(prover, level);
    state->divisions_tried = false; // a divisor may have become known
  }
}

// Would lemmas about quotients and products have something to say?
static bool is_nonlinear(const hy_prover *prover) {
  for (size_t i = 0; i < prover->constraints.count; i++)
    if (!hy_poly_is_linear(prover->constraints.data[i]->poly)) return true;
  return prover->levels[0].divided.count > 0;
}

static void begin_again(hy_prover *prover, const hy_state *from) {
  hy_state_copy(&prover->levels[0], from);
  prover->nodes = prover->splits_taken = 0;
  prover->overflow = false;
}

// What all attempts begin with; true when that closes the state.
static bool define_divisions(hy_prover *prover) {
  hy_state *state = &prover->levels[0];
  do hy_state_check(prover, state);
  while (!state->closed && !state->lost && hy_divisions_define(prover, 0));
  return state->closed;
}

// What only fits is shown by ranges, side by side: then the goal is taken apart and closes at once.
static bool refute_with_ranges(hy_prover *prover, const hy_expr *goal) {
  hy_prover_add_ranges(prover, 0, goal);
  return hy_search_refute(prover, 0);
}

// From the orders that level 0 has by now: first simply, then with lemmas.
static bool refute_ordered(hy_prover *prover, uint64_t share) {
  hy_state_check(prover, &prover->levels[0]);
  hy_state_copy(&prover->ordered, &prover->levels[0]);
  prover->simple = true;
  prover->work = 0;
  prover->nodes = 0;
  bool refuted = prover->levels[0].closed || hy_search_refute(prover, 0);
  prover->simple = false;
  prover->work = 0;
  prover->work_limit = share;
  if (!refuted) begin_again(prover, &prover->ordered);
  return refuted || hy_search_refute(prover, 0);
}

// Orders of quotients often are all that it takes; where they are not, they only stand in the way of what follows.
static bool refute_with_orders(hy_prover *prover, const hy_expr *goal, uint64_t limit) {
  uint64_t share = limit / ORDER_SHARE, least = share < HY_PROVER_WORK ? share : HY_PROVER_WORK;
  prover->work_limit = least;
  hy_state_copy(&prover->ordered, &prover->levels[0]);
  bool refuted = hy_orders_add(prover, 0, goal) && refute_ordered(prover, share);
  if (!refuted) {
    begin_again(prover, &prover->ordered);
    prover->formulas = prover->lemmas = 0;
    prover->work = 0;
    prover->work_limit = least;
    refuted = hy_orders_add_by_cases(prover, 0, goal) && refute_ordered(prover, share);
  }
  prover->work_limit = limit;
  return refuted;
}

static bool refute_by_signs(hy_prover *prover, int level, const hy_expr *goal);

// With orders of products by what is known of their factors there; then by the sign of the next one.
static bool refute_case(hy_prover *prover, int level, const hy_expr *goal) {
  enum { MOST_SIGNS = 2 };
  hy_state *state = &prover->levels[level];
  hy_state_check(prover, state);
  if (state->closed) return true;
  if (prover->signs_told < MOST_SIGNS && refute_by_signs(prover, level, goal)) return true;
  hy_orders_add(prover, level, goal);
  hy_orders_add_by_cases(prover, level, goal);
  return hy_search_refute(prover, level);
}

// A factor that is a parameter may be of either sign, and products are ordered in each case: s >= 0, or s <= -1.
static bool refute_by_signs(hy_prover *prover, int level, const hy_expr *goal) {
  const hy_poly *factor = level < HY_PROVER_LEVELS ? hy_orders_sign(prover, level, goal) : NULL;
  const hy_poly *negative = factor ? hy_poly_scale(prover->arena, -1, factor, -1) : NULL;
  if (!negative) return false;
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_CUT, 0);
  proof->poly = factor;
  prover->signs_told++;
  bool refuted = true;
  for (int side = 0; side < 2 && refuted; side++) {
    hy_state *below = &prover->levels[level + 1];
    hy_state_copy(below, &prover->levels[level]);
    prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
    hy_state_constrain(prover, below, side ? factor : negative, false, HY_ORIGIN_CUT, -1, -1);
    refuted = refute_case(prover, level + 1, goal);
    proof->branches[side] = below->proof;
  }
  prover->signs_told--;
  if (refuted) prover->levels[level].proof = proof;
  return refuted;
}

static bool begin_with_signs(hy_prover *prover, const hy_expr *goal) {
  begin_again(prover, &prover->saved);
  prover->formulas = prover->lemmas = 0;
  prover->work = 0;
  prover->signs_told = prover->leaf = 0;
  return refute_by_signs(prover, 0, goal);
}

// First without lemmas and products, which is enough for most; then with them, and with more of them; then by signs.
bool hy_search_refute_question(hy_prover *prover, const hy_expr *goal) {
  if (prover->levels[0].closed) return true;
  prover->near.count = 0;
  prover->sizes_matter = hy_prover_says_only_fits(goal);
  hy_expr_visit(goal, see_comparison, prover);
  if (prover->quick) return hy_search_refute(prover, 0);
  if (define_divisions(prover)) return true;
  hy_state_copy(&prover->saved, &prover->levels[0]);
  uint64_t limit = prover->work_limit;
  prover->simple = true;
  prover->work_limit = limit / SIMPLE_SHARE;
  bool refuted = prover->sizes_matter ? refute_with_ranges(prover, goal) : hy_search_refute(prover, 0);
  prover->simple = false;
  prover->work_limit = limit;
  if (refuted) return true;
  begin_again(prover, &prover->saved);
  prover->formulas = 0;
  prover->work = 0;
  if (refute_with_orders(prover, goal, limit)) return true;
  begin_again(prover, &prover->saved);
  prover->formulas = prover->lemmas = 0;
  prover->work = 0;
  if (hy_search_refute(prover, 0)) return true;
  if (!is_nonlinear(prover)) return false;
  begin_again(prover, &prover->saved);
  prover->levels[0].divisions_tried = false;
  prover->thorough = true;
  if (hy_search_refute(prover, 0)) return true;
  prover->thorough = false;
  return begin_with_signs(prover, goal);
}

bool hy_search_refute(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  int most = prover->simple ? SIMPLE_NODES : prover->quick ? QUICK_NODES : prover->patience->nodes;
  if (++prover->nodes > most || hy_prover_is_tired(prover)) return false;
  for (;;) {
    if (saturate(prover, level)) return true;
    prover->leaf = level;
    if (state->lost) return false;
    if (state->sign) return refute_both_sides(prover, level, state->sign);
    int split = pick_split(prover, state);
    bool nonlinear = !prover->simple && hy_products_wanted(state);
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
    if ((fractional || nonlinear) && state->splits.count && prover->nodes < prover->patience->nodes)
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
