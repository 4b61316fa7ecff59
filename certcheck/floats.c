/* What is known of operators of floats, and the two steps that say it. A float is worth its rank: its bits if its sign is
 * +, -1 - (its bits without the sign) if it is -, one more than infinity's if it is a NaN. So ranks are ordered as floats
 * are, -0 (-1) just below +0 (0). An operator is a function of ranks (and integers), of which these rows are all that is
 * believed. They are the rows of semantics/value/monotone.def, which says what the words mean and how they are tried.
 */

#include "certcheck/certcheck.h"

#include <string.h>

/* -- types -- */

typedef struct {
  char name[5];
  bool is_float, is_signed;
  int bits, fraction, bias; // of floats: the bits of the fraction, and what is added to exponents
} type;

static const type types[] = {{"int", .is_signed = true, .bits = 64},
                             {"bool", .bits = 1},
                             {"u8", .bits = 8},
                             {"u16", .bits = 16},
                             {"u32", .bits = 32},
                             {"u64", .bits = 64},
                             {"i8", .is_signed = true, .bits = 8},
                             {"i16", .is_signed = true, .bits = 16},
                             {"i32", .is_signed = true, .bits = 32},
                             {"i64", .is_signed = true, .bits = 64},
                             {"f32", .is_float = true, .fraction = 23, .bias = 127},
                             {"f64", .is_float = true, .fraction = 52, .bias = 1023}};
enum { TYPES = sizeof types / sizeof types[0] };

// The rank of 2^exponent; of 2^(bias + 1), which is none, that of infinity.
static wide power(const type *t, int exponent) { return (wide)(exponent + t->bias) << t->fraction; }
static int top(const type *t) { return t->bias + 1; }
static wide infinity(const type *t) { return power(t, top(t)); }

int type_named(const char *name) {
  for (int i = 0; i < TYPES; i++)
    if (strcmp(name, types[i].name) == 0) return i;
  return -1;
}

void range_of_type(int which, wide *low, wide *high) {
  const type *t = &types[which];
  *high = t->is_float ? infinity(t) + 1 : ((wide)1 << (t->bits - t->is_signed)) - 1;
  *low = t->is_float ? -*high : t->is_signed ? -*high - 1 : 0;
}

/* -- operators -- */

typedef enum { NOT_KNOWN, GROWS, FALLS, SIGN } growth; // with an argument; SIGN: as the other one's sign says
typedef enum { NEVER, RESULT, ARGUMENT } nan_spoils;
typedef enum { SUM, PRODUCT, QUOTIENT_OF, SAME, WHOLE, EITHER, OF_WHOLE, OF_FLOAT, TO_WHOLE } size_rule;

static const struct {
  const char *name;
  int arity;
  growth growth[2];
  nan_spoils nan;
  size_rule size;
} rows[] = {
    {"", 0, {NOT_KNOWN, NOT_KNOWN}, NEVER, SAME},
    {"add", 2, {GROWS, GROWS}, RESULT, SUM},
    {"sub", 2, {GROWS, FALLS}, RESULT, SUM},
    {"mul", 2, {SIGN, SIGN}, RESULT, PRODUCT},
    {"div", 2, {SIGN, NOT_KNOWN}, RESULT, QUOTIENT_OF},
    {"neg", 1, {FALLS, NOT_KNOWN}, RESULT, SAME},
    {"floor", 1, {GROWS, NOT_KNOWN}, RESULT, WHOLE},
    {"ceil", 1, {GROWS, NOT_KNOWN}, RESULT, WHOLE},
    {"round", 1, {GROWS, NOT_KNOWN}, RESULT, WHOLE},
    {"trunc", 1, {GROWS, NOT_KNOWN}, RESULT, WHOLE},
    {"min", 2, {GROWS, NOT_KNOWN}, ARGUMENT, EITHER},
    {"max", 2, {GROWS, NOT_KNOWN}, ARGUMENT, EITHER},
    {"of", 1, {GROWS, NOT_KNOWN}, NEVER, OF_WHOLE},    // of an integer a float,
    {"of", 1, {GROWS, NOT_KNOWN}, RESULT, OF_FLOAT},   // of a float one of the other width,
    {"of", 1, {GROWS, NOT_KNOWN}, ARGUMENT, TO_WHOLE}, // of a float an integer
};
enum { ROWS = sizeof rows / sizeof rows[0], CONVERSIONS = ROWS - 3 };

int arity(operator_of_floats op) { return rows[op.row].arity; }

bool same_operator(operator_of_floats a, operator_of_floats b) {
  return a.row == b.row && a.result == b.result && a.from == b.from;
}

static int conversion_between(int result, int from) {
  if (from < 0 || strcmp(types[result].name, "bool") == 0 || strcmp(types[from].name, "bool") == 0) return 0;
  if (!types[from].is_float)
    return types[result].is_float && from == 0 ? CONVERSIONS : 0; // "int", whatever the integer
  return types[result].is_float ? CONVERSIONS + 1 : CONVERSIONS + 2;
}

// "f32.add", "f32.of_int", "i16.of_f32"
operator_of_floats operator_named(checker *c, const char *name) {
  char first[6] = "";
  const char *rest = strchr(name, '.');
  if (rest && rest - name < 5) memcpy(first, name, (size_t)(rest - name));
  operator_of_floats op = {.result = type_named(first)};
  op.from = op.result;
  if (op.result >= 0 && strncmp(rest, ".of_", 4) == 0) {
    op.from = type_named(rest + 4);
    op.row = conversion_between(op.result, op.from);
  } else if (op.result >= 0 && types[op.result].is_float) {
    for (int i = 1; i < CONVERSIONS; i++)
      if (strcmp(rest + 1, rows[i].name) == 0) op.row = i;
  }
  if (!op.row) reject(c, "not an operator of floats");
  return op.row ? op : (operator_of_floats){0};
}

