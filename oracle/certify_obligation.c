#include "bounds/query.h"
#include "oracle/certificates.h"

#include <stdio.h>

typedef struct {
  hy_certificates *certificates;
  const char *name;
  size_t number, part, missing;
  const hy_obligation *obligation;
} obligation_walk;

static void add_goal(obligation_walk *w, const hy_expr *goal) {
  const hy_obligation *o = w->obligation;
  char id[320];
  if (w->part)
    snprintf(id, sizeof id, "%.256s/%zu.%zu", w->name, w->number, w->part);
  else
    snprintf(id, sizeof id, "%.256s/%zu", w->name, w->number);
  for (char *at = id; *at; at++)
    if (*at == ' ') *at = '_';
  const char *rule = hy_obligation_rule(o->kind);
  if (!hy_certificates_add(w->certificates, id, rule, o->about, o->facts, o->fact_count, goal)) w->missing++;
}

static void see_number(void *self, const hy_expr *node) {
  obligation_walk *w = self;
  hy_context *context = hy_certificates_context(w->certificates);
  if (node->kind != HY_EXPR_OP || node->type != HY_INT) return;
  const hy_expr *least = hy_expr_binary(context, HY_OP_GE, node, hy_expr_int(context, INT64_MIN));
  const hy_expr *most = hy_expr_binary(context, HY_OP_LE, node, hy_expr_int(context, INT64_MAX));
  w->part++;
  add_goal(w, hy_expr_and(context, least, most));
}

size_t hy_certificates_add_obligation(hy_certificates *c, const char *name, size_t number,
                                      const hy_obligation *obligation) {
  obligation_walk w = {.certificates = c, .name = name, .number = number, .obligation = obligation};
  if (obligation->decided_by_range)
    hy_expr_visit(obligation->fitting, see_number, &w);
  else
    add_goal(&w, obligation->goal);
  return w.missing;
}
