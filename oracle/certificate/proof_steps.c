/* A refutation of the prover as steps that the checker takes (docs/certificates.md): from the constraints whose sum is
 * a contradiction back to what each comes from, its cause; each is shown once in the case where it is needed.
 *
 * What the prover takes for granted is written out: a lemma is shown by refuting its negation (step k), and what is
 * said of a quotient by an unknown follows from the definition of one (v) by products (m). What does not fit, or takes
 * too many steps, fails: then there is no certificate.
 */

#include "oracle/certificate/proof.h"

#include <stdarg.h>
#include <stdio.h>

static hy_arena *arena_of(const hy_certificates *c) { return c->prover->terms.arena; }

static const hy_poly *number(const hy_certificates *c, hy_wide value) { return hy_poly_constant(arena_of(c), value); }

/* -- writing steps -- */

int hy_proof_step(hy_certificates *c, const char *format, ...) {
  char line[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  hy_text_add(&c->body, line);
  hy_text_add(&c->body, "\n");
  if (c->height > HY_PROOF_STEPS) c->failed = true;
  return c->height++;
}

void hy_proof_summand(hy_certificates *c, hy_sum *sum, const hy_poly *multiplier, int hypothesis) {
  if (!multiplier || hypothesis < 0) c->failed = true;
  if (c->failed) return;
  for (size_t i = 0; i < sum->count; i++) {
    if (sum->data[i].hypothesis != hypothesis) continue;
    const hy_poly *both = hy_poly_add(arena_of(c), sum->data[i].multiplier, multiplier);
    hy_wide constant;
    if (!both) c->failed = true;
    sum->data[i].multiplier = both;
    if (both && hy_poly_is_constant(both, &constant) && constant == 0) sum->data[i] = sum->data[--sum->count];
    return;
  }
  hy_vec_push(sum, (hy_summand){multiplier, hypothesis});
}

int hy_proof_add_up(hy_certificates *c, const hy_sum *sum) {
  hy_wide factor;
  bool same = sum->count == 1 && hy_poly_is_constant(sum->data[0].multiplier, &factor) && factor == 1;
  return same && !c->failed ? sum->data[0].hypothesis : hy_proof_add_up_and_cut(c, sum);
}

int hy_proof_add_up_and_cut(hy_certificates *c, const hy_sum *sum) {
  hy_wide constant;
  if (c->failed) return -1;
  hy_text line = {0};
  hy_text_add(&line, "l");
  for (size_t i = 0; i < sum->count; i++) {
    hy_text multiplier = {0};
    hy_proof_print_poly(c, sum->data[i].multiplier, &multiplier);
    bool is_number = hy_poly_is_constant(sum->data[i].multiplier, &constant);
    const char *text = hy_text_string(&multiplier);
    int length = (int)multiplier.length - (is_number ? 2 : 0);
    hy_text_printf(&line, " %.*s %d", length, text + is_number, sum->data[i].hypothesis);
    hy_text_free(&multiplier);
  }
  hy_text_add(&line, "\n");
  hy_text_add(&c->body, hy_text_string(&line));
  hy_text_free(&line);
  return c->height++;
}

void hy_proof_close(hy_certificates *c, int hypothesis) { hy_text_printf(&c->body, ". %d\n", hypothesis); }

static void step_of_poly(hy_certificates *c, const char *op, const hy_poly *poly) {
  hy_text line = {0};
  hy_text_printf(&line, "%s ", op);
  hy_proof_print_poly(c, poly, &line);
  hy_text_printf(&c->body, "%s\n", hy_text_string(&line));
  hy_text_free(&line);
}

/* -- what is known here, and forgetting it at the end of a case -- */

int hy_proof_find(const hy_certificates *c, const void *key, uintptr_t detail) {
  for (size_t i = c->known.count; i-- > 0;)
    if (c->known.data[i].key == key && c->known.data[i].detail == detail) return c->known.data[i].hypothesis;
  return -1;
}

int hy_proof_note(hy_certificates *c, const void *key, uintptr_t detail, int hypothesis) {
  hy_vec_push(&c->known, (hy_known_hypothesis){key, detail, hypothesis});
  return hypothesis;
}

static hy_proof_mark mark_here(const hy_certificates *c) {
  return (hy_proof_mark){c->height, c->known.count, c->known_formulas.count, c->assumptions.count};
}

static void return_to(hy_certificates *c, hy_proof_mark mark) {
  c->height = mark.height;
  c->known.count = mark.known;
  c->known_formulas.count = mark.formulas;
  c->assumptions.count = mark.assumptions;
  for (size_t i = 0; i < c->known_formulas.count; i++)
    if (c->known_formulas.data[i].hypothesis >= mark.height) c->known_formulas.data[i].hypothesis = -1;
}

hy_proof_mark hy_proof_have(hy_certificates *c, const hy_poly *poly, int *assumed) {
  hy_proof_mark mark = mark_here(c);
  const hy_poly *denied = hy_poly_scale(arena_of(c), -1, poly, -1);
  if (!denied) c->failed = true;
  step_of_poly(c, "k", poly);
  *assumed = c->height++;
  if (denied) hy_vec_push(&c->assumptions, (hy_known_assumption){denied, *assumed});
  return mark;
}

int hy_proof_had(hy_certificates *c, hy_proof_mark mark) {
  return_to(c, mark);
  return c->height++;
}

static const hy_proof *search(hy_certificates *c, const hy_poly *poly, const void *key, const void *detail) {
  const hy_proof *known = key ? hy_pair_map_get(&c->searched, key, detail) : NULL;
  if (known) return known;
  const hy_poly *denied = poly ? hy_poly_scale(arena_of(c), -1, poly, -1) : NULL;
  const hy_proof *proof = denied && !c->failed ? hy_prover_refute_poly(c->prover, denied) : NULL;
  if (proof && key) hy_pair_map_put(&c->searched, key, detail, proof);
  return proof;
}

int hy_proof_search(hy_certificates *c, const hy_poly *poly, const void *key, uintptr_t detail) {
  const hy_proof *proof = poly && !c->failed ? search(c, poly, key, (const void *)detail) : NULL;
  if (!proof || c->depth >= HY_PROOF_DEPTH) {
    c->failed = true;
    return -1;
  }
  int generation = c->generation, assumed;
  c->generation = -1;
  c->depth++;
  hy_proof_mark mark = hy_proof_have(c, poly, &assumed);
  hy_proof_refutation(c, proof);
  c->depth--;
  c->generation = generation;
  return hy_proof_had(c, mark);
}

/* -- formulas -- */

static void learn_parts(hy_certificates *c, int parent, const hy_expr *expr, bool polarity) {
  if (expr->kind != HY_EXPR_OP) return;
  const hy_expr *plain = hy_floats_plain(c->context, expr);
  if (plain != expr) // its line is that of the formulas in its place
    hy_proof_learn(c, (hy_known_formula){plain, polarity, HY_KNOWN_SAME, parent, 0, -1});
  else if (expr->op == HY_OP_NOT)
    hy_proof_learn(c, (hy_known_formula){expr->args[0], !polarity, HY_KNOWN_SAME, parent, 0, -1});
  else if (expr->op == HY_OP_CAST && expr->args[0]->type == HY_BOOL)
    hy_proof_learn(c, (hy_known_formula){expr->args[0], polarity, HY_KNOWN_SAME, parent, 0, -1});
  else if (expr->op == (polarity ? HY_OP_AND : HY_OP_OR))
    for (int i = 0; i < 2; i++)
      hy_proof_learn(c, (hy_known_formula){expr->args[i], polarity, HY_KNOWN_PART, parent, i, -1});
}

void hy_proof_learn(hy_certificates *c, hy_known_formula formula) {
  hy_vec_push(&c->known_formulas, formula);
  if (c->depth >= HY_PROOF_DEPTH || c->known_formulas.count > HY_PROOF_STEPS) return;
  c->depth++;
  learn_parts(c, (int)c->known_formulas.count - 1, formula.expr, formula.polarity);
  c->depth--;
}

static int write_formula(hy_certificates *c, int which) {
  hy_known_formula f = c->known_formulas.data[which];
  if (f.hypothesis >= 0) return f.hypothesis;
  int parent = f.kind == HY_KNOWN_PART || f.kind == HY_KNOWN_SAME ? write_formula(c, f.parent) : -1;
  int hypothesis = parent;
  if (f.kind == HY_KNOWN_FACT) {
    hypothesis = hy_proof_step(c, "u %d", hy_proof_formula(c, f.expr));
    hy_vec_push(&c->used, f.expr);
  }
  if (f.kind == HY_KNOWN_GOAL) hypothesis = hy_proof_step(c, "g");
  if (f.kind == HY_KNOWN_PART) hypothesis = hy_proof_step(c, "a %d %d", parent, f.part);
  return c->known_formulas.data[which].hypothesis = hypothesis;
}

int hy_proof_of_formula(hy_certificates *c, const hy_expr *expr, bool polarity) {
  for (size_t i = c->known_formulas.count; i-- > 0;) {
    const hy_known_formula *f = &c->known_formulas.data[i];
    if (f->expr == expr && f->polarity == polarity) return write_formula(c, (int)i);
  }
  c->failed = true;
  return -1;
}

/* -- divisions -- */

static int of_constraint(hy_certificates *c, const hy_linear_constraint *constraint);

// Shows poly >= 0 by the refutation of its negation.
static int have(hy_certificates *c, const hy_poly *poly, const hy_proof *proof) {
  int known = hy_proof_find(c, proof, 0), assumed;
  if (known >= 0 || !poly || c->failed) return known;
  hy_proof_mark mark = hy_proof_have(c, poly, &assumed);
  hy_proof_refutation(c, proof);
  return hy_proof_note(c, proof, 0, hy_proof_had(c, mark));
}

// Part 0: a - m*q - r == 0; 1: r >= 0; 2: m - 1 - r >= 0.
static int division_step(hy_certificates *c, const hy_atom *ratio, int part, int positive) {
  const hy_atom *rest = hy_terms_atom(&c->prover->terms, ratio->partner);
  int known = hy_proof_find(c, ratio, 0x100 + (uintptr_t)part);
  if (known >= 0) return known;
  int q = hy_proof_unknown(c, ratio), r = hy_proof_unknown(c, rest);
  return hy_proof_note(c, ratio, 0x100 + (uintptr_t)part, hy_proof_step(c, "v %d %d %d %d", part, q, r, positive));
}

static const hy_atom *atom_of(const hy_certificates *c, const hy_poly *poly) {
  if (!poly || poly->count != 1) return NULL;
  return hy_terms_atom(&c->prover->terms, hy_monomial_atom(poly->terms[0].monomial, 0));
}

// Two ways to divide by m, a = m*q + r and a2 = m*q2 + r2 with both rests below m: what is needed of both.
typedef struct {
  const hy_poly *m, *quotient; // q - q2
  int positive;                // m - 1 >= 0
  int equations[2];            // a - m*q - r == 0; a2 - m*q2 - r2 == 0, or -1 if that holds as it stands
  int low[2], high[2];         // r >= 0, m - 1 - r >= 0
} two_divisions;

// Shows sign * (q - q2) >= 0: else m*(q - q2) would be -m or less, or m or more.
static int compare_quotients(hy_certificates *c, const two_divisions *d, int sign) {
  int assumed, greater = sign > 0 ? 0 : 1, less = 1 - greater;
  hy_proof_mark mark = hy_proof_have(c, hy_poly_scale(arena_of(c), sign, d->quotient, 0), &assumed);
  int product = hy_proof_step(c, "m %d %d", assumed, d->positive);
  hy_sum sum = {0};
  hy_proof_summand(c, &sum, number(c, 1), product);
  hy_proof_summand(c, &sum, number(c, 1), assumed);
  for (int i = 0; i < 2; i++)
    if (d->equations[i] >= 0) hy_proof_summand(c, &sum, number(c, (i == 0) == (sign > 0) ? -1 : 1), d->equations[i]);
  hy_proof_summand(c, &sum, number(c, 1), d->high[greater]);
  hy_proof_summand(c, &sum, number(c, 1), d->low[less]);
  hy_proof_close(c, hy_proof_add_up(c, &sum));
  hy_vec_free(&sum);
  return hy_proof_had(c, mark);
}

static two_divisions divide_once(hy_certificates *c, const hy_division *division) {
  hy_arena *arena = arena_of(c);
  const hy_atom *ratio = division->ratio;
  two_divisions d = {.m = ratio->m, .equations = {-1, -1}};
  d.positive = have(c, hy_poly_scale(arena, 1, ratio->m, -1), division->positive);
  d.equations[0] = division_step(c, ratio, 0, d.positive);
  d.low[0] = division_step(c, ratio, 1, d.positive);
  d.high[0] = division_step(c, ratio, 2, d.positive);
  return d;
}

static bool divide_again(hy_certificates *c, two_divisions *d, const hy_atom *ratio) {
  if (!ratio || ratio->kind != HY_ATOM_RATIO) {
    c->failed = true;
    return false;
  }
  d->equations[1] = division_step(c, ratio, 0, d->positive);
  d->low[1] = division_step(c, ratio, 1, d->positive);
  d->high[1] = division_step(c, ratio, 2, d->positive);
  return !c->failed;
}

// q - u - q2 == 0 and r - r2 == 0, where b = m*q2 + r2, or q2 = 0 and b = r2.
static int unique_division(hy_certificates *c, const hy_division *division, int part) {
  hy_arena *arena = arena_of(c);
  const hy_atom *ratio = division->ratio;
  two_divisions d = divide_once(c, division);
  d.quotient = hy_poly_sub(arena, hy_poly_atom(arena, ratio->number), division->u);
  if (division->kind == HY_DIVISION_EXACT) {
    d.low[1] = have(c, division->b, division->low);
    d.high[1] = have(c, hy_poly_scale(arena, 1, hy_poly_sub(arena, ratio->m, division->b), -1), division->high);
  } else {
    const hy_poly *q2 = hy_terms_ratio(&c->prover->terms, division->b, ratio->m);
    if (!divide_again(c, &d, atom_of(c, q2))) return -1;
    d.quotient = hy_poly_sub(arena, d.quotient, q2);
  }
  if (!d.quotient || c->failed) return -1;
  int known = hy_proof_find(c, division, 0);
  if (known < 0) {
    int above = compare_quotients(c, &d, 1), below = compare_quotients(c, &d, -1);
    known = hy_proof_note(c, division, 0, hy_proof_step(c, "q %d %d", above, below));
  }
  if (part == 0) return known;
  hy_sum sum = {0};
  hy_proof_summand(c, &sum, hy_poly_scale(arena, -1, d.m, 0), known);
  hy_proof_summand(c, &sum, number(c, -1), d.equations[0]);
  if (d.equations[1] >= 0) hy_proof_summand(c, &sum, number(c, 1), d.equations[1]);
  int hypothesis = hy_proof_add_up(c, &sum);
  hy_vec_free(&sum);
  return hypothesis;
}

// q - u >= 0 because a - m*u >= 0: else m*q would be m*u - m or less, and a below m*u. u - q >= 0 likewise.
static int ordered_quotient(hy_certificates *c, const hy_division *division) {
  bool is_least = division->kind == HY_DIVISION_LEAST;
  int known = hy_proof_find(c, division, 0), assumed;
  if (known >= 0) return known;
  two_divisions d = divide_once(c, division);
  int claim = have(c, division->claim, division->low);
  d.quotient = hy_poly_sub(arena_of(c), hy_poly_atom(arena_of(c), division->ratio->number), division->u);
  if (c->failed || !d.quotient) return -1;
  hy_proof_mark mark = hy_proof_have(c, hy_poly_scale(arena_of(c), is_least ? 1 : -1, d.quotient, 0), &assumed);
  int product = hy_proof_step(c, "m %d %d", assumed, d.positive);
  hy_sum sum = {0};
  hy_proof_summand(c, &sum, number(c, 1), product);
  hy_proof_summand(c, &sum, number(c, 1), assumed);
  hy_proof_summand(c, &sum, number(c, 1), claim);
  hy_proof_summand(c, &sum, number(c, is_least ? -1 : 1), d.equations[0]);
  hy_proof_summand(c, &sum, number(c, 1), is_least ? d.high[0] : d.low[0]);
  hy_proof_close(c, hy_proof_add_up(c, &sum));
  hy_vec_free(&sum);
  return hy_proof_note(c, division, 0, hy_proof_had(c, mark));
}

static int of_division(hy_certificates *c, const hy_division *division, int part) {
  switch (division->kind) {
  case HY_DIVISION_PLAIN:
    return division_step(c, division->ratio, part,
                         have(c, hy_poly_scale(arena_of(c), 1, division->ratio->m, -1), division->positive));
  case HY_DIVISION_EXACT:
  case HY_DIVISION_SHIFT: return unique_division(c, division, part);
  case HY_DIVISION_LEAST:
  case HY_DIVISION_MOST: return ordered_quotient(c, division);
  }
  HY_UNREACHABLE();
}

/* -- operators of floats -- */

// "=" where nothing was to be shown.
static const char *shown(hy_certificates *c, const hy_shown *claim, char room[16]) {
  if (!claim->poly) return "=";
  snprintf(room, 16, "%d", have(c, claim->poly, claim->proof));
  return room;
}

static int of_float(hy_certificates *c, const hy_float_lemma *lemma) {
  int known = hy_proof_find(c, lemma, 0);
  if (known >= 0) return known;
  char room[4][16];
  const char *h[4];
  const hy_shown *claims = lemma->ends, of_order[4] = {lemma->order, lemma->sign, lemma->number};
  int u = hy_proof_unknown(c, lemma->u), v = lemma->is_order ? hy_proof_unknown(c, lemma->v) : 0;
  if (lemma->is_order) claims = of_order;
  for (int i = 0; i < 4; i++) h[i] = shown(c, &claims[i], room[i]);
  if (c->failed) return -1;
  if (lemma->is_order)
    known = hy_proof_step(c, "f %d %d %d %s %s %s", lemma->part, u, v, h[0], h[1], h[2]);
  else
    known = hy_proof_step(c, "r %d %d %d %d %s %s %s %s", lemma->part, u, lemma->i, lemma->j, h[0], h[1], h[2], h[3]);
  return hy_proof_note(c, lemma, 0, known);
}

/* -- what constraints come from -- */

// s = (a if f else 0) lies in the range of a and 0. bound: s - low or high - s
static int range_of_choice(hy_certificates *c, const hy_atom *atom, bool is_low) {
  hy_arena *arena = arena_of(c);
  hy_wide bound = is_low ? atom->range.low : atom->range.high, sign = is_low ? 1 : -1;
  const hy_poly *of_a = hy_poly_scale(arena, sign, atom->a, -sign * bound);
  const hy_poly *of_s = hy_poly_scale(arena, sign, hy_poly_atom(arena, atom->number), -sign * bound);
  if (!of_a || !of_s) c->failed = true;
  if (c->failed) return -1;
  hy_wide constant;
  int within = hy_poly_is_constant(of_a, &constant) ? -1 : hy_proof_search(c, of_a, NULL, 0), assumed;
  if (c->failed) return -1;
  hy_proof_mark outer = hy_proof_have(c, of_s, &assumed);
  hy_text_printf(&c->body, "n %d\n", hy_proof_unknown(c, atom));
  hy_vec_push(&c->case_sizes, ((hy_case_sizes){2, 2}));
  for (int choice = 0; choice < 2; choice++) {
    int equal = c->height; // s - a == 0, f; then s == 0, not f
    c->height += 2;
    hy_sum sum = {0};
    hy_proof_summand(c, &sum, number(c, 1), assumed);
    hy_proof_summand(c, &sum, number(c, sign), equal);
    if (choice == 0 && within >= 0) hy_proof_summand(c, &sum, number(c, 1), within);
    hy_proof_close(c, hy_proof_add_up(c, &sum));
    hy_vec_free(&sum);
    c->height = equal;
  }
  return hy_proof_had(c, outer);
}

static int of_atom(hy_certificates *c, const hy_atom *atom, int part) {
  int known = hy_proof_find(c, atom, 0x200 + (uintptr_t)part);
  if (known >= 0) return known;
  if (atom->kind == HY_ATOM_CHOICE)
    known = range_of_choice(c, atom, part == 0);
  else
    known = hy_proof_step(c, "d %d %d", hy_proof_unknown(c, atom), part);
  return hy_proof_note(c, atom, 0x200 + (uintptr_t)part, known);
}

static int of_assumption(hy_certificates *c, const hy_poly *poly) {
  for (size_t i = c->assumptions.count; i-- > 0;)
    if (hy_poly_same(c->assumptions.data[i].poly, poly)) return c->assumptions.data[i].hypothesis;
  c->failed = true;
  return -1;
}

// The polynomials of a case of a split are known by the split and their place in it.
static uintptr_t case_detail(int choice, int part) { return 0x300 + 16 * (uintptr_t)choice + (uintptr_t)part; }

static int of_product(hy_certificates *c, const hy_linear_constraint *constraint, hy_sum *sum) {
  const hy_ground *cause = &constraint->cause;
  if (constraint->origin == HY_ORIGIN_SQUARE) {
    step_of_poly(c, "s", hy_poly_atom(arena_of(c), (uint32_t)constraint->right));
    return c->height++;
  }
  int left = of_constraint(c, cause->factors[0]);
  if (constraint->origin == HY_ORIGIN_MULTIPLE) {
    hy_proof_summand(c, sum, hy_poly_atom(arena_of(c), (uint32_t)constraint->right), left);
    return -1;
  }
  int right = of_constraint(c, cause->factors[1]);
  return hy_proof_step(c, "m %d %d", left, right);
}

// The comparison as it was written: a polynomial, of which "before" is the normal form.
static const hy_poly *literal_difference(hy_certificates *c, const hy_expr *formula) {
  const hy_written *a = hy_proof_term(c, formula->args[0]);
  if (a && hy_floats_is_plain(formula))
    return hy_poly_scale(arena_of(c), 1, a->poly, -(hy_wide)hy_floats_limit(formula));
  const hy_written *b = formula->op == HY_OP_CAST ? NULL : hy_proof_term(c, formula->args[1]);
  if (!a || (!b && formula->op != HY_OP_CAST)) return NULL;
  return b ? hy_poly_sub(arena_of(c), a->poly, b->poly) : a->poly;
}

// Does a comparison say that the difference is at most something?
static bool is_upper(const hy_expr *formula, bool polarity) {
  switch ((int)formula->op) {
  case HY_OP_LT:
  case HY_OP_LE: return polarity;
  case HY_OP_GT:
  case HY_OP_GE: return !polarity;
  }
  return false;
}

// hypothesis: sign * literal + constant; adds it and what makes it sign * normal + constant.
static void add_literal(hy_certificates *c, const hy_expr *formula, int sign, int hypothesis, hy_sum *sum) {
  const hy_poly *literal = literal_difference(c, formula);
  if (!literal) c->failed = true;
  hy_proof_summand(c, sum, number(c, 1), hypothesis);
  if (!c->failed) hy_proof_rewrite(c, literal, 0, number(c, -sign), sum);
}

static void add_origin(hy_certificates *c, const hy_linear_constraint *constraint, hy_sum *sum) {
  const hy_ground *cause = &constraint->cause;
  int hypothesis = -1;
  switch (cause->kind) {
  case HY_CAUSE_FORMULA:
    hypothesis = hy_proof_of_formula(c, cause->formula, cause->polarity);
    add_literal(c, cause->formula, is_upper(cause->formula, cause->polarity) ? -1 : 1, hypothesis, sum);
    return;
  case HY_CAUSE_ALTERNATIVE:
    hypothesis = hy_proof_find(c, cause->split, case_detail(cause->choice, cause->part));
    if (cause->split->formula) {
      add_literal(c, cause->split->formula, cause->choice ? -1 : 1, hypothesis, sum);
      return;
    }
    break;
  case HY_CAUSE_ATOM: hypothesis = of_atom(c, hy_terms_atom(&c->prover->terms, cause->atom), cause->part); break;
  case HY_CAUSE_DIVISION: hypothesis = of_division(c, cause->division, cause->part); break;
  case HY_CAUSE_FLOAT: hypothesis = of_float(c, cause->lemma); break;
  case HY_CAUSE_LEMMA: hypothesis = have(c, constraint->before, cause->proof); break;
  case HY_CAUSE_ASSUMED: hypothesis = of_assumption(c, constraint->before); break;
  case HY_CAUSE_PRODUCT:
    hypothesis = of_product(c, constraint, sum);
    if (constraint->origin == HY_ORIGIN_MULTIPLE) return;
    break;
  }
  hy_proof_summand(c, sum, number(c, 1), hypothesis);
}

// What a constraint is the sum of, before its coefficients are divided by what they have in common.
static hy_sum sum_of_constraint(hy_certificates *c, const hy_linear_constraint *constraint) {
  hy_sum sum = {0};
  if (c->depth >= HY_PROOF_DEPTH) c->failed = true;
  if (c->failed) return sum;
  c->depth++;
  add_origin(c, constraint, &sum);
  const hy_poly *image = constraint->before;
  if (!c->failed && c->generation >= 0) image = hy_proof_rewrite(c, image, c->generation, number(c, -1), &sum);
  if (image && !hy_poly_same(image, constraint->source)) c->failed = true;
  c->depth--;
  return sum;
}

static int of_constraint(hy_certificates *c, const hy_linear_constraint *constraint) {
  int known = hy_proof_find(c, constraint, 0);
  if (known >= 0 || c->failed) return known;
  hy_sum sum = sum_of_constraint(c, constraint);
  // A single summand that need not be divided stays what it is.
  if (!c->failed && constraint->source == constraint->poly)
    known = hy_proof_add_up(c, &sum);
  else if (!c->failed)
    known = hy_proof_add_up_and_cut(c, &sum);
  hy_vec_free(&sum);
  return c->failed ? -1 : hy_proof_note(c, constraint, 0, known);
}

// Adds factor * constraint. What a constraint is the sum of enters the larger sum itself, so that what cancels there is
// not written: a proof says only what it needs.
static void add_constraint(hy_certificates *c, const hy_linear_constraint *constraint, hy_wide factor, hy_sum *sum) {
  if (constraint->source != constraint->poly || hy_proof_find(c, constraint, 0) >= 0) {
    hy_proof_summand(c, sum, number(c, factor), of_constraint(c, constraint));
    return;
  }
  hy_sum parts = sum_of_constraint(c, constraint);
  for (size_t i = 0; i < parts.count && !c->failed; i++)
    hy_proof_summand(c, sum, hy_poly_scale(arena_of(c), factor, parts.data[i].multiplier, 0), parts.data[i].hypothesis);
  hy_vec_free(&parts);
}

/* -- refutations -- */

static hy_wide common_denominator(hy_certificates *c, const hy_proof *proof) {
  hy_wide multiple = 1;
  bool overflow = false;
  for (int i = 0; i < proof->count && !overflow; i++) {
    hy_wide den = proof->parts[i].multiplier.den;
    multiple = hy_wide_mul(multiple, den / hy_wide_gcd(multiple, den), &overflow);
  }
  if (overflow) c->failed = true;
  return overflow ? 1 : multiple;
}

static void write_sum(hy_certificates *c, const hy_proof *proof) {
  hy_wide scale = common_denominator(c, proof);
  bool overflow = false;
  hy_sum sum = {0};
  for (int i = 0; i < proof->count && !c->failed; i++) {
    hy_rational multiplier = proof->parts[i].multiplier;
    hy_wide factor = hy_wide_mul(multiplier.num, scale / multiplier.den, &overflow);
    add_constraint(c, proof->parts[i].constraint, factor, &sum);
  }
  if (overflow) c->failed = true;
  if (!c->failed) hy_proof_close(c, hy_proof_add_up(c, &sum));
  hy_vec_free(&sum);
}

static void enter_case(hy_certificates *c, const hy_split *split, int choice) {
  const hy_alternative *a = &split->alternatives[choice];
  for (int i = 0; i < a->poly_count; i++) hy_proof_note(c, split, case_detail(choice, i), c->height++);
  for (int i = 0; i < a->formula_count; i++)
    hy_proof_learn(c, (hy_known_formula){a->formulas[i], a->polarity[i], HY_KNOWN_CASE, -1, 0, c->height++});
}

static int size_of_case(const hy_split *split, int choice) {
  return split->alternatives[choice].poly_count + split->alternatives[choice].formula_count;
}

static void write_split(hy_certificates *c, const hy_proof *proof) {
  const hy_split *split = proof->split;
  if (split->formula) {
    int hypothesis = hy_proof_of_formula(c, split->formula, split->polarity);
    hy_text_printf(&c->body, "o %d\n", hypothesis);
  } else {
    hy_text_printf(&c->body, "n %d\n", hy_proof_unknown(c, hy_terms_atom(&c->prover->terms, split->atom)));
  }
  hy_case_sizes sizes = {size_of_case(split, 0), size_of_case(split, 1)};
  hy_vec_push(&c->case_sizes, sizes);
  hy_proof_mark mark = mark_here(c);
  for (int choice = 0; choice < 2 && !c->failed; choice++) {
    return_to(c, mark);
    enter_case(c, split, choice);
    hy_proof_refutation(c, proof->branches[choice]);
  }
}

static void write_cut(hy_certificates *c, const hy_proof *proof) {
  int assumed;
  hy_proof_mark mark = hy_proof_have(c, proof->poly, &assumed);
  hy_proof_refutation(c, proof->branches[0]);
  int above = hy_proof_had(c, mark);
  hy_vec_push(&c->assumptions, (hy_known_assumption){proof->poly, above});
  hy_proof_refutation(c, proof->branches[1]);
}

void hy_proof_refutation(hy_certificates *c, const hy_proof *proof) {
  if (c->failed || !proof || c->depth >= HY_PROOF_DEPTH) {
    c->failed = true;
    return;
  }
  c->depth++;
  switch (proof->kind) {
  case HY_PROOF_SUM: write_sum(c, proof); break;
  case HY_PROOF_CLASH: {
    int yes = hy_proof_of_formula(c, proof->formula, true), no = hy_proof_of_formula(c, proof->formula, false);
    hy_text_printf(&c->body, "x %d %d\n", yes, no);
    break;
  }
  case HY_PROOF_FALSE: hy_proof_close(c, hy_proof_of_formula(c, proof->formula, proof->polarity)); break;
  case HY_PROOF_SPLIT: write_split(c, proof); break;
  case HY_PROOF_CUT: write_cut(c, proof); break;
  }
  c->depth--;
}
