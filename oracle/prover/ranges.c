#include "oracle/prover/prover_internal.h"

/* That a number fits is shown by the ranges of what it is made of, as numeric ranges have found it: the range of a
 * minimum from those of its sides, of a quotient from that of what is divided, of a loop's variable from those of what
 * its bounds are made of. Each range is a lemma of its own, and shown by what it is made of alone, in a state that holds
 * nothing else: the whole state has hundreds of constraints, and minima inside of minima have a case for each path.
 *
 *   least(P) >= k  |-  min(P, 0) >= min(k, 0)          x + R >= 0, R <= k  |-  x >= -k
 *
 * A maximum is what is left of a number without its minimum, P - min(P, 0), and no more than the number can be: the two
 * ends of which it is the difference are not reached together, clamp(x, 0, 1000) of an x of 64 bits.
 *
 *   P <= k  |-  P - min(P, 0) <= max(k, 0)
 *
 * Ranges are asked for from the goal inwards, so that nothing is looked at that it does not need.
 */

enum { MOST_WANTED = 600, MOST_DEPTH = 80, MOST_PARTS = 64, MOST_ROUNDS = 3 };

typedef struct {
  hy_monomial unknown;
  int sign;
} end;

typedef struct {
  hy_prover *prover;
  hy_state *state;
  int level, tries, depth;
  HY_VEC(end) asked; // so that what depends on itself is not asked for again
} ranges;

static bool want(ranges *r, hy_monomial x, int sign);

/* -- lemmas in a state of their own -- */

// The constraints that a lemma is shown by.
typedef struct {
  int numbers[MOST_PARTS];
  int count;
} parts;

static bool add_part(parts *p, int number) {
  if (p->count == MOST_PARTS) return false;
  p->numbers[p->count++] = number;
  return true;
}

// The ends of all unknowns of sign * poly but of one, from below; false: one has none.
static bool add_ends(const ranges *r, parts *p, const hy_poly *poly, int sign, hy_monomial but) {
  for (uint32_t i = 0; i < poly->count; i++) {
    int reason;
    bool is_low = (poly->terms[i].coefficient > 0) == (sign > 0);
    if (poly->terms[i].monomial == but) continue;
    if (!hy_simplex_bound_reason(&r->state->simplex, poly->terms[i].monomial, is_low, &reason)) return false;
    if (!add_part(p, reason)) return false;
  }
  return true;
}

// Without what defines the unknowns: the parts are all that it takes.
static void check_alone(hy_prover *prover, hy_state *state) {
  state->waiting.count = 0;
  hy_state_check(prover, state);
}

static void choose_polys(hy_prover *prover, hy_state *state, const hy_split *split, int choice) {
  for (int i = 0; i < split->alternatives[choice].poly_count; i++) {
    const hy_alternative *a = &split->alternatives[choice];
    prover->cause = (hy_ground){.kind = HY_CAUSE_ALTERNATIVE, .split = split, .choice = choice, .part = i};
    hy_state_constrain(prover, state, a->polys[i], a->is_equal[i], HY_ORIGIN_SPLIT, -1, -1);
  }
}

static const hy_proof *show_by_cases(const ranges *r, hy_state *denied, const hy_split *split) {
  hy_prover *prover = r->prover;
  hy_state *below = &prover->levels[r->level + 2];
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_SPLIT, 0);
  proof->split = split;
  for (int choice = 0; choice < split->count; choice++) {
    hy_state_copy(below, denied);
    choose_polys(prover, below, split, choice);
    check_alone(prover, below);
    if (!below->closed) return NULL;
    proof->branches[choice] = below->proof;
  }
  return proof;
}

// Is poly >= 0 by these constraints alone, and the cases of a split if there is one?
static bool show(ranges *r, const hy_poly *poly, const parts *p, const hy_split *split) {
  hy_prover *prover = r->prover;
  hy_state *denied = &prover->levels[r->level + 1];
  if (!poly) return false;
  hy_state_clear(denied);
  for (int i = 0; i < p->count && !denied->closed; i++) hy_state_adopt(prover, denied, p->numbers[i]);
  prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
  hy_state_constrain(prover, denied, hy_poly_scale(prover->arena, -1, poly, -1), false, HY_ORIGIN_SPLIT, -1, -1);
  check_alone(prover, denied);
  const hy_proof *proof = denied->closed           ? denied->proof
                          : split && !denied->lost ? show_by_cases(r, denied, split)
                                                   : NULL;
  return hy_lemma_add(prover, r->level, poly, proof);
}

/* -- ranges -- */

static bool has_end(const ranges *r, hy_monomial x, int sign) {
  hy_wide ignored;
  return hy_simplex_bound(&r->state->simplex, x, sign > 0, &ignored);
}

