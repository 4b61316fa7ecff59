/* Asserting in a state of the prover. Comparisons become constraints, each a polynomial that is >= 0 or == 0 over the
 * integers; of a conjunction both sides are asserted; what leaves two cases ("or", "!=", a select, equal bools) is a
 * pending split; any other formula is a literal. An atom that a constraint mentions (a quotient, a minimum, a choice)
 * gets its definition when the state is next checked.
 *
 *   a < b  ->  b - a - 1 >= 0          g*p + c >= 0  ->  p + floor(c / g) >= 0
 *
 * A state that is contradictory is closed, with a proof of it. What does not fit 128 bits is left out: a state that
 * knows less refutes less.
 */

#include "oracle/prover/prover_internal.h"

#include <string.h>

enum { MAX_FORMULA_DEPTH = 200 };

/* -- life -- */

#define COPY(field)                                                                                                    \
  do {                                                                                                                 \
    to->field.count = 0;                                                                                               \
    hy_vec_reserve(&to->field, from->field.count);                                                                     \
    if (from->field.count) memcpy(to->field.data, from->field.data, from->field.count * sizeof *from->field.data);     \
    to->field.count = from->field.count;                                                                               \
  } while (0)

void hy_state_copy(hy_state *to, const hy_state *from) {
  hy_simplex_copy(&to->simplex, &from->simplex);
  COPY(active);
  COPY(hashes);
  COPY(literals);
  COPY(splits);
  COPY(divisions);
  COPY(noted);
  COPY(waiting);
  COPY(divided);
  COPY(sized);
  to->sign = NULL;
  to->closed = from->closed;
  to->proof = from->proof;
  to->lost = from->lost;
  to->divisions_tried = false;
  to->quotients_bounded = from->quotients_bounded;
  to->products_done = from->products_done;
  to->cuts_done = from->cuts_done;
  to->floats_done = from->floats_done;
  to->sizes_searched = from->sizes_searched;
}

void hy_state_free(hy_state *state) {
  hy_simplex_free(&state->simplex);
  hy_vec_free(&state->active);
  hy_vec_free(&state->hashes);
  hy_vec_free(&state->literals);
  hy_vec_free(&state->splits);
  hy_vec_free(&state->divisions);
  hy_vec_free(&state->noted);
  hy_vec_free(&state->waiting);
  hy_vec_free(&state->divided);
  hy_vec_free(&state->sized);
}

void hy_state_clear(hy_state *state) {
  hy_simplex_clear(&state->simplex);
  state->active.count = state->hashes.count = state->literals.count = state->splits.count = state->divisions.count = 0;
  state->noted.count = state->waiting.count = state->divided.count = state->sized.count = 0;
  state->closed = state->lost = state->divisions_tried = state->quotients_bounded = false;
  state->products_done = state->cuts_done = state->floats_done = 0;
  state->sizes_searched = false;
  state->sign = NULL;
  state->proof = NULL;
}

/* -- what defines the atoms -- */

static void note_atom(hy_state *state, uint32_t number) {
  size_t word = number / 32;
  while (state->noted.count <= word) hy_vec_push(&state->noted, 0);
  if (state->noted.data[word] >> (number % 32) & 1) return;
  state->noted.data[word] |= (uint32_t)1 << (number % 32);
  hy_vec_push(&state->waiting, number);
}

static void note_atoms(hy_state *state, const hy_poly *poly) {
  for (uint32_t i = 0; i < poly->count; i++)
    for (int k = 0; k < hy_monomial_degree(poly->terms[i].monomial); k++)
      note_atom(state, hy_monomial_atom(poly->terms[i].monomial, k));
}

static void define(hy_prover *prover, hy_state *state, const hy_poly *poly, const hy_atom *atom, int part) {
  prover->cause = (hy_ground){.kind = HY_CAUSE_ATOM, .atom = atom->number, .part = part};
  hy_state_constrain(prover, state, poly, false, HY_ORIGIN_DEFINITION, -1, -1);
}

static hy_split *new_split(hy_prover *prover, int count) {
  hy_split *split = hy_arena_allocate(prover->arena, sizeof(hy_split) + sizeof(hy_alternative) * (size_t)count);
  split->count = count;
  return split;
}

