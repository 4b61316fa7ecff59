// B.Slide and WF.Keep (D85): what is proved to keep gives in every engine what the same program gives that computes all
// of it each time; where a point is left out that was not kept, B.Cover is refuted and the monitor sees it.

#include "bounds/query.h"
#include "codegen/codegen.h"
#include "oracle/oracle.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                           \
  "target p(n: int) on o(x, y) {\n func f(x, y): i32 stages 1;\n func o(x, y): i32 stages 1;\n entry {\n"              \
  "  assume range: 1 <= n && n <= 4;\n  assume range: -1000 <= x.min && x.min <= 1000;\n"                              \
  "  assume range: 0 <= x.len && x.len <= 1000;\n  assume range: -1000 <= y.min && y.min <= 1000;\n"                   \
  "  assume range: 0 <= y.len && y.len <= 1000;\n }\n allocate f[%s]%s;\n"                                             \
  " allocate o[(x.min, x.len), (y.min, y.len)];\n label o: compute o on [(x.min, x.len), (y.min, y.len)] {\n"          \
  "  label o.s0: for o.s0.y in (y.min, y.len) {\n"
#define COMPUTE                                                                                                        \
  "   label f: compute f on [%s, %s]%s {\n    label f.s0: for f.s0.y in %s { for f.s0.x in %s {\n"                     \
  "     f(f.s0.x, f.s0.y) <- i32(f.s0.x * 31 + f.s0.y * 7); } }\n   }\n"
#define USE "o(o.s0.x, o.s0.y) <- %s;\n"
#define TAIL "  }\n }\n}\n"

// Where f is computed.
typedef enum { ROWS, COLUMNS, BLOCKS } site;
static const char *const programs[] = {
    [ROWS] = HEAD COMPUTE "   for o.s0.x in (x.min, x.len) { " USE "   }\n" TAIL,
    [COLUMNS] = HEAD "  for o.s0.x in (x.min, x.len) {\n" COMPUTE "   " USE "  }\n" TAIL,
    [BLOCKS] = HEAD "  for o.s0.xo in (0, (x.len + 7)/8) {\n" COMPUTE
                    "   for vectorized o.s0.xi in (0, 8) { let o.s0.x = x.min + o.s0.xi + 8*o.s0.xo by split "
                    "guard(o.s0.xo, o.s0.xi, 8, (x.min, x.len)) in { if guard (o.s0.x < x.min + x.len) {\n   " USE
                    "   } } }\n  }\n" TAIL,
};
static const char *const kept[] = {" keeping o.s0.y", " keeping o.s0.x", " keeping o.s0.xo"};

#define ROOM "(x.min - 8, x.len + 40), (y.min - 16, y.len + 32)"
#define WIDE "(x.min - 8, x.len + 40), (3*y.min - 16, 3*y.len + 32)"
#define SQUARE "(y.min - 8, y.len + 16), (y.min - 8, y.len + 16)"
#define TURNED "(x.min - 8, x.len + 40), (0 - y.min - y.len - 8, y.len + 16)"
#define FIRST "o.s0.y <= y.min"
#define ALL "(x.min, x.len)"
#define THREE "f(o.s0.x, o.s0.y) + f(o.s0.x, o.s0.y + 1) - f(o.s0.x, o.s0.y + 2)"
#define ONE_OF(first, then) "select(" FIRST ", " first ", " then ")"
#define NEW_ROW "(" ONE_OF("o.s0.y", "o.s0.y + 2") ", " ONE_OF("3", "1") ")"

