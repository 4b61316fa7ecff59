/* B.Cover on hand-written programs (decisions D54, D55): a way back that is not there, comes from elsewhere or speaks
 * of what it does not know is no witness, and such a program is not proved. And what a query says of a program that
 * nobody verified: what is missing is owed, never passed over.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define ONE(extra, loops)                                                                                              \
  "target P(n: int, b: bool) on o(x) {\n func o(x): int stages 1;\n entry { assume range: 0 <= n && n <= 1000; }\n"    \
  " allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] { " extra " label o.s0: " loops " } }\n"
#define REVERSED(lets, inverses)                                                                                       \
  ONE("", "for o.s0.xr in (0, x.len) { let o.s0.x = x.min + x.len - 1 - o.s0.xr by given reverse guard(o.s0.xr; " lets \
          "; " inverses "; (x.min, x.len)) in { o(o.s0.x) <- 1; } }")
#define CYCLIC(inverses)                                                                                               \
  ONE("", "for o.s0.c in (0, 4) { for o.s0.q in (0, (x.len - o.s0.c + 3)/4) { let o.s0.x = x.min + (4*o.s0.q + "       \
          "o.s0.c) by given cyclic guard(o.s0.c, o.s0.q; o.s0.x; " inverses "; (x.min, x.len)) in {"                   \
          " o(o.s0.x) <- 1; } } }")
#define SUM(loops)                                                                                                     \
  "target P(n: int) on o(x) {\n func o(x): int stages 2;\n entry { assume range: 1 <= n && n <= 1000; }\n"             \
  " allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] {\n"                                          \
  " label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 0; }\n"                                                    \
  " label o.s1: for o.s1.x in (x.min, x.len) { " loops " } } }\n"
#define FUSED(outer, inner)                                                                                            \
  "target P() on o(x, y) {\n func o(x, y): int stages 1;\n entry { }\n allocate o[(x.min, x.len), (y.min, y.len)];\n"  \
  " label o: compute o on [(x.min, x.len), (y.min, y.len)] { label o.s0: for o.s0.t in (0, x.len*y.len) {"             \
  " let o.s0.y = y.min + o.s0.t/x.len " outer " in { let o.s0.x = x.min + o.s0.t%x.len " inner                         \
  " in { o(o.s0.x, o.s0.y) <- 1; } } } } }"
#define TWO(box, before, loops)                                                                                        \
  "target P() on o(x) {\n func a(x): int stages 1;\n func o(x): int stages 1;\n entry { }\n"                           \
  " allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) {" \
  " allocate a[" box "]; label a: compute a on [" box "] { " before " label a.s0: " loops " }"                         \
  " o(o.s0.x) <- a(o.s0.x); } } }"

static const struct {
  const char *name, *text;
  hy_obligation_kind kind; // of one that is not proved
  bool proved;
} programs[] = {
    {"a way back", REVERSED("o.s0.x", "o.s0.xr = x.min + x.len - 1 - o.s0.x"), HY_B_COVER, true},
    {"a way back that misses by one", REVERSED("o.s0.x", "o.s0.xr = x.min + x.len - o.s0.x"), HY_B_COVER, false},
    {"a way back from a variable that is nowhere", REVERSED("o.s0.x, o.s0.z", "o.s0.xr = x.min + x.len - 1 - o.s0.x"),
     HY_B_COVER, false},
    {"a let that is not what its way back says",
     ONE("", "for o.s0.t in (x.min, x.len) { let o.s0.x = x.min by given stay guard(o.s0.t; o.s0.x; o.s0.t = o.s0.x; "
             "(x.min, x.len)) in { o(o.s0.x) <- 1; } }"),
     HY_B_COVER, false},
    {"two loops, each from the variable", CYCLIC("o.s0.c = (o.s0.x - x.min)%4, o.s0.q = (o.s0.x - x.min)/4"),
     HY_B_COVER, true},
    {"a loop from the one inside", CYCLIC("o.s0.q = (o.s0.x - x.min)/4, o.s0.c = o.s0.x - x.min - 4*o.s0.q"),
     HY_B_COVER, true},
    {"two loops, each from the other",
     CYCLIC("o.s0.c = o.s0.x - x.min - 4*o.s0.q, o.s0.q = (o.s0.x - x.min - "
            "o.s0.c)/4"),
     HY_B_COVER, false},
    {"a loop from itself", CYCLIC("o.s0.c = o.s0.c, o.s0.q = (o.s0.x - x.min)/4"), HY_B_COVER, false},
    {"a loop that only repeats",
     ONE("", "for rdom o.s0.k in (0, 1) { for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 1; } }"), HY_B_COVER, true},
    {"a split of a let that comes from nowhere",
     ONE("", "for rdom o.s0.k in (0, (x.len + 7)/8) { let o.s0.xo = o.s0.k in { for rdom o.s0.xi in (0, 8) { let "
             "o.s0.x = x.min "
             "+ o.s0.xi + 8*o.s0.xo by split guard(o.s0.xo, o.s0.xi, 8, (x.min, x.len)) in { if guard (o.s0.x < x.min "
             "+ x.len) { o(o.s0.x) <- 1; } } } } }"),
     HY_B_COVER, false},
    {"both variables of a fused loop",
     FUSED("by fuse outer(o.s0.t, x.len, (y.min, y.len))", "by fuse inner(o.s0.t, x.len, (x.min, x.len))"), HY_B_COVER,
     true},
    {"one variable of a fused loop", FUSED("by fuse outer(o.s0.t, x.len, (y.min, y.len))", ""), HY_B_COVER, false},
    {"the other variable of a fused loop", FUSED("", "by fuse inner(o.s0.t, x.len, (x.min, x.len))"), HY_B_COVER,
     false},
    {"a func computed at the loop that its points are of",
     TWO("(o.s0.x, 1)", "", "for a.s0.x in (o.s0.x, 1) { a(a.s0.x) <- 2; }"), HY_B_COVER, true},
    {"a pure stage whose coordinate is a loop outside", TWO("(o.s0.x, 1)", "", "a(o.s0.x) <- 2;"), HY_B_COVER, false},
    {"an rdom as it was", SUM("for rdom o.s1.r in (0, n) { o(o.s1.x) <- o(o.s1.x) + o.s1.r; }"), HY_B_COVER, true},
    {"an rdom with a way back",
     SUM("for rdom o.s1.k in (0, n) { let o.s1.r = n - 1 - o.s1.k by given turn guard(o.s1.k; o.s1.r; o.s1.k = n - 1 - "
         "o.s1.r; (0, n)) in { o(o.s1.x) <- o(o.s1.x) + o.s1.r; } }"),
     HY_B_COVER, true},
    {"an rdom whose way back speaks of another",
     SUM("for rdom o.s1.q in (0, 3) { for rdom o.s1.k in (o.s1.q, n) { let o.s1.r = o.s1.k - o.s1.q by given lean "
         "guard(o.s1.k; o.s1.r; o.s1.k = o.s1.r + o.s1.q; (0, n)) in { o(o.s1.x) <- o(o.s1.x) + o.s1.r; } } }"),
     HY_B_COVER, true},
    {"an rdom whose way back cannot be known",
     SUM("for rdom o.s1.k in (0, n) { let o.s1.r = n - 1 - o.s1.k by given turn guard(o.s1.k; o.s1.r, o.s1.z; o.s1.k = "
         "n - 1 - o.s1.r; (0, n)) in { o(o.s1.x) <- o(o.s1.x) + o.s1.r; } }"),
     HY_B_COVER, false},
    {"a constraint of a func and of nobody (D43)",
     ONE("constrain o: x.len >= 1 && x.len + 1 >= 2; constrain: true;",
         "for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 1; }"),
     HY_B_CONSTRAIN, true},
    {"a constraint that is a parameter (D43)", ONE("constrain: b;", "for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 1; }"),
     HY_B_CONSTRAIN, false},
    {"an entry check of nothing but a parameter (D25)",
     "target P(b: bool) on o(x) {\n func o(x): int stages 1;\n entry { assume range: b; }\n allocate o[(x.min, x.len)];"
     " label o: compute o on [(x.min, x.len)] { constrain o: b; label o.s0: for o.s0.x in (x.min, x.len) {"
     " o(o.s0.x) <- 1; } } }",
     HY_B_COVER, true},
    {"a fixed-width divisor that may be 0 (D52)",
     ONE("", "for o.s0.x in (x.min, x.len + int(u8(n)/u8(n)) - int(u8(n)/u8(n))) { o(o.s0.x) <- 1; }"), HY_B_DEFINED,
     false},
    {"a remainder by 0 (D52)", ONE("", "for o.s0.x in (x.min, x.len + 0*(n%0)) { o(o.s0.x) <- 1; }"), HY_B_DEFINED,
     false},
    {"fixed-width divisors that are not 0 (D52)",
     ONE("", "for o.s0.x in (x.min, x.len + 0*int(u8(n)/3 + u8(n)/max(u8(n), 1))) { o(o.s0.x) <- 1; }"), HY_B_DEFINED,
     true},
};

static hy_oracle_report judge(hy_context *context, const hy_tgt *tgt) {
  hy_oracle_report report;
  hy_oracle_decide(context, hy_query_extract(context, tgt), &(hy_oracle_options){.z3_limit = 1000}, &report);
  return report;
}

static const hy_tgt *read(hy_context *context, const char *name, const char *text) {
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(tgt != NULL, "%s: %s", name, hy_text_string(&said));
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  int added;
  return hy_tgt_assume_ranges(context, tgt, &added);
}

// The first obligation that is not proved, of that kind if any is; NULL if all are.
static const hy_obligation *unproved(const hy_oracle_report *report, hy_obligation_kind kind) {
  const hy_obligation *any = NULL;
  for (size_t i = 0; i < report->count; i++) {
    hy_verdict verdict = report->decisions[i].verdict;
    if (verdict == HY_VERDICT_PROVED || verdict == HY_VERDICT_PROVED_Z3) continue;
    any = report->decisions[i].obligation;
    if (any->kind == kind) break;
  }
  return any;
}

START_TEST(coverage_is_judged) {
  hy_context *context = hy_context_new();
  hy_oracle_report report = judge(context, read(context, programs[_i].name, programs[_i].text));
  const hy_obligation *o = unproved(&report, programs[_i].kind);
  if (programs[_i].proved)
    ck_assert_msg(!o, "%s: not proved: %s", programs[_i].name, o ? o->about : "");
  else
    ck_assert_msg(o && o->kind == programs[_i].kind, "%s: %s", programs[_i].name, o ? o->about : "all is proved");
  hy_context_free(context);
}
END_TEST

/* -- what is missing -- */