// n is min(a, 0):  n <= 0,  n <= a,  and  n = a < 0  or  n = 0 <= a
static void define_negative(hy_prover *prover, hy_state *state, const hy_atom *atom, const hy_poly *n) {
  hy_arena *arena = prover->arena;
  define(prover, state, hy_poly_scale(arena, -1, n, 0), atom, 2);
  define(prover, state, hy_poly_sub(arena, atom->a, n), atom, 3);
  hy_split *split = new_split(prover, 2);
  split->atom = atom->number;
  const hy_poly *below = hy_poly_scale(arena, -1, atom->a, -1), *gap = hy_poly_sub(arena, atom->a, n);
  if (!below || !gap) return;
  split->alternatives[0] = (hy_alternative){.polys = {gap, below}, .is_equal = {true, false}, .poly_count = 2};
  split->alternatives[1] = (hy_alternative){.polys = {n, atom->a}, .is_equal = {true, false}, .poly_count = 2};
  hy_vec_push(&state->splits, split);
}

// s is a choice: condition and s = a, or not condition and s = 0
static void define_choice(hy_prover *prover, hy_state *state, const hy_atom *atom, const hy_poly *s) {
  hy_arena *arena = prover->arena;
  hy_split *split = new_split(prover, 2);
  split->atom = atom->number;
  const hy_poly *gap = hy_poly_sub(arena, s, atom->a);
  if (!gap) return;
  split->alternatives[0] = (hy_alternative){.polys = {gap},
                                            .is_equal = {true},
                                            .poly_count = 1,
                                            .formulas = {atom->expr},
                                            .polarity = {true},
                                            .formula_count = 1};
  split->alternatives[1] = (hy_alternative){.polys = {s},
                                            .is_equal = {true},
                                            .poly_count = 1,
                                            .formulas = {atom->expr},
                                            .polarity = {false},
                                            .formula_count = 1};
  hy_vec_push(&state->splits, split);
}

// low <= atom <= high; with a quotient q = a / d also 0 <= a - d*q <= d - 1
static void define_atom(hy_prover *prover, hy_state *state, const hy_atom *atom) {
  hy_arena *arena = prover->arena;
  const hy_poly *poly = hy_poly_atom(arena, atom->number);
  if (atom->kind != HY_ATOM_QUOTIENT && atom->kind != HY_ATOM_NEGATIVE) {
    if (atom->range.has_low) define(prover, state, hy_poly_scale(arena, 1, poly, -atom->range.low), atom, 0);
    if (atom->range.has_high) define(prover, state, hy_poly_scale(arena, -1, poly, atom->range.high), atom, 1);
  }
  switch (atom->kind) {
  case HY_ATOM_FLOAT:
  case HY_ATOM_UNKNOWN: return;
  case HY_ATOM_QUOTIENT:
    define(prover, state, hy_poly_combine(arena, 1, atom->a, -atom->divisor, poly, 0), atom, 2);
    define(prover, state, hy_poly_combine(arena, -1, atom->a, atom->divisor, poly, atom->divisor - 1), atom, 3);
    return;
  case HY_ATOM_RATIO: hy_vec_push(&state->divisions, atom->number); return;
  case HY_ATOM_REST: note_atom(state, atom->partner); return;
  case HY_ATOM_NEGATIVE: define_negative(prover, state, atom, poly); return;
  case HY_ATOM_CHOICE: define_choice(prover, state, atom, poly); return;
  }
  HY_UNREACHABLE();
}

const hy_split *hy_state_split(const hy_state *state, const hy_atom *atom) {
  for (size_t i = 0; i < state->splits.count; i++)
    if (!state->splits.data[i]->formula && state->splits.data[i]->atom == atom->number) return state->splits.data[i];
  return NULL;
}

/* -- constraints -- */

static void close_now(hy_prover *prover, hy_state *state, int constraint) {
  hy_proof *proof = hy_proof_new(prover, HY_PROOF_SUM, 1);
  proof->parts[0] = (hy_proof_part){prover->constraints.data[constraint], hy_rational_of(1)};
  state->simplex.conflict_count = 0;
  state->closed = true;
  state->proof = proof;
  hy_vec_push(&prover->steps, (hy_ingredient){prover->closings++, constraint, hy_rational_of(1)});
}

static void close_by_simplex(hy_prover *prover, hy_state *state) {
  state->closed = hy_certificate_close(prover, state);
  if (!state->closed) state->lost = prover->overflow = true;
}

static int add_constraint(hy_prover *prover, hy_linear_constraint content) {
  hy_linear_constraint *constraint = HY_NEW(prover->arena, hy_linear_constraint);
  *constraint = content;
  hy_vec_push(&prover->constraints, constraint);
#ifndef NDEBUG
  hy_certificate_check_constraint(prover, constraint);
#endif
  return (int)prover->constraints.count - 1;
}

