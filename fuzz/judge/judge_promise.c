// Does each directive keep its promise? Every level of validation, for every step of the schedule.

#include "fuzz/judge/judge_internal.h"

#include "validate/validate.h"

#include <stdio.h>

enum { STEPS = 40000, Z3_MS = 500 };

static void find_broken(hy_judging *g, const hy_validation *v, hy_level level, int step) {
  hy_text text = {0};
  hy_directive_print(v->directive, &text);
  hy_text_printf(&text, "\npromised: %s\n%s: %s", hy_order_class_name(v->promise), hy_level_name(level),
                 v->levels[level].story);
  if (hy_judging_find(g, HY_FOUND_PROMISE, hy_level_name(level), hy_text_string(&text))) hy_judging_blame(g, step);
  hy_text_free(&text);
}

static void count_proofs(hy_judging *g, const hy_validation *v) {
  for (int k = 0; k < HY_PROOF_COUNT; k++) {
    g->j->obligations += (int)v->proofs[k].asked;
    g->j->proved += (int)v->proofs[k].proved;
    g->j->proved_z3 += (int)v->proofs[k].proved_z3;
    g->j->refuted += (int)v->proofs[k].refuted;
    g->j->unknown += (int)v->proofs[k].unknown;
  }
}

static void judge_steps(hy_judging *g, const hy_validate_options *options) {
  const hy_pipeline *p = &g->pipeline;
  hy_validator *validator = hy_validator_new(g->context, p->steps[0], options);
  hy_level broken = HY_LEVEL_COUNT;
  int open = 0; // the last step of a plug-in that could not be decided: what breaks later may be its fault
  for (int i = 0; i < p->core_count && broken == HY_LEVEL_COUNT; i++) {
    hy_validation v;
    hy_validator_step(validator, &p->core[i], p->steps[i + 1], &v);
    count_proofs(g, &v);
    broken = hy_validation_broken(&v);
    bool plugged = v.directive->type->is_foreign, undecided = v.levels[HY_LEVEL_SYMBOLIC].answer == HY_LEVEL_UNDECIDED;
    int number = (int)(v.directive - p->core) + 1; // what only the final program shows may be an earlier one's fault
    if (plugged && undecided) open = number;
    if (broken < HY_LEVEL_COUNT)
      find_broken(g, &v, broken, open && !plugged ? open : number);
    else if (undecided)
      hy_judging_find(g, HY_FOUND_UNDECIDED, "symbolic", v.levels[HY_LEVEL_SYMBOLIC].story);
  }
  hy_validator_free(validator);
}

// On the case's first input, if the program that was made can be run on it.
void hy_judging_promise(hy_judging *g) {
  const hy_input *inputs[] = {&g->input};
  hy_validate_options options = {.step_limit = STEPS, .steps = g->pipeline.core_count, .z3_limit = Z3_MS};
  if (g->pipeline.step_count != g->pipeline.core_count + 1) return;
  g->lane = HY_LANE_PROMISE;
  bool open = g->pipeline.filled && g->c->input_count > 0;
  if (open && hy_judging_open(g, g->pipeline.filled, &g->c->inputs[0])) {
    options.inputs = inputs;
    options.input_count = 1;
  }
  judge_steps(g, &options);
  if (open) hy_judging_close(g);
}