static const struct {
  const char *name, *room, *plan;
  site at;
  const char *box_x, *box_y, *loop_x, *loop_y, *use;
  hy_contract broken; // KEPT: all is proved
} rows[] = {
    {"two rows of three", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", ALL, NEW_ROW, THREE, HY_CONTRACT_KEPT},
    {"two rows of three in three", ROOM, " fold(y, 3)", ROWS, ALL, "(o.s0.y, 3)", ALL, NEW_ROW, THREE,
     HY_CONTRACT_KEPT},
    {"two rows of three in four", ROOM, " order(y, x) fold(y, 4)", ROWS, ALL, "(o.s0.y, 3)", ALL, NEW_ROW, THREE,
     HY_CONTRACT_KEPT},
    {"two rows of three in two", ROOM, " fold(y, 2)", ROWS, ALL, "(o.s0.y, 3)", ALL, NEW_ROW, THREE,
     HY_CONTRACT_FOLDED},
    {"one row of two in one", ROOM, " fold(y, 1)", ROWS, ALL, "(o.s0.y, 2)", ALL,
     "(" ONE_OF("o.s0.y", "o.s0.y + 1") ", " ONE_OF("2", "1") ")", "f(o.s0.x, o.s0.y) - f(o.s0.x, o.s0.y + 1)",
     HY_CONTRACT_FOLDED},
    {"more than has to be computed", ROOM, " fold(y, 3)", ROWS, ALL, "(o.s0.y, 3)", ALL,
     "(" ONE_OF("o.s0.y", "o.s0.y + 1") ", " ONE_OF("3", "2") ")", THREE, HY_CONTRACT_KEPT},
    {"nothing computed in the first iteration", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", ALL, "(o.s0.y + 2, 1)", THREE,
     HY_CONTRACT_CPU_UNCOVERED},
    {"the first iteration not whole", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", ALL,
     "(" ONE_OF("o.s0.y + 1", "o.s0.y + 2") ", " ONE_OF("2", "1") ")", THREE, HY_CONTRACT_CPU_UNCOVERED},
    {"the second iteration counts as the first", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", ALL,
     "(select(o.s0.y <= y.min + 1, o.s0.y, o.s0.y + 2), select(o.s0.y <= y.min + 1, 3, 1))", THREE, HY_CONTRACT_KEPT},
    {"nothing computed later", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", ALL, "(o.s0.y, " ONE_OF("3", "0") ")", THREE,
     HY_CONTRACT_CPU_UNCOVERED},
    {"the wrong row computed later", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", ALL, "(o.s0.y, " ONE_OF("3", "1") ")", THREE,
     HY_CONTRACT_CPU_UNCOVERED},
    {"a row not as long as all", ROOM, "", ROWS, ALL, "(o.s0.y, 3)", "(x.min, " ONE_OF("x.len", "x.len - 1") ")",
     NEW_ROW, THREE, HY_CONTRACT_CPU_UNCOVERED},
    {"rows that turn round", TURNED, " fold(y, 3)", ROWS, ALL, "(0 - o.s0.y, 3)", ALL,
     "(0 - o.s0.y, " ONE_OF("3", "1") ")", "f(o.s0.x, 0 - o.s0.y) - f(o.s0.x, 2 - o.s0.y)", HY_CONTRACT_KEPT},
    {"rows that turn round, the other one", TURNED, "", ROWS, ALL, "(0 - o.s0.y, 3)", ALL,
     "(" ONE_OF("0 - o.s0.y", "2 - o.s0.y") ", " ONE_OF("3", "1") ")", "f(o.s0.x, 0 - o.s0.y) - f(o.s0.x, 2 - o.s0.y)",
     HY_CONTRACT_CPU_UNCOVERED},
    {"steps of two rows", WIDE, " fold(y, 3)", ROWS, ALL, "(2*o.s0.y + y.min, 3)", ALL,
     "(2*o.s0.y + y.min + " ONE_OF("0", "1") ", " ONE_OF("3", "2") ")", "f(o.s0.x, 2*o.s0.y + y.min)",
     HY_CONTRACT_KEPT},
    {"steps of two rows, of which one is computed", WIDE, "", ROWS, ALL, "(2*o.s0.y + y.min, 3)", ALL,
     "(2*o.s0.y + y.min + " ONE_OF("0", "2") ", " ONE_OF("3", "1") ")", "f(o.s0.x, 2*o.s0.y + y.min)",
     HY_CONTRACT_CPU_UNCOVERED},
    {"steps that keep nothing", WIDE, " fold(y, 3)", ROWS, ALL, "(3*o.s0.y, 3)", ALL, "(3*o.s0.y, 3)",
     "f(o.s0.x, 3*o.s0.y + 1)", HY_CONTRACT_KEPT},
    {"rows that add up", ROOM, "", ROWS, ALL, "(y.min, o.s0.y - y.min + 1)", ALL, "(o.s0.y, 1)",
     "f(o.s0.x, y.min) + f(o.s0.x, o.s0.y)", HY_CONTRACT_KEPT},
    {"rows that get fewer", ROOM, "", ROWS, ALL, "(o.s0.y, y.min + y.len - o.s0.y)", ALL,
     "(y.min, " ONE_OF("y.len", "0") ")", "f(o.s0.x, y.min + y.len - 1) - f(o.s0.x, o.s0.y)", HY_CONTRACT_KEPT},
    {"a box that stays", ROOM, "", ROWS, ALL, "(y.min, n)", ALL, "(y.min, " ONE_OF("n", "0") ")",
     "f(o.s0.x, y.min) - i32(o.s0.y)", HY_CONTRACT_KEPT},
    {"a box that stays and is never computed", ROOM, "", ROWS, ALL, "(y.min, n)", ALL, "(y.min, 0)",
     "f(o.s0.x, y.min) - i32(o.s0.y)", HY_CONTRACT_CPU_UNCOVERED},
    {"as many rows as a parameter says", ROOM, " fold(y, 4)", ROWS, ALL, "(o.s0.y, n)", ALL,
     "(" ONE_OF("o.s0.y", "o.s0.y + n - 1") ", " ONE_OF("n", "1") ")", "f(o.s0.x, o.s0.y) + f(o.s0.x, o.s0.y + n - 1)",
     HY_CONTRACT_KEPT},
    {"every other iteration", ROOM, " fold(y, 3)", ROWS, ALL, "(o.s0.y, select(o.s0.y % 2 == 0, 1, 3))", ALL,
     "(o.s0.y, " ONE_OF("3", "select(o.s0.y % 2 == 0, 0, 3)") ")", "f(o.s0.x, o.s0.y)", HY_CONTRACT_KEPT},
    {"what lay in the box two iterations before", ROOM, "", ROWS, ALL, "(o.s0.y, select(o.s0.y % 2 == 0, 1, 3))", ALL,
     "(" ONE_OF("o.s0.y", "o.s0.y + 1") ", " ONE_OF("3", "2") ")", "f(o.s0.x, o.s0.y)", HY_CONTRACT_CPU_UNCOVERED},
    {"a box that moves in both dimensions", SQUARE, " fold(x, 3) fold(y, 3)", ROWS, "(o.s0.y, 3)", "(o.s0.y, 3)",
     "(o.s0.y, 3)", "(o.s0.y, 3)", "f(o.s0.y + 2, o.s0.y)", HY_CONTRACT_KEPT},
    {"a box that moves in both dimensions, of which a row is computed", SQUARE, "", ROWS, "(o.s0.y, 3)", "(o.s0.y, 3)",
     "(o.s0.y, 3)", NEW_ROW, "f(o.s0.y + 2, o.s0.y)", HY_CONTRACT_CPU_UNCOVERED},
    {"columns", ROOM, "", COLUMNS, "(o.s0.x, 3)", "(o.s0.y, 1)",
     "(select(o.s0.x == x.min, x.min, o.s0.x + 2), select(o.s0.x == x.min, 3, 1))", "(o.s0.y, 1)",
     "f(o.s0.x, o.s0.y) - f(o.s0.x + 2, o.s0.y)", HY_CONTRACT_KEPT},
    {"columns in three", ROOM, " fold(x, 3) fold(y, 1)", COLUMNS, "(o.s0.x, 3)", "(o.s0.y, 1)",
     "(select(o.s0.x == x.min, x.min, o.s0.x + 2), select(o.s0.x == x.min, 3, 1))", "(o.s0.y, 1)",
     "f(o.s0.x, o.s0.y) - f(o.s0.x + 2, o.s0.y)", HY_CONTRACT_KEPT},
    {"what another execution of the loop left", ROOM, "", COLUMNS, "(x.min, 3)", "(y.min, 1)",
     "(x.min, select(o.s0.x == x.min && " FIRST ", 3, 0))", "(y.min, 1)", "f(x.min, y.min) - i32(o.s0.x)",
     HY_CONTRACT_CPU_UNCOVERED},
    {"what another execution of the loop left, in another box", ROOM, "", COLUMNS, "(o.s0.x, 3)", "(y.min, 1)",
     "(o.s0.x + select(o.s0.x == x.min && " FIRST ", 0, 2), select(o.s0.x == x.min && " FIRST ", 3, 1))", "(y.min, 1)",
     "f(o.s0.x, y.min) - f(o.s0.x + 2, y.min)", HY_CONTRACT_CPU_UNCOVERED},
    {"blocks of vectors with a tail", ROOM, "", BLOCKS, "(x.min + 8*o.s0.xo, 10)", "(o.s0.y, 1)",
     "(x.min + 8*o.s0.xo + select(o.s0.xo == 0, 0, 2), select(o.s0.xo == 0, 10, 8))", "(o.s0.y, 1)",
     "f(o.s0.x, o.s0.y) - f(o.s0.x + 2, o.s0.y)", HY_CONTRACT_KEPT},
    {"blocks of vectors, of which one is too short", ROOM, "", BLOCKS, "(x.min + 8*o.s0.xo, 10)", "(o.s0.y, 1)",
     "(x.min + 8*o.s0.xo + select(o.s0.xo == 0, 0, 2), select(o.s0.xo == 0, 10, 7))", "(o.s0.y, 1)",
     "f(o.s0.x, o.s0.y) - f(o.s0.x + 2, o.s0.y)", HY_CONTRACT_CPU_UNCOVERED},
};

static const int64_t window_min[] = {-3, -5}, window_len[] = {19, 7};

// The row's program; the same without keeping, all of it computed each time, in memory of its own.
static const hy_tgt *read_program(hy_context *context, int number, bool keeps) {
  static char text[4000];
  hy_diagnostics *said = hy_diagnostics_new();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, sizeof text, programs[rows[number].at], rows[number].room, keeps ? rows[number].plan : "",
           rows[number].box_x, rows[number].box_y, keeps ? kept[rows[number].at] : "",
           keeps ? rows[number].loop_y : rows[number].box_y, keeps ? rows[number].loop_x : rows[number].box_x,
           rows[number].use);
#pragma GCC diagnostic pop
  hy_source source = {"slide.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  if (!tgt) {
    hy_text why = {0};
    hy_diagnostics_print(said, &why);
    ck_abort_msg("%s: %s", rows[number].name, hy_text_string(&why));
  }
  hy_diagnostics_free(said);
  return tgt;
}