static void demand(hy_prover *prover, hy_state *state, const hy_linear_constraint *constraint, int number) {
  bool is_low = constraint->form == constraint->poly;
  hy_wide bound = is_low ? -constraint->poly->constant : constraint->poly->constant;
  hy_simplex_result result = hy_simplex_demand(&state->simplex, constraint->form, is_low, bound, number);
  if (result == HY_SIMPLEX_FEASIBLE && constraint->is_equal)
    result = hy_simplex_demand(&state->simplex, constraint->form, !is_low, bound, number);
  if (result == HY_SIMPLEX_LOST) state->lost = prover->overflow = true;
  if (result == HY_SIMPLEX_INFEASIBLE) close_by_simplex(prover, state);
}

static void activate(const hy_prover *prover, hy_state *state, int constraint) {
  hy_vec_push(&state->active, constraint);
  hy_vec_push(&state->hashes, prover->constraints.data[constraint]->poly->hash);
}

void hy_state_adopt(hy_prover *prover, hy_state *state, int constraint) {
  activate(prover, state, constraint);
  demand(prover, state, prover->constraints.data[constraint], constraint);
}

// Does a constraint that holds here already say so?
static bool is_known(const hy_prover *prover, const hy_state *state, const hy_linear_constraint *constraint) {
  for (size_t i = 0; i < state->active.count; i++) {
    if (state->hashes.data[i] != constraint->poly->hash) continue;
    const hy_linear_constraint *other = prover->constraints.data[state->active.data[i]];
    if (other->is_equal == constraint->is_equal && other->poly->constant <= constraint->poly->constant &&
        (!other->is_equal || other->poly->constant == constraint->poly->constant) &&
        hy_poly_same_terms(other->poly, constraint->poly))
      return true;
  }
  return false;
}

// g*p + c >= 0 says p + floor(c/g) >= 0;  g*p + c == 0 with g not dividing c is a contradiction
static void constrain_image(hy_prover *prover, hy_state *state, const hy_poly *poly, hy_linear_constraint content) {
  hy_wide constant;
  content.source = content.poly = poly;
  content.cause = prover->cause;
  if (hy_poly_is_constant(poly, &constant)) {
    bool fine = content.is_equal ? constant == 0 : constant >= 0;
    if (!fine) close_now(prover, state, add_constraint(prover, content));
    return;
  }
  if (poly->constant <= -hy_wide_power_of_two(126)) return; // its negation must fit
  hy_wide common = hy_poly_content(poly);
  if (content.is_equal && hy_wide_mod(poly->constant, common) != 0) {
    close_now(prover, state, add_constraint(prover, content));
    return;
  }
  if (common > 1) content.poly = hy_poly_reduce(prover->arena, poly, common, hy_wide_div(poly->constant, common));
  bool leads = content.poly->terms[0].coefficient > 0;
  content.form = leads ? content.poly : hy_poly_scale(prover->arena, -1, content.poly, 0);
  if (!content.form || is_known(prover, state, &content)) return;
  int number = add_constraint(prover, content);
  activate(prover, state, number);
  note_atoms(state, content.poly);
  demand(prover, state, prover->constraints.data[number], number);
}

void hy_state_constrain(hy_prover *prover, hy_state *state, const hy_poly *poly, bool is_equal, hy_origin_of origin,
                        int left, int right) {
  if (!poly || state->closed || state->lost) return;
  prover->effort += HY_CONSTRAINT_EFFORT + state->active.count + poly->count;
  note_atoms(state, poly);
  const hy_poly *image = hy_fact_set_image(prover, prover->set, poly);
  if (!image) return;
  constrain_image(
      prover, state, image,
      (hy_linear_constraint){.before = poly, .is_equal = is_equal, .origin = origin, .left = left, .right = right});
}

static void define_waiting(hy_prover *prover, hy_state *state) {
  while (state->waiting.count && !state->closed && !state->lost)
    define_atom(prover, state, hy_terms_atom(&prover->terms, hy_vec_pop(&state->waiting)));
}

void hy_state_define(hy_prover *prover, hy_state *state, const hy_poly *poly) {
  note_atoms(state, poly);
  define_waiting(prover, state);
}

void hy_state_check(hy_prover *prover, hy_state *state) {
  define_waiting(prover, state);
  if (state->closed || state->lost) return;
  if (prover->quick) state->simplex.most_work = prover->work_limit;
  hy_simplex_result result = hy_simplex_check(&state->simplex);
  prover->work += state->simplex.work;
  prover->effort += state->simplex.work;
  state->simplex.work = 0;
  switch (result) {
  case HY_SIMPLEX_FEASIBLE: return;
  case HY_SIMPLEX_LOST: state->lost = prover->overflow = true; return;
  case HY_SIMPLEX_INFEASIBLE: close_by_simplex(prover, state); return;
  }
  HY_UNREACHABLE();
}

