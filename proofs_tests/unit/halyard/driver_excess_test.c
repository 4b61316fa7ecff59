// Regions that are much larger than what is read of them (HY0515): what is warned of, where, and what is not.

#include "halyard/excess/excess.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define G "fun g(x, y) = int(in(x, y)) * 3; "
#define IN "pipeline p(in: u8[2]) { "
#define LUT "fun lut(i) = i * i / 7; "
#define TILES "f.tile(x, y, xi, yi, 16, 16); "

static const struct {
  const char *alg, *items;
  const char *says[4]; // of one warning
} wide[] = {
    // a table for each vector
    {IN LUT "fun f(x, y) = lut(int(in(x, y))); }",
     "f.vectorize(x, 8); lut.compute_at(f, x);",
     {"test.alg:1:63: warning[HY0515]: 'lut' is computed for 256 points in each iteration of f.s0.x, of which 8 are "
      "read: "
      "index 1 of this load may be anything from 0 to 255",
      "help: compute 'lut' outside of that loop; or clamp the index nearer to where its values lie",
      "note: counted for the window x=0:512,y=0:512, in on [0, 512) x [0, 512)"}},
    // of two specializations the one that this window takes
    {IN LUT "fun f(x, y) = lut(int(in(x, y))); }",
     "f.specialize(f.len(0) >= 16).vectorize(x, 8); lut.compute_at(f, x);",
     {"'lut_f_z1' is computed for 256 points in each iteration of f.z1.s0.x, of which 8 are read"}},
    // both parts of a point are one point
    {IN "fun lut(i) = (i, i * i); fun f(x, y) = lut(int(in(x, y)))[0] + lut(int(in(x, y)))[1]; }",
     "f.vectorize(x, 64); lut.compute_at(f, x);",
     {"256 points in each iteration of f.s0.x, of which 64 are read"}},
    // and of 65536 entries for a line, however wide
    {"pipeline p(in: u16[2]) { " LUT "fun f(x, y) = lut(int(in(x, y))); }",
     "lut.compute_at(f, y);",
     {"65536 points in each iteration of f.s0.y, of which 4096 are read"}},
    // a remainder
    {IN G "fun f(x, y) = g(x % 16, y); }",
     "f.split(x, xo, xi, 8); g.compute_at(f, xi);",
     {"16 points in each iteration of f.s0.xi, of which 1 is read: index 1 of this load may be anything from 0 to 15",
      "outside of that loop; or clamp the index nearer to where it lies, or write it so that its bounds follow"}},
    // one arm of two
    {"pipeline p(in: u8[2], c: bool, n: int) { " G "fun f(x, y) = g(select(c, x, n - x), y); }",
     TILES "g.compute_at(f, x);",
     {"of which 256 are read: index 1", "c = true, n = 5"}},
    // floats that are not monotone; through a func that is a formula of its coordinate, too
    {IN G "fun f(x, y) = g(clamp(int(sin(f32(x) / 100.0) * 200.0), -200, 200), y); }",
     TILES "g.compute_at(f, x);",
     {"'g' is computed for 6416 points in each iteration of f.s0.x, of which 256 are read: index 1 of this load may be "
      "anything from -200 to 200"}},
    {IN "fun where(i) = int(tan(f32(i)) / 9.0); " G
        "fun f(x, y) = g(x, y) + g(clamp(x + where(x), in.left(), in.right()), y); }",
     TILES "g.compute_at(f, x);",
     {"test.alg:1:121: ", "'g' is computed for 8192 points in each iteration of f.s0.x, of which 496 are read",
      "clamp the index nearer to where it lies, or write it so"}},
    // a parameter that may be anything
    {"pipeline p(in: u8[2], s: f32) { " G "fun f(x, y) = g(clamp(int(i32(floor(f32(x) * s))), 0, 1000), y); }",
     TILES "g.compute_at(f, x);",
     {"help: compute 'g' outside of that loop; or give 's' a range, s: f32 in 0.25..4.0; or "}},
    // a mask
    {IN G "fun f(x, y) = g(x & 255, y); }", TILES "g.compute_at(f, x);", {"may be anything from 0 to 255"}},
    // one point in sixteen
    {IN G "fun f(x, y) = g(4*x, 4*y); }",
     TILES "g.compute_at(f, x);",
     {"'g' is computed for 3721 points in each iteration of f.s0.x, of which 256 are read",
      "help: one point in 4 is read: compute 'g' inline"}},
    // the diagonal of a square
    {IN G "fun f(x) = g(x, x); }",
     "f.split(x, xo, xi, 16); g.compute_at(f, xo);",
     {"256 points in each iteration of f.s0.xo, of which 16 are read",
      "the points lie apart in it: compute 'g' inline"}},
    // two loads far from each other
    {IN G "fun f(x, y) = g(x, 0) + g(x, in.height() - 1) + int(in(x, y)); }",
     "f.split(x, xo, xi, 16); g.compute_at(f, xo);",
     {"8192 points in each iteration of f.s0.xo, of which 32 are read: index 2 of this load and of others lies from 0 "
      "to 511",
      "help: compute 'g' outside of that loop; or read a func of its own here"}},
    // a load that stands in a func that is inlined
    {IN G "fun h(x, y) = g(x % 96, y) + 1;\n fun f(x, y) = h(x, y) + h(x + 1, y); }",
     "h.compute_inline(); " TILES "g.compute_at(f, x);",
     {"test.alg:1:72: warning[HY0515]: 'g' is computed for 1536 points in each iteration of f.s0.x, of which 272 are "
      "read"}},
    // of two that fit the one of which more stands there, and not one that is inlined elsewhere
    {IN LUT "fun a(x, y) = lut(int(in(x, y)) + x % 2);\n fun b(x, y) = a(x, y) + lut(x);\n fun f(x, y) = b(x, y); }",
     "default inline; f.vectorize(x, 8); lut.compute_at(f, x);",
     {"test.alg:1:63: warning[HY0515]: 'lut' is computed for 264 points in each iteration of f.s0.x, of which 16 are"}},
    {IN LUT "fun a(x, y) = lut(x) + int(in(x, y));\n fun e(x, y) = int(in(x, y));\n"
            "fun h(x, y) = a(x, y) + lut(e(x, y) + x % 2);\n fun f(x, y) = h(x, y); }",
     "default inline; h.compute_root().vectorize(x, 8); lut.compute_at(h, x);",
     {"test.alg:3:25: warning[HY0515]: 'lut' is computed for 264 points in each iteration of h.s0.x, of which 16 are"}},
    // nor one that stands where it is not read
    {IN LUT
     "fun e(i, y) = lut(i);\n fun h(x, y) = e(int(in(x, y)), y);\n fun f(x, y) = h(x, y) + lut(int(in(x, y))); }",
     "default inline; h.compute_root().vectorize(x, 8); lut.compute_at(h, x); clone(lut, c, f);",
     {"test.alg:1:63: warning[HY0515]: 'lut' is computed for 256 points in each iteration of h.s0.x, of which 8 are"}},
    // the same of what the schedule reads a copy of
    {IN G "fun f(x, y) = g(x, y) + g(y, x); }",
     "f.split(x, xo, xi, 16); g.compute_root(); g.in(f).compute_at(f, xo);",
     {"test.alg:1:72: warning[HY0515]: 'g_in_f' is computed for 256 points in each iteration of f.s0.xo"}},
    // at root, whatever the window is
    {"pipeline p(in: u16[1]) { " LUT "fun f(x) = { 0; rdom(r = (0, 10)) in (x) <- f(x) + lut(int(in(r))); }; }",
     "",
     {"'lut' is computed for 65536 points, of which 10 are read",
      "help: clamp the index nearer to where its values lie"}},
    {IN G "fun f(x, y) = g(4*x, 4*y); }", "", {"'g' is computed for 4182025 points, of which 262144 are read"}},
    // an image
    {"pipeline p(in: u8[1]) { fun f(x) = in(clamp(int(sin(f32(x)) * 10.0), 0, 65535)); }",
     "",
     {"'in' has to hold 65536 points, of which 10 are read: index 1 of this load may be anything from 0 to 65535"}},
    // tables that are larger than any window, at root and of an image
    {"pipeline p(in: i32[1]) { fun g(i) = i * 3; fun f(x) = g(int(in(x))); }",
     "",
     {"'g' is computed for 4294967296 points, of which 512 are read: index 1 of this load may be anything from "
      "-2147483648 to 2147483647",
      "help: clamp the index nearer to where its values lie"}},
    {"pipeline p(in: u16[1]) { fun g(i, j) = i * j; fun f(x) = g(int(in(x)), int(in(x + 1))); }",
     "",
     {"'g' is computed for 4294967296 points, of which 512 are read"}},
    {"pipeline p(in: u32[1], t: u8[1]) { fun f(x) = t(int(in(x) >> 4)); }",
     "",
     {"'t' has to hold 268435456 points, of which 512 are read: index 1 of this load may be anything from 0 to "
      "268435455",
      "help: clamp the index nearer to where its values lie, or to the image: clamp(index, t.min(0), t.max(0))"}},
    {"pipeline p(in: u8[1]) { fun f(x) = in(x * x & 0x3fffffff); }", "", {"'in' has to hold 1073741824 points"}},
    // an image around a window by all that a number of 16 bits can say
    {"pipeline p(in: u8[2], m: i16[2]) { fun f(x, y) = in(x + int(m(x, y)), y); }",
     "",
     {"'in' has to hold 33816064 points, of which 262144 are read: index 1 of this load may be anything from -32768 to "
      "33278",
      "or to the image: clamp(index, in.min(0), in.max(0))"}},
};

