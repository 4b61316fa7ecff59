/* What a pipeline requires of its input (ALG.Valid.Require, ALG.Realize-Require, LOW.Entry-Require): read, printed,
 * refused, kept to, met by sampled inputs.
 */

#include "alg_interp/alg_interp.h"
#include "engines/evaluate.h"
#include "halyard/pipeline.h"
#include "halyard/sample.h"
#include "lower/lower.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <string.h>

#define P(items) "pipeline p(in: u8[1], w: int, k: u8, g: f32, b: bool) {\n" items "  fun o(x) = in(x);\n}\n"

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

/* -- read and printed -- */

static const struct {
  const char *text, *printed; // NULL: as it is written
} good[] = {
    {P("  require w >= 1;\n"), NULL},
    {P("  require w >= 1 && w <= in.len(0);\n  require b || k == 3;\n"), NULL},
    {P("  require w <= in.width();\n"), P("  require w <= in.len(0);\n")},
    {P("  require in.left() == 0;\n"), P("  require in.min(0) == 0;\n")},
    {P("  require true;\n"), NULL},
    {P("  require g > 0.5;\n"), NULL},
    {P("  require select(b, w > 1, w < 1);\n"), NULL},
    {P("  const N = 8;\n  require in.len(0)%N == 0;\n"), P("  require in.len(0)%8 == 0;\n")},
    {P("  def even(e) = e%2 == 0;\n  require even(w) && even(k);\n"), P("  require w%2 == 0 && k%2 == 0;\n")},
    {P("  for i in 1..2 require w != i;\n"), P("  require w != 1;\n  require w != 2;\n")},
    {P("  const N = 8;\n  if N > 4 { require w > 4; } else { require w > nobody; }\n"), P("  require w > 4;\n")},
    {"pipeline p(w: int) {\n  fun f(x) = x;\n  require w > 0;\n  fun o(x) = f(x);\n}\n",
     "pipeline p(w: int) {\n  require w > 0;\n  fun f(x) = x;\n  fun o(x) = f(x);\n}\n"},
    {"pipeline p(require: int) {\n  require require > 0;\n  fun o(x) = x;\n}\n", NULL},
};

// ALG.Valid.Require
START_TEST(what_is_required_is_printed) {
  program p = read_program(good[_i].text);
  hy_text out = {0};
  hy_diagnostics_print(p.diagnostics, &out);
  ck_assert_msg(p.alg != NULL, "%s", hy_text_string(&out));
  hy_text_free(&out);
  hy_alg_print(p.alg, &out);
  const char *printed = good[_i].printed ? good[_i].printed : good[_i].text;
  ck_assert_str_eq(hy_text_string(&out), printed);
  program again = read_program(hy_text_string(&out));
  ck_assert(again.alg && again.alg->requirement_count == p.alg->requirement_count);
  hy_text_free(&out);
  free_program(&again);
  free_program(&p);
}
END_TEST

/* -- refused -- */

static const struct {
  const char *text;
  hy_code code;
  unsigned line, column;
  const char *says;
} wrong[] = {
    {P("  require w + 1;\n"), HY_E_TYPE_MISMATCH, 2, 0, "bool"},
    {P("  require w >= 1.5;\n"), HY_E_TYPE_MISMATCH, 2, 0, "a float"},
    {P("  require x > 0;\n"), HY_E_NOT_STARTUP, 2, 11, "'x' is neither a parameter"},
    {P("  require o(3) > 0;\n"), HY_E_NOT_STARTUP, 2, 11, "'o'"},
    {P("  require in(0) > 0;\n"), HY_E_NOT_STARTUP, 2, 11, "'in' is an image"},
    {P("  require N > 0;\n  const N = 8;\n"), HY_E_NOT_STARTUP, 2, 11, "'N'"},
    {P("  require w > 0\n"), HY_E_SYNTAX, 2, 16, "after what is required"},
    {P("  require;\n"), HY_E_SYNTAX, 2, 10, "expected"},
    {P("  require k < 300;\n"), HY_E_LITERAL_RANGE, 2, 15, "300 does not fit u8"},
    {P("  require sum(rdom(r = (0, 3)) in r) > 0;\n"), HY_E_REDUCTION_PLACE, 2, 11, "a reduction cannot stand here"},
};

// ALG.Valid.Require.Not
START_TEST(what_cannot_be_required_is_refused) {
  program p = read_program(wrong[_i].text);
  ck_assert(!p.alg);
  hy_text said = {0};
  hy_diagnostics_print(p.diagnostics, &said);
  char place[60];
  snprintf(place, sizeof place, "test.alg:%u:%u: error[HY%04d]", wrong[_i].line, wrong[_i].column, (int)wrong[_i].code);
  if (wrong[_i].column)
    ck_assert_msg(strstr(hy_text_string(&said), place) != NULL, "not %s but %s", place, hy_text_string(&said));
  ck_assert_msg(strstr(hy_text_string(&said), wrong[_i].says) != NULL, "%s", hy_text_string(&said));
  ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 1);
  hy_text_free(&said);
  free_program(&p);
}
END_TEST

/* -- kept to -- */

#define W(condition) "pipeline p(w: int) {\n  require " condition ";\n  fun o(x) = x;\n}\n"

