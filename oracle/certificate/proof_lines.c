#include "oracle/certificate/proof.h"

#include <stdio.h>
#include <stdlib.h>

/* -- printing -- */

static void print_wide(hy_wide value, hy_text *out) {
  char digits[48];
  int at = sizeof digits;
  unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
  digits[--at] = '\0';
  do digits[--at] = (char)('0' + (int)(size % 10));
  while (size /= 10);
  if (value < 0) digits[--at] = '-';
  hy_text_add(out, digits + at);
}

// A monomial as the file has it: lines of its unknowns, the greatest first.
typedef struct written_term {
  hy_wide coefficient;
  int degree, lines[HY_MAX_DEGREE];
} written_term;

static written_term write_term(hy_certificates *c, const hy_term *term) {
  written_term w = {term->coefficient, hy_monomial_degree(term->monomial), {0}};
  for (int k = 0; k < w.degree; k++) {
    int line = hy_proof_unknown(c, hy_terms_atom(&c->prover->terms, hy_monomial_atom(term->monomial, k))), at = k;
    for (; at > 0 && w.lines[at - 1] < line; at--) w.lines[at] = w.lines[at - 1];
    w.lines[at] = line;
  }
  return w;
}

static int compare_terms(const void *left, const void *right) {
  const written_term *a = left, *b = right;
  for (int k = 0; k < HY_MAX_DEGREE; k++)
    if (a->lines[k] != b->lines[k]) return a->lines[k] < b->lines[k] ? 1 : -1;
  return 0;
}

void hy_proof_print_poly(hy_certificates *c, const hy_poly *poly, hy_text *out) {
  written_term *terms = hy_allocate_zeroed(poly->count + 1, sizeof *terms);
  for (uint32_t i = 0; i < poly->count; i++) terms[i] = write_term(c, &poly->terms[i]);
  qsort(terms, poly->count, sizeof *terms, compare_terms);
  hy_text_add(out, "(");
  print_wide(poly->constant, out);
  for (uint32_t i = 0; i < poly->count; i++) {
    hy_text_add(out, " ");
    print_wide(terms[i].coefficient, out);
    for (int k = 0; k < terms[i].degree; k++) hy_text_printf(out, "*%d", terms[i].lines[k]);
  }
  hy_text_add(out, ")");
  hy_free(terms);
}

// Adds a line of the file; "unknown" is the atom that it brings, 0 = none.
static int add_line(hy_certificates *c, const char *text, uint32_t unknown) {
  int line = ++c->line_count;
  hy_text_printf(&c->text, "%d %s", line, text);
  if (unknown) {
    while (c->unknowns.count <= unknown) hy_vec_push(&c->unknowns, 0);
    if (c->unknowns.data[unknown])
      hy_text_printf(&c->text, " = %d", c->unknowns.data[unknown]);
    else
      c->unknowns.data[unknown] = line;
  }
  hy_text_add(&c->text, "\n");
  return line;
}

static int add_line_of(hy_certificates *c, uint32_t unknown, const char *op, const hy_written *a, const hy_written *b) {
  char text[64];
  if (b)
    snprintf(text, sizeof text, "%s %d %d", op, a->line, b->line);
  else
    snprintf(text, sizeof text, "%s %d", op, a->line);
  return add_line(c, text, unknown);
}

static int add_named_line(hy_certificates *c, const char *kind, const hy_expr *expr, uint32_t unknown) {
  hy_text text = {0}, name = {0};
  hy_expr_print(expr, &name);
  if (name.length > 120) name.length = 120;
  hy_text_printf(&text, "%s %.*s", kind, (int)name.length, hy_text_string(&name));
  for (size_t i = 0; i < text.length; i++)
    if (text.data[i] == '\n') text.data[i] = ' ';
  int line = add_line(c, hy_text_string(&text), unknown);
  hy_text_free(&text);
  hy_text_free(&name);
  return line;
}

/* -- terms -- */

