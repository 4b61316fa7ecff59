#include "oracle/prover/evaluate.h"
#include "oracle/prover/prover.h"
#include "oracle/z3/z3_apply.h"
#include "oracle/z3/z3_check.h"
#include "oracle/z3/z3_size.h"
#include "oracle/z3/z3_worker.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_MS = 4000, MAX_ROWS = 64 };

typedef struct {
  const char *facts, *goal;
  hy_answer answer;
} row;

static const row rows[] = {
    {"", "true", HY_YES},
    {"", "x <= x", HY_YES},
    {"a <= b; b <= c", "a <= c", HY_YES},
    {"2*w + 1 >= 0", "w >= 0", HY_YES},
    {"m <= x; x < m + len; len >= 1", "(x - m) / 256 < (len + 255) / 256", HY_YES},
    {"x >= 0; x / 8 == 3", "x % 8 == x - 24", HY_YES},
    {"", "x / -2 == -(x / 2)", HY_YES},
    {"", "min(a, b) <= a && max(a, b) >= b", HY_YES},
    {"", "clamp(e, 0, 255) <= 255", HY_YES},
    {"", "abs(x) >= x", HY_YES},
    {"", "select(t_a, 1, 2) <= 2", HY_YES},
    {"t_a == t_b; t_a", "t_b", HY_YES},
    {"", "int(img(x)) <= 255", HY_YES},
    {"", "int(b_v + b_w) <= 255", HY_YES},
    {"", "int(u8(x)) == x % 256", HY_YES},
    {"b_v < 10; b_w < 10", "b_v + b_w < 20", HY_YES},
    {"", "(x & 15) < 16", HY_YES},
    {"", "(x << 3) == 8*x", HY_YES},
    {"x >= 0", "x >> 2 <= x", HY_YES},
    {"0 > 1", "false", HY_YES},
    {"f_a < 1.0", "f_a < 1.0 || x > 0", HY_YES},
    {"m >= 1; x >= 0", "x % m < m", HY_YES},
    {"", "false", HY_NO},
    {"", "x <= y", HY_NO},
    {"a <= b; b <= c", "a < c", HY_NO},
    {"2*w + 3 >= 0", "w >= 0", HY_NO},
    {"m <= x; x < m + len; len >= 1", "(x - m) / 256 < len / 256", HY_NO},
    {"", "x / -2 == -(x / 2) - 1", HY_NO},
    {"", "min(a, b) >= a", HY_NO},
    {"", "t_a", HY_NO},
    {"t_a", "t_b", HY_NO},
    {"", "int(img(x)) <= 254", HY_NO},
    {"", "int(b_v + b_w) == int(b_v) + int(b_w)", HY_NO},
    {"", "int(u8(x)) == x", HY_NO},
    {"", "int(c_v) >= -127", HY_NO},
    {"at(x) >= 0", "at(y) >= 0", HY_NO},
    {"x % m >= 0", "x % m < m", HY_NO},                                                 // m = 0, or negative
    {"", "x / 0 == 0", HY_NO},                                                          // any number
    {"int(q_v) >= 9223372036854775807", "int(q_v) <= 9223372036854775807", HY_UNKNOWN}, // the model exceeds 64 bits
};

// Of floats Z3 is told more than the printed question says (z3_floats.h).
static const struct {
  const char *facts, *goal;
  hy_answer answer;
} float_rows[] = {
    {"!(f_a >= 1.0)", "f_a < 1.0", HY_NO}, // a NaN
    {"f_a < 2.0", "f_a < 1.0", HY_NO},
    {"f_a <= 0.0", "-0.0 >= f_a", HY_YES},
    {"f_a < 1.0", "f_a < 2.0", HY_YES},
    {"f_a >= 0.5; f_a <= 2.0; x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)", HY_YES},
    {"f_a >= -2.0; f_a <= 2.0; x <= y; y <= z", "min(int(f32(x) * f_a), int(f32(z) * f_a)) <= int(f32(y) * f_a)",
     HY_YES},
    {"f_a >= -2.0; f_a <= 2.0; x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)", HY_UNKNOWN}, // orders are no model
};

typedef struct {
  questions *questions;
  const hy_expr *facts[MAX_ROWS][MAX_FACTS];
  hy_z3_question asked[MAX_ROWS];
  hy_z3_verdict verdicts[MAX_ROWS];
} batch;

