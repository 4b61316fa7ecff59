/* The literal target interpreter, small step by small step, against the fast one (decision D13): the programs of apps/
 * and golden/ under all their schedules, small programs for each rule, random programs, and programs that are wrong.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "proofs_tests/support/tgt_random.h"

/* -- whole pipelines -- */

static char *read_text(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", HALYARD_SOURCE_DIR, name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot read %s", path);
  char *text = calloc(1, 1 << 16);
  size_t length = fread(text, 1, (1 << 16) - 1, file);
  ck_assert_uint_lt(length, (1 << 16) - 1);
  fclose(file);
  return text;
}

typedef struct {
  int64_t parameter, min, len;
} tiny;
static const tiny windows[] = {{1, 0, 1}, {2, 5, 5}, {0, -3, 2}, {1, -9, 17}};

static uint64_t compare_filled(test_program *p, size_t count, const char *what) {
  uint64_t compared = 0;
  bool fine = hy_pipeline_schedule(&p->pipeline, p->diagnostics) && hy_pipeline_fill(&p->pipeline, p->diagnostics);
  ck_assert_msg(fine, "%s: %s", what, test_program_said(p));
  for (size_t i = 0; i < count; i++) {
    const tiny *w = &windows[i];
    compared += test_program_compare_literal(p, p->pipeline.filled, w->parameter, w->min, w->len, what);
  }
  return compared;
}

static const char *const apps[][2] = {
    {"apps/box_blur.alg", "apps/box_blur.sched"},   {"apps/figure1.alg", "apps/figure1.sched"},
    {"apps/histogram.alg", "apps/histogram.sched"}, {"apps/scene.alg", "apps/scene.sched"},
    {"proofs_tests/golden/scan.alg", NULL},
};

static test_program open_files(const char *alg, const char *sched, const hy_schedule **schedules, int *count) {
  test_program p = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  char *text = read_text(alg);
  p.alg_source = (hy_source){alg, text, strlen(text)};
  text = sched ? read_text(sched) : strdup("");
  p.sched_source = (hy_source){sched, text, strlen(text)};
  const hy_alg *parsed = hy_parse_alg(p.context, &p.alg_source, p.diagnostics);
  ck_assert_msg(parsed != NULL, "%s", test_program_said(&p));
  hy_pipeline_init(&p.pipeline, p.context, parsed, NULL, NULL);
  if (sched) hy_parse_schedules(p.context, &p.sched_source, p.diagnostics, schedules, count);
  return p;
}

START_TEST(app_schedules) {
  const hy_schedule *schedules = NULL;
  int count = 0;
  test_program p = open_files(apps[_i][0], apps[_i][1], &schedules, &count);
  const hy_alg *alg = p.pipeline.alg;
  for (int i = 0; i < (count ? count : 1); i++) {
    const char *name = count ? schedules[i].name : "default";
    hy_pipeline_init(&p.pipeline, p.context, alg, count ? &schedules[i] : NULL, NULL);
    uint64_t compared = compare_filled(&p, 2, name);
    ck_assert_msg(compared >= 25, "%s, %s: %llu points", apps[_i][0], name, (unsigned long long)compared);
  }
  test_program_close(&p);
}
END_TEST

static const char *const targets[] = {
    "proofs_tests/golden/figure1_d.tgt",
    "proofs_tests/golden/figure1_d_rounded.tgt",
    "proofs_tests/golden/scan_filled.tgt",
};

