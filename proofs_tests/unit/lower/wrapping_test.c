// Sums that wrap before they are divided or widened (HY0516): what is warned of, where, and what is not.

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define IN "pipeline p(in: u8[2]) { "
#define NEXT "in(x + 1, y)"

static const struct {
  const char *alg;
  const char *says[3]; // of one warning
} wrapped[] = {
    {IN "fun f(x, y) = (in(x, y) + " NEXT ") / 2; }",
     {"test.alg:1:39: warning[HY0516]: 'in(x, y) + in(x + 1, y)' is computed as u8 and wraps above 255 where it is "
      "510, "
      "and is divided after that",
      "help: write u16(in(x, y)) + u16(in(x + 1, y)); the average of the two is halving_add(in(x, y), in(x + 1, y)); "
      "or, where it is meant to wrap, u8(in(x, y) + in(x + 1, y))"}},
    {IN "fun f(x, y) = (in(x, y) + " NEXT " + 1) >> 1; }",
     {"where it is 511, and is shifted right after that",
      "write u16(in(x, y)) + u16(in(x + 1, y)) + 1; the average of the two is rounding_halving_add(in(x, y), in(x"}},
    {IN "fun f(x, y) = (in(x, y)*3 + " NEXT ") / 4; }", {"where it is 1020", "write u16(in(x, y))*3 + u16(in"}},
    {IN "fun f(x, y) = (in(x, y) - " NEXT ") / 2; }",
     {"wraps below 0 where it is -255, and is divided", "write i16(in(x, y)) - i16(in(x + 1, y)); or, where"}},
    // of an inline reduction what is added up is named
    {IN "fun f(x, y) = sum(rdom(r = (0, 3)) in in(x + r, y)) / 3; }",
     {"1:39: warning[HY0516]: the sum of 'in(x + r, y)' is computed as u8 and wraps above 255 where it is 765",
      "help: add up u16(in(x + r, y))\n"}},
    {"pipeline p(in: u8[2], n: int) { fun f(x, y) = sum(rdom(r = (0, n)) in in(x + r, y)) / 3; }",
     {"is computed as u8 and wraps above 255, and is divided"}},
    {IN "fun f(x, y) = (sum(rdom(r = (0, 300)) in u16(in(x + r, y))) + 1) / 300; }",
     {"is computed as u16 and wraps above 65535 where it is 76501"}},
    // conversions: to what is wider, and to floats
    {IN "fun f(x, y) = u16(in(x, y) + " NEXT ") / 2; }",
     {"and is converted to u16 after that", "write u16(in(x, y)) + u16(in(x + 1, y)); or, where"}},
    {IN "fun f(x, y) = f32(in(x, y) + " NEXT ") / 2.0; }",
     {"and is converted to f32 after that", "write f32(in(x, y)) + f32(in(x + 1, y)); or"}},
    {IN "fun f(x, y) = bf16(in(x, y) + " NEXT "); }", // in which nothing is computed
     {"and is converted to bf16 after that", "write f32(in(x, y)) + f32(in(x + 1, y)); or"}},
    {IN "fun f(x, y) = int(in(x, y) - " NEXT "); }", {"converted to int", "write int(in(x, y)) - int(in(x + 1, y))"}},
    // limited: above where it wraps above, below where it wraps below; by clamp, and under another limit
    {IN "fun f(x, y) = min(in(x, y) + 20, 255); }",
     {"1:43: ", "'in(x, y) + 20' is computed as u8 and wraps above 255 where it is 275, and is limited to at most 255",
      "help: write u8(min(u16(in(x, y)) + 20, 255)); which is saturating_add(in(x, y), 20); or, where it is meant to "
      "wrap, u8(in(x, y) + 20)"}},
    {IN "fun f(x, y) = min(in(x, y)*2, 200); }",
     {"wraps above 255 where it is 510, and is limited to at most 200", "write u8(min(u16(in(x, y))*2, 200)); or,"}},
    {IN "fun f(x, y) = max(in(x, y) - 20, 0); }",
     {"wraps below 0 where it is -20, and is limited to at least 0",
      "write u8(max(i16(in(x, y)) - 20, 0)); which is saturating_sub(in(x, y), 20); or,"}},
    {IN "fun f(x, y) = clamp(in(x, y) - 20, 10, 200); }",
     {"wraps below 0 where it is -20, and is limited to at least 10"}},
    // in lets and choices, in an index, in an update, in a helper
    {IN "fun f(x, y) = let s = in(x, y) + " NEXT " in select(x > 3, s, 1) / 2; }", {"1:47: ", "where it is 510"}},
    {IN "fun f(x, y) = max(min(in(x, y) + " NEXT ", 7), 1) / 2; }", {"1:47: ", "where it is 510"}},
    {IN "fun g(x) = x * 3; fun f(x, y) = g(int(in(x, y) + 1)); }", {"1:63: ", "'in(x, y) + 1' is computed as u8"}},
    {IN "fun f(x, y) = { 0; (x, y) <- (in(x, y) + in(x, y + 1)) / 2; }; }", {"1:54: ", "where it is 510"}},
    {IN "def mean(a, b) = (a + b) / 2; fun f(x, y) = mean(in(x, y), in(x, y + 1)); }",
     {"1:42: ", "'in(x, y) + in(x, "}},
    // what a func stores, where the func that reads it divides it
    {IN "fun s(x, y) = in(x, y) + " NEXT ";\n fun f(x, y) = s(x, y) / 2; }",
     {"test.alg:1:39: warning[HY0516]: 'in(x, y) + in(x + 1, y)' is computed as u8 and wraps above 255 where it is "
      "510, and 's' is divided after that, on line 2",
      "help: write u16(in(x, y)) + u16(in(x + 1, y)); "}},
    {IN "fun a(x, y) = in(x, y) / 9 + " NEXT " / 9; fun s(x, y) = a(x, y) + in(x, y); fun c(x, y) = s(x, y);\n"
        "fun f(x, y) = f32(c(x, y)) / 2.0; }",
     {"'a(x, y) + in(x, y)' is computed as u8 and wraps above 255 where it is 311, and 'c' is converted to f32 after "
      "that, on line 2"}},
    {IN "fun s(x, y) = { 0; rdom(r = (0, 9)) in (x, y) <- s(x, y) + in(x + r, y); };\n fun f(x, y) = s(x, y) / 9; }",
     {"1:74: ",
      "the sum of 'in(x + r, y)' is computed as u8 and wraps above 255 where it is 2295, and 's' is divided "
      "after that, on line 2",
      "help: add up u16(in(x + r, y))\n"}},
    {IN "fun s(x, y) = sum(rdom(r = (0, 9)) in in(x + r, y)); fun f(x, y) = s(x, y) >> 3; }",
     {"the sum of 'in(x + r, y)'", "and 's' is shifted right after that, on line 1"}},
    // absolute values of what has no sign
    {IN "fun f(x, y) = abs(in(x, y) - " NEXT "); }",
     {"'in(x, y) - in(x + 1, y)' is computed as u8 and wraps below 0 where it is -255, and its absolute value is taken",
      "help: write absd(in(x, y), in(x + 1, y)); or"}},
    {"pipeline p(in: u16[1]) { fun f(x) = abs(in(x) - in(x + 1)); }", {"help: write absd(in(x), in(x + 1)); or"}},
    // ranges: of a parameter, of a func, and of 16 bits
    {"pipeline p(in: u8[1], g: u8 in 0..9) { fun f(x) = (in(x) * g) / 4; }", {"where it is 2295, "}},
    {IN "fun g(x, y) = in(x, y) / 2 + 1; fun f(x, y) = (g(x, y) + g(x + 1, y)) / 2; }", {"where it is 256, "}},
    {IN "fun f(x, y) = (u16(in(x, y)) * 257 + 255) >> 8; }", {"is computed as u16", "write u32(in(x, y))*257 + 255"}},
    {"pipeline p(in: i8[1]) { fun f(x) = (in(x) + in(x + 1)) / 2; }",
     {"'in(x) + in(x + 1)' is computed as i8 and wraps "
      "above 127 where it is 254, ",
      "write i16(in(x)) + i16(in(x + 1)); "}},
};