static bool is_proved(hy_context *context, const hy_tgt *tgt) {
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = 500};
  hy_oracle_decide(context, hy_query_extract(context, tgt), &options, &report);
  return report.refuted + report.unknown == 0;
}

static hy_input input_of(hy_value *n) {
  *n = hy_value_int(3);
  return (hy_input){n, NULL, window_min, window_len};
}

static hy_contract run(hy_context *context, const hy_tgt *tgt, bool literal, hy_buffer **output) {
  hy_value n;
  hy_input input = input_of(&n);
  hy_tgt_options options = {.monitor = true, .seed = 3};
  hy_tgt_result result;
  (literal ? hy_tgt_run_literal : hy_tgt_run)(context, tgt, &input, &options, &result);
  ck_assert_ptr_nonnull(result.output);
  *output = result.output;
  result.output = NULL;
  hy_contract contract = result.contract;
  hy_tgt_result_free(&result);
  return contract;
}

static void expect_same(hy_buffer *want, HY_TAKE hy_buffer *got, const char *name, const char *engine) {
  int64_t at[2];
  for (at[1] = window_min[1]; at[1] < window_min[1] + window_len[1]; at[1]++)
    for (at[0] = window_min[0]; at[0] < window_min[0] + window_len[0]; at[0]++)
      ck_assert_msg(hy_buffer_get(want, at).i == hy_buffer_get(got, at).i && !hy_buffer_get(got, at).error, "%s: %s",
                    name, engine);
  hy_buffer_free(got);
}

