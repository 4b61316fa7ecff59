#include "oracle/prover/pair_map.h"
#include "oracle/z3/z3_check.h"
#include "oracle/z3/z3_unknowns.h"

#include <inttypes.h>

/* SMT-LIB 2.6, one definition per node, so that the text is as large as the question and not as its tree. The same
 * reading of the operators as z3_encode.c, rendered on its own; bit operations without a mask are left open (any number
 * of the type), which can only make a proof fail.
 */

typedef struct {
  hy_text *out;
  hy_arena *arena;
  hy_pair_map names; // expression -> its SMT-LIB term
  int fresh;
} printer;

/* -- terms -- */

static const char *name_of(const printer *p, const hy_expr *expr) {
  const char *name = hy_pair_map_get(&p->names, expr, NULL);
  return name ? name : "0";
}

static void set_name(printer *p, const hy_expr *expr, const char *name) {
  if (!hy_pair_map_get(&p->names, expr, NULL)) hy_pair_map_put(&p->names, expr, NULL, name);
}

static const char *number(printer *p, int64_t value) {
  if (value >= 0) return hy_arena_printf(p->arena, "%" PRId64, value);
  return hy_arena_printf(p->arena, "(- %" PRIu64 ")", 0 - (uint64_t)value);
}

static const char *constant(printer *p, const hy_expr *expr) {
  if (expr->type == HY_BOOL) return expr->value.u ? "true" : "false";
  if (hy_type_class_of(expr->type) == HY_CLASS_UNSIGNED) return hy_arena_printf(p->arena, "%" PRIu64, expr->value.u);
  return number(p, expr->value.i);
}

static bool is_fixed(hy_type type) {
  hy_type_class class = hy_type_class_of(type);
  return class == HY_CLASS_UNSIGNED || class == HY_CLASS_SIGNED;
}

// 2^exponent, up to 2^64
static const char *power(printer *p, int exponent) {
  if (exponent == 64) return "18446744073709551616";
  return hy_arena_printf(p->arena, "%" PRIu64, UINT64_C(1) << exponent);
}

static const char *declare(printer *p, hy_type type) {
  const char *name = hy_arena_printf(p->arena, "u%d", p->fresh++);
  hy_text_printf(p->out, "(declare-const %s %s)\n", name, type == HY_BOOL ? "Bool" : "Int");
  if (!is_fixed(type)) return name;
  bool is_signed = hy_type_class_of(type) == HY_CLASS_SIGNED;
  int bits = hy_type_bits(type);
  if (is_signed)
    hy_text_printf(p->out, "(assert (and (<= (- %s) %s) ", power(p, bits - 1), name);
  else
    hy_text_printf(p->out, "(assert (and (<= 0 %s) ", name);
  hy_text_printf(p->out, "(< %s %s)))\n", name, power(p, is_signed ? bits - 1 : bits));
  return name;
}

// The number of the type that is congruent to the term.
static const char *wrap(printer *p, hy_type type, const char *term) {
  if (!is_fixed(type)) return term;
  const char *result = declare(p, type), *turns = declare(p, HY_INT);
  hy_text_printf(p->out, "(assert (= %s (+ (* %s %s) %s)))\n", term, power(p, hy_type_bits(type)), turns, result);
  return result;
}

// Declares quotient and remainder: m != 0 implies a = m*q + r and 0 <= r < |m|. Returns the one asked for.
static const char *divide(printer *p, const char *a, const char *m, bool quotient) {
  const char *q = declare(p, HY_INT), *r = declare(p, HY_INT);
  hy_text_printf(p->out,
                 "(assert (or (= %s 0) (and (= %s (+ (* %s %s) %s)) (<= 0 %s) (or (< %s %s) (< %s (- %s))))))\n", m, a,
                 m, q, r, r, r, m, r, m);
  return quotient ? q : r;
}

/* -- operators -- */

