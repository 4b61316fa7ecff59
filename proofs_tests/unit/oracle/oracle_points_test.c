#include "oracle/prover/evaluate.h"
#include "oracle/prover/points.h"
#include "oracle/prover/rational.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <string.h>

/* What the prover counts with: values at many points at once are those of one point at a time, and fractions of small
 * numbers are those of large ones.
 */

/* -- points -- */

enum { VARIABLES = 8, ROUNDS = 400 };

typedef struct {
  const hy_expr *unknowns[VARIABLES];
  hy_wide values[VARIABLES][HY_MOST_POINTS];
  uint32_t given[VARIABLES]; // the points at which it has a value
  int count, point;
} assignment;

static void see_variable(void *self, const hy_expr *node) {
  assignment *a = self;
  bool known = node->kind != HY_EXPR_VAR || a->count == VARIABLES;
  for (int i = 0; i < a->count; i++) known |= a->unknowns[i] == node;
  if (!known) a->unknowns[a->count++] = node;
}

static bool value_of(void *self, const hy_expr *unknown, hy_wide *value) {
  const assignment *a = self;
  for (int i = 0; i < a->count; i++)
    if (a->unknowns[i] == unknown && a->given[i] >> a->point & 1) return *value = a->values[i][a->point], true;
  return false;
}

static void assign(hy_points *points, assignment *a, uint64_t *seed) {
  for (int i = 0; i < a->count; i++) {
    a->given[i] = (uint32_t)questions_random(seed) | (uint32_t)questions_random(seed);
    bool is_bool = a->unknowns[i]->type == HY_BOOL;
    for (int p = 0; p < HY_MOST_POINTS; p++) {
      a->values[i][p] = (hy_wide)(questions_random(seed) % (is_bool ? 2 : 9)) - (is_bool ? 0 : 4);
      if (hy_type_class_of(a->unknowns[i]->type) == HY_CLASS_UNSIGNED && a->values[i][p] < 0) a->values[i][p] = 0;
      if (a->given[i] >> p & 1) hy_points_give(points, a->unknowns[i], p, a->values[i][p]);
    }
  }
}

START_TEST(agree_with_one_at_a_time) {
  questions *q = questions_new();
  uint64_t seed = 77 + (uint64_t)_i;
  questions_set_typed(q, _i % 2);
  int valued = 0, unvalued = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const hy_expr *formula = questions_random_formula(q, &seed, 4);
    assignment a = {0};
    hy_expr_visit(formula, see_variable, &a);
    hy_points *points = hy_points_new();
    assign(points, &a, &seed);
    uint32_t wanted = (uint32_t)questions_random(&seed);
    const hy_expr *missing[HY_MOST_POINTS] = {NULL};
    uint32_t there = hy_points_evaluate(points, formula, wanted, missing);
    ck_assert_uint_eq(there & ~wanted, 0);
    for (a.point = 0; a.point < HY_MOST_POINTS; a.point++) {
      hy_wide value, other;
      uint32_t bit = (uint32_t)1 << a.point;
      if (!(wanted & bit)) continue;
      bool has_value = hy_evaluate(formula, value_of, &a, &value);
      ck_assert_int_eq(has_value, (there & bit) != 0);
      valued += has_value;
      unvalued += missing[a.point] != NULL;
      if (!has_value) continue;
      ck_assert(missing[a.point] == NULL);
      ck_assert(hy_points_value(points, formula, a.point, &other) && other == value);
      ck_assert_int_eq((hy_points_false(points, formula, there) & bit) != 0, value == 0);
    }
    hy_points_free(points);
  }
  ck_assert(valued > 100 && unvalued > 100);
  questions_free(q);
}
END_TEST

