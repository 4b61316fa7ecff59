// Lanes 2 and 3: the obligations of B(S), their certificates, and what halyard-certcheck says of them.

#include "fuzz/judge/judge_internal.h"

#include "oracle/certificate/certificates.h"
#include "oracle/certificate/recheck.h"
#include "semantics/tgt/defined.h"

#include <string.h>

// For each question to Z3: of lane 2, where a counterexample is found soon if there is one, and of lane 3. Certificates
// cost several times what deciding does: one pair in so many has them all.
enum { LEFT_OVER_MS = 30, CROSS_MS = 1000, CERTIFIED_ONE_IN = 8, PASSED_ONE_IN = 4 };

static void check_certificates(hy_judging *g, hy_certificates *all) {
  char said[HY_CERTCHECK_SAID];
  switch (hy_certcheck(all, NULL, said)) {
  case HY_CERTCHECK_ACCEPTED: g->j->certificates = (int)hy_certificates_count(all); return;
  case HY_CERTCHECK_REJECTED: hy_judging_find(g, HY_FOUND_REJECTED, "certificate", said); return;
  case HY_CERTCHECK_STOPPED:
  case HY_CERTCHECK_ABSENT: return;
  }
  HY_UNREACHABLE();
}

static void note_uncertified(hy_judging *g, const hy_obligation *obligation) {
  g->j->uncertified++;
  hy_judging_find(g, HY_FOUND_UNCERTIFIED, hy_obligation_rule(obligation->kind), obligation->about);
}

static void certify(hy_judging *g) {
  const hy_oracle_report *r = &g->pipeline.report;
  hy_certificates *all = hy_certificates_new(g->context);
  hy_text target = {0};
  hy_tgt_print(g->pipeline.filled, &target);
  hy_certified_program program = {"p", r->count, &target, NULL, NULL};
  hy_certificates_begin(all, &program);
  hy_text_free(&target);
  for (size_t i = 0; i < r->count; i++) {
    const hy_decision *d = &r->decisions[i];
    if (d->verdict != HY_VERDICT_PROVED)
      hy_certificates_add_open(all, "p", i + 1, d->obligation);
    else if (hy_certificates_add_decided(all, "p", i + 1, d->obligation, d->how) > 0)
      note_uncertified(g, d->obligation);
  }
  if (hy_certificates_count(all)) check_certificates(g, all);
  hy_certificates_free(all);
}

static void count_report(hy_judgement *j, const hy_oracle_report *r) {
  j->obligations = (int)r->count;
  j->proved = (int)r->proved;
  j->proved_z3 = (int)r->proved_z3;
  j->refuted = (int)r->refuted;
  j->unknown = (int)r->unknown;
  j->decide_seconds = r->seconds;
}

// What a plug-in claims is proved before B is asked (LVL, DIR.Plugin). If it is refuted, or the check ends early for
// another reason, there are no obligations: that is what was found, and nothing of B. On a busy machine a plug-in's lie
// may stay undecided at its own step and be refuted at a later one: it is the plug-in's all the same.
static void judge_early_end(hy_judging *g) {
  if (!g->pipeline.refuted_promise)
    hy_judging_find_said(g, HY_FOUND_REFUSED, g->said);
  else if (hy_judging_find_code(g, HY_FOUND_PROMISE, HY_E_PLUGIN_PROMISE, g->said) ||
           hy_judging_find_code(g, HY_FOUND_PROMISE, HY_E_BROKEN_PROMISE, g->said))
    hy_judging_blame(g, g->pipeline.blamed_promise);
}

// Nothing is refuted, but whether a plug-in keeps its promise stayed open.
static void judge_open_promise(hy_judging *g) {
  int step = g->pipeline.unknown_promise;
  if (step && hy_judging_find_code(g, HY_FOUND_UNDECIDED, HY_E_PROMISE_UNKNOWN, g->said)) hy_judging_blame(g, step);
}

/* -- folds that are too small -- */

static bool folds(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ALLOCATE) return hy_plan_folds(stmt->allocate.plan, stmt->allocate.func->rank);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (folds(children[i])) return true;
  return false;
}

// What B asks of folds alone.
static const hy_query *query_of_folds(hy_context *context, const hy_tgt *filled) {
  hy_query *query = HY_NEW(hy_context_arena(context), hy_query);
  *query = *hy_query_extract(context, filled);
  hy_obligation *kept = HY_NEW_ARRAY(hy_context_arena(context), hy_obligation, query->count);
  size_t count = 0;
  for (size_t i = 0; i < query->count; i++)
    if (query->obligations[i].kind == HY_B_FOLD) kept[count++] = query->obligations[i];
  query->obligations = kept;
  query->count = count;
  return query;
}

const char *hy_judging_open_fold(hy_context *context, const hy_tgt *filled, bool *refuted) {
  if (!folds(filled->body)) return NULL;
  hy_oracle_options options = {.z3_limit = LEFT_OVER_MS};
  hy_oracle_report r;
  hy_oracle_decide(context, query_of_folds(context, filled), &options, &r);
  if (r.vacuous || !(r.refuted + r.unknown)) return NULL;
  size_t i = 0;
  *refuted = r.refuted > 0;
  while (r.decisions[i].verdict != (*refuted ? HY_VERDICT_REFUTED : HY_VERDICT_UNKNOWN)) i++;
  return r.decisions[i].obligation->about;
}

