#include "proofs_tests/unit/certcheck/certificate_statement.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TAKEN = 400 };

typedef struct {
  bool *wanted; // by line: facts and goal are made of it
  int facts[MAX_TAKEN], count, goal;
} claim;

static void want(const slice *s, int line, bool *wanted) {
  if (line < 1 || line > s->lines || wanted[line]) return;
  wanted[line] = true;
  const slice_row *row = &s->rows[line - 1];
  for (int i = 2; i < row->count && strcmp(row->words[i], "=") != 0; i++) {
    if (slice_is_reference(row, i)) want(s, atoi(row->words[i]), wanted);
    const char *star = slice_has_polynomials(row) ? strchr(row->words[i], '*') : NULL;
    for (; star; star = strchr(star + 1, '*')) want(s, atoi(star + 1), wanted);
  }
}

static bool is_taken(const slice *s, const char *fact) {
  for (int i = s->lines; i < s->last; i++)
    if (slice_is(&s->rows[i], "u") && s->rows[i].count > 1 && atoi(s->rows[i].words[1]) == atoi(fact)) return true;
  return false;
}

static claim read_claim(hy_arena *arena, const slice *s) {
  claim c = {.wanted = HY_NEW_ARRAY(arena, bool, s->lines + 1), .goal = atoi(s->rows[s->goal].words[1])};
  memset(c.wanted, 0, (size_t)s->lines + 1);
  want(s, c.goal, c.wanted);
  for (int i = s->lines; i < s->last; i++)
    for (int k = 1; slice_is(&s->rows[i], "facts") && k < s->rows[i].count; k++) {
      if (!is_taken(s, s->rows[i].words[k]) || c.count == MAX_TAKEN) continue;
      c.facts[c.count] = atoi(s->rows[i].words[k]);
      want(s, c.facts[c.count++], c.wanted);
    }
  return c;
}

const bool *statement_lines(hy_arena *arena, const slice *s) { return read_claim(arena, s).wanted; }

bool statement_has_floats(hy_arena *arena, const slice *s) {
  claim c = read_claim(arena, s);
  bool found = false;
  for (int line = 1; line <= s->lines; line++) {
    const slice_row *row = &s->rows[line - 1];
    bool is_float = row->count > 2 && row->words[1][0] == 'u' && row->words[2][0] == 'f'; // unknown f32
    found |= c.wanted[line] && (is_float || strncmp(row->words[1], "appl", 4) == 0);
  }
  return found;
}

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

const char *statement_spell(hy_arena *arena, const slice *s) {
  claim c = read_claim(arena, s);
  hy_text out = {0};
  for (int line = 1; line <= s->lines; line++)
    for (int k = 0; c.wanted[line] && k < s->rows[line - 1].count; k++) {
      if (strcmp(s->rows[line - 1].words[k], "=") == 0) break;
      hy_text_printf(&out, "%s%s", k ? " " : "\n", s->rows[line - 1].words[k]);
    }
  qsort(c.facts, (size_t)c.count, sizeof(int), compare_ints);
  for (int i = 0; i < c.count; i++)
    if (i == 0 || c.facts[i] != c.facts[i - 1]) hy_text_printf(&out, "\nfact %d", c.facts[i]);
  hy_text_printf(&out, "\ngoal %d", c.goal);
  const char *text = hy_arena_copy(arena, hy_text_string(&out), out.length);
  hy_text_free(&out);
  return text;
}

/* -- asking Z3: "t7" is the value of line 7, "u7" of the unknown that it brings -- */

