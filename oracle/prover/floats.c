#include "oracle/prover/prover_internal.h"

/* Orders between what conversions of floats give, int(floor(f32(a) * s)) <= int(floor(f32(b) * s)) where a <= b and s is
 * not negative: operator by operator, by the rows of semantics/value/monotone.def and nothing else. A float is its rank
 * to the prover, an operator of floats an atom of which no more is known than its type.
 *
 * A NaN would spoil it: that there is none is shown by sizes, powers of two which arguments and results do not exceed.
 * Where the sign of a factor is not known there are two cases, and in each of them one order or the other. Sizes of
 * integers that are the lesser or greater of others are a question of cases, too: its proofs are long, and it is asked
 * in a longer look only, and after all else.
 */

enum {
  MOST_CONVERSIONS = 24,
  MOST_ROUNDS = 8,            // on the way to one state: each sign that is asked for takes one
  MOST_ROUNDS_AT_LENGTH = 32, // at a long look
  MOST_LEMMAS = 2000,         // for one question
  MOST_LEMMAS_AT_LENGTH = 10000,
  MOST_FLOAT_DEPTH = 40
};

typedef struct {
  hy_prover *prover;
  int level;
  hy_state *state;
  const hy_poly *sign; // of a factor, which would be worth knowing
  bool searches;       // for sizes of integers: makes long certificates, and is the last that is tried
} float_search;

static hy_monotone operator_of(const hy_atom *atom) { return hy_monotone_of((int)atom->divisor); }

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }

static bool is_conversion(const hy_atom *atom) {
  return atom->kind == HY_ATOM_FLOAT && operator_of(atom).row == HY_MONOTONE_TO_WHOLE;
}

static const hy_atom *single_atom(const float_search *s, const hy_poly *poly) {
  if (poly->count != 1 || poly->constant != 0 || poly->terms[0].coefficient != 1) return NULL;
  if (hy_monomial_degree(poly->terms[0].monomial) != 1) return NULL;
  return hy_terms_atom(&s->prover->terms, hy_monomial_atom(poly->terms[0].monomial, 0));
}

static const hy_poly *atom_of(const float_search *s, const hy_atom *atom) {
  return hy_poly_atom(s->prover->arena, atom->number);
}

static bool may_try(const float_search *s) {
  int most = s->prover->persists ? MOST_LEMMAS_AT_LENGTH : MOST_LEMMAS;
  return !s->state->closed && !s->state->lost && !hy_prover_is_tired(s->prover) && s->prover->float_lemmas < most;
}

// Is it at least 0?
static bool show(float_search *s, const hy_poly *poly, hy_shown *shown) {
  if (!poly || !may_try(s)) return false;
  s->prover->float_lemmas++;
  shown->poly = poly;
  shown->proof = hy_lemma_at_least_0(s->prover, s->level, poly);
  return shown->proof != NULL;
}

static void say(float_search *s, const hy_float_lemma *lemma, const hy_poly *poly) {
  s->prover->cause = (hy_ground){.kind = HY_CAUSE_FLOAT, .lemma = lemma};
  hy_state_constrain(s->prover, s->state, poly, false, HY_ORIGIN_DEFINITION, -1, -1);
}

/* -- sizes -- */

static bool is_sized(const float_search *s, const hy_atom *atom, int *size) {
  for (size_t i = s->state->sized.count; i-- > 0;) { // the last is the least
    if (s->state->sized.data[i].atom != atom->number) continue;
    *size = s->state->sized.data[i].size;
    return true;
  }
  return false;
}

static bool size_atom(float_search *s, const hy_atom *atom, int *size, int depth);

// What an integer's size does not exceed, and the rank of a float of that size.
static hy_wide power_of(hy_type type, int exponent) {
  return is_float(type) ? (hy_wide)hy_float_power(type, exponent) : hy_wide_power_of_two(exponent);
}

// The ends of what a size allows: the upper one is sign > 0, power - p >= 0; p + power >= 0, of a rank p + power + 1.
static const hy_poly *within(const float_search *s, const hy_poly *p, hy_type type, int exponent, int sign) {
  hy_wide power = power_of(type, exponent), more = sign < 0 && is_float(type);
  return hy_poly_scale(s->prover->arena, -sign, p, power + more);
}

