/* What is said of parameters (ALG.Valid.Params, ALG.Realize-Param, LOW.Entry-Param): read, printed, refused, kept to.
 */

#include "alg_interp/alg_interp.h"
#include "lower/lower.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <string.h>

#define P(params) "pipeline p(" params ") {\n  fun o(x) = x;\n}\n"

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_alg *alg;
} program;

static program parse(const char *text) {
  program p = {hy_context_new(), hy_diagnostics_new(), {"test.alg", text, strlen(text)}, NULL};
  return p;
}

static void free_program(program *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

static const struct {
  const char *text, *printed; // NULL: as it is written
} good[] = {
    {P("w: int in 1..16 = 3 estimate 8"), NULL},
    {P("w: int = 3"), NULL},
    {P("w: int estimate -4"), NULL},
    {P("w: int in -9223372036854775808..9223372036854775807"), NULL},
    {P("w: u64 in 1..18446744073709551615 = 18446744073709551615"), NULL},
    {P("w: i8 in -128..127, v: int = 0"), NULL},
    {P("w: int in 2*3..20/2 + 1 = if 1 < 2 then 7 else 8"), P("w: int in 6..11 = 7")},
    {P("g: f32 in 0.5..2.0 = 1.0, in: u8[2], h: f64 in -1.5..1e300"),
     P("g: f32 in 0.5..2.0 = 1.0, in: u8[2], h: f64 in -1.5..1.0e300")},
    {P("g: f32 in 1..2"), P("g: f32 in 1.0..2.0")},
    {P("b: bool = true estimate false"), NULL},
    {P("estimate: int in 0..1 estimate 1"), NULL},
};

START_TEST(what_is_said_is_printed) {
  program p = parse(good[_i].text);
  p.alg = hy_parse_alg(p.context, &p.source, p.diagnostics);
  hy_text out = {0};
  hy_diagnostics_print(p.diagnostics, &out);
  ck_assert_msg(p.alg != NULL, "%s", hy_text_string(&out));
  hy_text_free(&out);
  hy_alg_print(p.alg, &out);
  ck_assert_str_eq(hy_text_string(&out), good[_i].printed ? good[_i].printed : good[_i].text);
  hy_text_free(&out);
  free_program(&p);
}
END_TEST

static const struct {
  const char *params;
  hy_code code;
  unsigned column;
  const char *says;
} wrong[] = {
    {P("w: int in 3..2"), HY_E_PARAM_ABOUT, 22, "write the least value first"},
    {P("w: int in 1..3 = 4"), HY_E_PARAM_ABOUT, 29, "the range does not have the default of 'w'"},
    {P("w: int in 1..3 = 0"), HY_E_PARAM_ABOUT, 29, "the range does not have the default of 'w'"},
    {P("w: int in 1..3 estimate 4"), HY_E_PARAM_ABOUT, 36, "the range does not have the estimate of 'w'"},
    {P("g: f32 in 0.5..2.0 = 2.5"), HY_E_PARAM_ABOUT, 33, "the range does not have the default of 'g'"},
    {P("g: f32 in 2.0..0.5"), HY_E_PARAM_ABOUT, 22, "no value lies in the range of 'g'"},
    {P("g: f32 = 1.0/0.0"), HY_E_PARAM_ABOUT, 21, "the default is no number"},
    {P("b: bool in false..true"), HY_E_PARAM_ABOUT, 23, "there is no range of 'b'"},
    {P("in: u8[2] = 3"), HY_E_PARAM_ABOUT, 24, "these are of scalars"},
    {P("in: u8[2] in 1..3"), HY_E_PARAM_ABOUT, 25, "these are of scalars"},
    {P("w: u8 in 0..256"), HY_E_LITERAL_RANGE, 24, "256 does not fit u8"},
    {P("w: u8 = -1"), HY_E_LITERAL_RANGE, 20, "-1 does not fit u8"},
    {P("w: int = 0.5"), HY_E_TYPE_MISMATCH, 0, "a float"},
    {P("n: int, w: int in 0..n"), HY_E_NOT_CONSTANT, 33, "'n' is no number"},
    {P("w: int in 0..1/0"), HY_E_NOT_CONSTANT, 25, "'1/0' has no value here"},
    {P("w: int in 0"), HY_E_SYNTAX, 23, "w: int in 1..16"},
    {P("w: int in 0..1 in 0..1"), HY_E_SYNTAX, 27, "expected ')'"},
    {P("w: int estimate 1 = 1"), HY_E_SYNTAX, 30, "expected ')'"},
};

// ALG.Valid.Params.Not
START_TEST(what_cannot_be_said_is_refused) {
  program p = parse(wrong[_i].params);
  ck_assert(!hy_parse_alg(p.context, &p.source, p.diagnostics));
  hy_text said = {0};
  hy_diagnostics_print(p.diagnostics, &said);
  char place[40];
  snprintf(place, sizeof place, "test.alg:1:%u: error[HY%04d]", wrong[_i].column, (int)wrong[_i].code);
  if (wrong[_i].column)
    ck_assert_msg(strstr(hy_text_string(&said), place) != NULL, "not %s but %s", place, hy_text_string(&said));
  ck_assert_msg(strstr(hy_text_string(&said), wrong[_i].says) != NULL, "%s", hy_text_string(&said));
  ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 1);
  hy_text_free(&said);
  free_program(&p);
}
END_TEST