/* -- orders -- */

// Is hypothesis h f * p + g * q + constant >= 0?
static bool says(checker *c, int h, wide f, const poly *p, wide g, const poly *q, wide constant) {
  if (h < 0) return false;
  const poly *known = inequality_at(c, h);
  return !c->why && same(c, known, combine(c, f, p, g, q, constant));
}

void check_order(checker *c, const step *t) {
  const line *u = unknown_at(c, t->n[1]), *v = unknown_at(c, t->n[2]);
  if (c->why) return;
  if (u->unknown != APPLIED || v->unknown != APPLIED || !same_operator(u->op, v->op))
    return reject(c, "unknowns of different kinds");
  bool second = t->n[0] == 1;
  if (t->n[0] > 1 || (second && !u->m)) return reject(c, "an argument is not there");
  const poly *p = second ? u->m : u->a, *q = second ? v->m : v->a;
  const poly *other = second ? u->a : u->m, *others = second ? v->a : v->m;
  if (other && !same(c, other, others)) return reject(c, "arguments are not shown equal");
  growth g = rows[u->op.row].growth[second];
  if (g == SIGN && says(c, t->n[4], 1, other, 0, other, 0)) g = GROWS;
  if (g == SIGN && says(c, t->n[4], -1, other, 0, other, -1)) g = FALLS;
  if (g != GROWS && g != FALLS) return reject(c, "not known to grow or to fall");
  if (!says(c, t->n[3], g == GROWS ? 1 : -1, q, g == GROWS ? -1 : 1, p, 0))
    return reject(c, "arguments are not shown to be in order");
  const poly *x = unknown(c, t->n[1]), *y = unknown(c, t->n[2]);
  nan_spoils nan = rows[u->op.row].nan;
  const poly *number = nan == RESULT ? x : q;
  wide most = nan == NEVER ? 0 : infinity(&types[nan == RESULT ? u->op.result : u->op.from]);
  if (nan != NEVER && !says(c, t->n[5], -1, number, 0, number, most)) return reject(c, "it may be no number");
  learn_inequality(c, combine(c, 1, y, -1, x, 0));
}

/* -- sizes -- */

static int greater(int a, int b) { return a > b ? a : b; }

// 2^e, or its rank: most - p >= 0; p + most >= 0, of a rank p + most + 1 >= 0.
static bool is_within(checker *c, const type *t, const poly *p, int e, int upper, int lower) {
  if (t->is_float ? e < 1 - t->bias || e > top(t) : e < 0 || e > 100) return false;
  wide most = t->is_float ? power(t, e) : (wide)1 << e;
  return says(c, upper, -1, p, 0, p, most) && says(c, lower, 1, p, 0, p, most + t->is_float);
}

// p is at least 2^e and no NaN, or at most -2^e.
static bool is_beyond(checker *c, const type *t, const poly *p, int e, int h, int number) {
  if (e < 1 - t->bias || e > top(t)) return false;
  if (says(c, h, -1, p, 0, p, -1 - power(t, e))) return true;
  return says(c, h, 1, p, 0, p, -power(t, e)) && says(c, number, -1, p, 0, p, infinity(t));
}

// What the size of the result does not exceed, 2^that. Below 2^(1 - bias) nothing is told apart.
static bool size_of(operator_of_floats op, int e, int f, int *size) {
  const type *from = &types[op.from], *result = &types[op.result];
  bool may_be_infinite = from->is_float && e == top(from), may_both = may_be_infinite && f == top(from);
  size_rule rule = rows[op.row].size;
  if (rule == SUM && may_both) return false;
  if (rule == PRODUCT && (may_be_infinite || f == top(from))) return false;
  if (rule == QUOTIENT_OF && may_be_infinite) return false;
  *size = rule == SUM           ? greater(e, f) + 1
          : rule == PRODUCT     ? e + f
          : rule == QUOTIENT_OF ? e - f
          : rule == EITHER      ? greater(e, f)
          : rule == WHOLE       ? greater(e, 0)
          : rule == TO_WHOLE    ? greater(e, 0)
                                : e;
  if (rule == TO_WHOLE) return *size < 64;
  if (rule == OF_WHOLE && *size > 64) *size = 64;
  if (rule == OF_FLOAT && may_be_infinite) *size = top(result);
  if (*size > top(result)) *size = top(result);
  *size = greater(*size, 1 - result->bias);
  return true;
}

void check_size(checker *c, const step *t) {
  const line *u = unknown_at(c, t->n[1]);
  if (c->why) return;
  if (u->unknown != APPLIED || t->n[0] > 1) return reject(c, "not a size");
  operator_of_floats op = u->op;
  const type *from = &types[op.from], *result = &types[op.result];
  size_rule rule = rows[op.row].size;
  int e = t->n[2], f = t->n[3], size = 0;
  bool shown = (rule == OF_WHOLE && e == 64 && t->n[4] < 0) || is_within(c, from, u->a, e, t->n[4], t->n[5]);
  if (shown && u->m && rule == QUOTIENT_OF)
    shown = is_beyond(c, from, u->m, f, t->n[6], t->n[7]);
  else if (shown && u->m)
    shown = is_within(c, from, u->m, f, t->n[6], t->n[7]);
  if (!shown || !size_of(op, e, f, &size)) return reject(c, "not a size");
  const poly *x = unknown(c, t->n[1]);
  wide most = result->is_float ? power(result, size) : (wide)1 << size;
  learn_inequality(c, combine(c, t->n[0] ? 1 : -1, x, 0, x, most + (t->n[0] && result->is_float)));
}