static size_t warnings(const test_program *p) {
  size_t count = 0;
  for (size_t i = 0; i < hy_diagnostics_count(p->diagnostics); i++)
    count += hy_diagnostics_at(p->diagnostics, i)->severity == HY_SEVERITY_WARNING;
  return count;
}

static void check(test_program *p, const char *alg, const char *items) {
  hy_oracle_options options = {.z3_limit = 2000};
  test_program_open(p, alg, items);
  ck_assert_msg(hy_pipeline_check(&p->pipeline, &options, p->diagnostics) == HY_YES, "%s", test_program_said(p));
  hy_excess_report(&p->pipeline, p->diagnostics);
  ck_assert_uint_eq(hy_diagnostics_errors(p->diagnostics), 0);
}

START_TEST(wide_regions_are_pointed_out) {
  test_program p;
  check(&p, wide[_i].alg, wide[_i].items);
  const char *said = test_program_said(&p);
  ck_assert_msg(warnings(&p) == 1, "%s", said);
  for (size_t k = 0; k < HY_COUNT(wide[_i].says) && wide[_i].says[k]; k++)
    ck_assert_msg(strstr(said, wide[_i].says[k]), "no \"%s\" in %s", wide[_i].says[k], said);
  test_program_close(&p);
}
END_TEST

