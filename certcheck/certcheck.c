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
  int *is_fact;              // by line: the last certificate whose fact it is
  program *programs;
  hypothesis *stack;
  frame *frames;
  int line_count, step_count, certificate_count, number_count, height, frame_count, program_count, head_count;
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
  if (at_end(s)) return reject(c, "a word is missing"), 0;
  wide n = digits(c, &s->at);
  if (*s->at && *s->at != ' ') reject(c, "a number is not a number");
  return n;
}

static int small(checker *c, cursor *s) { // 0 .. 2^30
  wide n = number(c, s);
  if (n < 0 || n > 1 << 30) reject(c, "a number is out of range");
  return c->why ? 0 : (int)n;
}

/* -- the table: terms, formulas, unknowns -- */

// Terms, and formulas from TRUE on; IFF: both or neither, COND: if a then b else c, ATOM: opaque.
typedef enum { NO_LINE, TERM, TRUE, FALSE, EQ, NE, LT, LE, GT, GE, AND, OR, NOT, IFF, COND, ATOM } line_kind;
typedef enum { NO_UNKNOWN, PLAIN, QUOTIENT, RATIO, REST, NEGATIVE, CHOICE } unknown_kind;

struct line {
  line_kind kind;
  int args[3];       // of a formula
  const poly *value; // of a term
  // if the line brings an unknown, what defines it
  unknown_kind unknown;
  bool has_range;
  wide low, high;
  const poly *a, *m;
  wide divisor;
  int formula;
};

static const line *line_at(checker *c, int n, bool is_formula) {
  bool there = n >= 1 && n <= c->line_count && c->lines[n].kind != NO_LINE;
  if (!there) reject(c, "a line is not there");
  if (there && (c->lines[n].kind != TERM) != is_formula) reject(c, is_formula ? "not a formula" : "not a term");
  return &c->lines[c->why ? 0 : n];
}

static const poly *term_arg(checker *c, cursor *s) { return line_at(c, small(c, s), false)->value; }

static int formula_arg(checker *c, cursor *s) {
  int n = small(c, s);
  return line_at(c, n, true), n;
}

// "(1 -1*9*7 2*5)": a constant, then monomials that descend.
static const poly *poly_arg(checker *c, cursor *s) {
  int room = 1;
  for (const char *p = rest_of(s); *p && *p != ')'; p++) room += *p == ' ';
  poly *sum = poly_with(c, room);
  if (*s->at != '(') return reject(c, "a polynomial is missing"), sum;
  s->at++;
  for (sum->constant = digits(c, &s->at); !c->why && *rest_of(s) != ')';) {
    term t = {0, digits(c, &s->at)};
    for (; !c->why && *s->at == '*';) {
      s->at++;
      wide n = digits(c, &s->at);
      if (n < 1 || n > c->line_count || c->lines[n].unknown == NO_UNKNOWN) return reject(c, "not an unknown"), sum;
      t.m = monomial_mul(c, t.m, (monomial)n << 96);
    }
    bool apart = *s->at == ' ' || *s->at == ')', descends = sum->count == 0 || t.m < sum->terms[sum->count - 1].m;
    if (!apart || !descends || t.m == 0 || t.k == 0) reject(c, "a polynomial is not well formed");
    if (!c->why) sum->terms[sum->count++] = t;
  }
  if (!c->why && (s->at[-1] == ' ' || (*++s->at && *s->at != ' '))) reject(c, "a polynomial is not well formed");
  return sum;
}

// Gives the line "n" an unknown with this definition, or an earlier one that has it: "= N" at the end of the line.
static const poly *bring(checker *c, cursor *s, line *l, int n, line made) {
  *l = made;
  l->kind = TERM;
  if (c->why || at_end(s)) return unknown(c, n);
  char *sign = word(c, s);
  int old = small(c, s);
  const line *k = &c->lines[old <= c->line_count ? old : 0];
  bool fine = strcmp(sign, "=") == 0 && k->unknown == l->unknown && k->divisor == l->divisor;
  if (!fine || k->formula != l->formula || !same(c, k->a, l->a) || (l->m && !same(c, k->m, l->m)))
    reject(c, "not the same");
  *l = (line){.kind = TERM};
  return unknown(c, old);
}

