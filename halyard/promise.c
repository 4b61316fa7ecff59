#include "halyard/promise.h"

#include "plugin/plugin.h"
#include "validate/validate.h"

#include <string.h>

static const char *name_of(hy_context *context, const hy_directive *directive) {
  hy_text text = {0};
  hy_directive_print(directive, &text);
  const char *name = hy_arena_printf(hy_context_arena(context), "%.*s", (int)text.length - 1, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

const char *hy_promise_culprit(hy_context *context, const hy_directive *broken, const hy_directive *open) {
  hy_arena *arena = hy_context_arena(context);
  if (broken->type->is_foreign)
    return hy_arena_printf(arena, "this is a fault of the plug-in %.200s; 'halyard validate' shows more",
                           hy_plugin_file(hy_plugin_of(broken)));
  if (open)
    return hy_arena_printf(arena,
                           "either %s of the plug-in %.200s does not keep what could not be decided above, or this "
                           "is a defect of Halyard; leave one of the two directives out",
                           name_of(context, open), hy_plugin_file(hy_plugin_of(open)));
  return "what the plug-ins claimed before was proved, so their loops do not bear this directive: put it before "
         "theirs, or "
         "leave one of them out; where it takes no loop that theirs have made this is a defect of Halyard";
}

static hy_answer judge(const hy_pipeline *p, const hy_directive *open, const hy_validation *v,
                       hy_diagnostics *diagnostics) {
  hy_level broken = hy_validation_broken(v);
  const char *what = name_of(p->context, v->directive);
  if (broken < HY_LEVEL_COUNT) {
    hy_report(diagnostics, HY_E_PLUGIN_PROMISE, v->directive->loc, "DIR.Plugin (what it claims is proved, LVL)",
              hy_promise_culprit(p->context, v->directive, open),
              "%s promised %s, but its %s level shows otherwise: %s", what, hy_order_class_name(v->promise),
              hy_level_name(broken), v->levels[broken].story);
    return HY_NO;
  }
  if (v->levels[HY_LEVEL_SYMBOLIC].answer != HY_LEVEL_UNDECIDED) return HY_YES;
  hy_report(diagnostics, HY_E_PROMISE_UNKNOWN, v->directive->loc, "DIR.Plugin (what it claims is proved, LVL)",
            "raise --z3-steps, or simplify the bounds and values that the plug-in makes",
            "whether %s keeps its promise (%s) could not be decided for all inputs: %s", what,
            hy_order_class_name(v->promise), v->levels[HY_LEVEL_SYMBOLIC].story);
  return HY_UNKNOWN;
}

static hy_answer prove(hy_pipeline *p, unsigned z3_limit, hy_diagnostics *diagnostics) {
  const hy_directive *open = NULL; // the last plug-in that could not be decided
  bool any = false;                // plug-ins so far
  hy_answer answer = HY_YES;
  hy_validate_options options = {.steps = p->core_count, .z3_limit = z3_limit};
  hy_validator *validator = hy_validator_new(p->context, p->steps[0], &options);
  for (int i = 0; i < p->core_count && answer != HY_NO; i++) {
    hy_validation v;
    hy_validator_step(validator, &p->core[i], p->steps[i + 1], &v);
    any |= p->core[i].type->is_foreign;
    if (!any && p->core[i].type != &hy_directive_rfactor) continue;
    hy_answer step = judge(p, open, &v, diagnostics);
    if (step != HY_YES) answer = step;
    bool own = !v.directive->type->is_foreign;
    int number = (int)(v.directive - p->core) + 1; // what only the final program shows may be an earlier one's fault
    if (step == HY_UNKNOWN && !own) open = v.directive;
    if (step == HY_NO) p->refuted_promise = number;
    if (open) p->blamed_promise = (int)(open - p->core) + 1;
    if (step == HY_NO && !(own && open)) p->blamed_promise = number;
    if (step == HY_UNKNOWN && !p->unknown_promise) p->unknown_promise = number;
  }
  hy_validator_free(validator);
  return answer;
}

/* -- reductions in another order (D87), which the paper's rules do not have -- */

static hy_answer judge_reordering(hy_pipeline *p, int step, const hy_validation *v, hy_diagnostics *diagnostics) {
  const hy_level_result *level = &v->levels[HY_LEVEL_SYMBOLIC];
  const char *what = name_of(p->context, v->directive);
  if (level->answer == HY_LEVEL_UNDECIDED) {
    hy_report(diagnostics, HY_E_PROMISE_UNKNOWN, v->directive->loc, "DIR.RFactor (what may be reordered, LVL)",
              "raise --z3-steps, or compute the sum as an i64 or i32, which wrap",
              "whether %s may combine its parts in another order could not be decided for all inputs: %s", what,
              level->story);
    if (!p->unknown_promise) p->unknown_promise = step;
    return HY_UNKNOWN;
  }
  if (level->answer != HY_LEVEL_BROKEN) return HY_YES;
  hy_report(diagnostics, HY_E_BROKEN_PROMISE, v->directive->loc, "DIR.RFactor (what may be reordered, LVL)",
            "this is a defect of Halyard, please report it with both files",
            "%s may not combine its parts in another order: %s", what, level->story);
  p->own_bounds = true;
  p->refuted_promise = p->blamed_promise = step;
  return HY_NO;
}

// sched/ has found that they may be; nobody believes it.
static hy_answer prove_reorderings(hy_pipeline *p, unsigned z3_limit, hy_diagnostics *diagnostics) {
  hy_answer answer = HY_YES;
  for (int i = 0; i < p->core_count && answer != HY_NO; i++) {
    hy_validation v;
    hy_validate_reordering(p->context, p->steps[i], &p->core[i], z3_limit, &v);
    hy_answer one = judge_reordering(p, i + 1, &v, diagnostics);
    if (one != HY_YES) answer = one;
  }
  return answer;
}

// Of a target program, which has no steps, B asks all that is needed: its lets and its parallel loops, whoever made
// them, are judged by B.Cover and B.Disjoint.
hy_answer hy_promise_check(hy_pipeline *p, unsigned z3_limit, hy_diagnostics *diagnostics) {
  if (p->step_count != p->core_count + 1) return HY_YES;
  for (int i = 0; i < p->core_count; i++)
    if (p->core[i].type->is_foreign) return prove(p, z3_limit, diagnostics);
  return prove_reorderings(p, z3_limit, diagnostics);
}
