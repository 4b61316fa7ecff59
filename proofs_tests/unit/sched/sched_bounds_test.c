/* The bounds phase at run time (decision D43): a bound that does not cover what is needed fails the run, in every
 * engine, and says what was needed and given; one that does cover it fails nothing. What is constrained is proved
 * (B.Constrain), and the monitor sees it broken (D63).
 */

#include "engines/engine.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/tgt/constraint.h"

#include <string.h>

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2], n: int) { fun bh(x, y) = in(x - 1, y) + in(x, y) + in(x + 1, y);"                         \
  " fun bv(x, y) = bh(x, y - 1) + bh(x, y) + bh(x, y + 1); }"
#define SCAN                                                                                                           \
  "pipeline scan(in: u16[2], n: int) { fun s(x, y) = { in(x, y); rdom(r = (1, 9)) in (r, y) <- s(r, y) + s(r - 1, "    \
  "y); };"                                                                                                             \
  " fun bv(x, y) = s(clamp(x, 3, 5), y); }"

#define SELF "pipeline self(in: u16[2], n: int) { fun bv(x, y) = { in(x, y); (0, y) <- bv(-3, y) + bv(2, y); }; }"

/* -- runs: the window is [min, min + len) in both dimensions, n the parameter -- */

static const struct {
  const char *name, *alg, *items;
  int64_t n, min, len;
  int status;        // HY_RAN or HY_RUN_ASSUME
  int why;           // hy_assume_kind
  const char *story; // in the story of the target interpreter; NULL: none
} runs[] = {
    {"the window inside the bound", BLUR, "bound(bv, x, 0, 8);", 0, 0, 8, HY_RAN, 0, NULL},
    {"the window begins too early", BLUR, "bound(bv, x, 0, 8);", 0, -1, 8, HY_RUN_ASSUME, HY_ASSUME_NEED,
     "'bv' is needed in [-1, 7) of dimension x, but the schedule bounds it to [0, 8)"}, // DIR.Bound
    {"the window ends too late", BLUR, "bound(bv, y, 0, 8);", 0, 0, 9, HY_RUN_ASSUME, HY_ASSUME_NEED,
     "'bv' is needed in [0, 9) of dimension y, but the schedule bounds it to [0, 8)"},
    {"a bound of nothing", BLUR, "bound(bv, x, 0, 0);", 0, 0, 1, HY_RUN_ASSUME, HY_ASSUME_NEED, "to [0, 0)"},
    {"an empty window needs nothing (D11)", BLUR, "bound(bv, x, 100, 1);", 0, 0, 0, HY_RAN, 0, NULL},
    {"a producer's bound is met exactly", BLUR, "bound(bh, y, -1, 10);", 0, 0, 8, HY_RAN, 0, NULL}, // ORA.Bound
    {"a producer's bound is one short", BLUR, "bound(bh, y, -1, 9);", 0, 0, 8, HY_RUN_ASSUME, HY_ASSUME_NEED,
     "'bh' is needed in [-1, 9) of dimension y, but the schedule bounds it to [-1, 8)"},
    {"inside a loop the iteration is told", BLUR, "bh.compute_at(bv, y).bound(y, -1, 6);", 0, 0, 8, HY_RUN_ASSUME,
     HY_ASSUME_NEED,
     "'bh' is needed in [3, 6) of dimension y, but the schedule bounds it to [-1, 5); bv.s0.y = 4"}, // B.Assume
    {"inside a parallel loop", BLUR, "bv.parallel(y); bh.compute_at(bv, y).bound(y, -1, 6);", 0, 0, 8, HY_RUN_ASSUME,
     HY_ASSUME_NEED, "bv.s0.y = "},
    {"inside a loop, always met", BLUR, "bh.compute_at(bv, y).bound(y, -1, 10);", 0, 0, 8, HY_RAN, 0, NULL},
    {"an extent that is enough", BLUR, "bound_extent(bh, x, 8);", 0, -50, 8, HY_RAN, 0, NULL},
    {"an extent that is not", BLUR, "bound_extent(bh, x, 8);", 0, -50, 9, HY_RUN_ASSUME, HY_ASSUME_NEED,
     "'bh' is needed in [-50, -41) of dimension x, but the schedule bounds it to [-50, -42)"}, // DIR.Bound-Extent
    {"an extent, rounded down first: no longer enough", BLUR, "bv.bound_extent(x, 8).align_bounds(x, 8);", 0, 3, 8,
     HY_RUN_ASSUME, HY_ASSUME_NEED, "'bv' is needed in [3, 11) of dimension x, but the schedule bounds it to [0, 8)"},
    {"an extent, rounded down first: enough", BLUR, "bv.bound_extent(x, 8).align_bounds(x, 8);", 0, 8, 8, HY_RAN, 0,
     NULL},
    {"a length from a parameter", BLUR, "bound(bv, x, 0, n);", 8, 0, 8, HY_RAN, 0, NULL},
    {"a length from a parameter, too small", BLUR, "bound(bv, x, 0, n);", 7, 0, 8, HY_RUN_ASSUME, HY_ASSUME_NEED,
     "bounds it to [0, 7)"},
    {"a negative length is an entry check (D25, D51)", BLUR, "bound(bv, x, 0, n);", -1, 0, 8, HY_RUN_ASSUME,
     HY_ASSUME_BOUND, NULL},
    {"so is a minimum that errs (D27)", BLUR, "bound(bv, x, 8 / n - 8, 8);", 0, 0, 8, HY_RUN_ASSUME, HY_ASSUME_BOUND,
     NULL},
    {"a minimum that does not err", BLUR, "bound(bv, x, 8 / n - 8, 8);", 1, 0, 8, HY_RAN, 0, NULL},
    {"bounds that fit for this input (D90)", BLUR, "bv.bound(x, 0, n).align_bounds(x, 8);", 8, 0, 8, HY_RAN, 0, NULL},
    {"bounds that do not fit for this one (D90)", BLUR, "bv.bound(x, 0, n).align_bounds(x, 8);", 12, 0, 8,
     HY_RUN_ASSUME, HY_ASSUME_BOUND, NULL}, // DIR.Bounds.Residue
    {"an alignment that comes first (D90)", BLUR, "bv.align_bounds(x, 4, 3).bound(x, n, 16);", -1, 0, 8, HY_RAN, 0,
     NULL},
    {"an alignment that comes first, another remainder (D90)", BLUR, "bv.align_bounds(x, 4, 3).bound(x, n, 16);", -2, 0,
     8, HY_RUN_ASSUME, HY_ASSUME_BOUND, NULL},
    {"two lengths that agree for one input (D90)", BLUR, "bv.bound_extent(x, n).bound_extent(x, 3*n - 16);", 8, 0, 8,
     HY_RAN, 0, NULL},
    {"two lengths, another input (D90)", BLUR, "bv.bound_extent(x, n).bound_extent(x, 3*n - 16);", 9, 0, 8,
     HY_RUN_ASSUME, HY_ASSUME_BOUND, NULL},
    {"a minimum that errs is told, not its remainder (D90)", BLUR, "bv.bound(x, 8 / n - 8, 8).align_bounds(x, 8);", 0,
     0, 8, HY_RUN_ASSUME, HY_ASSUME_BOUND, NULL},
    {"far outside: the allocation is a box all the same (D51)", BLUR, "bound(bh, x, 20, 1);", 0, 0, 8, HY_RUN_ASSUME,
     HY_ASSUME_NEED, "but the schedule bounds it to [20, 21)"},
    {"own reads outside: the allocation is a box all the same", SELF, "bound_extent(bv, x, 2);", 0, 0, 2, HY_RUN_ASSUME,
     HY_ASSUME_NEED, "'bv' is needed in [-3, 3)"},
    {"a scan's own reads count as needed (D61)", SCAN, "bound(s, x, 1, 9);", 0, 0, 8, HY_RUN_ASSUME, HY_ASSUME_NEED,
     "'s' is needed in [0, "},
    {"a scan's own reads inside the bound (D61)", SCAN, "bound(s, x, 0, 10);", 0, 0, 8, HY_RAN, 0, NULL},
};

