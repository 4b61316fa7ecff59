// Where cells lie (semantics/storage): the offsets of all points of small boxes, against what a plan says of them.

#include "proofs_tests/suites.h"
#include "semantics/storage/layout.h"

#include <stdio.h>
#include <string.h>

/* -- what is said -- */

// order 1, 0; 3 cells of dimension 0 become 4; dimension 1 is folded to 5, and its cells are not padded.
START_TEST(one_by_hand) {
  hy_plan plan = hy_plan_plain();
  plan.order[0] = 1, plan.order[1] = 0, plan.align[0] = 4, plan.fold[1] = 5;
  hy_layout l;
  ck_assert(hy_layout_make(&l, 2, &plan, (int64_t[]){-1, -7}, (int64_t[]){3, 100}));
  ck_assert_uint_eq(l.stride[1], 1);
  ck_assert_uint_eq(l.stride[0], 5);
  ck_assert_uint_eq(l.count, 20);
  ck_assert_uint_eq(hy_layout_offset(&l, (int64_t[]){-1, -7}), 3); // -7 % 5 is 3
  ck_assert_uint_eq(hy_layout_offset(&l, (int64_t[]){1, 14}), 14);
  ck_assert_uint_eq(hy_layout_points(&l, 1), 5);
  ck_assert_uint_eq(hy_layout_points(&l, 0), 3);
}
END_TEST

static uint64_t next(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

static hy_plan random_plan(uint64_t *state, int rank) {
  hy_plan plan = hy_plan_plain();
  for (int i = rank - 1; i > 0; i--) {
    int k = (int)(next(state) % (uint64_t)(i + 1)), other = plan.order[i];
    plan.order[i] = plan.order[k];
    plan.order[k] = other;
  }
  for (int d = 0; d < rank; d++) {
    plan.align[d] = 1 + (int64_t)(next(state) % 4);
    plan.fold[d] = next(state) % 3 ? 0 : 1 + (int64_t)(next(state) % 4);
  }
  return plan;
}

static bool next_point(const hy_layout *l, int64_t *point) {
  for (int d = 0; d < l->rank; d++) {
    if (++point[d] < l->min[d] + (int64_t)l->len[d]) return true;
    point[d] = l->min[d];
  }
  return false;
}

static bool share_a_cell(const hy_layout *l, const int64_t *a, const int64_t *b) {
  for (int d = 0; d < l->rank; d++)
    if (l->fold[d] ? (a[d] - b[d]) % l->fold[d] != 0 : a[d] != b[d]) return false;
  return true;
}

// Points have one cell if they agree where nothing is folded, and modulo the fold elsewhere; all cells are in memory.
START_TEST(points_and_cells) {
  uint64_t seed = (uint64_t)_i + 1, state = seed;
  int rank = (int)(next(&state) % 4);
  int64_t min[3], len[3];
  hy_plan plan = random_plan(&state, rank);
  ck_assert_ptr_null(hy_plan_fault(&plan, rank));
  for (int d = 0; d < rank; d++) {
    min[d] = (int64_t)(next(&state) % 12) - 6;
    len[d] = 1 + (int64_t)(next(&state) % 5);
  }
  hy_layout l;
  ck_assert(hy_layout_make(&l, rank, &plan, min, len));
  uint64_t cells = 1;
  for (int i = 0; i < rank; i++) {
    int d = plan.order[i];
    ck_assert_msg(l.stride[d] == cells, "seed %llu: the stride of dimension %d", (unsigned long long)seed, d);
    ck_assert_msg(l.cells[d] % (uint64_t)plan.align[d] == 0, "seed %llu: unaligned", (unsigned long long)seed);
    cells *= l.cells[d];
  }
  ck_assert_uint_eq(l.count, cells);
  int64_t a[3], b[3];
  memcpy(a, min, sizeof a);
  do {
    uint64_t at = hy_layout_offset(&l, a);
    ck_assert_msg(at < l.count, "seed %llu: an offset outside", (unsigned long long)seed);
    memcpy(b, min, sizeof b);
    do ck_assert_msg((at == hy_layout_offset(&l, b)) == share_a_cell(&l, a, b), "seed %llu", (unsigned long long)seed);
    while (next_point(&l, b));
  } while (next_point(&l, a));
}
END_TEST

// The plain plan is dense, dimension 0 first; what cannot be counted is told of, and nothing has no cells.
START_TEST(edges) {
  hy_layout l;
  int64_t far[] = {INT64_MIN, 0}, huge[] = {INT64_MAX, INT64_MAX}, none[] = {INT64_MAX, 0};
  hy_plan plan = hy_plan_plain();
  ck_assert(hy_plan_is_plain(&plan, 2) && hy_plan_is_plain(NULL, 2) && !hy_plan_folds(NULL, 2));
  ck_assert(!hy_layout_make(&l, 2, NULL, far, huge));
  ck_assert(hy_layout_make(&l, 2, NULL, far, none));
  ck_assert_uint_eq(l.count, 0);
  ck_assert(hy_layout_make(&l, 1, NULL, far, huge));
  ck_assert_uint_eq(hy_layout_offset(&l, (int64_t[]){-1}), INT64_MAX);
  plan.align[0] = HY_MOST_OF_PLAN;
  ck_assert(hy_layout_make(&l, 1, &plan, far, huge));
  ck_assert_uint_eq(l.count, UINT64_C(1) << 63);
}
END_TEST

static void refuse(hy_plan plan, const char *why) {
  const char *fault = hy_plan_fault(&plan, 2);
  ck_assert_ptr_nonnull(fault);
  ck_assert_msg(strstr(fault, why) != NULL, "%s", fault);
}

START_TEST(plans_that_do_not_fit) {
  hy_plan plan = hy_plan_plain();
  plan.order[0] = 1;
  refuse(plan, "order");
  plan = hy_plan_plain(), plan.order[1] = 2;
  refuse(plan, "order");
  plan = hy_plan_plain(), plan.align[1] = 0;
  refuse(plan, "alignment");
  plan = hy_plan_plain(), plan.align[0] = HY_MOST_OF_PLAN + 1;
  refuse(plan, "alignment");
  plan = hy_plan_plain(), plan.fold[1] = -1;
  refuse(plan, "fold");
  plan = hy_plan_plain(), plan.fold[0] = HY_MOST_OF_PLAN + 1;
  refuse(plan, "fold");
}
END_TEST

Suite *semantics_storage_suite(void) {
  Suite *suite = suite_create("semantics_storage");
  TCase *tests = tcase_create("storage");
  tcase_add_test(tests, one_by_hand);
  tcase_add_loop_test(tests, points_and_cells, 0, 300);
  tcase_add_test(tests, edges);
  tcase_add_test(tests, plans_that_do_not_fit);
  suite_add_tcase(suite, tests);
  return suite;
}
