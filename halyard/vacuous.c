#include "halyard/vacuous.h"

#include "semantics/base/vec.h"

typedef HY_VEC(const hy_expr *) expr_list;

// The first condition with which no input is left; NULL: not one of them alone can be told.
static const hy_stmt *find_culprit(hy_pipeline *p, unsigned z3_limit) {
  expr_list facts = {0};
  const hy_alg *alg = p->filled->alg;
  const hy_expr *one = hy_expr_int(p->context, 1);
  hy_prover *prover = hy_prover_new(p->context);
  const hy_stmt *culprit = NULL;
  for (int d = 0; alg->output_count == 1 && d < alg->window_rank; d++) // an empty window returns at once (D11)
    hy_vec_push(&facts, hy_expr_binary(p->context, HY_OP_GE, hy_expr_var(p->context, alg->window_len[d]), one));
  for (int i = 0; i < p->filled->entry_count && !culprit; i++) {
    hy_vec_push(&facts, p->filled->entry[i]->assume.condition);
    if (hy_oracle_contradictory(p->context, prover, facts.data, facts.count, z3_limit)) culprit = p->filled->entry[i];
  }
  hy_prover_free(prover);
  hy_vec_free(&facts);
  return culprit;
}

static const char *help_for(const hy_stmt *culprit) {
  switch (culprit->assume.why) {
  case HY_ASSUME_RDOM: return "an rdom is (min, len): give it a length that is not negative";
  case HY_ASSUME_FACTOR: return "give a split factor that is at least 1 for some input";
  case HY_ASSUME_IMAGE:
    return "no image reaches so far: bound the index with clamp, and a divisor in it with max(1, n)";
  case HY_ASSUME_BOUND: return "give bounds that are defined and not negative for some input";
  case HY_ASSUME_RANGE:
  case HY_ASSUME_PARAM:
  case HY_ASSUME_REQUIRE:
  case HY_ASSUME_WINDOW:
  case HY_ASSUME_NEED:
  case HY_ASSUME_LENGTH:
  case HY_ASSUME_UNDECIDED:
  case HY_ASSUME_CONSTRAIN: break;
  }
  return "change the condition, or one of those before it";
}

// Where the text requires it: the same place for every schedule. False: it is no "require".
static bool is_required(const hy_pipeline *p, const hy_stmt *culprit, hy_loc *loc) {
  const hy_alg *alg = p->filled->alg;
  for (int i = 0; i < alg->requirement_count && culprit->assume.why == HY_ASSUME_REQUIRE; i++) {
    const hy_loc place = alg->requirements[i].loc;
    if (alg->requirements[i].condition == culprit->assume.condition && place.source) return *loc = place, true;
  }
  return false;
}

void hy_vacuous_report(hy_pipeline *p, unsigned z3_limit, hy_diagnostics *diagnostics) {
  const hy_stmt *culprit = find_culprit(p, z3_limit);
  if (!culprit) {
    hy_report(diagnostics, HY_E_VACUOUS, p->loc, "decision D62", "the rdom extents or factors exclude every input",
              "the entry conditions can never hold together, so nothing would ever run");
    return;
  }
  hy_text condition = {0};
  hy_expr_print(culprit->assume.condition, &condition);
  const hy_func *subject = culprit->assume.subject;
  hy_loc loc = hy_stmt_loc(culprit, subject ? subject->loc : p->loc);
  if (!loc.source) loc = p->loc;
  is_required(p, culprit, &loc);
  hy_report(diagnostics, HY_E_VACUOUS, loc, "decision D62", help_for(culprit),
            "nothing would ever run: no input meets the entry condition%s%s%s: %s", subject ? " on '" : "",
            subject ? subject->name : "", subject ? "'" : "", hy_text_string(&condition));
  hy_text_free(&condition);
}
