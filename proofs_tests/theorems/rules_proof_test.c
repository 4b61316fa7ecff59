/* The rules of the bounds query, of verdicts, of the oracle and of generated code, each in a program in which it fires
 * and in one in which it does not. What they do is the business of bounds_query, oracle_fill, oracle_prover and
 * codegen_*.
 */

#include "halyard/replay.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/rules_firing.h"
#include "semantics/base/base.h"

#include <string.h>

#define PLAIN                                                                                                          \
  { FIRING_PLAIN, NULL }
#define BOTH(text)                                                                                                     \
  { text, NULL }
#define F(body) "pipeline p(n: int) { fun f(x) = " body "; }"
#define X F("x + n")
#define GF "pipeline p(n: int) { fun g(x, y) = x * n; fun f(x, y) = g(x, y) + g(x, y + 1); }"
#define IMAGE(body) "pipeline p(in: u8[1]) { fun f(x) = " body "; }"
#define SCAN                                                                                                           \
  "pipeline p(in: u8[1]) { fun s(x) = { in(x); rdom(r = (1, 8)) in (r) <- s(r) + s(r - 1); }; fun f(x) = s(x); }"
#define TABLE "pipeline p(in: u8[1]) { fun t(i) = i * 2; fun f(x) = t(int(in(x))); }"
#define TARGET(entry, mem, loop)                                                                                       \
  "target t(w: int) on f(x) { func f(x): int stages 1; entry { assume range: 0 <= w && w <= 100; assume range: -100 "  \
  "<= x.min && x.min <= 100; assume range: 0 <= x.len && x.len <= 100; " entry " } allocate f[" mem                    \
  "]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in " loop " { f(f.s0.x) <- 1; } } }"
#define BOX "(x.min, x.len)"
#define TARGET_WITH(constraint)                                                                                        \
  "target t(w: int) on f(x) { func f(x): int stages 1; entry { assume range: 0 <= w && w <= 100; assume range: -100 "  \
  "<= x.min && x.min <= 100; assume range: 0 <= x.len && x.len <= 100; } allocate f[" BOX                              \
  "]; label f: compute f on [" BOX "] { " constraint " label f.s0: for f.s0.x in " BOX " { f(f.s0.x) <- 1; } } }"
#define CUBE(a) a "*" a "*" a
#define FINE                                                                                                           \
  { TARGET("", BOX, BOX), NULL }

