/* The run-time library: parallel loops (how often each iteration runs, nesting, failure, many callers) and memory. */

#include "codegen/runtime/runtime.h"
#include "proofs_tests/suites.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const thread_counts[] = {"1", "2", "3", "8"};

static void start_with(const char *threads) {
  hy_runtime_shutdown();
  setenv("HALYARD_NUM_THREADS", threads, 1);
}

/* -- loops -- */

typedef struct {
  int64_t min, len;
  _Atomic int *hits; // by iteration
  int64_t fails_at;  // iteration, or -1
  _Atomic int64_t runs;
} loop;

static int32_t count_hits(void *closure, int64_t begin, int64_t end) {
  loop *l = closure;
  for (int64_t i = begin; i < end; i++) {
    atomic_fetch_add(&l->hits[i - l->min], 1);
    atomic_fetch_add(&l->runs, 1);
    if (i - l->min == l->fails_at) return 17;
  }
  return 0;
}

static void check_loop(int64_t min, int64_t len) {
  loop l = {.min = min, .len = len, .fails_at = -1};
  l.hits = calloc((size_t)(len > 0 ? len : 1), sizeof *l.hits);
  ck_assert_int_eq(hy_runtime_parallel_for(min, len, count_hits, &l), 0);
  ck_assert_int_eq(l.runs, len > 0 ? len : 0);
  for (int64_t i = 0; i < len; i++) ck_assert_int_eq(l.hits[i], 1);
  free(l.hits);
}

// GEN.Parallel
START_TEST(every_iteration_once) {
  static const int64_t lengths[] = {1, 2, 3, 7, 8, 9, 100, 10000, 0, -1, -5};
  start_with(thread_counts[_i]);
  for (int round = 0; round < 20; round++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
      check_loop(0, lengths[i]);
      check_loop(-3, lengths[i]);
      check_loop(INT64_MAX - 10000, lengths[i]);
      check_loop(INT64_MIN, lengths[i]);
    }
}
END_TEST

START_TEST(thread_count) {
  start_with(thread_counts[_i]);
  ck_assert_int_eq(hy_runtime_thread_count(), atoi(thread_counts[_i]));
  start_with("none");
  ck_assert_int_ge(hy_runtime_thread_count(), 1);
  start_with("-4");
  ck_assert_int_ge(hy_runtime_thread_count(), 1);
  start_with("1000000000");
  ck_assert_int_le(hy_runtime_thread_count(), 1024);
}
END_TEST

// The status of a failure comes back; what had not begun does not begin.
START_TEST(failure) {
  start_with(thread_counts[_i]);
  for (int64_t at = 0; at < 1000; at += 111) {
    loop l = {.min = 5, .len = 1000, .fails_at = at};
    l.hits = calloc(1000, sizeof *l.hits);
    ck_assert_int_eq(hy_runtime_parallel_for(5, 1000, count_hits, &l), 17);
    for (int i = 0; i < 1000; i++) ck_assert_int_le(l.hits[i], 1);
    if (_i == 0) ck_assert_int_eq(l.runs, at + 1);
    free(l.hits);
  }
}
END_TEST

static int32_t fail_always(void *closure, int64_t begin, int64_t end) {
  (void)begin, (void)end;
  atomic_fetch_add((_Atomic int64_t *)closure, 1);
  return 17;
}

// After a failure of its own no thread begins anything.
START_TEST(nothing_begins_after_a_failure) {
  start_with(thread_counts[_i]);
  for (int round = 0; round < 20; round++) {
    _Atomic int64_t runs = 0;
    ck_assert_int_eq(hy_runtime_parallel_for(0, 100000, fail_always, &runs), 17);
    ck_assert_int_le(runs, atoi(thread_counts[_i]));
  }
}
END_TEST

typedef struct {
  int depth;
  _Atomic int64_t leaves;
  _Atomic int *failing; // counts down at the leaves; the one that reaches zero fails
} tree;

static int32_t grow_tree(void *closure, int64_t begin, int64_t end);

typedef struct {
  tree *t;
  int level;
} branch;

static int32_t grow_tree(void *closure, int64_t begin, int64_t end) {
  branch *b = closure;
  for (int64_t i = begin; i < end; i++) {
    if (b->level == b->t->depth) {
      atomic_fetch_add(&b->t->leaves, 1);
      if (b->t->failing && atomic_fetch_sub(b->t->failing, 1) == 1) return -9;
      continue;
    }
    branch next = {b->t, b->level + 1};
    int32_t status = hy_runtime_parallel_for(0, 5, grow_tree, &next);
    if (status) return status;
  }
  return 0;
}

START_TEST(nested) {
  start_with(thread_counts[_i]);
  for (int round = 0; round < 10; round++) {
    tree t = {.depth = 4};
    branch root = {&t, 0};
    ck_assert_int_eq(hy_runtime_parallel_for(0, 7, grow_tree, &root), 0);
    ck_assert_int_eq(t.leaves, 7 * 5 * 5 * 5 * 5);
  }
}
END_TEST

START_TEST(nested_failure) {
  start_with(thread_counts[_i]);
  for (int round = 1; round < 10; round++) {
    _Atomic int failing = round * 50;
    tree t = {.depth = 3, .failing = &failing};
    branch root = {&t, 0};
    ck_assert_int_eq(hy_runtime_parallel_for(0, 7, grow_tree, &root), -9);
    // With several threads the others may have finished everything before the failure is noticed.
    if (_i == 0) ck_assert_int_eq(t.leaves, round * 50);
    ck_assert_int_le(t.leaves, 7 * 5 * 5 * 5);
  }
}
END_TEST