static batch *batch_new(void) {
  batch *b = hy_allocate_zeroed(1, sizeof *b);
  b->questions = questions_new();
  return b;
}

static void batch_free(batch *b) {
  questions_free(b->questions);
  free(b);
}

static void put(batch *b, size_t at, const char *facts, const char *goal) {
  size_t count = questions_facts(b->questions, facts, b->facts[at]);
  b->asked[at] = (hy_z3_question){b->facts[at], count, questions_formula(b->questions, goal)};
}

static bool model_value(void *self, const hy_expr *unknown, hy_wide *value) {
  const hy_z3_verdict *verdict = self;
  for (size_t i = 0; i < verdict->model_count; i++) {
    if (verdict->model[i].unknown != unknown) continue;
    *value = verdict->model[i].value;
    return true;
  }
  return false;
}

static void check_model(const hy_z3_question *question, hy_z3_verdict *verdict, const char *what) {
  hy_wide value;
  for (size_t i = 0; i < question->fact_count; i++)
    ck_assert_msg(hy_evaluate(question->facts[i], model_value, verdict, &value) && value == 1, "fact of: %s", what);
  ck_assert_msg(hy_evaluate(question->goal, model_value, verdict, &value) && value == 0, "goal: %s", what);
}

START_TEST(answers) {
  batch *b = batch_new();
  for (size_t i = 0; i < HY_COUNT(rows); i++) put(b, i, rows[i].facts, rows[i].goal);
  hy_z3_check(questions_context(b->questions), b->asked, HY_COUNT(rows), LIMIT_MS, b->verdicts);
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    ck_assert_msg(b->verdicts[i].answer == rows[i].answer, "%s |- %s: %d", rows[i].facts, rows[i].goal,
                  b->verdicts[i].answer);
    if (rows[i].answer == HY_NO)
      check_model(&b->asked[i], &b->verdicts[i], rows[i].goal);
    else
      ck_assert_uint_eq(b->verdicts[i].model_count, 0);
  }
  batch_free(b);
}
END_TEST

START_TEST(nothing_asked) {
  batch *b = batch_new();
  hy_z3_check(questions_context(b->questions), b->asked, 0, LIMIT_MS, b->verdicts);
  batch_free(b);
}
END_TEST

// Cubes in a sum: nobody decides that soon.
#define HARD_FACTS "x > 0; y > 0; z > 0; x <= y; y <= z"
#define HARD_GOAL "x*x*x*x + y*y*y*y + x*y*z != z*z*z*z*x + 3*x*y + 1073741827 || x*x + y*z*z != 715827882*y + 17"

// What comes after the last unknown that there may be is not asked; answers that came stay.
START_TEST(stops_at_unknowns) {
  for (size_t most = 1; most <= 3; most++) {
    batch *b = batch_new();
    put(b, 0, "x >= 1", "x >= 0");
    put(b, 1, HARD_FACTS, HARD_GOAL);
    for (size_t i = 2; i < 8; i++) put(b, i, "x >= 1", "x >= 2");
    hy_z3_check_until(questions_context(b->questions), b->asked, 8, 100, most, NULL, b->verdicts);
    size_t answered = 0;
    for (size_t i = 2; i < 8; i++) answered += b->verdicts[i].answer == HY_NO;
    ck_assert_int_eq(b->verdicts[1].answer, HY_UNKNOWN);
    if (most == 1) ck_assert_int_eq(b->verdicts[0].answer, HY_YES);
    ck_assert_msg(most == 1 ? answered == 0 : answered == 6, "%zu: %zu", most, answered);
    batch_free(b);
  }
}
END_TEST

typedef struct {
  size_t told, last, count;
} watched;

static void note_told(void *self, size_t settled, size_t count) {
  watched *w = self;
  ck_assert_uint_le(w->last, settled);
  ck_assert_uint_lt(settled, count);
  *w = (watched){w->told + 1, settled, count};
}

