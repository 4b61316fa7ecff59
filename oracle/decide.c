#include "oracle/oracle.h"

#include "oracle/z3_check.h"

#include <stdlib.h>
#include <time.h>

const char *hy_verdict_name(hy_verdict verdict) {
  switch (verdict) {
  case HY_VERDICT_PROVED: return "PROVED";
  case HY_VERDICT_PROVED_Z3: return "PROVED-Z3";
  case HY_VERDICT_REFUTED: return "REFUTED";
  case HY_VERDICT_UNKNOWN: return "UNKNOWN";
  }
  HY_UNREACHABLE();
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *hy_oracle_print_model(hy_context *context, const hy_z3_verdict *v) {
  hy_text text = {0};
  for (size_t i = 0; i < v->model_count; i++) {
    if (i) hy_text_add(&text, ", ");
    hy_expr_print(v->model[i].unknown, &text);
    hy_text_printf(&text, " = %lld", (long long)v->model[i].value);
  }
  const char *line = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return line;
}

// Ours first; what it leaves over, or everything when cross-checking, goes to Z3.
static void settle(hy_decision *d, const hy_z3_verdict *z3, hy_context *context) {
  bool ours = d->verdict == HY_VERDICT_PROVED;
  if (z3->answer == HY_NO) {
    d->contested = ours;
    d->verdict = HY_VERDICT_REFUTED;
    d->model = hy_oracle_print_model(context, z3);
    d->values = z3->model;
    d->value_count = z3->model_count;
  } else if (!ours) {
    d->verdict = z3->answer == HY_YES ? HY_VERDICT_PROVED_Z3 : HY_VERDICT_UNKNOWN;
  }
}

static void ask_prover(hy_context *context, const hy_query *query, hy_decision *decisions, hy_oracle_report *report) {
  hy_prover *prover = hy_prover_new(context);
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    bool yes = o->decided_by_range || hy_prover_holds(prover, o->facts, o->fact_count, o->goal) == HY_YES;
    decisions[i] = (hy_decision){.obligation = o, .verdict = yes ? HY_VERDICT_PROVED : HY_VERDICT_UNKNOWN};
  }
  // Vacuous: the entry facts contradict each other (decision D62).
  const hy_expr *no = hy_expr_bool(context, false);
  report->vacuous = hy_prover_holds(prover, query->entry, query->entry_count, no) == HY_YES;
  hy_prover_free(prover);
}

static void ask_z3(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                   hy_decision *decisions) {
  hy_z3_question *questions = hy_allocate_zeroed(query->count, sizeof *questions);
  size_t *asked = hy_allocate_zeroed(query->count, sizeof *asked), count = 0;
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    bool open = decisions[i].verdict != HY_VERDICT_PROVED;
    if (o->decided_by_range || (!open && !options->cross_check)) continue;
    questions[count] = (hy_z3_question){o->facts, o->fact_count, o->goal};
    asked[count++] = i;
  }
  hy_z3_verdict *verdicts = hy_allocate_zeroed(count, sizeof *verdicts);
  if (count) hy_z3_check(context, questions, count, options->limit_ms, verdicts);
  for (size_t k = 0; k < count; k++) settle(&decisions[asked[k]], &verdicts[k], context);
  free(verdicts);
  free(questions);
  free(asked);
}

void hy_oracle_decide(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                      hy_oracle_report *report) {
  *report = (hy_oracle_report){0};
  double start = now();
  hy_decision *decisions = HY_NEW_ARRAY(hy_context_arena(context), hy_decision, query->count);
  ask_prover(context, query, decisions, report);
  ask_z3(context, query, options, decisions);
  report->decisions = decisions;
  report->count = query->count;
  for (size_t i = 0; i < query->count; i++) {
    report->proved += decisions[i].verdict == HY_VERDICT_PROVED;
    report->proved_z3 += decisions[i].verdict == HY_VERDICT_PROVED_Z3;
    report->refuted += decisions[i].verdict == HY_VERDICT_REFUTED;
    report->unknown += decisions[i].verdict == HY_VERDICT_UNKNOWN;
    report->contested += decisions[i].contested;
  }
  report->seconds = now() - start;
}