static const hy_written *written(hy_certificates *c, const hy_expr *expr, int line, const hy_poly *poly) {
  if (!poly || c->failed) {
    c->failed = true;
    return NULL;
  }
  hy_written *w = HY_NEW(c->arena, hy_written);
  *w = (hy_written){line, poly};
  if (expr) hy_pair_map_put(&c->terms, expr, NULL, w);
  return w;
}

// May a line be written that is worth this? What has no value, as a number is too large, has none: the checker would
// stop there, and no certificate of the file would count.
static bool has_value(hy_certificates *c, const hy_poly *poly) {
  if (!poly) c->failed = true;
  return !c->failed;
}

static const hy_written *line_of(hy_certificates *c, const hy_expr *expr, uint32_t unknown, const char *op,
                                 const hy_written *a, const hy_written *b, const hy_poly *poly) {
  return has_value(c, poly) ? written(c, expr, add_line_of(c, unknown, op, a, b), poly) : NULL;
}

static uint32_t number_of(const hy_poly *atom) { return hy_monomial_atom(atom->terms[0].monomial, 0); }

// The unknown that a line is about to bring.
static const hy_poly *raw(hy_certificates *c, hy_atom like, const hy_poly *a, const hy_poly *m) {
  if (m) like.m = m;
  const hy_poly *atom = hy_terms_raw(&c->prover->terms, &like, a, m);
  if (!atom) c->failed = true;
  return atom;
}

static const hy_written *constant_line(hy_certificates *c, const hy_expr *expr, hy_wide value) {
  hy_text text = {0};
  hy_text_add(&text, "int ");
  print_wide(value, &text);
  int line = add_line(c, hy_text_string(&text), 0);
  hy_text_free(&text);
  return written(c, expr, line, hy_poly_constant(c->prover->terms.arena, value));
}

static const char *type_word(hy_type type) { return hy_type_name(type); }

static const hy_written *unknown_line(hy_certificates *c, const hy_expr *expr, const hy_poly *atom) {
  char kind[32];
  snprintf(kind, sizeof kind, "unknown %s", type_word(expr->type));
  return written(c, expr, add_named_line(c, kind, expr, number_of(atom)), atom);
}

// a - modulus * floor((a - low) / modulus)
static const hy_written *wrap_line(hy_certificates *c, const hy_expr *expr, const hy_written *a) {
  if (!a || hy_type_class_of(expr->type) == HY_CLASS_INTEGER) {
    if (a) hy_pair_map_put(&c->terms, expr, NULL, a);
    return a;
  }
  hy_arena *arena = c->prover->terms.arena;
  int bits = hy_type_bits(expr->type);
  hy_wide low = hy_type_class_of(expr->type) == HY_CLASS_SIGNED ? -hy_wide_power_of_two(bits - 1) : 0;
  hy_wide modulus = hy_wide_power_of_two(bits);
  hy_atom like = {.kind = HY_ATOM_QUOTIENT, .divisor = modulus};
  const hy_poly *q = raw(c, like, hy_poly_scale(arena, 1, a->poly, -low), NULL);
  if (c->failed) return NULL;
  char op[32];
  snprintf(op, sizeof op, "wrap %s", type_word(expr->type));
  return line_of(c, expr, number_of(q), op, a, NULL, hy_poly_combine(arena, 1, a->poly, -modulus, q, 0));
}

// a / b and a % b; by a constant they are one quotient.
static const hy_written *division_line(hy_certificates *c, bool is_rest, const hy_written *a, const hy_written *b) {
  hy_arena *arena = c->prover->terms.arena;
  const char *op = is_rest ? "%" : "/";
  hy_wide d;
  if (hy_poly_is_constant(b->poly, &d) && d != 0) {
    if (d == hy_wide_least()) return written(c, NULL, 0, NULL);
    hy_wide size = d < 0 ? -d : d;
    const hy_poly *q = raw(c, (hy_atom){.kind = HY_ATOM_QUOTIENT, .divisor = size}, a->poly, NULL);
    if (c->failed) return NULL;
    return line_of(c, NULL, number_of(q), op, a, b,
                   is_rest ? hy_poly_combine(arena, 1, a->poly, -size, q, 0)
                           : hy_poly_scale(arena, d < 0 ? -1 : 1, q, 0));
  }
  const hy_poly *atom = raw(c, (hy_atom){.kind = is_rest ? HY_ATOM_REST : HY_ATOM_RATIO}, a->poly, b->poly);
  if (c->failed) return NULL;
  return line_of(c, NULL, number_of(atom), op, a, b, atom);
}