// Has sign * poly ends from below for all unknowns but one? They are asked for.
static bool want_all(ranges *r, const hy_poly *poly, int sign, hy_monomial but) {
  for (uint32_t i = 0; i < poly->count; i++) {
    int turned = (poly->terms[i].coefficient > 0) == (sign > 0) ? 1 : -1;
    if (poly->terms[i].monomial != but && !want(r, poly->terms[i].monomial, turned)) return false;
  }
  return true;
}

// The least value of sign * poly by the ends of its unknowns, without that of one.
static bool least_value(const ranges *r, const hy_poly *poly, int sign, hy_monomial but, hy_wide *least) {
  bool overflow = false;
  *least = hy_wide_mul(sign, poly->constant, &overflow);
  for (uint32_t i = 0; i < poly->count; i++) {
    hy_wide bound, k = hy_wide_mul(sign, poly->terms[i].coefficient, &overflow);
    if (poly->terms[i].monomial == but) continue;
    if (!hy_simplex_bound(&r->state->simplex, poly->terms[i].monomial, k > 0, &bound)) return false;
    *least = hy_wide_add(*least, hy_wide_mul(k, bound, &overflow), &overflow);
  }
  return !overflow;
}

// sign * x - least >= 0
static const hy_poly *end_of(const ranges *r, hy_monomial x, int sign, hy_wide least) {
  return hy_poly_scale(r->prover->arena, 1, hy_poly_monomial(r->prover->arena, sign, x), -least);
}

// min(a, 0), or a or 0: by its two cases.
static bool end_by_cases(ranges *r, const hy_atom *atom, int sign) {
  hy_monomial x = hy_monomial_of(atom->number);
  const hy_poly *a = hy_fact_set_image(r->prover, r->prover->set, atom->a);
  const hy_split *split = hy_state_split(r->state, atom);
  hy_wide least;
  parts p = {.count = 0};
  if (!a || !split || !want_all(r, a, sign, 0) || !least_value(r, a, sign, 0, &least)) return false;
  return add_ends(r, &p, a, sign, 0) && show(r, end_of(r, x, sign, least < 0 ? least : 0), &p, split);
}

static bool is_divided(const hy_state *state, const hy_atom *atom) {
  for (size_t i = 0; i < state->divided.count; i++)
    if (state->divided.data[i] == atom->number) return true;
  return false;
}

// a / m for an m >= 1: between a and 0.
static bool end_of_quotient(ranges *r, const hy_atom *atom, int sign) {
  const hy_poly *a = hy_fact_set_image(r->prover, r->prover->set, atom->a);
  hy_wide least;
  if (!a || !is_divided(r->state, atom) || !want_all(r, a, sign, 0) || !least_value(r, a, sign, 0, &least))
    return false;
  if (least > 0) least = 0;
  return hy_quotient_order(r->prover, r->level, atom, hy_poly_constant(r->prover->arena, sign * least), sign > 0);
}

// k*x + rest >= 0 bounds x where the rest is bounded.
static bool end_by_constraint(ranges *r, hy_monomial x, int sign, int number) {
  const hy_linear_constraint *c = r->prover->constraints.data[number];
  hy_wide k = 0, least;
  for (uint32_t i = 0; i < c->poly->count; i++)
    if (c->poly->terms[i].monomial == x) k = c->poly->terms[i].coefficient;
  if (k == 0 || (!c->is_equal && (k > 0) != (sign > 0))) return false;
  int turned = (k > 0) == (sign > 0) ? 1 : -1; // |k| * (sign * x) >= -turned * rest
  parts p = {.count = 0};
  if (!want_all(r, c->poly, -turned, x) || !least_value(r, c->poly, -turned, x, &least)) return false;
  hy_wide above = hy_wide_div(least, k < 0 ? -k : k);
  return add_part(&p, number) && add_ends(r, &p, c->poly, -turned, x) && show(r, end_of(r, x, sign, above), &p, NULL);
}

static bool end_by_constraints(ranges *r, hy_monomial x, int sign) {
  size_t count = r->state->active.count; // lemmas add more
  for (size_t i = 0; i < count && !has_end(r, x, sign); i++)
    if (end_by_constraint(r, x, sign, r->state->active.data[i])) return true;
  return has_end(r, x, sign);
}

static bool end_of_product(ranges *r, hy_monomial x, int sign) {
  hy_monomial first = hy_monomial_of(hy_monomial_atom(x, 0)), rest;
  if (!hy_monomial_divide(x, first, &rest)) return false;
  for (int side = 1; side >= -1; side -= 2)
    if (!want(r, first, side) || !want(r, rest, side)) return false;
  return hy_product_bound(r->prover, r->level, x, sign);
}

