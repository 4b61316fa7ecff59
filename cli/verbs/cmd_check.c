// halyard check: the static verdict of every schedule asked for.

#include "cli/verbs/check.h"

#include "cli/reports/against.h"
#include "cli/reports/certify.h"
#include "cli/reports/explain.h"
#include "cli/reports/validate_report.h"
#include "cli/tune/head.h"
#include "cli/verbs/verbs.h"
#include "halyard/dead.h"
#include "halyard/excess/excess.h"
#include "halyard/slides.h"
#include "semantics/base/clock.h"

static void record_counts(hy_record *record, const char *name, const hy_pipeline *p, hy_status status, double seconds) {
  hy_record_text(record, "name", name);
  hy_record_text(record, "verdict", hy_check_verdict(status));
  hy_record_int(record, "obligations", (int64_t)p->report.count);
  hy_record_int(record, "proved", (int64_t)p->report.proved);
  hy_record_int(record, "proved_by_z3_alone", (int64_t)p->report.proved_z3);
  hy_record_int(record, "refuted", (int64_t)p->report.refuted);
  hy_record_int(record, "unknown", (int64_t)p->report.unknown);
  if (p->report.emergencies) hy_record_int(record, "emergencies", (int64_t)p->report.emergencies);
  if (p->deferred) hy_record_int(record, "checked_at_run_time", (int64_t)p->deferred);
  hy_record_real(record, "seconds", seconds);
}

const char *hy_check_verdict(hy_status status) {
  switch (status) {
  case HY_STATUS_FINE: return "proved";
  case HY_STATUS_WRONG: return "refused";
  case HY_STATUS_USAGE: return "refused";
  case HY_STATUS_UNDECIDED: return "undecided";
  case HY_STATUS_DEFECT: return "defect";
  case HY_STATUS_SLOWER:
  case HY_STATUS_STALE: break; // of a gate alone
  }
  HY_UNREACHABLE();
}

static void list_decisions(hy_session *s, hy_record *record, const hy_oracle_report *report) {
  for (size_t i = 0; i < report->count; i++) {
    const hy_decision *d = &report->decisions[i];
    const char *rule = hy_obligation_rule(d->obligation->kind), *verdict = hy_verdict_name(d->verdict);
    hy_record *row = hy_record_append(record, "decisions");
    hy_record_text(row, "rule", rule);
    hy_record_text(row, "verdict", verdict);
    hy_record_text(row, "about", d->obligation->about);
    if (d->model && d->verdict == HY_VERDICT_REFUTED) hy_record_text(row, "model", d->model);
    if (d->too_large) hy_record_bool(row, "too_large", true);
    if (d->emergency) hy_record_bool(row, "emergency", true);
    hy_reporter_print(s->reporter, "  %-12s %-10s %s%s%s%s\n", verdict, rule, d->obligation->about,
                      d->model ? d->verdict == HY_VERDICT_REFUTED ? "; fails for " : "; not run: " : "",
                      d->model ? d->model : "", d->contested ? "; contested by Z3" : "");
  }
}

hy_status hy_check_one(hy_session *s, int index, hy_pipeline *pipeline, bool cross_check, hy_record *record) {
  const char *name = hy_session_name(s, index);
  hy_reporter_progress(s->reporter, "checking %s (%d of %d)", name, index + 1, hy_session_count(s));
  double start = hy_seconds();
  hy_session_pipeline(s, index, pipeline);
  hy_status status = hy_session_check(s, pipeline, cross_check);
  double seconds = hy_seconds() - start;
  const hy_oracle_report *r = &pipeline->report;
  if (status == HY_STATUS_FINE) {
    hy_record_int(record, "dead", (int64_t)r->dead);
    hy_dead_report(pipeline, s->diagnostics);
    hy_excess_report(pipeline, s->diagnostics);
    hy_slides_report(pipeline, s->diagnostics);
  }
  record_counts(record, name, pipeline, status, seconds);
  hy_reporter_flush(s->reporter, s->diagnostics);
  if (r->count == 0 && status != HY_STATUS_FINE)
    hy_reporter_print(s->reporter, "%s: %s\n", name, hy_check_verdict(status));
  else
    hy_reporter_print(s->reporter, "%s: proved %zu, by Z3 alone %zu, refuted %zu, unknown %zu (%.0f ms)\n", name,
                      r->proved, r->proved_z3, r->refuted, r->unknown, seconds * 1e3);
  if (pipeline->deferred)
    hy_reporter_print(s->reporter, "  %zu of them %s decided only under conditions that every run checks first\n",
                      pipeline->deferred, pipeline->deferred == 1 ? "is" : "are");
  if (s->options.verbose) list_decisions(s, record, r);
  if (s->options.explain && status == HY_STATUS_FINE) hy_explain(s, pipeline, record);
  return status;
}

hy_status hy_command_check(hy_session *s) {
  hy_status status = hy_session_load(s, true);
  if (status != HY_STATUS_FINE) return status;
  hy_certificates *certificates = hy_certify_begin(s);
  hy_against *against = hy_against_begin(s, &status);
  for (int i = 0; i < hy_session_count(s); i++) {
    hy_pipeline pipeline;
    hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "schedules");
    if (s->schedules.count) hy_tune_head_check(s->alg, s->schedules.data[i], s->diagnostics);
    hy_status one = hy_check_one(s, i, &pipeline, false, record);
    if (one == HY_STATUS_FINE) one = hy_validate_report(s, &pipeline, s->options.directives, record);
    status = hy_status_worse(status, one);
    one = hy_certify(s, certificates, i, &pipeline, record);
    status = hy_status_worse(status, one);
    status = hy_status_worse(status, hy_against_one(against, hy_certify_name(s, i), &pipeline));
  }
  status = hy_status_worse(status, hy_against_end(against));
  return hy_status_worse(status, hy_certify_end(s, certificates));
}