static void compare_status(const test_program *p, int row, const char *engine, hy_run_status status,
                           const hy_stmt *failed) {
  ck_assert_msg((int)status == runs[row].status, "%s, %s: status %d, not %d", runs[row].name, engine, (int)status,
                runs[row].status);
  if (status == HY_RUN_ASSUME)
    ck_assert_msg(failed && (int)failed->assume.why == runs[row].why, "%s, %s: another assumption failed",
                  runs[row].name, engine);
  (void)p;
}

static hy_buffer *make_image(void) {
  static const int64_t min[] = {-200, -200}, len[] = {400, 400};
  hy_buffer *image = hy_buffer_new(HY_U16, 2, min, len);
  ck_assert_ptr_nonnull(image);
  for (size_t i = 0; i < image->count; i++)
    hy_value_store(hy_value_integral(HY_U16, (int64_t)(i * 7 % 251)), image->data + 2 * i);
  return image;
}

START_TEST(bounds_are_checked) {
  test_program p;
  hy_oracle_options options = {.z3_limit = 2000};
  test_program_open(&p, runs[_i].alg, runs[_i].items);
  ck_assert_msg(p.parsed && hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES, "%s: %s", runs[_i].name,
                test_program_said(&p));
  hy_buffer *image = make_image();
  const hy_buffer *images[] = {image};
  hy_value n = hy_value_int(runs[_i].n);
  int64_t min[2] = {runs[_i].min, runs[_i].min}, len[2] = {runs[_i].len, runs[_i].len};
  hy_input input = {&n, images, min, len};

  hy_tgt_options tgt = {.mode = HY_LAZY, .monitor = true};
  hy_tgt_result got;
  hy_tgt_run(p.context, p.pipeline.filled, &input, &tgt, &got);
  compare_status(&p, _i, "target", got.status, got.failed);
  if (runs[_i].story)
    ck_assert_msg(got.story && strstr(got.story, runs[_i].story), "%s: %s", runs[_i].name,
                  got.story ? got.story : "no story");
  ck_assert_msg((got.output != NULL) == (got.status == HY_RAN), "%s: the output is not discarded", runs[_i].name);

  hy_codegen_options codegen = hy_codegen_default();
  hy_native *native = hy_pipeline_compile(&p.pipeline, &codegen);
  hy_outcome outcome = hy_engine_native(native, p.pipeline.alg, &input);
  compare_status(&p, _i, "native", outcome.status, outcome.failed);
  if (got.output) {
    hy_difference difference;
    hy_compare(got.output, outcome.output, true, &difference);
    ck_assert_msg(!difference.differs, "%s: native code differs", runs[_i].name);
  }
  hy_outcome_free(&outcome);
  hy_native_free(native);
  hy_tgt_result_free(&got);
  hy_buffer_free(image);
  test_program_close(&p);
}
END_TEST

