// Where clamps are left out: in which versions of tiles, whatever loops count the tiles (GEN.Unclamp, GEN.Fused).

#include "codegen/codegen.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define PICTURE                                                                                                        \
  "pipeline p(in: u8[2]) { fun e = repeat_edge(in); fun f(x, y) = e(x - 1, y) + e(x + 1, y) + e(x, y + 1); }"
#define VOLUME                                                                                                         \
  "pipeline p(in: u8[3]) { fun e = repeat_edge(in);"                                                                   \
  " fun f(x, y, z) = e(x - 1, y, z) + e(x + 1, y, z) + e(x, y + 1, z); }"
#define TILES "e.compute_inline(); f.tile(x, y, xo, yo, xi, yi, 64, 32).vectorize(xi, 8)"

static const struct {
  const char *name, *alg, *items, *same; // "same": what has as many versions and as much code, or nearly so
} rows[] = {
    {"parallel tiles", PICTURE, TILES ".fuse(xo, yo, t).parallel(t);", TILES ".parallel(yo);"},
    {"serial tiles", PICTURE, TILES ".fuse(xo, yo, t);", TILES ";"},
    {"by columns", PICTURE, TILES ".reorder(xi, yi, yo, xo).fuse(yo, xo, t).parallel(t);",
     TILES ".reorder(xi, yi, yo, xo).parallel(xo);"},
    {"parallel in parallel", PICTURE, TILES ".parallel(xo).parallel(yo);", TILES ".parallel(yo);"},
    {"three loops", VOLUME, TILES ".fuse(xo, yo, t).fuse(t, z, u).parallel(u);", TILES ".parallel(z);"},
    {"three loops from outside", VOLUME, TILES ".fuse(yo, z, t).fuse(xo, t, u).parallel(u);", TILES ".parallel(z);"},
};

static int count_of(const hy_text *text, const char *word) {
  int count = 0;
  for (const char *at = hy_text_string(text); (at = strstr(at, word)); at += strlen(word)) count++;
  return count;
}

typedef struct {
  int versions;                // of tiles that lie inside
  int scattered, side_by_side; // loads of vectors
} code;

static code code_of(const char *alg, const char *items) {
  hy_codegen_options options = hy_codegen_default();
  hy_text text = {0};
  test_program p;
  options.target = hy_target_find("x86-64-v3"); // the same on every machine
  test_program_open(&p, alg, items);
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) &&
                    hy_pipeline_fill(&p.pipeline, p.diagnostics),
                "%s", test_program_said(&p));
  const hy_tgt *passed = hy_passes(p.context, p.pipeline.filled, NULL, NULL);
  hy_native_print_llvm(p.context, passed, &options, false, &text);
  code c = {count_of(&text, "\nend.unclamped"), count_of(&text, "masked.gather"), count_of(&text, "load <8 x i8>")};
  hy_text_free(&text);
  test_program_close(&p);
  return c;
}

START_TEST(tiles_inside) {
  code c = code_of(rows[_i].alg, rows[_i].items), same = code_of(rows[_i].alg, rows[_i].same);
  ck_assert_msg(c.versions > 0 && c.versions == same.versions, "%s: %d versions, not %d", rows[_i].name, c.versions,
                same.versions);
  ck_assert_msg(c.scattered == same.scattered && c.side_by_side == same.side_by_side,
                "%s: %d and %d loads, not %d and %d", rows[_i].name, c.scattered, c.side_by_side, same.scattered,
                same.side_by_side);
}
END_TEST

Suite *codegen_unclamp_suite(void) {
  Suite *suite = suite_create("codegen_unclamp");
  TCase *tests = tcase_create("unclamp");
  tcase_add_loop_test(tests, tiles_inside, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, tests);
  return suite;
}