static const poly *quotient(checker *c, cursor *s, line *l, int n, const poly *a, wide divisor) {
  if (divisor < 1) reject(c, "a divisor is below 1");
  return bring(c, s, l, n, (line){.unknown = QUOTIENT, .a = a, .divisor = divisor});
}

// a / b and a % b. By a constant they are one quotient; else they say something only where b >= 1.
static const poly *division(checker *c, cursor *s, line *l, int n, bool is_rest, const poly *a, const poly *b) {
  wide d = b->constant;
  if (b->count == 0 && d != 0) {
    const poly *q = quotient(c, s, l, n, a, d < 0 ? mul(c, d, -1) : d);
    if (is_rest) return combine(c, 1, a, d < 0 ? d : mul(c, d, -1), q, 0);
    return scale(c, d < 0 ? -1 : 1, q, 0);
  }
  return bring(c, s, l, n, (line){.unknown = is_rest ? REST : RATIO, .a = a, .m = b});
}

// What is known of a value of the type.
static void type_range(checker *c, cursor *s, line *l) {
  static const char *const names[] = {"int", "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"};
  const char *name = word(c, s);
  int i = 0;
  while (i < 10 && strcmp(name, names[i]) != 0) i++;
  if (i == 10) return reject(c, "not a type");
  l->has_range = i > 0;
  l->high = i == 1 ? 1 : ((wide)1 << (i < 6 ? 2 << i : (1 << (i - 3)) - 1)) - 1;
  if (i > 5) l->low = -l->high - 1;
}

// The value of the type that is congruent to "a".
static const poly *wrap(checker *c, cursor *s, line *l, int n) {
  line type = {.kind = TERM};
  type_range(c, s, &type);
  const poly *a = term_arg(c, s);
  if (!type.has_range) return a;
  wide modulus = type.high - type.low + 1;
  return combine(c, 1, a, -modulus, quotient(c, s, l, n, scale(c, 1, a, -type.low), modulus), 0);
}

// a & mask for a constant mask >= 0.
static const poly *mask(checker *c, cursor *s, line *l, int n) {
  const poly *a = term_arg(c, s);
  wide bits = number(c, s);
  if (bits < 0 || bits >= (wide)1 << 64) return reject(c, "a mask is out of range"), a;
  if ((bits & (bits + 1)) == 0) return combine(c, 1, a, -(bits + 1), quotient(c, s, l, n, a, bits + 1), 0);
  *l = (line){.kind = TERM, .unknown = PLAIN, .has_range = true, .high = bits};
  return unknown(c, n);
}

