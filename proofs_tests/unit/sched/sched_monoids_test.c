/* Decision D87: each row of sched/funcs/monoids.def is associative and commutative, with its identity, on every type
 * that it names: all triples of 8 bits by trying them, and all of every width by Z3 over bit-vectors. What is not in it
 * is shown not to be.
 */

#include "proofs_tests/suites.h"
#include "sched/funcs/monoid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const hy_op operators[] = {HY_OP_ADD,    HY_OP_SUB,     HY_OP_MUL, HY_OP_MIN, HY_OP_MAX, HY_OP_BIT_AND,
                                  HY_OP_BIT_OR, HY_OP_BIT_XOR, HY_OP_AND, HY_OP_OR,  HY_OP_DIV, HY_OP_MOD};
static const hy_type all_types[] = {HY_BOOL, HY_U8,  HY_I8,  HY_U16, HY_I16, HY_U32,
                                    HY_I32,  HY_U64, HY_I64, HY_INT, HY_F32, HY_F64};

/* -- trying -- */

static uint8_t byte_of(hy_op op, hy_type type, int a, int b) {
  hy_value args[] = {hy_value_integral(type, a), hy_value_integral(type, b)};
  return (uint8_t)hy_value_apply(op, type, args).u;
}

static void try_all(hy_op op, hy_type type, hy_value identity) {
  static uint8_t result[256][256];
  const int count = type == HY_BOOL ? 2 : 256;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) result[a][b] = byte_of(op, type, a, b);
  const int one = (uint8_t)identity.u;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      ck_assert_msg(result[a][b] == result[b][a] && result[a][one] == a && result[one][a] == a, "%s on %s: %d, %d",
                    hy_op_name(op), hy_type_name(type), a, b);
      for (int c = 0; c < count; c++)
        if (result[result[a][b]][c] != result[a][result[b][c]])
          ck_abort_msg("%s on %s: %d, %d, %d", hy_op_name(op), hy_type_name(type), a, b, c);
    }
}

// DIR.RFactor (D87)
START_TEST(rows_are_tried) {
  static const hy_type types[] = {HY_BOOL, HY_U8, HY_I8};
  int tried = 0;
  for (size_t i = 0; i < HY_COUNT(operators); i++)
    for (size_t k = 0; k < HY_COUNT(types); k++) {
      hy_value identity;
      if (!hy_monoid_find(operators[i], types[k], &identity)) continue;
      try_all(operators[i], types[k], identity);
      tried++;
    }
  ck_assert_int_eq(tried, 2 + 2 * 7);
}
END_TEST

/* -- Z3 -- */

static const char *term_of(hy_op op, bool is_signed) {
  switch ((int)op) {
  case HY_OP_ADD: return "(bvadd a b)";
  case HY_OP_MUL: return "(bvmul a b)";
  case HY_OP_MIN: return is_signed ? "(ite (bvslt a b) a b)" : "(ite (bvult a b) a b)";
  case HY_OP_MAX: return is_signed ? "(ite (bvsgt a b) a b)" : "(ite (bvugt a b) a b)";
  case HY_OP_BIT_AND: return "(bvand a b)";
  case HY_OP_BIT_OR: return "(bvor a b)";
  case HY_OP_BIT_XOR: return "(bvxor a b)";
  default: return NULL;
  }
}

// Is there a triple that it is not associative or commutative on, or a number that its identity does not leave as it
// is?
static bool z3_refutes(hy_op op, hy_type type, hy_value identity) {
  int bits = hy_type_bits(type);
  bool is_signed = hy_type_class_of(type) != HY_CLASS_UNSIGNED;
  char path[] = "/tmp/halyard_monoid_XXXXXX", command[64], line[64] = "", text[1024];
  uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  int length = snprintf(text, sizeof text,
                        "(define-sort T () (_ BitVec %d))\n(define-fun op ((a T) (b T)) T %s)\n"
                        "(declare-const x T)(declare-const y T)(declare-const z T)\n(define-fun e () T (_ bv%llu %d))\n"
                        "(assert (or (distinct (op (op x y) z) (op x (op y z))) (distinct (op x y) (op y x)) "
                        "(distinct (op x e) x)))\n(check-sat)\n",
                        bits, term_of(op, is_signed), (unsigned long long)(identity.u & mask), bits);
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, text, (size_t)length), length);
  close(file);
  snprintf(command, sizeof command, "z3 -T:60 %s", path);
  FILE *out = popen(command, "r");
  ck_assert_ptr_nonnull(out);
  if (!fgets(line, sizeof line, out)) line[0] = '\0';
  pclose(out);
  unlink(path);
  ck_assert_msg(strcmp(line, "sat\n") == 0 || strcmp(line, "unsat\n") == 0, "%s: %s", text, line);
  return line[0] == 's';
}

