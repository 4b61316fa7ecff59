#include "oracle/certificate/proof.h"

#include <stdio.h>

/* An atom equals its image. With no eliminations (generation 0) that is its normal form: the atom rebuilt over normal
 * arguments. With eliminations, what an equality defines it to be, or the atom rebuilt over the images of its
 * arguments. Each such equation is a hypothesis, written once where it is first needed.
 */

static hy_arena *arena_of(const hy_certificates *c) { return c->prover->terms.arena; }

static const hy_poly *one(hy_certificates *c) { return hy_poly_constant(arena_of(c), 1); }

static const hy_poly *give_up(hy_certificates *c) {
  c->failed = true;
  return NULL;
}

static hy_fact_set *eliminations_until(hy_certificates *c, int generation) {
  if ((size_t)generation == c->set->eliminations.count) return c->set;
  while (c->generations.count <= (size_t)generation) hy_vec_push(&c->generations, NULL);
  hy_fact_set *set = c->generations.data[generation];
  if (set) return set;
  set = hy_allocate_zeroed(1, sizeof *set);
  for (int i = 0; i < generation; i++) {
    const hy_elimination *e = &c->set->eliminations.data[i];
    hy_pair_map_put(&set->eliminated, e->atom, NULL, e->poly);
  }
  return c->generations.data[generation] = set;
}

/* -- images -- */

static bool is_atom(const hy_poly *poly, const hy_atom *atom) {
  return poly->count == 1 && poly->constant == 0 && poly->terms[0].coefficient == 1 &&
         poly->terms[0].monomial == hy_monomial_of(atom->number);
}

static const hy_poly *atom_image(hy_certificates *c, const hy_atom *atom, int generation);

static const hy_poly *poly_image(hy_certificates *c, const hy_poly *poly, int generation) {
  hy_arena *arena = arena_of(c);
  const hy_poly *image = hy_poly_constant(arena, poly->constant);
  for (uint32_t i = 0; image && i < poly->count; i++) {
    const hy_poly *product = hy_poly_constant(arena, poly->terms[i].coefficient);
    for (int k = 0; k < hy_monomial_degree(poly->terms[i].monomial); k++) {
      const hy_atom *atom = hy_terms_atom(&c->prover->terms, hy_monomial_atom(poly->terms[i].monomial, k));
      product = hy_poly_mul(arena, product, atom_image(c, atom, generation));
    }
    image = hy_poly_add(arena, image, product);
  }
  return image ? image : give_up(c);
}

static const hy_poly *new_normal_form(hy_certificates *c, const hy_atom *atom) {
  if (c->failed || c->depth >= HY_PROOF_DEPTH) return give_up(c);
  c->depth++;
  const hy_poly *a = atom->a ? poly_image(c, atom->a, 0) : NULL, *m = atom->m ? poly_image(c, atom->m, 0) : NULL;
  const hy_poly *normal = c->failed ? NULL : hy_terms_rebuild(&c->prover->terms, atom, a, m);
  c->depth--;
  return normal ? normal : give_up(c);
}

static const hy_poly *normal_form(hy_certificates *c, const hy_atom *atom) {
  while (c->normal_forms.count <= atom->number) hy_vec_push(&c->normal_forms, NULL);
  const hy_poly *known = c->normal_forms.data[atom->number];
  if (known) return known;
  const hy_poly *normal = new_normal_form(c, atom);
  return c->normal_forms.data[atom->number] = normal; // the vector may have grown meanwhile
}

static const hy_poly *atom_image(hy_certificates *c, const hy_atom *atom, int generation) {
  const hy_poly *normal = normal_form(c, atom);
  if (!normal || generation == 0) return normal;
  const hy_poly *image = hy_fact_set_image(c->prover, eliminations_until(c, generation), normal);
  return image ? image : give_up(c);
}

/* -- equations -- */

// What remembers an equation: the atom, and the generation.
static int remembered(const hy_certificates *c, const hy_atom *atom, int generation) {
  return hy_proof_find(c, atom, (uintptr_t)generation);
}

