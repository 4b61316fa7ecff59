/* What the structure of a condition says: bounds constraints and needs (decision D43), equations of specializations
 * (D45), and for every operator the types that it takes.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/print_harness.h"

#include "semantics/tgt/constraint.h"

#include <stdio.h>

// The condition of an entry check, in a program of two funcs over x and y.
static const hy_expr *condition_of(world *w, const char *text) {
  char program[1000];
  snprintf(program, sizeof program,
           "target p(n: int, m: int, k: int, b: bool, u: u8, s: f32) on g(x, y) { func f(x, y): int stages 1;"
           " func g(x, y): int stages 1; entry { assume need(f): %s; }"
           " allocate f[(0, 1), (0, 1)]; label f: compute f on [(0, 1), (0, 1)] { label f.s0: for f.s0.y in (0, 1) {"
           " for f.s0.x in (0, 1) { f(f.s0.x, f.s0.y) <- 1; } } }"
           " allocate g[(0, 1), (0, 1)]; label g: compute g on [(0, 1), (0, 1)] { label g.s0: for g.s0.y in (0, 1) {"
           " for g.s0.x in (0, 1) { g(g.s0.x, g.s0.y) <- 1; } } } }",
           text);
  const hy_tgt *tgt = parse_tgt(w, program);
  hy_text said = {0};
  hy_diagnostics_print(w->diagnostics, &said);
  ck_assert_msg(tgt != NULL, "%s", hy_text_string(&said));
  hy_text_free(&said);
  return tgt->entry[0]->assume.condition;
}

static const struct {
  const char *text;
  bool understood;
} constraints[] = {
    {"?cpu.min(f, x) == 3", true},
    {"?cpu.min(f, x) == n && ?cpu.len(f, x) == m", true},
    {"?cpu.min(f, x)%8 == 2 && ?cpu.len(f, x)%8 == 0", true},
    {"?cpu.min(f, x) == n && ?cpu.min(f, x)%8 == 2 && ?cpu.len(f, x)%8 == 0", true},
    // another form
    {"b", false},
    {"true", false},
    {"?cpu.min(f, x) <= 3", false},
    {"3 == ?cpu.min(f, x)", false},
    {"n == 3", false},
    {"n%8 == 3", false},
    {"?mem.min(f, x) == 3", false},
    {"?cpu.min(f, x) == ?cpu.len(f, x)", false},
    {"?cpu.min(f, x) == 3 && b", false},
    {"b && ?cpu.min(f, x) == 3", false},
    // of two places
    {"?cpu.min(f, x) == 3 && ?cpu.min(f, y) == 3", false},
    {"?cpu.min(f, x) == 3 && ?cpu.min(g, x) == 3", false},
    // alignments that are none
    {"?cpu.min(f, x)%n == 2", false},
    {"?cpu.min(f, x)%8 == n", false},
    {"?cpu.min(f, x)%0 == 2", false},
    {"?cpu.min(f, x)%-8 == 2", false},
    {"?cpu.min(f, x)%8 == 8", false},
    {"?cpu.min(f, x)%8 == -1", false},
    {"?cpu.len(f, x)%8 == 3", false},
    {"?cpu.min(f, x)%8 == 2 && ?cpu.len(f, x)%4 == 0", false},
};

START_TEST(constraints_are_read) {
  world w = open_world();
  hy_constraint c;
  const hy_expr *condition = condition_of(&w, constraints[_i].text);
  ck_assert_msg(hy_constraint_of(condition, &c) == constraints[_i].understood, "%s", constraints[_i].text);
  // what was understood is what is written again
  if (constraints[_i].understood) ck_assert_ptr_eq(hy_constraint_condition(w.context, &c), condition);
  close_world(&w);
}
END_TEST

static const struct {
  const char *text;
  bool understood;
} needs[] = {
    {"?cpu.min(f, x) <= n && m <= ?cpu.len(f, x)", true},
    {"n <= 0 || (m <= 0 || k <= n && n <= m)", true},
    {"b", false},
    {"n <= m", false},
    {"n <= m || m <= n", false},
    {"n < m && m <= n", false},
    {"n <= m && m < n", false},
    {"s <= 1.0 && n <= m", false},
    {"n <= m && s <= 1.0", false},
};

START_TEST(needs_are_read) {
  world w = open_world();
  hy_need_ends ends;
  const hy_expr *condition = condition_of(&w, needs[_i].text);
  ck_assert_msg(hy_need_ends_of(condition, &ends) == needs[_i].understood, "%s", needs[_i].text);
  close_world(&w);
}
END_TEST

static const struct {
  const char *text;
  size_t room, count;
} equations[] = {
    {"n == 3", 4, 1},
    {"3 == n", 4, 1},
    {"x.min == 3", 4, 1},
    {"n == 3 && m == 4", 4, 2},
    {"n == 3 && b && k == 1", 4, 2},
    {"n == 3 && m == 4 && k == 5", 2, 2},
    {"n == 3", 0, 0},
    {"b", 4, 0},
    {"b == true", 4, 0},
    {"u == 3", 4, 0},
    {"n == m", 4, 0},
    {"n + 1 == 3", 4, 0},
    {"n <= 3", 4, 0},
    {"n == 3 || m == 4", 4, 0},
};

START_TEST(equations_are_read) {
  world w = open_world();
  hy_binding bindings[4];
  const hy_expr *condition = condition_of(&w, equations[_i].text);
  ck_assert_msg(hy_expr_equations(condition, bindings, equations[_i].room) == equations[_i].count, "%s",
                equations[_i].text);
  for (size_t i = 0; i < equations[_i].count; i++) ck_assert_int_eq(bindings[i].expr->kind, HY_EXPR_CONST);
  close_world(&w);
}
END_TEST

/* -- the typing column of ops.def, in words of its own -- */

