// What the passes leave of the tail guards of splits: which loops are free of them, and how much code that costs.

#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

typedef struct {
  const char *name, *alg, *items;
  int guards, assignments; // of the program that the emitter gets
} partition_row;

#define PICTURE "pipeline p(in: u16[2]) { fun f(x, y) = in(x, y) + 1; }"
#define SUMS                                                                                                           \
  "pipeline p(in: f32[2], k: f32[2], n: int in 0..40) { fun g(x, y) = { 0.5; rdom(r = (0, n), t = (0, 3)) in (x, y) "  \
  "<- g(x, y) + in(r, y + t) * k(x, r); }; fun f(x, y) = g(x, y); }"
#define VOLUME "pipeline p(in: u16[3]) { fun f(x, y, z) = in(x, y, z) + 1; }"
#define SPACE "pipeline p(in: u16[4]) { fun f(x, y, z, c) = in(x, y, z, c) + 1; }"

static const partition_row rows[] = {
    {"no guard, no copy", PICTURE, "f.parallel(y);", 0, 1},
    {"a serial split alone loses its guard without a copy", PICTURE, "f.split(x, x, xi, 8);", 0, 1},
    {"a vectorized split: the full vectors, and one with the guard", PICTURE, "f.vectorize(x, 8);", 1, 2},
    {"vectors in unrolled lines: four pieces", PICTURE, "f.vectorize(x, 8).unroll(y, 4);", 4, 4},
    {"as many lines as are worth the copies", PICTURE, "f.vectorize(x, 8).unroll(y, 32);", 4, 4},
    {"a hundred and more lines keep their guards", PICTURE, "f.vectorize(x, 8).unroll(y, 200);", 2, 1},
    {"loops inside an unrolled loop count, each time", SPACE, "f.reorder(z, c, x, y).unroll(x, 100);", 1, 1},
    {"guards in blocks of blocks: 32 copies of one assignment", SUMS,
     "f.tile(x, y, xi, yi, 8, 4).vectorize(xi).unroll(yi); g.compute_at(f, x).vectorize(x, 8).unroll(y, 4);"
     "g.update(0).split(y, y, yi, 4).split(x, x, xi, 8).reorder(xi, yi, r, t, x, y).vectorize(xi).unroll(yi)"
     ".unroll(r, 2);",
     56, 37},
    // GEN.Fused: as many pieces as of the same tiles in two loops.
    {"tiles", PICTURE, "f.tile(x, y, xo, yo, xi, yi, 64, 32).vectorize(xi, 8);", 1, 2},
    {"fused tiles", PICTURE, "f.tile(x, y, xo, yo, xi, yi, 64, 32).fuse(xo, yo, t).vectorize(xi, 8);", 1, 2},
    {"fused tiles of one line", PICTURE, "f.split(x, xo, xi, 64).fuse(xo, y, t).vectorize(xi, 8);", 1, 2},
    {"fused tiles, fused again", VOLUME,
     "f.tile(x, y, xo, yo, xi, yi, 64, 32).fuse(xo, yo, t).fuse(t, z, u).vectorize(xi, 8);", 1, 2},
    {"tiles fused with what is fused", VOLUME,
     "f.tile(x, y, xo, yo, xi, yi, 64, 32).fuse(yo, z, t).fuse(xo, t, u).vectorize(xi, 8);", 1, 2},
    {"as few of them as are worth it", SPACE, "f.reorder(z, c, x, y).unroll(x, 60);", 1, 2},
};

static int count_guards(const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  int guards = stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD;
  for (int i = 0; i < count; i++) guards += count_guards(children[i]);
  return guards;
}

static int count_assignments(const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  int assignments = stmt->kind == HY_STMT_ASSIGN;
  for (int i = 0; i < count; i++) assignments += count_assignments(children[i]);
  return assignments;
}

START_TEST(guards_left) {
  const partition_row *row = &rows[_i];
  hy_oracle_options oracle = {.z3_limit = 1000};
  test_program p;
  test_program_open(&p, row->alg, row->items);
  ck_assert_int_eq(hy_pipeline_check(&p.pipeline, &oracle, p.diagnostics), HY_YES);
  const hy_stmt *body = hy_passes(p.context, p.pipeline.filled, NULL, NULL)->body;
  ck_assert_msg(count_guards(body) == row->guards && count_assignments(body) == row->assignments,
                "%s: %d guards and %d assignments, expected %d and %d", row->name, count_guards(body),
                count_assignments(body), row->guards, row->assignments);
  test_program_close(&p);
}
END_TEST

Suite *passes_partition_suite(void) {
  Suite *suite = suite_create("passes_partition");
  TCase *tests = tcase_create("partition");
  tcase_add_loop_test(tests, guards_left, 0, HY_COUNT(rows));
  suite_add_tcase(suite, tests);
  return suite;
}