// poly - its image == 0 as a hypothesis, -1 if they are the same.
static int poly_equation(hy_certificates *c, const hy_poly *poly, int generation, const hy_poly **image) {
  hy_sum sum = {0};
  *image = hy_proof_rewrite(c, poly, generation, one(c), &sum);
  int hypothesis = sum.count && !c->failed ? hy_proof_add_up(c, &sum) : -1;
  hy_vec_free(&sum);
  return hypothesis;
}

static const hy_atom *single_atom(hy_certificates *c, const hy_poly *poly) {
  return hy_terms_atom(&c->prover->terms, hy_monomial_atom(poly->terms[0].monomial, 0));
}

static const char *argument(int hypothesis, char room[16]) {
  if (hypothesis < 0) return "=";
  snprintf(room, 16, "%d", hypothesis);
  return room;
}

// The atom with the images of its arguments, not normalised, in "*rebuilt"; adds atom - *rebuilt to the sum.
static void equate_arguments(hy_certificates *c, const hy_atom *atom, int generation, const hy_atom **rebuilt,
                             hy_sum *sum) {
  const hy_poly *a = NULL, *m = NULL;
  int of_a = atom->a ? poly_equation(c, atom->a, generation, &a) : -1;
  int of_m = atom->m && !c->failed ? poly_equation(c, atom->m, generation, &m) : -1;
  *rebuilt = atom;
  if (c->failed || (of_a < 0 && of_m < 0)) return;
  const hy_poly *raw = hy_terms_raw(&c->prover->terms, atom, a, m);
  if (!raw) {
    c->failed = true;
    return;
  }
  *rebuilt = single_atom(c, raw);
  char left[16], right[16];
  int u = hy_proof_unknown(c, atom), v = hy_proof_unknown(c, *rebuilt);
  int h = hy_proof_step(c, "e %d %d %s%s%s", u, v, argument(of_a, left), atom->m ? " " : "",
                        atom->m ? argument(of_m, right) : "");
  hy_proof_summand(c, sum, one(c), h);
}

// An atom over normal arguments and its normal form: from definitions alone, both ways.
static void normalise(hy_certificates *c, const hy_atom *atom, hy_sum *sum) {
  hy_arena *arena = arena_of(c);
  const hy_poly *normal = hy_terms_rebuild(&c->prover->terms, atom, atom->a, atom->m);
  if (!normal) c->failed = true;
  if (c->failed || is_atom(normal, atom)) return;
  int known = remembered(c, atom, 0);
  if (known < 0) {
    const hy_poly *difference = hy_poly_sub(arena, hy_poly_atom(arena, atom->number), normal);
    int above = hy_proof_search(c, difference, atom, 0);
    int below = hy_proof_search(c, hy_poly_scale(arena, -1, difference, 0), atom, 1);
    known = hy_proof_note(c, atom, 0, hy_proof_step(c, "q %d %d", above, below));
  }
  hy_proof_summand(c, sum, one(c), known);
}

// The atom was eliminated by a fact: atom - solution == 0, from the fact as it was written.
static void use_elimination(hy_certificates *c, const hy_atom *atom, int which, hy_sum *sum) {
  hy_arena *arena = arena_of(c);
  const hy_elimination *e = &c->set->eliminations.data[which];
  const hy_written *a = hy_proof_term(c, e->fact->args[0]), *b = hy_proof_term(c, e->fact->args[1]);
  if (!a || !b) return;
  const hy_poly *literal = hy_poly_sub(arena, a->poly, b->poly);
  hy_sum rewriting = {0};
  const hy_poly *image = literal ? hy_proof_rewrite(c, literal, which, one(c), &rewriting) : give_up(c);
  hy_wide factor = 0;
  for (uint32_t i = 0; image && i < image->count; i++)
    if (image->terms[i].monomial == hy_monomial_of(atom->number)) factor = image->terms[i].coefficient;
  if (factor != 1 && factor != -1) c->failed = true;
  if (!c->failed) {
    // literal == 0 and literal - image == rewriting: factor * image is atom - solution
    const hy_poly *solution = hy_poly_combine(arena, -factor, image, 1, hy_poly_atom(arena, atom->number), 0);
    if (!solution || !hy_poly_same(solution, e->poly)) c->failed = true;
    hy_proof_summand(c, sum, hy_poly_constant(arena, factor), hy_proof_of_formula(c, e->fact, true));
    for (size_t i = 0; i < rewriting.count; i++)
      hy_proof_summand(c, sum, hy_poly_scale(arena, -factor, rewriting.data[i].multiplier, 0),
                       rewriting.data[i].hypothesis);
  }
  hy_vec_free(&rewriting);
}

