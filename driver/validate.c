#include "driver/validate_internal.h"

#include "oracle/oracle.h"

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

const char *hy_proof_name(hy_proof proof) {
  switch (proof) {
  case HY_PROOF_COVERAGE: return "coverage";
  case HY_PROOF_RANGE: return "range";
  case HY_PROOF_UNIQUENESS: return "uniqueness";
  case HY_PROOF_ORDER: return "order";
  case HY_PROOF_DISJOINTNESS: return "disjointness";
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

static void free_step(const hy_validator *v, hy_step *step) {
  for (int i = 0; i < v->options.input_count; i++) {
    hy_trace_free(step->traces[i]);
    hy_outcome_free(&step->outcomes[i]);
  }
  free(step->traces);
  free(step->outcomes);
}

// Without fills there is nothing to run: a prefix may have none though the whole schedule has.
static void fill(hy_validator *v, hy_step *step) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  const hy_tgt *filled = hy_oracle_fill(v->context, step->tgt, unheard);
  hy_diagnostics_free(unheard);
  if (!filled) return;
  step->filled = filled;
  step->skeleton = hy_trace_skeleton(v->context, filled);
}

static void sample(hy_validator *v, hy_step *step) {
  const hy_tgt *serial = hy_serial_but(v->context, step->filled, NULL);
  for (int i = 0; i < v->options.input_count; i++)
    step->outcomes[i] = hy_engine_tgt(v->context, serial, v->options.inputs[i], (uint64_t)i + 1, v->options.step_limit);
}

static void trace(hy_validator *v, hy_step *step) {
  for (int i = 0; i < v->options.input_count; i++)
    step->traces[i] = hy_validate_trace(v->context, step, v->options.inputs[i], v->options.step_limit);
}

static hy_step make_step(hy_validator *v, const hy_tgt *tgt) {
  hy_step step = {.tgt = tgt, .stages = hy_stages_of(v->context, tgt)};
  hy_validator_see_loops(v, &step.stages);
  size_t room = (size_t)v->options.input_count + 1;
  step.traces = hy_allocate_zeroed(room, sizeof *step.traces);
  step.outcomes = hy_allocate_zeroed(room, sizeof *step.outcomes);
  for (int i = 0; i < v->options.input_count; i++) step.outcomes[i].status = HY_RUN_LIMIT; // until it ran
  bool late = v->options.seconds > 0 && v->sampled > v->options.seconds;
  double start = hy_seconds();
  if (v->options.input_count && !late) fill(v, &step);
  v->sampled += hy_seconds() - start;
  return step;
}

hy_validator *hy_validator_new(hy_context *context, const hy_tgt *first, const hy_validate_options *options) {
  hy_validator *v = hy_allocate_zeroed(1, sizeof *v);
  v->context = context;
  v->options = *options;
  v->step = make_step(v, first);
  hy_stages_name_keys(context, first, &v->step.stages);
  if (!v->step.filled) return v;
  trace(v, &v->step);
  sample(v, &v->step);
  return v;
}

void hy_validator_free(hy_validator *v) {
  if (!v) return;
  free_step(v, &v->step);
  hy_vec_free(&v->loops);
  free(v);
}

/* -- levels -- */

static void settle(hy_level_result *level, const char *wrong) {
  level->answer = wrong ? HY_LEVEL_BROKEN : HY_LEVEL_KEPT;
  level->story = wrong;
}

// The phases of Figure 11, in their order.
static const char *check_phase(hy_validator *v, const hy_directive *directive) {
  int count, phase = directive->kind == HY_DIRECTIVE_PLUGIN ? HY_PHASE_LOOPS : 0;
  const hy_directive_info *rows = hy_sched_directives(&count);
  for (int i = 0; i < count; i++)
    if (rows[i].kind == directive->kind) phase = (int)rows[i].phase;
  if (phase < v->phase) return "a directive of an earlier phase comes later";
  v->phase = phase;
  return NULL;
}

static bool check_structure(hy_validator *v, hy_step *after, const hy_directive *directive, hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_STRUCTURE];
  bool known;
  const char *wrong =
      hy_stages_carry_keys(v->context, &v->step.stages, directive, out->promise, &after->stages, &known);
  if (!wrong) wrong = check_phase(v, directive);
  if (!wrong) wrong = hy_validate_structure(v, after, directive);
  hy_context_hit(v->context, wrong ? HY_RULE_LVL_STRUCTURE_NOT : HY_RULE_LVL_STRUCTURE);
  settle(level, wrong);
  return known;
}