START_TEST(golden_targets) {
  test_program p = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  char *text = read_text(targets[_i]);
  p.alg_source = (hy_source){targets[_i], text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(p.context, &p.alg_source, p.diagnostics);
  ck_assert_msg(tgt != NULL, "%s", test_program_said(&p));
  hy_pipeline_init(&p.pipeline, p.context, NULL, NULL, tgt);
  ck_assert_uint_gt(compare_filled(&p, 3, targets[_i]), 30);
  test_program_close(&p);
}
END_TEST

/* -- small pipelines: each is one rule or decision at work -- */

static const struct {
  const char *what, *alg, *items;
} pipelines[] = {
    {"a buffer of its own for each parallel iteration",
     "pipeline p(n: int) { fun g(x, y) = x*y; fun f(x, y) = g(x, y) + g(x + 1, y) + n; }",
     "f.parallel(y); g.compute_at(f, y);"},
    {"two parallel loops, one in the other",
     "pipeline p(n: int) { fun g(x, y) = x - y; fun f(x, y) = g(x, y + 1) * g(x, y); }",
     "f.split(x, x, xi, 2).parallel(x).parallel(y); g.compute_at(f, x);"},
    {"parallel, then vectors", "pipeline p() { fun g(x, y) = f32(x) * 0.5; fun f(x, y) = g(x - 1, y) + g(x + 1, y); }",
     "f.parallel(y).vectorize(x, 4); g.vectorize(x, 4);"},
    {"an update in parallel over its pure dimension (D37)",
     "pipeline p(n: int) { fun f(x, y) = { x; rdom(r = (0, 4)) in (x, y) <- f(x, y) * 3 + r + n; }; }",
     "f.parallel(y); f.update(0).parallel(y).vectorize(x, 4);"},
    {"a predicate as a mask (D45)",
     "pipeline p() { fun f(x) = { x; rdom(r = (0, 3)) in (x) <- f(x) + r if (x + r) % 2 == 0; }; }",
     "f.update(0).reorder(x, r).vectorize(x, 4);"},
    {"an erring predicate poisons its slice (D12)",
     "pipeline p() { fun f(x, y) = { y; rdom(r = (0, 3)) in (x, y) <- r if 6 / (x - r) > 1; }; }",
     "f.update(0).parallel(y);"},
    {"an erring coordinate poisons what agrees with the others (D4)",
     "pipeline p(n: int) { fun h(i, y) = { 0; rdom(r = (0, 3)) in (clamp(5 / r, 0, 7), y) <- r + n; }; fun f(x, y) = "
     "h(clamp(x, 0, 7), y); }",
     "h.parallel(y); h.update(0).parallel(y);"},
    {"errors in data abort nothing (D12)",
     "pipeline p(n: int) { fun f(x) = select(x > n, 10 / (x - 3), x % (x - 4)); }", "f.parallel(x);"},
    {"round computes more than the window", "pipeline p() { fun g(x) = x*x; fun f(x) = g(x) - g(x + 1); }",
     "split(f.x, x, xi, 4, round); traverse(f.xi, vectorized); traverse(f.x, parallel);"},
    {"shift computes points twice", "pipeline p() { fun g(x) = x*x; fun f(x) = g(x) - g(x + 1); }",
     "split(g.x, x, xi, 4, shift); traverse(g.xi, vectorized);"},
    {"fused loops", "pipeline p() { fun f(x, y) = x*7 + y; }", "fuse(f.y, x, t); traverse(f.t, parallel);"},
    {"a histogram (D54)",
     "pipeline p(in: u8[2]) { fun h(i) = { 0; rdom(r = (0, 6), s = (0, 5)) in (int(in(r, s) % 8)) <- h(int(in(r, s) % "
     "8)) + 1; }; fun f(x) = h(clamp(x, 0, 7)); }",
     "f.parallel(x);"},
    {"bounds that are given and aligned (D43)",
     "pipeline p(n: int) { fun g(x) = x*x + n; fun f(x) = g(x) - g(x + 1); }",
     "bound(g, x, -100, 200); align_bounds(f, x, 4, 0);"},
    {"a factor that is a parameter (D34)", "pipeline p(n: int) { fun f(x) = x*n; }",
     "split(f.x, x, xi, n*n + 1); traverse(f.x, parallel);"},
};

START_TEST(small_pipelines) {
  test_program p;
  test_program_open(&p, pipelines[_i].alg, pipelines[_i].items);
  ck_assert_msg(p.parsed, "%s: %s", pipelines[_i].what, test_program_said(&p));
  ck_assert_uint_gt(compare_filled(&p, HY_COUNT(windows), pipelines[_i].what), 100);
  test_program_close(&p);
}
END_TEST

/* -- random programs -- */

typedef struct {
  int total, ran, stopped, watched, interleaved;
} tally;

static void assert_agrees(const program *p, const hy_tgt_result *want, const hy_tgt_options *options, int number) {
  hy_tgt_result got;
  run_by(hy_tgt_run_literal, p, 0, LEAST, SIDE, options, &got);
  char *expected = output_text(want), *actual = output_text(&got);
  hy_text text = {0};
  hy_tgt_print(p->tgt, &text);
  ck_assert_msg(got.status == want->status && got.contract == want->contract && strcmp(expected, actual) == 0,
                "program %d, mode %d, seed %llu: %s (%s) and literally %s (%s): %s\n%s", number, (int)options->mode,
                (unsigned long long)options->seed, expected, hy_contract_name(want->contract), actual,
                hy_contract_name(got.contract), got.story ? got.story : "", hy_text_string(&text));
  if (want->status == HY_RAN) ck_assert_uint_eq(want->points, got.points);
  hy_text_free(&text);
  free(expected);
  free(actual);
  hy_tgt_result_free(&got);
}

// In order, any two runs agree, however wrong the program; in any order, those without a race.
static void compare_random(const program *p, hy_mode mode, int number, tally *t) {
  hy_tgt_result plain, watched;
  hy_tgt_options options = {.mode = mode};
  run_with(p, 0, LEAST, SIDE, &options, &plain);
  assert_agrees(p, &plain, &options, number);
  t->total++;
  t->ran += plain.status == HY_RAN;
  t->stopped += plain.output == NULL;
  options.monitor = true;
  run_with(p, 0, LEAST, SIDE, &options, &watched);
  if (watched.status == HY_RAN) {
    t->watched++;
    for (uint64_t seed = 0; seed < 5; seed++) {
      options.seed = seed * 7919;
      assert_agrees(p, &watched, &options, number);
    }
  }
  hy_tgt_result_free(&watched);
  hy_tgt_result_free(&plain);
}

// TGT.Op, TGT.Op-Lazy, TGT.Read, TGT.Let, TGT.Seq, TGT.Label, TGT.Else
START_TEST(random_programs) {
  tally t = {0};
  for (int number = 0; number < 2000; number++) {
    program p = open_program(frame_text);
    maker g = {.context = p.context, .frame = p.tgt, .state = (uint64_t)number * 1009 + (uint64_t)_i};
    p.tgt = make_program(&g);
    compare_random(&p, _i % 2 ? HY_STRICT : HY_LAZY, number, &t);
    t.interleaved += hy_context_hits(p.context, HY_RULE_TGT_PAR_STEP) > 0;
    close_program(&p);
  }
  ck_assert_int_gt(t.ran, t.total / 4);
  ck_assert_int_gt(t.stopped, t.total / 50);
  ck_assert_int_gt(t.watched, t.total / 20);
  ck_assert_int_gt(t.interleaved, t.total / 20);
}
END_TEST

/* -- wrong programs: both stop alike -- */

#define REDUCE(assign) ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (x.min, x.len) { " assign " }")
#define LOOP(min, len)                                                                                                 \
  ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (" min ", " len ") { f(x.min) <- f(x.min) + 1; }")
#define ENTRY(condition)                                                                                               \
  "target t(w: int) on f(x) { func f(x): int stages 1; entry { assume rdom(f): " condition                             \
  "; } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { " STAGE0 "} }"

#define OUTSIDE_AND_ERRING                                                                                             \
  "target t(w: int) on f(x) { func g(a, b): int stages 2; func f(x): int stages 1; allocate g[(x.min, 1), (0, 1)]; "   \
  "label g: compute g on [(x.min, 1), (0, 1)] { label g.s0: for g.s0.b in (0, 1) { for g.s0.a in (x.min, 1) { "        \
  "g(g.s0.a, g.s0.b) <- 3; } } label g.s1: for rdom g.s1.r in (0, 1) { g(1/g.s1.r, 9) <- 7; } } "                      \
  "allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { "   \
  "f(f.s0.x) <- g(x.min, 0); } } }"

static const struct {
  const char *what, *text;
  int64_t w;
  hy_run_status status;
  hy_contract contract;
  const char *output, *story;
} wrong[] = {
    {"a loop around nothing (TGT.Nop)",
     ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { for rdom f.s0.b in (0, 2) { nop; } f(f.s0.x) <- f.s0.x; }"),
     0, HY_RAN, HY_CONTRACT_KEPT, "0 1 2 3", NULL},
    {"writes below Mem", REDUCE("f(f.s1.r - 1) <- 1;"), 0, HY_RUN_CONTRACT, HY_CONTRACT_WRITE_OUTSIDE, "1 1 1 eps_mem",
     "f(-1) is written outside Mem; f.s1.r = 0"},
    {"writes above Mem", REDUCE("f(f.s1.r + 1) <- 1;"), 0, HY_RUN_CONTRACT, HY_CONTRACT_WRITE_OUTSIDE,
     "eps_mem eps_mem eps_mem eps_mem", "f(4) is written outside Mem"},
    {"an erring coordinate, and another one outside: outside, whatever else (D77)", OUTSIDE_AND_ERRING, 0,
     HY_RUN_CONTRACT, HY_CONTRACT_WRITE_OUTSIDE, "eps_mem eps_mem eps_mem eps_mem", "is written outside Mem"},
    {"reads outside Mem", REDUCE("f(f.s1.r) <- f(f.s1.r + 1);"), 0, HY_RUN_CONTRACT, HY_CONTRACT_READ_OUTSIDE,
     "0 0 0 eps_mem", "reads f(4), outside Mem; f.s1.r = 3"},
    {"reads outside Mem in an arm that is not selected (D56)",
     REDUCE("f(f.s1.r) <- select(f.s1.r < 9, 5, f(f.s1.r + 90));"), 0, HY_RUN_CONTRACT, HY_CONTRACT_READ_OUTSIDE,
     "5 5 5 5", "reads f(90)"},
    {"reads at an erring coordinate (TGT.Read)", REDUCE("f(f.s1.r) <- f(f.s1.r / w) + 1;"), 0, HY_RAN, HY_CONTRACT_KEPT,
     "eps_arith eps_arith eps_arith eps_arith", NULL},
    {"a let that errs (TGT.Let)", REDUCE("let f.s1.y = f.s1.r / w in { f(f.s1.r) <- f.s1.y; }"), 0, HY_RAN,
     HY_CONTRACT_KEPT, "eps_arith eps_arith eps_arith eps_arith", NULL},
    {"a negative length (D51)", LOOP("0", "w"), -2, HY_RUN_CONTRACT, HY_CONTRACT_BOUNDS_ERROR, "none",
     "the length of loop f.s1.r is -2"},
    {"a length of zero", LOOP("0", "w"), 0, HY_RAN, HY_CONTRACT_KEPT, "0 0 0 0", NULL},
    {"an erring length", LOOP("0", "3/w"), 0, HY_RUN_CONTRACT, HY_CONTRACT_BOUNDS_ERROR, "none",
     "the length of loop f.s1.r is the error value eps_arith"},
    {"an erring minimum", LOOP("3%w", "1"), 0, HY_RUN_CONTRACT, HY_CONTRACT_BOUNDS_ERROR, "none",
     "the minimum of loop f.s1.r is the error value eps_arith"},
    {"an end beyond 64 bits (D78)", LOOP("w", "1"), INT64_MAX, HY_RUN_CONTRACT, HY_CONTRACT_BOUNDS_ERROR, "none",
     "the length of loop f.s1.r is 1"},
    {"an assumption that fails (D25)", ENTRY("w >= 1"), 0, HY_RUN_ASSUME, HY_CONTRACT_KEPT, "none", NULL},
    {"an assumption that holds", ENTRY("w >= 1"), 1, HY_RAN, HY_CONTRACT_KEPT, "0 0 0 0", NULL},
    {"an assumption that is an error (D27)", ENTRY("3/w >= 0"), 0, HY_RUN_ASSUME, HY_CONTRACT_KEPT, "none", NULL},
    {"an assumption in strict mode is lazy or not, as asked", ENTRY("w == 0 || 3/w >= 0"), 0, HY_RAN, HY_CONTRACT_KEPT,
     "0 0 0 0", NULL},
    {"an undefined window (D7)",
     "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "
     "0)] { label f.s0: for f.s0.x in (x.min, 0) { f(f.s0.x) <- 1; } } }",
     0, HY_RUN_CONTRACT, HY_CONTRACT_UNDEFINED, NULL, "the window holds f(0), an undefined value"},
    {"a window beside Mem",
     "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(0, 3)]; label f: compute f on [(0, 3)] { label "
     "f.s0: for f.s0.x in (0, 3) { f(f.s0.x) <- 1; } } }",
     0, HY_RUN_CONTRACT, HY_CONTRACT_READ_OUTSIDE, "1 1 1 eps_mem", "the window holds f(3), outside Mem"},
    {"a guard that errs",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, 4) { if guard (3/w > 0) { f(0) <- 1; } }"), 0, HY_RUN_CONTRACT,
     HY_CONTRACT_BOUNDS_ERROR, "none", "a guard is the error value eps_arith"},
    {"one iteration of several ends the run (TGT.Par-Step)",
     ONE_FUNC(STAGE0 "label f.s1: for parallel f.s1.x in (x.min, x.len) { for rdom f.s1.r in (0, 6%(f.s1.x - w)) { "
                     "f(f.s1.x) <- 1; } }"),
     2, HY_RUN_CONTRACT, HY_CONTRACT_BOUNDS_ERROR, "none", "the length of loop f.s1.r is the error value eps_arith"},
    {"a specialization that errs is false (D27)",
     ONE_FUNC("if specialize (3/w > 0) { label f.z1: label f.s0: for f.z1.s0.x in (x.min, x.len) { f(f.z1.s0.x) <- "
              "1; } } else { label f.z0: " STAGE0 "}"),
     0, HY_RAN, HY_CONTRACT_KEPT, "0 0 0 0", NULL},
};