static int elimination_of(const hy_certificates *c, const hy_atom *atom, int generation) {
  for (int i = 0; i < generation; i++)
    if (c->set->eliminations.data[i].atom == atom) return i;
  return -1;
}

static bool is_normal(hy_certificates *c, const hy_atom *atom) {
  const hy_poly *normal = atom_image(c, atom, 0);
  return normal && is_atom(normal, atom);
}

// Adds atom - image to the sum.
static void equate(hy_certificates *c, const hy_atom *atom, int generation, hy_sum *sum) {
  if (!is_normal(c, atom)) {
    const hy_atom *rebuilt;
    equate_arguments(c, atom, 0, &rebuilt, sum);
    normalise(c, rebuilt, sum);
    if (generation) hy_proof_rewrite(c, atom_image(c, atom, 0), generation, one(c), sum);
    return;
  }
  int which = elimination_of(c, atom, generation);
  if (which >= 0) {
    const hy_elimination *e = &c->set->eliminations.data[which];
    use_elimination(c, atom, which, sum);
    if (!c->failed) hy_proof_rewrite(c, e->poly, generation, one(c), sum);
    return;
  }
  const hy_atom *rebuilt;
  equate_arguments(c, atom, generation, &rebuilt, sum);
  if (!c->failed) normalise(c, rebuilt, sum);
}

// atom - image == 0 as a hypothesis. The images differ.
static int equation(hy_certificates *c, const hy_atom *atom, int generation) {
  static const char tag; // apart from what "normalise" remembers
  int known = hy_proof_find(c, &tag + 0, ((uintptr_t)generation << 32) | atom->number);
  if (known >= 0) return known;
  hy_sum sum = {0};
  if (c->depth >= HY_PROOF_DEPTH) c->failed = true;
  c->depth++;
  if (!c->failed) equate(c, atom, generation, &sum);
  c->depth--;
  int hypothesis = -1;
  if (!c->failed) {
    hypothesis = hy_proof_add_up(c, &sum);
    hy_proof_note(c, &tag, ((uintptr_t)generation << 32) | atom->number, hypothesis);
  }
  hy_vec_free(&sum);
  return hypothesis;
}

// x1 * x2 * x3 - y1 * y2 * y3 = (x1 - y1) * x2 * x3 + y1 * (x2 - y2) * x3 + y1 * y2 * (x3 - y3)
static const hy_poly *rewrite_term(hy_certificates *c, hy_term term, int generation, const hy_poly *factor,
                                   hy_sum *sum) {
  hy_arena *arena = arena_of(c);
  const hy_poly *done = hy_poly_constant(arena, term.coefficient);
  hy_monomial ahead = term.monomial;
  for (int k = 0; k < hy_monomial_degree(term.monomial) && !c->failed; k++) {
    const hy_atom *atom = hy_terms_atom(&c->prover->terms, hy_monomial_atom(term.monomial, k));
    const hy_poly *image = atom_image(c, atom, generation);
    ahead <<= 16;
    if (c->failed) break;
    if (!is_atom(image, atom)) {
      int h = equation(c, atom, generation);
      const hy_poly *others = hy_poly_mul(arena, done, hy_poly_monomial(arena, 1, ahead));
      if (!c->failed) hy_proof_summand(c, sum, hy_poly_mul(arena, factor, others), h);
    }
    done = hy_poly_mul(arena, done, image);
  }
  return c->failed || !done ? give_up(c) : done;
}

const hy_poly *hy_proof_rewrite(hy_certificates *c, const hy_poly *poly, int generation, const hy_poly *factor,
                                hy_sum *sum) {
  const hy_poly *image = poly && !c->failed ? hy_poly_constant(arena_of(c), poly->constant) : NULL;
  for (uint32_t i = 0; image && i < poly->count; i++)
    image = hy_poly_add(arena_of(c), image, rewrite_term(c, poly->terms[i], generation, factor, sum));
  return image ? image : give_up(c);
}
