#include "oracle/oracle.h"

#include "oracle/generalize.h"
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

void hy_oracle_settle(hy_context *context, hy_decision *d, const hy_z3_verdict *z3) {
  bool ours = d->verdict == HY_VERDICT_PROVED;
  if (d->verdict == HY_VERDICT_REFUTED) { // at a point that was evaluated
    d->contested = z3->answer == HY_YES;
    return;
  }
  if (z3->answer == HY_NO) {
    if (ours && HY_MUTANT(PRV_Z3_Overruled)) return;
    d->contested = ours;
    d->verdict = HY_VERDICT_REFUTED;
    d->model = hy_oracle_print_model(context, z3);
    d->values = z3->model;
    d->value_count = z3->model_count;
  } else if (!ours) {
    d->verdict = z3->answer == HY_YES || HY_MUTANT(D58_Unknown_Is_Yes) ? HY_VERDICT_PROVED_Z3 : HY_VERDICT_UNKNOWN;
  }
}

// As it stands, else with its compound divisors, or all of its hulls, replaced by unknowns.
static bool is_proved(hy_context *context, hy_prover *prover, const hy_obligation *o) {
  hy_general_question general;
  hy_answer answer = hy_prover_holds(prover, o->facts, o->fact_count, o->goal);
  for (int hulls = 0; hulls < 2 && answer == HY_UNKNOWN; hulls++)
    if (hy_generalize(context, hulls, o->facts, o->fact_count, o->goal, &general) &&
        hy_prover_holds(prover, general.facts, general.fact_count, general.goal) == HY_YES)
      return true;
  return answer == HY_YES;
}

// VER.Dead: it holds for nothing, because its place is never reached; it is listed (decision D62).
static bool is_dead(hy_prover *prover, const hy_obligation *o) {
  return hy_obligation_speaks_of_its_place(o) && hy_prover_contradictory(prover, o->facts, o->fact_count);
}

bool hy_oracle_sample(hy_context *context, hy_prover *prover, const hy_obligation *o, hy_z3_verdict *verdict) {
  enum { MOST_VALUES = 64 };
  hy_prover_value values[MOST_VALUES];
  size_t count;
  if (!hy_prover_counterexample(prover, o->facts, o->fact_count, o->goal, values, MOST_VALUES, &count)) return false;
  hy_z3_value *model = HY_NEW_ARRAY(hy_context_arena(context), hy_z3_value, count + 1);
  for (size_t i = 0; i < count; i++) model[i] = (hy_z3_value){values[i].unknown, values[i].value};
  *verdict = (hy_z3_verdict){.answer = HY_NO, .model = model, .model_count = count};
  return true;
}

static void take_counterexample(hy_context *context, hy_prover *prover, hy_decision *d) {
  hy_z3_verdict verdict;
  if (!hy_oracle_sample(context, prover, d->obligation, &verdict)) return;
  d->verdict = HY_VERDICT_REFUTED;
  d->model = hy_oracle_print_model(context, &verdict);
  d->values = verdict.model;
  d->value_count = verdict.model_count;
}

enum { MOST_OVERFLOWS = 3, MANY_OPEN = 24 };

static bool is_hasty(const hy_oracle_options *options) {
  return !options->cross_check && options->limit_ms < HY_HASTY_MS;
}

static void ask_prover(hy_context *context, const hy_query *query, hy_decision *decisions, hy_oracle_report *report) {
  hy_prover *prover = hy_prover_new(context);
  int overflows = 0; // what is refused for one of them is refused for all
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    hy_decision *d = &decisions[i];
    hy_prover_shorten(prover, o->kind == HY_B_FITS && overflows >= MOST_OVERFLOWS);
    *d = (hy_decision){.obligation = o, .verdict = HY_VERDICT_UNKNOWN};
    if (o->decided_by_range || is_proved(context, prover, o)) {
      d->verdict = HY_VERDICT_PROVED;
      d->dead = is_dead(prover, o);
    } else {
      take_counterexample(context, prover, d);
      overflows += o->kind == HY_B_FITS;
    }
  }
  // VER.Vacuous: the entry facts contradict each other (decision D62).
  const hy_expr *no = hy_expr_bool(context, false);
  report->vacuous =
      !HY_MUTANT(D62_Never_Vacuous) && hy_prover_holds(prover, query->entry, query->entry_count, no) == HY_YES;
  if (report->vacuous) hy_context_hit(context, HY_RULE_VER_VACUOUS);
  hy_prover_free(prover);
}

static void ask_z3(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                   hy_decision *decisions) {
  hy_z3_question *questions = hy_allocate_zeroed(query->count, sizeof *questions);
  size_t *asked = hy_allocate_zeroed(query->count, sizeof *asked), count = 0;
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    bool open = decisions[i].verdict == HY_VERDICT_UNKNOWN;
    if (o->decided_by_range || (!open && !options->cross_check)) continue;
    questions[count] = (hy_z3_question){o->facts, o->fact_count, o->goal};
    asked[count++] = i;
  }
  hy_z3_verdict *verdicts = hy_allocate_zeroed(count, sizeof *verdicts);
  if (is_hasty(options) && count > MANY_OPEN) count = MANY_OPEN;
  if (count) hy_z3_check(context, questions, count, options->limit_ms, verdicts);
  for (size_t k = 0; k < count; k++) hy_oracle_settle(context, &decisions[asked[k]], &verdicts[k]);
  free(verdicts);
  free(questions);
  free(asked);
}

// VER.Proved, VER.Proved-Z3, VER.Refuted, VER.Unknown: unknown is never read as yes.
static void count_verdict(hy_context *context, hy_verdict verdict) {
  switch (verdict) {
  case HY_VERDICT_PROVED: hy_context_hit(context, HY_RULE_VER_PROVED); return;
  case HY_VERDICT_PROVED_Z3: hy_context_hit(context, HY_RULE_VER_PROVED_Z3); return;
  case HY_VERDICT_REFUTED: hy_context_hit(context, HY_RULE_VER_REFUTED); return;
  case HY_VERDICT_UNKNOWN: hy_context_hit(context, HY_RULE_VER_UNKNOWN); return;
  }
  HY_UNREACHABLE();
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
    count_verdict(context, decisions[i].verdict);
    report->proved += decisions[i].verdict == HY_VERDICT_PROVED;
    report->proved_z3 += decisions[i].verdict == HY_VERDICT_PROVED_Z3;
    report->refuted += decisions[i].verdict == HY_VERDICT_REFUTED;
    report->unknown += decisions[i].verdict == HY_VERDICT_UNKNOWN;
    report->contested += decisions[i].contested;
    report->dead += decisions[i].dead;
  }
  if (report->dead) hy_context_hit(context, HY_RULE_VER_DEAD);
  report->seconds = now() - start;
}

hy_answer hy_oracle_accepts(hy_context *context, const hy_query *query) {
  hy_prover *prover = hy_prover_new(context);
  hy_answer answer = HY_YES;
  if (hy_prover_holds(prover, query->entry, query->entry_count, hy_expr_bool(context, false)) == HY_YES)
    answer = HY_UNKNOWN;
  for (size_t i = 0; i < query->count && answer == HY_YES; i++) {
    hy_decision d = {.obligation = &query->obligations[i], .verdict = HY_VERDICT_UNKNOWN};
    if (d.obligation->decided_by_range || is_proved(context, prover, d.obligation)) continue;
    take_counterexample(context, prover, &d);
    answer = d.verdict == HY_VERDICT_REFUTED ? HY_NO : HY_UNKNOWN;
  }
  hy_prover_free(prover);
  return answer;
}