static const poly *term_line(checker *c, cursor *s, const char *op, line *l, int n) {
  const poly *a, *b;
  int f;
#define IS(text) (strcmp(op, text) == 0)
#define TWO (a = term_arg(c, s), b = term_arg(c, s))
#define GAP combine(c, 1, a, -1, b, 0)
#define BRING(...) bring(c, s, l, n, (line){__VA_ARGS__})
  if (IS("int")) return poly_of(c, number(c, s));
  if (IS("unknown")) return l->unknown = PLAIN, type_range(c, s, l), s->at = s->end, unknown(c, n); // a name follows
  if (IS("+")) return TWO, combine(c, 1, a, 1, b, 0);
  if (IS("-")) return TWO, GAP;
  if (IS("*")) return TWO, multiply(c, a, b);
  if (IS("neg")) return scale(c, -1, term_arg(c, s), 0);
  if (IS("/")) return TWO, division(c, s, l, n, false, a, b);
  if (IS("%")) return TWO, division(c, s, l, n, true, a, b);
  // min(a, b) = b + min(a - b, 0);  max(a, b) = a - min(a - b, 0);  abs(a) = a - 2 * min(a, 0)
  if (IS("min")) return TWO, combine(c, 1, b, 1, BRING(.unknown = NEGATIVE, .a = GAP), 0);
  if (IS("max")) return TWO, combine(c, 1, a, -1, BRING(.unknown = NEGATIVE, .a = GAP), 0);
  if (IS("abs")) return a = term_arg(c, s), combine(c, 1, a, -2, BRING(.unknown = NEGATIVE, .a = a), 0);
  if (IS("select"))
    return f = formula_arg(c, s), TWO, combine(c, 1, b, 1, BRING(.unknown = CHOICE, .a = GAP, .formula = f), 0);
  if (IS("of")) return f = formula_arg(c, s), BRING(.unknown = CHOICE, .a = poly_of(c, 1), .formula = f);
  if (IS("wrap")) return wrap(c, s, l, n);
  if (IS("mask")) return mask(c, s, l, n);
  // What only proofs mention: an unknown defined by polynomials. The line has no value: no other line may name it.
  if (IS("quotient")) return a = poly_arg(c, s), quotient(c, s, l, n, a, number(c, s)), NULL;
  if (IS("negative")) return BRING(.unknown = NEGATIVE, .a = poly_arg(c, s)), NULL;
  if (IS("choice")) return f = formula_arg(c, s), BRING(.unknown = CHOICE, .a = poly_arg(c, s), .formula = f), NULL;
  if (IS("ratio")) return a = poly_arg(c, s), b = poly_arg(c, s), BRING(.unknown = RATIO, .a = a, .m = b), NULL;
  if (IS("rest")) return a = poly_arg(c, s), b = poly_arg(c, s), BRING(.unknown = REST, .a = a, .m = b), NULL;
#undef GAP
#undef BRING
#undef TWO
#undef IS
  reject(c, "not a kind of line");
  return poly_of(c, 0);
}

// requires: n is the next line's number, and the line itself does not count as there yet
static void read_line(checker *c, cursor *s, int n) {
  static const char *const names[] = {
      // arity and name
      [TRUE] = "0true", [FALSE] = "0false", [EQ] = "2==",     [NE] = "2!=",    [LT] = "2<",
      [LE] = "2<=",     [GT] = "2>",        [GE] = "2>=",     [AND] = "2and",  [OR] = "2or",
      [NOT] = "1not",   [IFF] = "2iff",     [COND] = "3cond", [ATOM] = "0atom"};
  line l = {.kind = TERM};
  const char *op = word(c, s);
  for (int kind = TRUE; kind <= ATOM; kind++)
    if (strcmp(op, names[kind] + 1) == 0) l.kind = (line_kind)kind;
  for (int k = 0; l.kind != TERM && k < names[l.kind][0] - '0'; k++) {
    l.args[k] = small(c, s);
    line_at(c, l.args[k], l.kind > GE); // comparisons have terms, the others formulas
  }
  if (l.kind == NOT) { // of a formula that is no negation: its line, and whether it is denied
    const line *inner = line_at(c, l.args[0], true);
    l.args[1] = inner->kind != NOT || !inner->args[1];
    if (inner->kind == NOT) l.args[0] = inner->args[0];
  }
  if (l.kind == ATOM) s->at = s->end; // its name
  if (l.kind == TERM && !c->why && !(l.value = term_line(c, s, op, &l, n))) l.kind = NO_LINE;
  if (!at_end(s)) reject(c, "something follows where the line should end");
  if (!c->why) c->lines[n] = l;
}

/* -- steps -- */

typedef struct {
  const poly *multiplier;
  int h;
} part;

struct step {
  char op;
  int place, n[4]; // n[0] of a sum: how many parts
  const poly *p;
  part *parts;
};

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

