#include "semantics/expr/affine.h"

#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"

#include <string.h>

enum { MOST_PRODUCTS = 36 }; // (a + ...) * (b + ...) is multiplied out up to that many terms

struct hy_affine_table {
  hy_context *context;
  hy_id_map forms; // hy_affine *, by expressions
};

hy_affine_table *hy_affine_table_new(hy_context *context) {
  hy_affine_table *table = hy_allocate_zeroed(1, sizeof *table);
  table->context = context;
  hy_id_map_begin(&table->forms);
  return table;
}

void hy_affine_table_free(hy_affine_table *table) {
  if (!table) return;
  hy_id_map_end(&table->forms);
  hy_free(table);
}

/* -- making forms -- */

typedef HY_VEC(hy_affine_term) term_list;

static const hy_affine *make(hy_affine_table *t, int64_t constant, const term_list *terms) {
  hy_affine *form =
      hy_arena_allocate(hy_context_arena(t->context), sizeof(hy_affine) + sizeof(hy_affine_term) * terms->count);
  form->constant = constant;
  form->count = (int)terms->count;
  if (terms->count) memcpy(form->terms, terms->data, sizeof(hy_affine_term) * terms->count);
  return form;
}

static const hy_affine *constant_form(hy_affine_table *t, int64_t constant) {
  return make(t, constant, &(term_list){0});
}

static const hy_affine *atom_form(hy_affine_table *t, const hy_expr *atom) {
  hy_affine_term term = {1, atom};
  return make(t, 0, &(term_list){&term, 1, 1});
}

static bool fused(int64_t left, int64_t a, int64_t right, int64_t b, int64_t *sum) {
  int64_t x, y;
  return !__builtin_mul_overflow(left, a, &x) && !__builtin_mul_overflow(right, b, &y) &&
         !__builtin_add_overflow(x, y, sum);
}

bool hy_affine_coefficient(const hy_affine *form, const hy_var *var, int64_t *coefficient) {
  *coefficient = 0;
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (atom->kind == HY_EXPR_VAR && atom->var == var)
      *coefficient = form->terms[i].coefficient;
    else if (hy_expr_mentions(atom, var))
      return false;
  }
  return true;
}

const hy_affine *hy_affine_combine(hy_affine_table *t, int64_t left, const hy_affine *a, int64_t right,
                                   const hy_affine *b) {
  int64_t constant, coefficient = 0;
  if (!fused(left, a->constant, right, b->constant, &constant)) return NULL;
  size_t most = (size_t)a->count + (size_t)b->count;
  hy_affine *form = hy_arena_allocate(hy_context_arena(t->context), sizeof *form + sizeof(hy_affine_term) * most);
  form->constant = constant;
  int i = 0, k = 0;
  bool fits = true;
  while (fits && (i < a->count || k < b->count)) {
    const hy_expr *atom;
    if (k == b->count || (i < a->count && a->terms[i].atom->id < b->terms[k].atom->id)) {
      atom = a->terms[i].atom;
      fits = fused(left, a->terms[i++].coefficient, 0, 0, &coefficient);
    } else if (i == a->count || b->terms[k].atom->id < a->terms[i].atom->id) {
      atom = b->terms[k].atom;
      fits = fused(0, 0, right, b->terms[k++].coefficient, &coefficient);
    } else {
      atom = a->terms[i].atom;
      fits = fused(left, a->terms[i++].coefficient, right, b->terms[k++].coefficient, &coefficient);
    }
    if (fits && coefficient) form->terms[form->count++] = (hy_affine_term){coefficient, atom};
  }
  return fits ? form : NULL;
}

/* -- from expressions -- */

static const hy_expr *binary(hy_affine_table *t, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(t->context, op, a, b);
}

// The factors of a product atom in ascending id: one product is one expression.
static void add_factors(const hy_expr *atom, const hy_expr **factors, int *count, int room) {
  if (atom->kind == HY_EXPR_OP && atom->op == HY_OP_MUL) {
    add_factors(atom->args[0], factors, count, room);
    add_factors(atom->args[1], factors, count, room);
  } else if (*count < room) {
    int i = (*count)++;
    for (; i > 0 && factors[i - 1]->id > atom->id; i--) factors[i] = factors[i - 1];
    factors[i] = atom;
  }
}