/* -- formulas -- */

bool hy_prover_is_comparison(const hy_expr *expr) {
  if (expr->kind != HY_EXPR_OP) return false;
  if (!hy_terms_is_whole(expr->args[0])) return hy_floats_is_plain(expr);
  hy_typing typing = hy_op_typing(expr->op);
  return typing == HY_TYPING_COMPARE || (typing == HY_TYPING_EQUAL && expr->args[0]->type != HY_BOOL);
}

const hy_poly *hy_prover_difference(hy_prover *prover, const hy_expr *comparison) {
  const hy_poly *known = hy_pair_map_get(&prover->differences, comparison, NULL);
  if (known) return known;
  const hy_poly *left = hy_terms_poly(&prover->terms, comparison->args[0]);
  const hy_poly *right = hy_terms_is_whole(comparison->args[1])
                             ? hy_terms_poly(&prover->terms, comparison->args[1])
                             : hy_poly_constant(prover->terms.arena, hy_floats_limit(comparison));
  const hy_poly *difference = hy_poly_sub(prover->terms.arena, left, right);
  if (difference) hy_pair_map_put(&prover->differences, comparison, NULL, difference);
  return difference;
}

static void assert_poly(hy_prover *prover, hy_state *state, const hy_poly *poly, bool is_equal) {
  hy_state_constrain(prover, state, poly, is_equal, prover->origin, -1, -1);
}

static void push_split(hy_prover *prover, hy_state *state, hy_split *split) {
  split->is_goal = prover->origin == HY_ORIGIN_GOAL;
  hy_vec_push(&state->splits, split);
}

// a != b says a - b - 1 >= 0 or b - a - 1 >= 0
static void assert_different(hy_prover *prover, hy_state *state, const hy_poly *difference, const hy_expr *formula,
                             bool polarity) {
  hy_arena *arena = prover->arena;
  const hy_poly *above = hy_poly_scale(arena, 1, difference, -1), *below = hy_poly_scale(arena, -1, difference, -1);
  if (!above || !below) return;
  hy_split *split = new_split(prover, 2);
  split->formula = formula;
  split->polarity = polarity;
  split->alternatives[0] = (hy_alternative){.polys = {above}, .poly_count = 1};
  split->alternatives[1] = (hy_alternative){.polys = {below}, .poly_count = 1};
  push_split(prover, state, split);
}

static void assert_comparison(hy_prover *prover, hy_state *state, const hy_expr *formula, bool polarity) {
  hy_arena *arena = prover->arena;
  const hy_poly *d = hy_prover_difference(prover, formula);
  if (!d) return;
  prover->cause = (hy_ground){.kind = HY_CAUSE_FORMULA, .formula = formula, .polarity = polarity};
  switch ((int)(polarity ? formula->op : hy_op_denied(formula->op))) {
  case HY_OP_EQ: assert_poly(prover, state, d, true); return;
  case HY_OP_NE: assert_different(prover, state, d, formula, polarity); return;
  case HY_OP_LT: assert_poly(prover, state, hy_poly_scale(arena, -1, d, -1), false); return;
  case HY_OP_LE: assert_poly(prover, state, hy_poly_scale(arena, -1, d, 0), false); return;
  case HY_OP_GT: assert_poly(prover, state, hy_poly_scale(arena, 1, d, -1), false); return;
  case HY_OP_GE: assert_poly(prover, state, d, false); return;
  }
  HY_UNREACHABLE();
}

static void close_by_formula(hy_prover *prover, hy_state *state, int kind, const hy_expr *formula, bool polarity) {
  hy_proof *proof = hy_proof_new(prover, kind, 0);
  proof->formula = formula;
  proof->polarity = polarity;
  state->proof = proof;
  state->closed = true;
  prover->closings++;
}

static void assert_literal(hy_prover *prover, hy_state *state, const hy_expr *expr, bool polarity) {
  for (size_t i = 0; i < state->literals.count; i++) {
    if (state->literals.data[i].expr != expr) continue;
    if (state->literals.data[i].polarity != polarity) close_by_formula(prover, state, HY_PROOF_CLASH, expr, polarity);
    return;
  }
  hy_vec_push(&state->literals, (hy_literal){expr, polarity});
}

