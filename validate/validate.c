#include "semantics/base/clock.h"
#include "validate/validate_internal.h"

#include <stdlib.h>
#include <string.h>

/* The order of the levels, and what is kept between two steps: the program after one directive is the program before
 * the next one, with its fills, traces and outputs.
 */

const char *hy_level_name(hy_level level) {
  switch (level) {
  case HY_LEVEL_STRUCTURE: return "structure";
  case HY_LEVEL_TRACE: return "trace";
  case HY_LEVEL_OUTPUT: return "output";
  case HY_LEVEL_SYMBOLIC: return "symbolic";
  case HY_LEVEL_COUNT: break;
  }
  HY_UNREACHABLE();
}

const char *hy_proof_name(hy_proof_kind proof) {
  switch (proof) {
  case HY_PROOF_COVERAGE: return "coverage";
  case HY_PROOF_RANGE: return "range";
  case HY_PROOF_UNIQUENESS: return "uniqueness";
  case HY_PROOF_ORDER: return "order";
  case HY_PROOF_DISJOINTNESS: return "disjointness";
  case HY_PROOF_REORDERING: return "reordering";
  case HY_PROOF_COUNT: break;
  }
  HY_UNREACHABLE();
}

hy_level hy_validation_broken(const hy_validation *v) {
  int level = 0;
  while (level < HY_LEVEL_COUNT && v->levels[level].answer != HY_LEVEL_BROKEN) level++;
  return (hy_level)level;
}

/* -- steps -- */

static void free_traces(const hy_validator *v, hy_step *step) {
  for (int i = 0; step->traces && i < v->options.input_count; i++) hy_trace_free(step->traces[i]);
  hy_free(step->traces);
  step->traces = NULL;
}

static hy_step make_step(hy_validator *v, const hy_tgt *tgt) {
  hy_step step = {.tgt = tgt, .stages = hy_stages_of(v->context, tgt)};
  hy_validator_see_loops(v, &step.stages);
  step.traces = hy_allocate_zeroed((size_t)v->options.input_count + 1, sizeof *step.traces);
  return step;
}

hy_validator *hy_validator_new(hy_context *context, const hy_tgt *first, const hy_validate_options *options) {
  hy_validator *v = hy_allocate_zeroed(1, sizeof *v);
  v->context = context;
  v->options = *options;
  v->costs = hy_allocate_zeroed((size_t)options->input_count + 1, sizeof *v->costs);
  v->baselines = hy_allocate_zeroed((size_t)options->input_count + 1, sizeof *v->baselines);
  for (int i = 0; i < options->input_count; i++) v->baselines[i].outcome.status = HY_RUN_LIMIT; // until it ran
  hy_step step = make_step(v, first);
  hy_stages_name_keys(context, first, &step.stages);
  hy_vec_push(&v->history, step);
  hy_sampling_start(v);
  return v;
}

void hy_validator_free(hy_validator *v) {
  if (!v) return;
  for (size_t i = 0; i < v->history.count; i++) free_traces(v, &v->history.data[i]);
  for (int i = 0; i < v->options.input_count; i++) hy_outcome_free(&v->baselines[i].outcome);
  hy_vec_free(&v->history);
  hy_vec_free(&v->loops);
  hy_free(v->costs);
  hy_free(v->baselines);
  hy_free(v);
}

// The program after the directive is the one before the next.
static void take_step(hy_validator *v, const hy_step *after, const hy_validation *out) {
  free_traces(v, hy_validator_last(v));
  // DIR.RFactor.Real: from here on it is another sum that all are compared with
  bool anew = hy_validate_sums_anew(v->context, hy_validator_last(v)->tgt, out->directive);
  for (int i = 0; anew && i < v->options.input_count; i++) {
    hy_outcome_free(&v->baselines[i].outcome);
    v->baselines[i].outcome = (hy_outcome){.status = HY_RUN_LIMIT};
  }
  hy_vec_push(&v->history, *after);
  hy_validator_last(v)->directive = out->directive;
  hy_validator_last(v)->promise = out->promise;
}

/* -- levels -- */

static void settle(hy_level_result *level, const char *wrong) {
  level->answer = wrong ? HY_LEVEL_BROKEN : HY_LEVEL_KEPT;
  level->story = wrong;
}

// SCH.Phase: the phases of Figure 11, in their order.
static const char *check_phase(hy_validator *v, const hy_directive *directive) {
  if ((int)directive->type->phase < v->phase) return "a directive of an earlier phase comes later";
  v->phase = (int)directive->type->phase;
  return NULL;
}

