/* Contract real (DIR.RFactor.Real): the algorithm that a schedule with sums of floats in another order computes, how
 * far it is from the one that is written, and the bound on that.
 */

#include "halyard/reordered.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <math.h>
#include <string.h>

/* -- the meaning -- */

#define DOT "fun d() = { 0.0; rdom(r = (0, n)) in () <- d() + a(r)*a(r); };"
#define REAL "pipeline p(a: f32[1], n: int in 0..64) contract real { "
#define EXACT "pipeline p(a: f32[1], n: int in 0..64) { "

static const struct {
  const char *alg, *items;
  int count;           // of sums in another order
  const char *meaning; // its funcs; NULL: the algorithm itself
} rows[] = {
    {REAL DOT " }", "", 0, NULL},
    {REAL DOT " }", "d.update(0).rfactor(r, u);", 1,
     "  fun d_intm(u) = {\n    -0.0;\n    (u) <- d_intm(u) + a(u)*a(u);\n  };\n"
     "  fun d() = {\n    0.0;\n    rdom(r = (0, n)) in () <- d() + d_intm(r);\n  };\n"},
    {REAL DOT " fun o(x) = d() + f32(x); }", "d.update(0).split(r, ro, ri, 4).rfactor(ri, u);", 1,
     "  fun d_intm(u) = {\n    -0.0;\n    rdom(ro = (0, (n + 3)/4)) in (u) <- d_intm(u) + a(u + 4*ro)*a(u + 4*ro) "
     "if "
     "u + 4*ro < n;\n  };\n"
     "  fun d() = {\n    0.0;\n    rdom(ri = (0, 4)) in () <- d() + d_intm(ri);\n  };\n"
     "  fun o(x) = d() + f32(x);\n"},
    {REAL "fun m() = maximum(rdom(r = (0, n)) in a(r)); }", "m_maximum.update(0).rfactor(r, u);", 1,
     "  fun m_maximum_intm(u) = {\n    -1.0/0.0;\n    (u) <- max(m_maximum_intm(u), a(u));\n  };\n"
     "  fun m_maximum() = {\n    -1.0/0.0;\n    rdom(r = (0, n)) in () <- max(m_maximum(), m_maximum_intm(r));\n  "
     "};\n"},
    {REAL "fun m() = { 9.0; rdom(r = (0, n)) in () <- min(a(r), m()); }; }", "m.update(0).rfactor(r, u);", 1,
     "  fun m_intm(u) = {\n    1.0/0.0;\n    (u) <- min(a(u), m_intm(u));\n  };\n"
     "  fun m() = {\n    9.0;\n    rdom(r = (0, n)) in () <- min(m(), m_intm(r));\n  };\n"},
    // what floats have no part in is as it is
    {REAL "fun c(x) = { i32(0); rdom(r = (0, n)) in (x) <- c(x) + i32(r); }; }", "c.update(0).rfactor(r, u);", 0, NULL},
    {EXACT "fun c(x) = { i32(0); rdom(r = (0, n)) in (x) <- c(x) + i32(r); }; }", "c.update(0).rfactor(r, u);", 0,
     NULL},
};