static bool find_end(ranges *r, hy_monomial x, int sign) {
  if (hy_monomial_degree(x) > 1) return end_of_product(r, x, sign);
  if (hy_monomial_degree(x) != 1) return false;
  const hy_atom *atom = hy_terms_atom(&r->prover->terms, hy_monomial_atom(x, 0));
  bool has_cases = atom->kind == HY_ATOM_NEGATIVE || atom->kind == HY_ATOM_CHOICE;
  if (has_cases && end_by_cases(r, atom, sign)) return true;
  if (atom->kind == HY_ATOM_RATIO && end_of_quotient(r, atom, sign)) return true;
  return end_by_constraints(r, x, sign);
}

// Is sign * x bounded from below? If not yet, by a lemma.
static bool want(ranges *r, hy_monomial x, int sign) {
  if (has_end(r, x, sign)) return true;
  for (size_t i = 0; i < r->asked.count; i++)
    if (r->asked.data[i].unknown == x && r->asked.data[i].sign == sign) return false;
  if (r->depth == MOST_DEPTH || ++r->tries > MOST_WANTED || r->state->closed || r->state->lost) return false;
  hy_vec_push(&r->asked, ((end){x, sign}));
  r->depth++;
  bool found = find_end(r, x, sign) && has_end(r, x, sign);
  r->depth--;
  return found;
}

/* -- what fits -- */

// What a comparison says is at least 0, with what equalities define; NULL: it does not fit.
static const hy_poly *side_of(const ranges *r, const hy_expr *comparison) {
  const hy_poly *d = hy_prover_difference(r->prover, comparison);
  const hy_poly *least = d && comparison->op == HY_OP_LE ? hy_poly_scale(r->prover->arena, -1, d, 0) : d;
  return least ? hy_fact_set_image(r->prover, r->prover->set, least) : NULL;
}

static void define_divisions(const ranges *r) {
  if (!r->state->divisions.count) return;
  r->state->divisions_tried = false;
  do hy_state_check(r->prover, r->state);
  while (!r->state->closed && !r->state->lost && hy_divisions_define(r->prover, r->level));
}

// What depends on itself was not asked for again, and what depends on that may have an end all the same: it is asked for
// once more, where the ends that have been found since are known.
static bool want_ends(ranges *r, const hy_poly *image) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    if (want_all(r, image, 1, 0)) return true;
    r->asked.count = 0;
  }
  return false;
}

static bool show_by_ends(ranges *r, const hy_poly *image) {
  parts p = {.count = 0};
  return want_ends(r, image) && add_ends(r, &p, image, 1, 0) && show(r, image, &p, NULL);
}

// a - min(a, 0) <= max(most(a), 0): by its two cases.
static void bound_maximum(ranges *r, const hy_atom *atom) {
  const hy_poly *a = hy_fact_set_image(r->prover, r->prover->set, atom->a),
                *x = hy_poly_atom(r->prover->arena, atom->number);
  const hy_split *split = hy_state_split(r->state, atom);
  hy_wide least;
  parts p = {.count = 0};
  if (!a || !split || !want_all(r, a, -1, 0) || !least_value(r, a, -1, 0, &least)) return;
  const hy_poly *below = hy_poly_sub(r->prover->arena, x, a);
  if (!below || !add_ends(r, &p, a, -1, 0)) return;
  (void)show(r, hy_poly_scale(r->prover->arena, 1, below, least < 0 ? -least : 0), &p, split);
}

static void bound_maxima(ranges *r, const hy_poly *image) {
  for (uint32_t i = 0; i < image->count; i++) {
    if (hy_monomial_degree(image->terms[i].monomial) != 1) continue;
    const hy_atom *atom = hy_terms_atom(&r->prover->terms, hy_monomial_atom(image->terms[i].monomial, 0));
    if (atom->kind == HY_ATOM_NEGATIVE) bound_maximum(r, atom);
  }
}

static void show_side(ranges *r, const hy_expr *comparison) {
  const hy_poly *image = side_of(r, comparison);
  if (!image) return;
  hy_state_define(r->prover, r->state, image);
  define_divisions(r);
  if (!show_by_ends(r, image)) bound_maxima(r, image);
}

void hy_prover_add_ranges(hy_prover *prover, int level, const hy_expr *goal) {
  ranges r = {.prover = prover, .state = &prover->levels[level], .level = level};
  for (int side = 0; side < 2 && level + 1 < HY_PROVER_LEVELS; side++) show_side(&r, goal->args[side]);
  hy_vec_free(&r.asked);
}
