// The derivation of a run (--trace).

#include "cli/reports/trace.h"

#include <inttypes.h>
#include <string.h>

static const hy_loc nowhere = {0};

static hy_outcome derive(hy_session *s, const hy_pipeline *p, const hy_input *input, hy_text *trace) {
  uint64_t steps = (uint64_t)s->options.steps;
  hy_mode mode = s->options.mode;
  if (s->options.engine == HY_ENGINE_ALG) return hy_engine_alg_derived(s->context, s->alg, input, mode, steps, trace);
  return hy_engine_tgt_derived(s->context, p->filled, input, mode, s->options.seed, steps, false, trace);
}

hy_outcome hy_trace_run(hy_session *s, const hy_pipeline *p, const hy_input *input) {
  hy_text trace = {0};
  hy_outcome outcome = derive(s, p, input, &trace);
  if (outcome.status != HY_RUN_LIMIT) hy_reporter_text(s->reporter, &trace);
  hy_text_free(&trace);
  return outcome;
}

static bool fits(hy_session *s, const hy_pipeline *p, const hy_input *input) {
  hy_outcome outcome = derive(s, p, input, NULL);
  bool ran = outcome.status == HY_RAN;
  hy_outcome_free(&outcome);
  return ran;
}

// Halves the longest side until the derivation fits; false if that of a single point does not.
static bool find_window(hy_session *s, const hy_pipeline *p, hy_arguments *a) {
  int rank = s->alg->window_rank;
  for (;;) {
    int longest = 0;
    for (int d = 1; d < rank; d++)
      if (a->window_len[d] > a->window_len[longest]) longest = d;
    if (rank == 0 || a->window_len[longest] <= 1) return false;
    a->window_len[longest] /= 2;
    if (fits(s, p, &a->input)) return true;
  }
}

hy_status hy_trace_too_large(hy_session *s, const hy_pipeline *p, const hy_arguments *arguments) {
  hy_arguments a = *arguments;
  a.input.window_min = a.window_min;
  a.input.window_len = a.window_len;
  hy_text help = {0}, window = {0};
  hy_reporter_progress(s->reporter, "looking for a window that fits");
  if (find_window(s, p, &a)) {
    hy_window_print(s->alg, &a.input, &window);
    hy_text_printf(&help, "this one fits: --window %s; or allow more with --steps N", hy_text_string(&window));
  } else {
    hy_text_add(&help, "not even one point fits: allow more with --steps N, or leave out the schedule's large factors");
  }
  hy_report(s->diagnostics, HY_E_RUN_TRACE, nowhere, NULL, hy_text_string(&help),
            "the derivation has more than %" PRId64 " steps", s->options.steps);
  hy_text_free(&help);
  hy_text_free(&window);
  return HY_STATUS_USAGE;
}
