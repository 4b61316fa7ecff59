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

// Is poly >= 0 whatever the goal is? By the simplex, else by cases; NULL: not shown.
static const hy_proof *proof_by_search(hy_prover *prover, int level, const hy_poly *poly) {
  if (level >= HY_PROVER_LEVELS) return NULL;
  hy_state *below = &prover->levels[level + 1];
  hy_state_copy(below, &prover->levels[level]);
  size_t kept = 0;
  for (size_t i = 0; i < below->splits.count; i++)
    if (!below->splits.data[i]->is_goal) below->splits.data[kept++] = below->splits.data[i];
  below->splits.count = kept;
  prover->cause = (hy_cause){.kind = HY_CAUSE_ASSUMED};
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
  if (!hy_poly_is_constant(gap, &constant) && !hy_lemma_add(prover, level, gap, proof_by_search(prover, level, gap)))
    return false;
  hy_state_check(prover, &prover->levels[level]);
  if (q->atom->kind == HY_ATOM_RATIO) return hy_quotient_order(prover, level, q->atom, lesser, true);
  const hy_poly *claim = hy_poly_sub(prover->arena, greater, lesser);
  return claim && hy_lemma_add(prover, level, claim, hy_lemma_at_least_0(prover, level, claim));
}

bool hy_orders_add(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  divided list[MOST_DIVIDED];
  int count = list_divided(prover, state, list), tries = 0;
  bool added = false;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      if (!same_divisor(list[i].atom, list[j].atom)) continue;
      if (state->closed || state->lost || prover->work > prover->work_limit || ++tries > MOST_ORDERS) return added;
      added |= order(prover, level, &list[i], &list[j]) || order(prover, level, &list[j], &list[i]);
    }
  return added;
}