// b + min(a - b, 0), a - min(a - b, 0) or a - 2 * min(a, 0)
static const hy_written *least_line(hy_certificates *c, hy_op op, const hy_written *a, const hy_written *b) {
  hy_arena *arena = c->prover->terms.arena;
  const hy_poly *n =
      raw(c, (hy_atom){.kind = HY_ATOM_NEGATIVE}, b ? hy_poly_sub(arena, a->poly, b->poly) : a->poly, NULL);
  if (c->failed) return NULL;
  const char *name = op == HY_OP_MIN ? "min" : op == HY_OP_MAX ? "max" : "abs";
  const hy_poly *value = op == HY_OP_MIN   ? hy_poly_add(arena, b->poly, n)
                         : op == HY_OP_MAX ? hy_poly_sub(arena, a->poly, n)
                                           : hy_poly_combine(arena, 1, a->poly, -2, n, 0);
  return line_of(c, NULL, number_of(n), name, a, b, value);
}

static const hy_written *select_line(hy_certificates *c, const hy_expr *expr) {
  hy_arena *arena = c->prover->terms.arena;
  int condition = hy_proof_formula(c, expr->args[0]);
  const hy_written *a = hy_proof_term(c, expr->args[1]), *b = hy_proof_term(c, expr->args[2]);
  if (!condition || !a || !b) return NULL;
  hy_atom like = {.kind = HY_ATOM_CHOICE, .expr = expr->args[0]};
  const hy_poly *s = raw(c, like, hy_poly_sub(arena, a->poly, b->poly), NULL);
  if (c->failed) return NULL;
  char text[64];
  snprintf(text, sizeof text, "select %d %d %d", condition, a->line, b->line);
  const hy_poly *value = hy_poly_add(arena, b->poly, s);
  return has_value(c, value) ? written(c, NULL, add_line(c, text, number_of(s)), value) : NULL;
}

// The number that a formula is: 0 or 1.
static const hy_written *truth_line(hy_certificates *c, const hy_expr *expr) {
  int formula = hy_proof_formula(c, expr);
  hy_atom like = {.kind = HY_ATOM_CHOICE, .expr = expr};
  const hy_poly *s = raw(c, like, hy_poly_constant(c->prover->terms.arena, 1), NULL);
  if (c->failed || !formula) return NULL;
  char text[32];
  snprintf(text, sizeof text, "of %d", formula);
  return written(c, expr, add_line(c, text, number_of(s)), s);
}

// a * 2^k and a / 2^k
static const hy_written *shift_line(hy_certificates *c, hy_op op, const hy_written *a, hy_wide amount) {
  const hy_written *power = constant_line(c, NULL, hy_wide_power_of_two((int)amount));
  if (!power) return NULL;
  if (op == HY_OP_SHR) return division_line(c, false, a, power);
  const hy_poly *product = hy_poly_scale(c->prover->terms.arena, power->poly->constant, a->poly, 0);
  return line_of(c, NULL, 0, "*", a, power, product);
}

// a & (2^k - 1)
static const hy_written *mask_line(hy_certificates *c, const hy_written *a, hy_wide bits) {
  hy_atom like = {.kind = HY_ATOM_QUOTIENT, .divisor = bits + 1};
  const hy_poly *q = raw(c, like, a->poly, NULL);
  if (c->failed) return NULL;
  char text[80];
  snprintf(text, sizeof text, "mask %d %llu", a->line, (unsigned long long)bits);
  const hy_poly *low = hy_poly_combine(c->prover->terms.arena, 1, a->poly, -(bits + 1), q, 0);
  return has_value(c, low) ? written(c, NULL, add_line(c, text, number_of(q)), low) : NULL;
}

