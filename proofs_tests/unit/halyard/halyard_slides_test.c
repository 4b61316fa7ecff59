// SCH.Slides: what a chain stores outside of the loop in which it computes it slides, and is folded, where that is
// proved; nothing else does. What comes out gives what the algorithm gives.

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "sched/sched.h"

#include <string.h>

#define G "fun g(x, y) = int(in(x, y)) * 3 + x; "
#define IN "pipeline p(in: u8[2], n: int) { "
#define THREE IN G "fun f(x, y) = g(x, y - 1) + g(x + 1, y) * 2 + g(x, y + 1); }"

#define TWO                                                                                                            \
  "pipeline p(in: u8[2], n: int in 0..8) { " G "fun k(x, y) = int(in(x, y)) * 5; "                                     \
  "fun f(x, y) = g(x, y*n/(n + 1)) + g(x, y*n/(n + 1) + 1) + k(x, y) - k(x, y + 1); }"

static const struct {
  const char *name, *alg, *items;
  int slides, folds; // that are added
  const char *cells; // the first fold's
  int unslid;        // of which is told that they do not slide
} rows[] = {
    {"lines", THREE, "g.store_root().compute_at(f, y);", 1, 1, ", y, 4)", 0},
    {"lines, in two statements", THREE, "g.store_root(); g.compute_at(f, y);", 1, 1, ", y, 4)", 0},
    {"lines, the storage behind", THREE, "g.compute_at(f, y); g.store_root();", 1, 1, ", y, 4)", 0},
    {"lines, stored by a core directive", THREE, "g.compute_at(f, y); store_at(g, root);", 1, 1, ", y, 4)", 0},
    {"lines, computed by a core directive", THREE, "compute_at(g, f.y); g.store_root();", 1, 1, ", y, 4)", 0},
    {"lines of a strip", THREE, "f.split(y, y, yi, 8).parallel(y); g.store_at(f, y).compute_at(f, yi);", 1, 1,
     ", y, 4)", 0},
    {"vectors", THREE, "f.vectorize(x, 4); g.store_root().compute_at(f, y).vectorize(x, 4);", 1, 1, ", y, 4)", 0},
    {"along a line", THREE, "f.reorder(y, x); g.store_root().compute_at(f, x);", 1, 1, ", x, 2)", 0},
    {"downwards", IN G "fun f(x, y) = g(x, 1 - y) - g(x, -y) * 5 + g(x, -1 - y); }", "g.store_root().compute_at(f, y);",
     1, 1, ", y, 4)", 0},
    {"a chain of three", IN G "fun h(x, y) = g(x, y) - g(x, y + 2); fun f(x, y) = h(x, y) + h(x, y + 1) * 3; }",
     "h.store_root().compute_at(f, y); g.store_root().compute_at(f, y);", 2, 2, NULL, 0},
    {"the same each time", IN G "fun f(x, y) = g(x, n) + g(x, n + 1); }", "g.store_root().compute_at(f, y);", 1, 0,
     NULL, 0},
    {"a fold of the text's", THREE, "g.store_root().compute_at(f, y).fold_storage(y, 3);", 1, 0, NULL, 0},
    {"a slide of the text's", THREE, "g.store_root().compute_at(f, y).slide(y);", 0, 0, NULL, 0},
    {"more than any fold that is added", IN G "fun f(x, y) = g(x, y) + g(x, y + 99); }",
     "g.store_root().compute_at(f, y);", 1, 0, NULL, 0},
    {"a window that a parameter makes", IN G "fun f(x, y) = g(x, y) + g(x, y + n); }",
     "g.store_root().compute_at(f, y);", 1, 0, NULL, 0},
    {"rows of a strip in a vector", THREE,
     "f.split(y, y, yi, 4).reorder(yi, x, y).vectorize(yi); g.store_root().compute_at(f, x);", 1, 1, NULL, 0},
    {"a proof that takes a longer look", TWO, "g.store_root().compute_at(f, y); k.store_root().compute_at(f, y);", 2, 2,
     NULL, 0},
    {"one of two", TWO,
     "f.split(y, y, yi, 16).parallel(y); g.store_at(f, y).compute_at(f, yi); k.store_at(f, y).compute_at(f, yi);", 1, 1,
     ", y, 2)", 1},
    // not these
    {"the core's words", THREE, "store_at(g, root); compute_at(g, f.y);", 0, 0, NULL, 0},
    {"stored where it is computed", THREE, "g.compute_at(f, y);", 0, 0, NULL, 0},
    {"updates", IN "fun g(x, y) = { int(in(x, y)); (x, y) <- g(x, y) * 3; }; fun f(x, y) = g(x, y) + g(x, y + 1); }",
     "g.store_root().compute_at(f, y);", 0, 0, NULL, 0},
    {"two dimensions at once", IN G "fun f(x, y) = g(x + y, y) + g(x + y + 1, y + 1); }",
     "g.store_root().compute_at(f, y);", 0, 0, NULL, 0},
    {"blocks that are rounded up", THREE, "g.store_root().compute_at(f, y).split(y, y, yi, 4, round);", 0, 0, NULL, 0},
    {"a specialization's loop", THREE, "f.specialize(n == 1); g.compute_root();", 0, 0, NULL, 0},
};