static const struct {
  const char *text;
  int64_t w;
  bool lazy, strict; // is the input one of which the algorithm says something?
} values[] = {
    {W("w >= 1"), 1, true, true},
    {W("w >= 1"), 0, false, false},
    {W("8/w > 0"), 8, true, true},
    {W("8/w > 0"), 9, false, false},
    {W("8/w > 0"), 0, false, false}, // an error is not true
    {W("w == 0 || 8/w > 0"), 0, true, false},
    {W("select(w == 0, true, 8/w > 0)"), 0, true, false},
    {W("w*w*w >= 0"), INT64_C(1) << 30, false, false}, // beyond 64 bits
    {W("w > 0 && w < 9"), 9, false, false},
    {"pipeline p(w: int) {\n  require w > 1;\n  require w < 9;\n  fun o(x) = x;\n}\n", 9, false, false},
    {"pipeline p(w: int) {\n  require w > 1;\n  require w < 9;\n  fun o(x) = x;\n}\n", 8, true, true},
};

// ALG.Realize-Require, LOW.Entry-Require: both evaluators in both modes, and nothing is asked where nothing is computed; the entry block says the same.
START_TEST(inputs_that_are_not_allowed_are_refused) {
  program p = read_program(values[_i].text);
  ck_assert(p.alg != NULL);
  hy_value value = hy_value_int(values[_i].w);
  int64_t min = 0, len = 2, none = 0;
  hy_input input = {&value, NULL, &min, &len}, empty = {&value, NULL, &min, &none};
  for (int way = 0; way < 4; way++) {
    hy_alg_options options = {way & 1 ? HY_STRICT : HY_LAZY, 0, NULL};
    bool allowed = way & 1 ? values[_i].strict : values[_i].lazy;
    hy_alg_result result = {0};
    (way & 2 ? hy_alg_run_literal : hy_alg_run)(p.context, p.alg, &input, &options, &result);
    ck_assert_int_eq(result.status, allowed ? HY_RAN : HY_RUN_ASSUME);
    ck_assert((result.output != NULL) == allowed);
    hy_buffer_free(result.output);
    (way & 2 ? hy_alg_run_literal : hy_alg_run)(p.context, p.alg, &empty, &options, &result);
    ck_assert_int_eq(result.status, HY_RAN);
    hy_buffer_free(result.output);
  }
  const hy_tgt *tgt = hy_lower(p.context, p.alg, p.diagnostics);
  const hy_stmt *failed = hy_entry_failure(tgt, &input);
  ck_assert((failed != NULL) == !values[_i].lazy);
  if (failed) ck_assert_int_eq(failed->assume.why, HY_ASSUME_REQUIRE);
  int found;
  const hy_requirement *read = hy_tgt_requirements(p.context, tgt->entry, tgt->entry_count, &found);
  ck_assert_int_eq(found, p.alg->requirement_count);
  for (int i = 0; i < found; i++) ck_assert_ptr_eq(read[i].condition, p.alg->requirements[i].condition);
  free_program(&p);
}
END_TEST

/* -- met by samples -- */

static const struct {
  const char *name, *text;
  int least; // so many of 24 inputs, of which a few ask for nothing
} sampled[] = {
    {"a parameter", P("  require w >= 100 && w < 104;\n"), 20},
    {"a multiple", P("  require w % 37 == 5;\n"), 20},
    {"a size", P("  require in.width() == 640;\n"), 20},
    {"an aligned size", P("  require in.width() % 16 == 0;\n"), 20},
    {"an image at the origin", P("  require in.left() == 0;\n"), 10},
    {"one that ends before", P("  require in.left() <= 0 && in.right() >= 200;\n"), 20},
    {"a parameter of a size", P("  require w == in.width();\n"), 10},
    {"small types", P("  require k > 200 && b && g >= 2.5;\n"), 20},
    {"an error elsewhere", P("  require w > 0 && 100/w == 4;\n"), 20},
    {"what nothing meets", P("  require w * w == 3;\n"), 0},
};

START_TEST(sampled_inputs_meet_it) {
  program p = read_program(sampled[_i].text);
  ck_assert(p.alg != NULL);
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, p.context, p.alg, NULL, NULL);
  ck_assert(hy_pipeline_schedule(&pipeline, p.diagnostics) && hy_pipeline_fill(&pipeline, p.diagnostics));
  hy_sampler sampler = {.seed = 7};
  int made = 0;
  for (int number = 0; number < 24; number++) {
    hy_arguments a;
    bool met = hy_sample_make(&sampler, &pipeline, number, &a);
    if (met) ck_assert(!hy_entry_failure(pipeline.filled, &a.input));
    made += met && !hy_alg_nothing_asked(p.alg, &a.input);
    hy_arguments_free(&a);
  }
  ck_assert_msg(made >= sampled[_i].least && (sampled[_i].least || !made), "%s: %d", sampled[_i].name, made);
  free_program(&p);
}
END_TEST

Suite *semantics_requirements_suite(void) {
  Suite *suite = suite_create("semantics_requirements");
  TCase *tcase = tcase_create("requirements");
  tcase_add_loop_test(tcase, what_is_required_is_printed, 0, (int)HY_COUNT(good));
  tcase_add_loop_test(tcase, what_cannot_be_required_is_refused, 0, (int)HY_COUNT(wrong));
  tcase_add_loop_test(tcase, inputs_that_are_not_allowed_are_refused, 0, (int)HY_COUNT(values));
  tcase_add_loop_test(tcase, sampled_inputs_meet_it, 0, (int)HY_COUNT(sampled));
  suite_add_tcase(suite, tcase);
  return suite;
}
