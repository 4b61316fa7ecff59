/* The target interpreter, statement by statement: a program, an input, the window that must come out. Every program
 * runs with and without the monitor and with several seeds (fresh memory and parallel orders differ, the output does
 * not).
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/tgt_harness.h"

typedef struct {
  const char *name;
  const char *text;
  int64_t w, min, len;
  hy_mode mode;
  bool unwatched; // breaks its contract: the values are those of a run without the monitor
  const char *output;
} row;

#define SPLIT(tail, value, guard)                                                                                      \
  "label f.s0: for f.s0.xo in (0, (x.len + 3) / 4) { for f.s0.xi in (0, 4) { let f.s0.x = " value " by split " tail    \
  "(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { " guard " } } }"

static const row rows[] = {
    // TGT.For, TGT.Let
    {"for", ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x * w; }"), 3, -1, 4, HY_LAZY, false,
     "-3 0 3 6"},
    {"let",
     ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { let f.s0.t = f.s0.x + w in { f(f.s0.x) <- f.s0.t * "
              "f.s0.t; } }"),
     1, 0, 3, HY_LAZY, false, "1 4 9"},
    {"unrolled", ONE_FUNC("label f.s0: for unrolled f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x; }"), 0, 5, 3,
     HY_LAZY, false, "5 6 7"},
    {"rdom in order",
     ONE_FUNC(STAGE0
              "label f.s1: for f.s1.x in (x.min, x.len) { for rdom f.s1.r in (1, w) { f(f.s1.x) <- f(f.s1.x) * 10 "
              "+ f.s1.r; } }"),
     4, 0, 2, HY_LAZY, false, "1234 1234"},
    {"empty rdom",
     ONE_FUNC(STAGE0 "label f.s1: for f.s1.x in (x.min, x.len) { for rdom f.s1.r in (1, w) { f(f.s1.x) <- "
                     "7; } }"),
     0, 0, 2, HY_LAZY, false, "0 0"},
    {"empty rdom outside its pure loop",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (1, w) { for f.s1.x in (x.min, x.len) { f(f.s1.x) <- 7; } }"), 0,
     0, 2, HY_LAZY, false, "0 0"},
    {"no dimensions",
     "target t() on f() { func f(): i32 stages 1; allocate f[]; label f: compute f on [] { label f.s0: "
     "f() <- 1; label f.s1: for rdom f.s1.r in (0, 5) { f() <- f() * 3; } } }",
     0, 0, 0, HY_LAZY, false, "243"},
    // splits and fusion as directives write them
    {"split guard",
     ONE_FUNC(
         SPLIT("guard", "x.min + f.s0.xi + 4 * f.s0.xo", "if guard (f.s0.x < x.min + x.len) { f(f.s0.x) <- f.s0.x; }")),
     0, -2, 6, HY_LAZY, false, "-2 -1 0 1 2 3"},
    {"split shift",
     ONE_FUNC(SPLIT("shift", "min(x.min + 4 * f.s0.xo, x.min + x.len - 4) + f.s0.xi", "f(f.s0.x) <- f.s0.x;")), 0, 3, 7,
     HY_LAZY, false, "3 4 5 6 7 8 9"},
    {"split round, Mem rounded up (D21)",
     "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, 4 * ((x.len + 3) / 4))]; label f: compute "
     "f "
     "on [(x.min, x.len)] { " SPLIT("round", "x.min + f.s0.xi + 4 * f.s0.xo", "f(f.s0.x) <- f.s0.x;") " } }",
     0, 3, 5, HY_LAZY, false, "3 4 5 6 7"}, // TGT.Realize
    {"fuse",
     "target t() on f(x, y) { func f(x, y): int stages 1; allocate f[(x.min, x.len), (y.min, y.len)]; label f: "
     "compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for f.s0.t in (0, x.len * y.len) { let f.s0.y = "
     "y.min + f.s0.t / x.len by fuse outer(f.s0.t, x.len, (y.min, y.len)) in { let f.s0.x = x.min + f.s0.t % "
     "x.len by fuse inner(f.s0.t, x.len, (x.min, x.len)) in { f(f.s0.x, f.s0.y) <- f.s0.x + 10 * f.s0.y; } } } } }",
     0, 1, 2, HY_LAZY, false, "11 12 21 22"},
    // TGT.If-Specialize: an erroring condition counts as false (D27, D44)
    {"specialize, true",
     ONE_FUNC("if specialize (w == 1) { label f.z1: label f.s0: for f.z1.s0.x in (x.min, x.len) { f(f.z1.s0.x) <- 1; } "
              "} else { label f.z0: label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 2; } }"),
     1, 0, 2, HY_LAZY, false, "1 1"},
    {"specialize, error",
     ONE_FUNC("if specialize (1 / w == 1) { label f.z1: label f.s0: for f.z1.s0.x in (x.min, x.len) { f(f.z1.s0.x) <- "
              "1; } } else { label f.z0: label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 2; } }"),
     0, 0, 2, HY_LAZY, false, "2 2"},
    // expressions: D1, D4
    {"an error in a data value does not abort",
     ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 6 / f.s0.x; }"), 0, -1, 3, HY_LAZY, false,
     "-6 eps_arith 6"},
    {"int is Z as far as 64 bits reach",
     ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 9223372036854775807 - 1 + f.s0.x; }"), 0, 0, 3,
     HY_LAZY, false, "9223372036854775806 9223372036854775807 eps_arith"},
    {"lazy select",
     ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- select(f.s0.x == 0, 7, 6 / f.s0.x); "
              "}"),
     0, 0, 2, HY_LAZY, false, "7 6"},
    {"strict select",
     ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- select(f.s0.x == 0, 7, 6 / f.s0.x);"
              " }"),
     0, 0, 2, HY_STRICT, false, "eps_arith 6"},
    {"lazy and",
     ONE_FUNC(STAGE0 "label f.s1: for f.s1.x in (x.min, x.len) { if (f.s1.x != 0 && 6 / f.s1.x > 3) { "
                     "f(f.s1.x) <- 5; } }"),
     0, 0, 3, HY_LAZY, false, "0 5 0"},
    {"strict and",
     ONE_FUNC(STAGE0 "label f.s1: for f.s1.x in (x.min, x.len) { if (f.s1.x != 0 && 6 / f.s1.x > 3) { "
                     "f(f.s1.x) <- 5; } }"),
     0, 0, 3, HY_STRICT, false, "eps_arith 5 0"},
    // TGT.If-User, TGT.Assign-Poison: D12
    {"an erroring predicate poisons its point",
     ONE_FUNC(STAGE0 "label f.s1: for f.s1.x in (x.min, x.len) { if (6 / f.s1.x > 3) { f(f.s1.x) <- 5; } }"), 0, -1, 4,
     HY_LAZY, false, "0 eps_arith 5 0"},
    {"a false predicate hides erroring coordinates",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, 2) { if (f.s1.r != 0) { f(2 / f.s1.r) <- 5; } }"), 0, 0, 4,
     HY_LAZY, false, "0 0 5 0"},
    {"an erroring coordinate poisons its whole slice",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, 2) { f(2 / f.s1.r) <- 5; }"), 0, 0, 4, HY_LAZY, false,
     "eps_arith eps_arith 5 eps_arith"},
    {"only where the ordinary coordinates match",
     "target t(w: int) on f(x, y) { func f(x, y): int stages 1; allocate f[(x.min, x.len), (y.min, y.len)]; label f: "
     "compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, "
     "x.len) { f(f.s0.x, f.s0.y) <- 1; } } label f.s1: for f.s1.x in (x.min, x.len) { f(f.s1.x, 1 / (f.s1.x - w)) <- "
     "2; } "
     "} }",
     1, 0, 3, HY_LAZY, true, "eps_mem eps_arith eps_mem eps_mem eps_arith 2 eps_mem eps_arith eps_mem"},
    {"only where the ordinary coordinates match, in Mem",
     "target t(w: int) on f(x, y) { func f(x, y): int stages 1; allocate f[(x.min, x.len), (y.min, y.len)]; label f: "
     "compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, "
     "x.len) { f(f.s0.x, f.s0.y) <- 1; } } label f.s1: for parallel f.s1.x in (x.min, x.len) { f(f.s1.x, 1 + 0 / "
     "(f.s1.x "
     "- w)) <- 2; } } }",
     1, 0, 3, HY_LAZY, false, "1 eps_arith 1 2 eps_arith 2 1 eps_arith 1"},
    {"errors join",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.x in (x.min, x.len) { if (1 / w > 0) { f(f.s1.x) <- f(f.s1.x + 1); "
                     "} }"),
     0, 0, 2, HY_LAZY, true, "eps_arith eps_mem"},
    {"the greater error stays, whatever the order of the predicates (D3)",
     ONE_FUNC(STAGE0
              "label f.s1: for rdom f.s1.x in (x.min, x.len) { if (f(x.min - 1) == 0) { if (1 / w > 0) { f(f.s1.x) "
              "<- 1; } } }"),
     0, 0, 2, HY_LAZY, true, "eps_mem eps_mem"},
    // TGT.Read-Out, TGT.Assign-Out
    {"outside Mem reads eps_mem",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.x in (x.min, x.len) { f(f.s1.x) <- f(f.s1.x + 1) + 1; "
                     "}"),
     0, 0, 3, HY_LAZY, true, "1 1 eps_mem"},
    {"an erroring coordinate reads its error",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.x in (x.min, x.len) { f(f.s1.x) <- f(0 / f.s1.x) + 1; }"), 0, 0, 2,
     HY_LAZY, false, "eps_arith eps_arith"},
    {"a write outside Mem ruins the buffer",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, 1) { f(x.min - 1) <- 3; }"), 0, 0, 2, HY_LAZY, true,
     "eps_mem eps_mem"},
    {"an image outside its box",
     "target t(in: u8[1]) on f(x) { func f(x): u8 stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "
     "x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- in(f.s0.x); } } }",
     0, 8, 3, HY_LAZY, true, "125 162 eps_mem"},
    // TGT.Alloc, TGT.Alloc-End: D20
    {"storage inside a loop",
     "target t() on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: "
     "compute f "
     "on [(x.min, x.len)] { label f.s0: for parallel f.s0.x in (x.min, x.len) { allocate g[(f.s0.x, 2)]; label g: "
     "compute g "
     "on [(f.s0.x, 2)] { label g.s0: for g.s0.a in (f.s0.x, 2) { g(g.s0.a) <- g.s0.a * g.s0.a; } } f(f.s0.x) <- "
     "g(f.s0.x) "
     "+ g(f.s0.x + 1); } } }",
     0, 0, 4, HY_LAZY, false, "1 5 13 25"},
    {"storage at root, computed at y: a line buffer",
     "target t() on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(x.min, x.len + 1)]; allocate "
     "f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { label g: "
     "compute g on [(f.s0.x, 2)] { label g.s0: for g.s0.a in (f.s0.x, 2) { g(g.s0.a) <- g.s0.a; } } f(f.s0.x) <- "
     "g(f.s0.x) + g(f.s0.x + 1); } } }",
     0, 0, 4, HY_LAZY, false, "1 3 5 7"},
    {"overcompute from garbage stays outside Cpu (D7)",
     "target t() on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(0, 8)]; label g: compute g on "
     "[(0, "
     "5)] { label g.s0: for g.s0.a in (0, 5) { g(g.s0.a) <- g.s0.a; } } allocate f[(0, 8)]; label f: compute f on [(0, "
     "4)] "
     "{ label f.s0: for f.s0.x in (0, 7) { f(f.s0.x) <- 100 / (g(f.s0.x) + g(f.s0.x + 1)); } } }",
     0, 0, 4, HY_LAZY, false, "100 33 20 14"},
    // data types keep their width in memory (D1)
    {"u8 wraps",
     "target t(in: u8[1]) on f(x) { func f(x): u8 stages 1; allocate f[(x.min, x.len)]; label f: compute f on "
     "[(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- in(f.s0.x) * 3; } } }",
     0, 0, 4, HY_LAZY, false, "255 110 221 76"},
    {"u16 and i8 through memory",
     "target t(in: u16[2]) on f(x) { func g(a): i8 stages 1; func f(x): u16 stages 1; allocate g[(x.min, x.len)]; "
     "label g: "
     "compute g on [(x.min, x.len)] { label g.s0: for g.s0.a in (x.min, x.len) { g(g.s0.a) <- i8(in(g.s0.a, -1)); } } "
     "allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { "
     "f(f.s0.x) <- u16(g(f.s0.x)) + in(f.s0.x, -2); } } }",
     0, 0, 6, HY_LAZY, false, "102 176 250 68 142 216"},
    {"f32 and bool through memory",
     "target t() on f(x) { func g(a): f32 stages 1; func b(c): bool stages 1; func f(x): f32 stages 1; allocate "
     "g[(x.min, "
     "x.len)]; label g: compute g on [(x.min, x.len)] { label g.s0: for g.s0.a in (x.min, x.len) { g(g.s0.a) <- "
     "f32(g.s0.a) / 4.0; } } allocate b[(x.min, x.len)]; label b: compute b on [(x.min, x.len)] { label b.s0: for "
     "b.s0.c "
     "in (x.min, x.len) { b(b.s0.c) <- g(b.s0.c) > 0.3; } } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "
     "x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- select(b(f.s0.x), g(f.s0.x), -1.0); } } }",
     0, 0, 4, HY_LAZY, false, "-1.0 -1.0 0.5 0.75"},
    {"a histogram: scatter with data-dependent addresses",
     "target t(in: u8[1]) on f(x) { func f(x): int stages 1; allocate f[(0, 4)]; label f: compute f on [(0, 4)] { "
     "label "
     "f.s0: for f.s0.x in (0, 4) { f(f.s0.x) <- 0; } label f.s1: for rdom f.s1.r in (0, 8) { f(int(in(f.s1.r)) % 4) <- "
     "f(int(in(f.s1.r)) % 4) + 1; } } }",
     0, 0, 4, HY_LAZY, false, "2 2 2 2"},
    // TGT.Empty, TGT.Assume: D11, D25
    {"an empty window asks for nothing",
     "target t(w: int) on f(x) { func f(x): int stages 1; entry { assume rdom(f): w > 100; } allocate f[(x.min, "
     "x.len)]; "
     "label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } } }",
     0, 0, 0, HY_LAZY, false, ""},
};

static void run_row(const row *r, bool monitor, uint64_t seed) {
  program p = open_program(r->text);
  hy_tgt_result result;
  run_with(&p, r->w, r->min, r->len, &(hy_tgt_options){.mode = r->mode, .seed = seed, .monitor = monitor}, &result);
  ck_assert_msg(result.status == HY_RAN, "%s: status %d, contract %s: %s", r->name, result.status,
                hy_contract_name(result.contract), result.story ? result.story : "");
  char *text = output_text(&result);
  ck_assert_msg(strcmp(text, r->output) == 0, "%s: %s, expected %s", r->name, text, r->output);
  free(text);
  hy_tgt_result_free(&result);
  close_program(&p);
}

START_TEST(statements) {
  const row *r = &rows[_i];
  for (uint64_t seed = 0; seed < 4; seed++)
    for (int monitor = 0; monitor < (r->unwatched ? 1 : 2); monitor++) run_row(r, monitor, seed);
}
END_TEST

// Vectorized and parallel twins of a serial loop give the same output (D45, D38).
#define TRAVERSED(word)                                                                                                \
  "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "    \
  "x.len)] { label f.s0: for " word                                                                                    \
  " f.s0.x in (x.min, x.len) { let f.s0.t = f.s0.x * 3 in { if guard (f.s0.x < x.min + x.len) { f(f.s0.x) <- f.s0.t "  \
  "- w; } } } label f.s1: for " word                                                                                   \
  " f.s1.x in (x.min, x.len) { for rdom f.s1.r in (0, 3) { if (f.s1.x % 2 == f.s1.r % 2) { f(f.s1.x) <- f(f.s1.x) * "  \
  "2 + f.s1.r; } } } label f.s2: for " word                                                                            \
  " f.s2.x in (x.min, x.len) { if (12 / (f.s2.x - 1) > 3) { f(f.s2.x) <- f(f.s2.x) + 100; } } } }"

static char *run_text(const char *text, const hy_tgt_options *options) {
  program p = open_program(text);
  hy_tgt_result result;
  run_with(&p, 2, -2, 9, options, &result);
  ck_assert_msg(result.status == HY_RAN, "%s", result.story ? result.story : "no story");
  char *output = output_text(&result);
  hy_tgt_result_free(&result);
  close_program(&p);
  return output;
}

START_TEST(traversals) {
  static const char *const texts[] = {TRAVERSED("parallel"), TRAVERSED("vectorized"), TRAVERSED("unrolled")};
  hy_tgt_options plain = {.monitor = true};
  char *serial = run_text(TRAVERSED("serial"), &plain);
  ck_assert_str_eq(serial, "-30 -9 -6 eps_arith 118 115 142 27 66");
  for (uint64_t seed = 0; seed < 10; seed++) {
    char *other = run_text(texts[_i], &(hy_tgt_options){.monitor = seed % 2, .seed = seed});
    ck_assert_str_eq(serial, other);
    free(other);
  }
  free(serial);
}
END_TEST

// In a vectorized loop a store of one lane is not seen by a load of another in the same instance (D45, TGT.For-Vector):
// here lane x reads what lane x - 1 writes. Not a race of iterations: no parallel loop is there.
START_TEST(lanes_load_before_they_store) {
  const char *text = ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x; } label f.s1: for rdom "
                              "f.s1.r in (x.min, x.len) { if (f.s1.r > x.min) { f(f.s1.r) <- f(f.s1.r - 1) + 100; } }");
  static const char *const expected[] = {[HY_SERIAL] = "-2 98 198 298 398", [HY_VECTORIZED] = "-2 98 99 100 101"};
  static const hy_traversal traversals[] = {HY_SERIAL, HY_VECTORIZED};
  for (int i = 0; i < 2; i++) {
    program p = open_program(text);
    remark_program(&p, "r", traversals[i]);
    hy_tgt_result result;
    run_with(&p, 0, -2, 5, &(hy_tgt_options){.monitor = false}, &result);
    char *output = output_text(&result);
    ck_assert_str_eq(output, expected[traversals[i]]);
    free(output);
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

/* -- orders, observers, seeds, limits -- */