static int count_wrapped(const test_program *p) {
  int count = 0;
  for (size_t i = 0; i < hy_diagnostics_count(p->diagnostics); i++)
    count += hy_diagnostics_at(p->diagnostics, i)->code == HY_E_WRAPPED_SUM;
  return count;
}

START_TEST(sums_that_wrap_are_warned_of) {
  test_program p;
  test_program_open(&p, wrapped[_i].alg, "");
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 0);
  ck_assert_msg(count_wrapped(&p) == 1, "%d warnings: %s\n%s", count_wrapped(&p), wrapped[_i].alg,
                test_program_said(&p));
  hy_text said = {0};
  hy_diagnostics_print(p.diagnostics, &said);
  for (int k = 0; k < 3 && wrapped[_i].says[k]; k++)
    ck_assert_msg(strstr(hy_text_string(&said), wrapped[_i].says[k]) != NULL, "no \"%s\" in\n%s", wrapped[_i].says[k],
                  hy_text_string(&said));
  hy_text_free(&said);
  test_program_close(&p);
}
END_TEST

static const char *const fine[] = {
    // nothing wraps
    IN "fun f(x, y) = (u16(in(x, y)) + u16(in(x + 1, y))) / 2; }",
    IN "fun f(x, y) = halving_add(in(x, y), in(x + 1, y)); }",
    IN "fun f(x, y) = (in(x, y) / 2 + in(x + 1, y) / 2) / 2; }",
    IN "fun f(x, y) = ((in(x, y) & 127) + 128) >> 1; }",
    IN "fun f(x, y) = (min(in(x, y), 84)*3 + 1) / 4; }",
    IN "fun f(x, y) = int(255 - in(x, y)); }",
    // what wraps in between does not count
    IN "fun f(x, y) = ((in(x, y) & 15) + 250 - 240) / 2; }",
    "pipeline p(in: u8[1], g: u8 in 0..9) { fun f(x) = (min(in(x), 28) * g) / 4; }",
    // of funcs, by what they store
    IN "fun g(x, y) = u16(in(x, y)) + u16(in(x, y + 1)); fun f(x, y) = (g(x, y) + g(x + 1, y) + g(x + 2, y)) / 6; }",
    IN "fun f(x, y) = (sum(rdom(r = (0, 9)) in u16(in(x + r, y))) + 4) / 9; }",
    IN "fun g(x, y) = { u16(0); rdom(r = (0, 9)) in (x, y) <- g(x, y) + u16(in(x + r, y)); }; "
       "fun f(x, y) = (g(x, y) + 4) / 9; }",
    IN "fun g(x, y) = { u16(0); (x, y) <- max(g(x, y), u16(in(x, y))); (x, y) <- g(x, y) / 2 + 1; }; "
       "fun f(x, y) = (g(x, y) + 4) / 9; }",
    // nothing that would tell it is done with it
    IN "fun f(x, y) = in(x, y) + in(x + 1, y); }",
    IN "fun f(x, y) = select(in(x, y) + in(x + 1, y) > 3, 1, 2) / 2; }",
    IN "fun f(x, y) = i8(in(x, y) - in(x + 1, y)) / 2; }",
    IN "fun f(x, y) = (in(x, y) + in(x + 1, y)) % 16; }",
    IN "fun f(x, y) = min(in(x, y) / 2 + 100, 200); }",
    IN "fun f(x, y) = min(in(x, y) + 20, in(x + 1, y)); }",
    IN "fun f(x, y) = min(in(x, y) - 20, 100) ^ max(in(x, y) + 20, 100); }",
    IN "fun f(x, y) = min(u8_sat(u16(in(x, y)) + 20), 255); }",
    IN "fun f(x, y) = min(saturating_add(in(x, y), 20), 255); }",
    IN "fun s(x, y) = in(x, y) + in(x + 1, y); fun f(x, y) = s(x, y) % 16; }",
    IN "fun s(x, y) = in(x, y) / 2 + in(x + 1, y) / 2; fun f(x, y) = s(x, y) / 2; }",
    IN "fun s(x, y) = u16(in(x, y)) + u16(in(x + 1, y)); fun f(x, y) = s(x, y) / 2; }",
    IN "fun s(x, y) = u8(in(x, y) + in(x + 1, y)); fun f(x, y) = s(x, y) / 2; }",
    IN "fun s(x, y) = in(x, y) - in(x + 1, y); fun f(x, y) = int(s(x, y)) + int(s(x, y) / 2); }",
    IN "fun s(x, y) = { 0; rdom(r = (0, 9)) in (x, y) <- s(x, y) + in(x + r, y) / 16; }; fun f(x, y) = s(x, y) / 9; }",
    "pipeline p(in: u16[1]) { fun s(x) = in(x) + in(x + 1); fun f(x) = s(x) / 2; }",
    "pipeline p(in: i8[1]) { fun f(x) = abs(in(x) - in(x + 1)); }",
    IN "fun f(x, y) = abs(255 - in(x, y)); }",
    // it is meant so
    IN "fun f(x, y) = min(u8(in(x, y) + 20), 255); }",
    IN "fun f(x, y) = u8(in(x, y) + in(x + 1, y)) / 2; }",
    IN "fun f(x, y) = ((in(x, y) + in(x + 1, y)) & 15) / 2; }",
    "pipeline p(in: u32[1]) { fun f(x) = ((in(x) * 2654435761) ^ (in(x) + 77)) >> 16; }",
    "pipeline p(in: i32[1]) { fun f(x) = (in(x) + in(x + 1)) / 2; }",
    // images of 16 bits, and domains without a bound, are believed to be small
    "pipeline p(in: u16[1]) { fun f(x) = (in(x) + in(x + 1) + 1) / 2; }",
    "pipeline p(in: u16[1]) { fun g(x) = in(x); fun f(x) = (u32(g(x) * 3) + u32(in(x) + 300)) / 2; }",
    "pipeline p(in: u8[1], n: int) { fun f(x) = sum(rdom(r = (0, n)) in u16(in(x + r))) / 9; }",
    // what a derived operator stands for, and what is not computed
    IN "fun f(x, y) = widening_add(in(x, y), in(x + 1, y)) / 2; }",
    IN "fun f(x, y) = saturating_add(in(x, y), in(x + 1, y)) / 2; }",
    IN "fun lost(x, y) = (in(x, y) + in(x + 1, y)) / 2; fun f(x, y) = in(x, y); }",
};

