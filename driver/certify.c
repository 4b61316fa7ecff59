#include "driver/certify.h"

#include "driver/engine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  hy_session *session;
  hy_certificates *certificates;
  const char *name;
  const hy_obligation *obligation;
  size_t number; // of the obligation, from 1
  int part;      // of a B.Fits obligation
  size_t missing;
} certifier;

static void certify(certifier *c, const hy_expr *goal, const char *about) {
  const hy_obligation *o = c->obligation;
  char id[320];
  if (c->part)
    snprintf(id, sizeof id, "%.256s/%zu.%d", c->name, c->number, c->part);
  else
    snprintf(id, sizeof id, "%.256s/%zu", c->name, c->number);
  const char *rule = hy_obligation_rule(o->kind);
  if (hy_certificates_add(c->certificates, id, rule, about, o->facts, o->fact_count, goal)) return;
  c->missing++;
  hy_reporter_print(c->session->reporter, "  no certificate for %s, %s: %s\n", id, rule, about);
}

// B.Fits decided by numeric ranges: one certificate for every node of type int that is computed.
static void see_node(void *self, const hy_expr *node) {
  certifier *c = self;
  hy_context *context = c->session->context;
  if (node->kind != HY_EXPR_OP || node->type != HY_INT) return;
  const hy_expr *least = hy_expr_binary(context, HY_OP_GE, node, hy_expr_int(context, INT64_MIN));
  const hy_expr *most = hy_expr_binary(context, HY_OP_LE, node, hy_expr_int(context, INT64_MAX));
  c->part++;
  certify(c, hy_expr_and(context, least, most), c->obligation->about);
}

void hy_certify(hy_session *s, hy_certificates *certificates, const char *name, const hy_oracle_report *report,
                hy_record *record) {
  certifier c = {.session = s, .certificates = certificates, .name = name};
  size_t before = hy_certificates_count(certificates);
  for (size_t i = 0; i < report->count; i++) {
    c.obligation = report->decisions[i].obligation;
    c.number = i + 1;
    c.part = 0;
    if (report->decisions[i].verdict != HY_VERDICT_PROVED) continue;
    if (c.obligation->decided_by_range)
      hy_expr_visit(c.obligation->fitting, see_node, &c);
    else
      certify(&c, c.obligation->goal, c.obligation->about);
  }
  size_t count = hy_certificates_count(certificates) - before;
  hy_record_int(record, "certificates", (int64_t)count);
  hy_record_int(record, "without_certificate", (int64_t)c.missing);
  hy_reporter_print(s->reporter, "%s: %zu certificates, %zu missing\n", name, count, c.missing);
}

bool hy_certify_write(hy_session *s, hy_certificates *certificates) {
  size_t length;
  const char *text = hy_certificates_text(certificates, &length), *path = s->options.certificates;
  FILE *file = fopen(path, "wb");
  bool fine = file && fwrite(text, 1, length, file) == length;
  if (file && fclose(file) != 0) fine = false;
  if (!fine)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, (hy_loc){0}, NULL, NULL, "cannot write '%s': %s", path,
              strerror(errno));
  return fine;
}