// What follows the letter of a step: i a number, h one or "=" or nothing (-1), p a polynomial, s summands.
static void read_step(checker *c, cursor *s, const char *op) {
  static const char *const forms[256] = {
      ['u'] = "i", ['g'] = "",   ['a'] = "ii", ['d'] = "ii", ['v'] = "iiii", ['e'] = "iihh", ['l'] = "s", ['m'] = "ii",
      ['s'] = "p", ['q'] = "ii", ['k'] = "p",  ['o'] = "i",  ['n'] = "i",    ['.'] = "i",    ['x'] = "ii"};
  step *t = &c->steps[c->step_count++];
  *t = (step){.op = op[0], .place = c->place};
  const char *form = forms[(unsigned char)op[0]];
  if (!form) return reject(c, "not a step");
  for (int i = 0; *form && !c->why; i++, form++) {
    bool absent = *form == 'h' && (at_end(s) || *rest_of(s) == '=');
    if (*form == 'p') t->p = poly_arg(c, s);
    if (*form == 's') read_parts(c, s, t);
    if (*form == 'i' || *form == 'h') t->n[i] = absent ? -1 : small(c, s);
    if (absent && !at_end(s) && *++s->at && *s->at != ' ') reject(c, "a number is missing");
  }
  if (!at_end(s)) reject(c, "something follows where the step should end");
}

/* -- the file -- */

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
  if (*open && !first[1] && (*open)->goal) return read_step(c, s, first);
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
  int n = ++c->line_count;
  if (!c->why) read_line(c, s, n);
}

// What a file of that size may take and do.
static checker checker_for(size_t size) {
  return (checker){.size = 64 * size + (1 << 20), .work = 16 * size + (1 << 20)};
}

static void read_file(checker *c, char *text, size_t size) {
  certificate *open = NULL;
  bool ended = false;
  size_t rows = 2, words = 2;
  for (size_t i = 0; i < size; i++) rows += text[i] == '\n', words += text[i] == '\n' || text[i] == ' ';
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

/* -- checking -- */

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
  if (c->lines[f].kind == NOT) polarity = polarity != c->lines[f].args[1], f = c->lines[f].args[0];
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
  if (n < 1 || n > c->line_count || c->lines[n].unknown == NO_UNKNOWN) reject(c, "an unknown is not there");
  return &c->lines[c->why ? 0 : n];
}

// A part of a conjunction that holds or of a disjunction that does not.
static void check_part(checker *c, const step *t) {
  const hypothesis *h = at(c, t->n[0]);
  const line *l = &c->lines[h->formula];
  if (c->why || l->kind != (h->polarity ? AND : OR) || t->n[1] > 1) return reject(c, "not a conjunction");
  push(c, asserted(c, l->args[t->n[1]], h->polarity));
}

static void check_definition(checker *c, const step *t) {
  const line *l = unknown_at(c, t->n[0]);
  const poly *u = unknown(c, t->n[0]), *p = NULL;
  bool negative = l->unknown == NEGATIVE, quotient = l->unknown == QUOTIENT;
  if (c->why) return;
  if (t->n[1] == 0 && l->has_range) p = scale(c, 1, u, -l->low);
  if (t->n[1] == 1 && l->has_range) p = scale(c, -1, u, l->high);
  if (t->n[1] == 2 && quotient) p = combine(c, 1, l->a, -l->divisor, u, 0);              // 0 <= a - d*u
  if (t->n[1] == 3 && quotient) p = combine(c, -1, l->a, l->divisor, u, l->divisor - 1); // a - d*u <= d - 1
  if (t->n[1] == 2 && negative) p = scale(c, -1, u, 0);                                  // u <= 0
  if (t->n[1] == 3 && negative) p = combine(c, 1, l->a, -1, u, 0);                       // u <= a
  if (!p) reject(c, "the unknown's definition does not say so");
  push(c, inequality(p));
}

