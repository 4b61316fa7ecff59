/* Lowering: what becomes of each part of an algorithm, as text; and the entry block's checks. */

#include "lower/lower.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *alg;
  const char *expected[4]; // pieces of the printed program, in this order
} rows[] = {
    {"a pure func: allocate, label, compute, loops with the first dimension innermost",
     "pipeline p() { fun f(x, y) = x + y; }",
     {"allocate f[(?mem.min(f, x), ?mem.len(f, x)), (?mem.min(f, y), ?mem.len(f, y))];",
      "label f: compute f on [(?cpu.min(f, x), ?cpu.len(f, x)), (?cpu.min(f, y), ?cpu.len(f, y))]",
      "for f.s0.y in (?cpu.min(f, y), ?cpu.len(f, y))", "for f.s0.x in (?cpu.min(f, x), ?cpu.len(f, x))"}}, // LOW.Stage
    {"stages that are not the last have holes of their own (D41)",
     "pipeline p() { fun f(x) = { 0; (x) <- f(x) + 1; }; }",
     {"for f.s0.x in (?for.min(f.s0.x, x), ?for.len(f.s0.x, x))", "f(f.s0.x) <- 0",
      "for f.s1.x in (?cpu.min(f, x), ?cpu.len(f, x))",
      "f(f.s1.x) <- f(f.s1.x) + 1"}}, // LOW.Func, LOW.Hole-Share, LOW.Assign
    {"r1 is the innermost loop",
     "pipeline p() { fun f(x) = { 0; rdom(r = (0, 3), q = (1, 4)) in (x) <- f(x) * 2 + r + q; }; }",
     {"for f.s1.x in", "for rdom f.s1.q in (1, 4)", "for rdom f.s1.r in (0, 3)", "f(f.s1.x) <- "}}, // LOW.RDom
    {"a pure dimension that a stage lacks has no loop (D41)",
     "pipeline p() { fun f(x, y) = { x; (x, 0) <- f(x, 0) + 1; }; }",
     {"label f.s1: for f.s1.x in", "f(f.s1.x, 0) <- f(f.s1.x, 0) + 1", NULL}}, // ALG.Dimension.Reduction
    {"a predicate is an if inside the innermost loop (D12)",
     "pipeline p() { fun f(x) = { 0; rdom(r = (0, 3)) in (x) <- r if r < x; }; }",
     {"for rdom f.s1.r in (0, 3)", "if (f.s1.r < f.s1.x)", "f(f.s1.x) <- f.s1.r", NULL}}, // LOW.Predicate
    {"a func without dimensions",
     "pipeline p() { fun s() = { 0; rdom(r = (0, 9)) in () <- s() + r; }; }",
     {"allocate s[];", "s() <- 0", "s() <- s() + s.s1.r", NULL}},
    {"parameters and the window lie within 2^31 (D25, D26)",
     "pipeline p(n: int) { fun f(x) = n; }",
     {"assume range: -2147483648 <= x.min", "assume range: 0 <= x.len",
      "assume range: -2147483648 <= n && n <= 2147483648", NULL}}, // LOW.Entry-Range
    {"an rdom's extent is not negative (D11)",
     "pipeline p(n: int) { fun f(x) = { 0; rdom(r = (0, n)) in (x) <- f(x) + r; }; }",
     {"assume rdom(f): n >= 0", NULL}},
    {"an rdom's bounds are defined (D27)",
     "pipeline p(n: int) { fun f(x) = { 0; rdom(r = (9 / n, 3)) in (x) <- f(x) + r; }; }",
     {"assume rdom(f): 9/n <= 9/n + 3", NULL}},
    {"an image holds what is needed (D14)",
     "pipeline p(in: u8[1]) { fun f(x) = in(x); }",
     {"assume image(in): ?need.len(in, 0) <= 0 || in.min(0) <= ?need.min(in, 0)",
      NULL}}, // LOW.Entry-Image, LOW.Pipeline
    {"a float that is loaded is held by its clamp",
     "pipeline p(in: f32[1], t: u8[1]) { fun g(x) = t(x); fun f(x) = g(int(clamp(in(x), 0.0, 1.0) * 8.0)); }",
     {"f(f.s0.x) <- g(clamp(int(clamp(in(f.s0.x), 0.0, 1.0)*8.0), 0, 8));", NULL}}, // LOW.Held
    {"a NaN is held, too: it gives 0",
     "pipeline p(in: f32[1], t: u8[1]) { fun g(x) = t(x); fun f(x) = g(int(min(in(x), 7.5)) / 2 + int(max(9.0, 0.0 / "
     "in(x)) * 0.0)); }",
     {"f(f.s0.x) <- g(int(min(in(f.s0.x), 7.5))/2 + int(max(9.0, 0.0/in(f.s0.x))*0.0));", NULL}},
    {"a small type is held, and a place to store",
     "pipeline p(in: u8[1]) { fun h(x) = { 0; rdom(r = (0, 9)) in (int(f32(in(r)) / 255.0 * 15.0)) <- h(int(f32(in(r)) "
     "/ 255.0 * 15.0)) + 1; }; }",
     {"h(clamp(int(f32(in(h.s1.r))/255.0*15.0), 0, 15)) <- h(clamp(int(f32(in(h.s1.r))/255.0*15.0), 0, 15)) + 1;",
      NULL}},
    {"a parameter of floats, a func of floats and one of ints are followed",
     "pipeline p(in: u8[1], t: u8[1], s: f32 in 0.5..2.0) { fun v(x) = f32(in(x)) * s; fun k(x) = int(v(x)); fun g(x) "
     "= t(x); "
     "fun f(x) = g(k(x) + int(round(v(x + 1) - 10.0))); }",
     {"k(k.s0.x) <- clamp(int(v(k.s0.x)), 0, 510);",
      "f(f.s0.x) <- g(k(f.s0.x) + clamp(int(round(v(f.s0.x + 1) - 1.0e1)), -10, 500));", NULL}},
    {"what bounds it already stays, and what is no address",
     "pipeline p(in: f32[1], t: u8[1]) { fun g(x) = t(x); fun f(x) = "
     "int(clamp(in(x), 0.0, 1.0) * 8.0) + int(g(clamp(int(clamp(in(x), 0.0, 1.0) * 8.0), 0, 3))); }",
     {"f(f.s0.x) <- int(clamp(in(f.s0.x), 0.0, 1.0)*8.0) + int(g(clamp(int(clamp(in(f.s0.x), 0.0, 1.0)*8.0), 0, 3)));",
      NULL}},
    {"what loads nothing stays: it follows the tile",
     "pipeline p(t: u8[1]) { fun g(x) = t(x); fun f(x) = g(int(clamp(f32(x), 0.0, 1.0) * 8.0)); }",
     {"f(f.s0.x) <- g(int(clamp(f32(f.s0.x), 0.0, 1.0)*8.0));", NULL}},
    {"of what indices are made of and no loop changes is said what it lies in",
     "pipeline p(t: u8[1], a: f32 in -3.2..3.2, b: f32) { fun g(x) = t(x); "
     "fun f(x, y) = g(int(cos(a) * f32(x) + sin(b) * f32(y) + abs(a) * cos(a))) + u8(tanh(a)); }",
     {"assume parameter: -1.0 <= cos(a) && cos(a) <= 1.0;",
      "assume parameter: -3.2 <= abs(a)*cos(a) && abs(a)*cos(a) <= 3.2;", "assume image(t)", NULL}}, // LOW.Entry-Float
    {"and of an int that is made of floats",
     "pipeline p(t: u8[1], s: f32 in 0.5..8.5) { fun g(x) = t(x); fun f(x) = g(x * (int(s) + 1) + int(floor(s))); }",
     {"assume parameter: 0 <= int(s) && int(s) <= 8;", "assume parameter: 0 <= int(floor(s)) && int(floor(s)) <= 8;",
      "assume image(t)", NULL}}, // LOW.Entry-Float
    {"funcs in the order of definition",
     "pipeline p() { fun a(x) = x; fun b(x) = a(x); fun c(x) = a(x) + b(x); }",
     {"label a: compute a", "label b: compute b", "label c: compute c", NULL}}, // LOW.Pipeline
};

