/* Tables: constants of several values (ALG.Expand.Table): what they stand for, at every number, and what is refused. */

#include "alg_interp/alg_interp.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_alg *alg;
} program;

static program read_program(const char *text) {
  program p = {hy_context_new(), hy_diagnostics_new(), {"test.alg", text, strlen(text)}, NULL};
  p.alg = hy_parse_alg(p.context, &p.source, p.diagnostics);
  return p;
}

static void free_program(program *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

/* -- what they stand for -- */

#define T(table, read) "pipeline p(w: int) {\n  " table "\n  fun o(x, y) = int(" read ");\n}\n"

static const struct {
  const char *text;
  int64_t width, height;
  int64_t min; // of x
  int64_t values[16];
} good[] = {
    {T("const t = [7];", "t(x)"), 3, 1, -1, {7, 7, 7}},
    {T("const t = [7, 5];", "t(x)"), 4, 1, -1, {7, 7, 5, 5}},
    {T("const t = [4, 2, 9, 1, 8];", "t(x)"), 9, 1, -2, {4, 4, 4, 2, 9, 1, 8, 8, 8}},
    {T("const t = [u8(200), 100];", "t(x) + t(1 - x)"), 2, 1, 0, {44, 44}},
    {T("const t = [1.5, 2];", "t(x) * 2.0"), 2, 1, 0, {3, 4}},
    {T("const t = [true, false, true];", "t(x)"), 3, 1, 0, {1, 0, 1}},
    {T("const t = [[1, 2, 3], [4, 5, 6]];", "t(x, y)"), 3, 2, 0, {1, 2, 3, 4, 5, 6}},
    {T("const t = [[1, 2, 3], [4, 5, 6]];", "t(y, x)"), 2, 3, 0, {1, 4, 2, 5, 3, 6}},
    {T("const t = [[1], [2], [3]];", "t(x, y)"), 1, 3, 0, {1, 2, 3}},
    {T("const t = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]];", "t(x, y, 0) * 10 + t(x, y, 1)"), 2, 2, 0, {15, 26, 37, 48}},
    {T("const N = 3; def twice(e) = 2*e; const t = [N, twice(N), w];", "t(x)"), 3, 1, 0, {3, 6, 11}},
    {T("const a = [3, 4]; const b = [a(1), a(0)];", "b(x)"), 2, 1, 0, {4, 3}},
    {T("const t = [if 1 < 2 then 5 else 6, -3];", "t(x)"), 2, 1, 0, {5, -3}},
};

// ALG.Expand.Table
START_TEST(each_number_has_its_entry) {
  program p = read_program(good[_i].text);
  hy_text said = {0};
  hy_diagnostics_print(p.diagnostics, &said);
  ck_assert_msg(p.alg != NULL, "%s", hy_text_string(&said));
  hy_text_free(&said);
  hy_value w = hy_value_int(11);
  int64_t min[] = {good[_i].min, 0}, len[] = {good[_i].width, good[_i].height};
  hy_input input = {&w, NULL, min, len};
  hy_alg_options options = {HY_LAZY, 0, NULL};
  hy_alg_result result = {0};
  hy_alg_run(p.context, p.alg, &input, &options, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  for (int64_t y = 0; y < len[1]; y++)
    for (int64_t x = 0; x < len[0]; x++) {
      hy_value v = hy_buffer_get(result.output, (int64_t[]){min[0] + x, y});
      ck_assert_msg(!v.error && v.i == good[_i].values[y * len[0] + x], "%s at %d, %d: %d", good[_i].text, (int)x,
                    (int)y, (int)v.i);
    }
  hy_buffer_free(result.output);
  free_program(&p);
}
END_TEST

START_TEST(long_ones_are_no_deep_trees) {
  hy_text text = {0};
  hy_text_add(&text, "pipeline p() {\n  const t = [0");
  for (int i = 1; i < 4096; i++) hy_text_printf(&text, ", %d", i * 7 % 4096);
  hy_text_add(&text, "];\n  fun o(x) = t(x);\n}\n");
  program p = read_program(hy_text_string(&text));
  ck_assert(p.alg != NULL);
  int64_t min = 0, len = 4096;
  hy_input input = {NULL, NULL, &min, &len};
  hy_alg_options options = {HY_LAZY, 0, NULL};
  hy_alg_result result = {0};
  hy_alg_run(p.context, p.alg, &input, &options, &result);
  for (int64_t i = 0; i < len; i++) ck_assert_int_eq(hy_buffer_get(result.output, &i).i, i * 7 % 4096);
  hy_buffer_free(result.output);
  free_program(&p);
  hy_text_free(&text);
}
END_TEST

/* -- refused -- */

#define R(table) "pipeline p(w: int) {\n  " table "\n  fun o(x) = int(t(x));\n}\n"

static const struct {
  const char *text;
  hy_code code;
  unsigned line, column;
  const char *says;
} wrong[] = {
    {R("const t = [];"), HY_E_TABLE, 2, 13, "has an entry at least"},
    {R("const t = [[1], []];"), HY_E_TABLE, 2, 19, "has an entry at least"},
    {R("const t = [[1], [2, 3]];"), HY_E_TABLE, 2, 19, "not as long as the first"},
    {R("const t = [1, [2]];"), HY_E_TABLE, 2, 17, "a row where other rows have an entry"},
    {R("const t = [[1], 2];"), HY_E_TABLE, 2, 19, "an entry where other rows have a row"},
    {R("const t = [[[1, 2]], [3]];"), HY_E_TABLE, 2, 25, "an entry where other rows have a row"},
    {R("const t = [[[[[[[[[1]]]]]]]]];"), HY_E_TABLE, 2, 21, "1 to 8 dimensions"},
    {R("const t = [_0, 1];"), HY_E_TABLE, 2, 14, "whatever its place"},
    {R("const t = [sum(rdom(r = (0, 3)) in r), 1];"), HY_E_TABLE, 2, 14, "whatever its place"},
    {R("const t = [1, 2"), HY_E_SYNTAX, 2, 18, "after the last entry"},
    {R("const t = [1, 2]"), HY_E_SYNTAX, 2, 19, "after the table"},
    {R("const t = [1, x];"), HY_E_UNKNOWN_NAME, 2, 17, "'x'"},
    {R("const t = [u8(1), 256];"), HY_E_LITERAL_RANGE, 2, 21, "256 does not fit u8"},
    {R("const t = [1, 2]; const t = 3;"), HY_E_SHADOWED, 2, 27, "'t' is a func already"},
    {R("for k in 0..1 const t = [1, 2];"), HY_E_FAMILY, 2, 23, "has no number"},
    {"pipeline p() {\n  fun o(x) = x;\n  const t = [1];\n}\n", HY_E_EMPTY_PIPELINE, 3, 9, "stands no func"},
};

START_TEST(what_is_no_table_is_refused) {
  program p = read_program(wrong[_i].text);
  ck_assert(!p.alg);
  hy_text said = {0};
  hy_diagnostics_print(p.diagnostics, &said);
  char place[60];
  snprintf(place, sizeof place, "test.alg:%u:%u: error[HY%04d]", wrong[_i].line, wrong[_i].column, (int)wrong[_i].code);
  ck_assert_msg(strstr(hy_text_string(&said), place) != NULL, "not %s but %s", place, hy_text_string(&said));
  ck_assert_msg(strstr(hy_text_string(&said), wrong[_i].says) != NULL, "%s", hy_text_string(&said));
  hy_text_free(&said);
  free_program(&p);
}
END_TEST

Suite *semantics_tables_suite(void) {
  Suite *suite = suite_create("semantics_tables");
  TCase *tcase = tcase_create("tables");
  tcase_add_loop_test(tcase, each_number_has_its_entry, 0, (int)HY_COUNT(good));
  tcase_add_test(tcase, long_ones_are_no_deep_trees);
  tcase_add_loop_test(tcase, what_is_no_table_is_refused, 0, (int)HY_COUNT(wrong));
  suite_add_tcase(suite, tcase);
  return suite;
}
