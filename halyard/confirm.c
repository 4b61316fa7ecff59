#include "halyard/confirm.h"

#include "halyard/minimise.h"
#include "halyard/replay.h"

#include <stdlib.h>
#include <string.h>

// For all decisions together: steps of Z3, and runs in vain. What comes later stays without a run, so it is UNKNOWN.
enum { CONFIRM_STEPS = 1000 * HY_Z3_STEPS, MOST_VAIN = 12 };

typedef struct {
  hy_pipeline *pipeline;
  unsigned z3_limit;
  uint64_t budget;
  int vain;
} confirming;

static bool breaks(const confirming *c, const hy_decision *d) { return hy_replay(c->pipeline, d).seen != NULL; }

// An obligation may be given fewer facts than hold: here are all of them.
static hy_z3_verdict ask_with_entry(const confirming *c, const hy_obligation *o) {
  const hy_query *query = c->pipeline->query;
  hy_z3_verdict verdict;
  const hy_expr **facts = hy_allocate(sizeof *facts * (o->fact_count + query->entry_count + 1));
  if (o->fact_count) memcpy(facts, o->facts, sizeof *facts * o->fact_count);
  if (query->entry_count) memcpy(facts + o->fact_count, query->entry, sizeof *facts * query->entry_count);
  hy_z3_question question = {facts, o->fact_count + query->entry_count, o->goal};
  hy_z3_check(c->pipeline->context, &question, 1, c->z3_limit, &verdict);
  hy_free(facts);
  return verdict;
}

static void take_model(const confirming *c, hy_decision *d, const hy_z3_verdict *z3) {
  d->model = hy_oracle_print_model(c->pipeline->context, z3);
  d->values = z3->model;
  d->value_count = z3->model_count;
}

// As it was found; then a model of all facts; then a small one.
static hy_verdict confirm(confirming *c, hy_decision *d) {
  if (c->vain >= MOST_VAIN) return HY_VERDICT_UNKNOWN;
  if (breaks(c, d)) return HY_VERDICT_REFUTED;
  hy_z3_verdict z3 = ask_with_entry(c, d->obligation);
  if (z3.answer == HY_YES) return HY_VERDICT_PROVED_Z3;
  hy_decision found = *d;
  if (z3.answer == HY_NO) take_model(c, &found, &z3);
  hy_decision small = hy_minimise(c->pipeline->context, c->pipeline->query, &found, c->z3_limit, &c->budget);
  bool broken = breaks(c, &small);
  if (!broken && z3.answer == HY_NO && breaks(c, &found)) broken = true, small = found;
  if (broken) *d = small;
  c->vain += !broken;
  return broken ? HY_VERDICT_REFUTED : HY_VERDICT_UNKNOWN;
}

void hy_confirm(hy_pipeline *p, unsigned z3_limit) {
  confirming c = {.pipeline = p, .z3_limit = z3_limit, .budget = CONFIRM_STEPS};
  hy_oracle_report *r = &p->report;
  if (!r->refuted) return;
  hy_decision *decisions = HY_NEW_ARRAY(hy_context_arena(p->context), hy_decision, r->count);
  memcpy(decisions, r->decisions, sizeof *decisions * r->count);
  for (size_t i = 0; i < r->count; i++) {
    hy_decision *d = &decisions[i];
    if (d->verdict != HY_VERDICT_REFUTED || d->contested) continue; // what is contested is a defect, whoever is right
    d->verdict = confirm(&c, d);
    r->refuted -= d->verdict != HY_VERDICT_REFUTED;
    r->proved_z3 += d->verdict == HY_VERDICT_PROVED_Z3;
    r->unknown += d->verdict == HY_VERDICT_UNKNOWN;
    if (d->verdict == HY_VERDICT_PROVED_Z3) d->model = NULL, d->values = NULL, d->value_count = 0;
  }
  r->decisions = decisions;
}