static const hy_expr *product_atom(hy_affine_table *t, const hy_expr *a, const hy_expr *b) {
  const hy_expr *factors[16];
  int count = 0;
  add_factors(a, factors, &count, 16);
  add_factors(b, factors, &count, 16);
  if (count == 16) return binary(t, HY_OP_MUL, a, b);
  const hy_expr *product = factors[0];
  for (int i = 1; i < count; i++) product = binary(t, HY_OP_MUL, product, factors[i]);
  return product;
}

// rewrite: (a + b) * (c + d) -> a*c + a*d + b*c + b*d
static const hy_affine *multiply(hy_affine_table *t, const hy_affine *a, const hy_affine *b) {
  const hy_affine *sum = hy_affine_combine(t, b->constant, a, 0, a);
  for (int k = 0; sum && k < b->count; k++) {
    const hy_affine *atom = atom_form(t, b->terms[k].atom);
    int64_t c = b->terms[k].coefficient, scale;
    if (__builtin_mul_overflow(c, a->constant, &scale)) return NULL;
    sum = hy_affine_combine(t, 1, sum, scale, atom);
    for (int i = 0; sum && i < a->count; i++) {
      if (__builtin_mul_overflow(c, a->terms[i].coefficient, &scale)) return NULL;
      sum = hy_affine_combine(t, 1, sum, scale, atom_form(t, product_atom(t, a->terms[i].atom, b->terms[k].atom)));
    }
  }
  return sum;
}

static void see_choice(void *self, const hy_expr *node) {
  bool *found = self;
  *found |= node->kind == HY_EXPR_OP && (node->op == HY_OP_MIN || node->op == HY_OP_MAX);
}

static bool is_sum(const hy_expr *atom) {
  if (atom->kind != HY_EXPR_OP) return false;
  if (atom->op == HY_OP_MUL) return is_sum(atom->args[0]) || is_sum(atom->args[1]); // kept as it is
  return atom->op == HY_OP_ADD || atom->op == HY_OP_SUB;
}

// Is it a sum, or has such a factor? "*chooses": has it a minimum or maximum?
static bool has_sum(const hy_affine *a, bool *chooses) {
  for (int i = 0; i < a->count; i++) hy_expr_visit(a->terms[i].atom, see_choice, chooses);
  return a->count + (a->constant != 0) > 1 || (a->count && is_sum(a->terms[0].atom));
}

// The lengths of hulls that a fused loop runs through, multiplied with each other, stay a product: what is divided by
// one of them gives the other, and that a product of lengths fits is known (D68); of the products of their ends neither
// is so.
static const hy_affine *product_of_lengths(hy_affine_table *t, const hy_affine *a, const hy_affine *b) {
  bool chooses = false, sums = has_sum(a, &chooses) && has_sum(b, &chooses);
  if (!sums || !chooses) return NULL;
  const hy_expr *of_b = hy_affine_expr(t, b);
  return atom_form(t, product_atom(t, hy_affine_expr(t, a), of_b));
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a % b < 0); } // requires: b > 0

// The part of "a" that k divides, and what is left (its constant in [0, k)).
static void divide(hy_affine_table *t, const hy_affine *a, int64_t k, const hy_affine **quotient,
                   const hy_affine **rest) {
  term_list whole = {0}, left = {0};
  for (int i = 0; i < a->count; i++) {
    if (a->terms[i].coefficient % k == 0)
      hy_vec_push(&whole, (hy_affine_term){a->terms[i].coefficient / k, a->terms[i].atom});
    else
      hy_vec_push(&left, a->terms[i]);
  }
  int64_t q = floor_div(a->constant, k);
  *quotient = make(t, q, &whole);
  *rest = make(t, (int64_t)((uint64_t)a->constant - (uint64_t)q * (uint64_t)k), &left); // q * k alone may not fit
  hy_vec_free(&whole);
  hy_vec_free(&left);
}

