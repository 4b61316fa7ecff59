#include "oracle/prover/prover_internal.h"

#include <math.h>

/* Lemmas on demand. The simplex's point satisfies what is linear; where it breaks something that is true of quotients,
 * minima or products, that is worth showing. Floating point only chooses what to try: what is added has a proof.
 */

enum {
  MOST_ROUNDS = 12,
  MOST_ATOMS = 40,
  MOST_PRODUCTS = 16,
  MOST_MONOMIALS = 64,
  SLOTS = 256,
  MOST_ROUNDED = 8,
  SEARCH_EFFORT = 4, // to see that a constraint does not mention an unknown
  MOST_DIVISORS = 4
};

static const double slack = 1e-6;

typedef struct {
  hy_prover *prover;
  int level;
  hy_state *state;
  hy_monomial monomials[MOST_MONOMIALS]; // of degree 2 and more, and their values
  double values[MOST_MONOMIALS];
  uint8_t slots[SLOTS]; // by hash: the position of a monomial there, plus 1; 0 = free
  int count, added;
} cutter;

/* -- the point -- */

static double to_double(hy_rational a) { return (double)a.num / (double)a.den; }

static uint8_t *slot_of(cutter *c, hy_monomial monomial) {
  size_t i = (monomial * 0x9e3779b97f4a7c15u) >> 56;
  while (c->slots[i] && c->monomials[c->slots[i] - 1] != monomial) i = (i + 1) % SLOTS;
  return &c->slots[i];
}

static void read_point(cutter *c) {
  const hy_simplex *simplex = &c->state->simplex;
  c->prover->point.count = 0;
  while (c->prover->point.count < c->prover->terms.atoms.count) hy_vec_push(&c->prover->point, NAN);
  for (int v = 0; v < simplex->var_count; v++) {
    hy_rational value;
    if (!hy_simplex_is_unknown(simplex, v) || !hy_simplex_value(simplex, simplex->keys[v], &value)) continue;
    hy_monomial monomial = simplex->keys[v];
    if (hy_monomial_degree(monomial) == 1) {
      c->prover->point.data[hy_monomial_atom(monomial, 0)] = to_double(value);
    } else if (c->count < MOST_MONOMIALS) {
      c->values[c->count] = to_double(value);
      c->monomials[c->count++] = monomial;
      *slot_of(c, monomial) = (uint8_t)c->count;
    }
  }
}

static double at_atom(const cutter *c, uint32_t atom) {
  return atom < c->prover->point.count ? c->prover->point.data[atom] : NAN;
}

// NAN: the simplex does not know it.
static double at_monomial(cutter *c, hy_monomial monomial) {
  if (hy_monomial_degree(monomial) == 1) return at_atom(c, hy_monomial_atom(monomial, 0));
  int place = *slot_of(c, monomial);
  return place ? c->values[place - 1] : NAN;
}

static double at(cutter *c, const hy_poly *poly) {
  const hy_poly *image = poly ? hy_fact_set_image(c->prover, c->prover->set, poly) : NULL;
  if (!image) return NAN;
  double sum = (double)image->constant;
  for (uint32_t i = 0; i < image->count; i++)
    sum += (double)image->terms[i].coefficient * at_monomial(c, image->terms[i].monomial);
  return sum;
}

static bool may_try(const cutter *c) {
  return c->prover->lemmas < c->prover->patience->lemmas && !hy_prover_is_tired(c->prover) && !c->state->closed &&
         !c->state->lost;
}

/* -- quotients -- */

typedef struct {
  const hy_atom *atom;
  double q, a, m;
} division;

static void try_order(cutter *c, const division *d, const hy_poly *u, double k, bool is_least) {
  if (!may_try(c) || !(fabs(k) <= 300)) return;
  c->prover->lemmas++;
  const hy_poly *bound = hy_poly_scale(c->prover->arena, 1, u, (hy_wide)k);
  c->added += bound && hy_quotient_order(c->prover, c->level, d->atom, bound, is_least);
}

// q >= u + k needs a >= m*u + k*m; q <= u + k needs a <= m*u + k*m + m - 1. Where the point meets the premise and
// breaks the conclusion: the weakest such k, else the strongest.
static void order(cutter *c, const division *d, const hy_poly *u, double at_u, double product) {
  double weakest = floor(d->q - at_u + slack) + 1, strongest = floor((d->a - product) / d->m + slack);
  if (weakest <= strongest) {
    int before = c->added;
    try_order(c, d, u, weakest, true);
    if (c->added == before && weakest < strongest && c->prover->thorough) try_order(c, d, u, strongest, true);
  }
  weakest = ceil(d->q - at_u - slack) - 1, strongest = ceil((d->a + 1 - product) / d->m - slack) - 1;
  if (weakest >= strongest) {
    int before = c->added;
    try_order(c, d, u, weakest, false);
    if (c->added == before && weakest > strongest && c->prover->thorough) try_order(c, d, u, strongest, false);
  }
}