// The least exponent of a float type whose power is at least "most" and -1 - which is at most "least".
static int exponent_for(hy_type type, hy_wide least, hy_wide most) {
  int exponent = hy_float_least_power(type), top = hy_float_top_power(type);
  while (exponent < top &&
         (hy_float_power(type, exponent) < most || -1 - (hy_wide)hy_float_power(type, exponent) > least))
    exponent++;
  return exponent;
}

static bool bounds_of(const float_search *s, const hy_poly *p, hy_wide *least, hy_wide *most) {
  if (hy_poly_is_constant(p, least)) {
    *most = *least;
    return true;
  }
  const hy_simplex *simplex = &s->state->simplex;
  return p->count == 1 && p->constant == 0 && p->terms[0].coefficient == 1 &&
         hy_simplex_bound(simplex, p->terms[0].monomial, true, least) &&
         hy_simplex_bound(simplex, p->terms[0].monomial, false, most);
}

// What the size of an argument does not exceed, with both ends shown. An operator's is what its arguments' make it, or,
// where nothing is known of those, what is known of the whole: a number of parameters is asked at entry as one.
static bool size_float(float_search *s, const hy_poly *p, hy_type type, int *size, hy_shown *ends, int depth) {
  hy_wide least, most;
  const hy_atom *atom = single_atom(s, p);
  bool is_sized = atom && atom->kind == HY_ATOM_FLOAT && size_atom(s, atom, size, depth + 1);
  if (!is_sized) {
    if (!bounds_of(s, p, &least, &most) || most > hy_float_infinity(type)) return false;
    *size = exponent_for(type, least, most);
  }
  return show(s, within(s, p, type, *size, 1), &ends[0]) && show(s, within(s, p, type, *size, -1), &ends[1]);
}

// Is it made of the lesser or greater of two, or of a choice?
static bool has_cases(const float_search *s, const hy_poly *p) {
  for (uint32_t i = 0; i < p->count; i++)
    for (int k = 0; k < hy_monomial_degree(p->terms[i].monomial); k++) {
      const hy_atom *atom = hy_terms_atom(&s->prover->terms, hy_monomial_atom(p->terms[i].monomial, k));
      if (atom->kind == HY_ATOM_NEGATIVE || atom->kind == HY_ATOM_CHOICE) return true;
    }
  return false;
}

// Is it at least 0? That may be a question of cases.
static bool show_end(float_search *s, const hy_poly *poly, hy_shown *shown) {
  if (show(s, poly, shown)) return true;
  if (!s->searches || !poly || !may_try(s) || !has_cases(s, poly)) return false;
  shown->proof = hy_lemma_by_search(s->prover, s->level, poly);
  return shown->proof != NULL;
}

// Of an integer: nothing need be shown for 64 bits. Less is worth knowing where numbers must fit.
static bool size_whole(float_search *s, const hy_poly *p, int *size, hy_shown *ends) {
  static const int tries[] = {32, 34, 36, 40, 48};
  *size = 64;
  for (size_t i = 0; i < HY_COUNT(tries) && s->prover->sizes_matter; i++) {
    if (!show_end(s, within(s, p, HY_INT, tries[i], 1), &ends[0]) ||
        !show_end(s, within(s, p, HY_INT, tries[i], -1), &ends[1]))
      continue;
    *size = tries[i];
    return true;
  }
  ends[0] = ends[1] = (hy_shown){0};
  return true;
}

// At least 2^j in size: j from the bound nearest to 0.
static bool size_divisor(float_search *s, const hy_poly *p, hy_type type, int *size, hy_shown *ends) {
  hy_arena *arena = s->prover->arena;
  hy_wide least, most;
  if (!bounds_of(s, p, &least, &most) || most > hy_float_infinity(type)) return false;
  int low = hy_float_least_power(type), top = hy_float_top_power(type);
  hy_wide nearest = least >= 0 ? least : -1 - most;
  if (nearest < hy_float_power(type, low)) return false;
  for (*size = low; *size < top && hy_float_power(type, *size + 1) <= nearest;) ++*size;
  hy_wide power = hy_float_power(type, *size);
  if (least < 0) return show(s, hy_poly_scale(arena, -1, p, -1 - power), &ends[0]);
  return show(s, hy_poly_scale(arena, 1, p, -power), &ends[0]) &&
         show(s, hy_poly_scale(arena, -1, p, hy_float_infinity(type)), &ends[1]);
}