static int count_of(const hy_pipeline *p, int from, const hy_directive_type *type, const char *cells) {
  int count = 0;
  for (int i = from; i < p->core_count; i++) {
    if (p->core[i].type != type) continue;
    hy_text text = {0};
    hy_directive_print(&p->core[i], &text);
    if (cells && !count) ck_assert_msg(strstr(hy_text_string(&text), cells), "%s", hy_text_string(&text));
    hy_text_free(&text);
    count++;
  }
  return count;
}

START_TEST(slides_where_it_is_proved) {
  test_program p;
  test_program_open(&p, rows[_i].alg, rows[_i].items);
  hy_pipeline *pipeline = &p.pipeline;
  ck_assert_msg(p.parsed && hy_pipeline_schedule(pipeline, p.diagnostics), "%s: %s", rows[_i].name,
                test_program_said(&p));
  int written = pipeline->core_count;
  ck_assert_msg(hy_pipeline_fill(pipeline, p.diagnostics), "%s: %s", rows[_i].name, test_program_said(&p));
  ck_assert_int_eq(pipeline->step_count, pipeline->core_count + 1);
  int slides = count_of(pipeline, written, &hy_directive_slide, NULL);
  int folds = count_of(pipeline, written, &hy_directive_fold_storage, rows[_i].cells);
  ck_assert_msg(slides == rows[_i].slides && folds == rows[_i].folds, "%s: %d slides, %d folds", rows[_i].name, slides,
                folds);
  ck_assert_int_eq(pipeline->core_count, written + slides + folds);
  ck_assert_int_eq(pipeline->unslid_count, rows[_i].unslid);
  ck_assert_msg(hy_pipeline_check(pipeline, &(hy_oracle_options){.z3_limit = 400}, p.diagnostics) == HY_YES, "%s: %s",
                rows[_i].name, test_program_said(&p));
  static const int64_t windows[][2] = {{0, 1}, {0, 8}, {-5, 9}, {3, 7}, {-2, 17}};
  for (size_t k = 0; k < HY_COUNT(windows); k++)
    for (int64_t parameter = 0; parameter <= 3; parameter += 3) {
      test_program_compare(&p, pipeline->filled, parameter, windows[k][0], windows[k][1], rows[_i].name);
      test_program_compare_literal(&p, pipeline->filled, parameter, windows[k][0], windows[k][1], rows[_i].name);
    }
  test_program_close(&p);
}
END_TEST

Suite *halyard_slides_suite(void) {
  Suite *suite = suite_create("halyard_slides");
  TCase *t = tcase_create("slides");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, slides_where_it_is_proved, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, t);
  return suite;
}