static const hy_stmt *without(hy_context *context, const hy_stmt *stmt, hy_stmt_kind kind, const char *func) {
  const hy_stmt *const *children, *room[2], *fresh[64];
  if (stmt->kind == HY_STMT_ALLOCATE && kind == HY_STMT_ALLOCATE && strcmp(stmt->allocate.func->name, func) == 0)
    return hy_stmt_nop(context);
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, (int)HY_COUNT(fresh));
  for (int i = 0; i < count; i++) fresh[i] = without(context, children[i], kind, func);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  if (stmt->kind == HY_STMT_COMPUTE && kind == HY_STMT_COMPUTE && strcmp(stmt->compute.func->name, func) == 0)
    return stmt->compute.body;
  return stmt;
}

// The assignment of "func" behind the program, outside of its compute.
static const hy_stmt *assigned_behind(hy_context *context, const hy_stmt *body, const char *func) {
  const hy_stmt *found = body;
  for (int i = 0; i < body->seq.count; i++)
    if (body->seq.items[i]->kind == HY_STMT_LABEL && strcmp(body->seq.items[i]->label.func->name, func) == 0)
      found = body->seq.items[i]->label.body->compute.body->label.body;
  return hy_stmt_seq(context, (const hy_stmt *[]){body, found}, 2);
}