static const firing_row rows[] = {
    // B(S) (Figure 10)
    {"B.Pipeline", PLAIN, {0}, 0},
    {"B.For", PLAIN, {0}, 0},
    {"B.Let", {X, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
    {"B.If", {X, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
    {"B.Seq", PLAIN, {0}, 0},
    {"B.Assume", {X, "bound(f, x, 0, 9);"}, PLAIN, 0},
    {"B.Allocate", PLAIN, {0}, 0},
    {"B.Compute", PLAIN, {0}, 0},
    {"B.Assign", PLAIN, {0}, 0},
    {"B.Predicate", BOTH("pipeline p() { fun g(x) = x; fun f(x) = { 0; (x) <- 1 if g(x) > 2; }; }"),
     BOTH("pipeline p() { fun f(x) = { 0; (x) <- 1 if x > 2; }; }"), 0},
    {"B.Window", PLAIN, {0}, 0},
    {"B.Inside", PLAIN, {0}, 0},
    {"B.Length", PLAIN, {0}, 0},
    {"B.Cover", PLAIN, {0}, 0},
    {"B.Mem", PLAIN, {0}, 0},
    {"B.Cpu", {GF, NULL}, PLAIN, 0},
    {"B.Address", BOTH("pipeline p() { fun g(x) = x; fun t(i) = i; fun f(x) = t(clamp(g(x), 0, 9)); }"), PLAIN, 0},
    {"B.Defined", {X, "split(f.x, xo, xi, n);"}, PLAIN, 0},
    {"B.Fits", PLAIN, {0}, 0},
    {"B.Value", BOTH("pipeline p() { fun g(x) = clamp(x, 0, 9); fun t(i) = i; fun f(x) = t(g(x)); }"), PLAIN, 0},
    {"B.Constrain", {X, "align_bounds(f, x, 4, 0);"}, PLAIN, 0},
    // verdicts (VER)
    {"VER.Proved", FINE, {0}, 0},
    {"VER.Certificate", FINE, {0}, 0},
    {"VER.Refuted", BOTH(TARGET("", "(x.min, x.len - 1)", BOX)), FINE, 0},
    {"VER.Proved-Z3", BOTH(TARGET_WITH("constrain f: w*w*w*w*w >= w*w;")), FINE, 0},
    {"VER.Unknown",
     BOTH(TARGET_WITH("constrain f: " CUBE("(w + 1)") " + " CUBE("(w + 2)") " != " CUBE("(x.len + 3)") ";")), FINE, 0},
    {"VER.Vacuous", BOTH(TARGET("assume range: w <= 0 - 1;", BOX, BOX)), FINE, 0},
    // the oracle (ORA, section 7)
    {"ORA.Cpu", PLAIN, {0}, 0},
    {"ORA.Closure", BOTH(SCAN), PLAIN, 0},
    {"ORA.Bound", {X, "bound(f, x, 0, 9);"}, PLAIN, 0},
    {"ORA.Align", {X, "align_bounds(f, x, 4, 0);"}, PLAIN, 0},
    {"ORA.Mem", PLAIN, {0}, 0},
    {"ORA.Need", BOTH(IMAGE("in(x)")), PLAIN, 0},
    {"ORA.Quotient",
     {"pipeline p(in: u8[1]) { fun g(x) = in(x / 2); fun f(x) = g(x); }",
      "split(f.x, xo, xi, 4); compute_at(g, f.xo);"},
     {"pipeline p(in: u8[1]) { fun g(x) = in(x / 2); fun f(x) = g(x); }", "split(f.x, xo, xi, 4);"},
     0},
    {"ORA.Predicate",
     BOTH("pipeline p(n: int) { fun g(x) = x; fun f(x) = { 0; rdom(r = (0, 9)) in (x) <- g(r + 1) if r + 1 < n; }; }"),
     BOTH("pipeline p(n: int) { fun g(x) = x; fun f(x) = { 0; rdom(r = (0, 9)) in (x) <- g(r + 2) if r + 1 < n; }; }"),
     0},
    {"ORA.Float", BOTH("pipeline p(s: f32 in 0.5..2.0) { fun g(x) = x; fun f(x) = g(int(i16(f32(x) * s))); }"),
     BOTH("pipeline p(s: f32) { fun g(x) = x; fun f(x) = g(int(i16(f32(x) * s))); }"), 0},
    {"VAL.Monotone", BOTH("pipeline p() { fun g(x) = x; fun f(x) = g(int(i16(f32(x) * 0.5))); }"),
     BOTH("pipeline p() { fun g(x) = x; fun f(x) = g(int(i16(sin(f32(x)) * 0.5))); }"), 0},
    {"ORA.Length",
     {"pipeline p() { fun f(x, y, z) = x + y + z; }", "fuse(f.s0.z, y, zy); fuse(f.s0.zy, x, t);"},
     {"pipeline p() { fun f(x, y, z) = x + y + z; }", "fuse(f.s0.z, y, zy);"},
     0},
    {"ORA.Slide",
     {"pipeline p() { fun g(x) = x; fun f(x) = g(x) + g(x + 1); }", "compute_at(g, f.x); slide(g, f.x);"},
     {"pipeline p() { fun g(x) = x; fun f(x) = g(x) + g(x + 1); }", "compute_at(g, f.x);"},
     0},
    {"ORA.Unbounded", BOTH("pipeline p(in: i64[1]) { fun t(i) = i; fun f(x) = t(int(in(x))); }"), BOTH(TABLE), 0},
    {"ORA.No-Solution", BOTH("pipeline p() { fun f(x, y) = { 0; (x, 1) <- f(x, x); (-1, y) <- f(y - 3, y); }; }"),
     BOTH(SCAN), 0},
    // generated code (GEN)
    {"GEN.Empty", PLAIN, {0}, 0},
    {"GEN.Assume", PLAIN, {0}, 0},
    {"GEN.Div", BOTH(F("x / n")), PLAIN, 0},
    {"GEN.Shift", BOTH(F("x >> n")), PLAIN, 0},
    {"GEN.Cast", BOTH(F("int(f32(x) / 2.0)")), PLAIN, 0},
    {"GEN.Freeze", BOTH("pipeline p(in: u8[1]) { fun f(x) = in(x) / in(x + 1); }"), BOTH(F("x / n")), 0},
    {"GEN.Window", {X, "split(f.x, xo, xi, 4, round);"}, PLAIN, 0},
    {"GEN.Parallel", {X, "traverse(f.x, parallel);"}, PLAIN, 0},
    {"GEN.Vector", {X, "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"}, {X, "split(f.x, xo, xi, 4);"}, 0},
    {"GEN.Mask", {X, "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"}, {X, "split(f.x, xo, xi, 4);"}, 0},
    {"GEN.Lane", {X, "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"}, {X, "split(f.x, xo, xi, 4);"}, 0},
    {"GEN.Unroll", {X, "split(f.x, xo, xi, 4); traverse(f.xi, unrolled);"}, {X, "split(f.x, xo, xi, 4);"}, 0},
    {"GEN.Partition", {X, "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"}, PLAIN, 0},
    {"GEN.Specialize", {X, "specialize(f, n == 2);"}, {X, "specialize(f, n < 2);"}, 0},
};

START_TEST(rules_fire_where_they_should) { firing_check(&rows[_i]); }
END_TEST

// VER.Replay: what is refuted is run on the model, and breaks its contract there (decision D63).
START_TEST(refutations_are_replayed) {
  firing_program program = {TARGET("", "(x.min, x.len - 1)", BOX), NULL};
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", program.text, strlen(program.text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  hy_pipeline pipeline;
  hy_oracle_options options = {.z3_limit = 300};
  size_t seen = 0;
  hy_pipeline_init(&pipeline, context, NULL, NULL, tgt);
  ck_assert_int_eq(hy_pipeline_check(&pipeline, &options, diagnostics), HY_NO);
  uint64_t before = hy_context_hits(context, firing_rule("VER.Replay"));
  for (size_t i = 0; i < pipeline.report.count; i++)
    if (pipeline.report.decisions[i].verdict == HY_VERDICT_REFUTED)
      seen += hy_replay(&pipeline, &pipeline.report.decisions[i]).seen != NULL;
  ck_assert_uint_gt(seen, 0);
  ck_assert_uint_eq(hy_context_hits(context, firing_rule("VER.Replay")) - before, seen);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

Suite *rules_proof_suite(void) {
  Suite *suite = suite_create("rules_proof");
  TCase *t = tcase_create("rules");
  tcase_add_loop_test(t, rules_fire_where_they_should, 0, HY_COUNT(rows));
  tcase_add_test(t, refutations_are_replayed);
  suite_add_tcase(suite, t);
  return suite;
}