/* -- hand-written target programs: constraints are judged -- */

#define COPY(constraint)                                                                                               \
  "target t(in: u8[1]) on o(x) {\n  func o(x): u8 stages 1;\n"                                                         \
  "  entry { assume image(in): in.min(0) <= x.min && x.min + x.len <= in.min(0) + in.len(0); }\n"                      \
  "  allocate o[(x.min, x.len)];\n  label o: compute o on [(x.min, x.len)] {\n" constraint                             \
  "    label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- in(o.s0.x); }\n  }\n}\n"

#define CHOICE(condition, then, otherwise)                                                                             \
  "target t(in: u8[1]) on o(x) {\n  func o(x): u8 stages 1;\n"                                                         \
  "  entry { assume image(in): in.min(0) <= x.min && x.min + x.len <= in.min(0) + in.len(0); }\n"                      \
  "  allocate o[(x.min, x.len)];\n  label o: compute o on [(x.min, x.len)] { if specialize (" condition ") {\n"        \
  "    label o.z1: label o.s0: for o.z1.s0.x in " then " { o(o.z1.s0.x) <- in(o.z1.s0.x); } } else {\n"                \
  "    label o.z0: label o.s0: for o.s0.x in " otherwise " { o(o.s0.x) <- in(o.s0.x); } } }\n}\n"

