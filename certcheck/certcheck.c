/* halyard-certcheck: decides whether the certificates of a file are proofs. docs/certificates.md describes the file.
 *
 * A certificate shows "facts |- goal" over the integers by refuting "facts and not goal": its steps derive hypotheses,
 * each a polynomial >= 0, a polynomial == 0 or a formula, until one is impossible. Nothing of Halyard is included: this
 * is what one has to read to believe a verdict. Memory is taken once, by the file's size, which limits the
 * work, too; what overflows is rejected.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALL = 16, PROGRAMS = 1000 };
typedef __int128 wide;
typedef unsigned __int128 monomial; // up to four unknowns of 32 bits, greatest first from the top; 0 is the constant

/* -- memory, and the first reason to reject -- */

typedef struct line line;
typedef struct step step;

typedef struct {
  monomial m;
  wide k; // not 0
} term;

typedef struct {
  wide constant;
  int count;
  term *terms; // monomials descend
} poly;

// What the certificates that follow it are about.
typedef struct {
  const char *name, *target; // the hash of the target program's text
  int obligations;
  int last, part; // the last obligation that was spoken of, and the last part of it, 0 if it has none
  int open;       // obligations that are not shown
  bool is_open;   // the last one is
} program;

typedef struct {
  const char *id, *rule, *about; // to be printed
  int facts, fact_count, goal;   // lines; the facts are a stretch of "numbers"
  int first, count, place;       // of "steps"; line of the file
  bool has_facts, is_dead, is_open;
} certificate;

typedef struct {
  bool is_equal, polarity;
  int formula;   // 0: a polynomial
  const poly *p; // >= 0 or == 0
} hypothesis;

// A case that is still to be refuted once the present one is.
typedef struct {
  int height, count;
  hypothesis cases[2];
} frame;

typedef struct {
  char *arena;
  size_t used, size, dirty; // in bytes; zeroes from "dirty" on
  size_t work;              // that may still be done
  const char *why;          // the first reason to reject, NULL if there is none
  int place;                // line of the file that is being looked at
  line *lines;              // numbered from 1; nothing is there at 0
  step *steps;
  poly constants[2 * SMALL + 1]; // -SMALL .. SMALL
  certificate *certificates; // and obligations that are open: "head_count" of them, "certificate_count" certificates
  int *numbers;              // the facts of all certificates
  int *is_fact;              // by line: the last certificate whose fact it is, from 1
  program *programs;
  hypothesis *stack;
  frame *frames;
  int line_count, step_count, certificate_count, number_count, height, frame_count, program_count, head_count;
  int current; // the certificate that is being judged, from 1
  bool uses_goal, done;
} checker;