START_TEST(lowered_as_the_paper_says) {
  test_program p;
  test_program_open(&p, rows[_i].alg, "");
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s: %s", rows[_i].name,
                test_program_said(&p));
  hy_text text = {0};
  hy_tgt_print(p.pipeline.steps[0], &text);
  const char *at = hy_text_string(&text);
  for (int i = 0; i < 4 && rows[_i].expected[i]; i++) {
    const char *found = strstr(at, rows[_i].expected[i]);
    ck_assert_msg(found != NULL, "%s: no \"%s\" in order in\n%.3000s", rows[_i].name, rows[_i].expected[i],
                  hy_text_string(&text));
    at = found;
  }
  hy_text_free(&text);
  test_program_close(&p);
}
END_TEST

// LOW.Unreached
START_TEST(what_the_output_does_not_reach_is_left_out_with_a_warning) {
  test_program p;
  test_program_open(
      &p,
      "pipeline p(in: u8[1], other: u8[1], n: int) { fun lost(x) = { other(x); rdom(r = (0, n)) in (x) <- "
      "u8(r); }; fun f(x) = in(x); }",
      "");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  ck_assert_int_eq(p.pipeline.steps[0]->func_count, 1);
  ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 0);
  ck_assert_int_eq(hy_diagnostics_at(p.diagnostics, 0)->code, HY_E_UNREACHABLE_FUNC);
  hy_text text = {0};
  hy_tgt_print(p.pipeline.steps[0], &text);
  ck_assert(!strstr(hy_text_string(&text), "lost"));
  ck_assert(!strstr(hy_text_string(&text), "assume image(other)")); // nothing reads it
  ck_assert(!strstr(hy_text_string(&text), "assume rdom"));         // nothing runs it (D11)
  hy_text_free(&text);
  test_program_close(&p);
}
END_TEST

