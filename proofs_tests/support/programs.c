#include "proofs_tests/support/programs.h"

#include "alg_interp/alg_interp.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 300, LITERAL_MARGIN = 120, MOST_PARAMETERS = 8, MOST_IMAGES = 4 };

static hy_source make_source(const char *name, char *text) { return (hy_source){name, text, strlen(text)}; }

void test_program_open(test_program *p, const char *alg, const char *items) {
  *p = (test_program){.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  p->alg_source = make_source("test.alg", strdup(alg));
  const hy_alg *parsed = hy_parse_alg(p->context, &p->alg_source, p->diagnostics);
  if (!parsed) return;
  const hy_schedule *schedule = NULL;
  int count = 0;
  size_t room = (items ? strlen(items) : 0) + strlen(parsed->name) + 64;
  char *text = malloc(room);
  snprintf(text, room, "schedule s for %s {\n%s\n}\n", parsed->name, items ? items : "");
  p->sched_source = make_source("test.sched", text);
  if (!hy_parse_schedules(p->context, &p->sched_source, p->diagnostics, &schedule, &count)) return;
  hy_pipeline_init(&p->pipeline, p->context, parsed, schedule, NULL);
  p->parsed = true;
}

void test_program_close(test_program *p) {
  free((char *)p->alg_source.text);
  free((char *)p->sched_source.text);
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

const char *test_program_said(const test_program *p) {
  hy_text text = {0};
  hy_diagnostics_print(p->diagnostics, &text);
  const char *said = hy_context_name_of(p->context, hy_text_string(&text));
  hy_text_free(&text);
  return said;
}

void test_algorithm_print(const char *alg, hy_text *out) {
  hy_source source = {"test.alg", alg, strlen(alg)};
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  const hy_alg *parsed = hy_parse_alg(context, &source, diagnostics);
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(parsed != NULL, "%s", hy_text_string(&said));
  hy_alg_print(parsed, out);
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

int test_program_code(const test_program *p) {
  for (size_t i = 0; i < hy_diagnostics_count(p->diagnostics); i++)
    if (hy_diagnostics_at(p->diagnostics, i)->severity == HY_SEVERITY_ERROR)
      return (int)hy_diagnostics_at(p->diagnostics, i)->code;
  return 0;
}

/* -- inputs -- */

typedef struct {
  hy_value params[MOST_PARAMETERS];
  hy_buffer *images[MOST_IMAGES];
  int image_count;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  hy_input input;
} test_input;

static void fill_randomly(hy_buffer *buffer, uint64_t seed) {
  size_t size = hy_type_bytes(buffer->type);
  for (size_t i = 0; i < buffer->count; i++) {
    uint64_t bits = hy_hash(seed, i);
    hy_value value = hy_type_class_of(buffer->type) == HY_CLASS_FLOAT
                         ? hy_value_from_double(buffer->type, (double)(bits % 1000) / 8)
                         : hy_value_integral(buffer->type, (int64_t)bits);
    hy_value_store(value, buffer->data + i * size);
  }
}

static void make_input(const hy_alg *alg, int64_t parameter, int64_t min, int64_t len, int64_t margin, test_input *t) {
  *t = (test_input){.image_count = alg->image_count};
  ck_assert_int_le(alg->param_count, MOST_PARAMETERS);
  ck_assert_int_le(alg->image_count, MOST_IMAGES);
  for (int i = 0; i < alg->param_count; i++) {
    hy_type type = alg->params[i]->type;
    t->params[i] = hy_type_class_of(type) == HY_CLASS_FLOAT ? hy_value_from_double(type, (double)parameter)
                                                            : hy_value_integral(type, parameter);
  }
  for (int k = 0; k < alg->image_count; k++) {
    int64_t image_min[HY_MAX_RANK], image_len[HY_MAX_RANK];
    for (int d = 0; d < alg->images[k]->rank; d++) {
      image_min[d] = min - (d < 2 ? margin : 2);
      image_len[d] = len + (d < 2 ? 2 * margin : 8);
    }
    t->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, image_min, image_len);
    ck_assert_ptr_nonnull(t->images[k]);
    fill_randomly(t->images[k], 17 + (uint64_t)k);
  }
  for (int d = 0; d < alg->window_rank; d++) t->min[d] = min, t->len[d] = len;
  t->input = (hy_input){t->params, (const hy_buffer *const *)t->images, t->min, t->len};
}

static void free_input(test_input *t) {
  for (int k = 0; k < t->image_count; k++) hy_buffer_free(t->images[k]);
}

static uint64_t compare_outputs(const hy_alg *alg, const hy_buffer *want, const hy_buffer *got, const char *what) {
  ck_assert_int_eq(alg->output_count, 1);
  size_t size = hy_type_bytes(alg->output->type);
  ck_assert_uint_eq(want->count, got->count);
  for (size_t i = 0; i < want->count; i++) {
    hy_error a = want->errors ? (hy_error)want->errors[i] : HY_OK, b = got->errors ? (hy_error)got->errors[i] : HY_OK;
    hy_value x = a ? hy_value_error(want->type, a) : hy_value_load(want->type, want->data + i * size);
    hy_value y = b ? hy_value_error(got->type, b) : hy_value_load(got->type, got->data + i * size);
    hy_text text = {0};
    hy_value_print(x, &text);
    hy_text_add(&text, " in the algorithm, in the target ");
    hy_value_print(y, &text);
    ck_assert_msg(hy_value_same(x, y), "%s: element %zu is %s", what, i, hy_text_string(&text));
    hy_text_free(&text);
  }
  return want->count;
}

uint64_t test_program_compare(test_program *p, const hy_tgt *filled, int64_t parameter, int64_t min, int64_t len,
                              const char *what) {
  const hy_alg *alg = p->pipeline.alg;
  test_input t;
  make_input(alg, parameter, min, len, MARGIN, &t);
  hy_alg_result want;
  hy_alg_run(p->context, alg, &t.input, &(hy_alg_options){.mode = HY_LAZY}, &want);
  ck_assert_int_eq(want.status, HY_RAN);
  uint64_t compared = 0;
  for (uint64_t seed = 0; seed < 3; seed++) { // in order, and twice with other garbage and another parallel order
    hy_tgt_result got;
    hy_tgt_options options = {.mode = HY_LAZY, .seed = seed * 0x9e3779b9, .monitor = true};
    hy_tgt_run(p->context, filled, &t.input, &options, &got);
    ck_assert_msg(got.status == HY_RAN, "%s, min %lld, len %lld: %s: %s", what, (long long)min, (long long)len,
                  hy_contract_name(got.contract), got.story ? got.story : "did not run");
    compared += compare_outputs(alg, want.output, got.output, what);
    hy_tgt_result_free(&got);
  }
  hy_buffer_free(want.output);
  free_input(&t);
  return compared;
}

static uint64_t compare_literal(test_program *p, const hy_tgt *filled, const test_input *t, hy_mode mode,
                                uint64_t seeds, const char *what) {
  uint64_t compared = 0;
  hy_tgt_result want, got;
  hy_tgt_options options = {.mode = mode, .monitor = true};
  hy_tgt_run(p->context, filled, &t->input, &options, &want);
  ck_assert_msg(want.status == HY_RAN, "%s: %s: %s", what, hy_contract_name(want.contract),
                want.story ? want.story : "did not run");
  for (uint64_t seed = 0; seed < seeds; seed++) {
    options = (hy_tgt_options){.mode = mode, .seed = seed * 0x9e3779b9, .monitor = seed % 2, .step_limit = 20000000};
    hy_tgt_run_literal(p->context, filled, &t->input, &options, &got);
    ck_assert_msg(got.status == HY_RAN, "%s, literally: %s: %s", what, hy_contract_name(got.contract),
                  got.story ? got.story : "did not run");
    ck_assert_uint_eq(want.points, got.points);
    compared += compare_outputs(p->pipeline.alg, want.output, got.output, what);
    hy_tgt_result_free(&got);
  }
  hy_tgt_result_free(&want);
  return compared;
}

uint64_t test_program_compare_literal(test_program *p, const hy_tgt *filled, int64_t parameter, int64_t min,
                                      int64_t len, const char *what) {
  test_input t;
  make_input(p->pipeline.alg, parameter, min, len, LITERAL_MARGIN, &t);
  uint64_t compared = compare_literal(p, filled, &t, HY_LAZY, 3, what);
  compared += compare_literal(p, filled, &t, HY_STRICT, 2, what);
  free_input(&t);
  return compared;
}

bool test_program_breaks(test_program *p, const hy_tgt *filled, int64_t parameter, int64_t min, int64_t len) {
  test_input t;
  make_input(p->pipeline.alg, parameter, min, len, MARGIN, &t);
  hy_tgt_result got;
  hy_tgt_options options = {.mode = HY_LAZY, .monitor = true};
  hy_tgt_run(p->context, filled, &t.input, &options, &got);
  bool breaks = got.status == HY_RUN_CONTRACT;
  hy_tgt_result_free(&got);
  free_input(&t);
  return breaks;
}