static const struct {
  const char *alg, *items;
} narrow[] = {
    // a shifted block of a window that another specialization has
    {IN G "fun f(x, y) = g(x, y); }",
     "f.specialize(f.len(0) >= 16).split(x, xo, xi, 16, shift).vectorize(xi); f.split(x, xo, xi, 16); "
     "g.compute_at(f, xo);"},
    // stencils, also beside a diagonal, and chains of them
    {IN G "fun f(x, y) = g(x - 1, y) + g(x, y - 1) + g(x + 1, y + 1); }", TILES "g.compute_at(f, x);"},
    {IN G "fun h(x, y) = g(x, y - 3) + g(x, y + 3); fun f(x, y) = h(x - 3, y) + h(x + 3, y); }",
     TILES "h.compute_at(f, yi); g.compute_at(f, x);"},
    {IN G "fun f(x, y) = g(x - 1, y) + g(x + 1, y); }", "g.compute_at(f, x);"},
    // what slides is computed once, though each iteration has lines that lie apart
    {IN G "fun f(x, y) = g(x, y) + g(x, y + 8); }", "g.store_root().compute_at(f, y).slide(y);"},
    {IN G "fun h(x, y) = g(x, y) + g(x, y + 1); fun f(x, y) = h(x, y) + h(x, y + 8); }",
     "g.store_root().compute_at(f, y); h.store_root().compute_at(f, y);"},
    // pyramids
    {IN G "fun h(x, y) = g(2*x, 2*y) + 1; fun f(x, y) = h(x, y); }", TILES "h.compute_at(f, x); g.compute_at(f, x);"},
    {IN G "fun h(x, y) = g(x/2, y/2) + g(x/2 + x%2*2 - 1, y/2 + y%2*2 - 1); fun f(x, y) = h(x, y); }",
     TILES "h.compute_inline(); g.compute_at(f, x);"},
    // monotone floats
    {"pipeline p(in: u8[2], s: f32 in 0.25..4.0) { " G
     "fun f(x, y) = g(clamp(int(floor(f32(x) * s)), in.left(), in.right()), y); }",
     TILES "g.compute_at(f, x);"},
    // a sine of a coordinate, whose values are known to lie near it
    {IN "fun where(i) = int(sin(f32(i)) * 3.0); " G
        "fun f(x, y) = g(x, y) + g(clamp(x + where(x), in.left(), in.right()), y); }",
     TILES "g.compute_at(f, x);"},
    // reductions, scans and histograms
    {IN "fun s(x, y) = sum(rdom(r = (0, 9)) in int(in(x + r, y))); fun f(x, y) = s(x, y); }",
     TILES "s.compute_at(f, x);"},
    {IN "fun g(x, y) = { int(in(x, y)); rdom(r = (1, 99)) in (x, r) <- g(x, r - 1) + int(in(x, r)); }; "
        "fun f(x, y) = g(x, 99); }",
     "f.split(x, xo, xi, 32); g.compute_at(f, xo);"},
    {"pipeline p(in: u8[1]) { fun h(i) = { 0; rdom(r = (0, in.width())) in (int(in(r + in.left()))) <- "
     "h(int(in(r + in.left()))) + 1; }; fun f(x) = h(clamp(x, 0, 255)); }",
     ""},
    {IN "fun h(i, y) = { 0; rdom(r = (0, 64)) in (int(in(r, y)), y) <- h(int(in(r, y)), y) + 1; }; "
        "fun f(x, y) = h(0, y) + h(255, y); }",
     "h.compute_at(f, y);"},
    // tables that all of may be read of; at root windows may be wider than any table
    {IN LUT "fun f(x, y) = lut(int(in(x, y))); }", TILES "lut.compute_at(f, x);"},
    {IN LUT "fun f(x, y) = lut(int(in(x, y))); }", "lut.compute_at(f, y);"},
    {"pipeline p(in: u16[1]) { " LUT "fun f(x) = lut(int(in(x))); }", ""},
    {"pipeline p(in: u8[1]) { fun g(i) = i * 3; fun f(x) = g(clamp(x, 0, 65535)) + int(in(x)); }", ""},
    {"pipeline p(in: u8[1]) { fun g(i) = i * 3; fun f(x) = g(x % 4096) + int(in(x % 8192)); }", ""},
    {"pipeline p(in: u16[1]) { fun f(x) = in(clamp(x, 0, 65535)); }", ""},
    // tables of images, a cube of colours among them, and images that are clamped, or read nearby
    {"pipeline p(in: u16[1], t: u8[1]) { fun f(x) = t(int(in(x))); }", ""},
    {"pipeline p(in: u16[2], t: u8[2]) { fun f(x, y) = t(int(in(x, y)), y); }", ""},
    {"pipeline p(in: u8[3], t: u8[3]) { fun f(x, y) = t(int(in(x, y, 0)), int(in(x, y, 1)), int(in(x, y, 2))); }", ""},
    {"pipeline p(in: u8[2], m: i16[2]) { fun f(x, y) = in(clamp(x + int(m(x, y)), in.left(), in.right()), y); }", ""},
    {"pipeline p(in: u8[2], m: i8[2]) { fun f(x, y) = in(x + int(m(x, y)), y + int(m(x + 1, y))); }", ""},
    {"pipeline p(in: u8[1]) { fun f(x) = in(x * x % 100000); }", ""},
    // loops of all kinds around: fused ones, folds, what is kept, a remainder within which a tile goes round
    {IN G "fun f(x, y) = g(x, y - 1) + g(x, y) + g(x, y + 1); }", "f.fuse(x, y, t); g.compute_root();"},
    {IN G "fun f(x, y) = g(x, y - 1) + g(x, y) + g(x, y + 1); }",
     "g.store_root().compute_at(f, y).fold_storage(y, 4);"},
    {IN G "fun f(x, y) = g(x, y - 1) + g(x, y) + g(x, y + 1); }", "g.store_root().compute_at(f, y).slide(y);"},
    {IN G "fun f(x, y) = g(x % 16, y); }", "f.split(x, xo, xi, 32); g.compute_at(f, xo);"},
    // what the user asks for
    {IN G "fun f(x, y) = g(x, y); }", "f.tile(x, y, xi, yi, 4, 4); g.compute_at(f, x).align_bounds(x, 64, 0);"},
    {IN G "fun f(x, y) = g(x, y); }", "g.bound(x, -5000, 10000);"},
    // an image that is resized: what is asked of it is its own box
    {"pipeline p(in: u8[2], s: f32) { fun f(x, y) = in(clamp(int(sin(f32(x)) * s), in.left(), in.right()), y); }", ""},
};

START_TEST(narrow_regions_are_not) {
  test_program p;
  check(&p, narrow[_i].alg, narrow[_i].items);
  ck_assert_msg(warnings(&p) == 0, "%s", test_program_said(&p));
  test_program_close(&p);
}
END_TEST

Suite *driver_excess_suite(void) {
  Suite *suite = suite_create("driver_excess");
  TCase *t = tcase_create("regions");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, wide_regions_are_pointed_out, 0, (int)HY_COUNT(wide));
  tcase_add_loop_test(t, narrow_regions_are_not, 0, (int)HY_COUNT(narrow));
  suite_add_tcase(suite, t);
  return suite;
}
