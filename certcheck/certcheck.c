/* halyard-certcheck: decides whether the certificates of a file are proofs. docs/certificates.md describes the file.
 *
 * A certificate shows "facts |- goal" over the integers by refuting "facts and not goal": its steps derive hypotheses,
 * each a polynomial >= 0, a polynomial == 0 or a formula, until one is impossible. What one has to read to believe a
 * verdict stands here in this order: polynomials, and that what overflows is rejected; what lines are worth; what
 * hypotheses are; the steps, each below its rule, and the table of them; what a proof is. How these things are written
 * is reader.c.
 */

#include "certcheck/certcheck.h"

#include <string.h>

/* -- memory, and the first reason to reject -- */

void reject(checker *c, const char *why) {
  if (!c->why) c->why = why;
}

// Work is counted in terms that are made or looked at, of all certificates together. Real proofs need one or two for
// each byte of their file; without a limit a few bytes could ask for the same large sum again and again.
static void spend(checker *c, size_t terms) {
  if (terms > c->work)
    reject(c, "too much work for the size of the file");
  else
    c->work -= terms;
}

void *take(checker *c, size_t count, size_t size) {
  static char nothing[128]; // zeroes, for those who go on after a failure
  size_t aligned = (count * size + 15) & ~(size_t)15;
  spend(c, 1 + aligned / sizeof(term));
  if (aligned > c->size - c->used) {
    reject(c, "too large for the size of the file");
    return memset(nothing, 0, sizeof nothing);
  }
  char *room = c->arena + c->used;
  if (c->used < c->dirty) memset(room, 0, aligned < c->dirty - c->used ? aligned : c->dirty - c->used);
  c->used += aligned;
  if (c->dirty < c->used) c->dirty = c->used;
  return room;
}

/* -- arithmetic: what overflows is rejected -- */

wide plus(checker *c, wide a, wide b) {
  wide sum;
  bool overflow = __builtin_add_overflow(a, b, &sum);
  if (overflow) reject(c, "a number does not fit 128 bits");
  return overflow ? 0 : sum;
}

wide times(checker *c, wide a, wide b) {
  if (a == (int64_t)a && b == (int64_t)b) return a * b; // which always fits
  wide product;
  bool overflow = __builtin_mul_overflow(a, b, &product);
  if (overflow) reject(c, "a number does not fit 128 bits");
  return overflow ? 0 : product;
}

