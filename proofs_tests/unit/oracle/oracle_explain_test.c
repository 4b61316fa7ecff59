/* Tightness of small programs: how many ends are loose is known of each, and the reader that forced one is named.
 * golden_quality_test.c measures apps/ and golden/ (target R6).
 */

#include "oracle/explain.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) { fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"                           \
  " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }"

static const struct {
  const char *name, *alg, *items;
  int loose, unknown; // ends that are not tight
} rows[] = {
    {"default", BLUR, "", 0, 0},
    {"tiles", BLUR,
     "bv.tile(x, y, xi, yi, 256, 32).parallel(y).vectorize(xi, 16); bh.compute_at(bv, x).vectorize(x, 16);", 0, 0},
    {"line buffer", BLUR, "bh.store_root().compute_at(bv, y);", 0, 0},
    {"round", BLUR, "split(bv.x, xo, xi, 8, round);", 0, 0},
    {"downsampling", "pipeline p(in: u8[1]) { fun a(x) = in(x); fun o(x) = a(2*x) + a(2*x + 1); }", "", 0, 0},
    {"upsampling", "pipeline p(in: u8[1]) { fun a(x) = in(x); fun o(x) = a(x / 2); }", "", 0, 0},
    {"remainders that depend on each other, which intervals do not see",
     "pipeline p() { fun f(x) = x; fun o(x) = f(x % 4 + (0 - x) % 4); }", "", 1, 0},
};

static void count(const hy_explained_side *side, int *loose, int *unknown) {
  *loose += side->tightness == HY_LOOSE;
  *unknown += side->tightness == HY_TIGHT_UNKNOWN;
  ck_assert((side->tightness == HY_TIGHT) == (side->because != NULL));
}

START_TEST(ends_are_tight) {
  test_program p;
  test_program_open(&p, rows[_i].alg, rows[_i].items);
  hy_oracle_options options = {.z3_limit = 2000};
  ck_assert(p.parsed && hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES);
  size_t holes;
  const hy_explained_hole *explained =
      hy_oracle_explain(p.context, p.pipeline.steps[p.pipeline.step_count - 1], p.pipeline.filled, &options, &holes);
  ck_assert_uint_gt(holes, 0);
  int loose = 0, unknown = 0;
  for (size_t i = 0; i < holes; i++) {
    count(&explained[i].low, &loose, &unknown);
    count(&explained[i].high, &loose, &unknown);
  }
  ck_assert_msg(loose == rows[_i].loose && unknown == rows[_i].unknown, "%s: %d loose, %d unknown of %zu",
                rows[_i].name, loose, unknown, 2 * holes);
  test_program_close(&p);
}
END_TEST

START_TEST(the_reader_that_forced_a_bound_is_named) {
  test_program p;
  test_program_open(&p, BLUR, "");
  hy_oracle_options options = {.z3_limit = 2000};
  ck_assert(hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES);
  size_t holes;
  const hy_explained_hole *explained =
      hy_oracle_explain(p.context, p.pipeline.steps[0], p.pipeline.filled, &options, &holes);
  bool found = false;
  for (size_t i = 0; i < holes; i++) {
    const hy_hole *hole = explained[i].min;
    if (hole->kind != HY_HOLE_CPU || strcmp(hole->func->name, "bh") != 0 || hole->dim != 1) continue;
    found = true;
    ck_assert_msg(strstr(explained[i].low.because->about, "bh(bv.s0.x, bv.s0.y - 1)"), "%s",
                  explained[i].low.because->about);
    ck_assert_msg(strstr(explained[i].high.because->about, "bh(bv.s0.x, bv.s0.y + 1)"), "%s",
                  explained[i].high.because->about);
  }
  ck_assert(found);
  test_program_close(&p);
}
END_TEST

START_TEST(of_one_func_the_same_is_said) {
  test_program p;
  test_program_open(&p, BLUR, "");
  hy_oracle_options options = {.z3_limit = 2000};
  ck_assert(hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES);
  const hy_tgt *scheduled = p.pipeline.steps[0], *filled = p.pipeline.filled;
  size_t all, some, at = 0, of_bh = 0;
  const hy_explained_hole *of_all = hy_oracle_explain(p.context, scheduled, filled, &options, &all);
  const hy_explained_hole *of_one =
      hy_oracle_explain_func(p.context, scheduled, filled, hy_alg_find(p.pipeline.alg, "bh"), &options, &some);
  for (size_t i = 0; i < all; i++) {
    if (strcmp(of_all[i].min->func->name, "bh") != 0) continue;
    of_bh++;
    hy_text wanted = {0}, found = {0};
    hy_explained_print(&of_all[i], &wanted);
    if (at < some) hy_explained_print(&of_one[at++], &found);
    ck_assert_str_eq(hy_text_string(&found), hy_text_string(&wanted));
    hy_text_free(&wanted);
    hy_text_free(&found);
  }
  ck_assert_uint_eq(some, of_bh);
  ck_assert(some > 0 && some < all);
  test_program_close(&p);
}
END_TEST

Suite *oracle_explain_suite(void) {
  Suite *suite = suite_create("oracle_explain");
  TCase *t = tcase_create("explain");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, ends_are_tight, 0, HY_COUNT(rows));
  tcase_add_test(t, the_reader_that_forced_a_bound_is_named);
  tcase_add_test(t, of_one_func_the_same_is_said);
  suite_add_tcase(suite, t);
  return suite;
}
