// B.Fold (D86): what is proved to fit its fold gives in every engine what it gives without the fold; what is refuted,
// the monitor sees.

#include "bounds/query.h"
#include "codegen/codegen.h"
#include "oracle/oracle.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <string.h>

// f is computed in "box" for each row of o, by "stage", and stored around all rows.
#define PROGRAM(box, stage, use)                                                                                       \
  "target p(n: int) on o(x, y) {\n func f(x, y): i32 stages 1;\n func o(x, y): i32 stages 1;\n entry {\n"              \
  "  assume range: 1 <= n && n <= 4;\n  assume range: -1000 <= x.min && x.min <= 1000;\n"                              \
  "  assume range: 0 <= x.len && x.len <= 1000;\n  assume range: -1000 <= y.min && y.min <= 1000;\n"                   \
  "  assume range: 0 <= y.len && y.len <= 1000;\n }\n"                                                                 \
  " allocate f[(x.min - 8, x.len + 16), (y.min - 8, y.len + 16)]%s;\n allocate o[(x.min, x.len), (y.min, y.len)];\n"   \
  " label o: compute o on [(x.min, x.len), (y.min, y.len)] {\n  label o.s0: for o.s0.y in (y.min, y.len) {\n"          \
  "   label f: compute f on [" box "] {\n    label f.s0: " stage "\n   }\n   for o.s0.x in (x.min, x.len) {\n"         \
  "    o(o.s0.x, o.s0.y) <- " use ";\n   }\n  }\n }\n}\n"
#define VALUE "f(f.s0.x, f.s0.y) <- i32(f.s0.x * 31 + f.s0.y * 7);"
#define ROWS(rows) "(x.min, x.len), " rows
#define LOOPS(mark_y, rows, mark_x)                                                                                    \
  "for " mark_y " f.s0.y in " rows " { for " mark_x " f.s0.x in (x.min, x.len) { " VALUE " } }"
#define THREE "f(o.s0.x, o.s0.y) + f(o.s0.x, o.s0.y + 2)"
#define PLAIN PROGRAM(ROWS("(o.s0.y, 3)"), LOOPS("", "(o.s0.y, 3)", ""), THREE)
#define TILED(tail)                                                                                                    \
  PROGRAM(ROWS("(o.s0.y, 3)"),                                                                                         \
          "for f.s0.yo in (0, 1) { for f.s0.yi in (0, 4) { for f.s0.x in (x.min, x.len) { let f.s0.y = o.s0.y + "      \
          "f.s0.yi + 4*f.s0.yo by split " tail "(f.s0.yo, f.s0.yi, 4, (o.s0.y, 3)) in { " VALUE " } } } }",            \
          THREE)

static const struct {
  const char *name, *text, *plan;
  bool proved;
} rows[] = {
    {"as long as what is computed", PLAIN, " fold(y, 3)", true},
    {"longer", PLAIN, " fold(y, 5)", true},
    {"shorter by one", PLAIN, " fold(y, 2)", false},
    {"by one", PLAIN, " fold(y, 1)", false},
    {"with all else that a plan says", PLAIN, " order(y, x) align(x, 8) align(y, 2) fold(y, 3) in heap", true},
    {"a dimension that is longer than the fold", PLAIN, " fold(x, 5)", false},
    {"as many rows as a parameter says",
     PROGRAM(ROWS("(o.s0.y, n)"), LOOPS("", "(o.s0.y, n)", ""), "f(o.s0.x, o.s0.y)"), " fold(y, 4)", true},
    {"more rows than the fold, by a parameter",
     PROGRAM(ROWS("(o.s0.y, n)"), LOOPS("", "(o.s0.y, n)", ""), "f(o.s0.x, o.s0.y)"), " fold(y, 3)", false},
    {"rows below 0", PROGRAM(ROWS("(o.s0.y - 7, 3)"), LOOPS("", "(o.s0.y - 7, 3)", ""), "f(o.s0.x, o.s0.y - 5)"),
     " fold(y, 3)", true},
    {"stores that are rounded up fit", TILED("round"), " fold(y, 4)", true},
    {"stores that are rounded up do not fit", TILED("round"), " fold(y, 3)", false},
    {"parallel rows", PROGRAM(ROWS("(o.s0.y, 3)"), LOOPS("parallel", "(o.s0.y, 3)", ""), THREE), " fold(y, 3)", true},
    {"vectors over rows", PROGRAM(ROWS("(o.s0.y, 3)"), LOOPS("vectorized", "(o.s0.y, 3)", ""), THREE), " fold(y, 4)",
     true},
    {"an empty box", PROGRAM(ROWS("(o.s0.y, 0)"), LOOPS("", "(o.s0.y, 0)", ""), "i32(o.s0.y)"), " fold(y, 1)", true},
    {"both dimensions",
     PROGRAM("(o.s0.y, 2), (o.s0.y, 3)",
             "for f.s0.y in (o.s0.y, 3) { for unrolled f.s0.x in (o.s0.y, 2) { " VALUE " } }",
             "f(o.s0.y + 1, o.s0.y) - f(o.s0.y, o.s0.y + 2)"),
     " fold(x, 2) fold(y, 3) in stack", false}, // f is not allocated around all of it: B.Inside
};