// The greatest common divisor. requires: a >= 0
static wide gcd(checker *c, wide a, wide b) {
  if (b < 0) b = times(c, b, -1);
  while (b != 0) {
    wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* -- polynomials -- */

monomial monomial_product(checker *c, monomial a, monomial b) {
  monomial product = 0;
  for (int place = 96; (a || b) && place >= 0; place -= 32) {
    monomial *from = (a >> 96) >= (b >> 96) ? &a : &b;
    product |= (*from >> 96) << place;
    *from <<= 32;
  }
  if (a || b) reject(c, "a degree is above 4");
  return product;
}

poly *poly_with(checker *c, int count) {
  poly *p = take(c, 1, sizeof *p + (size_t)count * sizeof(term));
  p->terms = (term *)(p + 1);
  return p;
}

poly *poly_of(checker *c, wide constant) {
  if (constant >= -SMALL && constant <= SMALL) return &c->constants[constant + SMALL];
  poly *p = poly_with(c, 0);
  p->constant = constant;
  return p;
}

poly *unknown(checker *c, int number) { // the one that line "number" brings
  poly *p = poly_with(c, 1);
  if (!c->why) p->terms[p->count++] = (term){(monomial)number << 96, 1};
  return p;
}

poly *combine(checker *c, wide f, const poly *a, wide g, const poly *b, wide constant) {
  poly *sum = poly_with(c, a->count + b->count);
  sum->constant = plus(c, plus(c, times(c, f, a->constant), times(c, g, b->constant)), constant);
  for (int i = 0, j = 0; (i < a->count || j < b->count) && !c->why;) {
    bool left = i < a->count && (j == b->count || a->terms[i].m >= b->terms[j].m);
    bool right = j < b->count && (i == a->count || b->terms[j].m >= a->terms[i].m);
    term t = {left ? a->terms[i].m : b->terms[j].m, 0};
    if (left) t.k = times(c, f, a->terms[i++].k);
    if (right) t.k = plus(c, t.k, times(c, g, b->terms[j++].k));
    if (t.k != 0) sum->terms[sum->count++] = t;
  }
  if (!c->why) c->used -= (size_t)(a->count + b->count - sum->count) * sizeof(term); // was not needed
  return sum;
}

static poly *scale(checker *c, wide f, const poly *a, wide constant) { return combine(c, f, a, 0, a, constant); }
static poly *sum_of(checker *c, const poly *a, const poly *b) { return combine(c, 1, a, 1, b, 0); }
static poly *difference_of(checker *c, const poly *a, const poly *b) { return combine(c, 1, a, -1, b, 0); }

// Monomials that descend still do when each is multiplied by the same one.
static poly *multiply(checker *c, const poly *a, const poly *b) {
  poly *product = combine(c, a->constant, b, 0, b, 0);
  for (int i = 0; i < a->count && !c->why; i++) {
    poly *row = poly_with(c, b->count + 1);
    for (int j = 0; j < b->count && !c->why; j++)
      row->terms[row->count++] =
          (term){monomial_product(c, a->terms[i].m, b->terms[j].m), times(c, a->terms[i].k, b->terms[j].k)};
    wide last = times(c, a->terms[i].k, b->constant);
    if (last != 0 && !c->why) row->terms[row->count++] = (term){a->terms[i].m, last};
    product = sum_of(c, product, row);
  }
  return product;
}

bool same(checker *c, const poly *a, const poly *b) {
  spend(c, (size_t)a->count);
  if (a->constant != b->constant || a->count != b->count) return false;
  for (int i = 0; i < a->count; i++)
    if (a->terms[i].m != b->terms[i].m || a->terms[i].k != b->terms[i].k) return false;
  return true;
}

static wide content(checker *c, const poly *p) {
  wide g = 0;
  spend(c, (size_t)p->count);
  for (int i = 0; i < p->count && g != 1; i++) g = gcd(c, g, p->terms[i].k);
  return g;
}

// The cut: g*p + k >= 0 says p + floor(k / g) >= 0, and g*p + g*k == 0 says p + k == 0.
static const poly *cut(checker *c, poly *p, bool is_equal) {
  wide g = content(c, p);
  if (c->why || g <= 1 || (is_equal && p->constant % g != 0)) return p;
  for (int i = 0; i < p->count; i++) p->terms[i].k /= g;
  p->constant = p->constant / g - (p->constant % g < 0); // the floor
  return p;
}

/* -- what lines are worth, and what the unknowns that they bring are -- */

const line *line_at(checker *c, int n, bool wants_formula) {
  const line *l = &c->lines[n >= 1 && n <= c->line_count ? n : 0];
  bool is_formula = l->kind >= TRUE, is_term = l != c->lines && l->value;
  if (!is_formula && !is_term) reject(c, "a line is not there");
  if (is_formula != wants_formula) reject(c, wants_formula ? "not a formula" : "not a term");
  return c->why ? c->lines : l;
}

// Gives the line that is made an unknown with this definition, or an earlier one that has it: "= N" at its end.
static const poly *bring(checker *c, arguments *x, line made) {
  c->lines[c->line_count] = made;
  if (c->why || !x->is_same) return unknown(c, c->line_count);
  x->is_same = false; // it has been looked at
  const line *old = &c->lines[x->same < c->line_count ? x->same : 0];
  bool fine = old->unknown == made.unknown && old->divisor == made.divisor && old->formula == made.formula &&
              same_operator(old->op, made.op);
  if (!fine || !same(c, old->a, made.a) || (made.m && !same(c, old->m, made.m))) reject(c, "not the same");
  c->lines[c->line_count] = (line){.kind = NO_KIND};
  return unknown(c, x->same);
}

// floor(a / divisor)
static const poly *quotient(checker *c, arguments *x, const poly *a, wide divisor) {
  if (divisor < 1) reject(c, "a divisor is below 1");
  return bring(c, x, (line){.unknown = QUOTIENT, .a = a, .divisor = divisor});
}

// min(p, 0)
static const poly *negative(checker *c, arguments *x, const poly *p) {
  return bring(c, x, (line){.unknown = NEGATIVE, .a = p});
}

// p where the formula holds and 0 elsewhere
static const poly *choice(checker *c, arguments *x, int formula, const poly *p) {
  return bring(c, x, (line){.unknown = CHOICE, .a = p, .formula = formula});
}

// a / b and a % b. By a constant they are one quotient; else they say something only where b >= 1.
static const poly *division(checker *c, arguments *x, line_kind kind, const poly *a, const poly *b) {
  wide d = b->constant;
  if (b->count > 0 || d == 0) return bring(c, x, (line){.unknown = kind == MOD ? REST : RATIO, .a = a, .m = b});
  const poly *q = quotient(c, x, a, d < 0 ? times(c, d, -1) : d);
  if (kind == MOD) return combine(c, 1, a, d < 0 ? d : times(c, d, -1), q, 0);
  return scale(c, d < 0 ? -1 : 1, q, 0);
}

// An operator of floats, of one argument or two.
static const poly *applied(checker *c, arguments *x) {
  line made = {.unknown = APPLIED, .a = x->p[0], .op = x->op};
  if (arity(x->op) == 2) made.m = x->p[1];
  made.has_range = true;
  range_of_type(x->op.result, &made.low, &made.high);
  return bring(c, x, made);
}

// The value of the type that is congruent to "a".
static const poly *wrap(checker *c, arguments *x) {
  const poly *a = x->p[0];
  if (!x->has_range) return a;
  wide modulus = x->high - x->low + 1;
  return combine(c, 1, a, -modulus, quotient(c, x, scale(c, 1, a, -x->low), modulus), 0);
}

// a & mask for a constant mask >= 0.
static const poly *mask(checker *c, arguments *x) {
  const poly *a = x->p[0];
  if (x->k < 0 || x->k >= (wide)1 << 64) {
    reject(c, "a mask is out of range");
    return a;
  }
  bool is_power = (x->k & (x->k + 1)) == 0; // less one
  if (is_power) return combine(c, 1, a, -(x->k + 1), quotient(c, x, a, x->k + 1), 0);
  c->lines[c->line_count] = (line){.unknown = UNKNOWN, .has_range = true, .high = x->k};
  return unknown(c, c->line_count);
}

// What a term is worth. It may bring an unknown.
static const poly *value_of(checker *c, line_kind kind, arguments *x) {
  const poly *a = x->p[0], *b = x->p[1];
  switch ((int)kind) {
  case INT: return poly_of(c, x->k);
  case UNKNOWN:
    c->lines[c->line_count] = (line){.unknown = UNKNOWN, .has_range = x->has_range, .low = x->low, .high = x->high};
    return unknown(c, c->line_count);
  case PLUS: return sum_of(c, a, b);
  case MINUS: return difference_of(c, a, b);
  case TIMES: return multiply(c, a, b);
  case NEGATE: return scale(c, -1, a, 0);
  case DIV:
  case MOD: return division(c, x, kind, a, b);
  case MIN: return sum_of(c, b, negative(c, x, difference_of(c, a, b)));        // b + min(a - b, 0)
  case MAX: return difference_of(c, a, negative(c, x, difference_of(c, a, b))); // a - min(a - b, 0)
  case ABS: return combine(c, 1, a, -2, negative(c, x, a), 0);                  // a - 2 * min(a, 0)
  case SELECT: return sum_of(c, b, choice(c, x, x->lines[0], difference_of(c, a, b)));
  case OF: return choice(c, x, x->lines[0], poly_of(c, 1));
  case WRAP: return wrap(c, x);
  case APPLY: return applied(c, x);
  default: return mask(c, x);
  }
}

// An unknown that only proofs mention: defined by polynomials, and the line has no value.
static void define(checker *c, line_kind kind, arguments *x) {
  if (kind == QUOTIENT) quotient(c, x, x->p[0], x->k);
  if (kind == NEGATIVE) negative(c, x, x->p[0]);
  if (kind == CHOICE) choice(c, x, x->lines[0], x->p[0]);
  if (kind == APPLIED) applied(c, x);
  if (kind == RATIO || kind == REST) bring(c, x, (line){.unknown = kind, .a = x->p[0], .m = x->p[1]});
}

void define_line(checker *c, line_kind kind, arguments *x) {
  const poly *value = kind < QUOTIENT ? value_of(c, kind, x) : NULL;
  if (kind >= QUOTIENT && kind < TRUE) define(c, kind, x);
  line *l = &c->lines[c->line_count];
  l->kind = kind;
  l->value = value;
  memcpy(l->args, x->lines, sizeof l->args);
  if (kind == NOT) { // of a formula that is no negation
    const line *inner = &c->lines[x->lines[0]];
    l->denied = inner->kind != NOT || !inner->denied;
    if (inner->kind == NOT) l->args[0] = inner->args[0];
  }
  if (x->is_same) reject(c, "something follows where the line should end");
}

/* -- hypotheses -- */

static const hypothesis none;

static const hypothesis *at(checker *c, int h) { // requires: h >= 0
  if (h >= c->height) reject(c, "a hypothesis is not there");
  return c->why ? &none : &c->stack[h];
}

static const poly *number_at(checker *c, int h, bool is_equal) {
  const hypothesis *x = at(c, h);
  if (!c->why && (x->formula || x->is_equal != is_equal)) reject(c, is_equal ? "not an equation" : "not an inequality");
  return c->why ? poly_of(c, 0) : x->p;
}

static void push(checker *c, hypothesis h) {
  if (!c->why) c->stack[c->height++] = h;
}

static hypothesis inequality(const poly *p) { return (hypothesis){.p = p}; }
static hypothesis equation(const poly *p) { return (hypothesis){.is_equal = true, .p = p}; }

// A formula that holds (or does not), as a hypothesis: comparisons become polynomials.
static hypothesis asserted(checker *c, int f, bool polarity) {
  if (c->lines[f].kind == NOT) {
    polarity = polarity != c->lines[f].denied;
    f = c->lines[f].args[0];
  }
  const line *l = &c->lines[f];
  line_kind kind = l->kind;
  if (kind < EQ || kind > GE) return (hypothesis){.formula = f, .polarity = polarity};
  const poly *d = difference_of(c, c->lines[l->args[0]].value, c->lines[l->args[1]].value);
  static const line_kind opposite[] = {[EQ] = NE, [NE] = EQ, [LT] = GE, [LE] = GT, [GT] = LE, [GE] = LT};
  if (!polarity) kind = opposite[kind];
  if (kind == EQ) return equation(d);
  if (kind == NE) return (hypothesis){.formula = f, .polarity = polarity, .p = d}; // two cases
  return inequality(scale(c, kind == LT || kind == LE ? -1 : 1, d, kind == LT || kind == GT ? -1 : 0));
}

const line *unknown_at(checker *c, int n) {
  if (n < 1 || n > c->line_count || c->lines[n].unknown == NO_KIND) reject(c, "an unknown is not there");
  return &c->lines[c->why ? 0 : n];
}

const poly *inequality_at(checker *c, int h) { return number_at(c, h, false); }
void learn_inequality(checker *c, const poly *p) { push(c, inequality(p)); }

// Two cases: the first now, the other once the first is refuted; of one or two hypotheses each.
static void branch(checker *c, int count, hypothesis a, hypothesis b, hypothesis other_a, hypothesis other_b) {
  if (c->why) return;
  c->frames[c->frame_count++] = (frame){c->height, count, {other_a, other_b}};
  push(c, a);
  if (count == 2) push(c, b);
}

// The case is closed: on to the one that was put off last.
static void close_case(checker *c) {
  c->done = c->frame_count == 0;
  if (c->done) return;
  const frame *later = &c->frames[--c->frame_count];
  c->height = later->height;
  for (int i = 0; i < later->count; i++) push(c, later->cases[i]);
}

/* -- the steps, in the order of docs/certificates.md and of proofs_tests/coq/ --
 *
 * Above each its letter and arguments, and its rule: premises |- what is learned, or the two cases A | B of which one
 * holds, or that the case is closed. N is a line, U V Q R are unknowns, H I hypotheses, P M polynomials.
 */

// u N: N is one of the facts |- N holds.
static void step_u(checker *c, const step *t) {
  if (t->n[0] > c->line_count || c->is_fact[t->n[0]] != c->current) return reject(c, "not one of the facts");
  push(c, asserted(c, t->n[0], true));
}

// g: |- the goal does not hold. It is to be refuted.
static void step_g(checker *c, const step *t) {
  const certificate *of = &c->certificates[c->current - 1];
  (void)t;
  if (of->is_dead) reject(c, "of what is dead, the goal says nothing");
  c->uses_goal = true;
  push(c, asserted(c, of->goal, false));
}

// a H I: H says that A and B hold, or that A or B does not |- so of A (I = 0) or B (I = 1).
static void step_a(checker *c, const step *t) {
  const hypothesis *h = at(c, t->n[0]);
  const line *l = &c->lines[h->formula];
  if (c->why || l->kind != (h->polarity ? AND : OR) || t->n[1] > 1) return reject(c, "not a conjunction");
  push(c, asserted(c, l->args[t->n[1]], h->polarity));
}

// d U 0: U is of a type low .. high |- U - low >= 0.            d U 1: ... |- high - U >= 0.
// d U 2: U = floor(P / D) |- P - D*U >= 0.                      d U 3: ... |- D*U + D - 1 - P >= 0.
//        U = min(P, 0) |- -U >= 0.                                     ... |- P - U >= 0.
static void step_d(checker *c, const step *t) {
  const line *l = unknown_at(c, t->n[0]);
  const poly *u = unknown(c, t->n[0]), *p = NULL;
  bool is_negative = l->unknown == NEGATIVE, is_quotient = l->unknown == QUOTIENT;
  if (c->why) return;
  if (t->n[1] == 0 && l->has_range) p = scale(c, 1, u, -l->low);
  if (t->n[1] == 1 && l->has_range) p = scale(c, -1, u, l->high);
  if (t->n[1] == 2 && is_quotient) p = combine(c, 1, l->a, -l->divisor, u, 0);
  if (t->n[1] == 3 && is_quotient) p = combine(c, -1, l->a, l->divisor, u, l->divisor - 1);
  if (t->n[1] == 2 && is_negative) p = scale(c, -1, u, 0);
  if (t->n[1] == 3 && is_negative) p = difference_of(c, l->a, u);
  if (!p) reject(c, "the unknown's definition does not say so");
  push(c, inequality(p));
}

// v I Q R H: Q = P / M, R = P % M, H is M - 1 >= 0 |- P - R - M*Q == 0 (I = 0), R >= 0 (1), M - R - 1 >= 0 (2).
static void step_v(checker *c, const step *t) {
  const line *q = unknown_at(c, t->n[1]), *r = unknown_at(c, t->n[2]);
  const poly *known = number_at(c, t->n[3], false), *x = unknown(c, t->n[1]), *y = unknown(c, t->n[2]);
  if (c->why) return;
  if (q->unknown != RATIO || r->unknown != REST || !same(c, q->a, r->a) || !same(c, q->m, r->m))
    return reject(c, "not quotient and remainder of one division");
  if (!same(c, known, scale(c, 1, q->m, -1))) return reject(c, "the divisor is not known to be at least 1");
  if (t->n[0] == 0) push(c, equation(difference_of(c, difference_of(c, q->a, y), multiply(c, q->m, x))));
  if (t->n[0] == 1) push(c, inequality(y));
  if (t->n[0] > 1) push(c, inequality(combine(c, 1, q->m, -1, y, -1)));
}

// "a" and "b" are the same, or hypothesis h, if there is one, is a - b == 0.
static void check_equal(checker *c, const poly *a, const poly *b, int h) {
  poly *gap = difference_of(c, a, b);
  const poly *known = h < 0 ? NULL : number_at(c, h, true);
  if (!c->why && !(known ? same(c, known, cut(c, gap, true)) : same(c, a, b)))
    reject(c, "arguments are not shown equal");
}

// e U V H I: U and V are defined alike, of arguments that are shown equal by H and I |- U - V == 0.
static void step_e(checker *c, const step *t) {
  const line *u = unknown_at(c, t->n[0]), *v = unknown_at(c, t->n[1]);
  if (c->why) return;
  if (u->unknown != v->unknown || u->unknown == UNKNOWN || u->divisor != v->divisor || u->formula != v->formula ||
      !same_operator(u->op, v->op))
    return reject(c, "unknowns of different kinds");
  check_equal(c, u->a, v->a, t->n[2]);
  if (u->m) check_equal(c, u->m, v->m, t->n[3]);
  push(c, equation(difference_of(c, unknown(c, t->n[0]), unknown(c, t->n[1]))));
}

// f I U V H S N: U and V are op(.., A, ..) and op(.., B, ..), by H, S and N in order |- V - U >= 0.
//     Of floats: A and B are argument I, with which op grows or falls; H says that they are in order, S, if that decides,
//     which sign the other argument has, N that no NaN spoils it.
static void step_f(checker *c, const step *t) { check_order(c, t); }

// r I U E F H K L M: U's arguments have sizes 2^E and 2^F |- U <= 2^s (I = 0), U >= -2^s (I = 1).
//     Of floats, by rank: H and K say so of the first argument, L and M of the second, of a divisor that it is no less.
//     Of an integer that is made a float E may be 64, and nothing be shown: one beyond counts as what is nearest there.
static void step_r(checker *c, const step *t) { check_size(c, t); }

// l M1 H1 M2 H2 ...: every H is an equation, or M is a number >= 0 |- the sum of M * H, cut; == 0 if all of them are.
static void step_l(checker *c, const step *t) {
  poly *sum = poly_of(c, 0);
  bool is_equal = true;
  for (int i = 0; i < t->n[0] && !c->why; i++) {
    const summand *next = &t->summands[i];
    const hypothesis *h = at(c, next->h);
    if (c->why) return;
    if (h->formula) return reject(c, "a formula is no number");
    if (!h->is_equal && (next->multiplier->count || next->multiplier->constant < 0))
      return reject(c, "an inequality times what may be negative");
    is_equal &= h->is_equal;
    sum = sum_of(c, sum, multiply(c, next->multiplier, h->p));
  }
  const poly *p = cut(c, sum, is_equal);
  push(c, is_equal ? equation(p) : inequality(p));
}

// m H I: H >= 0, I >= 0 |- H * I >= 0.
static void step_m(checker *c, const step *t) {
  const poly *a = number_at(c, t->n[0], false), *b = number_at(c, t->n[1], false);
  push(c, inequality(multiply(c, a, b)));
}

// s P: |- P * P >= 0.
static void step_s(checker *c, const step *t) { push(c, inequality(multiply(c, t->p, t->p))); }

// q H I: H >= 0, I is -H >= 0 |- H == 0.
static void step_q(checker *c, const step *t) {
  const poly *a = number_at(c, t->n[0], false), *b = number_at(c, t->n[1], false);
  if (!c->why && !same(c, scale(c, -1, a, 0), b)) reject(c, "not opposite inequalities");
  push(c, equation(a));
}

// k P: |- -P - 1 >= 0 | P >= 0.
static void step_k(checker *c, const step *t) {
  branch(c, 1, inequality(scale(c, -1, t->p, -1)), none, inequality(t->p), none);
}

// o H: A or B |- A | B.   A iff B |- A and B | neither.   if A then B else C |- A and B | not A, and C.
//      A is not B |- A - B - 1 >= 0 | B - A - 1 >= 0.   And of what does not hold: not (A and B) |- not A | not B, ...
static void step_o(checker *c, const step *t) {
  const hypothesis h = *at(c, t->n[0]);
  const line *l = &c->lines[h.formula];
  bool yes = h.polarity;
  if (c->why || !h.formula) return reject(c, "nothing to split");
  if (l->kind == EQ || l->kind == NE)
    return branch(c, 1, inequality(scale(c, 1, h.p, -1)), none, inequality(scale(c, -1, h.p, -1)), none);
  if (l->kind == (yes ? OR : AND))
    return branch(c, 1, asserted(c, l->args[0], yes), none, asserted(c, l->args[1], yes), none);
  if (l->kind != IFF && l->kind != COND) return reject(c, "nothing to split");
  hypothesis otherwise = l->kind == COND ? asserted(c, l->args[2], yes) : asserted(c, l->args[1], !yes);
  branch(c, 2, asserted(c, l->args[0], true), asserted(c, l->args[1], yes), asserted(c, l->args[0], false), otherwise);
}

// n U: U = min(P, 0) |- P - U == 0 and -P - 1 >= 0 | U == 0 and P >= 0.
//      U = (P if F else 0) |- U - P == 0 and F | U == 0 and not F.
static void step_n(checker *c, const step *t) {
  const line *l = unknown_at(c, t->n[0]);
  const poly *u = unknown(c, t->n[0]);
  if (c->why || (l->unknown != NEGATIVE && l->unknown != CHOICE)) return reject(c, "nothing to split");
  if (l->unknown == NEGATIVE) {
    hypothesis below = inequality(scale(c, -1, l->a, -1));
    return branch(c, 2, equation(difference_of(c, l->a, u)), below, equation(u), inequality(l->a));
  }
  hypothesis yes = asserted(c, l->formula, true), no = asserted(c, l->formula, false);
  branch(c, 2, equation(difference_of(c, u, l->a)), yes, equation(u), no);
}

// . H: H is impossible |- the case is closed. Impossible is a number below 0 that is >= 0, an equation whose
//      coefficients have a divisor that its constant has not, "false" that holds, and "true" that does not.
static void step_dot(checker *c, const step *t) {
  const hypothesis *h = at(c, t->n[0]);
  if (c->why) return;
  wide g = h->formula ? 0 : content(c, h->p);
  bool impossible = false;
  if (h->formula) impossible = c->lines[h->formula].kind == (h->polarity ? FALSE : TRUE);
  if (!h->formula && h->is_equal) impossible = g == 0 ? h->p->constant != 0 : h->p->constant % g != 0;
  if (!h->formula && !h->is_equal) impossible = g == 0 && h->p->constant < 0;
  if (!impossible || c->why) return reject(c, "not a contradiction");
  close_case(c);
}

// x H I: F holds, F does not hold |- the case is closed.
static void step_x(checker *c, const step *t) {
  const hypothesis *h = at(c, t->n[0]), *other = at(c, t->n[1]);
  bool clash = h->formula && h->formula == other->formula && h->polarity != other->polarity;
  if (!clash) return reject(c, "not a contradiction");
  close_case(c);
}

// What follows the letter: i a number, z one that may be below 0, h one or "=" or nothing (-1), w one or "=", p a polynomial, s
// summands.
const rule rules[RULES] = {
    {'u', "i", step_u},        // a fact
    {'g', "", step_g},         // not the goal
    {'a', "ii", step_a},       // a part of a conjunction
    {'d', "ii", step_d},       // what a definition says
    {'v', "iiii", step_v},     // division
    {'e', "iihh", step_e},     // congruence
    {'f', "iiiwww", step_f},   // an order of floats
    {'r', "iizzwwww", step_r}, // a size of a float
    {'l', "s", step_l},        // a sum, cut
    {'m', "ii", step_m},       // a product
    {'s', "p", step_s},        // a square
    {'q', "ii", step_q},       // both at least and at most 0
    {'k', "p", step_k},        // two cases: below 0, or not
    {'o', "i", step_o},        // the cases of a formula
    {'n', "i", step_n},        // the cases of a definition
    {'.', "i", step_dot},      // impossible
    {'x', "ii", step_x},       // a formula, and the same denied
};

/* -- proofs -- */

bool check(checker *c, int which) {
  const certificate *of = &c->certificates[which];
  size_t mark = c->used;
  c->why = NULL;
  c->place = of->place;
  c->current = which + 1;
  c->height = c->frame_count = 0;
  c->uses_goal = c->done = false;
  for (int i = 0; i < of->fact_count; i++) c->is_fact[c->numbers[of->facts + i]] = c->current;
  for (int i = 0; i < of->count && !c->why; i++) {
    const step *t = &c->steps[of->first + i];
    c->place = t->place;
    if (c->done) reject(c, "steps follow the last contradiction");
    if (!c->why) t->rule->check(c, t);
  }
  if (!c->done) reject(c, "the proof does not end");
  // It shows the goal and every other formula alike. That is so where no run comes, and must be said.
  if (!c->uses_goal && !of->is_dead) reject(c, "the facts contradict each other, and it is not said to be dead");
  c->used = mark;
  return !c->why;
}