// Who waits is told how many questions are settled: before each one, where they are asked one after the other.
START_TEST(tells_how_far_it_is) {
  batch *b = batch_new();
  hy_context *context = questions_context(b->questions);
  watched here = {0}, helped = {0};
  for (size_t i = 0; i < 4; i++) put(b, i, "x >= 1", i % 2 ? "x >= 2" : "x >= 0");
  hy_context_set_solver(context, HY_Z3_HERE);
  hy_z3_check_until(context, b->asked, 4, 100, 5, &(hy_z3_watch){note_told, &here}, b->verdicts);
  ck_assert_uint_eq(here.told, 4);
  ck_assert_uint_eq(here.last, 3);
  ck_assert_uint_eq(here.count, 4);
  hy_context_set_solver(context, HY_Z3_HELPER);
  hy_z3_check_until(context, b->asked, 4, 100, 5, &(hy_z3_watch){note_told, &helped}, b->verdicts);
  ck_assert_uint_ge(helped.told, 1);
  ck_assert_uint_eq(helped.count, 4);
  batch_free(b);
}
END_TEST

// Steps end a question, not time: it takes as many as it may, and that is no emergency.
START_TEST(stops_after_its_steps) {
  enum { LIMIT = 120 };
  batch *b = batch_new();
  put(b, 0, "x >= 1", "x >= 0");
  put(b, 1, HARD_FACTS, HARD_GOAL);
  put(b, 2, "x >= 1", "x >= 2");
  hy_z3_set_emergency(&(hy_z3_emergency){.processor_seconds = 600, .wall_seconds = 3600}); // however busy the machine
  hy_z3_check(questions_context(b->questions), b->asked, 3, LIMIT, b->verdicts);
  hy_z3_set_emergency(NULL);
  ck_assert_int_eq(b->verdicts[0].answer, HY_YES);
  ck_assert_int_eq(b->verdicts[1].answer, HY_UNKNOWN);
  ck_assert_int_eq(b->verdicts[2].answer, HY_NO);
  ck_assert(!b->verdicts[1].emergency);
  ck_assert_uint_ge(b->verdicts[1].steps, LIMIT * HY_Z3_STEPS);
  ck_assert_uint_le(b->verdicts[1].steps, LIMIT * HY_Z3_STEPS * 2);
  batch_free(b);
}
END_TEST

// "first", then so many times "next", with the number of the time in the place of its %d.
static const char *repeated(batch *b, const char *first, const char *next, int times) {
  hy_text text = {0};
  hy_text_add(&text, first);
  for (int i = 1; i <= times; i++) hy_text_printf(&text, next, i);
  const char *made = hy_arena_printf(hy_context_arena(questions_context(b->questions)), "%s", hy_text_string(&text));
  hy_text_free(&text);
  return made;
}

// The question depends on its size alone: facts count as the goal does. Each is true, and easy.
static const struct {
  const char *facts, *more, *goal, *first, *next, *last;
  int times;
  bool is_too_large;
} sizes[] = {
    {"x >= 1", "", "", "x", "*x", " >= 0", 7, false}, // a product of 8
    {"x >= 1", "", "", "x", "*x", " >= 0", 8, true},
    {"x >= 1", "", "", "1/x", "/x", " >= 0", 8, true}, // quotients are products to Z3
    {"x >= 1; 2 >= x", "", "", "x*x*x*x", " + 0*x*x*x", " >= 0", 9, false},
    {"x >= 1", " && x >= 1 + %d", "x >= 1", "", "", "", 100, false},
    {"x >= 1", " && x >= 1 + %d", "x >= 1", "", "", "", 250, true},
    {"x >= 1", "", "", "x", " + x/%d", " >= x", 150, false},
    {"x >= 1", "", "", "x", " + x/%d", " >= x", 250, true},
};

// Quotients and remainders, facts and goal together, take steps from a question that has many of them.
static const struct {
  const char *next;
  int times;
  unsigned limit;
} quotients[] = {{" + x/%d", 15, 1000}, {" + x/%d", 16, 1000}, {" + x/%d", 32, 251},
                 {" + x%%%d", 32, 251}, {" + x*%d", 32, 1000}, {" + x/%d", 160, 11}};

START_TEST(many_quotients_get_less) {
  batch *b = batch_new();
  put(b, 0, "x >= 1", repeated(b, repeated(b, "x", quotients[_i].next, quotients[_i].times), " >= x", 1));
  ck_assert_uint_eq(hy_z3_limit_for(&b->asked[0], 1000), quotients[_i].limit);
  ck_assert_uint_ge(hy_z3_limit_for(&b->asked[0], 1), 1);
  batch_free(b);
}
END_TEST