static bool check_structure(hy_validator *v, hy_step *after, const hy_directive *directive, hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_STRUCTURE];
  bool known;
  const char *wrong =
      hy_stages_carry_keys(v->context, &hy_validator_last(v)->stages, directive, out->promise, &after->stages, &known);
  if (!wrong) wrong = check_phase(v, directive);
  if (!wrong) wrong = hy_validate_structure(v, after, directive);
  if (!wrong && hy_sampling_may_read(v, after)) {
    level->inputs = 1;
    wrong = hy_validate_text(v, after);
  }
  hy_context_hit(v->context, wrong ? HY_RULE_LVL_STRUCTURE_NOT : HY_RULE_LVL_STRUCTURE);
  settle(level, wrong);
  return known;
}

static void check_trace(hy_validator *v, hy_step *after, const hy_directive *directive, int inputs,
                        hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_TRACE];
  hy_step *before = hy_validator_last(v);
  for (int i = 0; i < inputs; i++) {
    hy_sampling_trace(v, before, i);
    hy_sampling_trace(v, after, i);
    if (!before->traces[i] || !after->traces[i]) continue;
    const char *wrong =
        hy_trace_compare(v->context, after->tgt, before->traces[i], after->traces[i], directive, out->promise);
    level->inputs++;
    hy_context_hit(v->context, wrong ? HY_RULE_LVL_TRACE_NOT : HY_RULE_LVL_TRACE);
    settle(level, wrong);
    if (wrong) return;
  }
}

// D38, D74: what only a final program owes. Blamed is the first directive from which on it is so.
static void check_final(hy_validator *v, const hy_step *after, hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_SYMBOLIC];
  if (level->answer == HY_LEVEL_BROKEN) return;
  hy_validate_disjoint(v, after, out);
  if (level->answer != HY_LEVEL_BROKEN) return;
  for (size_t i = v->history.count; i-- > 1;) {
    hy_validation earlier = {0};
    hy_validate_disjoint(v, &v->history.data[i], &earlier);
    if (earlier.levels[HY_LEVEL_SYMBOLIC].answer != HY_LEVEL_BROKEN) return;
    out->directive = v->history.data[i].directive;
    out->promise = v->history.data[i].promise;
  }
}

// Does L3 decide about this directive, and has all of it been shown?
static bool check_symbolic(hy_validator *v, hy_step *after, const hy_directive *directive, hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_SYMBOLIC];
  hy_validate_symbolic(v, after, directive, out);
  bool is_proved = level->answer == HY_LEVEL_KEPT && directive->type != &hy_directive_rfactor; // L3 sees no loops of it
  if (v->options.steps && hy_validator_ends_with(v)) check_final(v, after, out);
  hy_context_hit(v->context, level->answer == HY_LEVEL_BROKEN ? HY_RULE_LVL_SYMBOLIC_NOT : HY_RULE_LVL_SYMBOLIC);
  return is_proved;
}

void hy_validator_step(hy_validator *v, const hy_directive *directive, const hy_tgt *tgt, hy_validation *out) {
  double start = hy_seconds(), at = start;
  uint64_t spent = v->spent;
  const hy_tgt *before = hy_validator_last(v)->tgt;
  *out = (hy_validation){.directive = directive, .promise = hy_sched_order_class(v->context, before, directive)};
  hy_step after = make_step(v, tgt);
  hy_sampling_begin(v);
  bool known = check_structure(v, &after, directive, out);
  out->levels[HY_LEVEL_STRUCTURE].seconds = hy_seconds() - at;
  at = hy_seconds();
  bool is_proved = known && check_symbolic(v, &after, directive, out);
  out->levels[HY_LEVEL_SYMBOLIC].seconds = hy_seconds() - at;
  at = hy_seconds();
  bool traces;
  int inputs = hy_sampling_plan(v, is_proved, &traces);
  bool runs = inputs && (!traces || hy_sampling_fill(v, hy_validator_last(v))) && hy_sampling_fill(v, &after);
  hy_sampling_grant(v);
  if (runs) hy_validate_output(v, &after, inputs, directive, out);
  out->levels[HY_LEVEL_OUTPUT].seconds = hy_seconds() - at;
  at = hy_seconds();
  if (known && runs && traces) check_trace(v, &after, directive, inputs, out);
  out->levels[HY_LEVEL_TRACE].seconds = hy_seconds() - at;
  out->seconds = hy_seconds() - start;
  out->work = v->spent - spent;
  if (known)
    take_step(v, &after, &(hy_validation){.directive = directive, .promise = out->promise});
  else
    free_traces(v, &after); // nothing can be said about what follows: the program before stays
}