// What is said of funcs that are not reached, once of what one line defines and somebody wrote, in order.
static const struct {
  const char *funcs, *said[3];
} unreached[] = {
    {"for k in 1..7 fun g[k](x) = in(x) + u8(k); fun o(x) = in(x);",
     {"'g_1' and 6 more of its family are never needed by the output 'o' and are not computed"}},
    {"for k in 0..3 fun g[k](x) = in(x) + u8(k); fun h(x) = g[1](x); fun o(x) = g[2](x) + g[0](x);",
     {"'g_1' and 1 more of its family are never needed by the output 'o' and are not computed",
      "'h' is never needed by the output 'o' and is not computed"}},
    {"for k in 0..1 fun g[k](x) = in(x) + u8(k); fun o(x) = g[1](x);",
     {"'g_0' is never needed by the output 'o' and is not computed"}},
    {"for k in 0..2 { fun g[k](x) = in(x); fun h[k](x) = in(x); } fun o(x) = in(x);",
     {"'g_0' and 2 more of its family are never needed by the output 'o' and are not computed",
      "'h_0' and 2 more of its family are never needed by the output 'o' and are not computed"}},
    {"fun g(x) = sum(rdom(r = (0, 3)) in in(x + r)); fun o(x) = in(x);",
     {"'g' is never needed by the output 'o' and is not computed"}},
    {"fun g(x) = sum(rdom(r = (0, 3)) in int(in(x + r))); fun o(x) = g(x);", {NULL}},
};

START_TEST(funcs_that_are_not_reached_are_told_once) {
  char source[400];
  test_program p;
  snprintf(source, sizeof source, "pipeline p(in: u8[1]) { %s }", unreached[_i].funcs);
  test_program_open(&p, source, "");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  int told = 0;
  for (size_t i = 0; i < hy_diagnostics_count(p.diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(p.diagnostics, i);
    if (d->code != HY_E_UNREACHABLE_FUNC) continue;
    const char *expected = told < (int)HY_COUNT(unreached[_i].said) ? unreached[_i].said[told] : NULL;
    ck_assert_msg(expected && strcmp(d->message, expected) == 0, "%s: %s", unreached[_i].funcs, d->message);
    told++;
  }
  ck_assert_msg(told == (int)HY_COUNT(unreached[_i].said) || !unreached[_i].said[told], "%s: %d warnings",
                unreached[_i].funcs, told);
  test_program_close(&p);
}
END_TEST

// LOW.Entry-Float: once, and not of what may be infinite or a NaN, of a parameter itself, or of what is no index.
START_TEST(nothing_else_is_said_of_floats) {
  test_program p;
  test_program_open(&p,
                    "pipeline p(t: u8[1], a: f32 in -3.2..3.2, b: f32) { fun g(x) = t(x); "
                    "fun f(x) = g(int(f32(x) * sin(b) + a * f32(x) - cos(a) + cos(a))) + u8(tanh(a) * f32(x)); }",
                    "");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  hy_text text = {0};
  hy_tgt_print(p.pipeline.steps[0], &text);
  int found = 0;
  for (const char *at = hy_text_string(&text); (at = strstr(at, "assume parameter:")); at++) found++;
  ck_assert_msg(found == 2, "%d, not the range of a and that of cos(a), in\n%s", found, hy_text_string(&text));
  hy_text_free(&text);
  test_program_close(&p);
}
END_TEST

START_TEST(scheduling_what_is_not_reached_is_an_error) {
  test_program p;
  test_program_open(&p, "pipeline p() { fun lost(x) = x; fun f(x) = x; }", "lost.vectorize(x, 4);");
  ck_assert(p.parsed && !hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  ck_assert_int_eq(test_program_code(&p), HY_E_SCHEDULE_UNREACHABLE);
  test_program_close(&p);
}
END_TEST

Suite *lower_suite(void) {
  Suite *suite = suite_create("lower");
  TCase *t = tcase_create("lower");
  tcase_add_loop_test(t, lowered_as_the_paper_says, 0, HY_COUNT(rows));
  tcase_add_test(t, what_the_output_does_not_reach_is_left_out_with_a_warning);
  tcase_add_loop_test(t, funcs_that_are_not_reached_are_told_once, 0, HY_COUNT(unreached));
  tcase_add_test(t, nothing_else_is_said_of_floats);
  tcase_add_test(t, scheduling_what_is_not_reached_is_an_error);
  suite_add_tcase(suite, t);
  return suite;
}