// DIR.RFactor.Real
START_TEST(the_schedule_says_the_order) {
  test_program p;
  test_program_open(&p, rows[_i].alg, rows[_i].items);
  ck_assert_msg(hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  ck_assert_int_eq(hy_reordered_count(&p.pipeline), rows[_i].count);
  hy_text text = {0};
  hy_alg_print(p.pipeline.meaning, &text);
  if (rows[_i].meaning)
    ck_assert_msg(strstr(hy_text_string(&text), rows[_i].meaning) != NULL, "%s", hy_text_string(&text));
  else
    ck_assert_ptr_eq(p.pipeline.meaning, p.pipeline.alg);
  ck_assert(!p.pipeline.meaning->floats_in_any_order || p.pipeline.meaning == p.pipeline.alg);
  hy_text_free(&text);
  test_program_close(&p);
}
END_TEST

/* -- how far, and how far at most -- */

#define SUM "fun s() = { 0.0; rdom(r = (0, n)) in () <- s() + a(r); }; }"
#define LEAST "fun s() = { 5.0; rdom(r = (0, n)) in () <- min(s(), a(r)); }; }"
#define GREATEST "fun s() = { -1.0/0.0; rdom(r = (0, n)) in () <- max(s(), a(r)); }; }"
#define FROM_NAN "fun s() = { 0.0/0.0; rdom(r = (0, n)) in () <- max(s(), a(r)) if r > 3; }; }"
#define HALVES "s.update(0).split(r, ro, ri, 2).rfactor(ri, u);"

static const struct {
  const char *alg;
  float a[8]; // n = 8
  const char *items;
  double difference; // of the two
  uint64_t unbounded;
} sums[] = {
    {SUM, {1, 2, 3, 4, 5, 6, 7, 8}, "s.update(0).rfactor(r, u);", 0, 0},
    // one after the other 1 is lost, and the last one is not; in two lanes both are
    {SUM, {1, 1e8F, -1e8F, 1, 0, 0, 0, 0}, HALVES, 1, 0},
    {SUM, {1, 1e8F, -1e8F, 1, 0, 0, 0, 0}, "s.update(0).split(r, ro, ri, 2).rfactor(ro, u);", 1, 0},
    {SUM, {1, INFINITY, 1, 1, 1, 1, 1, 1}, "s.update(0).rfactor(r, u);", 0, 1},
    {SUM, {1, NAN, 1, 1, 1, 1, 1, 1}, "s.update(0).rfactor(r, u);", 0, 1},
    {SUM, {3e38F, 3e38F, -3e38F, -3e38F, 1, 1, 1, 1}, HALVES, 0, 1},
    // of min and max there is one answer
    {LEAST, {1, 2, 3, -4, 5, 6, -7, 8}, "s.update(0).rfactor(r, u);", 0, 0},
    {LEAST, {6, 7, 8, 9, 6, 7, 8, 9}, HALVES, 0, 0},
    {LEAST, {INFINITY, 2, 3, -INFINITY, 5, 6, -7, 8}, HALVES, 0, 0},
    {LEAST, {0.0F, -0.0F, 0.0F, 1, -0.0F, 0.0F, 1, 1}, HALVES, 0, 0},
    {GREATEST, {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY}, HALVES, 0, 0},
    {GREATEST, {3e38F, 1, 2, 3, 4, 5, 6, 7}, HALVES, 0, 0},
    // but of a NaN: in one order 1 is left, in the other 3
    {LEAST, {0, 3, NAN, 4, 2, 5, 6, 7}, HALVES, 0, 1},
    {GREATEST, {9, NAN, 1, 2, 3, 4, 5, 6}, "s.update(0).rfactor(r, u);", 0, 1},
    {FROM_NAN, {1, 2, 3, 4, 5, 6, 7, 8}, HALVES, 0, 1},
};

START_TEST(differences_are_within_the_bound) {
  test_program p;
  hy_text alg = {0};
  hy_text_printf(&alg, "%s%s", REAL, sums[_i].alg);
  test_program_open(&p, hy_text_string(&alg), sums[_i].items);
  ck_assert_msg(hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  hy_buffer *a = hy_buffer_new(HY_F32, 1, (int64_t[]){0}, (int64_t[]){8});
  memcpy(a->data, sums[_i].a, sizeof sums[_i].a);
  hy_value n = hy_value_int(8);
  const hy_buffer *images[] = {a};
  hy_input input = {&n, images, (int64_t[]){0}, (int64_t[]){0}};
  hy_reordering found;
  ck_assert(hy_reordered_compare(&p.pipeline, &input, 1000, &found));
  ck_assert(!found.differs_more);
  ck_assert_uint_eq(found.unbounded, sums[_i].unbounded);
  ck_assert_uint_eq(found.points, 1 - sums[_i].unbounded);
  ck_assert(found.difference == sums[_i].difference);
  // eight summands, a start and two orders: no more than 100 half units of the magnitudes
  double magnitudes = 0;
  for (int i = 0; i < 8; i++) magnitudes += fabs((double)sums[_i].a[i]);
  bool is_sum = strcmp(sums[_i].alg, SUM) == 0;
  if (!sums[_i].unbounded && is_sum) ck_assert(found.bound > 0 && found.bound < 100 * 0x1p-24 * magnitudes);
  if (!is_sum) ck_assert(found.bound == 0);
  hy_buffer_free(a);
  hy_text_free(&alg);
  test_program_close(&p);
}
END_TEST

static const hy_expr *with_another_start(void *self, const hy_expr *node) {
  hy_value five = hy_value_from_double(HY_F32, 5), zero = hy_value_from_double(HY_F32, -0.0);
  bool starts = node->kind == HY_EXPR_CONST && hy_value_same(node->value, zero);
  return starts ? hy_expr_const(self, five) : node;
}

// Parts that begin with 5 are no sum of the same numbers: that is further off than any order.
START_TEST(another_sum_is_told) {
  test_program p;
  test_program_open(&p, REAL "fun s() = { 0.0; rdom(r = (0, n)) in () <- s() + a(r); }; }",
                    "s.update(0).rfactor(r, u);");
  ck_assert(hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  hy_tgt wrong = *p.pipeline.steps[1];
  wrong.body = hy_stmt_map_exprs(p.context, wrong.body, with_another_start, p.context);
  ck_assert_ptr_ne(wrong.body, p.pipeline.steps[1]->body);
  p.pipeline.steps[1] = &wrong;
  hy_buffer *a = hy_buffer_new(HY_F32, 1, (int64_t[]){0}, (int64_t[]){8});
  hy_value n = hy_value_int(8);
  const hy_buffer *images[] = {a};
  hy_input input = {&n, images, (int64_t[]){0}, (int64_t[]){0}};
  hy_reordering found;
  ck_assert(hy_reordered_compare(&p.pipeline, &input, 1000, &found));
  ck_assert(found.differs_more);
  ck_assert(found.difference == 40 && found.bound < 1);
  hy_buffer_free(a);
  test_program_close(&p);
}
END_TEST

START_TEST(too_long_is_not_compared) {
  test_program p;
  test_program_open(&p, REAL "fun s() = { 0.0; rdom(r = (0, n)) in () <- s() + f32(r); }; }",
                    "s.update(0).rfactor(r, u);");
  ck_assert(hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  hy_buffer *a = hy_buffer_new(HY_F32, 1, (int64_t[]){0}, (int64_t[]){0});
  hy_value n = hy_value_int(64);
  const hy_buffer *images[] = {a};
  hy_input input = {&n, images, (int64_t[]){0}, (int64_t[]){0}};
  hy_reordering found;
  ck_assert(!hy_reordered_compare(&p.pipeline, &input, 3, &found));
  ck_assert_uint_eq(found.points, 0);
  hy_buffer_free(a);
  test_program_close(&p);
}
END_TEST

Suite *halyard_reordered_suite(void) {
  Suite *suite = suite_create("halyard_reordered");
  TCase *tests = tcase_create("reordered");
  tcase_add_loop_test(tests, the_schedule_says_the_order, 0, HY_COUNT(rows));
  tcase_add_loop_test(tests, differences_are_within_the_bound, 0, HY_COUNT(sums));
  tcase_add_test(tests, another_sum_is_told);
  tcase_add_test(tests, too_long_is_not_compared);
  suite_add_tcase(suite, tests);
  return suite;
}