START_TEST(what_is_missing_is_owed) {
  static const struct {
    const char *func;
    hy_stmt_kind kind; // taken away; ASSIGN: put outside of its compute; NOP: all is taken away
    hy_obligation_kind owed;
    const char *says;
  } rows[] = {
      {"a", HY_STMT_ALLOCATE, HY_B_INSIDE, "a has an allocation in scope"},
      {"a", HY_STMT_ALLOCATE, HY_B_MEM, "has its allocation"},
      {"a", HY_STMT_COMPUTE, HY_B_CPU, "has its computation in scope"},
      {"a", HY_STMT_COMPUTE, HY_B_MEM, "a has its allocation and computation in scope"},
      {"o", HY_STMT_COMPUTE, HY_B_WINDOW, "o has a computation in scope"},
      {"o", HY_STMT_NOP, HY_B_WINDOW, "o has a computation in scope"},
      {"a", HY_STMT_ASSIGN, HY_B_COVER, "a has its computation around it in scope"},
  };
  static const char text[] =
      "target P() on o(x) {\n func a(x): int stages 1;\n func o(x): int stages 1;\n entry { }\n"
      " allocate a[(x.min, x.len)];\n label a: compute a on [(x.min, x.len)] { label a.s0: for a.s0.x in (x.min, "
      "x.len) { a(a.s0.x) <- a.s0.x; } }\n allocate o[(x.min, x.len)];\n label o: compute o on [(x.min, x.len)] {"
      " label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- a(o.s0.x); } } }\n";
  hy_context *context = hy_context_new();
  hy_tgt broken = *read(context, rows[_i].says, text);
  if (rows[_i].kind == HY_STMT_NOP)
    broken.body = hy_stmt_nop(context);
  else if (rows[_i].kind == HY_STMT_ASSIGN)
    broken.body = assigned_behind(context, broken.body, rows[_i].func);
  else
    broken.body = without(context, broken.body, rows[_i].kind, rows[_i].func);
  const hy_query *query = hy_query_extract(context, &broken);
  bool found = false;
  for (size_t i = 0; i < query->count; i++)
    found |= query->obligations[i].kind == rows[_i].owed && hy_expr_is_false(query->obligations[i].goal) &&
             strstr(query->obligations[i].about, rows[_i].says);
  ck_assert_msg(found, "nothing says \"%s\"", rows[_i].says);
  hy_context_free(context);
}
END_TEST

Suite *bounds_cover_suite(void) {
  Suite *suite = suite_create("bounds_cover");
  TCase *t = tcase_create("cover");
  tcase_add_loop_test(t, coverage_is_judged, 0, HY_COUNT(programs));
  tcase_add_loop_test(t, what_is_missing_is_owed, 0, 7);
  suite_add_tcase(suite, t);
  return suite;
}
