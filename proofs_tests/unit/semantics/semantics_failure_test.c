// What unwinds (semantics/base/failure.h): defects and requests for memory that get none land in hy_protect, and what
// was allocated on the way is freed with its lifetime.

#include "proofs_tests/suites.h"
#include "semantics/base/arena.h"
#include "semantics/base/failure.h"
#include "semantics/base/intern.h"
#include "semantics/base/text.h"
#include "semantics/base/vec.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  hy_lifetime *lifetime;
  hy_failure failure;
  int closed, order[4];
  hy_failure inner;
} scene;

static void begin(scene *s) {
  *s = (scene){.lifetime = hy_lifetime_new()};
  ck_assert_ptr_nonnull(s->lifetime);
}

static void build_and_die(void *self) {
  scene *s = self;
  hy_arena *arena = hy_arena_new();
  HY_VEC(int) numbers = {0};
  for (int i = 0; i < 1000; i++) hy_vec_push(&numbers, i);
  for (int i = 0; i < 100; i++) hy_arena_printf(arena, "%d", numbers.data[i]);
  hy_text text = {0};
  hy_text_printf(&text, "%s", "left over");
  ck_assert_uint_ge(hy_lifetime_count(s->lifetime), 4);
  HY_DIE("number %d", 7);
}

START_TEST(a_defect_lands) {
  scene s;
  begin(&s);
  ck_assert(!hy_protect(s.lifetime, &s.failure, build_and_die, &s));
  ck_assert_int_eq(s.failure.kind, HY_FAILURE_DEFECT);
  ck_assert_str_eq(s.failure.message, "number 7");
  ck_assert(strstr(s.failure.file, "semantics_failure_test.c") && s.failure.line > 0);
  ck_assert_uint_ge(hy_lifetime_count(s.lifetime), 4); // freed with the lifetime, as ASan sees
  hy_lifetime_free(s.lifetime);
}
END_TEST

static void want_too_much(void *self) {
  scene *s = self;
  char *kept = hy_allocate(10);
  strcpy(kept, "123456789");
  (void)s;
  hy_reallocate(kept, SIZE_MAX / 2);
}

START_TEST(a_lack_of_memory_lands) {
  scene s;
  begin(&s);
  ck_assert(!hy_protect(s.lifetime, &s.failure, want_too_much, &s));
  ck_assert_int_eq(s.failure.kind, HY_FAILURE_MEMORY);
  ck_assert_uint_eq(s.failure.wanted, SIZE_MAX / 2);
  ck_assert_uint_eq(hy_lifetime_count(s.lifetime), 1); // what could not grow is still there
  hy_lifetime_free(s.lifetime);
}
END_TEST

// Blocks come and go in an order of their own: the set keeps no gap, and forgets nothing that is left.
static void churn(void *self) {
  scene *s = self;
  enum { MOST = 700 };
  void *blocks[MOST] = {0};
  uint64_t seed = 5;
  size_t live = 0;
  for (int i = 0; i < 60000; i++) {
    seed = hy_hash(seed, (uint64_t)i);
    void **at = &blocks[seed % MOST];
    switch (seed >> 32 & 3) {
    case 0: live -= *at != NULL, hy_free(*at), *at = NULL; break;
    case 1:
      live += *at == NULL;
      *at = hy_reallocate(*at, seed >> 40 & 255);
      break;
    default:
      live -= *at != NULL, hy_free(*at);
      *at = seed >> 34 & 1 ? hy_allocate_zeroed(3, seed >> 40 & 63) : hy_try_allocate(64, seed >> 40 & 1023);
      live++;
    }
    ck_assert_uint_eq(hy_lifetime_count(s->lifetime), live);
  }
}

START_TEST(lifetimes_count) {
  scene s;
  begin(&s);
  ck_assert(hy_protect(s.lifetime, &s.failure, churn, &s));
  hy_lifetime_free(s.lifetime);
}
END_TEST

static void close_one(void *self) {
  int *place = self;
  scene *s = (scene *)(void *)((char *)(place - place[0]) - offsetof(scene, order));
  s->closed = s->closed * 10 + place[0];
}

static void hold_three(void *self) {
  scene *s = self;
  for (int i = 0; i < 4; i++) s->order[i] = i;
  for (int i = 1; i < 4; i++) hy_hold(close_one, &s->order[i]);
  hy_let_go(&s->order[2]);
  HY_UNREACHABLE();
}

START_TEST(what_is_held_is_closed_last_first) {
  scene s;
  begin(&s);
  ck_assert(!hy_protect(s.lifetime, &s.failure, hold_three, &s));
  ck_assert_int_eq(s.closed, 0);
  hy_lifetime_free(s.lifetime);
  ck_assert_int_eq(s.closed, 31);
}
END_TEST

static void nest(void *self) {
  scene *s = self;
  hy_lifetime *own = hy_lifetime_new();
  ck_assert(!hy_protect(own, &s->inner, build_and_die, &(scene){.lifetime = own}));
  ck_assert_ptr_eq(hy_protecting(), s->lifetime);
  hy_lifetime_free(own);
  hy_fail_again(&s->inner);
}

START_TEST(protection_nests) {
  scene s;
  begin(&s);
  ck_assert(!hy_protect(s.lifetime, &s.failure, nest, &s));
  ck_assert_str_eq(s.failure.message, "number 7");
  ck_assert_ptr_null(hy_protecting());
  hy_lifetime_free(s.lifetime);
}
END_TEST

static void *fail_often(void *unused) {
  (void)unused;
  for (int i = 0; i < 300; i++) {
    scene s;
    begin(&s);
    ck_assert(!hy_protect(s.lifetime, &s.failure, i % 2 ? build_and_die : want_too_much, &s));
    hy_lifetime_free(s.lifetime);
  }
  return NULL;
}

START_TEST(each_thread_has_its_own) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, fail_often, NULL), 0);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

Suite *semantics_failure_suite(void) {
  Suite *suite = suite_create("semantics_failure");
  TCase *tests = tcase_create("failure");
  tcase_add_test(tests, a_defect_lands);
  tcase_add_test(tests, a_lack_of_memory_lands);
  tcase_add_test(tests, lifetimes_count);
  tcase_add_test(tests, what_is_held_is_closed_last_first);
  tcase_add_test(tests, protection_nests);
  tcase_add_test(tests, each_thread_has_its_own);
  suite_add_tcase(suite, tests);
  return suite;
}