START_TEST(wrong_programs) {
  program p = open_program(wrong[_i].text);
  hy_tgt_options options = {.mode = HY_LAZY, .monitor = true};
  hy_tgt_result fast, got;
  run_with(&p, wrong[_i].w, 0, 4, &options, &fast);
  run_by(hy_tgt_run_literal, &p, wrong[_i].w, 0, 4, &options, &got);
  const char *what = wrong[_i].what;
  ck_assert_msg(got.status == wrong[_i].status && got.contract == wrong[_i].contract, "%s: %d, %s: %s", what,
                (int)got.status, hy_contract_name(got.contract), got.story ? got.story : "");
  ck_assert_msg(fast.status == got.status && fast.contract == got.contract && fast.failed == got.failed,
                "%s: the fast one says %s", what, hy_contract_name(fast.contract));
  char *output = output_text(&got);
  if (wrong[_i].output) ck_assert_msg(strcmp(output, wrong[_i].output) == 0, "%s: the output is %s", what, output);
  if (wrong[_i].story)
    ck_assert_msg(got.story && strstr(got.story, wrong[_i].story), "%s: %s", what, got.story ? got.story : "no story");
  free(output);
  hy_tgt_result_free(&fast);
  hy_tgt_result_free(&got);
  close_program(&p);
}
END_TEST

