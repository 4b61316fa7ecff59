#include "driver/certify.h"

#include "driver/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void hy_certify(hy_session *s, hy_certificates *certificates, const char *name, const hy_oracle_report *report,
                hy_record *record) {
  size_t before = hy_certificates_count(certificates), missing = 0;
  for (size_t i = 0; i < report->count; i++) {
    const hy_obligation *o = report->decisions[i].obligation;
    if (report->decisions[i].verdict != HY_VERDICT_PROVED) continue;
    size_t failed = hy_certificates_add_obligation(certificates, name, i + 1, o);
    missing += failed;
    if (failed) hy_reporter_print(s->reporter, "  no certificate for %s: %s\n", hy_obligation_rule(o->kind), o->about);
  }
  size_t count = hy_certificates_count(certificates) - before;
  hy_record_int(record, "certificates", (int64_t)count);
  hy_record_int(record, "without_certificate", (int64_t)missing);
  hy_reporter_print(s->reporter, "%s: %zu certificates, %zu missing\n", name, count, missing);
}

bool hy_certify_write(hy_session *s, hy_certificates *certificates) {
  size_t length;
  const char *text = hy_certificates_text(certificates, &length), *path = s->options.certificates;
  bool fine = hy_whole_file_write(path, text, length);
  if (!fine)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, (hy_loc){0}, NULL, NULL, "cannot write '%s': %s", path,
              strerror(errno));
  return fine;
}