static bool size_arguments(float_search *s, const hy_atom *atom, hy_float_lemma *lemma, int depth) {
  hy_monotone op = operator_of(atom);
  bool first = is_float(op.from) ? size_float(s, atom->a, op.from, &lemma->i, &lemma->ends[0], depth)
                                 : size_whole(s, atom->a, &lemma->i, &lemma->ends[0]);
  if (!first || !atom->m) return first;
  if (op.row == HY_MONOTONE_DIV) return size_divisor(s, atom->m, op.from, &lemma->j, &lemma->ends[2]);
  return size_float(s, atom->m, op.from, &lemma->j, &lemma->ends[2], depth);
}

// What the size of an operator's result does not exceed; it is said here.
static bool size_atom(float_search *s, const hy_atom *atom, int *size, int depth) {
  if (is_sized(s, atom, size) && !s->searches) return true;
  if (depth > MOST_FLOAT_DEPTH || !may_try(s)) return false;
  hy_monotone op = operator_of(atom);
  hy_float_lemma lemma = {.u = atom};
  int before;
  if (!size_arguments(s, atom, &lemma, depth) || !hy_monotone_size(op, lemma.i, lemma.j, size)) return false;
  if (is_sized(s, atom, &before) && before <= *size) {
    *size = before;
    return true;
  }
  for (int end = 0; end < 2; end++) {
    hy_float_lemma *kept = HY_NEW(s->prover->arena, hy_float_lemma);
    *kept = lemma;
    kept->part = end;
    say(s, kept, within(s, atom_of(s, atom), op.result, *size, end ? -1 : 1));
  }
  hy_vec_push(&s->state->sized, ((hy_sized){atom->number, *size}));
  return true;
}

/* -- orders -- */

static bool order(float_search *s, const hy_atom *u, const hy_atom *v, int depth);

// The atom of the polynomial that is worth comparing with one of the same operator in another.
static const hy_atom *comparable(const float_search *s, const hy_poly *p) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (hy_monomial_degree(p->terms[i].monomial) != 1) continue;
    const hy_atom *atom = hy_terms_atom(&s->prover->terms, hy_monomial_atom(p->terms[i].monomial, 0));
    if (atom->kind == HY_ATOM_FLOAT) return atom;
  }
  return NULL;
}

static bool is_constant(const hy_poly *p) { return p->count == 0; }

// p <= q? What is made of operators of floats is compared by them first.
static bool show_order(float_search *s, const hy_poly *p, const hy_poly *q, hy_shown *shown, int depth) {
  const hy_atom *u = comparable(s, p), *v = comparable(s, q);
  if (u && v && u != v && u->divisor == v->divisor) order(s, u, v, depth + 1);
  const hy_poly *gap = hy_poly_sub(s->prover->arena, q, p);
  if (show(s, gap, shown)) return true;
  if (!gap || !may_try(s) || is_constant(gap)) return false;
  shown->proof = hy_lemma_by_search(s->prover, s->level, gap);
  return shown->proof != NULL;
}

// That the float is no NaN.
static bool show_number(float_search *s, const hy_poly *p, hy_type type, hy_shown *shown) {
  const hy_atom *atom = single_atom(s, p);
  int size;
  if (atom && atom->kind == HY_ATOM_FLOAT) size_atom(s, atom, &size, 0);
  return show(s, hy_poly_scale(s->prover->arena, -1, p, hy_float_infinity(type)), shown);
}

static bool shows_numbers(float_search *s, hy_float_lemma *lemma) {
  hy_monotone op = operator_of(lemma->u);
  switch (hy_monotone_nan(op)) {
  case HY_NAN_NEVER: return true;
  case HY_NAN_RESULT: return show_number(s, atom_of(s, lemma->u), op.result, &lemma->number);
  case HY_NAN_ARGUMENT: return show_number(s, lemma->v->a, op.from, &lemma->number);
  }
  HY_UNREACHABLE();
}

