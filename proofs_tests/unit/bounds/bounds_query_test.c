/* B(S): every obligation matters. Each fill of a proved program is spoilt in turn (a box or loop one shorter, one
 * further); the query must then not be proved, and what the solver refutes, the shadow monitor must be able to see
 * (D63). And rows of hand-written programs that must be judged as the decisions say.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <stdio.h>
#include <string.h>

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) { fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"                           \
  " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }"
#define BOX                                                                                                            \
  "pipeline P(w: int) { fun f(x, y) = f32(x + 2 * y);"                                                                 \
  " fun g(x, y) = { 0.0; rdom(r = (-w, 2*w + 1)) in (x, y) <- g(x, y) + f(x + r, y); };"                               \
  " fun h(x, y) = { 0.0; rdom(r = (-w, 2*w + 1)) in (x, y) <- h(x, y) + g(x, y + r); }; }"

static const struct {
  const char *name, *alg, *items;
} programs[] = {
    {"default", BLUR, ""},
    {"tiles", BLUR, "bv.tile(x, y, xi, yi, 8, 4).parallel(y).vectorize(xi, 4); bh.compute_at(bv, x);"},
    {"shift", BLUR, "split(bv.x, xo, xi, 8, shift); bh.compute_at(bv, y);"},
    {"round", BLUR, "split(bv.y, yo, yi, 4, round); bh.compute_at(bv, yo);"},
    {"Figure 1(b)", BOX,
     "split(h.s1.x, xo, xi, 8); split(h.s1.y, yo, yi, 4); swap(h.s1.yi); compute_at(g, h.s1.xo); store_at(g, "
     "h.s1.xo);"},
};

/* -- spoiling one interval -- */

typedef enum { SHORTER, FURTHER, MUTATION_COUNT } mutation;

typedef struct {
  hy_context *context;
  int target, seen; // which interval, how many so far
  mutation how;
  bool output_mem; // the interval spoilt belongs to something whose loss B must notice
} spoiler;

static hy_interval spoil(spoiler *s, hy_interval interval) {
  if (s->seen++ != s->target) return interval;
  const hy_expr *one = hy_expr_int(s->context, 1);
  if (s->how == SHORTER) return (hy_interval){interval.min, hy_expr_binary(s->context, HY_OP_SUB, interval.len, one)};
  return (hy_interval){hy_expr_binary(s->context, HY_OP_ADD, interval.min, one), interval.len};
}

static const hy_stmt *spoil_statement(spoiler *s, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2], *fresh[64];
  hy_interval box[HY_MAX_RANK];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) fresh[i] = spoil_statement(s, children[i]);
  stmt = hy_stmt_with_children(s->context, stmt, fresh, count);
  if (stmt->kind == HY_STMT_FOR && stmt->loop.is_pure)
    return hy_stmt_for(s->context, stmt->loop.var, true, stmt->loop.traversal, spoil(s, stmt->loop.interval),
                       stmt->loop.body);
  if (stmt->kind == HY_STMT_ALLOCATE) {
    for (int i = 0; i < stmt->allocate.func->rank; i++) box[i] = spoil(s, stmt->allocate.box[i]);
    return hy_stmt_allocate_as(s->context, stmt->allocate.func, box, stmt->allocate.plan);
  }
  if (stmt->kind == HY_STMT_COMPUTE) {
    for (int i = 0; i < stmt->compute.func->rank; i++) box[i] = spoil(s, stmt->compute.box[i]);
    return hy_stmt_compute(s->context, stmt->compute.func, box, stmt->compute.body);
  }
  return stmt;
}

static hy_oracle_report judge(hy_context *context, const hy_tgt *tgt, unsigned z3_limit) {
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = z3_limit};
  hy_oracle_decide(context, hy_query_extract(context, tgt), &options, &report);
  return report;
}