static const char *call(printer *p, const char *function, const hy_expr *expr) {
  const char *a = name_of(p, expr->args[0]);
  if (expr->count == 1) return hy_arena_printf(p->arena, "(%s %s)", function, a);
  return hy_arena_printf(p->arena, "(%s %s %s)", function, a, name_of(p, expr->args[1]));
}

static const char *pick(printer *p, const char *compare, const hy_expr *expr) {
  const char *a = name_of(p, expr->args[0]), *b = name_of(p, expr->args[1]);
  return hy_arena_printf(p->arena, "(ite (%s %s %s) %s %s)", compare, a, b, a, b);
}

static bool constant_bits(const hy_expr *expr, int64_t *bits) {
  if (expr->kind != HY_EXPR_CONST || expr->value.error != HY_OK || expr->type == HY_BOOL || expr->value.i < 0)
    return false;
  *bits = expr->value.i;
  return true;
}

// An operator that stays open.
static const char *any_number(printer *p, const hy_expr *expr) {
  const char *name = declare(p, expr->type);
  hy_text_printf(p->out, "; %s is ", name);
  hy_expr_print(expr, p->out);
  hy_text_add(p->out, "\n");
  return name;
}

// a & (2^k - 1) is a % 2^k
static const char *mask(printer *p, const hy_expr *expr) {
  int64_t bits;
  for (int i = 0; i < 2; i++)
    if (constant_bits(expr->args[i], &bits) && bits < INT64_MAX && (bits & (bits + 1)) == 0)
      return divide(p, name_of(p, expr->args[1 - i]), number(p, bits + 1), false);
  return any_number(p, expr);
}

static const char *shift(printer *p, const hy_expr *expr) {
  int64_t amount;
  const char *a = name_of(p, expr->args[0]);
  if (!constant_bits(expr->args[1], &amount) || amount >= hy_type_bits(expr->type)) return any_number(p, expr);
  if (expr->op == HY_OP_SHR) return divide(p, a, power(p, (int)amount), true);
  return wrap(p, expr->type, hy_arena_printf(p->arena, "(* %s %s)", power(p, (int)amount), a));
}

static const char *cast(printer *p, const hy_expr *expr) {
  const char *a = name_of(p, expr->args[0]);
  hy_type from = expr->args[0]->type;
  if (from == expr->type) return a;
  if (expr->type == HY_BOOL) return hy_arena_printf(p->arena, "(not (= %s 0))", a);
  if (from == HY_BOOL) return hy_arena_printf(p->arena, "(ite %s 1 0)", a);
  return wrap(p, expr->type, a);
}

static const char *op_term(printer *p, const hy_expr *expr) {
  const char *a = name_of(p, expr->args[0]), *b = expr->count > 1 ? name_of(p, expr->args[1]) : NULL;
  hy_type type = expr->type;
  switch (expr->op) {
  case HY_OP_ADD: return wrap(p, type, call(p, "+", expr));
  case HY_OP_SUB: return wrap(p, type, call(p, "-", expr));
  case HY_OP_MUL: return wrap(p, type, call(p, "*", expr));
  case HY_OP_DIV: return wrap(p, type, divide(p, a, b, true));
  case HY_OP_MOD: return wrap(p, type, divide(p, a, b, false));
  case HY_OP_NEG: return wrap(p, type, call(p, "-", expr));
  case HY_OP_EQ: return call(p, "=", expr);
  case HY_OP_NE: return call(p, "distinct", expr);
  case HY_OP_LT: return call(p, "<", expr);
  case HY_OP_LE: return call(p, "<=", expr);
  case HY_OP_GT: return call(p, ">", expr);
  case HY_OP_GE: return call(p, ">=", expr);
  case HY_OP_AND: return call(p, "and", expr);
  case HY_OP_OR: return call(p, "or", expr);
  case HY_OP_NOT: return call(p, "not", expr);
  case HY_OP_BIT_AND: return mask(p, expr);
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_OR: return any_number(p, expr);
  case HY_OP_BIT_NOT: return wrap(p, type, hy_arena_printf(p->arena, "(- (- 1) %s)", a));
  case HY_OP_SHL:
  case HY_OP_SHR: return shift(p, expr);
  case HY_OP_SELECT: return hy_arena_printf(p->arena, "(ite %s %s %s)", a, b, name_of(p, expr->args[2]));
  case HY_OP_MIN: return pick(p, "<", expr);
  case HY_OP_MAX: return pick(p, ">", expr);
  case HY_OP_ABS: return wrap(p, type, hy_arena_printf(p->arena, "(ite (< %s 0) (- %s) %s)", a, a, a));
  case HY_OP_CAST: return cast(p, expr);
#include "semantics/value/opaque_cases.def"
    break; // an unknown (hy_is_opaque)
  }
  HY_UNREACHABLE();
}

