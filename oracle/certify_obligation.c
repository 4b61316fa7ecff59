#include "bounds/query.h"
#include "oracle/certificates.h"
#include "oracle/generalize.h"

#include <stdio.h>

typedef struct {
  hy_certificates *certificates;
  const char *name;
  size_t number, part, missing;
  const hy_obligation *obligation;
} obligation_walk;

static void add_goal(obligation_walk *w, const char *about, const hy_expr *goal) {
  const hy_obligation *o = w->obligation;
  char id[320];
  if (w->part)
    snprintf(id, sizeof id, "%.256s/%zu.%zu", w->name, w->number, w->part);
  else
    snprintf(id, sizeof id, "%.256s/%zu", w->name, w->number);
  for (char *at = id; *at; at++)
    if (*at == ' ') *at = '_';
  const char *rule = hy_obligation_rule(o->kind);
  if (HY_MUTANT(D64_Other_Facts)) goal = hy_expr_bool(hy_certificates_context(w->certificates), true);
  if (hy_certificates_add(w->certificates, id, rule, about, o->facts, o->fact_count, goal)) return;
  hy_general_question general; // what is proved in its place says so
  hy_context *context = hy_certificates_context(w->certificates);
  for (int hulls = 0; hulls < 2; hulls++) {
    if (!hy_generalize(context, hulls, o->facts, o->fact_count, goal, &general)) continue;
    const char *wider =
        hy_arena_printf(hy_context_arena(context), "%s (for any %s)", about, hulls ? "hulls" : "divisors");
    if (hy_certificates_add(w->certificates, id, rule, wider, general.facts, general.fact_count, general.goal)) return;
  }
  w->missing++;
}

static void see_number(void *self, const hy_expr *node) {
  obligation_walk *w = self;
  hy_context *context = hy_certificates_context(w->certificates);
  if (node->kind != HY_EXPR_OP || node->type != HY_INT) return;
  const hy_expr *least = hy_expr_binary(context, HY_OP_GE, node, hy_expr_int(context, INT64_MIN));
  const hy_expr *most = hy_expr_binary(context, HY_OP_LE, node, hy_expr_int(context, INT64_MAX));
  w->part++;
  add_goal(w, w->obligation->about, hy_expr_and(context, least, most));
}

size_t hy_certificates_add_obligation(hy_certificates *c, const char *name, size_t number,
                                      const hy_obligation *obligation) {
  obligation_walk w = {.certificates = c, .name = name, .number = number, .obligation = obligation};
  hy_context *context = hy_certificates_context(c);
  if (obligation->decided_by_range) hy_expr_visit(obligation->fitting, see_number, &w);
  if (obligation->decided_by_range && !w.part) { // literals and variables are 64 bits wide as they are
    const char *about = hy_arena_printf(hy_context_arena(context), "%s (nothing is computed)", obligation->about);
    add_goal(&w, about, hy_expr_bool(context, true));
  }
  if (!obligation->decided_by_range) add_goal(&w, obligation->about, obligation->goal);
  return w.missing;
}