static const int64_t window_min[] = {-3, -5}, window_len[] = {6, 7};

static const hy_tgt *read_program(hy_context *context, hy_diagnostics *said, const char *plan, int number) {
  static char text[4000];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, sizeof text, rows[number].text, plan);
#pragma GCC diagnostic pop
  hy_source source = {"fold.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  if (!tgt) {
    hy_text why = {0};
    hy_diagnostics_print(said, &why);
    ck_abort_msg("%s: %s", rows[number].name, hy_text_string(&why));
  }
  return tgt;
}

static bool is_proved(hy_context *context, const hy_tgt *tgt, bool *by_fold) {
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = 500};
  hy_oracle_decide(context, hy_query_extract(context, tgt), &options, &report);
  *by_fold = false;
  for (size_t i = 0; i < report.count; i++)
    *by_fold |= report.decisions[i].verdict > HY_VERDICT_PROVED_Z3 && report.decisions[i].obligation->kind == HY_B_FOLD;
  return report.refuted + report.unknown == 0;
}

static hy_input input_of(hy_value *n, int64_t value) {
  *n = hy_value_int(value);
  return (hy_input){n, NULL, window_min, window_len};
}

static hy_contract run(hy_context *context, const hy_tgt *tgt, int64_t value, bool literal, hy_buffer **output,
                       size_t *held) {
  hy_value n;
  hy_input input = input_of(&n, value);
  hy_tgt_options options = {.monitor = true, .seed = 3};
  hy_tgt_result result;
  (literal ? hy_tgt_run_literal : hy_tgt_run)(context, tgt, &input, &options, &result);
  ck_assert_ptr_nonnull(result.output);
  *output = result.output;
  result.output = NULL;
  *held = result.peak_bytes;
  hy_contract contract = result.contract;
  hy_tgt_result_free(&result);
  return contract;
}

static void expect_same(hy_buffer *a, hy_buffer *b, const char *name, const char *engine) {
  int64_t at[2];
  for (at[1] = window_min[1]; at[1] < window_min[1] + window_len[1]; at[1]++)
    for (at[0] = window_min[0]; at[0] < window_min[0] + window_len[0]; at[0]++)
      ck_assert_msg(hy_buffer_get(a, at).i == hy_buffer_get(b, at).i && !hy_buffer_get(b, at).error, "%s: %s", name,
                    engine);
}

static void expect_as_without(hy_context *context, const hy_tgt *plain, const hy_tgt *folded, const char *name) {
  hy_buffer *want, *got;
  size_t held[3];
  ck_assert_int_eq(run(context, plain, 3, false, &want, &held[2]), HY_CONTRACT_KEPT);
  for (int literal = 0; literal < 2; literal++) {
    ck_assert_int_eq(run(context, folded, 3, literal, &got, &held[literal]), HY_CONTRACT_KEPT);
    expect_same(want, got, name, literal ? "literal" : "fast");
    hy_buffer_free(got);
  }
  ck_assert_msg(held[0] < held[2], "%s: %zu bytes of %zu", name, held[0], held[2]); // what it is for
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(context, folded, &options);
  hy_value n;
  hy_input input = input_of(&n, 3);
  got = hy_buffer_new(HY_I32, 2, window_min, window_len);
  hy_native_result result;
  hy_native_run(native, &input, got, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  expect_same(want, got, name, "native");
  hy_buffer_free(got);
  hy_buffer_free(want);
  hy_native_free(native);
}

START_TEST(folds) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_tgt *plain = read_program(context, said, "", _i), *folded = read_program(context, said, rows[_i].plan, _i);
  bool by_fold, nothing;
  bool proved = is_proved(context, folded, &by_fold);
  ck_assert_msg(proved == rows[_i].proved, "%s", rows[_i].name);
  if (proved) {
    expect_as_without(context, plain, folded, rows[_i].name);
  } else if (is_proved(context, plain, &nothing)) {
    ck_assert_msg(by_fold, "%s", rows[_i].name);
    hy_buffer *output;
    size_t held;
    ck_assert_msg(run(context, folded, 4, false, &output, &held) == HY_CONTRACT_FOLDED, "%s", rows[_i].name);
    hy_buffer_free(output);
  }
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

Suite *bounds_fold_suite(void) {
  Suite *suite = suite_create("bounds_fold");
  TCase *tests = tcase_create("folds");
  tcase_add_loop_test(tests, folds, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, tests);
  return suite;
}