/* -- what is there to choose -- */

#define SHARED ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, 4) { f(x.min) <- f(x.min) * 3 + f.s1.r; }")
#define ROWS                                                                                                           \
  "target t() on f(x, y) { func f(x, y): int stages 1; allocate f[(x.min, x.len), (y.min, y.len)]; label f: compute "  \
  "f "                                                                                                                 \
  "on [(x.min, x.len), (y.min, y.len)] { label f.s0: for parallel f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, "   \
  "x.len) { f(f.s0.x, f.s0.y) <- f.s0.x * 10 + f.s0.y; } } } }"

// A race shows: the order of iterations changes what the program computes, and every seed is the same each time.
START_TEST(seeds_choose_the_order) {
  program p = open_program(SHARED);
  remark_program(&p, "r", HY_PARALLEL);
  char *outputs[12];
  int different = 0;
  for (int i = 0; i < 12; i++) {
    for (int again = 0; again < 2; again++) {
      hy_tgt_result result;
      run_by(hy_tgt_run_literal, &p, 0, 0, 2, &(hy_tgt_options){.seed = (uint64_t)i}, &result);
      char *output = output_text(&result);
      if (again) ck_assert_str_eq(output, outputs[i]);
      if (again) free(outputs[i]);
      outputs[i] = output;
      hy_tgt_result_free(&result);
    }
    different += strcmp(outputs[i], outputs[0]) != 0;
  }
  ck_assert_str_eq(outputs[0], "18 0"); // in order: ((0*3 + 1)*3 + 2)*3 + 3
  ck_assert_int_gt(different, 4);
  for (int i = 0; i < 12; i++) free(outputs[i]);
  close_program(&p);
}
END_TEST