// Against u for every m*u that there is.
static void order_with_monomials(cutter *c, const division *d) {
  const hy_poly *m = d->atom->m;
  if (m->count != 1 || m->constant != 0 || m->terms[0].coefficient != 1) return;
  int count = c->count;
  for (int i = 0; i < count && may_try(c); i++) {
    hy_monomial rest;
    if (!hy_monomial_divide(c->monomials[i], m->terms[0].monomial, &rest)) continue;
    if (rest == hy_monomial_of(d->atom->number)) continue;
    order(c, d, hy_poly_monomial(c->prover->arena, 1, rest), at_monomial(c, rest), c->values[i]);
  }
}

// Against u for every constraint that speaks of m*u, as 2*n*m - m - t >= 0 does of m*(2*n - 1).
static void order_with_constraints(cutter *c, const division *d) {
  hy_arena *arena = c->prover->arena;
  size_t count = c->state->active.count; // lemmas add more
  for (size_t i = 0; i < count && may_try(c); i++) {
    const hy_poly *poly = c->prover->constraints.data[c->state->active.data[i]]->poly;
    const hy_poly *u = poly->count > 1 ? hy_quotient_by_monomial(arena, poly, d->atom->m) : NULL;
    if (!u || !u->count || (u->count == 1 && u->constant == 0 && u->terms[0].coefficient == 1)) continue;
    for (int sign = 1; sign >= -1; sign -= 2) {
      const hy_poly *signed_u = hy_poly_scale(arena, sign, u, 0);
      const hy_poly *product = signed_u ? hy_poly_mul(arena, d->atom->m, signed_u) : NULL;
      double at_u = at(c, signed_u), at_product = at(c, product);
      if (!isnan(at_u) && !isnan(at_product)) order(c, d, signed_u, at_u, at_product);
    }
  }
}

static void order_quotients(cutter *c) {
  division divisions[MOST_ATOMS];
  int count = 0;
  for (size_t i = 0; i < c->state->divided.count && count < MOST_ATOMS; i++) {
    const hy_atom *atom = hy_terms_atom(&c->prover->terms, c->state->divided.data[i]);
    const hy_poly *q = hy_poly_atom(c->prover->arena, atom->number);
    division d = {atom, at(c, q), at(c, atom->a), at(c, atom->m)};
    if (d.m >= 1 - slack && !isnan(d.q) && !isnan(d.a)) divisions[count++] = d;
  }
  for (int i = 0; i < count; i++) {
    order(c, &divisions[i], hy_poly_constant(c->prover->arena, 0), 0, 0);
    for (int j = 0; j < count; j++)
      if (j != i && hy_poly_same(divisions[i].atom->m, divisions[j].atom->m))
        order(c, &divisions[i], hy_poly_atom(c->prover->arena, divisions[j].atom->number), divisions[j].q,
              divisions[j].a);
    order_with_monomials(c, &divisions[i]);
  }
  for (int i = 0; i < count && !c->added; i++) order_with_constraints(c, &divisions[i]);
}

/* -- quotients by numbers, and minima -- */

static void try_lemma(cutter *c, const hy_poly *poly) {
  if (!poly || !may_try(c)) return;
  c->prover->lemmas++;
  c->added += hy_lemma_add(c->prover, c->level, poly, hy_lemma_at_least_0(c->prover, c->level, poly));
}

// The same, by the two cases of what an atom is.
static void try_case_lemma(cutter *c, const hy_poly *poly, const hy_atom *atom) {
  if (!poly || !may_try(c)) return;
  c->prover->lemmas++;
  c->added += hy_lemma_add(c->prover, c->level, poly, hy_lemma_by_cases(c->prover, c->level, poly, atom));
}

static int list_atoms(cutter *c, hy_atom_kind kind, division *list) {
  int count = 0;
  for (int v = 0; v < c->state->simplex.var_count && count < MOST_ATOMS; v++) {
    if (!hy_simplex_is_unknown(&c->state->simplex, v) || hy_monomial_degree(c->state->simplex.keys[v]) != 1) continue;
    const hy_atom *atom = hy_terms_atom(&c->prover->terms, hy_monomial_atom(c->state->simplex.keys[v], 0));
    if (atom->kind != kind) continue;
    division d = {atom, at_atom(c, atom->number), at(c, atom->a), (double)atom->divisor};
    if (!isnan(d.a)) list[count++] = d;
  }
  return count;
}