static void check_trace(hy_validator *v, hy_step *after, const hy_directive *directive, hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_TRACE];
  trace(v, after);
  for (int i = 0; i < v->options.input_count; i++) {
    if (!v->step.traces[i] || !after->traces[i]) continue;
    const char *wrong =
        hy_trace_compare(v->context, after->tgt, v->step.traces[i], after->traces[i], directive, out->promise);
    level->inputs++;
    hy_context_hit(v->context, wrong ? HY_RULE_LVL_TRACE_NOT : HY_RULE_LVL_TRACE);
    settle(level, wrong);
    if (wrong) return;
  }
}

static const char *describe_difference(hy_context *context, const hy_func *output, const hy_difference *difference) {
  hy_text text = {0};
  hy_text_add(&text, output->name);
  hy_point_print(output->rank, difference->point, &text);
  hy_text_add(&text, " is ");
  hy_value_print(difference->b, &text);
  hy_text_add(&text, " where it was ");
  hy_value_print(difference->a, &text);
  const char *story = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return story;
}

static const char *compare_outcomes(hy_validator *v, const hy_outcome *before, const hy_outcome *after,
                                    hy_level_result *level) {
  if (before->status != HY_RAN || after->status == HY_RUN_LIMIT) return NULL;
  if (after->status == HY_RUN_ASSUME) return NULL; // a user's bound, or an image that serves the program before only
  level->inputs++;
  if (after->status == HY_RUN_CONTRACT)
    return hy_arena_printf(hy_context_arena(v->context), "%s%s%s", after->contract, after->story ? ": " : "",
                           after->story ? after->story : "");
  hy_difference difference;
  hy_compare(before->output, after->output, true, &difference);
  return difference.differs ? describe_difference(v->context, v->step.tgt->alg->output, &difference) : NULL;
}

// LVL.Output: loops in order; a loop that the directive gave another traversal runs that way, too.
static void check_output(hy_validator *v, hy_step *after, const hy_directive *directive, hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_OUTPUT];
  bool traverses = directive->kind == HY_DIRECTIVE_TRAVERSE;
  const hy_tgt *traversed = traverses ? hy_serial_but(v->context, after->filled, directive->loop) : NULL;
  sample(v, after);
  for (int i = 0; i < v->options.input_count; i++) {
    const char *wrong = NULL;
    int used = level->inputs;
    if (traverses) {
      hy_outcome outcome =
          hy_engine_tgt(v->context, traversed, v->options.inputs[i], (uint64_t)i + 7, v->options.step_limit);
      wrong = compare_outcomes(v, &v->step.outcomes[i], &outcome, level);
      hy_outcome_free(&outcome);
      level->inputs = used;
    }
    if (!wrong) wrong = compare_outcomes(v, &v->step.outcomes[i], &after->outcomes[i], level);
    if (!wrong && level->inputs == used) continue;
    hy_context_hit(v->context, wrong ? HY_RULE_LVL_OUTPUT_NOT : HY_RULE_LVL_OUTPUT);
    settle(level, wrong);
    if (wrong) return;
  }
}

static void check_symbolic(hy_validator *v, hy_step *after, const hy_directive *directive, hy_validation *out) {
  hy_validate_symbolic(v, after, directive, out);
  bool broken = out->levels[HY_LEVEL_SYMBOLIC].answer == HY_LEVEL_BROKEN;
  hy_context_hit(v->context, broken ? HY_RULE_LVL_SYMBOLIC_NOT : HY_RULE_LVL_SYMBOLIC);
}

void hy_validator_step(hy_validator *v, const hy_directive *directive, const hy_tgt *tgt, hy_validation *out) {
  double start = hy_seconds(), at = start;
  *out = (hy_validation){.directive = directive, .promise = hy_sched_order_class(v->context, v->step.tgt, directive)};
  hy_step after = make_step(v, tgt);
  bool known = check_structure(v, &after, directive, out);
  out->levels[HY_LEVEL_STRUCTURE].seconds = hy_seconds() - at;
  bool runs = v->step.filled && after.filled;
  at = hy_seconds();
  if (known && runs) check_trace(v, &after, directive, out);
  out->levels[HY_LEVEL_TRACE].seconds = hy_seconds() - at;
  at = hy_seconds();
  if (runs) check_output(v, &after, directive, out);
  out->levels[HY_LEVEL_OUTPUT].seconds = hy_seconds() - at;
  v->sampled += out->levels[HY_LEVEL_TRACE].seconds + out->levels[HY_LEVEL_OUTPUT].seconds;
  at = hy_seconds();
  if (known) check_symbolic(v, &after, directive, out);
  out->levels[HY_LEVEL_SYMBOLIC].seconds = hy_seconds() - at;
  out->seconds = hy_seconds() - start;
  if (!known) { // nothing can be said about what follows: the program before stays
    free_step(v, &after);
    return;
  }
  free_step(v, &v->step);
  v->step = after;
}