/* -- questions -- */

static void print_unknown(printer *p, const hy_expr *expr) {
  const char *name = declare(p, expr->type);
  hy_text_printf(p->out, "; %s is ", name);
  hy_expr_print(expr, p->out);
  hy_text_add(p->out, "\n");
  set_name(p, expr, name);
}

// Arguments come before the nodes that they are in.
static void print_node(void *self, const hy_expr *expr) {
  printer *p = self;
  if (hy_type_class_of(expr->type) == HY_CLASS_FLOAT || hy_pair_map_get(&p->names, expr, NULL)) return;
  if (hy_is_opaque(expr)) {
    print_unknown(p, expr);
    return;
  }
  if (expr->kind == HY_EXPR_CONST) {
    set_name(p, expr, constant(p, expr));
    return;
  }
  const char *term = op_term(p, expr), *name = hy_arena_printf(p->arena, "e%d", p->fresh++);
  hy_text_printf(p->out, "(define-fun %s () %s %s)\n", name, expr->type == HY_BOOL ? "Bool" : "Int", term);
  set_name(p, expr, name);
}

static bool is_literal(const hy_expr *expr) { return expr->kind == HY_EXPR_CONST; }

static void note_product(void *self, const hy_expr *expr) {
  bool *nonlinear = self;
  if (expr->kind != HY_EXPR_OP) return;
  if (expr->op == HY_OP_MUL && !is_literal(expr->args[0]) && !is_literal(expr->args[1])) *nonlinear = true;
  if (hy_op_kind_of(expr->op) == HY_KIND_DIVISION && !is_literal(expr->args[1])) *nonlinear = true;
}

static void print_comment(const char *comment, hy_text *out) {
  hy_text_add(out, "; ");
  for (; *comment; comment++) {
    hy_text_add_bytes(out, comment, 1);
    if (*comment == '\n') hy_text_add(out, "; ");
  }
  hy_text_add(out, "\n");
}

void hy_z3_print_smtlib(hy_context *context, const hy_z3_question *question, const char *comment, hy_text *out) {
  printer p = {.out = out, .arena = hy_context_arena(context)};
  bool nonlinear = false;
  for (size_t i = 0; i < question->fact_count; i++) hy_expr_visit(question->facts[i], note_product, &nonlinear);
  hy_expr_visit(question->goal, note_product, &nonlinear);
  if (comment) print_comment(comment, out);
  hy_text_printf(out, "(set-logic %s)\n", nonlinear ? "QF_NIA" : "QF_LIA");
  for (size_t i = 0; i < question->fact_count; i++) {
    hy_expr_visit(question->facts[i], print_node, &p);
    hy_text_printf(out, "(assert %s)\n", name_of(&p, question->facts[i]));
  }
  hy_text_add(out, "; the goal, negated: unsat means that it holds\n");
  hy_expr_visit(question->goal, print_node, &p);
  hy_text_printf(out, "(assert (not %s))\n(check-sat)\n", name_of(&p, question->goal));
  hy_pair_map_free(&p.names);
}
