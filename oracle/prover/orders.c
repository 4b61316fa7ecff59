#include "oracle/prover/prover_internal.h"

/* Orders between what the question divides. Fused loops divide ends of hulls by one length, a / m and b / m: that the
 * quotients are ordered follows from a <= b, and that from the cases of minima and maxima, which no point of the
 * simplex shows while they are not split. So it is asked before: by a search of its own, a short one, in which the goal
 * has no part. Two quotients are soon compared, and all that is asked of them builds on it.
 */

enum { MOST_DIVIDED = 8, MOST_ORDERS = 24 };

typedef struct {
  const hy_atom *atom;
  const hy_poly *a; // with what equalities define
} divided;

const hy_proof *hy_lemma_by_search(hy_prover *prover, int level, const hy_poly *poly) {
  if (level >= HY_PROVER_LEVELS) return NULL;
  hy_state *below = &prover->levels[level + 1];
  hy_state_copy(below, &prover->levels[level]);
  size_t kept = 0;
  for (size_t i = 0; i < below->splits.count; i++)
    if (!below->splits.data[i]->is_goal) below->splits.data[kept++] = below->splits.data[i];
  below->splits.count = kept;
  prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
  hy_state_constrain(prover, below, hy_poly_scale(prover->arena, -1, poly, -1), false, HY_ORIGIN_SPLIT, -1, -1);
  bool was_simple = prover->simple;
  hy_origin_of origin = prover->origin;
  int nodes = prover->nodes, leaf = prover->leaf;
  prover->nodes = 0;
  prover->simple = true; // no lemmas, no products, few nodes
  bool refuted = below->closed || hy_search_refute(prover, level + 1);
  prover->simple = was_simple;
  prover->nodes = nodes;
  prover->leaf = leaf;
  prover->origin = origin;
  return refuted ? below->proof : NULL;
}

static bool is_new(const divided *list, int count, const hy_atom *atom) {
  for (int i = 0; i < count; i++)
    if (list[i].atom == atom) return false;
  return true;
}

static int list_divided(hy_prover *prover, const hy_state *state, divided *list) {
  int count = 0;
  for (size_t i = 0; i < state->divided.count && count < MOST_DIVIDED; i++) {
    const hy_atom *atom = hy_terms_atom(&prover->terms, state->divided.data[i]);
    const hy_poly *a = hy_fact_set_image(prover, prover->set, atom->a);
    if (a && is_new(list, count, atom)) list[count++] = (divided){atom, a};
  }
  for (int v = 0; v < state->simplex.var_count && count < MOST_DIVIDED; v++) {
    hy_monomial monomial = state->simplex.keys[v];
    if (!hy_simplex_is_unknown(&state->simplex, v) || hy_monomial_degree(monomial) != 1) continue;
    const hy_atom *atom = hy_terms_atom(&prover->terms, hy_monomial_atom(monomial, 0));
    const hy_poly *a = atom->kind == HY_ATOM_QUOTIENT ? hy_fact_set_image(prover, prover->set, atom->a) : NULL;
    if (a && is_new(list, count, atom)) list[count++] = (divided){atom, a};
  }
  return count;
}

static bool same_divisor(const hy_atom *p, const hy_atom *q) {
  if (p->kind != q->kind) return false;
  return p->kind == HY_ATOM_QUOTIENT ? p->divisor == q->divisor : hy_poly_same(p->m, q->m);
}

