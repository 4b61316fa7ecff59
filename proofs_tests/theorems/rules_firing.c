#include "proofs_tests/theorems/rules_firing.h"

#include "alg_interp/alg_interp.h"
#include "oracle/certificate/certificates.h"
#include "passes/passes.h"
#include "proofs_tests/support/programs.h"
#include "proofs_tests/support/validations.h"
#include "tgt_interp/tgt_interp.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 9, MARGIN = 60, STEPS = 200000, Z3_LIMIT = 200 };

typedef struct {
  hy_value params[8];
  hy_buffer *images[4];
  int image_count;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  hy_input input;
} input;

static void open_input(const hy_alg *alg, int64_t window, input *in) {
  *in = (input){.image_count = alg->image_count};
  for (int i = 0; i < alg->param_count; i++) {
    hy_type type = alg->params[i]->type;
    bool is_float = hy_type_class_of(type) == HY_CLASS_FLOAT;
    in->params[i] = is_float ? hy_value_from_double(type, 2.0) : hy_value_integral(type, 2);
  }
  for (int k = 0; k < alg->image_count; k++) {
    int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
    for (int d = 0; d < alg->images[k]->rank; d++) min[d] = -MARGIN, len[d] = 2 * MARGIN;
    in->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, min, len);
  }
  for (int d = 0; d < alg->window_rank; d++) in->len[d] = window < 0 ? 0 : window ? window : WINDOW;
  in->input = (hy_input){in->params, (const hy_buffer *const *)in->images, in->min, in->len};
}

static void close_input(input *in) {
  for (int k = 0; k < in->image_count; k++) hy_buffer_free(in->images[k]);
}

static void run_algorithm(hy_context *context, const hy_alg *alg, const hy_input *in) {
  for (int mode = 0; mode < 2; mode++) {
    hy_alg_result result;
    hy_alg_options options = {.mode = mode ? HY_STRICT : HY_LAZY, .step_limit = STEPS};
    hy_alg_run_literal(context, alg, in, &options, &result);
    hy_buffer_free(result.output);
    hy_alg_run(context, alg, in, &options, &result);
    hy_buffer_free(result.output);
  }
}

static void run_target(hy_context *context, const hy_tgt *filled, const hy_input *in) {
  hy_tgt_result result;
  hy_tgt_options options = {.seed = 1, .step_limit = STEPS, .monitor = true};
  hy_tgt_run(context, filled, in, &options, &result);
  hy_tgt_result_free(&result);
  hy_tgt_run_literal(context, filled, in, &options, &result);
  hy_tgt_result_free(&result);
}

// What is proved; only that may be compiled.
static bool decide(hy_context *context, const hy_tgt *filled) {
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = Z3_LIMIT};
  const hy_query *query = hy_query_extract(context, filled);
  hy_oracle_decide(context, query, &options, &report);
  if (report.vacuous) return false;
  hy_certificates *file = hy_certificates_new(context);
  for (size_t i = 0; i < query->count && i < 8; i++)
    hy_certificates_add_obligation(file, "r", i + 1, &query->obligations[i]);
  hy_certificates_free(file);
  return report.proved + report.proved_z3 == report.count;
}

static void run_native(hy_context *context, const hy_tgt *filled, const hy_input *in) {
  const hy_tgt *passed = hy_passes(context, filled, NULL, NULL);
  for (int tails = 0; tails < 2; tails++) {
    hy_codegen_options options = hy_codegen_default();
    options.optimize = 0;
    options.scalar_tails = tails == 1;
    hy_native *native = hy_native_compile(context, passed, &options);
    hy_buffer *output = hy_alg_outputs_new(filled->alg, in->window_min, in->window_len);
    hy_native_result result;
    hy_native_run(native, in, output, &result);
    hy_buffer_free(output);
    hy_native_free(native);
  }
}

static void count_target(const firing_program *program, int64_t window, uint64_t hits[HY_RULE_COUNT]) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.tgt", program->text, strlen(program->text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  if (tgt && !hy_tgt_has_hole(tgt)) {
    input in;
    open_input(tgt->alg, window, &in);
    bool proved = decide(context, tgt);
    run_target(context, tgt, &in.input);
    if (proved) run_native(context, tgt, &in.input);
    close_input(&in);
  }
  for (int rule = 0; rule < HY_RULE_COUNT; rule++) hits[rule] = hy_context_hits(context, (hy_rule)rule);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

static void validate(test_program *p) {
  test_validator *v = test_validator_open(p, 2 * MARGIN);
  for (int i = 0; i < p->pipeline.core_count; i++) {
    hy_validation out;
    test_validator_step(v, &p->pipeline.core[i], p->pipeline.steps[i + 1], &out);
  }
  test_validator_close(v);
}

void firing_count(const firing_program *program, int64_t window, uint64_t hits[HY_RULE_COUNT]) {
  if (strncmp(program->text, "target", 6) == 0) {
    count_target(program, window, hits);
    return;
  }
  test_program p;
  test_program_open(&p, program->text, program->items);
  if (p.parsed) {
    input in;
    open_input(p.pipeline.alg, window, &in);
    run_algorithm(p.context, p.pipeline.alg, &in.input);
    if (hy_pipeline_schedule(&p.pipeline, p.diagnostics)) {
      validate(&p);
      if (hy_pipeline_fill(&p.pipeline, p.diagnostics)) {
        hy_oracle_options options = {.z3_limit = Z3_LIMIT};
        hy_pipeline_check(&p.pipeline, &options, p.diagnostics);
        bool proved = decide(p.context, p.pipeline.filled);
        run_target(p.context, p.pipeline.filled, &in.input);
        if (proved) run_native(p.context, p.pipeline.filled, &in.input);
      }
    }
    close_input(&in);
  }
  for (int rule = 0; rule < HY_RULE_COUNT; rule++) hits[rule] = hy_context_hits(p.context, (hy_rule)rule);
  test_program_close(&p);
}

hy_rule firing_rule(const char *id) {
  for (int rule = 0; rule < HY_RULE_COUNT; rule++)
    if (strcmp(hy_rule_id((hy_rule)rule), id) == 0) return (hy_rule)rule;
  ck_abort_msg("no rule is called %s", id);
}

void firing_check(const firing_row *row) {
  uint64_t hits[HY_RULE_COUNT];
  hy_rule rule = firing_rule(row->id);
  firing_program broken = {"pipeline p() { fun f(x) = ; }", NULL};
  firing_count(&row->fires, row->window, hits);
  ck_assert_msg(hits[rule] > 0, "%s does not fire", row->id);
  firing_count(row->silent.text ? &row->silent : &broken, 0, hits);
  ck_assert_msg(hits[rule] == 0, "%s fires where it should not", row->id);
}