static const struct {
  const char *name, *text;
  hy_answer answer;
  bool breaks; // what the monitor sees on the window [3, 8)
} judged[] = {
    {"a constraint that holds", COPY("constrain o: x.min == x.min && x.len == x.len;\n"), HY_YES, false},
    {"one that does not (D63)", COPY("constrain o: x.min == x.min && x.len == 6;\n"), HY_NO,
     true}, // TGT.Constrain, B.Constrain
    {"an alignment that does not hold (D43, D63)", COPY("constrain o: x.min%4 == 0;\n"), HY_NO, true},
    {"an assumption proves it", COPY("assume need(o): x.min == 3 && x.len == 5;\nconstrain o: x.min%4 == 3;\n"), HY_YES,
     false},
    {"coverage under the condition (D44)", CHOICE("x.len == 5", "(x.min, 5)", "(x.min, x.len)"), HY_YES, false},
    {"coverage under its negation (D44)", CHOICE("x.len != 5", "(x.min, x.len)", "(x.min, 5)"), HY_YES, false},
    {"the other branch is not covered (D44)", CHOICE("x.len != 5", "(x.min, min(x.len, 4))", "(x.min, x.len)"), HY_NO,
     false},
    {"a branch is not covered (D44, D63)", CHOICE("x.len == 5", "(x.min, 4)", "(x.min, x.len)"), HY_NO, true},
    {"a condition that errs is false, so its negation is no fact (D27)",
     CHOICE("x.len/x.min != 5 || x.min == 0", "(x.min, x.len)", "(x.min, 5*x.min)"), HY_NO, false},
    {"nor if it overflows (D27)", CHOICE("x.len*4611686018427387904 >= 0", "(x.min, x.len)", "(x.min, 0)"), HY_NO,
     true},
    {"a branch that cannot be reached is proved (D62)", CHOICE("x.len < 0", "(x.min, 0)", "(x.min, x.len)"), HY_YES,
     false},
    {"a constraint assumes nothing", COPY("constrain o: x.min == 3;\nconstrain o: x.min%4 == 3;\n"), HY_NO, false},
};

START_TEST(constraints_are_judged) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", judged[_i].text, strlen(judged[_i].text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  ck_assert_msg(tgt != NULL, "%s does not parse", judged[_i].name);
  hy_pipeline pipeline;
  hy_oracle_options options = {.z3_limit = 2000};
  int added;
  hy_pipeline_init(&pipeline, context, NULL, NULL, hy_tgt_assume_ranges(context, tgt, &added));
  ck_assert_msg(hy_pipeline_check(&pipeline, &options, diagnostics) == judged[_i].answer, "%s", judged[_i].name);
  hy_buffer *image = hy_buffer_new(HY_U8, 1, (const int64_t[]){0}, (const int64_t[]){20});
  memset(image->data, 7, image->count);
  const hy_buffer *images[] = {image};
  int64_t min = 3, len = 5;
  hy_input input = {NULL, images, &min, &len};
  hy_tgt_result got;
  hy_tgt_run(context, tgt, &input, &(hy_tgt_options){.mode = HY_LAZY, .monitor = true}, &got);
  ck_assert_msg((got.status == HY_RUN_CONTRACT) == judged[_i].breaks, "%s: status %d", judged[_i].name,
                (int)got.status);
  hy_tgt_result_free(&got);
  hy_buffer_free(image);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

/* -- alignments -- */

static const struct {
  int64_t m, r, m2, r2;
  bool joins;
  int64_t want_m, want_r;
} alignments[] = {
    {4, 1, 6, 3, true, 12, 9},
    {6, 3, 4, 1, true, 12, 9},
    {4, 1, 6, 2, false, 0, 0},
    {1, 0, 7, 5, true, 7, 5},
    {8, 3, 8, 3, true, 8, 3},
    {8, 3, 8, 4, false, 0, 0},
    {8, 3, 4, 3, true, 8, 3},
    {3, 2, 5, 4, true, 15, 14},
    {65536, 1, 65535, 2, false, 0, 0}, // too large
    {1, 0, 1 << 30, (1 << 30) - 1, true, 1 << 30, (1 << 30) - 1},
};

START_TEST(alignments_join) {
  int64_t m = alignments[_i].m, r = alignments[_i].r;
  bool joins = hy_alignment_join(&m, &r, alignments[_i].m2, alignments[_i].r2);
  ck_assert_int_eq(joins, alignments[_i].joins);
  if (!joins) return;
  ck_assert_int_eq(m, alignments[_i].want_m);
  ck_assert_int_eq(r, alignments[_i].want_r);
}
END_TEST

Suite *sched_bounds_suite(void) {
  Suite *suite = suite_create("sched_bounds");
  TCase *t = tcase_create("bounds");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, bounds_are_checked, 0, HY_COUNT(runs));
  tcase_add_loop_test(t, constraints_are_judged, 0, HY_COUNT(judged));
  tcase_add_loop_test(t, alignments_join, 0, HY_COUNT(alignments));
  suite_add_tcase(suite, t);
  return suite;
}