#define COUNTER ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, 4) { f(x.min) <- f(x.min) + 1; }")

// Loads and the store of an assignment are separate steps (D76): racing iterations lose updates, a serial loop none.
START_TEST(updates_are_lost) {
  int64_t least = 4;
  for (int parallel = 0; parallel < 2; parallel++)
    for (uint64_t seed = 0; seed < 24; seed++) {
      program p = open_program(COUNTER);
      hy_tgt_result result;
      if (parallel) remark_program(&p, "r", HY_PARALLEL);
      run_by(hy_tgt_run_literal, &p, 0, 0, 1, &(hy_tgt_options){.seed = seed}, &result);
      int64_t at[1] = {0}, count = hy_buffer_get(result.output, at).i;
      if (!parallel || !seed) ck_assert_int_eq(count, 4);
      ck_assert(count >= 1 && count <= 4);
      if (count < least) least = count;
      hy_tgt_result_free(&result);
      close_program(&p);
    }
  ck_assert_int_lt(least, 3);
}
END_TEST

typedef struct {
  int64_t last;
  int returns, count; // how often an iteration went on after another one had moved
  bool seen[8];
} watcher;

static void watch(void *self, const hy_stmt *assign, const int64_t *at) {
  watcher *w = self;
  ck_assert_int_eq(assign->kind, HY_STMT_ASSIGN);
  w->returns += w->count && at[1] != w->last && w->seen[at[1]];
  w->seen[at[1]] = true;
  w->last = at[1];
  w->count++;
}

