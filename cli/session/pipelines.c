// The part of a session that makes and judges pipelines.

#include "cli/session/environment.h"
#include "cli/session/session.h"
#include "semantics/base/clock.h"

bool hy_session_load_plugins(hy_session *s, hy_plugin_watch *watch) {
  bool validates = s->options.verb == HY_VERB_VALIDATE; // its own time is short; a call takes microseconds
  s->plugins = validates ? hy_plugin_set_new(watch, 2, 5) : hy_plugin_set_new(watch, 10, 15);
  for (size_t i = 0; i < s->options.plugins.count; i++)
    if (!hy_plugin_set_load(s->plugins, s->context, s->options.plugins.data[i], s->diagnostics)) return false;
  hy_plugins_use(s->context, hy_plugin_set_list(s->plugins));
  return true;
}

int hy_session_count(const hy_session *s) { return s->schedules.count ? (int)s->schedules.count : 1; }

enum { MINIMISE_STEPS = 200 * HY_Z3_STEPS };

void hy_session_pipeline(hy_session *s, int index, hy_pipeline *pipeline) {
  if (s->program)
    hy_pipeline_init(pipeline, s->context, NULL, NULL, s->program);
  else
    hy_pipeline_init(pipeline, s->context, s->alg, s->schedules.count ? s->schedules.data[index] : NULL, NULL);
  pipeline->dump = hy_environment_dump();
  pipeline->defer_unknown = s->options.defer_unknown;
  pipeline->minimise_steps = MINIMISE_STEPS;
}

const char *hy_session_name(const hy_session *s, int index) {
  if (s->program) return s->alg->name;
  return s->schedules.count ? s->schedules.data[index]->name : "default";
}

void hy_session_say_how_far(void *self, bool by_z3, size_t done, size_t count) {
  const double SECONDS = 1;
  hy_session_deciding *d = self;
  if (hy_seconds() - d->said < SECONDS) return;
  d->said = hy_seconds();
  hy_reporter_progress(d->session->reporter, "%s %s: %zu of %zu obligations%s", d->what, d->name, done, count,
                       by_z3 ? " by Z3" : "");
}

hy_status hy_session_check(hy_session *s, hy_pipeline *pipeline, bool cross_check) {
  const hy_schedule *schedule = pipeline->schedule;
  hy_session_deciding deciding = {s, "checking", schedule ? schedule->name : hy_session_name(s, 0), hy_seconds()};
  hy_oracle_options options = {.cross_check = cross_check,
                               .z3_limit = (unsigned)s->options.z3_limit,
                               .progress = hy_session_say_how_far,
                               .progress_self = &deciding};
  hy_answer answer = hy_pipeline_check(pipeline, &options, s->diagnostics);
  if (pipeline->report.contested) {
    hy_report(s->diagnostics, HY_E_OBLIGATION_UNKNOWN, pipeline->loc, NULL,
              "please report it with both files; 'halyard check --verbose' names the obligations",
              "Halyard's prover and Z3 contradict each other on %zu obligations: a defect of Halyard",
              pipeline->report.contested);
    return HY_STATUS_DEFECT;
  }
  switch (answer) {
  case HY_NO: return pipeline->own_bounds ? HY_STATUS_DEFECT : HY_STATUS_WRONG;
  case HY_YES: return HY_STATUS_FINE;
  case HY_UNKNOWN: return HY_STATUS_UNDECIDED;
  }
  HY_UNREACHABLE();
}

const hy_tgt *hy_session_plain(hy_session *s) {
  if (s->plain || s->plain_failed || s->program) return s->plain;
  hy_diagnostics *unheard = hy_diagnostics_new();
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, s->context, s->alg, NULL, NULL);
  pipeline.dump = hy_environment_dump();
  if (hy_pipeline_schedule(&pipeline, unheard) && hy_pipeline_fill(&pipeline, unheard))
    s->plain = pipeline.filled;
  else
    s->plain_failed = true;
  hy_diagnostics_free(unheard);
  return s->plain;
}
