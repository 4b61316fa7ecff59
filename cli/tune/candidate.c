#include "cli/tune/candidate.h"

#include "cli/reports/certify.h"
#include "oracle/certificate/recheck.h"

#include <string.h>

hy_candidate *hy_candidate_new(const char *algorithm, const char *schedule) {
  hy_candidate *c = hy_allocate_zeroed(1, sizeof *c);
  const hy_schedule *all;
  int count;
  c->context = hy_context_new();
  c->diagnostics = hy_diagnostics_new();
  c->alg_source = (hy_source){"algorithm", algorithm, strlen(algorithm)};
  c->schedule_source = (hy_source){"candidate", schedule, strlen(schedule)};
  c->alg = hy_parse_alg(c->context, &c->alg_source, c->diagnostics);
  if (!c->alg || !hy_parse_schedules(c->context, &c->schedule_source, c->diagnostics, &all, &count) || count != 1)
    return c;
  c->schedule = &all[0];
  hy_pipeline_init(&c->pipeline, c->context, c->alg, c->schedule, NULL);
  c->is_legal = hy_pipeline_schedule(&c->pipeline, c->diagnostics) && hy_pipeline_fill(&c->pipeline, c->diagnostics);
  return c;
}

void hy_candidate_free(hy_candidate *c) {
  if (!c) return;
  hy_diagnostics_free(c->diagnostics);
  hy_context_free(c->context);
  hy_free(c);
}

hy_answer hy_candidate_accepted(const hy_candidate *c) {
  return hy_oracle_accepts(c->context, hy_query_extract(c->context, c->pipeline.filled), NULL);
}

// All certificates; false: an obligation has none.
static bool add_certificates(const hy_pipeline *p, hy_certificates *certificates) {
  bool all = true;
  hy_certify_begin_program(true, certificates, p->schedule->name, p);
  for (size_t i = 0; i < p->report.count; i++) {
    const hy_decision *d = &p->report.decisions[i];
    if (d->verdict == HY_VERDICT_PROVED)
      all &= !hy_certificates_add_decided(certificates, p->schedule->name, i + 1, d->obligation, d->how);
    else {
      hy_certificates_add_open(certificates, p->schedule->name, i + 1, d->obligation);
      all = false;
    }
  }
  return all;
}

hy_tune_proof hy_candidate_certify(hy_candidate *c, int64_t z3_limit) {
  hy_tune_proof proof = {.answer = HY_UNKNOWN};
  hy_oracle_options options = {.z3_limit = (unsigned)z3_limit};
  char said[HY_CERTCHECK_SAID];
  proof.answer = hy_pipeline_check(&c->pipeline, &options, c->diagnostics);
  proof.obligations = c->pipeline.report.count;
  proof.is_defect = c->pipeline.report.contested > 0 || (proof.answer == HY_NO && c->pipeline.own_bounds);
  if (proof.answer != HY_YES || proof.is_defect) return proof;
  hy_certificates *certificates = hy_certificates_new(c->context);
  if (!add_certificates(&c->pipeline, certificates)) proof.answer = HY_UNKNOWN;
  proof.certificates = hy_certificates_count(certificates);
  hy_certcheck_answer answer = proof.certificates ? hy_certcheck(certificates, NULL, said) : HY_CERTCHECK_ACCEPTED;
  proof.is_absent = answer == HY_CERTCHECK_ABSENT;
  proof.is_defect = answer == HY_CERTCHECK_REJECTED;
  if (answer != HY_CERTCHECK_ACCEPTED) proof.answer = HY_UNKNOWN;
  hy_certificates_free(certificates);
  return proof;
}