// Single assignments of different iterations take turns, not whole iterations; seed 0 is in order.
START_TEST(assignments_interleave) {
  program p = open_program(ROWS);
  int returns = 0;
  for (uint64_t seed = 0; seed < 6; seed++) {
    watcher w = {0};
    hy_tgt_result result;
    hy_tgt_options options = {.seed = seed, .observer = watch, .observer_self = &w};
    run_by(hy_tgt_run_literal, &p, 0, 0, 4, &options, &result);
    ck_assert_int_eq(result.status, HY_RAN);
    ck_assert_int_eq(w.count, 16);
    if (seed == 0) ck_assert_int_eq(w.returns, 0);
    returns += w.returns;
    hy_tgt_result_free(&result);
  }
  ck_assert_int_gt(returns, 10);
  close_program(&p);
}
END_TEST

// All lanes load before any stores: a shift by one, where a serial loop smears (decision D45).
START_TEST(lanes_load_first) {
  static const struct {
    hy_traversal traversal;
    const char *output;
  } rows[] = {{HY_SERIAL, "0 0 0 0"}, {HY_UNROLLED, "0 0 0 0"}, {HY_PARALLEL, "0 0 0 0"}, {HY_VECTORIZED, "0 0 1 2"}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    program p = open_program(
        ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x; } label f.s1: for rdom f.s1.r in "
                 "(x.min + 1, x.len - 1) { f(f.s1.r) <- f(f.s1.r - 1); }"));
    remark_program(&p, "r", rows[i].traversal);
    hy_tgt_result result;
    run_by(hy_tgt_run_literal, &p, 0, 0, 4, &(hy_tgt_options){0}, &result);
    char *output = output_text(&result);
    ck_assert_str_eq(output, rows[i].output);
    free(output);
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

// Fresh memory is arbitrary, other with every seed and with every execution (decision D7).
START_TEST(memory_is_scrambled) {
  program p = open_program("target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: "
                           "compute f on [(x.min, 0)] { label f.s0: for f.s0.x in (x.min, 0) { f(f.s0.x) <- 1; } } }");
  char *outputs[3];
  for (int i = 0; i < 3; i++) {
    hy_tgt_result result;
    run_by(hy_tgt_run_literal, &p, 0, 0, 8, &(hy_tgt_options){.seed = (uint64_t)i + 1}, &result);
    ck_assert_int_eq(result.status, HY_RAN);
    ck_assert_ptr_null(result.output->errors); // never an error
    outputs[i] = output_text(&result);
    hy_tgt_result_free(&result);
  }
  ck_assert_str_ne(outputs[0], outputs[1]);
  ck_assert_str_ne(outputs[1], outputs[2]);
  for (int i = 0; i < 3; i++) free(outputs[i]);
  close_program(&p);
}
END_TEST

/* -- budget and derivation -- */

