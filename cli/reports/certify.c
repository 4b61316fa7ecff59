#include "cli/reports/certify.h"

#include "oracle/certificate/recheck.h"
#include "semantics/base/clock.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};

static bool is_rechecked(const hy_session *s) { return s->options.recheck || s->options.verb == HY_VERB_VERIFY; }

hy_certificates *hy_certify_begin(hy_session *s) {
  return s->options.certificates || is_rechecked(s) ? hy_certificates_new(s->context) : NULL;
}

// The first part of its certificates' ids. Schedules of several files may have one name: "tiled", "tiled#2".
const char *hy_certify_name(hy_session *s, int index) {
  const char *name = hy_session_name(s, index);
  int same = 1;
  for (int i = 0; i < index; i++) same += strcmp(hy_session_name(s, i), name) == 0;
  return same == 1 ? name : hy_arena_printf(hy_context_arena(s->context), "%s#%d", name, same);
}

// The row that says what the schedule's certificates are about.
void hy_certify_begin_program(bool has_algorithm, hy_certificates *certificates, const char *name,
                              const hy_pipeline *p) {
  hy_text target = {0}, algorithm = {0}, schedule = {0};
  hy_tgt_print(p->filled, &target);
  if (has_algorithm) hy_alg_print(p->alg, &algorithm);
  if (has_algorithm) hy_pipeline_print_schedule(p, &schedule);
  hy_certified_program program = {name, p->report.count, &target, has_algorithm ? &algorithm : NULL,
                                  has_algorithm ? &schedule : NULL};
  hy_certificates_begin(certificates, &program);
  hy_text_free(&target);
  hy_text_free(&algorithm);
  hy_text_free(&schedule);
}

static void say_missing(hy_session *s, const hy_obligation *o, const char *whose) {
  hy_reporter_print(s->reporter, "  no certificate for %s: %s: %s alone shows it\n", hy_obligation_rule(o->kind),
                    o->about, whose);
}

hy_status hy_certify(hy_session *s, hy_certificates *certificates, int index, const hy_pipeline *pipeline,
                     hy_record *record) {
  const hy_oracle_report *report = &pipeline->report;
  if (!certificates || !pipeline->filled) return HY_STATUS_FINE; // refused: nothing was asked
  const char *name = hy_certify_name(s, index);
  hy_certify_begin_program(!s->program, certificates, name, pipeline);
  size_t before = hy_certificates_count(certificates), missing = 0, bare = 0;
  hy_session_deciding deciding = {s, "certifying", name, hy_seconds()};
  hy_reporter_progress(s->reporter, "%s %s", deciding.what, deciding.name);
  for (size_t i = 0; i < report->count; i++) {
    hy_session_say_how_far(&deciding, false, i, report->count);
    const hy_obligation *o = report->decisions[i].obligation;
    if (report->decisions[i].verdict != HY_VERDICT_PROVED) {
      hy_certificates_add_open(certificates, name, i + 1, o);
      if (report->decisions[i].verdict == HY_VERDICT_PROVED_Z3) missing++, say_missing(s, o, "Z3");
      continue;
    }
    size_t failed = hy_certificates_add_decided(certificates, name, i + 1, o, report->decisions[i].how);
    missing += failed; // of B.Fits one for every number
    bare += failed > 0;
    if (failed) say_missing(s, o, "Halyard's prover");
  }
  s->by_z3_alone += report->proved_z3;
  s->by_prover_alone += bare;
  size_t count = hy_certificates_count(certificates) - before;
  hy_record_int(record, "certificates", (int64_t)count);
  hy_record_int(record, "without_certificate", (int64_t)missing);
  hy_reporter_print(s->reporter, "%s: %zu certificates, %zu missing\n", name, count, missing);
  if (!s->options.recheck || bare + report->proved_z3 == 0) return HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_NO_CERTIFICATE, pipeline->loc, "VER.Certificate (decision D64)",
            report->proved_z3
                ? "leave --recheck out if Z3's word is enough; 'halyard check --verbose' lists these obligations"
                : "leave --recheck out if Halyard's word is enough; 'halyard check --verbose' lists these obligations",
            "schedule '%s': %zu obligations rest on Z3 alone, %zu on Halyard's prover alone: no certificate shows them",
            name, report->proved_z3, bare);
  return HY_STATUS_UNDECIDED;
}