// With m >= 1: a = m*q + r, 0 <= r, r <= m - 1.
static void check_division(checker *c, const step *t) {
  const line *q = unknown_at(c, t->n[1]), *r = unknown_at(c, t->n[2]);
  const poly *known = number_at(c, t->n[3], false), *x = unknown(c, t->n[1]), *y = unknown(c, t->n[2]);
  if (c->why) return;
  if (q->unknown != RATIO || r->unknown != REST || !same(c, q->a, r->a) || !same(c, q->m, r->m))
    return reject(c, "not quotient and remainder of one division");
  if (!same(c, known, scale(c, 1, q->m, -1))) return reject(c, "the divisor is not known to be at least 1");
  if (t->n[0] == 0) push(c, equation(combine(c, 1, combine(c, 1, q->a, -1, y, 0), -1, multiply(c, q->m, x), 0)));
  if (t->n[0] != 0) push(c, inequality(t->n[0] == 1 ? y : combine(c, 1, q->m, -1, y, -1)));
}

static void check_equal(checker *c, const poly *a, const poly *b, int h) {
  poly *gap = combine(c, 1, a, -1, b, 0);
  const poly *known = h < 0 ? NULL : number_at(c, h, true);
  if (!c->why && !(known ? same(c, known, cut(c, gap, true)) : same(c, a, b)))
    reject(c, "arguments are not shown equal");
}

// Unknowns with equal definitions are equal.
static void check_congruence(checker *c, const step *t) {
  const line *u = unknown_at(c, t->n[0]), *v = unknown_at(c, t->n[1]);
  if (c->why) return;
  if (u->unknown != v->unknown || u->unknown == PLAIN || u->divisor != v->divisor || u->formula != v->formula)
    return reject(c, "unknowns of different kinds");
  check_equal(c, u->a, v->a, t->n[2]);
  if (u->m) check_equal(c, u->m, v->m, t->n[3]);
  push(c, equation(combine(c, 1, unknown(c, t->n[0]), -1, unknown(c, t->n[1]), 0)));
}