static void define_as(hy_text *out, char letter, const char *number, const char *format, ...) HY_PRINTF(4, 5);
static void define_as(hy_text *out, char letter, const char *number, const char *format, ...) {
  char value[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  hy_text_printf(out, "(define-fun %c%s () Int %s)\n", letter, number, value);
}

static void declare(hy_text *out, const char *number, const char *sort, const char *type) {
  hy_text_printf(out, "(declare-const t%s %s)\n", number, sort);
  if (strcmp(sort, "Int") == 0) define_as(out, 'u', number, "t%s", number);
  if (strcmp(type, "bool") == 0) hy_text_printf(out, "(assert (<= 0 t%s 1))\n", number);
  if (strcmp(type, "int") != 0 && strcmp(type, "bool") != 0)
    hy_text_printf(out, "(assert (= t%s (wrap_%s t%s)))\n", number, type, number);
}

// For masks that are no 2^k - 1 only the range is known.
static void define_mask(hy_text *out, const char *number, const char *a, const char *text) {
  unsigned long long bits = strtoull(text, NULL, 10);
  if (bits & (bits + 1)) {
    declare(out, number, "Int", "int");
    hy_text_printf(out, "(assert (<= 0 t%s %llu))\n", number, bits);
    return;
  }
  bool is_all = bits + 1 == 0;
  const char *modulus = is_all ? "18446744073709551616" : NULL;
  char text_of[32];
  snprintf(text_of, sizeof text_of, "%llu", bits + 1);
  define_as(out, 't', number, "(mod t%s %s)", a, is_all ? modulus : text_of);
  define_as(out, 'u', number, "(div t%s %s)", a, is_all ? modulus : text_of);
}

static void add_number(hy_text *out, const char *text) {
  int length = (int)strspn(text + (*text == '-'), "0123456789");
  hy_text_printf(out, *text == '-' ? "(- %.*s)" : "%.*s", length, text + (*text == '-'));
}

// The polynomial that begins in that word; the word behind it.
static int add_polynomial(hy_text *out, const slice_row *row, int word) {
  hy_text_add(out, "(+ 0 ");
  for (;; word++) {
    const char *text = row->words[word] + (row->words[word][0] == '(');
    hy_text_add(out, " (* 1 ");
    add_number(out, text);
    for (const char *star = strchr(text, '*'); star; star = strchr(star + 1, '*'))
      hy_text_printf(out, " u%d", atoi(star + 1));
    hy_text_add(out, ")");
    if (strchr(text, ')')) break;
  }
  hy_text_add(out, ")");
  return word + 1;
}

// A line that only proofs mention: what it brings is its value.
static void define_auxiliary(hy_text *out, const slice_row *row) {
  const char *n = row->words[0], *op = row->words[1];
  hy_text p = {0}, m = {0};
  int next = add_polynomial(&p, row, op[0] == 'c' ? 3 : 2);
  if (op[0] == 'r') add_polynomial(&m, row, next);
  const char *a = hy_text_string(&p), *b = hy_text_string(&m);
  hy_text_printf(out, "(define-fun t%s () Int ", n);
  if (op[0] == 'q') hy_text_printf(out, "(div %s %s)", a, row->words[next]);
  if (op[0] == 'n') hy_text_printf(out, "(ite (< %s 0) %s 0)", a, a);
  if (op[0] == 'c') hy_text_printf(out, "(ite t%s %s 0)", row->words[2], a);
  if (strcmp(op, "ratio") == 0) hy_text_printf(out, "(ite (= %s 0) (q0 %s) (div %s %s))", b, a, a, b);
  if (strcmp(op, "rest") == 0) hy_text_printf(out, "(ite (= %s 0) (r0 %s) (mod %s %s))", b, a, a, b);
  hy_text_printf(out, ")\n(define-fun u%s () Int t%s)\n", n, n);
  hy_text_free(&p);
  hy_text_free(&m);
}

static const char *formula_word(const char *op) {
  static const char *const words[][2] = {{"==", "="}, {"iff", "="}, {"!=", "distinct"}, {"cond", "ite"}};
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(op, words[i][0]) == 0) return words[i][1];
  return op;
}

static void define_division(hy_text *out, const slice *s, const slice_row *row, bool is_rest) {
  const char *n = row->words[0], *a = row->words[2], *b = row->words[3];
  define_as(out, 't', n, "(ite (= t%s 0) (%s t%s) (%s t%s t%s))", b, is_rest ? "r0" : "q0", a, is_rest ? "mod" : "div",
            a, b);
  bool is_constant = strcmp(s->rows[atoi(b) - 1].words[1], "int") == 0 && strcmp(s->rows[atoi(b) - 1].words[2], "0");
  if (is_constant)
    define_as(out, 'u', n, "(div t%s (abs t%s))", a, b);
  else
    define_as(out, 'u', n, "t%s", n);
}