static bool breaks_somewhere(test_program *p, const hy_tgt *tgt) {
  static const int64_t windows[][2] = {{0, 1}, {0, 3}, {-5, 8}, {3, 9}, {0, 17}};
  for (size_t i = 0; i < HY_COUNT(windows); i++)
    for (int64_t parameter = 0; parameter <= 2; parameter++)
      if (test_program_breaks(p, tgt, parameter, windows[i][0], windows[i][1])) return true;
  return false;
}

START_TEST(a_spoilt_fill_is_never_proved) {
  test_program p;
  test_program_open(&p, programs[_i].alg, programs[_i].items);
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) &&
            hy_pipeline_fill(&p.pipeline, p.diagnostics));
  spoiler all = {.context = p.context, .target = -1};
  spoil_statement(&all, p.pipeline.filled->body); // counts
  int refuted = 0, seen = 0;
  for (int target = 0; target < all.seen; target++)
    for (mutation how = SHORTER; how < MUTATION_COUNT; how++) {
      spoiler s = {.context = p.context, .target = target, .how = how};
      hy_tgt spoilt = *p.pipeline.filled;
      spoilt.body = spoil_statement(&s, p.pipeline.filled->body);
      hy_oracle_report report = judge(p.context, &spoilt, 500);
      ck_assert_msg(report.refuted + report.unknown > 0, "%s: interval %d spoilt (%d) is still proved",
                    programs[_i].name, target, (int)how);
      if (!report.refuted) continue;
      refuted++;
      seen += breaks_somewhere(&p, &spoilt); // D63
    }
  ck_assert_int_gt(refuted, 0);
  ck_assert_msg(seen * 10 >= refuted * 9, "%s: the monitor sees %d of %d refuted programs", programs[_i].name, seen,
                refuted);
  test_program_close(&p);
}
END_TEST

/* -- hand-written programs -- */

#define HEAD                                                                                                           \
  "target P(n: int) on o(x) {\n func a(x): int stages 1;\n func o(x): int stages 1;\n"                                 \
  " entry { assume range: 0 <= n && n <= 1000; }\n"
#define COPY(mem, cpu, loop, extra)                                                                                    \
  HEAD " allocate a[" mem "];\n label a: compute a on [" cpu "] { label a.s0: for a.s0.x in " loop                     \
       " { a(a.s0.x) <- a.s0.x; } }\n"                                                                                 \
       " allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in "            \
       "(x.min, x.len) { " extra " } } }\n"
#define UPDATE(extra)                                                                                                  \
  "target P(n: int) on o(x) {\n func a(x): int stages 1;\n func o(x): int stages 2;\n entry { }\n"                     \
  " allocate a[(x.min, x.len)];\n label a: compute a on [(x.min, x.len)] { label a.s0: for a.s0.x in (x.min, x.len)"   \
  " { a(a.s0.x) <- a.s0.x; } }\n allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] { label o.s0: "  \
  "for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 0; } label o.s1: for o.s1.x in (x.min, x.len) { " extra " } } }\n"