// A sum of equations times polynomials and of inequalities times numbers >= 0, cut.
static void check_sum(checker *c, const step *t) {
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

// Two cases: the first now, the other once the first is refuted; of one or two hypotheses each.
static void branch(checker *c, int count, hypothesis a, hypothesis b, hypothesis other_a, hypothesis other_b) {
  if (c->why) return;
  c->frames[c->frame_count++] = (frame){c->height, count, {other_a, other_b}};
  push(c, a);
  if (count == 2) push(c, b);
}

static void check_formula_cases(checker *c, const step *t) {
  const hypothesis h = *at(c, t->n[0]);
  const line *l = &c->lines[h.formula];
  bool yes = h.polarity;
  if (c->why || !h.formula) return reject(c, "nothing to split");
  if (l->kind == EQ || l->kind == NE) // different: d >= 1 or d <= -1
    return branch(c, 1, inequality(scale(c, 1, h.p, -1)), none, inequality(scale(c, -1, h.p, -1)), none);
  if (l->kind == (yes ? OR : AND))
    return branch(c, 1, asserted(c, l->args[0], yes), none, asserted(c, l->args[1], yes), none);
  if (l->kind != IFF && l->kind != COND) return reject(c, "nothing to split");
  hypothesis otherwise = l->kind == COND ? asserted(c, l->args[2], yes) : asserted(c, l->args[1], !yes);
  branch(c, 2, asserted(c, l->args[0], true), asserted(c, l->args[1], yes), asserted(c, l->args[0], false), otherwise);
}

// u = min(a, 0): u = a < 0 or u = 0 <= a.  u = (a if f else 0): u = a and f, or u = 0 and not f.
static void check_unknown_cases(checker *c, const step *t) {
  const line *l = unknown_at(c, t->n[0]);
  const poly *u = unknown(c, t->n[0]);
  if (c->why || (l->unknown != NEGATIVE && l->unknown != CHOICE)) return reject(c, "nothing to split");
  int sign = l->unknown == NEGATIVE ? 1 : -1;
  hypothesis now = sign > 0 ? inequality(scale(c, -1, l->a, -1)) : asserted(c, l->formula, true);
  hypothesis later = sign > 0 ? inequality(l->a) : asserted(c, l->formula, false);
  branch(c, 2, equation(combine(c, sign, l->a, -sign, u, 0)), now, equation(u), later);
}

// One hypothesis is impossible, or (x) two formulas clash: on to the case that was put off last.
static void check_close(checker *c, const step *t, bool *done) {
  const hypothesis *h = at(c, t->n[0]), *other = at(c, t->op == 'x' ? t->n[1] : t->n[0]);
  if (c->why) return;
  wide g = h->formula ? 0 : content(c, h->p);
  bool impossible = h->formula    ? c->lines[h->formula].kind == (h->polarity ? FALSE : TRUE)
                    : h->is_equal ? (g == 0 ? h->p->constant != 0 : h->p->constant % g != 0)
                                  : g == 0 && h->p->constant < 0;
  if (t->op == 'x') impossible = h->formula && h->formula == other->formula && h->polarity != other->polarity;
  if (!impossible || c->why) return reject(c, "not a contradiction");
  if ((*done = c->frame_count == 0)) return;
  const frame *later = &c->frames[--c->frame_count];
  c->height = later->height;
  for (int i = 0; i < later->count; i++) push(c, later->cases[i]);
}

static void check_opposite(checker *c, const step *t) {
  const poly *a = number_at(c, t->n[0], false), *b = number_at(c, t->n[1], false);
  if (!c->why && !same(c, scale(c, -1, a, 0), b)) reject(c, "not opposite inequalities");
  push(c, equation(a));
}

static void check_step(checker *c, const step *t, const certificate *of, int which, bool *uses_goal, bool *done) {
  switch (t->op) {
  case 'u':
    if (t->n[0] > c->line_count || c->is_fact[t->n[0]] != which) return reject(c, "not one of the facts");
    push(c, asserted(c, t->n[0], true));
    return;
  case 'g':
    if (of->is_dead) reject(c, "of what is dead, the goal says nothing");
    *uses_goal = true;
    push(c, asserted(c, of->goal, false));
    return;
  case 'a': check_part(c, t); return;
  case 'd': check_definition(c, t); return;
  case 'v': check_division(c, t); return;
  case 'e': check_congruence(c, t); return;
  case 'l': check_sum(c, t); return;
  case 'm': push(c, inequality(multiply(c, number_at(c, t->n[0], false), number_at(c, t->n[1], false)))); return;
  case 's': push(c, inequality(multiply(c, t->p, t->p))); return;
  case 'q': check_opposite(c, t); return;
  case 'k': branch(c, 1, inequality(scale(c, -1, t->p, -1)), none, inequality(t->p), none); return;
  case 'o': check_formula_cases(c, t); return;
  case 'n': check_unknown_cases(c, t); return;
  default: check_close(c, t, done); // "." and "x": read_step lets no other pass
  }
}

// Is it a proof? The reason why not is in c->why, the line in c->place.
static bool check(checker *c, int which) {
  const certificate *of = &c->certificates[which];
  size_t mark = c->used;
  bool uses_goal = false, done = false;
  c->why = NULL, c->place = of->place, c->height = c->frame_count = 0;
  for (int i = 0; i < of->fact_count; i++) c->is_fact[c->numbers[of->facts + i]] = which + 1;
  for (int i = 0; i < of->count && !c->why; i++) {
    c->place = c->steps[of->first + i].place;
    if (done) reject(c, "steps follow the last contradiction");
    if (!c->why) check_step(c, &c->steps[of->first + i], of, which + 1, &uses_goal, &done);
  }
  if (!done) reject(c, "the proof does not end");
  // It shows the goal and every other formula alike. That is so where no run comes, and must be said.
  if (!uses_goal && !of->is_dead) reject(c, "the facts contradict each other, and it is not said to be dead");
  c->used = mark;
  return !c->why;
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