// p.a <= q.a: then p <= q, too.
static bool order(hy_prover *prover, int level, const divided *p, const divided *q) {
  const hy_poly *gap = hy_poly_sub(prover->arena, q->a, p->a);
  hy_wide constant;
  if (!gap || (hy_poly_is_constant(gap, &constant) && constant < 0)) return false;
  const hy_poly *lesser = hy_poly_atom(prover->arena, p->atom->number);
  const hy_poly *greater = hy_poly_atom(prover->arena, q->atom->number);
  if (!hy_poly_is_constant(gap, &constant) && !hy_lemma_add(prover, level, gap, hy_lemma_by_search(prover, level, gap)))
    return false;
  hy_state_check(prover, &prover->levels[level]);
  if (q->atom->kind == HY_ATOM_RATIO) return hy_quotient_order(prover, level, q->atom, lesser, true);
  const hy_poly *claim = hy_poly_sub(prover->arena, greater, lesser);
  return claim && hy_lemma_add(prover, level, claim, hy_lemma_at_least_0(prover, level, claim));
}

/* -- divisors -- */

typedef struct {
  hy_prover *prover;
  int level, tries;
  bool added, by_cases; // "by_cases": what the simplex does not show, cases may
  bool tells_signs;     // in each case of a factor's sign
} fused_search;

// With what is known of lengths since, more divisors are known to be at least 1.
static void define_divisions(fused_search *s) {
  hy_state *state = &s->prover->levels[s->level];
  if (!s->added) return;
  hy_state_check(s->prover, state);
  state->divisions_tried = false;
  while (!state->closed && !state->lost && hy_divisions_define(s->prover, s->level)) hy_state_check(s->prover, state);
}

static const hy_poly *image_of(hy_prover *prover, const hy_expr *expr) {
  const hy_poly *poly = hy_terms_poly(&prover->terms, expr);
  return poly ? hy_fact_set_image(prover, prover->set, poly) : NULL;
}

static void visit_facts(const fused_search *s, void (*see)(void *, const hy_expr *), void *self) {
  for (size_t i = 0; i < s->prover->set->fact_count; i++) {
    const hy_expr *fact = s->prover->set->facts[i];
    if (s->by_cases || hy_prover_is_comparison(fact)) hy_expr_visit(fact, see, self);
  }
}

/* -- lengths whose product is more than 0 -- */

enum { MOST_FACTORS = 4 };

// What says that poly >= 0: that constraint, or a closer one, w - 1 >= 0 for w >= 0, beside which it is not kept.
static int find_constraint(const hy_prover *prover, const hy_state *state, const hy_poly *poly) {
  int closer = -1;
  for (size_t i = 0; i < state->active.count && poly; i++) {
    const hy_linear_constraint *c = prover->constraints.data[state->active.data[i]];
    if (c->is_equal || !hy_poly_same_terms(c->poly, poly) || c->poly->constant > poly->constant) continue;
    if (c->poly->constant == poly->constant) return state->active.data[i];
    closer = state->active.data[i];
  }
  return closer;
}

// Is poly >= 0? Then a constraint says so.
static bool is_at_least_0(fused_search *s, const hy_poly *poly) {
  hy_wide constant;
  if (hy_poly_is_constant(poly, &constant)) return constant >= 0;
  if (find_constraint(s->prover, &s->prover->levels[s->level], poly) >= 0) return true;
  if (hy_prover_is_tired(s->prover)) return false;
  const hy_proof *proof = hy_lemma_at_least_0(s->prover, s->level, poly);
  if (!proof && s->by_cases) proof = hy_lemma_by_search(s->prover, s->level, poly);
  return hy_lemma_add(s->prover, s->level, poly, proof);
}

// That constraint; -1 if it is not shown.
static int known_at_least_0(fused_search *s, const hy_poly *poly) {
  return is_at_least_0(s, poly) ? find_constraint(s->prover, &s->prover->levels[s->level], poly) : -1;
}