static void reject(checker *c, const char *why) {
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

// requires: a count below 2^31, a size up to that of "nothing": the product does not overflow
static void *take(checker *c, size_t count, size_t size) {
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

static wide add(checker *c, wide a, wide b) {
  wide sum;
  bool overflow = __builtin_add_overflow(a, b, &sum);
  if (overflow) reject(c, "a number does not fit 128 bits");
  return overflow ? 0 : sum;
}

static wide mul(checker *c, wide a, wide b) {
  wide product = 0;
  bool small = a == (int64_t)a && b == (int64_t)b, overflow = !small && __builtin_mul_overflow(a, b, &product);
  if (overflow) reject(c, "a number does not fit 128 bits");
  return small ? a * b : overflow ? 0 : product;
}

static wide gcd(checker *c, wide a, wide b) { // requires: a >= 0
  if (b < 0) b = mul(c, b, -1);
  while (b != 0) {
    wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* -- polynomials -- */

static monomial monomial_mul(checker *c, monomial a, monomial b) {
  monomial product = 0;
  for (int place = 96; (a || b) && place >= 0; place -= 32) {
    monomial *from = (a >> 96) >= (b >> 96) ? &a : &b;
    product |= (*from >> 96) << place;
    *from <<= 32;
  }
  if (a || b) reject(c, "a degree is above 4");
  return product;
}

static poly *poly_with(checker *c, int count) {
  poly *p = take(c, 1, sizeof *p + (size_t)count * sizeof(term));
  p->terms = (term *)(p + 1);
  return p;
}

static poly *poly_of(checker *c, wide constant) { // nobody changes it: small ones are made once
  if (constant >= -SMALL && constant <= SMALL) return &c->constants[constant + SMALL];
  poly *p = poly_with(c, 0);
  p->constant = constant;
  return p;
}

static poly *unknown(checker *c, int number) {
  poly *p = poly_with(c, 1);
  if (!c->why) p->terms[p->count++] = (term){(monomial)number << 96, 1};
  return p;
}

// f * a + g * b + constant
static poly *combine(checker *c, wide f, const poly *a, wide g, const poly *b, wide constant) {
  poly *sum = poly_with(c, a->count + b->count);
  sum->constant = add(c, add(c, mul(c, f, a->constant), mul(c, g, b->constant)), constant);
  for (int i = 0, j = 0; (i < a->count || j < b->count) && !c->why;) {
    bool left = i < a->count && (j == b->count || a->terms[i].m >= b->terms[j].m);
    bool right = j < b->count && (i == a->count || b->terms[j].m >= a->terms[i].m);
    term t = {left ? a->terms[i].m : b->terms[j].m, 0};
    if (left) t.k = mul(c, f, a->terms[i++].k);
    if (right) t.k = add(c, t.k, mul(c, g, b->terms[j++].k));
    if (t.k != 0) sum->terms[sum->count++] = t;
  }
  return sum;
}

// Monomials that descend still do when each is multiplied by the same one.
static poly *multiply(checker *c, const poly *a, const poly *b) {
  poly *product = combine(c, a->constant, b, 0, b, 0);
  for (int i = 0; i < a->count && !c->why; i++) {
    poly *row = poly_with(c, b->count + 1);
    for (int j = 0; j < b->count && !c->why; j++)
      row->terms[row->count++] =
          (term){monomial_mul(c, a->terms[i].m, b->terms[j].m), mul(c, a->terms[i].k, b->terms[j].k)};
    wide last = mul(c, a->terms[i].k, b->constant);
    if (last != 0 && !c->why) row->terms[row->count++] = (term){a->terms[i].m, last};
    product = combine(c, 1, product, 1, row, 0);
  }
  return product;
}

static poly *scale(checker *c, wide f, const poly *a, wide constant) { return combine(c, f, a, 0, a, constant); }

static bool same(checker *c, const poly *a, const poly *b) {
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

/* -- reading -- */

typedef struct {
  char *at, *end; // of one line; its last character was replaced by 0
} cursor;

static char *rest_of(cursor *s) {
  while (*s->at == ' ') s->at++;
  return s->at;
}

static char *word(checker *c, cursor *s) {
  char *start = rest_of(s);
  while (s->at < s->end && *s->at != ' ') s->at++;
  if (start == s->at) reject(c, "a word is missing");
  if (s->at < s->end) *s->at++ = '\0';
  return start;
}

static bool at_end(cursor *s) { return *rest_of(s) == '\0'; }

// The whole number at "*at", which moves behind it. It is written in one way.
static wide digits(checker *c, char **at) {
  char *p = *at + (**at == '-'), *start = *at;
  if (*p < '0' || *p > '9') reject(c, "a number is missing");
  if (*p == '0' && (p > start || (p[1] >= '0' && p[1] <= '9'))) reject(c, "a number begins with 0");
  int64_t head = 0; // 18 digits fit
  for (const char *stop = p + 18; p < stop && *p >= '0' && *p <= '9'; p++) head = 10 * head + (*p - '0');
  wide n = *start == '-' ? -head : head;
  for (; *p >= '0' && *p <= '9'; p++) n = add(c, mul(c, n, 10), *start == '-' ? -(*p - '0') : *p - '0');
  *at = p;
  return n;
}

static wide number(checker *c, cursor *s) {
  if (at_end(s)) reject(c, "a word is missing");
  if (c->why) return 0;
  wide n = digits(c, &s->at);
  if (*s->at && *s->at != ' ') reject(c, "a number is not a number");
  return n;
}

static int small(checker *c, cursor *s) { // 0 .. 2^30
  wide n = number(c, s);
  if (n < 0 || n > 1 << 30) reject(c, "a number is out of range");
  return c->why ? 0 : (int)n;
}

/* -- the table of lines: terms, formulas, and the unknowns that they bring -- */

// By name and arguments: t a term's line, f a formula's, p a polynomial, k a number, T a type, * what remains is a
// name. The order is that of docs/certificates.md. An unknown is defined as a line from UNKNOWN or QUOTIENT to REST
// does.
// clang-format off
typedef enum {
  NO_KIND,
  INT, UNKNOWN, PLUS, MINUS, TIMES, NEGATE, DIV, MOD, MIN, MAX, ABS, SELECT, OF, WRAP, MASK, // terms
  QUOTIENT, NEGATIVE, CHOICE, RATIO, REST,                            // unknowns that only proofs mention: no line may
  TRUE, FALSE, EQ, NE, LT, LE, GT, GE, AND, OR, NOT, IFF, COND, ATOM, // formulas
  KINDS
} line_kind;
static const struct {
  const char *name, *form;
} kinds[KINDS] = {
    [NO_KIND] = {"", ""},
    [INT] = {"int", "k"}, [UNKNOWN] = {"unknown", "T*"},
    [PLUS] = {"+", "tt"}, [MINUS] = {"-", "tt"}, [TIMES] = {"*", "tt"}, [NEGATE] = {"neg", "t"},
    [DIV] = {"/", "tt"}, [MOD] = {"%", "tt"}, [MIN] = {"min", "tt"}, [MAX] = {"max", "tt"}, [ABS] = {"abs", "t"},
    [SELECT] = {"select", "ftt"}, [OF] = {"of", "f"}, [WRAP] = {"wrap", "Tt"}, [MASK] = {"mask", "tk"},
    [QUOTIENT] = {"quotient", "pk"}, [NEGATIVE] = {"negative", "p"}, [CHOICE] = {"choice", "fp"},
    [RATIO] = {"ratio", "pp"}, [REST] = {"rest", "pp"},
    [TRUE] = {"true", ""}, [FALSE] = {"false", ""}, [EQ] = {"==", "tt"}, [NE] = {"!=", "tt"},
    [LT] = {"<", "tt"}, [LE] = {"<=", "tt"}, [GT] = {">", "tt"}, [GE] = {">=", "tt"},
    [AND] = {"and", "ff"}, [OR] = {"or", "ff"}, [NOT] = {"not", "f"}, [IFF] = {"iff", "ff"}, [COND] = {"cond", "fff"},
    [ATOM] = {"atom", "*"}};
// clang-format on

struct line {
  line_kind kind;
  int args[3];       // the lines that a formula is made of
  bool denied;       // NOT: of a formula that is no negation, args[0], that it does not hold, or that it does
  const poly *value; // of a term
  // if the line brings an unknown, what defines it
  line_kind unknown;
  bool has_range;
  wide low, high;
  const poly *a, *m;
  wide divisor;
  int formula;
};

static const line *line_at(checker *c, int n, bool wants_formula) {
  const line *l = &c->lines[n >= 1 && n <= c->line_count ? n : 0];
  bool is_formula = l->kind >= TRUE, is_term = l != c->lines && l->value;
  if (!is_formula && !is_term) reject(c, "a line is not there");
  if (is_formula != wants_formula) reject(c, wants_formula ? "not a formula" : "not a term");
  return c->why ? c->lines : l;
}

// "(1 -1*9*7 2*5)": a constant, then monomials that descend.
static const poly *poly_arg(checker *c, cursor *s) {
  int room = 1;
  for (const char *p = rest_of(s); *p && *p != ')'; p++) room += *p == ' ';
  poly *sum = poly_with(c, room);
  if (*s->at != '(') {
    reject(c, "a polynomial is missing");
    return sum;
  }
  s->at++;
  sum->constant = digits(c, &s->at);
  if (*s->at == '-') reject(c, "a polynomial is not well formed"); // a term, not apart
  while (!c->why && *rest_of(s) != ')') {
    term t = {0, digits(c, &s->at)};
    while (!c->why && *s->at == '*') {
      s->at++;
      wide n = digits(c, &s->at);
      bool is_unknown = n >= 1 && n <= c->line_count && c->lines[n].unknown != NO_KIND;
      if (!is_unknown) reject(c, "not an unknown");
      if (is_unknown) t.m = monomial_mul(c, t.m, (monomial)n << 96);
    }
    bool is_apart = *s->at == ' ' || *s->at == ')';
    bool descends = sum->count == 0 || t.m < sum->terms[sum->count - 1].m;
    if (!is_apart || !descends || t.m == 0 || t.k == 0) reject(c, "a polynomial is not well formed");
    if (!c->why) sum->terms[sum->count++] = t;
  }
  if (c->why) return sum;
  bool is_closed = s->at[-1] != ' ';
  s->at++;
  if (!is_closed || (*s->at && *s->at != ' ')) reject(c, "a polynomial is not well formed");
  return sum;
}

// What the words behind a kind's name are.
typedef struct {
  int lines[3], line_count;
  const poly *p[2]; // values of the terms, and polynomials
  int poly_count;
  wide k;
  bool has_range; // of the type: low .. high
  wide low, high;
} arguments;

// What is known of a value of the type.
static void type_arg(checker *c, cursor *s, arguments *x) {
  static const char *const names[] = {"int", "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"};
  static const int bits[] = {0, 1, 8, 16, 32, 64, 8, 16, 32, 64};
  const char *name = word(c, s);
  int i = 0;
  while (i < 10 && strcmp(name, names[i]) != 0) i++;
  if (i == 10) return reject(c, "not a type");
  bool is_signed = name[0] == 'i';
  x->has_range = i > 0;
  x->high = ((wide)1 << (bits[i] - (is_signed && i > 0))) - 1;
  x->low = is_signed ? -x->high - 1 : 0;
}

static arguments read_arguments(checker *c, cursor *s, const char *form) {
  arguments x = {.p = {c->lines->value, c->lines->value}};
  for (; *form && !c->why; form++) {
    if (*form == 'p') x.p[x.poly_count++] = poly_arg(c, s);
    if (*form == 'k') x.k = number(c, s);
    if (*form == 'T') type_arg(c, s, &x);
    if (*form == '*') s->at = s->end;
    if (*form != 'f' && *form != 't') continue;
    int n = small(c, s);
    const line *l = line_at(c, n, *form == 'f');
    x.lines[x.line_count++] = n;
    if (*form == 't') x.p[x.poly_count++] = l->value;
  }
  return x;
}

// Gives the line that is read an unknown with this definition, or an earlier one that has it: "= N" at its end.
static const poly *bring(checker *c, cursor *s, line made) {
  line *l = &c->lines[c->line_count];
  *l = made;
  if (c->why || at_end(s)) return unknown(c, c->line_count);
  const char *sign = word(c, s);
  int old = small(c, s);
  const line *k = &c->lines[old < c->line_count ? old : 0];
  bool fine = strcmp(sign, "=") == 0 && k->unknown == l->unknown && k->divisor == l->divisor;
  if (!fine || k->formula != l->formula || !same(c, k->a, l->a) || (l->m && !same(c, k->m, l->m)))
    reject(c, "not the same");
  *l = (line){.kind = NO_KIND};
  return unknown(c, old);
}

// floor(a / divisor)
static const poly *quotient(checker *c, cursor *s, const poly *a, wide divisor) {
  if (divisor < 1) reject(c, "a divisor is below 1");
  return bring(c, s, (line){.unknown = QUOTIENT, .a = a, .divisor = divisor});
}

// min(p, 0)
static const poly *negative(checker *c, cursor *s, const poly *p) {
  return bring(c, s, (line){.unknown = NEGATIVE, .a = p});
}

// p where the formula holds and 0 elsewhere
static const poly *choice(checker *c, cursor *s, int formula, const poly *p) {
  return bring(c, s, (line){.unknown = CHOICE, .a = p, .formula = formula});
}

// a / b and a % b. By a constant they are one quotient; else they say something only where b >= 1.
static const poly *division(checker *c, cursor *s, line_kind kind, const poly *a, const poly *b) {
  wide d = b->constant;
  if (b->count > 0 || d == 0) return bring(c, s, (line){.unknown = kind == MOD ? REST : RATIO, .a = a, .m = b});
  const poly *q = quotient(c, s, a, d < 0 ? mul(c, d, -1) : d);
  if (kind == MOD) return combine(c, 1, a, d < 0 ? d : mul(c, d, -1), q, 0);
  return scale(c, d < 0 ? -1 : 1, q, 0);
}

// The value of the type that is congruent to "a".
static const poly *wrap(checker *c, cursor *s, const arguments *x) {
  const poly *a = x->p[0];
  if (!x->has_range) return a;
  wide modulus = x->high - x->low + 1;
  return combine(c, 1, a, -modulus, quotient(c, s, scale(c, 1, a, -x->low), modulus), 0);
}

// a & mask for a constant mask >= 0.
static const poly *mask(checker *c, cursor *s, const arguments *x) {
  const poly *a = x->p[0];
  if (x->k < 0 || x->k >= (wide)1 << 64) {
    reject(c, "a mask is out of range");
    return a;
  }
  bool is_power = (x->k & (x->k + 1)) == 0; // less one
  if (is_power) return combine(c, 1, a, -(x->k + 1), quotient(c, s, a, x->k + 1), 0);
  c->lines[c->line_count] = (line){.unknown = UNKNOWN, .has_range = true, .high = x->k};
  return unknown(c, c->line_count);
}

// What a term is worth. It may bring an unknown.
static const poly *value_of(checker *c, cursor *s, line_kind kind, const arguments *x) {
  const poly *a = x->p[0], *b = x->p[1];
  switch ((int)kind) {
  case INT: return poly_of(c, x->k);
  case UNKNOWN:
    c->lines[c->line_count] = (line){.unknown = UNKNOWN, .has_range = x->has_range, .low = x->low, .high = x->high};
    return unknown(c, c->line_count);
  case PLUS: return combine(c, 1, a, 1, b, 0);
  case MINUS: return combine(c, 1, a, -1, b, 0);
  case TIMES: return multiply(c, a, b);
  case NEGATE: return scale(c, -1, a, 0);
  case DIV:
  case MOD: return division(c, s, kind, a, b);
  case MIN: return combine(c, 1, b, 1, negative(c, s, combine(c, 1, a, -1, b, 0)), 0);  // b + min(a - b, 0)
  case MAX: return combine(c, 1, a, -1, negative(c, s, combine(c, 1, a, -1, b, 0)), 0); // a - min(a - b, 0)
  case ABS: return combine(c, 1, a, -2, negative(c, s, a), 0);                          // a - 2 * min(a, 0)
  case SELECT: return combine(c, 1, b, 1, choice(c, s, x->lines[0], combine(c, 1, a, -1, b, 0)), 0);
  case OF: return choice(c, s, x->lines[0], poly_of(c, 1));
  case WRAP: return wrap(c, s, x);
  default: return mask(c, s, x);
  }
}

// An unknown that only proofs mention: defined by polynomials, and the line has no value.
static void define(checker *c, cursor *s, line_kind kind, const arguments *x) {
  if (kind == QUOTIENT) quotient(c, s, x->p[0], x->k);
  if (kind == NEGATIVE) negative(c, s, x->p[0]);
  if (kind == CHOICE) choice(c, s, x->lines[0], x->p[0]);
  if (kind == RATIO || kind == REST) bring(c, s, (line){.unknown = kind, .a = x->p[0], .m = x->p[1]});
}

// requires: it is the next line of the table, and does not count as there yet: it has neither a kind nor a value
static void read_line(checker *c, cursor *s) {
  const char *name = word(c, s);
  int kind = INT;
  while (kind < KINDS && strcmp(name, kinds[kind].name) != 0) kind++;
  if (kind == KINDS) return reject(c, "not a kind of line");
  arguments x = read_arguments(c, s, kinds[kind].form);
  if (c->why) return;
  const poly *value = kind < QUOTIENT ? value_of(c, s, (line_kind)kind, &x) : NULL;
  if (kind >= QUOTIENT && kind < TRUE) define(c, s, (line_kind)kind, &x);
  line *l = &c->lines[c->line_count];
  l->kind = (line_kind)kind;
  l->value = value;
  memcpy(l->args, x.lines, sizeof l->args);
  if (kind == NOT) { // of a formula that is no negation
    const line *inner = &c->lines[x.lines[0]];
    l->denied = inner->kind != NOT || !inner->denied;
    if (inner->kind == NOT) l->args[0] = inner->args[0];
  }
  if (!at_end(s)) reject(c, "something follows where the line should end");
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
  const poly *d = combine(c, 1, c->lines[l->args[0]].value, -1, c->lines[l->args[1]].value, 0);
  static const line_kind opposite[] = {[EQ] = NE, [NE] = EQ, [LT] = GE, [LE] = GT, [GT] = LE, [GE] = LT};
  if (!polarity) kind = opposite[kind];
  if (kind == EQ) return equation(d);
  if (kind == NE) return (hypothesis){.formula = f, .polarity = polarity, .p = d}; // two cases
  return inequality(scale(c, kind == LT || kind == LE ? -1 : 1, d, kind == LT || kind == GT ? -1 : 0));
}

static const line *unknown_at(checker *c, int n) {
  if (n < 1 || n > c->line_count || c->lines[n].unknown == NO_KIND) reject(c, "an unknown is not there");
  return &c->lines[c->why ? 0 : n];
}

// Two cases: the first now, the other once the first is refuted; of one or two hypotheses each.
static void branch(checker *c, int count, hypothesis a, hypothesis b, hypothesis other_a, hypothesis other_b) {
  if (c->why) return;
  c->frames[c->frame_count++] = (frame){c->height, count, {other_a, other_b}};
  push(c, a);
  if (count == 2) push(c, b);
}

// The case is closed: on to the one that was put off last.
static void close_case(checker *c) {
  if ((c->done = c->frame_count == 0)) return;
  const frame *later = &c->frames[--c->frame_count];
  c->height = later->height;
  for (int i = 0; i < later->count; i++) push(c, later->cases[i]);
}

/* -- the steps, in the order of docs/certificates.md and of proofs_tests/coq/ --
 *
 * Above each its letter and arguments, and its rule: premises |- what is learned, or the two cases A | B of which one
 * holds, or that the case is closed. N is a line, U V Q R are unknowns, H I hypotheses, P M polynomials.
 */

typedef struct {
  const poly *multiplier;
  int h;
} part;

struct step {
  const struct rule *rule;
  int place, n[4]; // n[0] of a sum: how many parts
  const poly *p;
  part *parts;
};

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
  if (t->n[1] == 3 && is_negative) p = combine(c, 1, l->a, -1, u, 0);
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
  if (t->n[0] == 0) push(c, equation(combine(c, 1, combine(c, 1, q->a, -1, y, 0), -1, multiply(c, q->m, x), 0)));
  if (t->n[0] == 1) push(c, inequality(y));
  if (t->n[0] > 1) push(c, inequality(combine(c, 1, q->m, -1, y, -1)));
}

// "a" and "b" are the same, or hypothesis h, if there is one, is a - b == 0.
static void check_equal(checker *c, const poly *a, const poly *b, int h) {
  poly *gap = combine(c, 1, a, -1, b, 0);
  const poly *known = h < 0 ? NULL : number_at(c, h, true);
  if (!c->why && !(known ? same(c, known, cut(c, gap, true)) : same(c, a, b)))
    reject(c, "arguments are not shown equal");
}

// e U V H I: U and V are defined alike, of arguments that are shown equal by H and I |- U - V == 0.
static void step_e(checker *c, const step *t) {
  const line *u = unknown_at(c, t->n[0]), *v = unknown_at(c, t->n[1]);
  if (c->why) return;
  if (u->unknown != v->unknown || u->unknown == UNKNOWN || u->divisor != v->divisor || u->formula != v->formula)
    return reject(c, "unknowns of different kinds");
  check_equal(c, u->a, v->a, t->n[2]);
  if (u->m) check_equal(c, u->m, v->m, t->n[3]);
  push(c, equation(combine(c, 1, unknown(c, t->n[0]), -1, unknown(c, t->n[1]), 0)));
}

// l M1 H1 M2 H2 ...: every H is an equation, or M is a number >= 0 |- the sum of M * H, cut; == 0 if all of them are.
static void step_l(checker *c, const step *t) {
  poly *sum = poly_of(c, 0);
  bool is_equal = true;
  for (int i = 0; i < t->n[0] && !c->why; i++) {
    const part *next = &t->parts[i];
    const hypothesis *h = at(c, next->h);
    if (c->why) return;
    if (h->formula) return reject(c, "a formula is no number");
    if (!h->is_equal && (next->multiplier->count || next->multiplier->constant < 0))
      return reject(c, "an inequality times what may be negative");
    is_equal &= h->is_equal;
    sum = combine(c, 1, sum, 1, multiply(c, next->multiplier, h->p), 0);
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
    return branch(c, 2, equation(combine(c, 1, l->a, -1, u, 0)), below, equation(u), inequality(l->a));
  }
  hypothesis yes = asserted(c, l->formula, true), no = asserted(c, l->formula, false);
  branch(c, 2, equation(combine(c, -1, l->a, 1, u, 0)), yes, equation(u), no);
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

// What follows the letter: i a number, h one or "=" or nothing (-1), p a polynomial, s summands.
typedef struct rule {
  char letter;
  const char *form;
  void (*check)(checker *, const step *);
} rule;
static const rule rules[] = {
    {'u', "i", step_u},    // a fact
    {'g', "", step_g},     // not the goal
    {'a', "ii", step_a},   // a part of a conjunction
    {'d', "ii", step_d},   // what a definition says
    {'v', "iiii", step_v}, // division
    {'e', "iihh", step_e}, // congruence
    {'l', "s", step_l},    // a sum, cut
    {'m', "ii", step_m},   // a product
    {'s', "p", step_s},    // a square
    {'q', "ii", step_q},   // both at least and at most 0
    {'k', "p", step_k},    // two cases: below 0, or not
    {'o', "i", step_o},    // the cases of a formula
    {'n', "i", step_n},    // the cases of a definition
    {'.', "i", step_dot},  // impossible
    {'x', "ii", step_x},   // a formula, and the same denied
};
enum { RULES = sizeof rules / sizeof *rules };

static void read_parts(checker *c, cursor *s, step *t) {
  int room = 1;
  for (char *p = s->at; *p; p++) room += *p == ' ';
  t->parts = take(c, (size_t)room, sizeof(part));
  while (!c->why && !at_end(s)) {
    part *next = &t->parts[t->n[0]++];
    bool is_poly = *rest_of(s) == '(';
    next->multiplier = is_poly ? poly_arg(c, s) : poly_of(c, number(c, s));
    if (is_poly && next->multiplier->count == 0) reject(c, "a polynomial is a number");
    next->h = small(c, s);
  }
}

// A number, or -1: "=" or nothing.
static int hypothesis_or_none(checker *c, cursor *s) {
  if (at_end(s)) return -1;
  if (*s->at != '=') return small(c, s);
  s->at++;
  if (*s->at && *s->at != ' ') reject(c, "a number is missing");
  return -1;
}

static void read_step(checker *c, cursor *s, char letter) {
  int which = 0;
  while (which < RULES && rules[which].letter != letter) which++;
  if (which == RULES) return reject(c, "not a step");
  step *t = &c->steps[c->step_count++];
  *t = (step){.rule = &rules[which], .place = c->place};
  const char *form = rules[which].form;
  for (int i = 0; form[i] && !c->why; i++) {
    if (form[i] == 'i') t->n[i] = small(c, s);
    if (form[i] == 'h') t->n[i] = hypothesis_or_none(c, s);
    if (form[i] == 'p') t->p = poly_arg(c, s);
    if (form[i] == 's') read_parts(c, s, t);
  }
  if (!at_end(s)) reject(c, "something follows where the step should end");
}

// Is it a proof? The reason why not is in c->why, the line in c->place.
static bool check(checker *c, int which) {
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

/* -- the file -- */

static int formula_arg(checker *c, cursor *s) {
  int n = small(c, s);
  line_at(c, n, true);
  return n;
}

// 64 digits of a SHA-256, or "-" where there may be none.
static const char *hash_word(checker *c, cursor *s, bool may_be_absent) {
  const char *hash = word(c, s);
  bool absent = may_be_absent && strcmp(hash, "-") == 0;
  if (!absent && (strlen(hash) != 64 || strspn(hash, "0123456789abcdef") != 64)) reject(c, "not a hash");
  return hash;
}

static bool is_finished(const program *p) { return p->last == p->obligations; }

static void read_program(checker *c, cursor *s) {
  program *p = &c->programs[c->program_count];
  if (c->program_count == PROGRAMS) return reject(c, "too many programs");
  if (c->program_count > 0 && !is_finished(p - 1)) reject(c, "certificates are missing");
  *p = (program){.name = word(c, s), .obligations = small(c, s)};
  p->target = hash_word(c, s, false);
  hash_word(c, s, true);                         // the algorithm's
  hash_word(c, s, true);                         // the schedule's
  if (at_end(s)) reject(c, "a word is missing"); // who wrote it, for people
  for (int i = 0; i < c->program_count; i++)
    if (strcmp(c->programs[i].name, p->name) == 0) reject(c, "a program occurs twice");
  c->program_count++;
}

static int counted(checker *c, char **at) { // 1, 2, 3, ... as one writes it
  char *start = *at;
  wide n = *start >= '1' && *start <= '9' ? digits(c, at) : 0;
  if (n < 1 || n > 1 << 30) reject(c, "not an id");
  return c->why ? 0 : (int)n;
}

// "NAME/7", or "NAME/7.1", "NAME/7.2", ...: of the last program, each obligation once and in order, so that none is
// missing and none is shown by what was said of another.
static void claim_id(checker *c, const char *id, bool is_open) {
  program *p = &c->programs[c->program_count - 1];
  if (c->program_count == 0) return reject(c, "no program was named");
  size_t length = strlen(p->name);
  char *at = (char *)id + length + 1;
  if (strncmp(id, p->name, length) != 0 || id[length] != '/') return reject(c, "the id is of another program");
  int number = counted(c, &at);
  bool has_part = *at == '.';
  if (has_part) at++;
  int part = has_part ? counted(c, &at) : 0;
  if (*at) reject(c, "not an id");
  if (number > p->obligations) reject(c, "the program has no such obligation");
  bool next_part = number == p->last && p->part > 0 && part == p->part + 1, next = number == p->last + 1 && part <= 1;
  if (!next_part && !next) reject(c, "not the id of what is next");
  p->open += is_open && (next || !p->is_open);
  p->is_open = is_open || (next_part && p->is_open);
  p->last = number;
  p->part = part;
}

static void read_head(checker *c, cursor *s, certificate **open, bool is_open) {
  certificate *made = &c->certificates[c->head_count++];
  *made = (certificate){.first = c->step_count, .facts = c->number_count, .place = c->place, .is_open = is_open};
  made->id = word(c, s);
  made->rule = word(c, s);
  made->about = rest_of(s);
  claim_id(c, made->id, is_open);
  c->certificate_count += !is_open;
  if (!is_open) *open = made;
}

// A row between "certificate" and "qed" that is no step.
static void read_claim(checker *c, cursor *s, const char *first, certificate **open) {
  certificate *of = *open;
  if (strcmp(first, "facts") == 0 && !of->has_facts && of->goal == 0) {
    of->has_facts = true;
    for (; !c->why && !at_end(s); of->fact_count++) c->numbers[c->number_count++] = formula_arg(c, s);
  } else if (strcmp(first, "goal") == 0 && of->goal == 0) {
    of->goal = formula_arg(c, s);
  } else if (strcmp(first, "dead") == 0 && of->goal != 0 && !of->is_dead && c->step_count == of->first) {
    of->is_dead = true;
  } else if (strcmp(first, "qed") == 0 && of->goal != 0) {
    of->count = c->step_count - of->first;
    *open = NULL;
  } else {
    reject(c, "not a step");
  }
  if (!c->why && !at_end(s)) reject(c, "something follows where the line should end");
}

static void read_end(checker *c, cursor *s) {
  if (number(c, s) != c->certificate_count) reject(c, "certificates are missing");
  if (c->program_count > 0 && !is_finished(&c->programs[c->program_count - 1])) reject(c, "certificates are missing");
  if (!at_end(s)) reject(c, "something follows where the line should end");
}

// Reads one line of the file; "*open" is the certificate whose steps are being read.
static void read_row(checker *c, cursor *s, certificate **open, bool *ended) {
  if (*s->at == '#' || at_end(s)) return;
  char *first = word(c, s);
  if (*ended) return reject(c, "something follows the end");
  if (*open && !first[1] && (*open)->goal) return read_step(c, s, first[0]);
  if (*open) return read_claim(c, s, first, open);
  if (strcmp(first, "program") == 0) return read_program(c, s);
  if (strcmp(first, "certificate") == 0) return read_head(c, s, open, false);
  if (strcmp(first, "open") == 0) return read_head(c, s, open, true);
  if (strcmp(first, "end") == 0) {
    *ended = true;
    return read_end(c, s);
  }
  char *text = first;
  if (digits(c, &text) != c->line_count + 1 || *text) reject(c, "not the number of the next line");
  c->line_count++;
  if (!c->why) read_line(c, s);
}

// What a file of that size may take and do.
static checker checker_for(size_t size) {
  return (checker){.size = 64 * size + (1 << 20), .work = 16 * size + (1 << 20)};
}

static void read_file(checker *c, char *text, size_t size) {
  certificate *open = NULL;
  bool ended = false;
  size_t rows = 2, words = 2;
  for (size_t i = 0; i < size; i++) {
    rows += text[i] == '\n';
    words += text[i] == '\n' || text[i] == ' ';
  }
  for (int i = 0; i <= 2 * SMALL; i++) c->constants[i].constant = i - SMALL;
  c->lines = take(c, rows, sizeof(line));
  c->lines[0].value = poly_of(c, 0); // for those who go on after a failure
  c->steps = take(c, rows, sizeof(step));
  c->certificates = take(c, rows, sizeof(certificate));
  c->numbers = take(c, words, sizeof(int));
  c->is_fact = take(c, rows, sizeof(int));
  c->programs = take(c, PROGRAMS, sizeof(program));
  c->stack = take(c, 2 * rows, sizeof(hypothesis));
  c->frames = take(c, rows, sizeof(frame));
  for (char *at = text, *end = text + size; at < end && !c->why;) {
    char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop || memchr(at, '\0', (size_t)(stop - at))) {
      reject(c, "a line has no end");
      break;
    }
    *stop = '\0';
    c->place++;
    cursor s = {at, stop};
    if (c->place > 1)
      read_row(c, &s, &open, &ended);
    else if (strcmp(at, "halyard-certificates 2") != 0)
      reject(c, "not a file of certificates");
    at = stop + 1;
  }
  if (!ended) reject(c, "the end is missing");
}

/* -- the hash of a program's text: SHA-256 (FIPS 180-4) -- */

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

// The first 32 bits of the fractional parts of the square roots of the first 8 primes, of the cube roots of the
// first 64.
static const uint32_t hash_start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t hash_rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void hash_block(uint32_t hash[8], const unsigned char *block) {
  uint32_t w[64], x[8];
  for (int i = 0; i < 16; i++, block += 4)
    w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(x, hash, sizeof x);
  for (int i = 0; i < 64; i++) {
    uint32_t e = turned(x[4], 6) ^ turned(x[4], 11) ^ turned(x[4], 25), choice = (x[4] & x[5]) ^ (~x[4] & x[6]);
    uint32_t a = turned(x[0], 2) ^ turned(x[0], 13) ^ turned(x[0], 22);
    uint32_t majority = (x[0] & x[1]) ^ (x[0] & x[2]) ^ (x[1] & x[2]);
    uint32_t first = x[7] + e + choice + hash_rounds[i] + w[i];
    memmove(x + 1, x, 7 * sizeof *x);
    x[4] += first;
    x[0] = first + a + majority;
  }
  for (int i = 0; i < 8; i++) hash[i] += x[i];
}

static void hash_text(const char *text, size_t size, char digits[65]) {
  uint32_t hash[8];
  unsigned char last[128] = {0}; // what is left, a bit, zeroes, and the size in bits
  size_t whole = size / 64 * 64, rest = size - whole, end = rest < 56 ? 64 : 128;
  memcpy(hash, hash_start, sizeof hash);
  for (size_t at = 0; at < whole; at += 64) hash_block(hash, (const unsigned char *)text + at);
  memcpy(last, text + whole, rest);
  last[rest] = 0x80;
  for (int i = 0; i < 8; i++) last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t at = 0; at < end; at += 64) hash_block(hash, last + at);
  for (int i = 0; i < 8; i++) snprintf(digits + 8 * i, 9, "%08x", (unsigned)hash[i]);
}

/* -- the command -- */

static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  long length = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *text = length < 0 || length > 1 << 30 ? NULL : calloc((size_t)length + 1, 1);
  *size = text ? (rewind(file), fread(text, 1, (size_t)length, file)) : 0;
  if (file) fclose(file);
  return text;
}

typedef struct {
  bool quiet, timed;
  const char *path, *program; // "program": a target program that the certificates must be about, NULL if not asked
} wishes;

static bool read_wishes(wishes *w, int count, char **args) {
  for (int i = 1; i < count; i++) {
    if (strcmp(args[i], "--quiet") == 0)
      w->quiet = true;
    else if (strcmp(args[i], "--time") == 0)
      w->timed = true;
    else if (strcmp(args[i], "--program") == 0 && i + 1 < count)
      w->program = args[++i];
    else if (args[i][0] != '-' && !w->path)
      w->path = args[i];
    else
      return false;
  }
  return w->path != NULL;
}

// Says which of the programs has these bytes. 0 if one has, 1 if none, 2 if they cannot be read.
static int find_program(const checker *c, const char *path) {
  size_t size;
  char *text = contents(path, &size), hash[65];
  if (!text) {
    fprintf(stderr, "%s: cannot be read, or not enough memory\n", path);
    return 2;
  }
  hash_text(text, size, hash);
  free(text);
  for (int i = 0; i < c->program_count; i++) {
    if (strcmp(c->programs[i].target, hash) != 0) continue;
    printf("%s: its certificates are those of '%s'\n", path, c->programs[i].name);
    return 0;
  }
  printf("%s: no certificate is about it: its hash is %s\n", path, hash);
  return 1;
}

// Judges every certificate. 0 if all are proofs, and of every obligation; a file that claims nothing proves nothing.
static int judge(checker *c, const wishes *w, double reading) {
  clock_t start = clock();
  int accepted = 0, dead = 0, obligations = 0, shown = 0;
  for (int i = 0; i < c->head_count; i++) {
    const certificate *of = &c->certificates[i];
    bool fine = !of->is_open && check(c, i);
    const char *says = of->is_dead ? "accepted, dead" : "accepted";
    accepted += fine;
    dead += fine && of->is_dead;
    if (of->is_open) printf("%s: %s is open (%s: %s)\n", w->path, of->id, of->rule, of->about);
    if (fine && !w->quiet) printf("%s %s (%s: %s)\n", of->id, says, of->rule, of->about);
    if (!fine && !of->is_open)
      printf("%s:%d: %s rejected: %s (%s: %s)\n", w->path, c->place, of->id, c->why, of->rule, of->about);
  }
  for (int i = 0; i < c->program_count; i++) {
    obligations += c->programs[i].obligations;
    shown += c->programs[i].obligations - c->programs[i].open;
  }
  double checking = (double)(clock() - start) / CLOCKS_PER_SEC + 1e-6, all = c->certificate_count;
  printf("%s: %d of %d certificates accepted, %d of them dead; they are about %d of %d obligations\n", w->path,
         accepted, c->certificate_count, dead, shown, obligations);
  if (w->timed)
    printf("read in %.3f ms, checked in %.3f ms: %.0f certificates per second (%.0f with reading)\n", reading * 1e3,
           checking * 1e3, all / checking, all / (reading + checking));
  return accepted > 0 && accepted == c->certificate_count && shown == obligations ? 0 : 1;
}

int main(int count, char **args) {
  wishes w = {.quiet = false};
  if (!read_wishes(&w, count, args)) {
    fputs("usage: halyard-certcheck [--quiet] [--time] [--program FILE.tgt] FILE\n", stderr);
    return 2;
  }
  clock_t start = clock();
  size_t size;
  char *text = contents(w.path, &size);
  checker c = checker_for(size);
  c.arena = text ? calloc(c.size, 1) : NULL;
  int status = 2, other = 0;
  if (!c.arena) {
    fprintf(stderr, "%s: cannot be read, or not enough memory\n", w.path);
  } else {
    read_file(&c, text, size);
    double reading = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (c.why) {
      fprintf(stderr, "%s:%d: %s: nothing in this file counts as proved\n", w.path, c.place, c.why);
    } else {
      if (w.program) other = find_program(&c, w.program);
      status = judge(&c, &w, reading);
    }
  }
  free(c.arena);
  free(text);
  fflush(stdout);
  if (ferror(stdout)) {
    fprintf(stderr, "%s: the verdict cannot be written\n", w.path);
    return 2;
  }
  return status > other ? status : other;
}
