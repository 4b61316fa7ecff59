/* GEN.Fused: how many values the halves of fused loops have. What is answered is held against all small numbers.
 */

#include "proofs_tests/suites.h"

#include "semantics/tgt/fused.h"

#include <string.h>

// Lengths p, q, c, which are never negative, and n, which may be; t, u and w run from 0 on, v does not.
static const char names[] = "pqcntuwv";
enum { P, Q, C, N, T, U, W, V, NAMES = sizeof names - 1 };

typedef struct {
  hy_context *context;
  hy_affine_table *table;
  const hy_expr *vars[NAMES], *lengths[NAMES];
} room;

// Behind its arguments stands each operator: "u p q * % q /" is u % (p*q) / q.
static const hy_expr *read_expr(const room *r, const char *text) {
  const hy_expr *stack[8];
  int count = 0;
  for (; *text; text++) {
    const char *name = strchr(names, *text), *op = strchr("+*/%", *text);
    static const hy_op ops[] = {HY_OP_ADD, HY_OP_MUL, HY_OP_DIV, HY_OP_MOD};
    if (*text == ' ') continue;
    if (!name && !op) stack[count++] = hy_expr_int(r->context, *text - '0');
    if (name) stack[count++] = r->vars[name - names];
    if (!op) continue;
    count--;
    stack[count - 1] = hy_expr_binary(r->context, ops[strchr("+*/%", *text) - "+*/%"], stack[count - 1], stack[count]);
  }
  ck_assert_int_eq(count, 1);
  return stack[0];
}

static room open_room(void) {
  room r = {.context = hy_context_new()};
  r.table = hy_affine_table_new(r.context);
  for (int i = 0; i < NAMES; i++) {
    char *name = hy_arena_printf(hy_context_arena(r.context), "%c", names[i]);
    r.vars[i] = hy_expr_var(r.context, hy_var_new(r.context, HY_VAR_FRESH, HY_INT, name, NULL, 0, 0));
  }
  r.lengths[T] = read_expr(&r, "p q *");
  r.lengths[U] = read_expr(&r, "c p q * *");
  r.lengths[W] = read_expr(&r, "q n *");
  return r;
}

static void close_room(room *r) {
  hy_affine_table_free(r->table);
  hy_context_free(r->context);
}

static const hy_expr *length_of(void *self, const hy_var *var) {
  const room *r = self;
  for (int i = 0; i < NAMES; i++)
    if (r->vars[i]->var == var) return r->lengths[i];
  return NULL;
}

static bool is_natural(void *self, const hy_expr *factor) {
  int64_t constant;
  return factor != ((room *)self)->vars[N] && (!hy_expr_is_int(factor, &constant) || constant >= 0);
}

static const struct {
  const char *node, *values; // NULL: it is not known
} rows[] = {
    {"t", "p q *"},          {"t q /", "p"},      {"t q %", "q"},          {"t p /", "q"},
    {"t q p * %", "p q *"},  {"u p q * /", "c"},  {"u q p * %", "p q *"},  {"u p q * % q /", "p"},
    {"u p q * % q %", "q"},  {"u q / c /", "p"},  {"u q / p %", "p"},      {"u c / p / q /", "1"},
    {"t p q * / q /", NULL}, // one value, which is not divided
    {"t c /", NULL},         // c may be 0 though the loop runs
    {"t p p * /", NULL},     {"t q + q /", NULL}, {"u p q * % c %", NULL}, {"w q /", NULL}, // (-2)*(-3) iterations
    {"v q /", NULL},         {"p", NULL},
};

START_TEST(halves) {
  room r = open_room();
  hy_fused_scope scope = {r.table, length_of, is_natural, &r};
  hy_product values;
  bool known = hy_fused_values(&scope, read_expr(&r, rows[_i].node), &values);
  ck_assert_msg(known == (rows[_i].values != NULL), "%s", rows[_i].node);
  if (known)
    ck_assert_ptr_eq(hy_affine_normal(r.table, hy_product_expr(r.context, &values)),
                     hy_affine_normal(r.table, read_expr(&r, rows[_i].values)));
  close_room(&r);
}
END_TEST

static int64_t number_of(const room *r, const hy_expr *expr, const int64_t *numbers) {
  hy_binding bindings[NAMES];
  int64_t number;
  for (int i = 0; i < NAMES; i++) bindings[i] = (hy_binding){r->vars[i]->var, hy_expr_int(r->context, numbers[i])};
  expr = hy_affine_normal(r->table, hy_expr_substitute(r->context, expr, bindings, NAMES));
  ck_assert_msg(hy_expr_is_int(expr, &number), "it is not defined");
  return number;
}

// For all lengths up to 3 and all iterations: is the node defined, and one of so many values?
START_TEST(halves_by_numbers) {
  room r = open_room();
  hy_fused_scope scope = {r.table, length_of, is_natural, &r};
  const hy_expr *node = read_expr(&r, rows[_i].node);
  hy_product values;
  if (hy_fused_values(&scope, node, &values)) {
    const hy_expr *count = hy_product_expr(r.context, &values);
    int loop = strchr(names, rows[_i].node[0]) - names, seen = 0;
    for (int64_t lengths = 0; lengths < 64; lengths++) {
      int64_t numbers[NAMES] = {[P] = lengths % 4, [Q] = lengths / 4 % 4, [C] = lengths / 16};
      int64_t iterations = number_of(&r, r.lengths[loop], numbers);
      for (numbers[loop] = 0; numbers[loop] < iterations; numbers[loop]++, seen++) {
        int64_t value = number_of(&r, node, numbers);
        ck_assert_int_ge(value, 0);
        ck_assert_int_lt(value, number_of(&r, count, numbers));
      }
    }
    ck_assert_int_gt(seen, 0);
  }
  close_room(&r);
}
END_TEST

Suite *semantics_fused_suite(void) {
  Suite *suite = suite_create("semantics_fused");
  TCase *tests = tcase_create("fused");
  tcase_add_loop_test(tests, halves, 0, (int)HY_COUNT(rows));
  tcase_add_loop_test(tests, halves_by_numbers, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, tests);
  return suite;
}