/* -- several threads call at once -- */

static void *caller(void *unused) {
  (void)unused;
  for (int round = 0; round < 30; round++) {
    check_loop(round, 257);
    tree t = {.depth = 2};
    branch root = {&t, 0};
    ck_assert_int_eq(hy_runtime_parallel_for(0, 4, grow_tree, &root), 0);
    ck_assert_int_eq(t.leaves, 100);
    void *memory = hy_runtime_allocate(10000);
    ck_assert_ptr_nonnull(memory);
    memset(memory, round, 10000);
    hy_runtime_free(memory);
  }
  return NULL;
}

START_TEST(many_callers) {
  start_with(thread_counts[_i]);
  pthread_t threads[6];
  for (int i = 0; i < 6; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, caller, NULL), 0);
  for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
}
END_TEST

// A forked child has no pool; it makes its own. (ThreadSanitizer does not allow that.)
START_TEST(after_fork) {
#if defined(HALYARD_SANITIZE_THREAD)
  return;
#endif
  start_with("3");
  check_loop(0, 100);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    check_loop(0, 100);
    hy_runtime_shutdown();
    _exit(0);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  check_loop(0, 100);
}
END_TEST

/* -- memory -- */

// What is freed is handed out again, once.
START_TEST(blocks) {
  static const uint64_t sizes[] = {0, 1, 63, 64, 65, 1000, 4096, 100000, 5000000, 70000000};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  for (int round = 0; round < 4; round++) {
    unsigned char *blocks[COUNT];
    for (int i = 0; i < COUNT; i++) {
      blocks[i] = hy_runtime_allocate(sizes[i]);
      ck_assert_ptr_nonnull(blocks[i]);
      ck_assert_uint_eq((uintptr_t)blocks[i] % 64, 0);
      memset(blocks[i], i + 1, sizes[i]);
    }
    // No two overlap.
    for (int i = 0; i < COUNT; i++)
      if (sizes[i]) ck_assert(blocks[i][0] == i + 1 && blocks[i][sizes[i] - 1] == i + 1);
    for (int i = 0; i < COUNT; i++) hy_runtime_free(blocks[round % 2 ? i : COUNT - 1 - i]);
  }
  for (int i = 0; i < 1000; i++) {
    void *a = hy_runtime_allocate((uint64_t)i * 17), *b = hy_runtime_allocate((uint64_t)i * 40);
    ck_assert_ptr_ne(a, b);
    memset(a, 1, (size_t)i * 17);
    memset(b, 2, (size_t)i * 40);
    hy_runtime_free(i % 2 ? a : b);
    hy_runtime_free(i % 2 ? b : a);
  }
  hy_runtime_free(NULL);
}
END_TEST

START_TEST(no_such_memory) {
  ck_assert_ptr_null(hy_runtime_allocate(UINT64_MAX));
  ck_assert_ptr_null(hy_runtime_allocate(UINT64_MAX - 64));
  ck_assert_ptr_null(hy_runtime_allocate(INT64_MAX));
  ck_assert_ptr_null(hy_runtime_allocate((uint64_t)1 << 62));
  ck_assert_ptr_null(hy_runtime_allocate((uint64_t)1 << 46));
}
END_TEST

// A box of 3 x 2 x 2 out of one with other strides; nothing around it changes.
START_TEST(copying) {
  uint16_t from[100], to[200];
  for (int i = 0; i < 100; i++) from[i] = (uint16_t)i;
  memset(to, 0xff, sizeof to);
  int64_t len[] = {3, 2, 2}, from_stride[] = {1, 7, 30}, to_stride[] = {1, 5, 50};
  hy_runtime_copy((uint8_t *)(to + 10), (const uint8_t *)(from + 4), 2, 3, len, to_stride, from_stride);
  int copied = 0;
  for (int i = 0; i < 200; i++) copied += to[i] != 0xffff;
  ck_assert_int_eq(copied, 12);
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 2; y++)
      for (int x = 0; x < 3; x++) ck_assert_int_eq(to[10 + x + 5 * y + 50 * z], 4 + x + 7 * y + 30 * z);
  len[1] = 0;
  hy_runtime_copy((uint8_t *)to, (const uint8_t *)from, 2, 3, len, to_stride, from_stride);
  ck_assert_int_eq(to[0], 0xffff);
  hy_runtime_copy((uint8_t *)to, (const uint8_t *)(from + 9), 2, 0, len, to_stride, from_stride);
  ck_assert_int_eq(to[0], 9);
  ck_assert_int_eq(to[1], 0xffff);
}
END_TEST

Suite *codegen_runtime_suite(void) {
  Suite *suite = suite_create("codegen_runtime");
  TCase *tests = tcase_create("runtime");
  const int counts = sizeof thread_counts / sizeof *thread_counts;
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, every_iteration_once, 0, counts);
  tcase_add_loop_test(tests, thread_count, 0, counts);
  tcase_add_loop_test(tests, failure, 0, counts);
  tcase_add_loop_test(tests, nothing_begins_after_a_failure, 0, counts);
  tcase_add_loop_test(tests, nested, 0, counts);
  tcase_add_loop_test(tests, nested_failure, 0, counts);
  tcase_add_loop_test(tests, many_callers, 0, counts);
  tcase_add_test(tests, after_fork);
  tcase_add_test(tests, blocks);
  tcase_add_test(tests, no_such_memory);
  tcase_add_test(tests, copying);
  suite_add_tcase(suite, tests);
  return suite;
}