typedef struct {
  int64_t order[64];
  int count;
} trace;

static void note(void *self, const hy_stmt *assign, const int64_t *coordinates) {
  trace *t = self;
  ck_assert_int_eq(assign->kind, HY_STMT_ASSIGN);
  if (t->count < 64) t->order[t->count++] = coordinates[0];
}

static trace trace_of(const char *word, uint64_t seed) {
  char text[512];
  snprintf(text, sizeof text,
           "target t() on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "
           "x.len)] { label f.s0: for %s f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x; } } }",
           word);
  trace t = {.count = 0};
  free(run_text(text, &(hy_tgt_options){.seed = seed, .observer = note, .observer_self = &t}));
  return t;
}

// TGT.For-Parallel
START_TEST(parallel_orders) {
  trace in_order = trace_of("parallel", 0), serial = trace_of("serial", 7);
  bool differs = false;
  for (int i = 0; i < 9; i++) {
    ck_assert_int_eq(in_order.order[i], i - 2);
    ck_assert_int_eq(serial.order[i], i - 2);
  }
  for (uint64_t seed = 1; seed < 9; seed++) {
    trace t = trace_of("parallel", seed);
    int seen = 0;
    ck_assert_int_eq(t.count, 9);
    for (int i = 0; i < 9; i++) seen |= 1 << (t.order[i] + 2);
    ck_assert_int_eq(seen, (1 << 9) - 1); // every iteration once
    differs |= memcmp(t.order, in_order.order, sizeof t.order) != 0;
  }
  ck_assert(differs);
}
END_TEST