START_TEST(budget) {
  static const struct {
    const char *text;
    int64_t len;
    uint64_t limit;
    hy_run_status status;
  } rows[] = {
      {ONE_FUNC(STAGE0), 4, 0, HY_RAN},
      {ONE_FUNC(STAGE0), 4, 1000, HY_RAN},
      {ONE_FUNC(STAGE0), 4, 20, HY_RUN_LIMIT},
      {ONE_FUNC(STAGE0), 4, 1, HY_RUN_LIMIT},
      {ONE_FUNC(STAGE0), 1000000000, 100000, HY_RUN_LIMIT},  // memory
      {LOOP("0", "1000000000000"), 4, 100000, HY_RUN_LIMIT}, // time
      {LOOP("0", "0"), 4, 100000, HY_RAN},
      {ROWS, 3, 100000, HY_RAN},
      {ROWS, 1 << 20, 0, HY_RUN_LIMIT},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    program p = open_program(rows[i].text);
    hy_tgt_result result;
    run_by(hy_tgt_run_literal, &p, 0, 0, rows[i].len, &(hy_tgt_options){.step_limit = rows[i].limit}, &result);
    ck_assert_msg(result.status == rows[i].status, "row %zu: status %d", i, (int)result.status);
    ck_assert_msg((result.output != NULL) == (result.status == HY_RAN), "row %zu: output", i);
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

START_TEST(derivation) {
  static const struct {
    const char *text;
    uint64_t seed;
    const char *has[8];
  } rows[] = {
      {ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x * 7; }"),
       0,
       {"[TGT.Alloc] allocate f[(x.min, x.len)]\n", "[TGT.Compute] compute f on [(x.min, x.len)]\n",
        "[TGT.For] for serial f.s0.x in (x.min, x.len)\n", "    -> (3, 2)\n",
        "[TGT.Assign] f(f.s0.x) <- f.s0.x*7    {f.s0.x = 4}\n", "[TGT.Const] f.s0.x = 4\n", "[TGT.Store] f(4) := 28\n",
        "[TGT.Alloc-End] f\n"}},
      {ROWS, 5, {"[TGT.For-Parallel] for parallel f.s0.y", "[TGT.Par-Step] f.s0.y = 4\n", "{f.s0.y = 4, f.s0.x = 3}"}},
      {ONE_FUNC("label f.s0: for vectorized f.s0.x in (x.min, 2) { f(f.s0.x) <- 1; }"),
       0,
       {"[TGT.For-Vector] for vectorized f.s0.x in (x.min, 2)\n", "{2 lanes}", "  {f.s0.x = 4}\n",
        "[TGT.Store] f(4) := 1\n"}},
      {REDUCE("f(f.s1.r + 1) <- select(f.s1.r > 3, 1/0, 2);"),
       0,
       {"[TGT.Op-Lazy] select", "= eps_arith\n", "[TGT.Assign-Out] f(5) := eps_arith\n",
        "    -> every cell takes eps_mem\n"}},
      {REDUCE("f(1/0) <- f.s1.r;"),
       0,
       {"[TGT.Assign] f(1/0) <- f.s1.r", "[TGT.Assign-Poison] f(eps_arith) := eps_arith\n"}},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    program p = open_program(rows[i].text);
    hy_tgt_result result;
    hy_text trace = {0};
    run_by(hy_tgt_run_literal, &p, 0, 3, 2, &(hy_tgt_options){.seed = rows[i].seed, .trace = &trace}, &result);
    for (size_t k = 0; k < HY_COUNT(rows[i].has) && rows[i].has[k]; k++)
      ck_assert_msg(strstr(hy_text_string(&trace), rows[i].has[k]), "row %zu lacks \"%s\":\n%s", i, rows[i].has[k],
                    hy_text_string(&trace));
    hy_text_free(&trace);
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

Suite *tgt_small_step_suite(void) {
  Suite *suite = suite_create("tgt_small_step");
  TCase *tcase = tcase_create("small_step");
  tcase_set_timeout(tcase, 240);
  tcase_add_loop_test(tcase, app_schedules, 0, (int)HY_COUNT(apps));
  tcase_add_loop_test(tcase, golden_targets, 0, (int)HY_COUNT(targets));
  tcase_add_loop_test(tcase, small_pipelines, 0, (int)HY_COUNT(pipelines));
  tcase_add_loop_test(tcase, random_programs, 0, 2);
  tcase_add_loop_test(tcase, wrong_programs, 0, (int)HY_COUNT(wrong));
  tcase_add_test(tcase, seeds_choose_the_order);
  tcase_add_test(tcase, updates_are_lost);
  tcase_add_test(tcase, assignments_interleave);
  tcase_add_test(tcase, lanes_load_first);
  tcase_add_test(tcase, memory_is_scrambled);
  tcase_add_test(tcase, budget);
  tcase_add_test(tcase, derivation);
  suite_add_tcase(suite, tcase);
  return suite;
}
