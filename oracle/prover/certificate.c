#include "oracle/prover/prover_internal.h"

#include <string.h>

/* The judge of contradictions: it knows constraints and multipliers, and nothing of the simplex. Its arithmetic is its
 * own and naive.
 */

enum { MAX_SUM = 2048 };

typedef struct {
  hy_wide constant;
  hy_term terms[MAX_SUM];
  int count;
  bool overflow;
} sum;

static void add_term(sum *s, hy_wide coefficient, hy_monomial monomial) {
  if (monomial == 0) {
    s->constant = hy_wide_add(s->constant, coefficient, &s->overflow);
    return;
  }
  for (int i = 0; i < s->count; i++) {
    if (s->terms[i].monomial != monomial) continue;
    s->terms[i].coefficient = hy_wide_add(s->terms[i].coefficient, coefficient, &s->overflow);
    return;
  }
  if (s->count == MAX_SUM)
    s->overflow = true;
  else
    s->terms[s->count++] = (hy_term){coefficient, monomial};
}

static void add_poly(sum *s, hy_wide factor, const hy_poly *poly) {
  s->constant = hy_wide_add(s->constant, hy_wide_mul(factor, poly->constant, &s->overflow), &s->overflow);
  for (uint32_t i = 0; i < poly->count; i++)
    add_term(s, hy_wide_mul(factor, poly->terms[i].coefficient, &s->overflow), poly->terms[i].monomial);
}

static bool is_constant(const sum *s) {
  for (int i = 0; i < s->count; i++)
    if (s->terms[i].coefficient != 0) return false;
  return true;
}

static void start(sum *s) { s->constant = 0, s->count = 0, s->overflow = false; }

/* -- contradictions -- */

// The least common multiple of the denominators, by which the multipliers become whole.
static hy_wide common_denominator(const hy_simplex *simplex, bool *overflow) {
  hy_wide multiple = 1;
  for (int i = 0; i < simplex->conflict_count; i++) {
    hy_wide den = simplex->conflict[i].multiplier.den;
    multiple = hy_wide_mul(multiple, den / hy_wide_gcd(multiple, den), overflow);
    if (*overflow) return 1;
  }
  return multiple;
}

// Sum of multiplier * constraint is a constant below 0, multipliers of inequalities are not negative.
static bool adds_up(const hy_prover *prover, const hy_ingredient *steps, int count, hy_wide scale, bool *overflow) {
  sum s;
  start(&s);
  for (int i = 0; i < count; i++) {
    const hy_linear_constraint *constraint = prover->constraints.data[steps[i].constraint];
    if (!constraint->is_equal && steps[i].multiplier.num < 0) return false;
    add_poly(&s, hy_wide_mul(steps[i].multiplier.num, scale / steps[i].multiplier.den, &s.overflow), constraint->poly);
  }
  *overflow = s.overflow;
  return is_constant(&s) && s.constant < 0;
}

static bool is_product(hy_origin_of origin) {
  return origin == HY_ORIGIN_PRODUCT || origin == HY_ORIGIN_MULTIPLE || origin == HY_ORIGIN_SQUARE;
}

hy_proof *hy_proof_new(hy_prover *prover, int kind, int count) {
  hy_proof *proof = hy_arena_allocate(prover->arena, sizeof *proof + sizeof proof->parts[0] * (size_t)count);
  proof->kind = kind;
  proof->count = count;
  return proof;
}

bool hy_certificate_close(hy_prover *prover, hy_state *state) {
  const hy_simplex *simplex = &state->simplex;
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_SUM, simplex->conflict_count);
  size_t first = prover->steps.count;
  for (int i = 0; i < simplex->conflict_count; i++) {
    const hy_simplex_part *part = &simplex->conflict[i];
    const hy_linear_constraint *constraint = prover->constraints.data[part->reason];
    bool overflow = false, agrees = (constraint->form == constraint->poly) == part->is_low;
    hy_rational multiplier = agrees ? part->multiplier : hy_rational_neg(part->multiplier, &overflow);
    hy_vec_push(&prover->steps, (hy_ingredient){prover->closings, part->reason, multiplier});
    proof->parts[i] = (hy_proof_part){constraint, multiplier};
    if (is_product(constraint->origin)) prover->used_product = true;
  }
  prover->closings++;
  bool overflow = false;
  hy_wide scale = common_denominator(simplex, &overflow);
  if (overflow) return false;
  bool fine = adds_up(prover, prover->steps.data + first, simplex->conflict_count, scale, &overflow);
  if (overflow) return false;
  if (!fine) HY_DIE("a contradiction of the prover does not multiply out");
  state->proof = proof;
  return true;
}

/* -- constraints -- */

// g*p + c >= 0 |- p + floor(c/g) >= 0
static void check_division(const hy_linear_constraint *constraint) {
  const hy_poly *source = constraint->source, *poly = constraint->poly;
  if (source == poly) return;
  HY_ASSERT(source->count == poly->count && poly->count > 0);
  hy_wide divisor = source->terms[0].coefficient / poly->terms[0].coefficient;
  HY_ASSERT(divisor > 0);
  for (uint32_t i = 0; i < poly->count; i++)
    HY_ASSERT(source->terms[i].monomial == poly->terms[i].monomial &&
              source->terms[i].coefficient == divisor * poly->terms[i].coefficient);
  hy_wide lost = source->constant - divisor * poly->constant;
  HY_ASSERT(constraint->is_equal ? lost == 0 : lost >= 0 && lost < divisor);
}

// source == left * right as polynomials
static void check_product(const hy_poly *source, const hy_poly *left, const hy_poly *right) {
  sum s;
  start(&s);
  add_poly(&s, -1, source);
  for (uint32_t i = 0; i <= left->count; i++)
    for (uint32_t j = 0; j <= right->count; j++) {
      hy_term a = {left->constant, 0}, b = {right->constant, 0};
      if (i < left->count) a = left->terms[i];
      if (j < right->count) b = right->terms[j];
      hy_monomial product;
      HY_ASSERT(hy_monomial_mul(a.monomial, b.monomial, &product));
      add_term(&s, hy_wide_mul(a.coefficient, b.coefficient, &s.overflow), product);
    }
  HY_ASSERT(!s.overflow && is_constant(&s) && s.constant == 0);
}

void hy_certificate_check_constraint(hy_prover *prover, const hy_linear_constraint *constraint) {
  check_division(constraint);
  if (!is_product(constraint->origin)) return;
  if (prover->set->eliminated.count) return; // a product may have been rewritten by definitions
  bool is_multiple = constraint->origin == HY_ORIGIN_MULTIPLE, is_square = constraint->origin == HY_ORIGIN_SQUARE;
  const hy_poly *atom = is_multiple || is_square ? hy_poly_atom(prover->arena, (uint32_t)constraint->right) : NULL;
  const hy_linear_constraint *left = is_square ? NULL : prover->constraints.data[constraint->left];
  const hy_linear_constraint *right = atom ? NULL : prover->constraints.data[constraint->right];
  HY_ASSERT(constraint->is_equal == is_multiple);
  HY_ASSERT(is_multiple ? left->is_equal : is_square || (!left->is_equal && !right->is_equal));
  check_product(constraint->source, left ? left->poly : atom, right ? right->poly : atom);
}