// A monotone operator of floats; its value is an unknown, a rank or an integer.
static const hy_written *float_line(hy_certificates *c, const hy_expr *expr, hy_monotone op) {
  const hy_written *a = hy_proof_term(c, expr->args[0]);
  const hy_written *b = expr->count > 1 ? hy_proof_term(c, expr->args[1]) : NULL;
  if (!a || (expr->count > 1 && !b)) return NULL;
  const hy_poly *atom =
      raw(c, (hy_atom){.kind = HY_ATOM_FLOAT, .divisor = hy_monotone_code(op)}, a->poly, b ? b->poly : NULL);
  if (c->failed) return NULL;
  hy_text name = {0};
  hy_text_add(&name, "apply ");
  hy_monotone_print(op, &name);
  const hy_written *made = line_of(c, expr, number_of(atom), hy_text_string(&name), a, b, atom);
  hy_text_free(&name);
  return made;
}

// A number for the prover, however it is computed: min(2, 3), 16/2.
static bool is_number(const hy_certificates *c, const hy_expr *expr, hy_wide *value) {
  const hy_poly *poly = hy_terms_poly(&c->prover->terms, expr);
  return poly && hy_poly_is_constant(poly, value);
}

// The second argument. By how much is shifted is written as the number that it is for the prover, which takes the operator
// for a product or a quotient then.
static const hy_written *second_line(hy_certificates *c, const hy_expr *expr) {
  hy_wide value;
  if (expr->count < 2) return NULL;
  bool is_amount = hy_op_kind_of(expr->op) == HY_KIND_SHIFT && is_number(c, expr->args[1], &value);
  return is_amount ? constant_line(c, NULL, value) : hy_proof_term(c, expr->args[1]);
}

static const hy_written *op_line(hy_certificates *c, const hy_expr *expr) {
  hy_arena *arena = c->prover->terms.arena;
  hy_wide bits;
  if (expr->op == HY_OP_SELECT) return select_line(c, expr);
  const hy_written *a = hy_proof_term(c, expr->args[0]), *b = second_line(c, expr);
  if (!a || (expr->count > 1 && !b)) return NULL;
  switch (expr->op) {
  case HY_OP_ADD: return line_of(c, NULL, 0, "+", a, b, hy_poly_add(arena, a->poly, b->poly));
  case HY_OP_SUB: return line_of(c, NULL, 0, "-", a, b, hy_poly_sub(arena, a->poly, b->poly));
  case HY_OP_MUL: return line_of(c, NULL, 0, "*", a, b, hy_poly_mul(arena, a->poly, b->poly));
  case HY_OP_NEG: return line_of(c, NULL, 0, "neg", a, NULL, hy_poly_scale(arena, -1, a->poly, 0));
  case HY_OP_CAST: return a;
  case HY_OP_BIT_NOT:
    b = constant_line(c, NULL, -1);
    return b ? line_of(c, NULL, 0, "-", b, a, hy_poly_scale(arena, -1, a->poly, -1)) : NULL;
  case HY_OP_DIV: return division_line(c, false, a, b);
  case HY_OP_MOD: return division_line(c, true, a, b);
  case HY_OP_SHL:
  case HY_OP_SHR: return shift_line(c, expr->op, a, b->poly->constant); // a number, or it were an unknown
  case HY_OP_BIT_AND:
    for (int i = 0; i < 2; i++)
      if (is_number(c, expr->args[i], &bits) && bits >= 0 && (bits & (bits + 1)) == 0)
        return mask_line(c, i ? a : b, bits);
    break;
  case HY_OP_MIN:
  case HY_OP_MAX:
  case HY_OP_ABS: return least_line(c, expr->op, a, b);
  case HY_OP_SELECT: // above
  case HY_OP_EQ:
  case HY_OP_NE:
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE:
  case HY_OP_AND:
  case HY_OP_OR:
  case HY_OP_NOT: // of type bool: not here
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_OR: // unknowns, as terms.c says
#include "semantics/value/opaque_cases.def"
    break;
  }
  c->failed = true;
  return NULL;
}