static void define(hy_text *out, const slice *s, const slice_row *row) {
  const char *n = row->words[0], *op = row->words[1], *a = row->count > 2 ? row->words[2] : "";
  const char *b = row->count > 3 ? row->words[3] : "", *c = row->count > 4 ? row->words[4] : "";
#define IS(text) (strcmp(op, text) == 0)
#define TERM(...) define_as(out, 't', n, __VA_ARGS__)
#define UNKNOWN(...) define_as(out, 'u', n, __VA_ARGS__)
  if (slice_has_polynomials(row))
    define_auxiliary(out, row);
  else if (IS("int"))
    TERM("%s%s%s", a[0] == '-' ? "(- " : "", a + (a[0] == '-'), a[0] == '-' ? ")" : "");
  else if (IS("unknown"))
    declare(out, n, "Int", a);
  else if (IS("atom"))
    declare(out, n, "Bool", "int");
  else if (IS("neg"))
    TERM("(- t%s)", a);
  else if (IS("+") || IS("-") || IS("*"))
    TERM("(%s t%s t%s)", op, a, b);
  else if (IS("/") || IS("%"))
    define_division(out, s, row, IS("%"));
  else if (IS("min") || IS("max")) {
    TERM("(ite (%s t%s t%s) t%s t%s)", IS("min") ? "<=" : ">=", a, b, a, b);
    UNKNOWN("(ite (< t%s t%s) (- t%s t%s) 0)", a, b, a, b);
  } else if (IS("abs")) {
    TERM("(abs t%s)", a);
    UNKNOWN("(ite (< t%s 0) t%s 0)", a, a);
  } else if (IS("select")) {
    TERM("(ite t%s t%s t%s)", a, b, c);
    UNKNOWN("(ite t%s (- t%s t%s) 0)", a, b, c);
  } else if (IS("of")) {
    TERM("(ite t%s 1 0)", a);
    UNKNOWN("t%s", n);
  } else if (IS("wrap")) {
    TERM("(wrap_%s t%s)", a, b);
    UNKNOWN("(turns_%s t%s)", a, b);
  } else if (IS("mask"))
    define_mask(out, n, a, b);
  else {
    hy_text_printf(out, "(define-fun t%s () Bool %s%s", n, row->count > 2 ? "(" : "", formula_word(op));
    for (int i = 2; i < row->count; i++) hy_text_printf(out, " t%s", row->words[i]);
    hy_text_printf(out, "%s)\n", row->count > 2 ? ")" : "");
  }
#undef IS
#undef TERM
#undef UNKNOWN
}

static void prelude(hy_text *out) {
  static const char *const powers[][3] = {{"8", "256", "128"},
                                          {"16", "65536", "32768"},
                                          {"32", "4294967296", "2147483648"},
                                          {"64", "18446744073709551616", "9223372036854775808"}};
  hy_text_add(out, "(set-option :rlimit 6000000)\n(set-option :timeout 300000)\n(declare-fun q0 (Int) "
                   "Int)\n(declare-fun r0 (Int) Int)\n"
                   "(define-fun wrap_int ((x Int)) Int x)\n(define-fun wrap_bool ((x Int)) Int (mod x 2))\n"
                   "(define-fun turns_int ((x Int)) Int 0)\n(define-fun turns_bool ((x Int)) Int (div x 2))\n");
  for (size_t i = 0; i < HY_COUNT(powers); i++) {
    const char *bits = powers[i][0], *whole = powers[i][1], *half = powers[i][2];
    hy_text_printf(out, "(define-fun wrap_u%s ((x Int)) Int (mod x %s))\n", bits, whole);
    hy_text_printf(out, "(define-fun turns_u%s ((x Int)) Int (div x %s))\n", bits, whole);
    hy_text_printf(out, "(define-fun turns_i%s ((x Int)) Int (div (+ x %s) %s))\n", bits, half, whole);
    hy_text_printf(out, "(define-fun wrap_i%s ((x Int)) Int (- (mod (+ x %s) %s) %s))\n", bits, half, whole, half);
  }
}

void statements_add(hy_arena *arena, statements *all, const slice *s) {
  hy_text *out = &all->script;
  claim c = read_claim(arena, s);
  if (!all->count++) prelude(out);
  hy_text_add(out, "(push)\n");
  for (int line = 1; line <= s->lines; line++)
    if (c.wanted[line]) define(out, s, &s->rows[line - 1]);
  for (int i = 0; i < c.count; i++) hy_text_printf(out, "(assert t%d)\n", c.facts[i]);
  hy_text_printf(out, "(assert (not t%d))\n(check-sat)\n(pop)\n", c.goal);
}

bool statements_ask(const statements *all, hy_answer *answers) {
  char path[] = "/tmp/halyard-statements-XXXXXX", command[128], line[256];
  int descriptor = mkstemp(path), count = 0;
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file) return false;
  fputs(hy_text_string(&all->script), file);
  fclose(file);
  snprintf(command, sizeof command, "z3 %s 2>/dev/null", path);
  FILE *pipe = popen(command, "r");
  while (pipe && fgets(line, sizeof line, pipe)) {
    bool is_error = strncmp(line, "(error", 6) == 0;
    if (is_error) fprintf(stderr, "z3: %s", line);
    if (count < all->count && !is_error)
      answers[count++] = strncmp(line, "unsat", 5) == 0 ? HY_YES : strncmp(line, "sat", 3) == 0 ? HY_NO : HY_UNKNOWN;
  }
  bool fine = pipe && pclose(pipe) != 127 << 8 && count == all->count;
  remove(path);
  return fine;
}

void statements_free(statements *all) { hy_text_free(&all->script); }