static void order_constant_quotients(cutter *c) {
  division list[MOST_ATOMS];
  int count = list_atoms(c, HY_ATOM_QUOTIENT, list);
  hy_arena *arena = c->prover->arena;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      if (j == i || list[i].atom->divisor != list[j].atom->divisor) continue;
      double k = ceil((list[j].a - list[i].a) / list[i].m - slack);
      if (!(fabs(k) < 1e15) || !(list[i].q + k < list[j].q - slack)) continue;
      const hy_poly *q1 = hy_poly_atom(arena, list[i].atom->number), *q2 = hy_poly_atom(arena, list[j].atom->number);
      try_lemma(c, hy_poly_combine(arena, 1, q1, -1, q2, (hy_wide)k));
    }
}

// A quotient of a quotient is one in the normal form, which forgets that the inner one is whole: (n + k*a) / (a*b) is
// (p + k) / b with p = n / a. Is "outer" such a one of "inner"? Then it is divided by b, and "a" is p + k at the point.
static bool is_nested(const cutter *c, const division *outer, const division *inner, hy_wide *b, double *a) {
  hy_wide divisor = inner->atom->divisor;
  if (outer->atom->divisor <= divisor || outer->atom->divisor % divisor) return false;
  const hy_poly *gap = hy_poly_sub(c->prover->arena, outer->atom->a, inner->atom->a);
  if (!gap || gap->count || gap->constant % divisor) return false;
  *b = outer->atom->divisor / divisor;
  *a = inner->q + (double)(gap->constant / divisor);
  return true;
}

// q <= other + k, and other <= q + k, where the point meets what it takes and breaks that.
static void order_nested(cutter *c, const division *nested, double a, const division *other) {
  hy_arena *arena = c->prover->arena;
  const hy_poly *q = hy_poly_atom(arena, nested->atom->number), *o = hy_poly_atom(arena, other->atom->number);
  double above = ceil((other->a - a) / other->m - slack), below = ceil((a - other->a) / other->m - slack);
  if (fabs(above) < 1e15 && nested->q + above < other->q - slack)
    try_lemma(c, hy_poly_combine(arena, 1, q, -1, o, (hy_wide)above));
  if (fabs(below) < 1e15 && other->q + below < nested->q - slack)
    try_lemma(c, hy_poly_combine(arena, 1, o, -1, q, (hy_wide)below));
}

// Against other quotients by b, as order_constant_quotients does with those that have the same divisor.
static void order_nested_quotients(cutter *c) {
  division list[MOST_ATOMS];
  int count = list_atoms(c, HY_ATOM_QUOTIENT, list);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count && may_try(c); j++) {
      hy_wide b;
      double a;
      if (!is_nested(c, &list[i], &list[j], &b, &a)) continue;
      for (int other = 0; other < count; other++)
        if (list[other].atom->divisor == b && other != j) order_nested(c, &list[i], a, &list[other]);
    }
}

// The least value of a polynomial by the bounds of its unknowns, -INFINITY if there is none.
static double least(const cutter *c, const hy_poly *poly) {
  double sum = (double)poly->constant;
  for (uint32_t i = 0; i < poly->count; i++) {
    double low, high;
    hy_simplex_bounds(&c->state->simplex, poly->terms[i].monomial, &low, &high);
    double k = (double)poly->terms[i].coefficient;
    sum += k * (k > 0 ? low : high);
  }
  return sum;
}

// n = min(a, 0): n >= L where a >= L and L <= 0; n1 <= n2 + k where a1 <= a2 + k and k >= 0
static void order_minima(cutter *c) {
  division list[MOST_ATOMS];
  int count = list_atoms(c, HY_ATOM_NEGATIVE, list);
  hy_arena *arena = c->prover->arena;
  for (int i = 0; i < count && may_try(c); i++) {
    const hy_poly *n = hy_poly_atom(arena, list[i].atom->number), *a = list[i].atom->a;
    const hy_poly *image = hy_fact_set_image(c->prover, c->prover->set, a);
    double low = image ? fmin(least(c, image), 0) : -INFINITY;
    if (low > -1e30 && list[i].q < low - slack)
      try_case_lemma(c, hy_poly_scale(arena, 1, n, -(hy_wide)low), list[i].atom);
    for (int j = 0; j < count && c->prover->thorough; j++) {
      double k = fmax(ceil(list[j].a - list[i].a - slack), 0);
      if (j == i || !(k < 1e15) || !(list[j].q > list[i].q + k + slack)) continue;
      const hy_poly *other = hy_poly_atom(arena, list[j].atom->number);
      try_case_lemma(c, hy_poly_combine(arena, 1, n, -1, other, (hy_wide)k), list[i].atom);
    }
  }
}