START_TEST(name_what_is_missing) {
  questions *q = questions_new();
  const hy_expr *formula = questions_formula(q, "(x > 0 && y > 0) || z/x == 1");
  const hy_expr *x = hy_expr_var(questions_context(q), questions_variable(q, "x")),
                *y = hy_expr_var(questions_context(q), questions_variable(q, "y")),
                *z = hy_expr_var(questions_context(q), questions_variable(q, "z"));
  static const struct {
    int x, y, z; // 99 = none
    int missing; // 0 none, 1 x, 2 y, 3 z
    int value;   // -1 none
  } rows[] = {{99, 99, 99, 1, -1}, {1, 99, 99, 2, -1}, {1, 1, 99, 0, 1},  {-1, 99, 99, 3, -1}, {-1, 99, -1, 0, 1},
              {-1, 99, 1, 0, 0},   {0, 99, 5, 0, -1},  {1, 0, 99, 3, -1}, {1, 0, 1, 0, 1},     {1, 0, 2, 0, 0}};
  hy_points *points = hy_points_new();
  for (int i = 0; i < (int)HY_COUNT(rows); i++) {
    if (rows[i].x != 99) hy_points_give(points, x, i, rows[i].x);
    if (rows[i].y != 99) hy_points_give(points, y, i, rows[i].y);
    if (rows[i].z != 99) hy_points_give(points, z, i, rows[i].z);
  }
  const hy_expr *missing[HY_MOST_POINTS] = {NULL}, *names[] = {NULL, x, y, z};
  uint32_t there = hy_points_evaluate(points, formula, (1u << HY_COUNT(rows)) - 1, missing);
  for (int i = 0; i < (int)HY_COUNT(rows); i++) {
    hy_wide value = -1;
    ck_assert_msg(missing[i] == names[rows[i].missing], "row %d", i);
    ck_assert_int_eq(there >> i & 1, rows[i].value >= 0);
    if (rows[i].value >= 0) ck_assert(hy_points_value(points, formula, i, &value));
    ck_assert_int_eq((int)value, rows[i].value);
  }
  // What was missing can be given later, and the same asked again.
  hy_points_give(points, x, 0, 1);
  hy_points_give(points, y, 0, 1);
  ck_assert_uint_eq(hy_points_evaluate(points, formula, 1, missing), 1);
  ck_assert_uint_eq(hy_points_evaluate(points, formula, 0, missing), 0);
  hy_points_free(points);
  questions_free(q);
}
END_TEST

/* -- fractions -- */

static hy_wide slow_gcd(hy_wide a, hy_wide b) {
  while (b != 0) {
    hy_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

// Near 0, near 2^31, and on both sides of what the short ways take.
static hy_wide random_number(uint64_t *seed) {
  static const int bits[] = {3, 8, 31, 40, 61, 62, 63, 64, 70};
  uint64_t dice = questions_random(seed);
  hy_wide size = hy_wide_power_of_two(bits[dice % HY_COUNT(bits)]) - (hy_wide)(questions_random(seed) % 5);
  if (dice >> 20 & 1) size = (hy_wide)(questions_random(seed) % 1000);
  return dice >> 21 & 1 ? -size : size;
}

static hy_rational random_fraction(uint64_t *seed) {
  bool overflow = false;
  hy_wide den = random_number(seed);
  return hy_rational_make(random_number(seed), den == 0 ? 1 : den, &overflow);
}

static void check_lowest(hy_rational a) {
  ck_assert(a.den >= 1);
  ck_assert(slow_gcd(a.num, a.den) == 1);
}

START_TEST(are_exact) {
  uint64_t seed = 5 + (uint64_t)_i;
  int fine = 0, lost = 0;
  for (int round = 0; round < 20000; round++) {
    hy_rational a = random_fraction(&seed), b = random_fraction(&seed);
    bool overflow = false;
    hy_rational sum = hy_rational_add(a, b, &overflow), product = hy_rational_mul(a, b, &overflow);
    hy_rational back = hy_rational_sub(sum, b, &overflow);
    lost += overflow;
    if (overflow) continue;
    fine++;
    check_lowest(sum);
    check_lowest(product);
    ck_assert(back.num == a.num && back.den == a.den);
    ck_assert_int_eq(hy_rational_compare(sum, a, &overflow), b.num < 0 ? -1 : b.num > 0);
    if (b.num == 0) continue;
    hy_rational quotient = hy_rational_div(product, b, &overflow);
    ck_assert(overflow || (quotient.num == a.num && quotient.den == a.den));
  }
  ck_assert(fine > 5000 && lost > 100);
}
END_TEST

START_TEST(divisors_are_common) {
  uint64_t seed = 9;
  for (int round = 0; round < 20000; round++) {
    hy_wide a = random_number(&seed), b = random_number(&seed);
    ck_assert(hy_wide_gcd(a, b) == slow_gcd(a, b));
  }
  ck_assert(hy_wide_gcd(0, 0) == 0 && hy_wide_gcd(0, -6) == 6 && hy_wide_gcd(-6, 0) == 6);
}
END_TEST

Suite *oracle_points_suite(void) {
  Suite *suite = suite_create("oracle_points");
  TCase *points = tcase_create("points");
  tcase_set_timeout(points, 60);
  tcase_add_loop_test(points, agree_with_one_at_a_time, 0, 4);
  tcase_add_test(points, name_what_is_missing);
  suite_add_tcase(suite, points);
  TCase *fractions = tcase_create("fractions");
  tcase_set_timeout(fractions, 60);
  tcase_add_loop_test(fractions, are_exact, 0, 4);
  tcase_add_test(fractions, divisors_are_common);
  suite_add_tcase(suite, fractions);
  return suite;
}