// VAL.Monotone: u <= v, which differ in one argument, because the result grows with it (or falls).
static bool order_by(float_search *s, hy_float_lemma lemma, bool grows, int depth) {
  const hy_atom *low = grows ? lemma.u : lemma.v, *high = grows ? lemma.v : lemma.u;
  bool second = lemma.part == 1;
  const hy_poly *lesser = second ? low->m : low->a, *greater = second ? high->m : high->a;
  if (!show_order(s, lesser, greater, &lemma.order, depth) || !shows_numbers(s, &lemma)) return false;
  hy_float_lemma *kept = HY_NEW(s->prover->arena, hy_float_lemma);
  *kept = lemma;
  hy_context_hit(s->prover->context, HY_RULE_VAL_MONOTONE);
  say(s, kept, hy_poly_sub(s->prover->arena, atom_of(s, lemma.v), atom_of(s, lemma.u)));
  return true;
}

// By the sign of the other argument. If that is not known, and would decide, it is asked for.
static bool order_by_sign(float_search *s, hy_float_lemma lemma, int depth) {
  hy_arena *arena = s->prover->arena;
  const hy_poly *other = lemma.part == 1 ? lemma.u->a : lemma.u->m;
  const hy_poly *p = lemma.part == 1 ? lemma.u->m : lemma.u->a, *q = lemma.part == 1 ? lemma.v->m : lemma.v->a;
  hy_shown ignored;
  if (show(s, other, &lemma.sign)) return order_by(s, lemma, true, depth);
  if (show(s, hy_poly_scale(arena, -1, other, -1), &lemma.sign)) return order_by(s, lemma, false, depth);
  if (!s->sign && (show_order(s, p, q, &ignored, depth) || show_order(s, q, p, &ignored, depth))) s->sign = other;
  return false;
}

static bool order_one(float_search *s, const hy_atom *u, const hy_atom *v, int argument, int depth) {
  hy_float_lemma lemma = {.u = u, .v = v, .part = argument, .is_order = true};
  switch (hy_monotone_growth(operator_of(u), argument)) {
  case HY_GROWTH_NOT: return false;
  case HY_GROWTH_GROWS: return order_by(s, lemma, true, depth);
  case HY_GROWTH_FALLS: return order_by(s, lemma, false, depth);
  case HY_GROWTH_SIGN: return order_by_sign(s, lemma, depth);
  }
  HY_UNREACHABLE();
}

static bool same(const hy_poly *p, const hy_poly *q) { return p == q || (p && q && hy_poly_same(p, q)); }

// u <= v? Then it is said here. requires: both are of one operator
static bool order(float_search *s, const hy_atom *u, const hy_atom *v, int depth) {
  if (u == v) return true;
  if (depth > MOST_FLOAT_DEPTH || !may_try(s)) return false;
  bool first = !same(u->a, v->a), second = !same(u->m, v->m);
  if (!first || !second) return order_one(s, u, v, second, depth);
  // one argument after the other
  const hy_poly *between = hy_terms_float(&s->prover->terms, operator_of(u), v->a, u->m);
  const hy_atom *w = between ? single_atom(s, between) : NULL;
  return w && order_one(s, u, w, 0, depth) && order_one(s, w, v, 1, depth);
}

/* -- what is compared -- */

typedef struct {
  const hy_atom *atom;
  hy_rational value; // at the simplex's point
} conversion;

static int list_conversions(const float_search *s, conversion *list) {
  const hy_simplex *simplex = &s->state->simplex;
  int count = 0;
  for (int v = 0; v < simplex->var_count && count < MOST_CONVERSIONS; v++) {
    hy_monomial monomial = simplex->keys[v];
    if (!hy_simplex_is_unknown(simplex, v) || hy_monomial_degree(monomial) != 1) continue;
    const hy_atom *atom = hy_terms_atom(&s->prover->terms, hy_monomial_atom(monomial, 0));
    if (is_conversion(atom) && hy_simplex_value(simplex, monomial, &list[count].value)) list[count++].atom = atom;
  }
  return count;
}

static bool exceeds(hy_rational a, hy_rational b) {
  bool overflow = false;
  hy_rational gap = hy_rational_sub(a, b, &overflow);
  return !overflow && gap.num > 0;
}

// After what was learnt the point is another, at which fewer are in the wrong order.
static void move_point(float_search *s, conversion *list, int count) {
  hy_state_check(s->prover, s->state);
  for (int i = 0; i < count && !s->state->closed && !s->state->lost; i++)
    if (!hy_simplex_value(&s->state->simplex, hy_monomial_of(list[i].atom->number), &list[i].value))
      list[i].value = hy_rational_of(0);
}