// factors[which] >= 1: if it were 0 or less, so would be its product with the others, which are not negative.
static void show_positive(fused_search *s, const hy_poly *const *factors, const int *known, int count, int which) {
  hy_prover *prover = s->prover;
  hy_state *below = &prover->levels[s->level + 1];
  const hy_poly *denied = hy_poly_scale(prover->arena, -1, factors[which], 0);
  const hy_poly *claim = hy_poly_scale(prover->arena, 1, factors[which], -1);
  if (!denied || !claim || s->level >= HY_PROVER_LEVELS) return;
  hy_state_copy(below, &prover->levels[s->level]);
  prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
  hy_state_constrain(prover, below, denied, false, HY_ORIGIN_SPLIT, -1, -1);
  int product = find_constraint(prover, below, denied);
  for (int i = 0; i < count && product >= 0 && !below->closed; i++) {
    if (i == which) continue;
    const hy_linear_constraint *p = prover->constraints.data[product], *q = prover->constraints.data[known[i]];
    const hy_poly *poly = hy_poly_mul(prover->arena, p->poly, q->poly);
    prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT, .factors = {p, q}};
    hy_state_constrain(prover, below, poly, false, HY_ORIGIN_PRODUCT, product, known[i]);
    product = find_constraint(prover, below, poly);
  }
  hy_state_check(prover, below);
  if (below->closed) s->added |= hy_lemma_add(prover, s->level, claim, below->proof);
}

static bool list_factors(fused_search *s, const hy_expr *expr, const hy_poly **factors, int *known, int *count) {
  if (expr->kind == HY_EXPR_OP && expr->op == HY_OP_MUL)
    return list_factors(s, expr->args[0], factors, known, count) &&
           list_factors(s, expr->args[1], factors, known, count);
  if (*count == MOST_FACTORS) return false;
  factors[*count] = image_of(s->prover, expr);
  known[*count] = factors[*count] ? known_at_least_0(s, factors[*count]) : -1;
  return known[(*count)++] >= 0;
}

static void see_lengths(void *self, const hy_expr *node) {
  fused_search *s = self;
  const hy_poly *factors[MOST_FACTORS];
  int known[MOST_FACTORS], count = 0;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_MUL || node->type != HY_INT || ++s->tries > MOST_ORDERS) return;
  if (!list_factors(s, node, factors, known, &count)) return;
  for (int i = 0; i < count && !hy_prover_is_tired(s->prover); i++) show_positive(s, factors, known, count, i);
}

/* -- fused loops: t < p*m, so t / m <= p - 1 -- */

static void bound_by_product(fused_search *s, const hy_expr *p, const hy_expr *m) {
  hy_prover *prover = s->prover;
  hy_state *state = &prover->levels[s->level];
  const hy_poly *divisor = image_of(prover, m), *times = image_of(prover, p);
  const hy_poly *most = times ? hy_poly_scale(prover->arena, 1, times, -1) : NULL;
  for (size_t i = 0; i < state->divided.count && divisor && most; i++) {
    const hy_atom *ratio = hy_terms_atom(&prover->terms, state->divided.data[i]);
    if (ratio->kind != HY_ATOM_RATIO || !hy_poly_same(ratio->m, divisor)) continue;
    if (state->closed || state->lost || hy_prover_is_tired(prover) || ++s->tries > MOST_ORDERS) return;
    s->added |= hy_quotient_order(prover, s->level, ratio, most, false);
    s->added |= hy_quotient_order(prover, s->level, ratio, hy_poly_constant(prover->arena, 0), true);
  }
}

static void see_product(void *self, const hy_expr *node) {
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_MUL || node->type != HY_INT) return;
  for (int i = 0; i < 2; i++)
    if (node->args[1 - i]->kind != HY_EXPR_CONST) bound_by_product(self, node->args[i], node->args[1 - i]);
}

/* -- what is less than its divisor -- */

// 0 <= b < m for a = m*u + b, by cases where the simplex does not show it: then the quotient is u, the remainder b.
static void settle_division(fused_search *s, const hy_atom *ratio) {
  const hy_poly *b, *room;
  if (!hy_division_rest(s->prover, ratio, &b, &room)) return;
  if (!is_at_least_0(s, b) || !is_at_least_0(s, room)) return;
  s->added |= hy_division_settle(s->prover, s->level, ratio);
}

