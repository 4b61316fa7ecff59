/* The oracle's fills, as text: tight where the decisions ask for it. Rows: program, the statement to look for. */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) { fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"                           \
  " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }"
#define SCAN(range, index)                                                                                             \
  "pipeline scan() { fun c(i) = { i; rdom(r = " range ") in (r) <- c(r) + c(" index "); }; fun o(x) = c(x); }"

static const struct {
  const char *name, *alg, *items, *expected;
} fills[] = {
    {"hull of a stencil", BLUR, "", "compute bh on [(x.min, x.len), (y.min - 1, y.len + 2)]"}, // ORA.Cpu
    {"what an image must hold (D14)", BLUR, "",
     "in.min(0) <= x.min - 1 && x.min - 1 + (x.len + 2) <= in.min(0) + in.len(0)"},
    {"what two funcs need of an image (D14)",
     "pipeline p(in: u8[1]) { fun a(x) = in(2*x); fun o(x) = a(x) + in(x + 9); }", "",
     "assume image(in): in.min(0) <= min(2*x.min, x.min + 9) && "}, // ORA.Need
    {"clamped against the guard (D40)", BLUR, "split(bv.y, yo, yi, 32); bh.compute_at(bv, yo);",
     "compute bh on [(x.min, x.len), (y.min + 32*bv.s0.yo - 1, min(y.len - 32*bv.s0.yo + 2, 34))]"},
    {"clamped against the guard, inner loop (D40)", BLUR, "split(bv.y, yo, yi, 32); bh.compute_at(bv, yi);",
     "compute bh on [(x.min, x.len), (y.min + 32*bv.s0.yo + bv.s0.yi - 1, clamp(y.len - 32*bv.s0.yo - bv.s0.yi + 2, 0, "
     "3))]"},
    {"empty boxes are skipped (D60)", BLUR, "split(bv.y, yo, yi, 32); bh.compute_at(bv, yi);",
     "y.min - 1 + (y.len + 2) <= in.min(1) + in.len(1)"},
    {"round enlarges Mem, not Cpu (D32, D53)", "pipeline p(in: u8[1]) { fun a(x) = in(x) * 3; fun o(x) = a(x); }",
     "split(o.x, xo, xi, 8, round);",
     "allocate a[(x.min, 8*((x.len + 7)/8))];\n  label a: compute a on [(x.min, x.len)]"}, // ORA.Mem
    {"round of a fused loop leaves the outer dimension (D53)",
     "pipeline p(in: u8[2]) { fun a(x, y) = in(x, y) * 3; fun o(x, y) = a(x, y); }",
     "fuse(o.y, x, f); split(o.f, fo, fi, 8, round);",
     "allocate a[(x.min, x.len), (y.min, (8*((x.len*y.len + 7)/8) - 1)/x.len + 1)]"},
    {"round enlarges what is read of an image", "pipeline p(in: u8[1]) { fun o(x) = in(x); }",
     "split(o.x, xo, xi, 8, round);", "x.min + 8*((x.len + 7)/8) <= in.min(0) + in.len(0)"},
    {"round enlarges what is read of an image in that copy alone", // ORA.Need
     "pipeline p(in: u8[1]) { fun o(x) = in(x); }", "o.specialize(o.len(0) % 3 == 1).split(x, xo, xi, 8, round);",
     "x.min + select(x.len%3 == 1, 8*((x.len + 7)/8), x.len) <= in.min(0) + in.len(0)"},
    {"the blocks of a copy that are whole", // ORA.Need
     "pipeline p(in: u8[1]) { fun o(x) = in(x); }", "o.specialize(o.len(0) % 16 == 0).split(x, xo, xi, 8, round);",
     "assume image(in): in.min(0) <= x.min && x.min + x.len <= in.min(0) + in.len(0)"},
    {"copies of two funcs, one of them with the same condition", // ORA.Need
     "pipeline p(in: u8[1], n: int) { fun g(x) = in(x); fun o(x) = g(x); }",
     "o.specialize(n == 1).split(x, xo, xi, 8, round); g.compute_root().specialize(n == 1).split(x, xo, xi, 4, round)"
     ".specialize(n < 7).split(x, xo, xi, 16, round);",
     "x.min + select(n == 1, 4*((x.len + 3)/4), select(n < 7, 16*((x.len + 15)/16), x.len)) <= in.min(0) + in.len(0)"},
    {"tiles that are read at half their coordinates", // ORA.Quotient
     "pipeline p(in: u8[1]) { fun g(x) = in(x / 2); fun o(x) = g(x); }", "o.split(x, xo, xi, 32); g.compute_at(o, xo);",
     "x.min/2 + ((x.min + x.len + 1)/2 - x.min/2) <= in.min(0) + in.len(0)"},
    {"tiles that are read at a quarter, twice, in steps of three, from the other side", // ORA.Quotient
     "pipeline p(in: u8[1]) { fun g(x) = in(7 - 3 * (x / 2 / 4)); fun o(x) = g(x); }",
     "o.split(x, xo, xi, 32); g.compute_at(o, xo);",
     "assume image(in): in.min(0) <= 10 - 3*((x.min + x.len + 7)/8) && 10 - 3*((x.min + x.len + 7)/8) + "
     "(3*((x.min + x.len + 7)/8) - 3*(x.min/8) - 2) <= in.min(0) + in.len(0)"},
    {"tiles that are read in strides of a parameter", // ORA.Factor
     "pipeline p(in: u8[1], s: int in 1..8) { fun g(x) = in(x * s); fun o(x) = g(x); }",
     "o.split(x, xo, xi, 32); g.compute_at(o, xo);",
     "assume image(in): in.min(0) <= s*x.min && s*x.min + (s*x.len - s + 1) <= in.min(0) + in.len(0)"},
    {"the same backwards", // ORA.Factor
     "pipeline p(in: u8[1], s: int in -8..-1) { fun g(x) = in(x * s); fun o(x) = g(x); }",
     "o.split(x, xo, xi, 32); g.compute_at(o, xo);",
     "assume image(in): in.min(0) <= s*x.min + s*x.len - s && s*x.min + s*x.len - s + (s - s*x.len + 1) <= in.min(0) + "
     "in.len(0)"},
    {"shift reaches below a short window (D31)", "pipeline p(in: u8[1]) { fun o(x) = in(x); }",
     "split(o.x, xo, xi, 8, shift);", "allocate o[(min(x.min, x.min + x.len - 8), max(x.len, 8))]"},
    {"storage outside of the computation", BLUR, "bh.store_root().compute_at(bv, y);",
     "allocate bh[(x.min, x.len), (y.min - 1, y.len + 2)]"},
    {"downsampling", "pipeline p(in: u8[1]) { fun a(x) = in(x); fun o(x) = a(2*x) + a(2*x + 1); }", "",
     "compute a on [(2*x.min, 2*x.len)]"},
    {"upsampling", "pipeline p(in: u8[1]) { fun a(x) = in(x); fun o(x) = a(x / 2); }", "",
     "compute a on [(x.min/2, (x.min + x.len + 1)/2 - x.min/2)]"},
    {"transpose", "pipeline p(in: u8[2]) { fun a(x, y) = in(x, y); fun o(x, y) = a(y, x); }", "",
     "compute a on [(y.min, y.len), (x.min, x.len)]"},
    {"a table, bounded by the type (D14)", "pipeline p(in: u8[1]) { fun t(i) = i * 2; fun o(x) = t(int(in(x))); }", "",
     "compute t on [(0, 256)]"},
    {"a table, bounded by arithmetic (D14)",
     "pipeline p(in: u16[1]) { fun t(i) = i * 2; fun o(x) = t(int(in(x) >> 12)); }", "", "compute t on [(0, 16)]"},
    {"a table, clamped (D14)", "pipeline p(in: i32[1]) { fun t(i) = i * 2; fun o(x) = t(clamp(int(in(x)), -3, 9)); }",
     "", "compute t on [(-3, 13)]"},
    {"a scan reaches down only (D61)", SCAN("(1, 99)", "r - 1"), "",
     "compute c on [(min(x.min, 0), max(x.len, x.min + x.len))]"}, // ORA.Closure
    {"a scan the other way reaches up only (D61)", SCAN("(0, 99)", "r + 1"), "", "compute c on [(x.min, "},
    {"an rdom as wide as a parameter",
     "pipeline p(w: int) { fun f(x) = x; fun o(x) = { 0; rdom(r = (-w, 2*w + 1)) in (x) <- o(x) + f(x + r); }; }", "",
     "compute f on [(x.min - w, 2*w + x.len)]"},
    {"a histogram writes all of its bins (D54)",
     "pipeline p(in: u8[1]) { fun h(i) = { 0; rdom(r = (0, 9)) in (int(in(r))) <- h(int(in(r))) + 1; }; fun o(i) = "
     "h(i); }",
     "",
     "allocate h[(min(i.min, 0), max(i.min + i.len - 1, 255) - min(i.min, 0) + 1)];\n  label h: compute h on [(i.min, "
     "i.len)]"},
    {"no more than a predicate leaves", // ORA.Predicate
     "pipeline p(n: int) { fun f(x) = x; fun o(x) = { 0; rdom(a = (0, 4), b = (0, 9)) in (x) <- o(x) + f(a + 4*b + 1) "
     "if x != 3 && a + 4*b < n; }; }",
     "", "compute f on [(1, clamp(n, 0, 36))]"},
    {"through floats, at the ends", // ORA.Float
     "pipeline p(s: f32 in 0.5..2.0) { fun f(x) = x; fun o(x) = f(int(i16(f32(x) * s - 1.0))); }", "",
     "compute f on [(int(i16(f32(x.min)*s - 1.0)), int(i16(f32(x.min + x.len - 1)*s - 1.0)) - int(i16(f32(x.min)*s - "
     "1.0)) + 1)]"},
    {"through floats that fall",
     "pipeline p(s: f32 in -2.0..-0.5) { fun f(x) = x; fun o(x) = f(int(i16(f32(2*x + 1) * s))); }", "",
     "compute f on [(int(i16(f32(2*x.min + 2*x.len - 1)*s)), int(i16(f32(2*x.min + 1)*s)) - "},
    {"through floats that are divided, and taken away",
     "pipeline p() { fun f(x) = x; fun o(x) = f(int(u8(ceil(8.0 - f32(x) / 3.0)))); }", "",
     "compute f on [(int(u8(ceil(8.0 - f32(x.min + x.len - 1)/3.0))), int(u8(ceil(8.0 - f32(x.min)/3.0))) - "},
    {"through floats of any sign, the lesser and the greater of both",
     "pipeline p(s: f32 in -2.0..2.0) { fun f(x) = x; fun o(x) = f(int(i16(f32(x) * s))); }", "",
     "compute f on [(min(int(i16(f32(x.min)*s)), int(i16(f32(x.min + x.len - 1)*s))), "},
    {"a float that may be a NaN: all that its type holds", // ORA.Float
     "pipeline p(s: f32) { fun f(x) = x; fun o(x) = f(int(i8(f32(x) * s))); }", "", "compute f on [(-128, 256)]"},
    {"a float that is squared: all that its type holds",
     "pipeline p() { fun f(x) = x; fun o(x) = f(int(i8(f32(x) * f32(x)))); }", "", "compute f on [(-128, 256)]"},
    {"a float that is loaded: all that its type holds",
     "pipeline p(in: f32[1]) { fun f(x) = x; fun o(x) = f(int(i8(f32(x) * in(0)))); }", "",
     "compute f on [(-128, 256)]"},
    {"a sine of the coordinate: all that its type holds",
     "pipeline p() { fun f(x) = x; fun o(x) = f(int(i8(sin(f32(x))))); }", "", "compute f on [(-128, 256)]"},
    {"the block that a split of a reduction cuts (D87)",
     "pipeline p(n: int) { fun f(x) = x; fun o(x) = { 0; rdom(r = (2, n)) in (x) <- o(x) + f(r); }; }",
     "split_reduction(o.s1.r, ro, ri, 64); split_reduction(o.s1.ro, a, b, 4);", "compute f on [(2, n)]"},
    {"what a predicate reads is read whether or not it holds (D75)",
     "pipeline p(n: int) { fun f(x) = x; fun o(x) = { 0; rdom(a = (0, 4), b = (0, 9)) in (x) <- o(x) + 1 if a + 4*b < "
     "n "
     "&& f(a + 4*b) > 3; }; }",
     "", "compute f on [(0, 36)]"},
    {"own holes for stages that are not the last (D41)",
     "pipeline p() { fun f(x) = { 0; (x) <- f(x) + 1; }; fun o(x) = f(x + 1); }", "",
     "for f.s0.x in (x.min + 1, x.len)"},
    {"absolute value", "pipeline p() { fun f(x) = x; fun o(x) = f(abs(clamp(x, -4, 2))); }", "",
     "compute f on [(max(clamp(x.min, 0 - clamp(x.min + x.len - 1, -4, 2), 2), 0), clamp(x.min + x.len - 1, 0 - "
     "clamp(x.min, -4, 2), 2) - "},
    {"a negative divisor", "pipeline p() { fun f(x) = x; fun o(x) = f(x / -3); }", "",
     "compute f on [(1 - (x.min + x.len + 2)/3, (x.min + x.len + 2)/3 - x.min/3)]"},
    {"a quotient of a quotient, both by negative numbers", "pipeline p() { fun f(x) = x; fun o(x) = f(x / -3 / -2); }",
     "", "compute f on [(0 - (0 - x.min/3)/2, (0 - x.min/3)/2 - (1 - (x.min + x.len + 2)/3)/2 + 1)]"},
    {"the remainder by a negative number", "pipeline p() { fun f(x) = x; fun o(x) = f(x % -7); }", "",
     "compute f on [(0, 7)]"},
    {"remainder", "pipeline p() { fun f(x) = x; fun o(x) = f(x % 7); }", "", "compute f on [(0, 7)]"},
};