START_TEST(too_large_to_ask) {
  batch *b = batch_new();
  bool of_facts = sizes[_i].more[0];
  const char *facts = of_facts ? repeated(b, sizes[_i].facts, sizes[_i].more, sizes[_i].times) : sizes[_i].facts;
  const char *sum = repeated(b, sizes[_i].first, sizes[_i].next, sizes[_i].times);
  put(b, 0, "x >= 1", "x >= 0");
  put(b, 1, facts, of_facts ? sizes[_i].goal : repeated(b, sum, sizes[_i].last, 1));
  put(b, 2, "x >= 1", "x >= 2");
  hy_z3_check(questions_context(b->questions), b->asked, 3, 100, b->verdicts);
  ck_assert_int_eq(b->verdicts[0].answer, HY_YES);
  ck_assert_int_eq(b->verdicts[1].too_large, sizes[_i].is_too_large);
  if (sizes[_i].is_too_large) ck_assert_int_eq(b->verdicts[1].answer, HY_UNKNOWN);
  if (sizes[_i].is_too_large) ck_assert_uint_eq(b->verdicts[1].steps, 0);
  ck_assert_int_eq(b->verdicts[2].answer, HY_NO);
  ck_assert(!b->verdicts[0].too_large && !b->verdicts[2].too_large);
  batch_free(b);
}
END_TEST

/* -- workers that die: a question that nobody answers, then one that is answered -- */

// Kills the children that the main thread has after a while.
static void *kill_children(void *self) {
  char path[64];
  usleep(*(useconds_t *)self);
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *children = fopen(path, "r");
  for (int child; children && fscanf(children, "%d", &child) == 1;) kill(child, SIGKILL);
  if (children) fclose(children);
  return NULL;
}

START_TEST(survives_killed_workers) {
  batch *b = batch_new();
  enum { COUNT = 12 };
  for (size_t i = 0; i < COUNT; i++) {
    if (i < 4)
      put(b, i, HARD_FACTS, HARD_GOAL);
    else
      put(b, i, "x >= 1", i % 2 ? "x >= 0" : "x >= 2");
  }
  useconds_t delay = 100000;
  pthread_t killer;
  ck_assert_int_eq(pthread_create(&killer, NULL, kill_children, &delay), 0);
  hy_z3_check(questions_context(b->questions), b->asked, COUNT, 100, b->verdicts);
  pthread_join(killer, NULL);
  for (size_t i = 0; i < 4; i++) ck_assert_int_eq(b->verdicts[i].answer, HY_UNKNOWN);
  for (size_t i = 4; i < COUNT; i++) ck_assert_int_eq(b->verdicts[i].answer, i % 2 ? HY_YES : HY_NO);
  batch_free(b);
}
END_TEST

// While other threads work (a thread pool, say), in the same process. AddressSanitizer's allocator may be locked for
// ever in a child that was forked while another thread allocates: there a worker is replaced, and in the end gives up.
static void *spin(void *self) {
  volatile bool *stop = self;
  while (!__atomic_load_n(stop, __ATOMIC_RELAXED)) {
#ifndef HALYARD_SANITIZE_ADDRESS
    for (size_t size = 16; size < 4096; size *= 2) free(malloc(size));
#endif
    usleep(50);
  }
  return NULL;
}

START_TEST(works_beside_threads) {
  batch *b = batch_new();
  bool stop = false;
  pthread_t others[2];
  for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&others[i], NULL, spin, &stop), 0);
  for (size_t i = 0; i < 8; i++) put(b, i, "x >= 1", i % 2 ? "x >= 0" : "x >= 2");
  hy_z3_check(questions_context(b->questions), b->asked, 8, LIMIT_MS, b->verdicts);
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++) pthread_join(others[i], NULL);
  for (size_t i = 0; i < 8; i++) ck_assert_int_eq(b->verdicts[i].answer, i % 2 ? HY_YES : HY_NO);
  batch_free(b);
}
END_TEST

/* -- ops.def, row by row -- */

