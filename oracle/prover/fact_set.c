#include "oracle/prover/prover_internal.h"

#include <stdlib.h>
#include <string.h>

/* -- replacing eliminated atoms -- */

static const hy_poly *image_at(hy_prover *prover, hy_fact_set *set, const hy_poly *poly, int depth);

static bool is_itself(const hy_poly *image, uint32_t atom) {
  return image->count == 1 && image->constant == 0 && image->terms[0].coefficient == 1 &&
         image->terms[0].monomial == hy_monomial_of(atom);
}

// The atom rebuilt over the images of what it is made of.
static const hy_poly *atom_image(hy_prover *prover, hy_fact_set *set, const hy_atom *atom, int depth) {
  hy_terms *terms = &prover->terms;
  const hy_poly *replacement = hy_pair_map_get(&set->eliminated, atom, NULL);
  if (replacement)
    return is_itself(replacement, atom->number) ? replacement : image_at(prover, set, replacement, depth);
  const hy_poly *a = atom->a ? image_at(prover, set, atom->a, depth) : NULL;
  const hy_poly *m = atom->m ? image_at(prover, set, atom->m, depth) : NULL;
  if ((atom->a && !a) || (atom->m && !m)) return NULL;
  if (a == atom->a && m == atom->m) return hy_poly_atom(terms->arena, atom->number);
  return hy_terms_rebuild(terms, atom, a, m);
}

// That there is none, since it is too long or too deep, is remembered too: atoms share what they are made of.
static const hy_poly *remembered_image(hy_prover *prover, hy_fact_set *set, const hy_atom *atom, int depth) {
  static const hy_poly none = {0};
  const hy_poly *known = hy_pair_map_get(&set->images, atom, NULL);
  if (known) return known == &none ? NULL : known;
  const hy_poly *image = atom_image(prover, set, atom, depth + 1);
  hy_pair_map_put(&set->images, atom, NULL, image ? image : &none);
  return image;
}

static const hy_poly *term_image(hy_prover *prover, hy_fact_set *set, hy_term term, int depth) {
  hy_arena *arena = prover->terms.arena;
  const hy_poly *product = hy_poly_constant(arena, term.coefficient);
  for (int k = 0; product && k < hy_monomial_degree(term.monomial); k++) {
    const hy_atom *atom = hy_terms_atom(&prover->terms, hy_monomial_atom(term.monomial, k));
    product = hy_poly_mul(arena, product, remembered_image(prover, set, atom, depth));
  }
  return product;
}

static const hy_poly *image_at(hy_prover *prover, hy_fact_set *set, const hy_poly *poly, int depth) {
  enum { MAX_IMAGE_DEPTH = 200 };
  if (depth > MAX_IMAGE_DEPTH) return NULL;
  bool changes = false;
  for (uint32_t i = 0; i < poly->count && !changes; i++)
    for (int k = 0; k < hy_monomial_degree(poly->terms[i].monomial) && !changes; k++) {
      uint32_t number = hy_monomial_atom(poly->terms[i].monomial, k);
      const hy_poly *image = remembered_image(prover, set, hy_terms_atom(&prover->terms, number), depth);
      if (!image) return NULL;
      changes = !is_itself(image, number);
    }
  if (!changes) return poly;
  const hy_poly *sum = hy_poly_constant(prover->terms.arena, poly->constant);
  for (uint32_t i = 0; sum && i < poly->count; i++)
    sum = hy_poly_add(prover->terms.arena, sum, term_image(prover, set, poly->terms[i], depth));
  return sum;
}

const hy_poly *hy_fact_set_image(hy_prover *prover, hy_fact_set *set, const hy_poly *poly) {
  return set->eliminated.count ? image_at(prover, set, poly, 0) : poly;
}

/* -- eliminating what equalities define -- */

typedef struct {
  const hy_prover *prover;
  const hy_fact_set *set;
  uint32_t wanted;
  int looks; // at atoms: they share what they are made of, so a short list of them may be a long way to go
} support;

static bool support_mentions(support *s, const hy_poly *poly, int depth);

static bool is_eliminated(const hy_fact_set *set, const hy_atom *atom) {
  return hy_pair_map_get(&set->eliminated, atom, NULL) != NULL;
}

