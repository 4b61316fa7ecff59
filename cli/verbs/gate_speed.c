// halyard gate --baseline DIR: level 4.

#include "cli/verbs/gate_speed.h"
#include "cli/session/arguments.h"
#include "gate/speed/speed.h"

// The baseline's own checks of identity do not belong to this folder's; what is wrong there makes it no baseline.
static bool read_baseline(hy_session *s, hy_inspected *baseline) {
  hy_gate_result own = {.arena = hy_context_arena(s->context)};
  hy_inspect_identity(s->options.baseline, baseline, &own);
  bool good = baseline->is_read && hy_gate_worst(&own) == HY_GATE_PASSED;
  for (size_t i = 0; i < own.checks.count && !good; i++) {
    const hy_gate_check *c = &own.checks.data[i];
    if (c->verdict == HY_GATE_PASSED) continue;
    hy_report(s->diagnostics, HY_E_GATE_BASELINE, (hy_loc){0}, NULL, "give --baseline a folder that shipped",
              "the baseline '%s', %s: %s", s->options.baseline, c->file ? c->file : "the folder", c->story);
    break;
  }
  hy_gate_result_free(&own);
  return good;
}

// What --window and -p say, of a program that has no other text here than the folder's.
static hy_status take_wishes(hy_session *s, const hy_speed_pair *pair, hy_arguments *window, hy_speed_wishes *wishes) {
  s->alg = pair->new.pipeline.alg;
  hy_status status = hy_arguments_check_params(s);
  if (status == HY_STATUS_FINE && s->options.window_given) status = hy_arguments_window_given(s, window);
  *wishes = (hy_speed_wishes){.sampler = hy_session_sampler(s), .allowed = s->options.max_slowdown};
  if (s->options.window_given) wishes->window_min = window->window_min, wishes->window_len = window->window_len;
  return status;
}

hy_status hy_gate_judge_speed(hy_session *s, const hy_inspected *candidate, hy_gate_result *result) {
  hy_inspected baseline = {.folder = NULL};
  hy_arguments window = {.params = NULL};
  hy_speed_wishes wishes;
  hy_speed_pair pair;
  hy_status status = read_baseline(s, &baseline) ? HY_STATUS_FINE : HY_STATUS_USAGE;
  if (status == HY_STATUS_FINE && hy_speed_read(s->context, candidate, &baseline, result, &pair)) {
    status = take_wishes(s, &pair, &window, &wishes);
    if (status == HY_STATUS_FINE) hy_speed_run(&pair, &wishes, result);
  }
  hy_inspected_free(&baseline);
  return status;
}