// D7: what was never written is arbitrary, and chosen afresh by seed and by allocation.
START_TEST(scrambles) {
  const char *text =
      "target t() on f(x) { func f(x): u32 stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(0, "
      "0)] { label f.s0: for f.s0.x in (0, 0) { f(f.s0.x) <- 0; } } }";
  char *first = run_text(text, &(hy_tgt_options){.seed = 1}), *same = run_text(text, &(hy_tgt_options){.seed = 1});
  char *other = run_text(text, &(hy_tgt_options){.seed = 2});
  ck_assert_str_eq(first, same);
  ck_assert_str_ne(first, other);
  ck_assert_ptr_eq(strstr(first, "eps"), NULL); // ordinary values
  free(first);
  free(same);
  free(other);
}
END_TEST

START_TEST(scrambled_bools_are_bools) {
  const char *text =
      "target t() on f(x) { func f(x): bool stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(0, "
      "0)] { label f.s0: for f.s0.x in (0, 0) { f(f.s0.x) <- true; } } }";
  program p = open_program(text);
  hy_tgt_result result;
  run_with(&p, 0, 0, 40, &(hy_tgt_options){.seed = 3}, &result);
  int ones = 0;
  for (int i = 0; i < 40; i++) {
    ck_assert_int_le(result.output->data[i], 1);
    ones += result.output->data[i];
  }
  ck_assert_int_gt(ones, 0);
  ck_assert_int_lt(ones, 40);
  hy_tgt_result_free(&result);
  close_program(&p);
}
END_TEST

