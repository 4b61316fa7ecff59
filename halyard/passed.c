#include "halyard/passed.h"

#include "passes/passes.h"
#include "sched/sched.h"

#include <string.h>

// May it stand where programs stand?
static bool is_good(const hy_pipeline *p, const hy_tgt *passed) {
  hy_diagnostics *said = hy_diagnostics_new();
  bool good = hy_tgt_verify(p->context, passed, said) &&
              hy_sched_legal(p->context, passed, p->core, p->core_count, p->loc, said) &&
              hy_sched_extents(p->context, passed, p->core, p->core_count, p->loc, said);
  hy_diagnostics_free(said);
  return good;
}

// Is it the program before, in pieces? What a specialization says of parameters is put in first.
static bool is_cut_from(const hy_pipeline *p, const hy_tgt *passed) {
  const hy_tgt *before = hy_tgt_whole(p->context, hy_pass_specialize(p->context, p->filled));
  return hy_stmt_alike(p->context, before->body, hy_tgt_whole(p->context, passed)->body);
}

static bool same_question(const hy_obligation *a, const hy_obligation *b) {
  if (a->kind != b->kind || a->goal != b->goal || a->fitting != b->fitting) return false;
  if (a->decided_by_range != b->decided_by_range || a->fact_count != b->fact_count) return false;
  return a->facts == b->facts || memcmp(a->facts, b->facts, sizeof *a->facts * a->fact_count) == 0;
}

// How many obligations of the passed program, from the first on, are those of the one before; all or nothing.
static size_t decided_before(const hy_pipeline *p, const hy_query *query) {
  size_t count = p->report.count;
  if (count > query->count) return 0;
  for (size_t i = 0; i < count; i++)
    if (!same_question(p->report.decisions[i].obligation, &query->obligations[i])) return 0;
  return count;
}

static void add_up(hy_oracle_report *r) {
  for (size_t i = 0; i < r->count; i++) {
    const hy_decision *d = &r->decisions[i];
    r->proved += d->verdict == HY_VERDICT_PROVED;
    r->proved_z3 += d->verdict == HY_VERDICT_PROVED_Z3;
    r->refuted += d->verdict == HY_VERDICT_REFUTED;
    r->unknown += d->verdict == HY_VERDICT_UNKNOWN;
    r->contested += d->contested;
    r->dead += d->dead;
  }
}

static void decide(const hy_pipeline *p, const hy_oracle_options *options, const hy_query *query, hy_passed *passed) {
  size_t known = decided_before(p, query);
  hy_query rest = *query;
  rest.obligations += known;
  rest.count -= known;
  passed->fresh = rest.count;
  hy_oracle_report report;
  hy_oracle_decide(p->context, &rest, options, &report);
  hy_decision *all = HY_NEW_ARRAY(hy_context_arena(p->context), hy_decision, query->count + 1);
  for (size_t i = 0; i < known; i++) {
    all[i] = p->report.decisions[i];
    all[i].obligation = &query->obligations[i];
  }
  if (report.count) memcpy(all + known, report.decisions, sizeof *all * report.count);
  passed->report = (hy_oracle_report){.decisions = all,
                                      .count = query->count,
                                      .vacuous = report.vacuous,
                                      .emergencies = report.emergencies,
                                      .seconds = report.seconds};
  add_up(&passed->report);
}

hy_answer hy_passed_prove(hy_pipeline *p, const hy_oracle_options *options, hy_passed *passed) {
  *passed = (hy_passed){.program = hy_passes(p->context, p->filled, NULL, NULL)};
  if (passed->program == p->filled) return HY_YES;
  if (!is_good(p, passed->program) || !is_cut_from(p, passed->program)) return HY_NO;
  decide(p, options, hy_query_extract(p->context, passed->program), passed);
  if (passed->report.refuted || passed->report.contested || passed->report.vacuous) return HY_NO;
  return passed->report.unknown ? HY_UNKNOWN : HY_YES;
}

const hy_tgt *hy_passed_believed(hy_pipeline *p) {
  hy_passed passed;
  hy_oracle_options options = {.cross_check = false};
  bool is_written_by_hand = !p->alg->definition_count;
  if (!is_written_by_hand || !p->query) return hy_passes(p->context, p->filled, NULL, NULL);
  return hy_passed_prove(p, &options, &passed) == HY_YES ? passed.program : p->filled;
}
