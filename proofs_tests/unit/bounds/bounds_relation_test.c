/* What a hand-written target program says of itself is not believed (decisions D69 to D71): relations between lets and
 * loops, which loops run in parallel, between which numbers inputs lie, and shapes that no algorithm has.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

#define RANGES "assume range: -1000 <= x.min && x.min <= 1000 && 0 <= x.len && x.len <= 1000; "
#define FRAME(params, rows, mem, s0, s1)                                                                               \
  "target P(" params ") on f(x) {\n func f(x): int stages 2;\n entry { " rows " }\n allocate f[" mem "];\n"            \
  " label f: compute f on [(x.min, x.len)] {\n label f.s0: " s0 "\n label f.s1: " s1 " } }\n"
#define PLAIN "for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; }"
#define UPDATE(s1) FRAME("w: int", RANGES "assume range: -9 <= w && w <= 9;", "(x.min - 9, x.len + 18)", PLAIN, s1)
#define PURE(s0)                                                                                                       \
  FRAME("w: int", RANGES "assume range: -9 <= w && w <= 9; assume factor: w >= 1;", "(x.min - 9, x.len + 18)", s0,     \
        "for f.s1.x in (x.min, x.len) { f(f.s1.x) <- f(f.s1.x) + 1; }")
// f.s1.x from an outer and an inner loop; "as" runs the outer one, and only what lies in the window is assigned
#define SPLIT(as, inner, tail, factor)                                                                                 \
  UPDATE("for " as " f.s1.o in (0, (x.len + " factor " - 1)/" factor ") { for f.s1.i in " inner " { let f.s1.x = "     \
         "x.min + f.s1.i + " factor "*f.s1.o by split " tail "(f.s1.o, f.s1.i, " factor ", (x.min, x.len)) in { "      \
         "if guard (f.s1.x < x.min + x.len) { f(f.s1.x) <- f(f.s1.x) + 1; } } } }")
#define SHIFT(outer, inner)                                                                                            \
  PURE("for " outer " f.s0.o in (0, (x.len + 4 - 1)/4) { for " inner " f.s0.i in (0, 4) { let f.s0.x = min(x.min + "   \
       "4*f.s0.o, x.min + x.len - 4) + f.s0.i by split shift(f.s0.o, f.s0.i, 4, (x.min, x.len)) in { "                 \
       "f(f.s0.x) <- 1; } } }")
#define SHIFT_INSIDE                                                                                                   \
  PURE("for f.s0.i in (0, 4) { for parallel f.s0.o in (0, (x.len + 4 - 1)/4) { let f.s0.x = min(x.min + 4*f.s0.o, "    \
       "x.min + x.len - 4) + f.s0.i by split shift(f.s0.o, f.s0.i, 4, (x.min, x.len)) in { f(f.s0.x) <- 1; } } }")
#define REDUCED(range, guard)                                                                                          \
  UPDATE("for f.s1.x in (x.min, x.len) { for rdom f.s1.o in (0, 3) { for rdom f.s1.i in (0, 4) { let f.s1.r = "        \
         "f.s1.i + 4*f.s1.o by split guard(f.s1.o, f.s1.i, 4, " range ") in { if guard (" guard ") { "                 \
         "f(f.s1.x) <- f(f.s1.x) + f.s1.r; } } } } }")
#define WHOLE(value, back)                                                                                             \
  UPDATE("for parallel f.s1.t in (0, x.len) { let f.s1.x = " value                                                     \
         " by given turn guard(f.s1.t; f.s1.x; f.s1.t = " back                                                         \
         "; (x.min, x.len)) in { f(f.s1.x) <- f(f.s1.x) + 1; } }")

static const struct {
  const char *name, *text;
  hy_obligation_kind kind; // of one that is not proved
  bool proved;
} programs[] = {
    // B.Disjoint
    {"a serial split, blocks overlap", SPLIT("serial", "(0, 9)", "guard", "4"), HY_B_DISJOINT, true},
    {"a parallel split", SPLIT("parallel", "(0, 4)", "guard", "4"), HY_B_DISJOINT, true},
    {"a parallel split, the inner loop is too long", SPLIT("parallel", "(0, 5)", "guard", "4"), HY_B_DISJOINT, false},
    {"a parallel split, the inner loop begins too early", SPLIT("parallel", "(-1, 5)", "guard", "4"), HY_B_DISJOINT,
     false},
    {"a parallel loop over tiles that shift moves", SHIFT("parallel", "serial"), HY_B_DISJOINT, false},
    {"parallel inside of one place of shifted tiles", SHIFT_INSIDE, HY_B_DISJOINT, true},
    {"vectorized inside of a shifted tile", SHIFT("serial", "vectorized"), HY_B_DISJOINT, true},
    {"a way back of a parallel loop", WHOLE("x.min + x.len - 1 - f.s1.t", "x.min + x.len - 1 - f.s1.x"), HY_B_DISJOINT,
     true},
    {"two iterations at one point, and a way back to one of them",
     WHOLE("x.min + f.s1.t/2*2 - f.s1.t/2", "2*(f.s1.x - x.min)"), HY_B_DISJOINT, false},
    // B.Cover: ranges of reductions
    {"a reduction that is split", REDUCED("(0, 10)", "f.s1.r < 10"), HY_B_COVER, true},
    {"a reduction whose range is empty by its own account", REDUCED("(0, 0)", "f.s1.r < 10"), HY_B_COVER, false},
    {"a reduction whose range is too small by its own account", REDUCED("(0, 8)", "f.s1.r < 10"), HY_B_COVER, false},
    // shapes
    {"a reduction loop around a pure stage",
     PURE("for rdom f.s0.k in (0, 2) { for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } }"), HY_B_COVER, true},
    {"a reduction loop around a pure stage that need not run",
     PURE("for rdom f.s0.k in (0, max(w, 0) - 1) { for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } }"), HY_B_COVER,
     false},
    // ranges of inputs
    {"a parameter within its range",
     FRAME("w: int", RANGES "assume range: -9 <= w && w <= 9;", "(x.min, x.len)", PLAIN,
           "for f.s1.x in (x.min + w*1000000 - w*1000000, x.len) { f(f.s1.x) <- 1; }"),
     HY_B_FITS, true},
    {"a parameter of which nothing is assumed",
     FRAME("w: int", RANGES, "(x.min, x.len)", PLAIN,
           "for f.s1.x in (x.min + w*1000000 - w*1000000, x.len) { f(f.s1.x) <- 1; }"),
     HY_B_FITS, false},
    {"a parameter with one end",
     FRAME("w: int", RANGES "assume range: 0 <= w;", "(x.min, x.len)", PLAIN,
           "for f.s1.x in (x.min + w*3 - w*3, x.len) { f(f.s1.x) <- 1; }"),
     HY_B_FITS, false},
    {"a window of which nothing is assumed",
     FRAME("w: int", "", "(x.min, x.len)", PLAIN, "for f.s1.x in (x.min, x.len) { f(f.s1.x) <- 1; }"), HY_B_FITS,
     false},
};

static const hy_tgt *read(hy_context *context, const char *name, const char *text) {
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(tgt != NULL, "%s: %s", name, hy_text_string(&said));
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  return tgt;
}

static void judge(hy_context *context, const hy_tgt *tgt, const char *name, hy_obligation_kind kind, bool proved) {
  hy_oracle_report report;
  hy_oracle_decide(context, hy_query_extract(context, tgt), &(hy_oracle_options){.z3_limit = 1000}, &report);
  bool found = false;
  for (size_t i = 0; i < report.count; i++) {
    hy_verdict verdict = report.decisions[i].verdict;
    if (verdict == HY_VERDICT_PROVED || verdict == HY_VERDICT_PROVED_Z3) continue;
    ck_assert_msg(!proved, "%s: not proved: %s", name, report.decisions[i].obligation->about);
    found |= report.decisions[i].obligation->kind == kind;
  }
  ck_assert_msg(found != proved, "%s: every %s is proved", name, hy_obligation_rule(kind));
}

START_TEST(nothing_is_believed) {
  hy_context *context = hy_context_new();
  judge(context, read(context, programs[_i].name, programs[_i].text), programs[_i].name, programs[_i].kind,
        programs[_i].proved);
  hy_context_free(context);
}
END_TEST

/* -- what well-formedness keeps away, and B withstands all the same -- */