START_TEST(fills_are_tight) {
  test_program p;
  test_program_open(&p, fills[_i].alg, fills[_i].items);
  hy_oracle_options options = {.z3_limit = 2000};
  hy_answer answer = p.parsed ? hy_pipeline_check(&p.pipeline, &options, p.diagnostics) : HY_NO;
  ck_assert_msg(answer == HY_YES, "%s: %.2000s", fills[_i].name, test_program_said(&p));
  hy_text text = {0};
  hy_tgt_print(p.pipeline.filled, &text);
  ck_assert_msg(strstr(hy_text_string(&text), fills[_i].expected), "%s: no \"%s\" in\n%.2500s", fills[_i].name,
                fills[_i].expected, hy_text_string(&text));
  hy_text_free(&text);
  test_program_close(&p);
}
END_TEST

/* -- what has no fill -- */

static const struct {
  const char *name, *alg;
  int code;
} unbounded[] = {
    {"a 64-bit load (D14)", "pipeline p(in: i64[1]) { fun t(i) = i; fun o(x) = t(int(in(x))); }", HY_E_UNBOUNDED_INDEX},
    {"an int func as index (D14)", "pipeline p() { fun g(x) = x * x; fun t(i) = i; fun o(x) = t(g(x)); }",
     HY_E_UNBOUNDED_INDEX},
    {"a float as index (D14)", "pipeline p(in: f32[1]) { fun t(i) = i; fun o(x) = t(int(in(x))); }",
     HY_E_UNBOUNDED_INDEX},
    {"an image read anywhere (D14)", "pipeline p(in: f32[1]) { fun o(x) = in(int(in(x))); }", HY_E_UNBOUNDED_INDEX},
    {"a write anywhere (D14)", "pipeline p(in: i64[1]) { fun o(x) = { 0; rdom(r = (0, 9)) in (int(in(r))) <- 1; }; }",
     HY_E_UNBOUNDED_INDEX},
    {"own reads that chase each other (D58, D61)",
     "pipeline p() { fun o(x, y) = { 0; (x, 1) <- o(x, x); (-1, y) <- o(y - 3, y); }; }",
     HY_E_NO_SOLUTION}, // ORA.No-Solution
};

START_TEST(unbounded_indices_suggest_clamp) {
  test_program p;
  test_program_open(&p, unbounded[_i].alg, "");
  hy_oracle_options options = {.z3_limit = 2000};
  ck_assert(p.parsed && hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_NO);
  ck_assert_msg(test_program_code(&p) == unbounded[_i].code, "%s: %s", unbounded[_i].name, test_program_said(&p));
  const hy_diagnostic *d = hy_diagnostics_at(p.diagnostics, 0);
  ck_assert_msg(d->help && strstr(d->help, "clamp") && d->loc.line == 1 && d->loc.column > 1, "%s",
                test_program_said(&p));
  test_program_close(&p);
}
END_TEST

Suite *oracle_fill_suite(void) {
  Suite *suite = suite_create("oracle_fill");
  TCase *t = tcase_create("fill");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, fills_are_tight, 0, HY_COUNT(fills));
  tcase_add_loop_test(t, unbounded_indices_suggest_clamp, 0, HY_COUNT(unbounded));
  suite_add_tcase(suite, t);
  return suite;
}
