#include "proofs_tests/theorems/theorems.h"

#include "bounds/query.h"
#include "oracle/oracle.h"
#include "semantics/semantics.h"

#include <string.h>

/* Broken twins: programs that break one rule each, or that are right because of it (HOLDS). The statements' suites run
 * what is right; here the judges that they rely on are shown what is wrong.
 */

#define HEAD                                                                                                           \
  "target P(n: int) on o(x) {\n func a(x): int stages 1;\n func o(x): int stages 1;\n"                                 \
  " entry { assume range: 0 <= n && n <= 1000; }\n"
#define COPY(mem, cpu, loop, body)                                                                                     \
  HEAD " allocate a[" mem "];\n label a: compute a on [" cpu "] { label a.s0: for a.s0.x in " loop                     \
       " { a(a.s0.x) <- a.s0.x; } }\n allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] {"          \
       " label o.s0: for o.s0.x in (x.min, x.len) { " body " } } }\n"
#define ALL "(x.min, x.len)"
#define READS "o(o.s0.x) <- a(o.s0.x);"
#define SPECIAL(then)                                                                                                  \
  "target P(n: int) on o(x) {\n func o(x): int stages 1;\n entry { assume range: 0 <= n && n <= 1000; }\n"             \
  " allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { if specialize (n == 3) { label o.z1: label "  \
  "o.s0: for o.z1.s0.x in " then " { o(o.z1.s0.x) <- 1; } } else { label o.z0: label o.s0: for o.s0.x in (x.min, "     \
  "x.len) { o(o.s0.x) <- 2; } } } }"
#define ONE "pipeline p() { fun o(x) = x; }"
#define TWO "pipeline p() { fun a(x) = x; fun o(x, y) = a(x) + a(x + 1) + y; }"
#define SUMS "pipeline p() { fun o(x) = { 0; rdom(r = (0, 3), q = (0, 4)) in (x) <- 2*o(x) + r - q; }; }"

typedef enum { HOLDS, OWED, ILL_FORMED, REFUSED, BREAKS, VACUOUS } how;