typedef struct {
  hy_context *context;
  const hy_var *from, *to;     // in origins
  const hy_expr *factor, *min; // of the origin of the let that is called "x"; NULL: as they are
  const hy_var *lost;          // the loop that is not there; NULL: all are
} change;

static const hy_var *renamed(void *self, const hy_var *var) {
  const change *c = self;
  return var == c->from ? c->to : var;
}

static const hy_stmt *changed(change *c, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2], *fresh[16];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, (int)HY_COUNT(fresh));
  for (int i = 0; i < count; i++) fresh[i] = changed(c, children[i]);
  stmt = hy_stmt_with_children(c->context, stmt, fresh, count);
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var == c->lost) return stmt->loop.body;
  if (stmt->kind != HY_STMT_LET) return stmt;
  hy_origin o = hy_origin_rename(c->context, stmt->let.origin, renamed, c);
  if (c->factor && strcmp(stmt->let.var->name, "x") == 0) o.factor = c->factor;
  if (c->min && strcmp(stmt->let.var->name, "x") == 0) o.range.min = c->min;
  hy_binding binding = {c->from, hy_expr_var(c->context, c->to)};
  const hy_expr *value = hy_expr_substitute(c->context, stmt->let.value, &binding, 1);
  return hy_stmt_let(c->context, stmt->let.var, value, o, stmt->let.body);
}