static bool takes(hy_op op, hy_type a, hy_type b, hy_type c) {
  bool is_float = a == HY_F32 || a == HY_F64, is_stored = a == HY_F16 || a == HY_BF16;
  bool same = (hy_op_arity(op) < 2 || a == b) && (hy_op_arity(op) < 3 || a == c);
  switch (op) {
  case HY_OP_CAST: return true;
  case HY_OP_SELECT: return a == HY_BOOL && b == c;
  case HY_OP_AND:
  case HY_OP_OR: return a == HY_BOOL && b == HY_BOOL;
  case HY_OP_NOT: return a == HY_BOOL;
  case HY_OP_EQ:
  case HY_OP_NE: return a == b && !is_stored;
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE:
  case HY_OP_ADD:
  case HY_OP_SUB:
  case HY_OP_MUL:
  case HY_OP_DIV:
  case HY_OP_MIN:
  case HY_OP_MAX:
  case HY_OP_NEG:
  case HY_OP_ABS: return same && a != HY_BOOL && !is_stored;
  case HY_OP_MOD:
  case HY_OP_BIT_AND:
  case HY_OP_BIT_OR:
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_NOT:
  case HY_OP_SHL:
  case HY_OP_SHR:
  case HY_OP_POPCOUNT:
  case HY_OP_COUNT_LEADING_ZEROS:
  case HY_OP_COUNT_TRAILING_ZEROS: return same && a != HY_BOOL && !is_float && !is_stored;
  case HY_OP_F32_BITS: return a == HY_F32;
  case HY_OP_F64_BITS: return a == HY_F64;
  case HY_OP_F32_FROM_BITS: return a == HY_U32;
  case HY_OP_F64_FROM_BITS: return a == HY_U64;
  case HY_OP_F16_BITS: return a == HY_F16;
  case HY_OP_BF16_BITS: return a == HY_BF16;
  case HY_OP_F16_FROM_BITS:
  case HY_OP_BF16_FROM_BITS: return a == HY_U16;
  case HY_OP_SQRT:
  case HY_OP_FLOOR:
  case HY_OP_CEIL:
  case HY_OP_ROUND:
  case HY_OP_TRUNC:
  case HY_OP_SIN:
  case HY_OP_COS:
  case HY_OP_EXP:
  case HY_OP_LOG:
  case HY_OP_POW:
  case HY_OP_TAN:
  case HY_OP_ATAN:
  case HY_OP_ATAN2:
  case HY_OP_TANH:
  case HY_OP_ASIN:
  case HY_OP_ACOS:
  case HY_OP_SINH:
  case HY_OP_COSH:
  case HY_OP_ASINH:
  case HY_OP_ACOSH:
  case HY_OP_ATANH:
  case HY_OP_ERF:
  case HY_OP_FMA: return same && is_float;
  }
  return false;
}

START_TEST(operators_take_their_types) {
  for (int op = 0; op < HY_OP_COUNT; op++)
    for (int a = 0; a < TYPES; a++)
      for (int b = 0; b < TYPES; b++)
        for (int c = 0; c < TYPES; c++) {
          hy_type args[HY_MAX_ARITY] = {(hy_type)a, (hy_type)b, (hy_type)c}, result;
          bool fits = hy_op_result((hy_op)op, args, &result);
          ck_assert_msg(fits == takes((hy_op)op, args[0], args[1], args[2]), "%s of %s, %s, %s", hy_op_name((hy_op)op),
                        hy_type_name(args[0]), hy_type_name(args[1]), hy_type_name(args[2]));
        }
}
END_TEST

Suite *semantics_conditions_suite(void) {
  Suite *suite = suite_create("semantics_conditions");
  TCase *t = tcase_create("conditions");
  tcase_add_loop_test(t, constraints_are_read, 0, HY_COUNT(constraints));
  tcase_add_loop_test(t, needs_are_read, 0, HY_COUNT(needs));
  tcase_add_loop_test(t, equations_are_read, 0, HY_COUNT(equations));
  tcase_add_test(t, operators_take_their_types);
  suite_add_tcase(suite, t);
  return suite;
}