static const int64_t edges[] = {0,    1,         -1,        2,          -2,        3,         -3,
                                7,    8,         15,        127,        128,       255,       -128,
                                -129, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN, INT64_MAX - 1};

static hy_value pick_value(hy_type type, uint64_t *seed) {
  uint64_t r = questions_random(seed);
  if (r % 3 == 0) return hy_value_integral(type, edges[(r >> 8) % HY_COUNT(edges)]);
  return hy_value_integral(type, r % 3 == 1 ? (int64_t)((r >> 8) % 41) - 20 : (int64_t)questions_random(seed));
}

static bool has_whole_row(hy_op op, hy_type type) {
  if (hy_op_is_opaque(op)) return false;
  switch (hy_op_typing(op)) {
  case HY_TYPING_ARITH:
  case HY_TYPING_COMPARE:
  case HY_TYPING_UNARY: return type != HY_BOOL;
  case HY_TYPING_BITS:
  case HY_TYPING_WHOLE:
  case HY_TYPING_UBITS: return type != HY_BOOL;
  case HY_TYPING_LOGIC: return type == HY_BOOL;
  case HY_TYPING_EQUAL:
  case HY_TYPING_SELECT:
  case HY_TYPING_CAST: return true;
  case HY_TYPING_REINTERPRET:
  case HY_TYPING_MATH: return false;
  }
  return false;
}

// The encoding's only value, against the one definition of arithmetic.
static bool row_agrees(hy_context *context, hy_op op, hy_type type, uint64_t *seed) {
  hy_value args[HY_MAX_ARITY];
  hy_type types[HY_MAX_ARITY], result;
  for (int i = 0; i < hy_op_arity(op); i++) {
    types[i] = op == HY_OP_SELECT && i == 0 ? HY_BOOL : type;
    args[i] = pick_value(types[i], seed);
    if ((op == HY_OP_SHL || op == HY_OP_SHR) && i == 1 && questions_random(seed) % 4)
      args[i] = hy_value_integral(type, (int64_t)(questions_random(seed) % 70));
  }
  if (op == HY_OP_CAST)
    result = (hy_type)(questions_random(seed) % (HY_I64 + 1));
  else
    ck_assert(hy_op_result(op, types, &result));
  hy_value expected = hy_value_apply(op, result, args);
  int64_t found;
  hy_answer answer = hy_z3_apply(context, op, result, args, &found);
  if (answer == HY_NO) return false;
  if (expected.error != HY_OK) return answer == HY_UNKNOWN; // it must not claim a value where there is none
  bool beyond = result == HY_U64 && expected.i < 0;         // no int64_t
  return beyond ? answer == HY_UNKNOWN : answer == HY_YES && found == expected.i;
}

START_TEST(agrees_with_value_apply) {
  static const hy_type types[] = {HY_INT, HY_BOOL, HY_U8, HY_I8, HY_U16, HY_I32, HY_U64, HY_I64};
  hy_op op = (hy_op)_i;
  hy_context *context = hy_context_new();
  uint64_t seed = 77 + (uint64_t)_i;
  for (size_t t = 0; t < HY_COUNT(types); t++) {
    if (!has_whole_row(op, types[t])) continue;
    for (int round = 0; round < 6; round++) {
      uint64_t before = seed;
      ck_assert_msg(row_agrees(context, op, types[t], &seed), "%s on %s, seed %llu", hy_op_name(op),
                    hy_type_name(types[t]), (unsigned long long)before);
    }
  }
  hy_context_free(context);
}
END_TEST

/* -- SMT-LIB through the z3 program -- */

static hy_answer run_z3(const char *text) {
  char path[] = "/tmp/halyard_z3_XXXXXX", command[64], line[64] = "";
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  snprintf(command, sizeof command, "z3 -T:10 %s", path);
  FILE *out = popen(command, "r");
  ck_assert_ptr_nonnull(out);
  if (!fgets(line, sizeof line, out)) line[0] = '\0';
  pclose(out);
  unlink(path);
  ck_assert_msg(strncmp(line, "(error", 6) != 0, "%s\n%s", line, text);
  return strcmp(line, "unsat\n") == 0 ? HY_YES : strcmp(line, "sat\n") == 0 ? HY_NO : HY_UNKNOWN;
}