static const struct {
  const char *rule;
  how how;
  int what;                 // OWED: hy_obligation_kind; ILL_FORMED, REFUSED: hy_code; BREAKS: hy_contract
  const char *text, *items; // items: of a schedule for the algorithm "text"
} twins[] = {
    {"B.Window", OWED, HY_B_WINDOW,
     "target P() on o(x) {\n func o(x): int stages 1;\n allocate o[(0, 0)]; label o: compute o on [(0, 0)] { label "
     "o.s0: "
     "for o.s0.x in (0, 0) { o(o.s0.x) <- 1; } } }",
     NULL},
    {"B.Inside", OWED, HY_B_INSIDE, COPY(ALL, "(x.min, x.len + 1)", "(x.min, x.len + 1)", READS), NULL},
    {"B.Inside", OWED, HY_B_INSIDE, COPY(ALL, "(x.min - 1, x.len + 1)", "(x.min - 1, x.len + 1)", READS), NULL},
    {"B.Cover", OWED, HY_B_COVER, COPY(ALL, ALL, "(x.min, x.len - 1)", READS), NULL},
    {"B.Cover", OWED, HY_B_COVER, COPY(ALL, ALL, "(x.min + 1, x.len - 1)", READS), NULL},
    {"B.Cover", OWED, HY_B_COVER, SPECIAL("(x.min, min(x.len, 4))"), NULL},
    {"B.Mem", OWED, HY_B_MEM, COPY(ALL, ALL, ALL, "o(o.s0.x) <- a(o.s0.x + 1);"), NULL},
    {"B.Mem", OWED, HY_B_MEM, COPY(ALL, ALL, ALL, "o(o.s0.x) <- a(o.s0.x - 1);"), NULL},
    {"B.Cpu", OWED, HY_B_CPU, COPY("(x.min, x.len + 1)", ALL, ALL, "o(o.s0.x) <- a(o.s0.x + 1);"), NULL},
    {"B.Cpu", OWED, HY_B_CPU, COPY("(x.min - 1, x.len + 1)", ALL, ALL, "o(o.s0.x) <- a(o.s0.x - 1);"), NULL},
    {"TGT.Mon-Cpu", BREAKS, HY_CONTRACT_CPU_OUTSIDE,
     COPY("(x.min, x.len + 1)", ALL, ALL, "o(o.s0.x) <- a(o.s0.x + 1);"), NULL},
    {"TGT.Mon-Cpu", BREAKS,
     HY_CONTRACT_CPU_OUTSIDE, // what forms an address, at a point outside of the reader's Cpu (D56)
     HEAD " allocate a[(x.min, x.len + 1)]; label a: compute a on [" ALL
          "] { label a.s0: for a.s0.x in (x.min, x.len + "
          "1) { a(a.s0.x) <- 1; } } allocate o[(x.min, x.len + 1)]; label o: compute o on [" ALL "] { label o.s0: for "
          "o.s0.x in (x.min, x.len + 1) { o(o.s0.x) <- a(clamp(a(o.s0.x), x.min, x.min)); } } }",
     NULL},
    {"TGT.Mon-Cover", BREAKS, HY_CONTRACT_CPU_UNCOVERED, COPY(ALL, ALL, "(x.min, x.len - 1)", "o(o.s0.x) <- 1;"), NULL},
    {"DIR.Specialize", HOLDS, 0, // each branch covers under its own condition alone (D44)
     "target P() on o(x) {\n func o(x): int stages 1;\n"
     " entry { assume range: -2147483648 <= x.min && x.min <= 2147483648; "
     "assume range: 0 <= x.len && x.len <= 2147483648; }\n"
     " allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)]"
     " { if specialize (x.len == 5) { label o.z1: label o.s0: for o.z1.s0.x in (x.min, 5) { o(o.z1.s0.x) <- 1; } } "
     "else {"
     " label o.z0: label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 2; } } } }",
     NULL},
    {"VER.Unknown", OWED, HY_B_CONSTRAIN, // a sum of cubes is no cube, which neither the prover nor Z3 knows
     "target P(n: int) on o(x) {\n func o(x): int stages 1;\n entry { assume range: 0 <= n && n <= 100; assume range: "
     "0 <= "
     "x.len && x.len <= 100; }\n allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { constrain o: (n "
     "+ "
     "1)*(n + 1)*(n + 1) + (n + 2)*(n + 2)*(n + 2) != (x.len + 3)*(x.len + 3)*(x.len + 3); label o.s0: for o.s0.x in "
     "(x.min, x.len) { o(o.s0.x) <- 1; } } }",
     NULL},
    {"VER.Vacuous", VACUOUS, 0,
     "target P(n: int) on o(x) {\n func o(x): int stages 1;\n entry { assume range: 5 <= n && n <= 4; }\n allocate "
     "o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) "
     "<- 1; } } }",
     NULL},
    {"WF.Dominate", ILL_FORMED, HY_E_TGT_DOMINANCE,
     HEAD " allocate a[" ALL "]; allocate o[" ALL "]; label o: compute o on [" ALL "] { label o.s0: for o.s0.x in " ALL
          " { " READS " } } label a: compute a on [" ALL "] { label a.s0: for a.s0.x in " ALL
          " { a(a.s0.x) <- 1; } } }",
     NULL},
    {"WF.Dominate", ILL_FORMED, HY_E_TGT_DOMINANCE,
     HEAD " allocate a[" ALL "]; allocate o[" ALL "]; label o: compute o on [" ALL "] { label o.s0: for o.s0.x in " ALL
          " { for rdom o.s0.k in (0, 1) { label a: compute a on [" ALL "] { label a.s0: for a.s0.x in " ALL
          " { a(a.s0.x) <- 1; } } } " READS " } } }",
     NULL},
    {"FIN.Overlap", REFUSED, HY_E_OVERLAPPING_WRITES, ONE, "split(o.x, xo, xi, 8, shift); traverse(o.xo, parallel);"},
    {"FIN.Extent", REFUSED, HY_E_EXTENT_NOT_CONSTANT, ONE, "traverse(o.x, vectorized);"},
    {"DIR.Output", REFUSED, HY_E_OUTPUT_MOVED, TWO, "compute_at(o, a.x);"},
    {"DIR.Swap.Reduction", REFUSED, HY_E_SWAP_REDUCTION, SUMS, "swap(o.s1.q);"},
    {"DIR.Traverse.Pure", REFUSED, HY_E_PARALLEL_REDUCTION, SUMS, "traverse(o.s1.r, parallel);"},
};

