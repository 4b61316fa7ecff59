/* certificate_attack SEED TABLES: attacks every kind of line and every step of halyard-certcheck, without proofs.
 *
 * A random table of lines, random values for its unknowns; the facts are formulas that are true of them, the goal is
 * one that is not. What each line is worth is computed as docs/certificates.md says it, and held against the polynomial
 * that the checker has for it. Then random steps: whatever the checker concludes from hypotheses that hold must hold,
 * or one of its two cases must, and no case may be closed but by a hypothesis that does not hold (one is put in for the
 * steps that close): the statement of the lemma that proofs_tests/coq/Sound.v proves of the step. Prints how often each
 * step was accepted and refused. Status 1: a conclusion is false. 3: of 1000 tables or more, one of the steps was never
 * accepted or never refused, or a kind of line never there: then it is the attack that misses something.
 */

#include "certcheck/certcheck.c"
#include "certcheck/floats.c"
#include "certcheck/reader.c"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST = 60, FLOATS = 16, ATTEMPTS = 200, ROOM = 1 << 15 };

typedef struct {
  uint64_t seed;
  char text[ROOM];
  size_t length;
  int count, terms[MOST], term_count, formulas[MOST], formula_count;
  wide value[MOST + 1];  // of a term; of a formula 0 or 1
  wide chosen[MOST + 1]; // of an unknown
  long accepted[RULES], refused[RULES], lines[KINDS];
} attack;