// rewrite: (k*a + b) / k -> a + b / k   and   (x / j) / k -> x / (j*k), for constants j, k > 0
static const hy_affine *quotient_form(hy_affine_table *t, const hy_affine *a, int64_t k) {
  const hy_affine *whole, *rest;
  divide(t, a, k, &whole, &rest);
  if (!rest->count) return whole; // 0 <= rest < k
  const hy_expr *numerator = hy_affine_expr(t, rest);
  int64_t j, product = k;
  if (rest->count == 1 && rest->constant == 0 && rest->terms[0].coefficient == 1 && numerator->kind == HY_EXPR_OP &&
      numerator->op == HY_OP_DIV && hy_expr_is_int(numerator->args[1], &j) && j > 0 &&
      !__builtin_mul_overflow(j, k, &product))
    numerator = numerator->args[0];
  else
    product = k;
  const hy_expr *atom = binary(t, HY_OP_DIV, numerator, hy_expr_int(t->context, product));
  return hy_affine_combine(t, 1, whole, 1, atom_form(t, atom));
}

// rewrite: (k*a + b) % k -> b % k, for a constant k > 0
static const hy_affine *remainder_form(hy_affine_table *t, const hy_affine *a, int64_t k) {
  const hy_affine *whole, *rest;
  divide(t, a, k, &whole, &rest);
  if (!rest->count) return constant_form(t, rest->constant);
  const hy_expr *divisor = hy_expr_int(t->context, k);
  return atom_form(t, binary(t, HY_OP_MOD, hy_affine_expr(t, rest), divisor));
}

// rewrite: min(a, a + c) -> the lesser, when the distance is a constant; min(a, b) -> min(b, a) in the order of ids
static const hy_affine *extremum_form(hy_affine_table *t, hy_op op, const hy_affine *a, const hy_affine *b) {
  const hy_affine *distance = hy_affine_combine(t, 1, a, -1, b);
  if (distance && !distance->count) return (distance->constant <= 0) == (op == HY_OP_MIN) ? a : b;
  const hy_expr *x = hy_affine_expr(t, a), *y = hy_affine_expr(t, b);
  bool in_order = y->kind == HY_EXPR_CONST || (x->kind != HY_EXPR_CONST && x->id <= y->id); // constants last
  return atom_form(t, in_order ? binary(t, op, x, y) : binary(t, op, y, x));
}

static const hy_affine *opaque(hy_affine_table *t, const hy_expr *expr) {
  const hy_expr *args[HY_MAX_RANK];
  if (!expr->count) return atom_form(t, expr);
  for (int i = 0; i < expr->count; i++)
    args[i] = expr->args[i]->type == HY_INT ? hy_affine_normal(t, expr->args[i]) : expr->args[i];
  if (expr->kind == HY_EXPR_ACCESS) return atom_form(t, hy_expr_access_part(t->context, expr->func, expr->part, args));
  return atom_form(t, hy_expr_op(t->context, expr->op, expr->type, args));
}

static const hy_affine *op_form(hy_affine_table *t, const hy_expr *expr) {
  if (expr->args[0]->type != HY_INT) return NULL; // a cast or select: opaque
  const hy_affine *a = hy_affine_of(t, expr->args[0]);
  const hy_affine *b = expr->count > 1 ? hy_affine_of(t, expr->args[1]) : NULL;
  bool by_constant = b && !b->count && b->constant > 0;
  if (expr->op == HY_OP_ADD) return hy_affine_combine(t, 1, a, 1, b);
  if (expr->op == HY_OP_SUB) return hy_affine_combine(t, 1, a, -1, b);
  if (expr->op == HY_OP_NEG) return hy_affine_combine(t, -1, a, 0, a);
  const hy_affine *kept = expr->op == HY_OP_MUL ? product_of_lengths(t, a, b) : NULL;
  if (kept) return kept;
  if (expr->op == HY_OP_MUL && (a->count + 1) * (b->count + 1) <= MOST_PRODUCTS) return multiply(t, a, b);
  if (expr->op == HY_OP_DIV && by_constant) return quotient_form(t, a, b->constant);
  if (expr->op == HY_OP_MOD && by_constant) return remainder_form(t, a, b->constant);
  if (expr->op == HY_OP_MIN || expr->op == HY_OP_MAX) return extremum_form(t, expr->op, a, b);
  if (expr->op == HY_OP_CAST) return a; // int to int
  return NULL;
}