// Two formulas, both or one of them: (a and b) or (c and d), a NULL standing for true. It is what "of" says.
static void assert_either(hy_prover *prover, hy_state *state, hy_literal of, hy_literal a, hy_literal b, hy_literal c,
                          hy_literal d) {
  hy_split *split = new_split(prover, 2);
  split->formula = of.expr;
  split->polarity = of.polarity;
  split->alternatives[0] = (hy_alternative){
      .formulas = {a.expr, b.expr}, .polarity = {a.polarity, b.polarity}, .formula_count = b.expr ? 2 : 1};
  split->alternatives[1] = (hy_alternative){
      .formulas = {c.expr, d.expr}, .polarity = {c.polarity, d.polarity}, .formula_count = d.expr ? 2 : 1};
  push_split(prover, state, split);
}

static void assert_at(hy_prover *prover, hy_state *state, const hy_expr *formula, bool polarity, int depth);

static void assert_op(hy_prover *prover, hy_state *state, const hy_expr *formula, bool polarity, int depth) {
  const hy_expr *a = formula->args[0], *b = formula->count > 1 ? formula->args[1] : NULL;
  hy_literal of = {formula, polarity};
  const hy_expr *plain = hy_floats_plain(prover->context, formula);
  if (plain != formula) {
    assert_at(prover, state, plain, polarity, depth);
  } else if (hy_prover_is_comparison(formula)) {
    assert_comparison(prover, state, formula, polarity);
  } else if (formula->op == HY_OP_NOT) {
    assert_at(prover, state, a, !polarity, depth);
  } else if (formula->op == (polarity ? HY_OP_AND : HY_OP_OR)) {
    assert_at(prover, state, a, polarity, depth);
    assert_at(prover, state, b, polarity, depth);
  } else if (formula->op == HY_OP_AND || formula->op == HY_OP_OR) {
    hy_literal none = {NULL, false};
    assert_either(prover, state, of, (hy_literal){a, polarity}, none, (hy_literal){b, polarity}, none);
  } else if ((formula->op == HY_OP_EQ || formula->op == HY_OP_NE) && a->type == HY_BOOL) {
    bool same = (formula->op == HY_OP_EQ) == polarity;
    assert_either(prover, state, of, (hy_literal){a, true}, (hy_literal){b, same}, (hy_literal){a, false},
                  (hy_literal){b, !same});
  } else if (formula->op == HY_OP_SELECT) {
    assert_either(prover, state, of, (hy_literal){a, true}, (hy_literal){b, polarity}, (hy_literal){a, false},
                  (hy_literal){formula->args[2], polarity});
  } else if (formula->op == HY_OP_CAST && a->type == HY_BOOL) {
    assert_at(prover, state, a, polarity, depth);
  } else if (formula->op == HY_OP_CAST && hy_terms_is_whole(a)) {
    const hy_poly *value = hy_terms_poly(&prover->terms, a);
    prover->cause = (hy_ground){.kind = HY_CAUSE_FORMULA, .formula = formula, .polarity = polarity};
    if (value && polarity) assert_different(prover, state, value, formula, polarity);
    if (value && !polarity) assert_poly(prover, state, value, true);
  } else {
    assert_literal(prover, state, formula, polarity); // of floats
  }
}

static void assert_at(hy_prover *prover, hy_state *state, const hy_expr *formula, bool polarity, int depth) {
  if (state->closed || depth > MAX_FORMULA_DEPTH || ++prover->formulas > prover->patience->formulas) return;
  bool is_constant = hy_expr_is_true(formula) || hy_expr_is_false(formula);
  if (is_constant) {
    if (hy_expr_is_true(formula) != polarity) close_by_formula(prover, state, HY_PROOF_FALSE, formula, polarity);
  } else if (formula->kind == HY_EXPR_OP) {
    assert_op(prover, state, formula, polarity, depth + 1);
  } else {
    assert_literal(prover, state, formula, polarity);
  }
}

void hy_state_assert(hy_prover *prover, hy_state *state, const hy_expr *formula, bool polarity) {
  assert_at(prover, state, formula, polarity, 0);
}

void hy_state_choose(hy_prover *prover, hy_state *state, const hy_split *split, int choice) {
  const hy_alternative *alternative = &split->alternatives[choice];
  for (int i = 0; i < alternative->formula_count; i++)
    hy_state_assert(prover, state, alternative->formulas[i], alternative->polarity[i]);
  for (int i = 0; i < alternative->poly_count; i++) {
    prover->cause = (hy_ground){.kind = HY_CAUSE_ALTERNATIVE, .split = split, .choice = choice, .part = i};
    assert_poly(prover, state, alternative->polys[i], alternative->is_equal[i]);
  }
}