static bool settle_divisions(hy_prover *prover, int level) {
  fused_search s = {.prover = prover, .level = level, .by_cases = true};
  hy_state *state = &prover->levels[level];
  size_t count = state->divided.count; // more may come
  for (size_t i = 0; i < count && i < MOST_DIVIDED && !state->closed && !state->lost; i++) {
    const hy_atom *atom = hy_terms_atom(&prover->terms, state->divided.data[i]);
    if (atom->kind == HY_ATOM_RATIO && !hy_prover_is_tired(prover)) settle_division(&s, atom);
  }
  if (s.added) hy_state_check(prover, state);
  return s.added;
}

/* -- products as they are written -- */

enum { MOST_PRODUCTS = 8 };

typedef struct {
  fused_search *s;
  const hy_poly *p[2 * MOST_PRODUCTS], *m[2 * MOST_PRODUCTS]; // each both ways
  int count;
} written_products;

static bool is_listed(const written_products *w, const hy_poly *p, const hy_poly *m) {
  for (int i = 0; i < w->count; i++)
    if (hy_poly_same(w->p[i], p) && hy_poly_same(w->m[i], m)) return true;
  return false;
}

static bool is_length(const written_products *w, const hy_poly *m) {
  for (int i = 0; i < w->count; i++)
    if (hy_poly_same(w->m[i], m)) return true;
  return false;
}

// A number times what other products have as a factor, too: where 3*m ends, i*m ends for an i below 3.
static void list_multiple(void *self, const hy_expr *node) {
  written_products *w = self;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_MUL || node->type != HY_INT) return;
  for (int i = 0; i < 2; i++) {
    if (node->args[i]->kind != HY_EXPR_CONST || node->args[1 - i]->kind == HY_EXPR_CONST) continue;
    const hy_poly *p = image_of(w->s->prover, node->args[i]), *m = image_of(w->s->prover, node->args[1 - i]);
    if (!p || !m || w->count == 2 * MOST_PRODUCTS || !is_length(w, m) || is_listed(w, p, m)) return;
    w->p[w->count] = p;
    w->m[w->count++] = m;
  }
}

static void list_product(void *self, const hy_expr *node) {
  written_products *w = self;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_MUL || node->type != HY_INT) return;
  if (node->args[0]->kind == HY_EXPR_CONST || node->args[1]->kind == HY_EXPR_CONST) return;
  const hy_poly *a = image_of(w->s->prover, node->args[0]), *b = image_of(w->s->prover, node->args[1]);
  if (!a || !b || w->count + 2 > 2 * MOST_PRODUCTS || is_listed(w, a, b)) return;
  w->p[w->count] = w->m[w->count + 1] = a;
  w->m[w->count] = w->p[w->count + 1] = b;
  w->count += 2;
}

static void multiply_known(fused_search *s, int left, int right) {
  hy_prover *prover = s->prover;
  const hy_linear_constraint *p = prover->constraints.data[left], *q = prover->constraints.data[right];
  prover->cause = (hy_ground){.kind = HY_CAUSE_PRODUCT, .factors = {p, q}};
  hy_state_constrain(prover, &prover->levels[s->level], hy_poly_mul(prover->arena, p->poly, q->poly), false,
                     HY_ORIGIN_PRODUCT, left, right);
  hy_state_check(prover, &prover->levels[s->level]);
  s->added = true;
}

// p*m <= q*m for a length m where p <= q, whatever their signs: where a shifted tile begins, n*min(c - 3, 0).
static void order_products(written_products *w, int i, int length) {
  fused_search *s = w->s;
  for (int j = 0; j < w->count; j++) {
    if (j == i || !hy_poly_same(w->m[i], w->m[j])) continue;
    if (s->prover->levels[s->level].closed || hy_prover_is_tired(s->prover)) return;
    const hy_poly *gap = hy_poly_sub(s->prover->arena, w->p[j], w->p[i]);
    hy_wide constant;
    int known = gap && !hy_poly_is_constant(gap, &constant) ? known_at_least_0(s, gap) : -1;
    if (known >= 0) multiply_known(s, known, length);
  }
}