static const struct {
  const char *name, *text;
  hy_obligation_kind kind; // of the first that is not proved
  bool proved;
} written[] = {
    {"as it should be", COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x);"),
     HY_B_WINDOW, true},
    {"all boxes empty (D50, D58)",
     "target P(n: int) on o(x) { func o(x): int stages 1; entry { assume range: 0 <= n && n <= 1000; }"
     " allocate o[(0, 0)]; label o: compute o on [(0, 0)] { label o.s0: for o.s0.x in (0, 0) { o(o.s0.x) <- 1; } } }",
     HY_B_WINDOW, false},
    {"Cpu larger than Mem (D53)",
     COPY("(x.min, x.len)", "(x.min, x.len + 1)", "(x.min, x.len + 1)", "o(o.s0.x) <- a(o.s0.x);"), HY_B_INSIDE,
     false}, // B.Inside
    {"an empty Cpu is inside anything (D60)",
     HEAD " allocate a[(5, 0)]; label a: compute a on [(9, 0)] { label a.s0: for a.s0.x in (9, 0) { a(a.s0.x) <- 1; } }"
          " allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, "
          "x.len) { o(o.s0.x) <- 2; } } }",
     HY_B_WINDOW, true},
    {"negative length (D51)", COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len - 2)", "o(o.s0.x) <- 1;"),
     HY_B_LENGTH, false},
    {"loop does not cover Cpu (D54)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min + 1, x.len - 1)", "o(o.s0.x) <- a(o.s0.x);"), HY_B_COVER, false},
    {"loop does not reach up to all of Cpu (D54)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len - 1)", "o(o.s0.x) <- a(o.s0.x);"), HY_B_COVER, false},
    {"Cpu begins below Mem (D53)",
     COPY("(x.min, x.len)", "(x.min - 1, x.len + 1)", "(x.min - 1, x.len + 1)", "o(o.s0.x) <- a(o.s0.x);"), HY_B_INSIDE,
     false},
    {"read below Mem (D56)", COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x - 1);"),
     HY_B_MEM, false},
    {"read below Cpu (D56)",
     COPY("(x.min - 1, x.len + 1)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x - 1);"), HY_B_CPU,
     false},
    {"read outside Mem (D56)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x + 1);"), HY_B_MEM, false},
    {"read outside Cpu (D56)",
     COPY("(x.min, x.len + 1)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x + 1);"), HY_B_CPU, false},
    {"a load in an index must be in Cpu (D56)",
     COPY("(x.min, x.len + 1)", "(x.min, x.len)", "(x.min, x.len)",
          "o(o.s0.x) <- a(clamp(a(o.s0.x + 1), x.min, x.min));"),
     HY_B_ADDRESS, false},
    {"a load in an index must be in Cpu, also where the point is not (D56)",
     HEAD " allocate a[(x.min, x.len + 1)]; label a: compute a on [(x.min, x.len)] { label a.s0: for a.s0.x in (x.min, "
          "x.len) { a(a.s0.x) <- 1; } } allocate o[(x.min, x.len + 1)]; label o: compute o on [(x.min, x.len)] { label "
          "o.s0: for o.s0.x in (x.min, x.len + 1) { o(o.s0.x) <- a(clamp(a(o.s0.x), x.min, x.min)); } } }",
     HY_B_ADDRESS, false},
    {"an index that a load decides, clamped (D14)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "o(o.s0.x) <- a(clamp(a(o.s0.x), x.min, x.min + x.len - 1));"),
     HY_B_WINDOW, true},
    {"an index that nothing bounds (D14)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(a(o.s0.x)*2);"), HY_B_MEM, false},
    {"an index between ends that are known at entry (D88)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(a(o.s0.x));"), HY_B_WINDOW, true},
    {"a fill that may divide by zero (D52)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len + n / n - n / n)", "o(o.s0.x) <- a(o.s0.x);"),
     HY_B_DEFINED, false},
    {"a let that may divide by zero (D52)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "let o.s0.z = x.min / n in { o(o.s0.x) <- a(o.s0.x) + o.s0.z; }"),
     HY_B_DEFINED, false},
    {"a guard that may divide by zero (D52)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "if guard (o.s0.x + 1 / n < x.min + x.len) { o(o.s0.x) <- a(o.s0.x); }"),
     HY_B_DEFINED, false},
    {"a let that may leave 64 bits (D26)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "let o.s0.z = o.s0.x * 9223372036854775807 in { o(o.s0.x) <- a(o.s0.x) + o.s0.z; }"),
     HY_B_FITS, false},
    {"a guard that may leave 64 bits (D26)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "if guard (o.s0.x * 9223372036854775807 != 5) { o(o.s0.x) <- a(o.s0.x); }"),
     HY_B_FITS, false},
    {"select arms are no facts (D56)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "o(o.s0.x) <- select(o.s0.x < x.min, a(o.s0.x - 1), 0);"),
     HY_B_MEM, false},
    {"a predicate is a fact (D56)", UPDATE("if (o.s1.x > x.min) { o(o.s1.x) <- a(o.s1.x - 1); }"), HY_B_WINDOW, true},
    {"unreachable code is proved (D62)", UPDATE("if (o.s1.x < x.min) { o(o.s1.x) <- a(o.s1.x - 100); }"), HY_B_WINDOW,
     true},
    {"no overflow of a bound (D26)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len * 9223372036854775807 / 9223372036854775807)",
          "o(o.s0.x) <- a(o.s0.x);"),
     HY_B_FITS, false},
    {"an index that overflows is some number (D67)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "o(o.s0.x) <- a(o.s0.x * 9223372036854775807 / 9223372036854775807);"),
     HY_B_MEM, false},
    {"and within its clamp (D67)",
     COPY("(x.min, x.len)", "(x.min, x.len)", "(x.min, x.len)",
          "o(o.s0.x) <- a(clamp(o.s0.x * 9223372036854775807, x.min, x.min + x.len - 1));"),
     HY_B_WINDOW, true},
};