// Does the atom, or what it is made of, mention "wanted"? Too deep and too far count as yes; a frozen atom mentions
// nothing.
static bool support_of_atom(support *s, uint32_t number, int depth) {
  enum { MAX_SUPPORT_DEPTH = 24, MAX_SUPPORT_LOOKS = 20000 };
  if (number == s->wanted || depth > MAX_SUPPORT_DEPTH || ++s->looks > MAX_SUPPORT_LOOKS) return true;
  const hy_atom *atom = hy_terms_atom(&s->prover->terms, number);
  if (is_eliminated(s->set, atom)) return false;
  return (atom->a && support_mentions(s, atom->a, depth + 1)) || (atom->m && support_mentions(s, atom->m, depth + 1));
}

static bool support_mentions(support *s, const hy_poly *poly, int depth) {
  for (uint32_t i = 0; i < poly->count; i++)
    for (int k = 0; k < hy_monomial_degree(poly->terms[i].monomial); k++)
      if (support_of_atom(s, hy_monomial_atom(poly->terms[i].monomial, k), depth)) return true;
  return false;
}

static bool atom_depends(const hy_prover *prover, const hy_fact_set *set, uint32_t number, uint32_t wanted) {
  return support_of_atom(&(support){prover, set, wanted, 0}, number, 0);
}

static bool depends(const hy_prover *prover, const hy_fact_set *set, const hy_poly *poly, uint32_t wanted) {
  return support_mentions(&(support){prover, set, wanted, 0}, poly, 0);
}

static void note_elimination(hy_fact_set *set, hy_elimination elimination) {
  hy_pair_map_put(&set->eliminated, elimination.atom, NULL, elimination.poly);
  hy_vec_push(&set->eliminations, elimination);
}

// Freezes the atoms of "solution" that are made of "atom": from then on they are plain unknowns, so that in
// x == 4 * (x / 4) the quotient can stand for x. False if one of them is "atom" itself.
static bool freeze(hy_prover *prover, hy_fact_set *set, const hy_poly *solution, uint32_t atom) {
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < solution->count; i++)
      for (int k = 0; k < hy_monomial_degree(solution->terms[i].monomial); k++) {
        uint32_t number = hy_monomial_atom(solution->terms[i].monomial, k);
        const hy_atom *part = hy_terms_atom(&prover->terms, number);
        if (number == atom) return false;
        if (pass == 1 && !is_eliminated(set, part) && atom_depends(prover, set, number, atom))
          note_elimination(set, (hy_elimination){part, hy_poly_atom(prover->terms.arena, number), NULL});
      }
  return true;
}

// From poly == 0 with a term +-atom: atom = -+(the rest), NULL if there is no such term.
static const hy_poly *solve_for(hy_prover *prover, const hy_poly *poly, uint32_t atom) {
  for (uint32_t i = 0; i < poly->count; i++) {
    hy_wide factor = poly->terms[i].coefficient;
    if (poly->terms[i].monomial != hy_monomial_of(atom) || (factor != 1 && factor != -1)) continue;
    hy_arena *arena = prover->terms.arena;
    return hy_poly_combine(arena, -factor, poly, 1, hy_poly_atom(arena, atom), 0);
  }
  return NULL;
}

static bool eliminate(hy_prover *prover, hy_fact_set *set, const hy_poly *poly, uint32_t atom, bool may_freeze,
                      const hy_expr *fact) {
  const hy_poly *solution = solve_for(prover, poly, atom);
  if (!solution || is_eliminated(set, hy_terms_atom(&prover->terms, atom))) return false;
  if (depends(prover, set, solution, atom) && !(may_freeze && freeze(prover, set, solution, atom))) return false;
  note_elimination(set, (hy_elimination){hy_terms_atom(&prover->terms, atom), solution, fact});
  hy_pair_map_free(&set->images); // earlier images may mention the atom
  return true;
}

static uint32_t variable_atom(hy_prover *prover, const hy_expr *expr) {
  if (expr->kind != HY_EXPR_VAR) return 0;
  const hy_poly *poly = hy_terms_poly(&prover->terms, expr);
  return poly && poly->count == 1 ? hy_monomial_atom(poly->terms[0].monomial, 0) : 0;
}