const hy_affine *hy_affine_of(hy_affine_table *t, const hy_expr *expr) {
  HY_ASSERT(expr->type == HY_INT);
  const uintptr_t *known = hy_id_map_find(&t->forms, expr->id);
  if (known) return (const hy_affine *)*known;
  int64_t constant;
  const hy_affine *form = NULL;
  if (hy_expr_is_int(expr, &constant))
    form = constant_form(t, constant);
  else if (expr->kind == HY_EXPR_OP)
    form = op_form(t, expr);
  if (!form) form = opaque(t, expr);
  *hy_id_map_put(&t->forms, expr->id) = (uintptr_t)form;
  return form;
}

/* -- back to expressions -- */

static const hy_expr *scaled(hy_affine_table *t, int64_t coefficient, const hy_expr *atom) {
  return coefficient == 1 ? atom : binary(t, HY_OP_MUL, hy_expr_int(t->context, coefficient), atom);
}

const hy_expr *hy_affine_expr(hy_affine_table *t, const hy_affine *form) {
  const hy_expr *sum = NULL;
  for (int i = 0; i < form->count; i++)
    if (form->terms[i].coefficient > 0) {
      const hy_expr *term = scaled(t, form->terms[i].coefficient, form->terms[i].atom);
      sum = sum ? binary(t, HY_OP_ADD, sum, term) : term;
    }
  if (!sum) sum = hy_expr_int(t->context, form->constant);
  bool constant_done = sum->kind == HY_EXPR_CONST;
  for (int i = 0; i < form->count; i++)
    if (form->terms[i].coefficient < 0 && form->terms[i].coefficient != INT64_MIN)
      sum = binary(t, HY_OP_SUB, sum, scaled(t, -form->terms[i].coefficient, form->terms[i].atom));
    else if (form->terms[i].coefficient == INT64_MIN)
      sum = binary(t, HY_OP_ADD, sum, scaled(t, INT64_MIN, form->terms[i].atom));
  if (constant_done || form->constant == 0) return sum;
  if (form->constant > 0 || form->constant == INT64_MIN)
    return binary(t, HY_OP_ADD, sum, hy_expr_int(t->context, form->constant));
  return binary(t, HY_OP_SUB, sum, hy_expr_int(t->context, -form->constant));
}

const hy_expr *hy_affine_normal(hy_affine_table *t, const hy_expr *expr) {
  return hy_affine_expr(t, hy_affine_of(t, expr));
}

bool hy_affine_distance(hy_affine_table *t, const hy_expr *a, const hy_expr *b, int64_t *distance) {
  const hy_affine *of_b = hy_affine_of(t, b), *d = hy_affine_combine(t, 1, hy_affine_of(t, a), -1, of_b);
  if (!d || d->count) return false;
  *distance = d->constant;
  return true;
}

const hy_expr *hy_affine_add(hy_affine_table *t, const hy_expr *a, const hy_expr *b) {
  return hy_affine_normal(t, binary(t, HY_OP_ADD, a, b));
}

const hy_expr *hy_affine_sub(hy_affine_table *t, const hy_expr *a, const hy_expr *b) {
  return hy_affine_normal(t, binary(t, HY_OP_SUB, a, b));
}

const hy_expr *hy_affine_add_int(hy_affine_table *t, const hy_expr *a, int64_t b) {
  return hy_affine_add(t, a, hy_expr_int(t->context, b));
}

void hy_affine_distribute(hy_affine_table *t, const hy_affine *form, int index, hy_op *op, const hy_expr **a,
                          const hy_expr **b) {
  const hy_expr *atom = form->terms[index].atom, *c = hy_expr_int(t->context, form->terms[index].coefficient);
  const hy_expr *term = binary(t, HY_OP_MUL, c, atom), *rest = hy_affine_sub(t, hy_affine_expr(t, form), term);
  *op = (form->terms[index].coefficient > 0) == (atom->op == HY_OP_MIN) ? HY_OP_MIN : HY_OP_MAX;
  *a = hy_affine_add(t, rest, binary(t, HY_OP_MUL, c, atom->args[0]));
  *b = hy_affine_add(t, rest, binary(t, HY_OP_MUL, c, atom->args[1]));
}