/* -- parts with a common divisor -- */

// p = d*w + rest >= 0: w is whole, and the rest is often known to be less than d. Where the point has a fraction for w,
// w may be at least the next number: 64*xo + xi == 64*xo' + xi' with 0 <= xi, xi' < 64 says xo >= xo'.
static void round_part(cutter *c, const hy_poly *poly, hy_wide divisor, int sign) {
  hy_arena *arena = c->prover->arena;
  const hy_poly *part, *rest;
  if (!hy_poly_divide(arena, poly, divisor, &part, &rest)) return;
  part = hy_poly_scale(arena, sign, part, 0);
  double value = at(c, part), next = ceil(value);
  if (!(fabs(value) < 1e15) || next - value < slack || next - value > 1 - slack) return;
  try_lemma(c, hy_poly_scale(arena, 1, part, -(hy_wide)next));
}

static void round_parts(cutter *c) {
  size_t count = c->state->active.count; // lemmas add more
  for (size_t i = 0; i < count && c->added < MOST_ROUNDED && may_try(c); i++) {
    const hy_linear_constraint *p = c->prover->constraints.data[c->state->active.data[i]];
    hy_wide seen[MOST_DIVISORS];
    int divisors = 0;
    for (uint32_t k = 0; k < p->poly->count && divisors < MOST_DIVISORS && p->poly->count > 1; k++) {
      hy_wide divisor = p->poly->terms[k].coefficient;
      if (divisor < 0) divisor = -divisor;
      bool is_new = divisor > 1;
      for (int j = 0; j < divisors; j++) is_new &= seen[j] != divisor;
      if (!is_new) continue;
      seen[divisors++] = divisor;
      round_part(c, p->poly, divisor, 1);
      if (p->is_equal) round_part(c, p->poly, divisor, -1);
    }
  }
}

/* -- products -- */

// The value of p * q at the point, NAN if that brings a new monomial.
static double product_at(cutter *c, const hy_poly *p, const hy_poly *q) {
  double sum = 0;
  c->prover->effort += (p->count + 1) * (q->count + 1);
  for (uint32_t i = 0; i <= p->count; i++)
    for (uint32_t j = 0; j <= q->count; j++) {
      double k = (i < p->count ? (double)p->terms[i].coefficient : (double)p->constant) *
                 (j < q->count ? (double)q->terms[j].coefficient : (double)q->constant);
      hy_monomial product = 0, a = i < p->count ? p->terms[i].monomial : 0, b = j < q->count ? q->terms[j].monomial : 0;
      if (k == 0) continue;
      if (a && b && !hy_monomial_mul(a, b, &product)) return NAN;
      if (!a || !b) product = a ? a : b;
      double value = product ? at_monomial(c, product) : 1;
      if (isnan(value)) return NAN;
      sum += k * value;
    }
  return sum;
}

static bool mentions(const hy_poly *poly, hy_monomial monomial) {
  for (uint32_t i = 0; i < poly->count; i++)
    if (poly->terms[i].monomial == monomial) return true;
  return false;
}

// Products of products only at a long look: what is fused of three loops has three factors.
static bool is_factor(const cutter *c, const hy_linear_constraint *constraint) {
  bool is_multiple = constraint->origin == HY_ORIGIN_MULTIPLE || constraint->origin == HY_ORIGIN_SQUARE;
  return !is_multiple && (constraint->origin != HY_ORIGIN_PRODUCT || c->prover->patience->is_deep);
}

static void multiply(cutter *c, const hy_linear_constraint *p, int left, const hy_linear_constraint *q, int right) {
  double value = product_at(c, p->poly, q->poly);
  if (isnan(value) || value > -1e-4 * (1 + fabs((double)p->poly->constant))) return;
  c->prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT, .factors = {p, q}};
  hy_state_constrain(c->prover, c->state, hy_poly_mul(c->prover->arena, p->poly, q->poly), false, HY_ORIGIN_PRODUCT,
                     left, right);
  c->added++;
}