bool hy_floats_add(hy_prover *prover, int level) {
  hy_state *state = &prover->levels[level];
  int most = prover->persists ? MOST_ROUNDS_AT_LENGTH : MOST_ROUNDS;
  if (!prover->terms.has_floats || prover->compares_floats || state->floats_done >= most || level >= HY_PROVER_LEVELS)
    return false;
  state->floats_done++;
  prover->compares_floats = true;
  float_search s = {.prover = prover, .level = level, .state = state};
  conversion list[MOST_CONVERSIONS];
  int count = list_conversions(&s, list), size;
  size_t before = state->active.count;
  for (int i = 0; i < count && prover->sizes_matter; i++) size_atom(&s, list[i].atom, &size, 0);
  // Where a sign is to be told first, more is known of them all in each case.
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count && !s.sign; j++)
      if (i != j && list[i].atom->divisor == list[j].atom->divisor && exceeds(list[i].value, list[j].value) &&
          order(&s, list[i].atom, list[j].atom, 0))
        move_point(&s, list, count);
  s.searches = prover->persists && prover->sizes_matter && !state->sizes_searched && state->active.count == before;
  state->sizes_searched |= s.searches;
  for (int i = 0; i < count && s.searches; i++) size_atom(&s, list[i].atom, &size, 0);
  state->sign = s.sign;
  prover->compares_floats = false;
  return state->active.count > before;
}

/* -- comparisons of floats with numbers -- */

static bool is_number(const hy_expr *expr) {
  return expr->kind == HY_EXPR_CONST && is_float(expr->type) && expr->value.error == HY_OK &&
         hy_float_rank(expr->value) <= hy_float_infinity(expr->type);
}

static bool is_comparable(const hy_expr *a, const hy_expr *number) {
  return a->kind != HY_EXPR_CONST && !a->has_access && is_float(a->type) && is_number(number);
}

bool hy_floats_is_plain(const hy_expr *formula) {
  return formula->kind == HY_EXPR_OP && (formula->op == HY_OP_LT || formula->op == HY_OP_LE) &&
         is_comparable(formula->args[0], formula->args[1]);
}

// a < 0 is a < -0, a <= 0 is a <= +0. Nothing is to be said of a NaN: it is above all.
int64_t hy_floats_limit(const hy_expr *plain) {
  int64_t rank = hy_float_rank(plain->args[1]->value);
  if (rank != 0 && rank != -1) return rank;
  return plain->op == HY_OP_LT ? -1 : 0;
}

static const hy_expr *negation(hy_context *context, const hy_expr *a) { return hy_expr_unary(context, HY_OP_NOT, a); }

const hy_expr *hy_floats_plain(hy_context *context, const hy_expr *formula) {
  if (formula->kind != HY_EXPR_OP || hy_op_kind_of(formula->op) != HY_KIND_COMPARISON ||
      !is_float(formula->args[0]->type))
    return formula;
  bool turned = is_comparable(formula->args[1], formula->args[0]);
  if (!turned && !is_comparable(formula->args[0], formula->args[1])) return formula;
  const hy_expr *a = formula->args[turned], *c = formula->args[!turned];
  const hy_expr *infinity = hy_expr_const(context, hy_float_of_rank(a->type, hy_float_infinity(a->type)));
  const hy_expr *below = hy_expr_binary(context, HY_OP_LT, a, c), *upto = hy_expr_binary(context, HY_OP_LE, a, c);
  const hy_expr *is_a_number = hy_expr_binary(context, HY_OP_LE, a, infinity);
  const hy_expr *equal = hy_expr_and(context, upto, negation(context, below));
  switch ((int)(turned ? hy_op_turned(formula->op) : formula->op)) {
  case HY_OP_LT: return below;
  case HY_OP_LE: return upto;
  case HY_OP_GT: return hy_expr_and(context, negation(context, upto), is_a_number);
  case HY_OP_GE: return hy_expr_and(context, negation(context, below), is_a_number);
  case HY_OP_EQ: return equal;
  case HY_OP_NE: return negation(context, equal);
  }
  HY_UNREACHABLE();
}