// Is it one unknown for the prover?
static const hy_poly *opaque(hy_certificates *c, const hy_expr *expr) {
  const hy_poly *poly = hy_terms_poly(&c->prover->terms, expr);
  if (!poly) return NULL;
  bool single = poly->count == 1 && poly->constant == 0 && poly->terms[0].coefficient == 1 &&
                hy_monomial_degree(poly->terms[0].monomial) == 1;
  const hy_atom *atom = single ? hy_terms_atom(&c->prover->terms, number_of(poly)) : NULL;
  return atom && atom->kind == HY_ATOM_UNKNOWN && atom->expr == expr ? poly : NULL;
}

// a & mask for other masks: an unknown with a range.
static const hy_written *opaque_line(hy_certificates *c, const hy_expr *expr, const hy_poly *atom) {
  if (expr->kind != HY_EXPR_OP || expr->op != HY_OP_BIT_AND) return unknown_line(c, expr, atom);
  for (int i = 0; i < 2; i++) {
    const hy_poly *bits = hy_terms_poly(&c->prover->terms, expr->args[i]);
    hy_wide value;
    if (!bits || !hy_poly_is_constant(bits, &value) || value < 0) continue;
    const hy_written *a = hy_proof_term(c, expr->args[1 - i]);
    if (!a) return NULL;
    char text[80];
    snprintf(text, sizeof text, "mask %d %llu", a->line, (unsigned long long)value);
    return written(c, expr, add_line(c, text, number_of(atom)), atom);
  }
  return unknown_line(c, expr, atom);
}

static const hy_written *new_term(hy_certificates *c, const hy_expr *expr) {
  const hy_poly *atom = opaque(c, expr);
  if (atom) return opaque_line(c, expr, atom);
  if (expr->kind == HY_EXPR_CONST) {
    const hy_poly *value = hy_terms_poly(&c->prover->terms, expr);
    return value ? constant_line(c, expr, value->constant) : written(c, expr, 0, NULL);
  }
  if (expr->type == HY_BOOL) return truth_line(c, expr);
  if (expr->kind != HY_EXPR_OP) return written(c, expr, 0, NULL);
  hy_monotone monotone;
  if (hy_terms_is_monotone(expr, &monotone)) return float_line(c, expr, monotone);
  const hy_written *over_z = op_line(c, expr);
  return over_z ? wrap_line(c, expr, over_z) : NULL;
}

const hy_written *hy_proof_term(hy_certificates *c, const hy_expr *expr) {
  const hy_written *known = hy_pair_map_get(&c->terms, expr, NULL);
  if (known || c->failed) return known;
  if (c->depth >= HY_PROOF_DEPTH) {
    c->failed = true;
    return NULL;
  }
  c->depth++;
  known = new_term(c, expr);
  c->depth--;
  return known;
}

/* -- formulas -- */

static int formula_line(hy_certificates *c, const char *op, const hy_expr *expr, int count) {
  hy_text text = {0};
  hy_text_add(&text, op);
  for (int i = 0; i < count && !c->failed; i++) hy_text_printf(&text, " %d", hy_proof_formula(c, expr->args[i]));
  int line = c->failed ? 0 : add_line(c, hy_text_string(&text), 0);
  hy_text_free(&text);
  return line;
}

static int comparison_line(hy_certificates *c, const hy_expr *expr) {
  bool is_float = hy_floats_is_plain(expr);
  const hy_written *a = hy_proof_term(c, expr->args[0]), *b;
  b = is_float ? constant_line(c, NULL, hy_floats_limit(expr)) : hy_proof_term(c, expr->args[1]);
  return a && b ? add_line_of(c, 0, hy_op_spelling(expr->op), a, b) : 0;
}

static int denied_line(hy_certificates *c, int formula) {
  char text[32];
  snprintf(text, sizeof text, "not %d", formula);
  return c->failed ? 0 : add_line(c, text, 0);
}

static int nonzero_line(hy_certificates *c, const hy_expr *number) {
  const hy_written *a = hy_proof_term(c, number), *zero = a ? constant_line(c, NULL, 0) : NULL;
  return zero ? add_line_of(c, 0, "!=", a, zero) : 0;
}