START_TEST(written_programs_are_judged) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", written[_i].text, strlen(written[_i].text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(tgt != NULL, "%s: %s", written[_i].name, hy_text_string(&said));
  int added;
  hy_oracle_report report = judge(context, hy_tgt_assume_ranges(context, tgt, &added), 1000);
  bool found = false;
  for (size_t i = 0; i < report.count; i++) {
    hy_verdict verdict = report.decisions[i].verdict;
    bool proved = verdict == HY_VERDICT_PROVED || verdict == HY_VERDICT_PROVED_Z3;
    if (!proved && written[_i].proved)
      ck_abort_msg("%s: %s: %s", written[_i].name, hy_verdict_name(verdict), report.decisions[i].obligation->about);
    found |= !proved && report.decisions[i].obligation->kind == written[_i].kind;
  }
  ck_assert_msg(found != written[_i].proved, "%s: no %s obligation fails", written[_i].name,
                hy_obligation_rule(written[_i].kind));
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

static const struct {
  const char *condition;
  bool vacuous;
} entries[] = {
    {"5 <= n && n <= 4", true},
    {"n * n < 0", true},
    {"n * n == 2", true},
    {"n * n == 4", false},
    {"n * n * n == n * n * n + 1", true},
    {"n * n + 1 < 2 * n", true},
    {"n * n + 1 <= 2 * n", false}, // n = 1
    {"n * n % 4 == 1", false},
    {"1 <= k && n % k == k", true},
    {"1 <= k && n % k == k - 1 && n * k == 0 - 4", false}, // n = -1, k = 4
};

START_TEST(contradictory_entry_is_vacuous) { // D62
  hy_text text_of = {0};
  hy_text_printf(&text_of,
                 "target P(n: int, k: int) on o(x) {\n func o(x): int stages 1;\n entry { assume range: "
                 "-2147483648 <= n && n <= 2147483648; assume range: -2147483648 <= k && k <= 2147483648; assume "
                 "range: %s; }\n allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] { label o.s0: "
                 "for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 1; } } }",
                 entries[_i].condition);
  const char *text = hy_text_string(&text_of);
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  ck_assert_ptr_nonnull(tgt);
  ck_assert_msg(judge(context, tgt, 1000).vacuous == entries[_i].vacuous, "%s", entries[_i].condition);
  hy_text_free(&text_of);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

Suite *bounds_query_suite(void) {
  Suite *suite = suite_create("bounds_query");
  TCase *t = tcase_create("query");
  tcase_set_timeout(t, 240);
  tcase_add_loop_test(t, a_spoilt_fill_is_never_proved, 0, HY_COUNT(programs));
  tcase_add_loop_test(t, written_programs_are_judged, 0, HY_COUNT(written));
  tcase_add_loop_test(t, contradictory_entry_is_vacuous, 0, HY_COUNT(entries));
  suite_add_tcase(suite, t);
  return suite;
}
