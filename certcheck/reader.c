/* What the words of a file of certificates say: lines, certificates and their steps. Numbers and polynomials are
 * written in one way. Every program's obligations are counted, so that none is missing and none is there twice.
 */

#include "certcheck/certcheck.h"

#include <stdlib.h>
#include <string.h>

/* -- words -- */

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
  for (; *p >= '0' && *p <= '9'; p++) n = plus(c, times(c, n, 10), *start == '-' ? -(*p - '0') : *p - '0');
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

static int exponent(checker *c, cursor *s) { // beyond 5000 none is one of a float
  wide n = number(c, s);
  return c->why ? 0 : n < -5000 || n > 5000 ? 5000 : (int)n;
}

/* -- lines -- */

// By name and arguments: t a term's line, f a formula's, p a polynomial, k a number, T a type, O an operator of
// floats (t2 and p2: of two arguments alone), * what remains is a name. The order is that of docs/certificates.md.
// clang-format off
static const struct {
  const char *name, *form;
} kinds[KINDS] = {
    [NO_KIND] = {"", ""},
    [INT] = {"int", "k"}, [UNKNOWN] = {"unknown", "T*"},
    [PLUS] = {"+", "tt"}, [MINUS] = {"-", "tt"}, [TIMES] = {"*", "tt"}, [NEGATE] = {"neg", "t"},
    [DIV] = {"/", "tt"}, [MOD] = {"%", "tt"}, [MIN] = {"min", "tt"}, [MAX] = {"max", "tt"}, [ABS] = {"abs", "t"},
    [SELECT] = {"select", "ftt"}, [OF] = {"of", "f"}, [WRAP] = {"wrap", "Tt"}, [MASK] = {"mask", "tk"},
    [APPLY] = {"apply", "Ott2"},
    [QUOTIENT] = {"quotient", "pk"}, [NEGATIVE] = {"negative", "p"}, [CHOICE] = {"choice", "fp"},
    [RATIO] = {"ratio", "pp"}, [REST] = {"rest", "pp"},
    [APPLIED] = {"applied", "Opp2"},
    [TRUE] = {"true", ""}, [FALSE] = {"false", ""}, [EQ] = {"==", "tt"}, [NE] = {"!=", "tt"},
    [LT] = {"<", "tt"}, [LE] = {"<=", "tt"}, [GT] = {">", "tt"}, [GE] = {">=", "tt"},
    [AND] = {"and", "ff"}, [OR] = {"or", "ff"}, [NOT] = {"not", "f"}, [IFF] = {"iff", "ff"}, [COND] = {"cond", "fff"},
    [ATOM] = {"atom", "*"}};
// clang-format on

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
      if (is_unknown) t.m = monomial_product(c, t.m, (monomial)n << 96);
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

// What is known of a value of the type: of an "int" nothing.
static void type_arg(checker *c, cursor *s, arguments *x) {
  int type = type_named(word(c, s));
  if (type < 0) return reject(c, "not a type");
  x->has_range = type > 0;
  range_of_type(type, &x->low, &x->high);
}

static arguments read_arguments(checker *c, cursor *s, const char *form) {
  arguments x = {.p = {c->lines->value, c->lines->value}};
  for (; *form && !c->why; form++) {
    if (form[1] == '2' && arity(x.op) < 2) break;
    if (*form == 'p') x.p[x.poly_count++] = poly_arg(c, s);
    if (*form == 'k') x.k = number(c, s);
    if (*form == 'T') type_arg(c, s, &x);
    if (*form == 'O') x.op = operator_named(c, word(c, s));
    if (*form == '*') s->at = s->end;
    if (*form != 'f' && *form != 't') continue;
    int n = small(c, s);
    const line *l = line_at(c, n, *form == 'f');
    x.lines[x.line_count++] = n;
    if (*form == 't') x.p[x.poly_count++] = l->value;
  }
  return x;
}

// "= N" at the end of a line, or nothing.
static void read_same(checker *c, cursor *s, arguments *x) {
  if (at_end(s)) return;
  x->is_same = true;
  if (strcmp(word(c, s), "=") != 0) return reject(c, "something follows where the line should end");
  x->same = small(c, s);
  if (!at_end(s)) reject(c, "something follows where the line should end");
}

// requires: what define_line requires
static void read_line(checker *c, cursor *s) {
  const char *name = word(c, s);
  int kind = INT;
  while (kind < KINDS && strcmp(name, kinds[kind].name) != 0) kind++;
  if (kind == KINDS) return reject(c, "not a kind of line");
  arguments x = read_arguments(c, s, kinds[kind].form);
  if (!c->why) read_same(c, s, &x);
  if (!c->why) define_line(c, (line_kind)kind, &x);
}

