#include "validate/validate_internal.h"

/* L2: both programs filled and interpreted, under the monitor. The loops of a prefix run in order (D74). The last
 * program that ran on an input is what the next one that runs is compared with: where directives between them were not
 * looked at, those are tried in turn once there is a difference.
 */

static const char *describe_difference(hy_context *context, const hy_alg *alg, const hy_difference *difference) {
  hy_text text = {0};
  hy_difference_print(alg, difference, &text);
  hy_text_add(&text, " is ");
  hy_value_print(difference->b, &text);
  hy_text_add(&text, " where it was ");
  hy_value_print(difference->a, &text);
  const char *story = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return story;
}

// NULL: nothing is wrong, or nothing could be compared ("*compared" tells).
static const char *compare_outcomes(const hy_validator *v, const hy_outcome *before, const hy_outcome *after,
                                    bool *compared) {
  *compared = false;
  if (before->status != HY_RAN || after->status == HY_RUN_LIMIT) return NULL;
  if (after->status == HY_RUN_ASSUME) return NULL; // a user's bound, or an image that serves the program before only
  *compared = true;
  if (after->status == HY_RUN_CONTRACT)
    return hy_arena_printf(hy_context_arena(v->context), "%s%s%s", after->contract, after->story ? ": " : "",
                           after->story ? after->story : "");
  hy_difference difference;
  hy_compare(before->output, after->output, true, &difference);
  return difference.differs ? describe_difference(v->context, v->history.data[0].tgt->alg, &difference) : NULL;
}

// Whether a fold is seen is asked by B.Fold, of the final program and for all inputs: one that is too small is the
// user's, and no fault of a directive. So here every point has a cell, as in traces.
static hy_outcome run(hy_validator *v, const hy_tgt *program, int input, uint64_t limit) {
  uint64_t work;
  program = hy_without_folds(v->context, program);
  hy_outcome outcome = hy_engine_tgt_within(v->context, program, v->options.inputs[input], (uint64_t)input + 1,
                                            v->options.step_limit, limit, &work);
  hy_sampling_note(v, input, work);
  return outcome;
}

static hy_outcome run_in_order(hy_validator *v, const hy_step *step, int input, uint64_t limit) {
  return run(v, hy_serial_but(v->context, step->filled, NULL), input, limit);
}

/* -- whose fault it is -- */

static void blame(const hy_step *step, const char *story, hy_validation *out, const char **wrong) {
  out->directive = step->directive;
  out->promise = step->promise;
  *wrong = story;
}

// The first program after the baseline that differs from it.
static void find_first(hy_validator *v, int input, hy_validation *out, const char **wrong) {
  const hy_baseline *b = &v->baselines[input];
  for (size_t i = (size_t)b->step + 1; i < v->history.count; i++) {
    hy_step *step = &v->history.data[i];
    bool compared;
    if (!hy_sampling_fill(v, step)) continue;
    hy_outcome outcome = run_in_order(v, step, input, 0);
    const char *story = compare_outcomes(v, &b->outcome, &outcome, &compared);
    hy_outcome_free(&outcome);
    if (!story) continue;
    blame(step, story, out, wrong);
    return;
  }
}

// The first program from which on, up to the final one, it is wrong with its loops traversed as they say.
static void find_first_of_all(hy_validator *v, int input, hy_validation *out, const char **wrong) {
  for (size_t i = v->history.count; i-- > 1;) {
    hy_step *step = &v->history.data[i];
    bool compared;
    if (!hy_sampling_fill(v, step)) return;
    hy_outcome outcome = run(v, step->filled, input, 0);
    const char *story = compare_outcomes(v, &v->baselines[input].outcome, &outcome, &compared);
    hy_outcome_free(&outcome);
    if (!story) return;
    blame(step, story, out, wrong);
  }
}

/* -- one input -- */

// The program whose loops are traversed as they say: the final one; of programs that are all final, the one loop that
// the directive speaks of. NULL: nothing but what runs anyway.
static const hy_tgt *traversed(const hy_validator *v, const hy_step *after, const hy_directive *directive) {
  if (!v->options.steps)
    return hy_directive_find(directive->type, HY_TAKES_TRAVERSAL) >= 0
               ? hy_serial_but(v->context, after->filled, directive->loop)
               : NULL;
  if (!hy_validator_ends_with(v)) return NULL;
  return hy_serial_but(v->context, after->filled, NULL) == after->filled ? NULL : after->filled;
}

bool hy_validate_baseline(hy_validator *v, int input) {
  hy_baseline *b = &v->baselines[input];
  if (b->outcome.status == HY_RAN) return true;
  if (!hy_sampling_fill(v, hy_validator_last(v))) return false;
  hy_outcome_free(&b->outcome);
  b->outcome = run_in_order(v, hy_validator_last(v), input, hy_sampling_limit(v));
  b->step = (int)v->history.count - 1;
  return b->outcome.status == HY_RAN;
}

static void keep_baseline(hy_validator *v, int input, hy_outcome *outcome) {
  hy_baseline *b = &v->baselines[input];
  if (outcome->status != HY_RAN) {
    hy_outcome_free(outcome);
    return;
  }
  hy_outcome_free(&b->outcome);
  b->outcome = *outcome;
  b->step = (int)v->history.count;
}

// True if two outputs were compared.
static bool compare_on(hy_validator *v, const hy_step *after, int input, const hy_directive *directive,
                       hy_validation *out, const char **wrong) {
  bool compared = false;
  if (hy_validate_sums_anew(v->context, hy_validator_last(v)->tgt, directive)) return false;
  if (!hy_validate_baseline(v, input)) return false;
  const hy_tgt *as_written = traversed(v, after, directive);
  hy_outcome outcome = run_in_order(v, after, input, hy_sampling_limit(v));
  *wrong = compare_outcomes(v, &v->baselines[input].outcome, &outcome, &compared);
  if (*wrong) find_first(v, input, out, wrong);
  if (!*wrong && as_written) {
    bool too;
    hy_outcome other = run(v, as_written, input, hy_sampling_limit(v));
    *wrong = compare_outcomes(v, &v->baselines[input].outcome, &other, &too);
    hy_outcome_free(&other);
    if (*wrong && v->options.steps) find_first_of_all(v, input, out, wrong);
    compared |= too;
  }
  keep_baseline(v, input, &outcome);
  return compared;
}

// LVL.Output
void hy_validate_output(hy_validator *v, hy_step *after, int inputs, const hy_directive *directive,
                        hy_validation *out) {
  hy_level_result *level = &out->levels[HY_LEVEL_OUTPUT];
  for (int i = 0; i < inputs; i++) {
    const char *wrong = NULL;
    if (!compare_on(v, after, i, directive, out, &wrong)) continue;
    level->inputs++;
    hy_context_hit(v->context, wrong ? HY_RULE_LVL_OUTPUT_NOT : HY_RULE_LVL_OUTPUT);
    level->answer = wrong ? HY_LEVEL_BROKEN : HY_LEVEL_KEPT;
    level->story = wrong;
    if (wrong) return;
  }
}