START_TEST(answers_of_floats) {
  batch *b = batch_new();
  for (size_t i = 0; i < HY_COUNT(float_rows); i++) put(b, i, float_rows[i].facts, float_rows[i].goal);
  hy_z3_check(questions_context(b->questions), b->asked, HY_COUNT(float_rows), LIMIT_MS, b->verdicts);
  for (size_t i = 0; i < HY_COUNT(float_rows); i++)
    ck_assert_msg(b->verdicts[i].answer == float_rows[i].answer, "%s |- %s: %d", float_rows[i].facts,
                  float_rows[i].goal, b->verdicts[i].answer);
  batch_free(b);
}
END_TEST

START_TEST(prints_smtlib) {
  if (system("command -v z3 >/dev/null 2>&1") != 0) return; // the program is optional
  batch *b = batch_new();
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_text text = {0};
    put(b, i, rows[i].facts, rows[i].goal);
    hy_z3_print_smtlib(questions_context(b->questions), &b->asked[i], "a comment\n(with lines)", &text);
    hy_answer expected = rows[i].answer == HY_UNKNOWN ? HY_NO : rows[i].answer; // text has no 64-bit limit
    ck_assert_msg(run_z3(hy_text_string(&text)) == expected, "%s", hy_text_string(&text));
    hy_text_free(&text);
  }
  batch_free(b);
}
END_TEST

/* -- the prover and Z3 -- */

START_TEST(prover_and_z3_do_not_contradict) {
  batch *b = batch_new();
  hy_context *context = questions_context(b->questions);
  hy_prover *prover = hy_prover_new(context);
  uint64_t seed = 4242;
  for (size_t i = 0; i < MAX_ROWS; i++) {
    size_t count = questions_random(&seed) % 4;
    for (size_t k = 0; k < count; k++) b->facts[i][k] = questions_random_formula(b->questions, &seed, 1);
    b->asked[i] = (hy_z3_question){b->facts[i], count, questions_random_formula(b->questions, &seed, 2)};
  }
  hy_z3_check(context, b->asked, MAX_ROWS, 500, b->verdicts);
  for (size_t i = 0; i < MAX_ROWS; i++) {
    hy_answer answer = hy_prover_holds(prover, b->asked[i].facts, b->asked[i].fact_count, b->asked[i].goal);
    hy_answer other = b->verdicts[i].answer;
    ck_assert_msg(answer == HY_UNKNOWN || other == HY_UNKNOWN || answer == other, "question %zu: %d and %d", i, answer,
                  other);
  }
  hy_prover_free(prover);
  batch_free(b);
}
END_TEST

START_TEST(has_a_version) { ck_assert_ptr_nonnull(strchr(hy_z3_version(), '.')); }
END_TEST

Suite *oracle_z3_suite(void) {
  Suite *suite = suite_create("oracle_z3");
  TCase *answers_case = tcase_create("answers");
  tcase_set_timeout(answers_case, 120);
  tcase_add_test(answers_case, answers);
  tcase_add_test(answers_case, answers_of_floats);
  tcase_add_test(answers_case, nothing_asked);
  tcase_add_test(answers_case, prints_smtlib);
  tcase_add_test(answers_case, prover_and_z3_do_not_contradict);
  tcase_add_test(answers_case, has_a_version);
  suite_add_tcase(suite, answers_case);
  TCase *limits = tcase_create("limits");
  tcase_set_timeout(limits, 600);
  tcase_add_test(limits, stops_after_its_steps);
  tcase_add_test(limits, stops_at_unknowns);
  tcase_add_test(limits, tells_how_far_it_is);
  tcase_add_loop_test(limits, many_quotients_get_less, 0, HY_COUNT(quotients));
  tcase_add_loop_test(limits, too_large_to_ask, 0, HY_COUNT(sizes));
  tcase_add_test(limits, survives_killed_workers);
  tcase_add_test(limits, works_beside_threads);
  suite_add_tcase(suite, limits);
  TCase *row_by_row = tcase_create("rows");
  tcase_set_timeout(row_by_row, 120);
  tcase_add_loop_test(row_by_row, agrees_with_value_apply, 0, HY_OP_COUNT);
  suite_add_tcase(suite, row_by_row);
  return suite;
}