/* -- steps -- */

static void read_sum(checker *c, cursor *s, step *t) {
  int room = 1;
  for (char *p = s->at; *p; p++) room += *p == ' ';
  t->summands = take(c, (size_t)room, sizeof(summand));
  while (!c->why && !at_end(s)) {
    summand *next = &t->summands[t->n[0]++];
    bool is_poly = *rest_of(s) == '(';
    next->multiplier = is_poly ? poly_arg(c, s) : poly_of(c, number(c, s));
    if (is_poly && next->multiplier->count == 0) reject(c, "a polynomial is a number");
    next->h = small(c, s);
  }
}

// A number, or -1: "=" or nothing.
static int hypothesis_or_none(checker *c, cursor *s) {
  if (at_end(s)) return -1;
  if (*s->at != '=') {
    wide n = number(c, s);
    if (n < 0) reject(c, "a number is out of range");
    return c->why ? 0 : n > 1 << 30 ? 1 << 30 : (int)n; // none is there
  }
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
    if (form[i] == 'z') t->n[i] = exponent(c, s);
    if (form[i] == 'w' && at_end(s)) reject(c, "a word is missing");
    if (form[i] == 'h' || form[i] == 'w') t->n[i] = hypothesis_or_none(c, s);
    if (form[i] == 'p') t->p = poly_arg(c, s);
    if (form[i] == 's') read_sum(c, s, t);
  }
  if (!at_end(s)) reject(c, "something follows where the step should end");
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
  if (c->program_count == 0) return reject(c, "no program was named");
  program *p = &c->programs[c->program_count - 1];
  size_t length = strlen(p->name);
  char *at = (char *)id + length + 1;
  if (strncmp(id, p->name, length) != 0 || id[length] != '/') return reject(c, "the id is of another program");
  int number = counted(c, &at);
  bool has_part = *at == '.';
  if (has_part) at++;
  int part = has_part ? counted(c, &at) : 0;
  if (*at) reject(c, "not an id");
  if (number > p->obligations) reject(c, "the program has no such obligation");
  bool next_part = number == p->last && p->part > 0 && part == p->part + 1;
  bool next = number == p->last + 1 && part <= 1;
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

checker checker_for(size_t size) { return (checker){.size = 32 * size + (1 << 20), .work = 16 * size + (1 << 20)}; }

// How many of each a file has at most: by what its rows begin with, and for the numbers of facts their blanks.
typedef struct {
  size_t lines, heads, steps, facts;
} counts;

static counts count_rows(const char *text, size_t size) {
  counts n = {0};
  for (const char *at = text, *end = text + size; at < end; at++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    while (*at == ' ') at++;
    bool is_line = *at >= '0' && *at <= '9';
    n.lines += is_line;
    n.steps += !is_line;
    n.heads += *at == 'c' || *at == 'o'; // "certificate" and "open"
    for (const char *p = at; *at == 'f' && p < stop; p++) n.facts += *p == ' ';
    at = stop;
  }
  return n;
}

// Everything whose number the file's rows limit; polynomials take what they need.
static void make_room(checker *c, counts n) {
  for (int i = 0; i <= 2 * SMALL; i++) c->constants[i].constant = i - SMALL;
  c->lines = take(c, n.lines + 2, sizeof(line)); // line 0, and one that is refused
  c->lines[0].value = poly_of(c, 0);             // for those who go on after a failure
  c->is_fact = take(c, n.lines + 2, sizeof(int));
  c->certificates = take(c, n.heads + 1, sizeof(certificate));
  c->numbers = take(c, n.facts + 1, sizeof(int));
  c->programs = take(c, PROGRAMS, sizeof(program));
  c->steps = take(c, n.steps + 1, sizeof(step));
  c->frames = take(c, n.steps + 1, sizeof(frame));
  c->stack = take(c, 2 * n.steps + 2, sizeof(hypothesis)); // a step or a new case adds two at most
}

void read_file(checker *c, char *text, size_t size) {
  certificate *open = NULL;
  bool ended = false;
  make_room(c, count_rows(text, size));
  if (size == 0) {
    c->place = 1;
    reject(c, "not a file of certificates");
  }
  for (char *at = text, *end = text + size; at < end && !c->why;) {
    c->place++;
    char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop || memchr(at, '\0', (size_t)(stop - at))) {
      reject(c, "a line has no end");
      break;
    }
    *stop = '\0';
    cursor s = {at, stop};
    if (c->place > 1)
      read_row(c, &s, &open, &ended);
    else if (strcmp(at, "halyard-certificates 2") != 0)
      reject(c, "not a file of certificates");
    at = stop + 1;
  }
  if (!ended) reject(c, "the end is missing");
}