static void multiply_by_atom(cutter *c, const hy_linear_constraint *p, int left, hy_monomial atom) {
  const hy_poly *factor = hy_poly_monomial(c->prover->arena, 1, atom);
  double value = product_at(c, p->poly, factor);
  if (isnan(value) || fabs(value) < 1e-4) return;
  c->prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT, .factors = {p}};
  hy_state_constrain(c->prover, c->state, hy_poly_mul(c->prover->arena, p->poly, factor), true, HY_ORIGIN_MULTIPLE,
                     left, (int)hy_monomial_atom(atom, 0));
  c->added++;
}

typedef HY_VEC(int) constraint_list;

// Which of the first "count" active inequalities mention it.
static constraint_list list_mentioning(const cutter *c, size_t count, hy_monomial monomial) {
  constraint_list list = {0};
  for (size_t i = 0; i < count; i++) {
    const hy_linear_constraint *q = c->prover->constraints.data[c->state->active.data[i]];
    if (!q->is_equal && is_factor(c, q) && mentions(q->poly, monomial)) hy_vec_push(&list, c->state->active.data[i]);
  }
  return list;
}

// Products of what mentions x with what mentions y, which speak of x*y.
static void multiply_for(cutter *c, hy_monomial x, hy_monomial y) {
  size_t count = c->state->active.count; // products add more
  constraint_list others = list_mentioning(c, count, y);
  for (size_t i = 0; i < count && c->added < MOST_PRODUCTS && may_try(c); i++) {
    const int left = c->state->active.data[i];
    const hy_linear_constraint *p = c->prover->constraints.data[left];
    if (!is_factor(c, p) || !mentions(p->poly, x)) continue;
    if (p->is_equal && hy_monomial_degree(y) == 1) multiply_by_atom(c, p, left, y);
    c->prover->effort += count * SEARCH_EFFORT;
    for (size_t j = 0; j < others.count && !p->is_equal && c->added < MOST_PRODUCTS && may_try(c); j++)
      multiply(c, p, left, c->prover->constraints.data[others.data[j]], others.data[j]);
  }
  hy_vec_free(&others);
}

static void add_products(cutter *c) {
  int count = c->count;
  for (int i = 0; i < count && c->added < MOST_PRODUCTS; i++) {
    hy_monomial whole = c->monomials[i], rest;
    double product = 1;
    int degree = hy_monomial_degree(whole);
    for (int k = 0; k < degree; k++) product *= at_atom(c, hy_monomial_atom(whole, k));
    if (fabs(product - c->values[i]) <= slack * (1 + fabs(product))) continue; // a NAN goes on
    for (int k = 0; k < degree; k++) {
      hy_monomial x = hy_monomial_of(hy_monomial_atom(whole, k));
      if (k > 0 && hy_monomial_atom(whole, k) == hy_monomial_atom(whole, k - 1)) continue;
      if (!hy_monomial_divide(whole, x, &rest) || (degree == 2 && rest > x)) continue; // each pair once
      multiply_for(c, x, rest);
    }
  }
}

// What is a factor somewhere is worth knowing to be at least 0: x * p >= 0 then speaks of nothing but its products.
static void bound_factor(cutter *c, hy_monomial atom) {
  double low, high;
  hy_simplex_bounds(&c->state->simplex, atom, &low, &high);
  if (low > -INFINITY || !may_try(c)) return;
  const hy_poly *x = hy_poly_monomial(c->prover->arena, 1, atom);
  const hy_poly *image = hy_fact_set_image(c->prover, c->prover->set, x);
  if (image && hy_poly_same(image, x)) try_lemma(c, x);
}

static void bound_factors(cutter *c) {
  int count = c->count;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < hy_monomial_degree(c->monomials[i]); k++)
      bound_factor(c, hy_monomial_of(hy_monomial_atom(c->monomials[i], k)));
}

bool hy_cuts_add(hy_prover *prover, int level) {
  cutter c = {.prover = prover, .level = level, .state = &prover->levels[level]};
  if (c.state->cuts_done >= MOST_ROUNDS || level >= HY_PROVER_LEVELS) return false;
  c.state->cuts_done++;
  read_point(&c);
  order_constant_quotients(&c);
  order_nested_quotients(&c);
  round_parts(&c);
  order_quotients(&c);
  order_minima(&c);
  int lemmas = c.added;
  c.added = 0;
  add_products(&c);
  if (lemmas + c.added == 0 && prover->thorough) bound_factors(&c);
  return lemmas + c.added > 0;
}