static const hy_tgt *read(hy_context *context, const char *text, hy_diagnostics *diagnostics) {
  hy_source source = {"twin.tgt", text, strlen(text)};
  return hy_parse_tgt(context, &source, diagnostics);
}

static void judge(hy_context *context, size_t i, const hy_tgt *tgt) {
  hy_oracle_report report;
  hy_oracle_decide(context, hy_query_extract(context, tgt), &(hy_oracle_options){.z3_limit = 1000}, &report);
  if (twins[i].how == VACUOUS) {
    ck_assert_msg(report.vacuous, "%s: twin %zu has entry facts", twins[i].rule, i);
    return;
  }
  bool open = false;
  for (size_t k = 0; k < report.count; k++) {
    bool proved =
        report.decisions[k].verdict == HY_VERDICT_PROVED || report.decisions[k].verdict == HY_VERDICT_PROVED_Z3;
    open |= !proved && (twins[i].how == HOLDS || (int)report.decisions[k].obligation->kind == twins[i].what);
  }
  if (twins[i].how == HOLDS) {
    ck_assert_msg(!open, "%s: twin %zu is not proved", twins[i].rule, i);
    return;
  }
  ck_assert_msg(open, "%s: twin %zu is proved", twins[i].rule, i);
}

static void run(hy_context *context, size_t i, const hy_tgt *tgt) {
  hy_value n = hy_value_int(3);
  int64_t min = -2, len = 8;
  hy_input input = {&n, NULL, &min, &len};
  hy_tgt_result result;
  hy_tgt_run(context, tgt, &input, &(hy_tgt_options){.monitor = true}, &result);
  ck_assert_msg(result.status == HY_RUN_CONTRACT && (int)result.contract == twins[i].what, "%s: twin %zu: %s",
                twins[i].rule, i, result.story ? result.story : "keeps its contract");
  hy_tgt_result_free(&result);
}

static void see(size_t i) {
  if (twins[i].how == REFUSED) {
    test_program p;
    test_program_open(&p, twins[i].text, twins[i].items);
    bool fine =
        p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) && hy_pipeline_fill(&p.pipeline, p.diagnostics);
    ck_assert_msg(!fine && test_program_code(&p) == twins[i].what, "%s: twin %zu: not HY%04d but %s", twins[i].rule, i,
                  twins[i].what, fine ? "nothing" : test_program_said(&p));
    test_program_close(&p);
    return;
  }
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  const hy_tgt *tgt = read(context, twins[i].text, diagnostics);
  int code = hy_diagnostics_count(diagnostics) ? (int)hy_diagnostics_at(diagnostics, 0)->code : 0;
  if (twins[i].how == ILL_FORMED)
    ck_assert_msg(!tgt && code == twins[i].what, "%s: twin %zu: HY%04d", twins[i].rule, i, code);
  else
    ck_assert_msg(tgt != NULL, "%s: twin %zu: HY%04d", twins[i].rule, i, code);
  if (twins[i].how == HOLDS || twins[i].how == OWED || twins[i].how == VACUOUS) judge(context, i, tgt);
  if (twins[i].how == BREAKS) run(context, i, tgt);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

void theorem_twins_are_seen(const char *rules) {
  int seen = 0;
  for (size_t i = 0; i < HY_COUNT(twins); i++) {
    const char *at = strstr(rules, twins[i].rule);
    size_t length = strlen(twins[i].rule);
    if (!at || (at[length] != ' ' && at[length] != 0)) continue;
    see(i);
    seen++;
  }
  ck_assert_int_gt(seen, 0);
}