static hy_buffer *run_native(hy_context *context, const hy_tgt *tgt) {
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(context, tgt, &options);
  hy_value n;
  hy_input input = input_of(&n);
  hy_buffer *output = hy_buffer_new(HY_I32, 2, window_min, window_len);
  hy_native_result result;
  hy_native_run(native, &input, output, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  hy_native_free(native);
  return output;
}

// Interpreted fast and literally, after the passes, and compiled.
static void expect_as_computed_each_time(hy_context *context, const hy_tgt *whole, const hy_tgt *keeping,
                                         const char *name) {
  hy_buffer *want, *got;
  ck_assert_int_eq(run(context, whole, false, &want), HY_CONTRACT_KEPT);
  ck_assert_msg(run(context, keeping, false, &got) == HY_CONTRACT_KEPT, "%s: the monitor", name);
  expect_same(want, got, name, "fast");
  ck_assert_msg(run(context, keeping, true, &got) == HY_CONTRACT_KEPT, "%s: the literal monitor", name);
  expect_same(want, got, name, "literal");
  const hy_tgt *passed = hy_passes(context, keeping, NULL, NULL);
  ck_assert_msg(run(context, passed, false, &got) == HY_CONTRACT_KEPT, "%s: the monitor, after the passes", name);
  expect_same(want, got, name, "after the passes");
  expect_same(want, run_native(context, keeping), name, "native");
  hy_buffer_free(want);
}

START_TEST(kept_points) {
  hy_context *context = hy_context_new();
  const hy_tgt *whole = read_program(context, _i, false), *keeping = read_program(context, _i, true);
  ck_assert_msg(is_proved(context, whole), "%s: all of it", rows[_i].name);
  bool proved = is_proved(context, keeping);
  ck_assert_msg(proved == (rows[_i].broken == HY_CONTRACT_KEPT), "%s", rows[_i].name);
  if (proved) {
    expect_as_computed_each_time(context, whole, keeping, rows[_i].name);
  } else {
    hy_buffer *output;
    ck_assert_msg(run(context, keeping, false, &output) == rows[_i].broken, "%s", rows[_i].name);
    hy_buffer_free(output);
  }
  hy_context_free(context);
}
END_TEST

Suite *bounds_slide_suite(void) {
  Suite *suite = suite_create("bounds_slide");
  TCase *tests = tcase_create("kept_points");
  tcase_add_loop_test(tests, kept_points, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, tests);
  return suite;
}
