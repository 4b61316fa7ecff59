// Lane 2, for one pair in so many: other bounds than the oracle's. Every member of BI(S) is memory safe, and its run
// has the algorithm's output (lemmas 7.5 and 7.6, executed): narrower and wider boxes and loops, shifted ones, entry
// checks that ask for less. B decides which of them are members; a run that breaks where B has proved is B's fault, the
// oracle has no part in it.

#include "fuzz/change/alter.h"
#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "semantics/tgt/range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALTERED_ONE_IN = 2, ALTERATIONS = 2, ERRING_ALTERATIONS = 6 };

// Says what is broken; NULL: nothing on this input.
static const char *broken_by(hy_judging *g, const hy_tgt *altered, int index, hy_text *story) {
  const char *broken = NULL;
  hy_outcome want = hy_engine_alg(g->context, g->pipeline.meaning, &g->input, false, HY_RUN_STEPS);
  if (want.status != HY_RAN) {
    hy_outcome_free(&want);
    return NULL;
  }
  uint64_t order = index == 1 ? 0 : hy_splitmix(g->c->inputs[index].seed, 3) | 1;
  hy_outcome got = hy_engine_tgt(g->context, altered, &g->input, order, HY_LONG_STEPS);
  if (got.status == HY_RUN_CONTRACT) {
    broken = got.contract;
    hy_text_printf(story, "the run: %s: %s", got.contract, got.story ? got.story : "");
  } else if (got.status == HY_RAN) {
    g->j->runs++;
    broken = hy_judging_output_differs(g, &want, &got, true, story);
  }
  hy_outcome_free(&got);
  hy_outcome_free(&want);
  return broken;
}

// The first input that breaks it; -1 = none.
static int find_breaking(hy_judging *g, const hy_tgt *altered, const char **broken, hy_text *story) {
  int found = -1;
  for (int i = 0; i < g->c->input_count && found < 0; i++) {
    if (hy_judging_open(g, altered, &g->c->inputs[i])) {
      *broken = broken_by(g, altered, i, story);
      if (*broken) found = i;
    }
    hy_judging_close(g);
  }
  return found;
}

// Is there a specialization whose condition may err, which counts as false (decision D27)?
static bool may_err(hy_ranges *ranges, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  bool is_choice = stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE;
  bool errs = is_choice && !hy_ranges_total(ranges, stmt->branch.condition);
  for (int i = 0; i < count && !errs; i++) errs = may_err(ranges, children[i]);
  return errs;
}

static bool is_legal(hy_judging *g, const hy_tgt *altered) {
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_pipeline *p = &g->pipeline;
  bool legal = hy_sched_extents(g->context, altered, p->core, p->core_count, p->loc, said);
  hy_diagnostics_free(said);
  return legal;
}

static void judge(hy_judging *g, const hy_tgt *altered, const char *line) {
  hy_text story = {0};
  const char *broken = NULL;
  int input = find_breaking(g, altered, &broken, &story);
  hy_answer answer = hy_oracle_accepts(g->context, hy_query_extract(g->context, altered), &g->pipeline.report);
  g->j->altered++;
  g->j->altered_proved += answer == HY_YES;
  g->j->altered_refuted += answer == HY_NO;
  g->j->altered_broke += answer == HY_NO && broken;
  if (broken && answer == HY_YES && g->j->found < HY_FOUND_UNSOUND) {
    hy_text detail = {0};
    hy_text_printf(&detail, "B proves all obligations of other bounds: %s\n%s", line, hy_text_string(&story));
    hy_judging_find(g, HY_FOUND_UNSOUND, broken, hy_text_string(&detail));
    g->j->input = input;
    snprintf(g->j->altered_line, sizeof g->j->altered_line, "%s", line);
    hy_text_free(&detail);
  }
  hy_text_free(&story);
}

void hy_judging_alter(hy_judging *g) {
  const hy_pipeline *p = &g->pipeline;
  const hy_tgt *scheduled = p->steps[p->step_count - 1];
  bool named = *g->altered;
  hy_ranges *ranges = hy_ranges_new();
  bool errs = may_err(ranges, p->filled->body); // few pairs have such conditions
  hy_ranges_free(ranges);
  if (!named && !errs && g->c->seed % ALTERED_ONE_IN != 1) return;
  g->lane = HY_LANE_QUERY;
  for (int i = 0; i < (named ? 1 : errs ? ERRING_ALTERATIONS : ALTERATIONS); i++) {
    char line[HY_ALTERATION_ROOM] = "";
    const hy_tgt *altered =
        named ? hy_alter(g->context, scheduled, p->filled, g->altered)
              : hy_alter_any(g->context, scheduled, p->filled, hy_splitmix(g->c->seed, 900 + (uint64_t)i), line);
    if (altered && is_legal(g, altered)) judge(g, altered, named ? g->altered : line);
  }
}