static bool write_file(hy_session *s, const char *text, size_t length) {
  const char *path = s->options.certificates;
  bool fine = hy_whole_file_write(path, text, length);
  if (!fine)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return fine;
}

// What no certificate shows, of all schedules, behind how many are accepted.
static void say_without(hy_session *s) {
  const struct {
    size_t count;
    const char *whose;
  } rows[] = {{s->by_z3_alone, "Z3"}, {s->by_prover_alone, "Halyard's prover"}};
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (rows[i].count)
      hy_reporter_print(s->reporter, "; %zu obligation%s on %s alone", rows[i].count,
                        rows[i].count == 1 ? " rests" : "s rest", rows[i].whose);
  hy_reporter_print(s->reporter, "\n");
}

static hy_status recheck(hy_session *s, hy_certificates *certificates) {
  size_t count = hy_certificates_count(certificates);
  char said[HY_CERTCHECK_SAID];
  const char *by = s->options.recheck_coq ? "coq" : NULL, *checker = hy_certcheck_name(by);
  hy_record *record = hy_reporter_record(s->reporter);
  hy_record_int(record, "certificates", (int64_t)count);
  if (!count) { // nothing was proved, which is said already, or by nobody else
    if (s->by_z3_alone + s->by_prover_alone) hy_reporter_print(s->reporter, "no certificates"), say_without(s);
    return HY_STATUS_FINE;
  }
  hy_reporter_progress(s->reporter, "%s looks at %zu certificates", checker, count);
  switch (hy_certcheck(certificates, by, said)) {
  case HY_CERTCHECK_ACCEPTED:
    hy_record_int(record, "certificates_accepted", (int64_t)count);
    hy_reporter_print(s->reporter, "%s accepts all %zu certificates", checker, count);
    say_without(s);
    return HY_STATUS_FINE;
  case HY_CERTCHECK_REJECTED:
    hy_record_int(record, "certificates_accepted", 0);
    hy_report(s->diagnostics, HY_E_CERTIFICATE_REJECTED, nowhere, "VER.Certificate (decision D64)",
              "please report it with both files; --certificates FILE writes the proofs down",
              "%s does not accept Halyard's certificates: %.*s", checker, (int)strcspn(said, "\n"), said);
    return HY_STATUS_DEFECT;
  case HY_CERTCHECK_STOPPED:
    hy_report(s->diagnostics, HY_E_CERTIFICATES_UNJUDGED, nowhere, "VER.Certificate (decision D64)", NULL, "%s: %s",
              checker, said);
    return HY_STATUS_UNDECIDED;
  case HY_CERTCHECK_ABSENT: break;
  }
  if (!s->options.recheck) {
    hy_reporter_print(s->reporter, "the certificates were not checked again: there is no halyard-certcheck beside "
                                   "this program\n");
    return HY_STATUS_FINE;
  }
  hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL,
            s->options.recheck_coq ? "./dev coq builds it beside halyard"
                                   : "install it beside halyard, or say with HALYARD_CERTCHECK=FILE where it is",
            "%s, which is to check the certificates, cannot be run", checker);
  return HY_STATUS_USAGE;
}

hy_status hy_certify_aside(hy_session *s, int index, const hy_pipeline *pipeline, hy_record *record) {
  hy_certificates *certificates = hy_certificates_new(s->context);
  size_t by_z3 = s->by_z3_alone, by_prover = s->by_prover_alone;
  s->by_z3_alone = s->by_prover_alone = 0;
  hy_status status = hy_certify(s, certificates, index, pipeline, record);
  status = hy_status_worse(status, recheck(s, certificates));
  s->by_z3_alone = by_z3, s->by_prover_alone = by_prover;
  hy_certificates_free(certificates);
  return status;
}

hy_status hy_certify_end(hy_session *s, hy_certificates *certificates) {
  if (!certificates) return HY_STATUS_FINE;
  size_t length;
  const char *text = hy_certificates_text(certificates, &length);
  hy_status status = HY_STATUS_FINE;
  if (s->options.certificates && !write_file(s, text, length)) status = HY_STATUS_USAGE;
  if (is_rechecked(s)) status = hy_status_worse(status, recheck(s, certificates));
  hy_certificates_free(certificates);
  return status;
}