static uint64_t draw(attack *a, uint64_t below) {
  uint64_t z = a->seed += 0x9e3779b97f4a7c15u; // splitmix64
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static wide small_value(attack *a) { return (wide)draw(a, 9) - 4; }

static void put(attack *a, const char *format, ...) {
  va_list list;
  va_start(list, format);
  a->length += (size_t)vsnprintf(a->text + a->length, ROOM - a->length, format, list);
  va_end(list);
}

/* -- operators of floats, by the machine; what is no rank counts as what is nearest -- */

static double float_of(const type *t, wide rank) {
  wide most = infinity(t);
  if (rank > most) return (double)NAN;
  if (rank < -1 - most) rank = -1 - most;
  uint64_t size = (uint64_t)(rank < 0 ? -1 - rank : rank);
  double d;
  float f;
  if (t->fraction == 52) {
    memcpy(&d, &size, sizeof d);
  } else {
    uint32_t word = (uint32_t)size;
    memcpy(&f, &word, sizeof f);
    d = (double)f;
  }
  return rank < 0 ? -d : d;
}

static wide rank_of(const type *t, double d) {
  if (isnan(d)) return infinity(t) + 1;
  uint64_t size = 0;
  double positive = fabs(d);
  float narrow = (float)positive;
  uint32_t word;
  memcpy(&size, &positive, sizeof size);
  memcpy(&word, &narrow, sizeof word);
  if (t->fraction == 23) size = word;
  return signbit(d) ? -1 - (wide)size : (wide)size;
}

static wide whole_of(const type *t, double d) {
  wide low, high;
  range_of_type((int)(t - types), &low, &high);
  if (isnan(d)) return 0;
  if (d <= -0x1p64 || (wide)fmax(fmin(d, 0x1p65), -0x1p65) < low) return low;
  return d >= 0x1p64 || (wide)d > high ? high : (wide)d;
}

static wide applied_to(operator_of_floats op, wide p, wide m) {
  const type *from = &types[op.from], *result = &types[op.result];
  const char *name = rows[op.row].name;
  wide most = (wide)1 << 64;
  if (!from->is_float) {
    wide n = p > most ? most : p < -most / 2 ? -most / 2 : p;
    return rank_of(result, result->fraction == 23 ? (double)(float)n : (double)n);
  }
  double a = float_of(from, p), b = float_of(from, m), d = a;
  if (strcmp(name, "add") == 0) d = a + b;
  if (strcmp(name, "sub") == 0) d = a - b;
  if (strcmp(name, "mul") == 0) d = a * b;
  if (strcmp(name, "div") == 0) d = a / b;
  if (strcmp(name, "neg") == 0) d = -a;
  if (strcmp(name, "floor") == 0) d = floor(a);
  if (strcmp(name, "ceil") == 0) d = ceil(a);
  if (strcmp(name, "round") == 0) d = rint(a);
  if (strcmp(name, "trunc") == 0) d = trunc(a);
  if (strcmp(name, "min") == 0) d = a < b ? a : b;
  if (strcmp(name, "max") == 0) d = a > b ? a : b;
  return result->is_float ? rank_of(result, d) : whole_of(result, d);
}

static wide any_rank(attack *a) {
  static const wide some[] = {0,          -1,         1,          8388608,    1056964608, 1065353216,
                              1073741824, 1602224128, 2130706432, 2139095039, 2139095040, 2139095041};
  wide rank = some[draw(a, sizeof some / sizeof *some)];
  return draw(a, 2) ? rank : -1 - rank;
}

/* -- what lines are worth, by the document -- */

static wide floor_of(wide a, wide d) { return a / d - (a % d < 0); } // requires: d >= 1
// By zero: some function of what is divided.
static wide quotient_of(wide a, wide b) { return b == 0 ? 3 * a + 1 : b > 0 ? floor_of(a, b) : -floor_of(a, -b); }
static wide remainder_of(wide a, wide b) { return b == 0 ? a - 2 : a - b * quotient_of(a, b); }

static bool compares(line_kind sign, wide a, wide b) {
  switch ((int)sign) {
  case EQ: return a == b;
  case NE: return a != b;
  case LT: return a < b;
  case LE: return a <= b;
  case GT: return a > b;
  default: return a >= b;
  }
}

static wide worth(line_kind kind, wide a, wide b, wide third) {
  switch ((int)kind) {
  case PLUS: return a + b;
  case MINUS: return a - b;
  case TIMES: return a * b;
  case NEGATE: return -a;
  case DIV: return quotient_of(a, b);
  case MOD: return remainder_of(a, b);
  case MIN: return a < b ? a : b;
  case MAX: return a > b ? a : b;
  case ABS: return a < 0 ? -a : a;
  case SELECT: return a ? b : third;
  case OF: return a;
  case AND: return a && b;
  case OR: return a || b;
  case NOT: return !a;
  case IFF: return a == b;
  case COND: return a ? b : third;
  default: return compares(kind, a, b);
  }
}

/* -- tables -- */

static void add_line(attack *a, bool is_formula, wide value) {
  a->value[a->count] = value;
  if (is_formula)
    a->formulas[a->formula_count++] = a->count;
  else
    a->terms[a->term_count++] = a->count;
}

static void add_unknown(attack *a, const char *type, wide low, wide high) {
  a->count++;
  a->chosen[a->count] = type[0] == 'i' ? small_value(a) : low + (wide)draw(a, (uint64_t)(high - low + 1));
  put(a, "%d unknown %s x\n", a->count, type);
  add_line(a, false, a->chosen[a->count]);
}

static void add_number(attack *a, wide k) {
  put(a, "%d int %d\n", ++a->count, (int)k);
  add_line(a, false, k);
}

static void add_any(attack *a) {
  static const line_kind some[] = {PLUS, MINUS, TIMES, NEGATE, DIV, DIV, MOD, MOD, MIN, MAX, ABS, SELECT, OF,  EQ,
                                   EQ,   NE,    LT,    LE,     LE,  GT,  GE,  GE,  AND, OR,  NOT, IFF,    COND};
  line_kind kind = some[draw(a, sizeof some / sizeof *some)];
  int n[3];
  wide x[3] = {0, 0, 0};
  const char *form = kinds[kind].form;
  put(a, "%d %s", ++a->count, kinds[kind].name);
  for (int i = 0; form[i]; i++) {
    n[i] =
        form[i] == 'f' ? a->formulas[draw(a, (uint64_t)a->formula_count)] : a->terms[draw(a, (uint64_t)a->term_count)];
    x[i] = a->value[n[i]];
    put(a, " %d", n[i]);
  }
  put(a, "\n");
  add_line(a, kind >= TRUE, worth(kind, x[0], x[1], x[2]));
}

static void add_wrap(attack *a) {
  int of = a->terms[draw(a, (uint64_t)a->term_count)];
  wide m = (wide)draw(a, 12), x = a->value[of];
  bool is_signed = draw(a, 2);
  if (draw(a, 2)) {
    put(a, "%d wrap %s %d\n", ++a->count, is_signed ? "i8" : "u8", of);
    add_line(a, false, is_signed ? x + 128 - 256 * floor_of(x + 128, 256) - 128 : x - 256 * floor_of(x, 256));
  } else {
    put(a, "%d mask %d %d\n", ++a->count, of, (int)m);
    add_line(a, false, x & m);
    a->chosen[a->count] = x & m;
  }
}

// Of one operator, in pairs that differ in one argument; the line before them is "line".
static void put_floats(attack *a, int line) {
  static const char *const unary[] = {"f32.neg",    "f32.floor",  "f32.round",  "f32.of_int", "f64.of_f32",
                                      "f32.of_f64", "i16.of_f32", "int.of_f32", "u8.of_f32"};
  static const char *const binary[] = {"f32.add", "f32.sub", "f32.mul", "f32.div", "f64.mul", "f32.min", "f32.max"};
  for (int i = 0; i < FLOATS / 2; i++) {
    bool is_binary = draw(a, 2), second = is_binary && draw(a, 3) == 0;
    const char *name = is_binary ? binary[draw(a, 7)] : unary[draw(a, 9)];
    wide p = any_rank(a), q = any_rank(a), other = any_rank(a), factor = draw(a, 3) ? 0 : small_value(a);
    for (int k = 0; k < 2; k++) {
      wide mine = k ? q : p;
      put(a, "%d applied %s", ++line, name);
      for (int argument = 0; argument <= is_binary; argument++) {
        put(a, " (%lld", (long long)(argument == second ? mine : other));
        if (factor && argument == 0) put(a, " %lld*1", (long long)factor);
        put(a, ")");
      }
      put(a, "\n");
    }
  }
}

static void make_table(attack *a) {
  a->length = 0;
  a->count = a->term_count = a->formula_count = 0;
  put(a, "halyard-certificates 2\nprogram t 1 %064d - - by hand\n", 0);
  add_unknown(a, "int", 0, 0);
  add_unknown(a, "int", 0, 0);
  add_unknown(a, "bool", 0, 1);
  add_unknown(a, "u8", 0, 255);
  add_number(a, 0);
  add_number(a, 1);
  add_number(a, small_value(a));
  put(a, "%d true\n", ++a->count);
  add_line(a, true, 1);
  put(a, "%d false\n", ++a->count);
  add_line(a, true, 0);
  put(a, "%d atom x\n", ++a->count);
  add_line(a, true, (wide)draw(a, 2));
  put(a, "%d unknown f32 x\n", ++a->count);
  do a->chosen[a->count] = any_rank(a);
  while (a->chosen[a->count] < -1 - infinity(&types[10])); // it is one
  add_line(a, false, a->chosen[a->count]);
  put(a, "%d apply f32.floor %d\n", a->count + 1, a->count);
  a->chosen[a->count + 1] = applied_to((operator_of_floats){6, 10, 10}, a->chosen[a->count], 0);
  a->count++;
  add_line(a, false, a->chosen[a->count]);
  while (a->count < MOST - 7 - FLOATS) {
    if (draw(a, 8) == 0)
      add_wrap(a);
    else
      add_any(a);
  }
  int defined = a->terms[draw(a, 4)], other = a->terms[draw(a, 2)]; // what only proofs mention
  put(a, "%d >= %d 6\n", ++a->count, other);
  add_line(a, true, a->value[other] >= 1);
  put(a, "%d quotient (1 2*%d) 3\n", a->count + 1, defined <= 4 ? defined : 1);
  put(a, "%d ratio (0 1*%d) (0 1*%d)\n", a->count + 2, defined <= 4 ? defined : 1, other);
  put(a, "%d rest (0 1*%d) (0 1*%d)\n", a->count + 3, defined <= 4 ? defined : 1, other);
  put(a, "%d negative (-1 1*%d)\n", a->count + 4, other);
  put(a, "%d choice %d (2 1*%d)\n", a->count + 5, a->formulas[draw(a, (uint64_t)a->formula_count)], other);
  put_floats(a, a->count + 5);
  put(a, "certificate t/1 a b\nfacts");
  for (int i = 0; i < a->formula_count; i++)
    if (a->value[a->formulas[i]]) put(a, " %d", a->formulas[i]);
  int goal = a->formulas[1]; // false
  for (int i = 0; i < a->formula_count; i++)
    if (!a->value[a->formulas[i]] && draw(a, 3) == 0) goal = a->formulas[i];
  put(a, "\ngoal %d\nqed\nend 1\n", goal);
}

/* -- what hypotheses are worth -- */

static bool is_beyond_128_bits; // the value that was asked for last: squares of ranks may be

static wide eval(const attack *a, const poly *p) {
  wide sum = p->constant;
  is_beyond_128_bits = false;
  for (int i = 0; i < p->count; i++) {
    wide product = p->terms[i].k;
    for (monomial m = p->terms[i].m; m; m <<= 32)
      is_beyond_128_bits |= __builtin_mul_overflow(product, a->chosen[(int)(m >> 96)], &product);
    is_beyond_128_bits |= __builtin_add_overflow(sum, product, &sum);
  }
  return sum;
}

static bool holds(const attack *a, hypothesis h) {
  if (h.formula) return (a->value[h.formula] != 0) == h.polarity;
  wide value = eval(a, h.p);
  return is_beyond_128_bits || (h.is_equal ? value == 0 : value >= 0);
}

// Values of the unknowns that lines bring, by their definitions. False: a line is not worth what the document says.
static bool define_unknowns(attack *a, const checker *c) {
  for (int n = 1; n <= c->line_count; n++) {
    const line *l = &c->lines[n];
    a->lines[l->kind]++;
    wide p = l->a ? eval(a, l->a) : 0, m = l->m ? eval(a, l->m) : 0;
    if (l->unknown == QUOTIENT) a->chosen[n] = floor_of(p, l->divisor);
    if (l->unknown == NEGATIVE) a->chosen[n] = p < 0 ? p : 0;
    if (l->unknown == CHOICE) a->chosen[n] = a->value[l->formula] ? p : 0;
    if (l->unknown == RATIO) a->chosen[n] = quotient_of(p, m);
    if (l->unknown == REST) a->chosen[n] = remainder_of(p, m);
    if (l->unknown == APPLIED) a->chosen[n] = applied_to(l->op, p, m);
    if (l->value && eval(a, l->value) != a->value[n]) {
      printf("line %d is not worth what it says\n%s", n, a->text);
      return false;
    }
  }
  return true;
}

/* -- steps -- */

static int any_unknown(attack *a, const checker *c) {
  for (int tries = 0; tries < 100; tries++) {
    int n = 1 + (int)draw(a, (uint64_t)c->line_count);
    if (c->lines[n].unknown) return n;
  }
  return 1;
}

static const poly *any_poly(attack *a, checker *c) {
  if (draw(a, 20) == 0) return c->constants + draw(a, 2 * SMALL + 1);
  const poly *p = poly_of(c, small_value(a));
  if (draw(a, 2)) p = combine(c, small_value(a), unknown(c, any_unknown(a, c)), 1, p, 0);
  return p;
}

// Of a pair of operators of floats: the first, or the second.
static int any_applied(attack *a, checker *c) {
  for (int tries = 0; tries < 100; tries++) {
    int n = 1 + (int)draw(a, (uint64_t)c->line_count);
    if (c->lines[n].kind == APPLIED) return n;
  }
  return 1;
}

// What the steps of floats ask for: "number" of these, of one operator in the table.
static const poly *wanted_poly(checker *c, int n, int number, int e) {
  const line *l = &c->lines[n], *next = &c->lines[n < c->line_count && c->lines[n + 1].unknown == APPLIED ? n + 1 : n];
  const type *from = &types[l->op.from], *result = &types[l->op.result];
  bool second = l->m && next->m && same(c, l->a, next->a);
  const poly *p = second ? l->m : l->a, *q = second && next->m ? next->m : next->a, *other = second ? l->a : l->m;
  wide most = from->is_float ? power(from, e) : (wide)1 << (e < 0 ? 0 : e > 100 ? 100 : e);
  if (!other || number == 9) other = l->a;
  switch (number) {
  case 0: return difference_of(c, q, p);
  case 1: return difference_of(c, p, q);
  case 2: return other;
  case 3: return scale(c, -1, other, -1);
  case 4: return scale(c, -1, unknown(c, n), result->is_float ? infinity(result) : 0);
  case 5: return scale(c, -1, q, from->is_float ? infinity(from) : 0);
  case 6: return scale(c, -1, l->a, most);
  case 7: return scale(c, 1, l->a, most + from->is_float);
  case 8: return l->m ? scale(c, -1, l->m, most) : p;
  case 9: return l->m ? scale(c, 1, l->m, most + from->is_float) : p;
  case 10: return l->m && from->is_float ? scale(c, 1, l->m, -most) : p;
  default: return l->m && from->is_float ? scale(c, -1, l->m, infinity(from)) : p;
  }
}

static int find_wanted(attack *a, checker *c, const poly *p) {
  if (draw(a, 30) == 0) return (int)draw(a, (uint64_t)c->height + 1);
  for (int h = 0; h < c->height; h++)
    if (!c->stack[h].formula && !c->stack[h].is_equal && same(c, c->stack[h].p, p)) return h;
  return -1;
}

static int some_exponent(attack *a) { return (int[]){-126, 0, 1, 2, 64, 65, 127, 128}[draw(a, 8)]; }

static void any_order(attack *a, checker *c, step *t) {
  int n = any_applied(a, c);
  t->n[0] = (int)draw(a, 2);
  t->n[1] = draw(a, 2) ? n : n + 1;
  t->n[2] = t->n[1] == n ? n + 1 : n;
  if (draw(a, 20) == 0) t->n[2] = any_unknown(a, c);
  t->n[3] = find_wanted(a, c, wanted_poly(c, n, (int)draw(a, 2), 0));
  t->n[4] = find_wanted(a, c, wanted_poly(c, n, 2 + (int)draw(a, 2), 0));
  t->n[5] = find_wanted(a, c, draw(a, 2) ? wanted_poly(c, t->n[1], 4, 0) : wanted_poly(c, n, 5, 0));
}

static void any_size(attack *a, checker *c, step *t) {
  int n = any_applied(a, c);
  t->n[0] = (int)draw(a, 2);
  t->n[1] = n;
  t->n[2] = some_exponent(a);
  t->n[3] = some_exponent(a);
  for (int i = 0; i < 2; i++) t->n[4 + i] = find_wanted(a, c, wanted_poly(c, n, 6 + i, t->n[2]));
  int first = draw(a, 2) ? 8 : 10;
  for (int i = 0; i < 2; i++) t->n[6 + i] = find_wanted(a, c, wanted_poly(c, n, first + i, t->n[3]));
  if (draw(a, 2)) t->n[4] = t->n[2] == 64 ? -1 : t->n[4];
}

static step any_step(attack *a, checker *c, int which) {
  step t = {.rule = &rules[which]};
  char letter = t.rule->letter;
  for (int i = 0; i < 8; i++) t.n[i] = (int)draw(a, (uint64_t)(c->height ? c->height : 1));
  if (letter == 'u') t.n[0] = 1 + (int)draw(a, (uint64_t)c->line_count);
  if (strchr("den", letter)) t.n[0] = any_unknown(a, c);
  if (letter == 'e') t.n[1] = any_unknown(a, c);
  if (letter == 'd') t.n[1] = (int)draw(a, 5);
  if (letter == 'a') t.n[1] = (int)draw(a, 3);
  if (letter == 'v') {
    t.n[0] = (int)draw(a, 3);
    t.n[1] = any_unknown(a, c);
    t.n[2] = any_unknown(a, c);
    for (int n = 1; n <= c->line_count; n++) // the quotient and the remainder that only proofs mention
      if (c->lines[n].kind == RATIO && draw(a, 2)) t.n[1] = n;
    for (int n = 1; n <= c->line_count; n++)
      if (c->lines[t.n[1]].unknown == RATIO && c->lines[n].unknown == REST && draw(a, 2)) t.n[2] = n;
    const poly *m = c->lines[t.n[1]].m;
    for (int h = 0; m && h < c->height; h++) // that the divisor is at least 1, if it is known
      if (!c->stack[h].formula && !c->stack[h].is_equal && same(c, c->stack[h].p, scale(c, 1, m, -1))) t.n[3] = h;
  }
  for (int i = 2; letter == 'e' && i < 4; i++)
    if (draw(a, 2)) t.n[i] = -1;
  if (letter == 'f') any_order(a, c, &t);
  if (letter == 'r') any_size(a, c, &t);
  if (letter == 'k' && draw(a, 2)) {
    t.p = wanted_poly(c, any_applied(a, c), (int)draw(a, 12), some_exponent(a));
    return t;
  }
  t.p = draw(a, 50) ? any_poly(a, c) : poly_of(c, -2 * ((wide)1 << 126)); // the least number, which has no opposite
  if (letter != 'l') return t;
  t.n[0] = 1 + (int)draw(a, 3);
  t.summands = take(c, 3, sizeof(summand));
  for (int i = 0; i < t.n[0]; i++)
    t.summands[i] =
        (summand){draw(a, 4) ? poly_of(c, small_value(a)) : any_poly(a, c), (int)draw(a, (uint64_t)(c->height + 1))};
  return t;
}

// The case that holds becomes the only one. False: neither does.
static bool choose_case(const attack *a, checker *c, int before) {
  const frame *later = &c->frames[--c->frame_count];
  bool first = true, second = true;
  for (int i = before; i < c->height; i++) first &= holds(a, c->stack[i]);
  for (int i = 0; i < later->count; i++) second &= holds(a, later->cases[i]);
  if (first) return true;
  c->height = later->height;
  for (int i = 0; i < later->count; i++) push(c, later->cases[i]);
  return second;
}

// A hypothesis that may be false: a number, an equation, a formula or its opposite.
static hypothesis any_hypothesis(attack *a, checker *c) {
  int formula = a->formulas[draw(a, (uint64_t)a->formula_count)];
  if (draw(a, 3)) return asserted(c, formula, draw(a, 2));
  const poly *twice = scale(c, 2 * (wide)draw(a, 2), unknown(c, any_unknown(a, c)), small_value(a));
  return draw(a, 2) ? equation(twice) : inequality(twice);
}

// Closes a case by a hypothesis that is put on top, and one below. False: both hold, and it is closed.
static bool try_to_close(attack *a, checker *c, step *t) {
  int height = c->height;
  size_t mark = c->used;
  hypothesis put = any_hypothesis(a, c);
  if (height > 0 && draw(a, 2) && c->stack[t->n[1]].formula) { // the opposite of another
    put = c->stack[t->n[1]];
    put.polarity = !put.polarity;
  }
  push(c, put);
  t->n[0] = height;
  t->rule->check(c, t);
  bool closed = !c->why, fine = !closed || !holds(a, put);
  if (closed)
    a->accepted[t->rule - rules]++;
  else
    a->refused[t->rule - rules]++;
  c->why = NULL;
  c->done = false;
  c->height = height;
  c->used = mark;
  return fine;
}

// Takes it if the checker does. False: it concludes what is not so.
static bool try_step(attack *a, checker *c) {
  int which = (int)draw(a, RULES), height = c->height;
  size_t mark = c->used;
  step t = any_step(a, c, which);
  if (strchr(".x", t.rule->letter) && draw(a, 2)) return try_to_close(a, c, &t);
  c->certificates[0].is_dead = t.rule->letter == 'g' && draw(a, 4) == 0;
  t.rule->check(c, &t);
  bool fine = true;
  if (c->why) {
    a->refused[which]++;
    c->why = NULL;
    c->height = height;
    c->frame_count = 0;
    c->used = mark;
    return true;
  }
  a->accepted[which]++;
  if (c->done)
    fine = false;
  else if (c->frame_count)
    fine = choose_case(a, c, height);
  else
    fine = holds(a, c->stack[height]);
  if (!fine)
    printf("step %c %d %d %d %d concludes what is not so\n%s", t.rule->letter, t.n[0], t.n[1], t.n[2], t.n[3], a->text);
  return fine;
}

static bool attack_table(attack *a) {
  static char arena[1 << 21];
  static size_t dirty;
  make_table(a);
  char *text = strdup(a->text);
  checker c = checker_for(a->length);
  c.size = sizeof arena;
  c.work = SIZE_MAX;
  c.arena = arena;
  c.dirty = dirty;
  read_file(&c, text, a->length);
  bool beyond = c.why && strcmp(c.why, "a degree is above 4") == 0, fine = !c.why;
  if (c.why && !beyond) printf("%d: %s\n%s", c.place, c.why, a->text);
  fine = fine && define_unknowns(a, &c);
  c.stack = take(&c, 2 * MOST, sizeof(hypothesis)); // the file has no steps of its own
  c.frames = take(&c, 2, sizeof(frame));
  c.current = 1;
  for (int i = 0; fine && i < c.certificates[0].fact_count; i++) c.is_fact[c.numbers[i]] = 1;
  for (int i = 0; fine && i < ATTEMPTS && c.height < a->count; i++) fine = try_step(a, &c);
  dirty = c.dirty;
  free(text);
  return fine || beyond;
}

int main(int count, char **args) {
  static attack a;
  if (count != 3) return fputs("usage: certificate_attack SEED TABLES\n", stderr), 2;
  a.seed = strtoull(args[1], NULL, 10);
  for (long i = 0, tables = atol(args[2]); i < tables; i++)
    if (!attack_table(&a)) return 1;
  bool all_met = true;
  printf("seed %s, %s tables; steps accepted, all rightly (and refused):", args[1], args[2]);
  for (int i = 0; i < RULES; i++) {
    printf(" %c %ld (%ld)", rules[i].letter, a.accepted[i], a.refused[i]);
    all_met &= a.accepted[i] > 0 && a.refused[i] > 0;
  }
  printf("\n");
  for (int kind = INT; kind < KINDS; kind++) all_met &= a.lines[kind] > 0;
  if (!all_met) printf("%s a step was never accepted or never refused, or a kind of line never there\n", args[0]);
  return all_met || atol(args[2]) < 1000 ? 0 : 3;
}