// Prefers the variable that stands alone on a side, then the newest atom.
static void eliminate_equality(hy_prover *prover, hy_fact_set *set, const hy_expr *fact) {
  const hy_poly *difference = hy_prover_difference(prover, fact);
  const hy_poly *poly = difference ? hy_fact_set_image(prover, set, difference) : NULL;
  if (!poly) return;
  for (int side = 0; side < 2; side++) {
    uint32_t atom = variable_atom(prover, fact->args[side]);
    if (atom && eliminate(prover, set, poly, atom, false, fact)) return;
  }
  for (int may_freeze = 0; may_freeze < 2; may_freeze++)
    for (uint32_t i = 0; i < poly->count; i++) // monomials descend, so that new atoms come first
      if (hy_monomial_degree(poly->terms[i].monomial) == 1 &&
          eliminate(prover, set, poly, hy_monomial_atom(poly->terms[i].monomial, 0), may_freeze, fact))
        return;
}

static void eliminate_fact(hy_prover *prover, hy_fact_set *set, const hy_expr *fact, int depth) {
  enum { MAX_CONJUNCTION_DEPTH = 64 };
  if (fact->kind != HY_EXPR_OP || depth > MAX_CONJUNCTION_DEPTH || ++prover->looks > prover->patience->formulas) return;
  if (fact->op == HY_OP_AND) {
    eliminate_fact(prover, set, fact->args[0], depth + 1);
    eliminate_fact(prover, set, fact->args[1], depth + 1);
  } else if (fact->op == HY_OP_EQ && hy_prover_is_comparison(fact)) {
    eliminate_equality(prover, set, fact);
  }
}

/* -- life -- */

static uint64_t hash_of(const hy_expr *const *facts, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++) hash = hy_hash(hash, facts[i]->hash);
  return hash;
}

static hy_fact_set *find(const hy_prover *prover, uint64_t hash, const hy_expr *const *facts, size_t count) {
  for (hy_fact_set *set = prover->sets[hash % HY_PROVER_BUCKETS]; set; set = set->next)
    if (set->hash == hash && set->fact_count == count &&
        (count == 0 || memcmp(set->facts, facts, count * sizeof *facts) == 0))
      return set;
  return NULL;
}

// Asserts the facts into the set's own state; what they make contradictory stays contradictory for every goal.
static void prepare(hy_prover *prover, hy_fact_set *set) {
  prover->set = set;
  prover->arena = prover->terms.arena;
  prover->origin = HY_ORIGIN_FACT;
  prover->constraints.count = 0;
  hy_simplex_init(&set->state.simplex);
  set->is_plain = true;
  prover->looks = 0;
  for (size_t i = 0; i < set->fact_count; i++) {
    eliminate_fact(prover, set, set->facts[i], 0);
    set->is_plain &= !set->facts[i]->has_access;
  }
  for (size_t i = 0; i < set->fact_count; i++) hy_state_assert(prover, &set->state, set->facts[i], true);
  hy_state_check(prover, &set->state);
  for (size_t i = 0; i < prover->constraints.count; i++) hy_vec_push(&set->constraints, prover->constraints.data[i]);
}

hy_fact_set *hy_fact_set_get(hy_prover *prover, const hy_expr *const *facts, size_t count) {
  uint64_t hash = hash_of(facts, count);
  hy_fact_set *set = find(prover, hash, facts, count);
  if (set) return set;
  set = hy_allocate_zeroed(1, sizeof *set);
  const hy_expr **copy = HY_NEW_ARRAY(prover->terms.arena, const hy_expr *, count);
  if (count) memcpy(copy, facts, count * sizeof *facts);
  set->facts = copy;
  set->fact_count = count;
  set->hash = hash;
  prepare(prover, set);
  set->next = prover->sets[hash % HY_PROVER_BUCKETS];
  prover->sets[hash % HY_PROVER_BUCKETS] = set;
  prover->set_count++;
  return set;
}

static void free_set(hy_fact_set *set) {
  hy_vec_free(&set->constraints);
  hy_pair_map_free(&set->eliminated);
  hy_pair_map_free(&set->images);
  hy_vec_free(&set->eliminations);
  hy_state_free(&set->state);
  hy_free(set);
}

void hy_fact_set_free_all(hy_prover *prover) {
  for (int bucket = 0; bucket < HY_PROVER_BUCKETS; bucket++) {
    for (hy_fact_set *set = prover->sets[bucket]; set;) {
      hy_fact_set *next = set->next;
      free_set(set);
      set = next;
    }
    prover->sets[bucket] = NULL;
  }
  prover->set_count = 0;
}