static int new_formula(hy_certificates *c, const hy_expr *expr) {
  if (hy_expr_is_true(expr)) return add_line(c, "true", 0);
  if (hy_expr_is_false(expr)) return add_line(c, "false", 0);
  if (expr->kind != HY_EXPR_OP) return add_named_line(c, "atom", expr, 0);
  const hy_expr *a = expr->args[0], *plain = hy_floats_plain(c->context, expr);
  if (plain != expr) return hy_proof_formula(c, plain);
  if (hy_prover_is_comparison(expr)) return comparison_line(c, expr);
  if (expr->op == HY_OP_NOT) return formula_line(c, "not", expr, 1);
  if (expr->op == HY_OP_AND) return formula_line(c, "and", expr, 2);
  if (expr->op == HY_OP_OR) return formula_line(c, "or", expr, 2);
  if (expr->op == HY_OP_EQ && a->type == HY_BOOL) return formula_line(c, "iff", expr, 2);
  if (expr->op == HY_OP_NE && a->type == HY_BOOL) return denied_line(c, formula_line(c, "iff", expr, 2));
  if (expr->op == HY_OP_SELECT) return formula_line(c, "cond", expr, 3);
  if (expr->op == HY_OP_CAST && a->type == HY_BOOL) return hy_proof_formula(c, a);
  if (expr->op == HY_OP_CAST && hy_terms_is_whole(a)) return nonzero_line(c, a);
  return add_named_line(c, "atom", expr, 0);
}

int hy_proof_formula(hy_certificates *c, const hy_expr *expr) {
  const hy_written *known = hy_pair_map_get(&c->formulas, expr, NULL);
  if (known) return known->line;
  if (c->failed || c->depth >= HY_PROOF_DEPTH) {
    c->failed = true;
    return 0;
  }
  c->depth++;
  hy_written *made = HY_NEW(c->arena, hy_written);
  made->line = new_formula(c, expr);
  c->depth--;
  if (!made->line) c->failed = true;
  if (!c->failed) hy_pair_map_put(&c->formulas, expr, NULL, made);
  return made->line;
}

/* -- unknowns of the prover's own -- */

static int defined_line(hy_certificates *c, const hy_atom *atom) {
  static const char *const names[] = {
      [HY_ATOM_QUOTIENT] = "quotient", [HY_ATOM_RATIO] = "ratio",   [HY_ATOM_REST] = "rest",
      [HY_ATOM_NEGATIVE] = "negative", [HY_ATOM_CHOICE] = "choice", [HY_ATOM_FLOAT] = "applied",
      [HY_ATOM_UNKNOWN] = ""};
  hy_text text = {0};
  hy_text_printf(&text, "%s ", names[atom->kind]);
  if (atom->kind == HY_ATOM_FLOAT) {
    hy_monotone_print(hy_monotone_of((int)atom->divisor), &text);
    hy_text_add(&text, " ");
  }
  if (atom->kind == HY_ATOM_CHOICE) hy_text_printf(&text, "%d ", hy_proof_formula(c, atom->expr));
  hy_proof_print_poly(c, atom->a, &text);
  if (atom->m) {
    hy_text_add(&text, " ");
    hy_proof_print_poly(c, atom->m, &text);
  }
  if (atom->kind == HY_ATOM_QUOTIENT) {
    hy_text_add(&text, " ");
    print_wide(atom->divisor, &text);
  }
  int line = add_line(c, hy_text_string(&text), atom->number);
  hy_text_free(&text);
  return line;
}

int hy_proof_unknown(hy_certificates *c, const hy_atom *atom) {
  if (atom->number < c->unknowns.count && c->unknowns.data[atom->number]) return c->unknowns.data[atom->number];
  if (c->failed || c->depth >= HY_PROOF_DEPTH) {
    c->failed = true;
    return 0;
  }
  if (atom->kind == HY_ATOM_UNKNOWN) {
    hy_proof_term(c, atom->expr);
  } else {
    c->depth++;
    defined_line(c, atom);
    c->depth--;
  }
  bool there = atom->number < c->unknowns.count && c->unknowns.data[atom->number];
  if (!there) c->failed = true;
  return there ? c->unknowns.data[atom->number] : 0;
}
