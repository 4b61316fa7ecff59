#ifndef CERTCHECK_CERTCHECK_H
#define CERTCHECK_CERTCHECK_H

/* What the files of halyard-certcheck share: reader.c makes of a file lines, certificates and steps; certcheck.c says
 * what lines are worth and whether the steps of a certificate are a proof, floats.c what is known of operators of floats; main.c is the command. Nothing of Halyard is
 * included. All memory is taken once, by the size of the file, and belongs to the checker. Whatever a function cannot
 * do it rejects: the first reason stays in the checker, and what it returns then may be used but says nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SMALL = 16, PROGRAMS = 1000 };
typedef __int128 wide;
typedef unsigned __int128 monomial; // up to four unknowns of 32 bits, greatest first from the top; 0 is the constant

/* -- polynomials -- */

typedef struct {
  monomial m;
  wide k; // not 0
} term;

typedef struct {
  wide constant;
  int count;
  term *terms; // monomials descend
} poly;

/* -- the table of lines: terms, formulas, and the unknowns that they bring -- */

// The order is that of docs/certificates.md. An unknown is defined as a line from UNKNOWN or QUOTIENT to APPLIED does.
// clang-format off
typedef enum {
  NO_KIND,
  INT, UNKNOWN, PLUS, MINUS, TIMES, NEGATE, DIV, MOD, MIN, MAX, ABS, SELECT, OF, WRAP, MASK, APPLY, // terms
  QUOTIENT, NEGATIVE, CHOICE, RATIO, REST, APPLIED,                   // unknowns that only proofs mention: no line may
  TRUE, FALSE, EQ, NE, LT, LE, GT, GE, AND, OR, NOT, IFF, COND, ATOM, // formulas
  KINDS
} line_kind;
// clang-format on

// An operator of floats: a row of a table, and types. Of row 0 there is none.
typedef struct {
  int row, result, from;
} operator_of_floats;

typedef struct {
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
  operator_of_floats op;
} line;

// What the words behind a kind's name are.
typedef struct {
  int lines[3], line_count;
  const poly *p[2]; // values of the terms, and polynomials
  int poly_count;
  wide k;
  bool has_range; // of the type: low .. high
  wide low, high;
  operator_of_floats op;
  bool is_same; // "= N" at the end: the unknown is not a new one, but that of line "same"
  int same;
} arguments;

/* -- proofs -- */

typedef struct checker checker;
typedef struct step step;

// What follows the letter: i a number, z one that may be below 0, h one or "=" or nothing (-1), w one or "=", p a polynomial, s
// summands.
typedef struct {
  char letter;
  const char *form;
  void (*check)(checker *, const step *);
} rule;

typedef struct {
  const poly *multiplier;
  int h;
} summand;

struct step {
  const rule *rule;
  int place, n[8]; // n[0] of a sum: how many summands
  const poly *p;
  summand *summands;
};

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

struct checker {
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
};

/* -- certcheck.c -- */

enum { RULES = 17 };
extern const rule rules[RULES];

void reject(checker *c, const char *why);
// Zeroes. requires: the product does not overflow. If there are not so many left: 128 zeroes that others have, too.
void *take(checker *c, size_t count, size_t size);

wide plus(checker *c, wide a, wide b);
wide times(checker *c, wide a, wide b);
monomial monomial_product(checker *c, monomial a, monomial b);
poly *poly_with(checker *c, int count);   // room for so many terms
poly *poly_of(checker *c, wide constant); // nobody changes it: small ones are made once

// f * a + g * b + constant
poly *combine(checker *c, wide f, const poly *a, wide g, const poly *b, wide constant);
bool same(checker *c, const poly *a, const poly *b);
// What the unknown of line n is, which must bring one; as a polynomial.
const line *unknown_at(checker *c, int n);
poly *unknown(checker *c, int number);
// Hypothesis h, which must be one, as p >= 0; learning that p >= 0.
const poly *inequality_at(checker *c, int h);
void learn_inequality(checker *c, const poly *p);

// Line n, which must be there: a formula, or a term.
const line *line_at(checker *c, int n, bool wants_formula);
// requires: it is line "line_count" of the table, and not there yet: it has neither a kind nor a value
void define_line(checker *c, line_kind kind, arguments *x);
// Is it a proof? The reason why not is in c->why, the line of the file in c->place.
bool check(checker *c, int which);

/* -- floats.c -- */

// A type by its name, -1 if it is none; what is known of its values.
int type_named(const char *name);
void range_of_type(int type, wide *low, wide *high);
operator_of_floats operator_named(checker *c, const char *name);
int arity(operator_of_floats op);
bool same_operator(operator_of_floats a, operator_of_floats b);
// The steps f and r, which certcheck.c describes.
void check_order(checker *c, const step *t);
void check_size(checker *c, const step *t);

/* -- reader.c -- */

// What a file of that size may take and do; "arena" is to be given so many zeroes.
checker checker_for(size_t size);
// requires: text[size] is 0. The text is changed, and certificates point into it.
void read_file(checker *c, char *text, size_t size);

#endif