bool hy_judging_refuses_fold(hy_judging *g) {
  bool refuted;
  const char *about = hy_judging_open_fold(g->context, g->pipeline.filled, &refuted);
  if (!about) return false;
  g->lane = HY_LANE_QUERY;
  hy_judging_find(g, refuted ? HY_FOUND_REFUSED : HY_FOUND_UNDECIDED, hy_obligation_rule(HY_B_FOLD), about);
  return true;
}

/* -- indices that divide by 0 -- */

typedef struct {
  hy_context *context;
  bool divides;
} unclamped;

static void see_risk(void *self, hy_risk risk) {
  unclamped *u = self;
  u->divides |= (risk.what & HY_RISK_DIVISOR) != 0;
}

static bool is_held(const hy_expr *index) {
  return index->kind == HY_EXPR_OP && (hy_op_kind_of(index->op) == HY_KIND_EXTREMUM || index->op == HY_OP_MOD);
}

static void see_index(void *self, const hy_expr *node) {
  unclamped *u = self;
  if (node->kind != HY_EXPR_ACCESS) return;
  hy_ranges *nothing_known = hy_ranges_new();
  for (int i = 0; i < node->count; i++)
    if (!is_held(node->args[i])) hy_defined_risks(u->context, nothing_known, node->args[i], see_risk, u);
  hy_ranges_free(nothing_known);
}

// Does an index of the algorithm divide by what may be 0, without a clamp around it? Where nothing but the quotient
// bounds what is read, it bounds the func that is read, and check refuses that with advice (B.Defined, docs/errors.md).
static bool divides_in_index(const hy_judging *g) {
  const hy_alg *alg = g->pipeline.alg;
  unclamped u = {g->context, false};
  for (int i = 0; i < alg->definition_count; i++)
    for (int k = 0; k < alg->definitions[i].stage_count; k++) {
      const hy_stage *stage = &alg->definitions[i].stages[k];
      hy_expr_visit(stage->rhs, see_index, &u);
      if (stage->predicate) hy_expr_visit(stage->predicate, see_index, &u);
    }
  return u.divides;
}

// On some input, perhaps one too large to be run, bounds are no numbers.
static bool bounds_err(const hy_judging *g, const hy_decision *d) {
  if (!d->model) return false;
  return d->obligation->kind == HY_B_FITS || (d->obligation->kind == HY_B_DEFINED && divides_in_index(g));
}

/* -- deciding -- */

void hy_judging_decide(hy_judging *g) {
  bool cross = g->lanes & HY_LANE_CROSS, tuned = g->lanes & HY_LANE_TUNE; // what tune writes has all certificates
  hy_oracle_options options = {.cross_check = cross, .z3_limit = cross ? CROSS_MS : LEFT_OVER_MS};
  g->lane = cross ? HY_LANE_CROSS : tuned ? HY_LANE_TUNE : HY_LANE_QUERY;
  hy_answer answer = hy_pipeline_check(&g->pipeline, &options, g->said);
  const hy_oracle_report *r = &g->pipeline.report;
  if (!g->pipeline.query) {
    judge_early_end(g);
    return;
  }
  count_report(g->j, r);
  hy_judging_asked(g);
  if (tuned || (g->lanes & HY_LANE_QUERY && (cross || g->c->seed % CERTIFIED_ONE_IN == 3))) certify(g);
  if (r->vacuous) hy_judging_find(g, HY_FOUND_VACUOUS, NULL, "the entry facts are unsatisfiable");
  if (r->contested) hy_judging_find_said(g, HY_FOUND_CONTESTED, g->said);
  if (answer == HY_YES && (cross || g->c->seed % PASSED_ONE_IN == 2)) hy_judging_passed(g, options.z3_limit);
  if (answer == HY_YES || r->vacuous) return;
  hy_verdict worst = r->refuted ? HY_VERDICT_REFUTED : HY_VERDICT_UNKNOWN;
  const hy_decision *first = NULL; // one that is not about 64 bits if there is one
  for (size_t i = 0; i < r->count; i++)
    if (r->decisions[i].verdict == worst && (!first || first->obligation->kind == HY_B_FITS)) first = &r->decisions[i];
  if (!r->refuted) judge_open_promise(g);
  if (!first) return;
  hy_found found = bounds_err(g, first) ? HY_FOUND_OVERFLOW : r->refuted ? HY_FOUND_REFUTED : HY_FOUND_UNDECIDED;
  hy_text text = {0};
  hy_diagnostics_print(g->said, &text);
  bool taken = hy_judging_find(g, found, hy_obligation_rule(first->obligation->kind), hy_text_string(&text));
  if (taken && found == HY_FOUND_REFUTED && g->pipeline.blamed_promise) hy_judging_blame(g, g->pipeline.blamed_promise);
  hy_text_free(&text);
}