START_TEST(rows_are_proved_by_z3) {
  if (system("command -v z3 >/dev/null 2>&1") != 0) return; // the program is optional
  hy_value identity;
  for (size_t k = 0; k < HY_COUNT(all_types); k++)
    if (hy_monoid_find(operators[_i], all_types[k], &identity) && term_of(operators[_i], true))
      ck_assert_msg(!z3_refutes(operators[_i], all_types[k], identity), "%s on %s", hy_op_name(operators[_i]),
                    hy_type_name(all_types[k]));
}
END_TEST

START_TEST(z3_sees_a_wrong_identity) {
  if (system("command -v z3 >/dev/null 2>&1") != 0) return;
  ck_assert(z3_refutes(HY_OP_MUL, HY_I32, hy_value_zero(HY_I32)));
  ck_assert(z3_refutes(HY_OP_MIN, HY_U16, hy_value_integral(HY_U16, 65534)));
}
END_TEST

/* -- what is no row, with what shows that it is none -- */

static const struct {
  hy_op op;
  hy_type type;
  int64_t a, b, c;
} none[] = {
    {HY_OP_SUB, HY_I32, 0, 1, 1},          {HY_OP_DIV, HY_I32, 8, 4, 2},         {HY_OP_MOD, HY_I32, 7, 5, 3},
    {HY_OP_ADD, HY_INT, INT64_MAX, 1, -1}, {HY_OP_MUL, HY_INT, INT64_MAX, 2, 0},
};

START_TEST(what_is_no_row_is_none) {
  hy_type type = none[_i].type;
  hy_op op = none[_i].op;
  hy_value identity, a = hy_value_integral(type, none[_i].a), b = hy_value_integral(type, none[_i].b),
                     c = hy_value_integral(type, none[_i].c);
  ck_assert(!hy_monoid_find(op, type, &identity));
  hy_value left = hy_value_apply(op, type, (hy_value[]){hy_value_apply(op, type, (hy_value[]){a, b}), c});
  hy_value right = hy_value_apply(op, type, (hy_value[]){a, hy_value_apply(op, type, (hy_value[]){b, c})});
  ck_assert_msg(!hy_value_same(left, right), "%s on %s", hy_op_name(op), hy_type_name(type));
}
END_TEST

START_TEST(floats_are_no_row) {
  hy_value identity, one = hy_value_from_double(HY_F32, 1), large = hy_value_from_double(HY_F32, 1e30),
                     less = hy_value_from_double(HY_F32, -1e30);
  for (size_t i = 0; i < HY_COUNT(operators); i++)
    ck_assert(!hy_monoid_find(operators[i], HY_F32, &identity) && !hy_monoid_find(operators[i], HY_F64, &identity));
  hy_value sum = hy_value_apply(HY_OP_ADD, HY_F32, (hy_value[]){one, large});
  ck_assert(hy_value_apply(HY_OP_ADD, HY_F32, (hy_value[]){sum, less}).f32 == 0.0F);
  sum = hy_value_apply(HY_OP_ADD, HY_F32, (hy_value[]){large, less});
  ck_assert(hy_value_apply(HY_OP_ADD, HY_F32, (hy_value[]){one, sum}).f32 == 1.0F);
}
END_TEST

// What the refusals of min and max of floats say.
START_TEST(nan_and_zero_depend_on_the_order) {
  hy_value one = hy_value_from_double(HY_F32, 1), two = hy_value_from_double(HY_F32, 2);
  hy_value nan = hy_value_from_double(HY_F32, NAN), zero = hy_value_from_double(HY_F32, 0);
  hy_value minus = hy_value_from_double(HY_F32, -0.0);
  static const hy_op extrema[] = {HY_OP_MIN, HY_OP_MAX};
  for (size_t i = 0; i < HY_COUNT(extrema); i++) {
    hy_op op = extrema[i];
    hy_value first = op == HY_OP_MIN ? one : two, last = op == HY_OP_MIN ? two : one;
    hy_value left =
        hy_value_apply(op, HY_F32, (hy_value[]){hy_value_apply(op, HY_F32, (hy_value[]){first, nan}), last});
    hy_value right =
        hy_value_apply(op, HY_F32, (hy_value[]){first, hy_value_apply(op, HY_F32, (hy_value[]){nan, last})});
    ck_assert(left.f32 == last.f32 && right.f32 == first.f32);
    ck_assert(signbit(hy_value_apply(op, HY_F32, (hy_value[]){zero, minus}).f32));
    ck_assert(!signbit(hy_value_apply(op, HY_F32, (hy_value[]){minus, zero}).f32));
  }
}
END_TEST

Suite *sched_monoids_suite(void) {
  Suite *suite = suite_create("sched_monoids");
  TCase *t = tcase_create("monoids");
  tcase_set_timeout(t, 300);
  tcase_add_test(t, rows_are_tried);
  tcase_add_loop_test(t, rows_are_proved_by_z3, 0, HY_COUNT(operators));
  tcase_add_test(t, z3_sees_a_wrong_identity);
  tcase_add_loop_test(t, what_is_no_row_is_none, 0, HY_COUNT(none));
  tcase_add_test(t, floats_are_no_row);
  tcase_add_test(t, nan_and_zero_depend_on_the_order);
  suite_add_tcase(suite, t);
  return suite;
}