static const struct {
  const char *text;
  double value;
  bool fits;
} values[] = {
    {P("w: int in 1..16"), 1, true},     {P("w: int in 1..16"), 16, true},   {P("w: int in 1..16"), 0, false},
    {P("w: int in 1..16"), 17, false},   {P("w: i8 in -3..-1"), -3, true},   {P("w: i8 in -3..-1"), 0, false},
    {P("w: i8 in -3..-1"), -4, false},   {P("g: f32 in 0.5..2.0"), 2, true}, {P("g: f32 in 0.5..2.0"), 2.25, false},
    {P("g: f32 in 0.5..2.0"), 0, false}, {P("w: u16 = 3"), 9, true},         {P("w: u16 in 0..0"), 1, false},
};

static hy_value value_of(hy_type type, double value) {
  bool is_float = hy_type_class_of(type) == HY_CLASS_FLOAT;
  return is_float ? hy_value_from_double(type, value) : hy_value_integral(type, (int64_t)value);
}

// Both evaluators refuse the input (ALG.Realize-Param), and the entry block says the same of it (LOW.Entry-Param).
START_TEST(values_outside_are_refused) {
  program p = parse(values[_i].text);
  p.alg = hy_parse_alg(p.context, &p.source, p.diagnostics);
  ck_assert(p.alg != NULL);
  hy_value value = value_of(p.alg->params[0]->type, values[_i].value);
  int64_t min = 0, len = 2, none = 0;
  hy_input input = {&value, NULL, &min, &len}, empty = {&value, NULL, &min, &none};
  hy_alg_options options = {HY_LAZY, 0, NULL};
  for (int literal = 0; literal < 2; literal++) {
    hy_alg_result result = {0};
    (literal ? hy_alg_run_literal : hy_alg_run)(p.context, p.alg, &input, &options, &result);
    ck_assert_int_eq(result.status, values[_i].fits ? HY_RAN : HY_RUN_ASSUME);
    ck_assert((result.output != NULL) == values[_i].fits);
    hy_buffer_free(result.output);
    (literal ? hy_alg_run_literal : hy_alg_run)(p.context, p.alg, &empty, &options, &result);
    ck_assert_int_eq(result.status, HY_RAN); // nothing is asked of it
    hy_buffer_free(result.output);
  }
  const hy_tgt *tgt = hy_lower(p.context, p.alg, p.diagnostics);
  int ranges = 0;
  for (int i = 0; i < tgt->entry_count; i++) ranges += tgt->entry[i]->assume.why == HY_ASSUME_PARAM;
  ck_assert_int_eq(ranges, hy_alg_about(p.alg, 0).has_range);
  free_program(&p);
}
END_TEST

// Of a float: no comparison of a NaN holds.
START_TEST(a_nan_lies_in_no_range) {
  program p = parse(P("g: f64 in -1e300..1e300"));
  p.alg = hy_parse_alg(p.context, &p.source, p.diagnostics);
  ck_assert(hy_alg_param_fits(p.alg, 0, hy_value_from_double(HY_F64, 1.0)));
  ck_assert(!hy_alg_param_fits(p.alg, 0, hy_value_from_double(HY_F64, __builtin_nan(""))));
  free_program(&p);
}
END_TEST

// A target program says in its entry block what the algorithm says at the parameter, and reads it back.
START_TEST(target_programs_say_it_in_the_entry) {
  program p =
      parse(P("w: int in 1..16 = 3, v: u8 in 3..9, u: u64 in 0..18446744073709551615, g: f32 in 0.5..2.0, n: int"));
  p.alg = hy_parse_alg(p.context, &p.source, p.diagnostics);
  const hy_tgt *tgt = hy_lower(p.context, p.alg, p.diagnostics);
  const hy_param_about *about = hy_tgt_about_params(p.context, p.alg, tgt->entry, tgt->entry_count);
  for (int i = 0; i < p.alg->param_count; i++) {
    hy_param_about said = hy_alg_about(p.alg, i);
    ck_assert_int_eq(about[i].has_range, said.has_range);
    if (!said.has_range) continue;
    ck_assert(hy_value_same(about[i].least, said.least) && hy_value_same(about[i].greatest, said.greatest));
  }
  free_program(&p);
}
END_TEST

Suite *semantics_params_suite(void) {
  Suite *suite = suite_create("semantics_params");
  TCase *tcase = tcase_create("params");
  tcase_add_loop_test(tcase, what_is_said_is_printed, 0, (int)HY_COUNT(good));
  tcase_add_loop_test(tcase, what_cannot_be_said_is_refused, 0, (int)HY_COUNT(wrong));
  tcase_add_loop_test(tcase, values_outside_are_refused, 0, (int)HY_COUNT(values));
  tcase_add_test(tcase, a_nan_lies_in_no_range);
  tcase_add_test(tcase, target_programs_say_it_in_the_entry);
  suite_add_tcase(suite, tcase);
  return suite;
}