START_TEST(others_are_not) {
  test_program p;
  test_program_open(&p, fine[_i], "");
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  ck_assert_msg(count_wrapped(&p) == 0, "%s\n%s", fine[_i], test_program_said(&p));
  test_program_close(&p);
}
END_TEST

// A place of the text is said once: of a family, of a helper that is used twice, of a let that is.
START_TEST(once_for_each_place) {
  static const struct {
    const char *alg;
    int count;
  } rows[] = {
      {IN "for k in 0..3 fun g[k](x, y) = (in(x, y + k) + in(x + 1, y)) / 2; fun f(x, y) = g[0](x, y) + g[1](x, y) + "
          "g[2](x, y); }",
       1},
      {IN "def mean(a, b) = (a + b) / 2; fun f(x, y) = mean(in(x, y), in(x, y + 1)) ^ mean(in(x, y), in(x, y + 2)); }",
       1},
      {IN "fun f(x, y) = let s = in(x, y) + in(x + 1, y) in (s / 2) ^ (s / 3); }", 1},
      {IN "fun f(x, y) = ((in(x, y) + in(x + 1, y)) / 2) ^ ((in(x, y) + in(x + 2, y)) / 2); }", 2},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    test_program p;
    test_program_open(&p, rows[i].alg, "");
    ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
    ck_assert_msg(count_wrapped(&p) == rows[i].count, "%d: %s", count_wrapped(&p), rows[i].alg);
    test_program_close(&p);
  }
}
END_TEST

Suite *lower_wrapping_suite(void) {
  Suite *suite = suite_create("lower_wrapping");
  TCase *t = tcase_create("lower_wrapping");
  tcase_add_loop_test(t, sums_that_wrap_are_warned_of, 0, HY_COUNT(wrapped));
  tcase_add_loop_test(t, others_are_not, 0, HY_COUNT(fine));
  tcase_add_test(t, once_for_each_place);
  suite_add_tcase(suite, t);
  return suite;
}