// p*m <= (q + r - 1)*m for a length m where p < q + r, and all three are written: what is read in strides of m, in a window
// that begins at q and is r long. And m <= p*m where p >= 1.
static void sum_products(written_products *w, int i, int length) {
  fused_search *s = w->s;
  hy_arena *arena = s->prover->arena;
  const hy_state *state = &s->prover->levels[s->level];
  const hy_poly *less = hy_poly_scale(arena, 1, w->p[i], -1);
  int known = less ? known_at_least_0(s, less) : -1;
  if (known >= 0) multiply_known(s, known, length);
  for (int j = 0; j < w->count; j++)
    for (int k = j + 1; k < w->count; k++) {
      if (j == i || k == i || !hy_poly_same(w->m[i], w->m[j]) || !hy_poly_same(w->m[i], w->m[k])) continue;
      if (state->closed || hy_prover_is_tired(s->prover) || ++s->tries > MOST_ORDERS) return;
      const hy_poly *both = hy_poly_add(arena, w->p[j], w->p[k]);
      const hy_poly *gap = both ? hy_poly_combine(arena, 1, both, -1, w->p[i], -1) : NULL;
      hy_wide constant;
      known = gap && !hy_poly_is_constant(gap, &constant) ? known_at_least_0(s, gap) : -1;
      if (known >= 0) multiply_known(s, known, length);
    }
}

// For a length m, or one of the other sign, -m: p*m >= 0 where p >= 0, and p*m <= (q - 1)*m where p < q and q*m is written,
// too.
static void compare_products(written_products *w, int i) {
  fused_search *s = w->s;
  const hy_state *state = &s->prover->levels[s->level];
  int length = known_at_least_0(s, w->m[i]);
  const hy_poly *turned = length < 0 && s->tells_signs ? hy_poly_scale(s->prover->arena, -1, w->m[i], 0) : NULL;
  if (turned) length = known_at_least_0(s, turned);
  int low = length >= 0 ? known_at_least_0(s, w->p[i]) : -1;
  if (length >= 0 && low < 0 && s->by_cases && !state->closed) order_products(w, i, length);
  if (length >= 0 && s->by_cases && !state->closed) sum_products(w, i, length);
  if (low < 0 || state->closed) return;
  multiply_known(s, low, length);
  for (int j = 0; j < w->count && !state->closed && !hy_prover_is_tired(s->prover); j++) {
    if (j == i || !hy_poly_same(w->m[i], w->m[j])) continue;
    const hy_poly *gap = hy_poly_combine(s->prover->arena, 1, w->p[j], -1, w->p[i], -1);
    hy_wide constant;
    int known = gap && !hy_poly_is_constant(gap, &constant) ? known_at_least_0(s, gap) : -1;
    if (known >= 0) multiply_known(s, known, length);
  }
}

static bool multiply_written(hy_prover *prover, int level, const hy_expr *goal, bool by_cases) {
  fused_search s = {.prover = prover, .level = level, .by_cases = by_cases, .tells_signs = prover->signs_told > 0};
  written_products w = {.s = &s};
  visit_facts(&s, list_product, &w);
  hy_expr_visit(goal, list_product, &w);
  if (by_cases) {
    visit_facts(&s, list_multiple, &w);
    hy_expr_visit(goal, list_multiple, &w);
  }
  for (int i = 0; i < w.count && !prover->levels[level].closed && !hy_prover_is_tired(prover); i++)
    compare_products(&w, i);
  return s.added;
}

// What is fused is less than the product of the two lengths, and both halves are what a polynomial does not show when
// the lengths are sums.
static bool bound_fused(hy_prover *prover, int level) {
  fused_search s = {.prover = prover, .level = level};
  if (prover->levels[level].divisions.count) visit_facts(&s, see_lengths, &s);
  define_divisions(&s);
  for (int round = 0; round < 2; round++) { // what is fused of what is fused
    s.tries = 0;
    visit_facts(&s, see_product, &s);
  }
  return s.added;
}