#define TILE                                                                                                           \
  "target P() on f(x, y) {\n func f(x, y): int stages 1;\n entry { assume range: -99 <= x.min && x.min <= 99 && 0 <= " \
  "x.len && x.len <= 99 && -99 <= y.min && y.min <= 99 && 0 <= y.len && y.len <= 99; }\n"                              \
  " allocate f[(x.min - 400, x.len + 800), (y.min - 400, y.len + 800)];\n"                                             \
  " label f: compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for f.s0.yo in (0, (y.len + 3)/4) { "         \
  "for f.s0.yi in (0, 4) { for f.s0.xo in (0, (x.len + 3)/4) { for f.s0.xi in (0, 4) { "                               \
  "let f.s0.y = y.min + f.s0.yi + 4*f.s0.yo by split round(f.s0.yo, f.s0.yi, 4, (y.min, y.len)) in { "                 \
  "let f.s0.x = x.min + f.s0.xi + 4*f.s0.xo by split round(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { "                 \
  "f(f.s0.x, f.s0.y) <- 1; } } } } } } } }\n"

// The variable of a loop or a let.
static const hy_var *variable_called(const hy_stmt *stmt, const char *name) {
  const hy_var *var = stmt->kind == HY_STMT_FOR ? stmt->loop.var : stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
  if (var && strcmp(var->name, name) == 0) return var;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_var *found = NULL;
  for (int i = 0; i < count && !found; i++) found = variable_called(children[i], name);
  return found;
}

// x - xi - 1: then xi would be x - (x - xi - 1) - 4*xo, which no numbers are
static const hy_expr *beginning_of_itself(hy_context *context, const hy_stmt *body) {
  const hy_expr *x = hy_expr_var(context, variable_called(body, "x")),
                *xi = hy_expr_var(context, variable_called(body, "xi"));
  const hy_expr *gap = hy_expr_binary(context, HY_OP_SUB, x, xi);
  return hy_expr_binary(context, HY_OP_SUB, gap, hy_expr_int(context, 1));
}

START_TEST(relations_that_contradict_each_other) {
  static const struct {
    const char *name, *from, *to, *lost;
    enum { NOTHING, FACTOR, MIN, MIN_OF_ITSELF } what; // of x is the loop "to", or speaks of it
    bool proved;
  } rows[] = {
      {"as it is", "xo", "xo", NULL, NOTHING, true},
      {"one inner loop for both", "xi", "yi", NULL, NOTHING, false},
      {"one inner loop for both, and no other", "xi", "yi", "xi", NOTHING, false},
      {"one outer loop for both", "xo", "yo", NULL, NOTHING, false},
      {"one outer loop for both, and no other", "xo", "yo", "xo", NOTHING, false},
      {"a loop that is outer and inner", "xi", "xo", NULL, NOTHING, false},
      {"a factor that is one of the loops", "xi", "xi", NULL, FACTOR, false},
      {"an interval that begins at one of the loops", "xo", "xo", NULL, MIN, false},
      {"an interval that begins where no loop can be", "xi", "xi", NULL, MIN_OF_ITSELF, false},
  };
  hy_context *context = hy_context_new();
  hy_tgt tgt = *read(context, rows[_i].name, TILE);
  change c = {.context = context,
              .from = variable_called(tgt.body, rows[_i].from),
              .to = variable_called(tgt.body, rows[_i].to)};
  if (rows[_i].lost) c.lost = variable_called(tgt.body, rows[_i].lost);
  if (rows[_i].what == FACTOR) c.factor = hy_expr_var(context, c.to);
  if (rows[_i].what == MIN) c.min = hy_expr_var(context, c.to);
  if (rows[_i].what == MIN_OF_ITSELF) c.min = beginning_of_itself(context, tgt.body);
  tgt.body = changed(&c, tgt.body);
  judge(context, &tgt, rows[_i].name, HY_B_COVER, rows[_i].proved);
  hy_context_free(context);
}
END_TEST

Suite *bounds_relation_suite(void) {
  Suite *suite = suite_create("bounds_relation");
  TCase *t = tcase_create("relation");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, nothing_is_believed, 0, HY_COUNT(programs));
  tcase_add_loop_test(t, relations_that_contradict_each_other, 0, 9);
  suite_add_tcase(suite, t);
  return suite;
}