// TGT.Assume
START_TEST(assumptions) {
  const char *text =
      "target t(w: int) on f(x) { func f(x): int stages 1; entry { assume range: w < 100; assume rdom(f): "
      "12 / w >= 1; } assume need(f): w != 5; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "
      "x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } } }";
  static const struct {
    int64_t w;
    hy_run_status status;
    hy_assume_kind why;
  } cases[] = {{1, HY_RAN, HY_ASSUME_RDOM},
               {100, HY_RUN_ASSUME, HY_ASSUME_RANGE},
               {0, HY_RUN_ASSUME, HY_ASSUME_RDOM},
               {20, HY_RUN_ASSUME, HY_ASSUME_RDOM},
               {5, HY_RUN_ASSUME, HY_ASSUME_NEED}};
  program p = open_program(text);
  for (size_t i = 0; i < HY_COUNT(cases); i++) {
    hy_tgt_result result;
    run_with(&p, cases[i].w, 0, 3, &(hy_tgt_options){.monitor = true}, &result);
    ck_assert_int_eq(result.status, cases[i].status);
    if (cases[i].status == HY_RAN) {
      ck_assert_ptr_ne(result.output, NULL);
    } else {
      ck_assert_ptr_eq(result.output, NULL);
      ck_assert_int_eq(result.failed->assume.why, cases[i].why);
    }
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

// f(x) <- 1, so many times, each with a million cells for g, of which the first is computed.
#define FRESH(times)                                                                                                   \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 2; allocate f[(x.min, x.len)];"           \
  " label f: compute f on [(x.min, x.len)] { " STAGE0 "label f.s1: for rdom f.s1.r in (0, " times ") {"                \
  " allocate g[(0, 1000000)]; label g: compute g on [(0, 1)] { " MAKE_G("0", "1") " } f(x.min) <- 1; } } }"

START_TEST(limits) {
  static const struct {
    const char *text;
    uint64_t steps;
    hy_run_status status;
  } cases[] = {
      {ONE_FUNC(STAGE0), 4, HY_RAN},
      {ONE_FUNC(STAGE0), 3, HY_RUN_LIMIT},
      {ONE_FUNC(STAGE0
                "label f.s1: for rdom f.s1.r in (0, 9000000000000) { for rdom f.s1.q in (0, 0) { f(0) <- 1; } }"),
       100, HY_RUN_LIMIT}, // loops without an assignment end too
      {TWO_FUNCS("(0, 4611686018427387904)", "(0, 2)", MAKE_G("0", "2"), USE_G("0")), 0, HY_RUN_LIMIT},
      {TWO_FUNCS("(0, 100000000000000)", "(0, 2)", MAKE_G("0", "2"), USE_G("0")), 0, HY_RUN_LIMIT},
      {ONE_FUNC(STAGE0 "label f.s1: for vectorized f.s1.x in (x.min, 9000000000000) { f(f.s1.x) <- 1; }"), 0,
       HY_RUN_LIMIT},
      // A store outside, or at a point that errs, fills a buffer: that counts.
      {TWO_FUNCS("(0, 1000000)", "(0, 2)", MAKE_G("0", "30000"), USE_G("0")), 100000, HY_RAN},
      {TWO_FUNCS("(0, 1000000)", "(0, 2)", MAKE_G("-30000", "30000"), USE_G("0")), 100000, HY_RUN_LIMIT},
      {TWO_FUNCS("(0, 1000000)", "(0, 2)",
                 MAKE_G("0", "2") "label g.s1: for rdom g.s1.r in (0, 30000) { g(g.s1.r / 0) <- 1; }", USE_G("0")),
       100000, HY_RUN_LIMIT},
      // So does fresh memory in a loop: here one cell is computed of each million.
      {FRESH("1"), 100000, HY_RAN},
      {FRESH("10000"), 100000, HY_RUN_LIMIT},
  };
  for (size_t i = 0; i < HY_COUNT(cases); i++) {
    program p = open_program(cases[i].text);
    hy_tgt_result result;
    run_with(&p, 0, 0, 4, &(hy_tgt_options){.step_limit = cases[i].steps}, &result);
    ck_assert_msg(result.status == cases[i].status, "case %zu: status %d", i, result.status);
    ck_assert_int_eq(result.output != NULL, cases[i].status == HY_RAN);
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

// Nests beyond what the stack bears are refused, not run.
START_TEST(deep_nests) {
  static const struct {
    int depth;
    hy_run_status status;
  } cases[] = {{3000, HY_RAN}, {10000, HY_RUN_LIMIT}};
  for (size_t i = 0; i < HY_COUNT(cases); i++) {
    program p = open_program(ONE_FUNC(STAGE0));
    const hy_stmt *items[2] = {p.tgt->body->seq.items[0], p.tgt->body->seq.items[1]};
    const hy_interval once = {hy_expr_int(p.context, 0), hy_expr_int(p.context, 1)};
    for (int k = 0; k < cases[i].depth; k++) {
      char name[16];
      snprintf(name, sizeof name, "v%d", k);
      const hy_var *var = hy_var_loop(p.context, p.tgt->funcs[0], 0, 0, hy_context_name_of(p.context, name));
      items[1] = hy_stmt_for(p.context, var, false, HY_SERIAL, once, items[1]);
    }
    hy_tgt *copy = HY_NEW(hy_context_arena(p.context), hy_tgt);
    *copy = *p.tgt;
    copy->body = hy_stmt_seq(p.context, items, 2);
    p.tgt = copy;
    hy_tgt_result result;
    run_with(&p, 0, 0, 3, &(hy_tgt_options){.monitor = true}, &result);
    ck_assert_int_eq(result.status, cases[i].status);
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

// Two buffers of 8-byte cells alive together, then one; an allocation in a loop counts once.
START_TEST(peak_memory) {
  const char *text = TWO_FUNCS("(0, 100)", "(0, 2)", MAKE_G("0", "2"), USE_G("0"));
  program p = open_program(text);
  hy_tgt_result result;
  run_with(&p, 0, 0, 4, &(hy_tgt_options){.monitor = true}, &result);
  ck_assert_uint_eq(result.peak_bytes, 8 * 100 + 8 * 4);
  ck_assert_uint_eq(result.points, 2 + 4);
  hy_tgt_result_free(&result);
  close_program(&p);
  p = open_program(
      "target t() on f(x) { func g(a): u16 stages 1; func f(x): u16 stages 1; allocate f[(x.min, x.len)]; label "
      "f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { allocate g[(0, 50)]; label "
      "g: compute g on [(0, 1)] { label g.s0: for g.s0.a in (0, 1) { g(g.s0.a) <- 1; } } f(f.s0.x) <- g(0); } "
      "} }");
  run_with(&p, 0, 0, 4, &(hy_tgt_options){.monitor = false}, &result);
  ck_assert_uint_eq(result.peak_bytes, 2 * 4 + 2 * 50);
  hy_tgt_result_free(&result);
  close_program(&p);
}
END_TEST

Suite *tgt_interp_suite(void) {
  Suite *suite = suite_create("tgt_interp");
  TCase *tcase = tcase_create("statements");
  tcase_add_loop_test(tcase, statements, 0, HY_COUNT(rows));
  tcase_add_loop_test(tcase, traversals, 0, 3);
  tcase_add_test(tcase, lanes_load_before_they_store);
  tcase_add_test(tcase, parallel_orders);
  tcase_add_test(tcase, scrambles);
  tcase_add_test(tcase, scrambled_bools_are_bools);
  tcase_add_test(tcase, assumptions);
  tcase_add_test(tcase, limits);
  tcase_add_test(tcase, deep_nests);
  tcase_add_test(tcase, peak_memory);
  suite_add_tcase(suite, tcase);
  return suite;
}