// p >= q for two quotients by m >= 1 says m*p >= m*q + p - q: both ways where they are equal, so that what was divided
// is.
static bool multiply_back(fused_search *s, const hy_atom *p, const hy_atom *q) {
  hy_prover *prover = s->prover;
  const hy_poly *of_q = hy_poly_atom(prover->arena, q->number), *of_p = hy_poly_atom(prover->arena, p->number);
  const hy_poly *claim = hy_poly_sub(prover->arena, of_p, of_q);
  const hy_poly *room = hy_poly_scale(prover->arena, 1, p->m, -1);
  int gap = claim ? known_at_least_0(s, claim) : -1, positive = gap >= 0 && room ? known_at_least_0(s, room) : -1;
  if (positive < 0) return false;
  multiply_known(s, gap, positive);
  return true;
}

bool hy_orders_add(hy_prover *prover, int level, const hy_expr *goal) {
  hy_state *state = &prover->levels[level];
  divided list[MOST_DIVIDED];
  bool added = bound_fused(prover, level);
  added |= multiply_written(prover, level, goal, false);
  int count = list_divided(prover, state, list), tries = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      if (!same_divisor(list[i].atom, list[j].atom)) continue;
      if (state->closed || state->lost || hy_prover_is_tired(prover) || ++tries > MOST_ORDERS) return added;
      added |= order(prover, level, &list[i], &list[j]) || order(prover, level, &list[j], &list[i]);
      if (list[i].atom->kind != HY_ATOM_RATIO || state->closed) continue;
      fused_search s = {.prover = prover, .level = level};
      added |= multiply_back(&s, list[i].atom, list[j].atom);
      added |= multiply_back(&s, list[j].atom, list[i].atom);
    }
  return added;
}

bool hy_orders_add_by_cases(hy_prover *prover, int level, const hy_expr *goal) {
  bool added = settle_divisions(prover, level);
  return multiply_written(prover, level, goal, true) || added;
}

/* -- signs -- */

// Is neither it nor what it is with the other sign known to be at least 0?
static bool is_unsigned(const fused_search *s, const hy_poly *m) {
  const hy_poly *turned = hy_poly_scale(s->prover->arena, -1, m, 0);
  return turned && !hy_lemma_at_least_0(s->prover, s->level, m) && !hy_lemma_at_least_0(s->prover, s->level, turned);
}

// The first of unknown sign of the unknowns that it is the product of; NULL: there is none, or it is no product.
static const hy_poly *unsigned_factor(const fused_search *s, const hy_poly *m) {
  if (m->count != 1 || m->constant != 0) return NULL;
  for (int k = 0; k < hy_monomial_degree(m->terms[0].monomial); k++) {
    const hy_poly *factor = hy_poly_atom(s->prover->arena, hy_monomial_atom(m->terms[0].monomial, k));
    if (is_unsigned(s, factor)) return factor;
  }
  return NULL;
}

const hy_poly *hy_orders_sign(hy_prover *prover, int level, const hy_expr *goal) {
  fused_search s = {.prover = prover, .level = level, .by_cases = true};
  written_products w = {.s = &s};
  visit_facts(&s, list_product, &w);
  hy_expr_visit(goal, list_product, &w);
  const hy_poly *found = NULL;
  for (int i = 0, most = 1; i < w.count && !hy_prover_is_tired(prover); i++) {
    int uses = 0;
    for (int j = 0; j < w.count; j++) uses += hy_poly_same(w.m[j], w.m[i]);
    const hy_poly *factor = uses > most ? unsigned_factor(&s, w.m[i]) : NULL;
    if (!factor) continue;
    most = uses;
    found = factor;
  }
  return found;
}
