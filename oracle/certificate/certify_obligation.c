/* The certificates of one obligation: "NAME/NUMBER", or one for each number that is computed where numeric ranges have
 * decided that they fit (B.Fits), since the checker knows nothing of ranges.
 *
 * A goal is tried as the obligation was proved, then as it stands and by all stronger statements (generalize.h), then,
 * unless ranges have decided it, with patience. hy_certificates_claim states the same goals without proofs: what a file
 * has to say.
 */

#include "bounds/query.h"
#include "oracle/certificate/certificates.h"

typedef struct {
  hy_certificates *certificates;
  const char *name;
  size_t number, part, missing;
  const hy_obligation *obligation;
  hy_generalization how;          // tried first
  hy_certificates_choose *choose; // to state it without a proof; NULL: with one
  void *self;
} obligation_walk;

static bool add(const obligation_walk *w, const char *id, const char *about, const hy_expr *goal,
                hy_generalization what) {
  const hy_obligation *o = w->obligation;
  const char *rule = hy_obligation_rule(o->kind);
  hy_context *context = hy_certificates_context(w->certificates);
  hy_general_question general;
  if (what == HY_AS_IT_STANDS)
    return hy_certificates_add(w->certificates, id, rule, about, o->facts, o->fact_count, goal);
  if (!hy_generalize(context, what, o->facts, o->fact_count, goal, &general)) return false;
  about = hy_arena_printf(hy_context_arena(context), "%s (for %s)", about, hy_generalization_name(what));
  return hy_certificates_add(w->certificates, id, rule, about, general.facts, general.fact_count, general.goal);
}

static bool add_any_way(const obligation_walk *w, const char *id, const char *about, const hy_expr *goal) {
  bool added = add(w, id, about, goal, w->how);
  for (hy_generalization what = HY_AS_IT_STANDS; what <= HY_NAMED_ALL && !added; what++)
    added = what != w->how && add(w, id, about, goal, what);
  return added;
}

// What stays open at a usual look gets a long one by a prover that has seen nothing else, as in hy_oracle_decide.
static bool add_patiently(const obligation_walk *w, const char *id, const char *about, const hy_expr *goal) {
  bool added = add_any_way(w, id, about, goal);
  for (int patience = 1; patience < 3 && !added; patience++) {
    hy_certificates_persist(w->certificates, patience);
    added = add_any_way(w, id, about, goal);
    hy_certificates_persist(w->certificates, 0);
  }
  return added;
}

// What arithmetic on ranges has shown is easy to prove, or hard: first short looks from all sides, then a long one;
// once, as the same number is computed in many places.
static bool add_number(const obligation_walk *w, const char *id, const char *about, const hy_expr *goal) {
  hy_certificates_shorten(w->certificates, true);
  bool added = add_any_way(w, id, about, goal);
  hy_certificates_shorten(w->certificates, false);
  if (added || hy_certificates_gave_up(w->certificates, goal)) return added;
  added = add(w, id, about, goal, HY_AS_IT_STANDS);
  if (!added) hy_certificates_give_up(w->certificates, goal);
  return added;
}

static void state(obligation_walk *w, const char *id, const char *about, const hy_expr *goal) {
  const hy_obligation *o = w->obligation;
  const char *rule = hy_obligation_rule(o->kind);
  hy_context *context = hy_certificates_context(w->certificates);
  hy_generalization what = w->choose(w->self, about);
  hy_general_question general = {(const hy_expr **)o->facts, o->fact_count, goal};
  if (what != HY_AS_IT_STANDS && hy_generalize(context, what, o->facts, o->fact_count, goal, &general))
    about = hy_arena_printf(hy_context_arena(context), "%s (for %s)", about, hy_generalization_name(what));
  hy_certificates_state(w->certificates, id, rule, about, general.facts, general.fact_count, general.goal);
}

static void add_goal(obligation_walk *w, const char *about, const hy_expr *goal) {
  char id[HY_CERTIFICATE_ID];
  hy_certificates_id(w->name, w->number, w->part, id);
  if (w->choose) {
    state(w, id, about, goal);
    return;
  }
  bool added = w->obligation->decided_by_range ? add_number(w, id, about, goal) : add_patiently(w, id, about, goal);
  if (!added) hy_certificates_leave_open(w->certificates, id, hy_obligation_rule(w->obligation->kind), about);
  w->missing += !added;
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

static void add_goals(obligation_walk *w) {
  const hy_obligation *obligation = w->obligation;
  hy_context *context = hy_certificates_context(w->certificates);
  if (obligation->decided_by_range) hy_expr_visit(obligation->fitting, see_number, w);
  if (obligation->decided_by_range && !w->part) { // literals and variables are 64 bits wide as they are
    const char *about = hy_arena_printf(hy_context_arena(context), "%s (nothing is computed)", obligation->about);
    add_goal(w, about, hy_expr_bool(context, true));
  }
  if (!obligation->decided_by_range) add_goal(w, obligation->about, obligation->goal);
}

size_t hy_certificates_add_decided(hy_certificates *c, const char *name, size_t number, const hy_obligation *obligation,
                                   hy_generalization how) {
  obligation_walk w = {.certificates = c, .name = name, .number = number, .obligation = obligation, .how = how};
  add_goals(&w);
  return w.missing;
}

void hy_certificates_claim(hy_certificates *c, const char *name, size_t number, const hy_obligation *obligation,
                           hy_certificates_choose *choose, void *self) {
  obligation_walk w = {.certificates = c, .name = name, .number = number, .obligation = obligation, .choose = choose};
  w.self = self;
  add_goals(&w);
}

size_t hy_certificates_add_obligation(hy_certificates *c, const char *name, size_t number,
                                      const hy_obligation *obligation) {
  return hy_certificates_add_decided(c, name, number, obligation, HY_AS_IT_STANDS);
}

void hy_certificates_add_open(hy_certificates *c, const char *name, size_t number, const hy_obligation *obligation) {
  char id[HY_CERTIFICATE_ID];
  hy_certificates_id(name, number, 0, id);
  hy_certificates_leave_open(c, id, hy_obligation_rule(obligation->kind), obligation->about);
}
