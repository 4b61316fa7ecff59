// Lane "faults": what a person's hand can spoil in a target program (fault.h). What well-formedness, the rules of final
// programs and B accept of it must run inside of its contract on every input that its entry block lets pass, with
// parallel iterations in any order; and where the fault leaves the meaning alone, the output is the algorithm's.

#include "fuzz/change/fault.h"
#include "fuzz/judge/judge_internal.h"

#include "codegen/codegen.h"
#include "engines/generator.h"
#include "passes/passes.h"
#include "sched/sched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FAULTS = 32, FAULTS_IN_PIECES = 8, FAULTS_IN_NUMBERS = 8, ORDERS = 3, EDGES = 2 };

// Where numbers end: what a range that is not assumed lets in.
static int64_t edge(uint64_t random) {
  static const int64_t edges[] = {INT64_C(1) << 31,        -(INT64_C(1) << 31), (INT64_C(1) << 31) - 3,
                                  -(INT64_C(1) << 31) + 2, INT64_C(1) << 33,    INT64_C(1) << 61,
                                  -(INT64_C(1) << 62),     INT64_MAX - 20,      INT64_MIN,
                                  INT64_MIN + 5,           INT64_MAX,           0,
                                  INT64_C(3) << 60,        -(INT64_C(1) << 40)};
  return edges[random % HY_COUNT(edges)];
}

static void push_to_edge(const hy_alg *alg, hy_case_input *input, uint64_t seed) {
  for (int d = 0; d < alg->window_rank; d++)
    if (hy_splitmix(seed, (uint64_t)d) & 1) input->min[d] = edge(hy_splitmix(seed, 20 + (uint64_t)d));
  for (int p = 0; p < alg->param_count; p++)
    if (hy_splitmix(seed, 40 + (uint64_t)p) & 1) input->params[p] = edge(hy_splitmix(seed, 60 + (uint64_t)p));
}

// From the algorithm's, or from that of "whole".
static const char *output_differs(hy_judging *g, const hy_tgt *whole, const hy_outcome *got, hy_text *story) {
  hy_outcome want = whole ? hy_engine_tgt(g->context, whole, &g->input, 0, HY_LONG_STEPS)
                          : hy_engine_alg(g->context, g->pipeline.meaning, &g->input, false, HY_RUN_STEPS);
  const char *broken = NULL;
  if (want.status == HY_RAN) broken = hy_judging_output_differs(g, &want, got, true, story);
  hy_outcome_free(&want);
  return broken;
}

// Where the machine's numbers may be others than the interpreter's, which has errors there, native code runs between
// pages that are not mapped; and what no schedule makes is not what codegen's rules were written for. Native code has no
// limit of steps: what takes the interpreter too many is not run.
static const char *broken_natively(hy_judging *g, const hy_tgt *tgt, const hy_native *native, hy_text *story) {
  hy_outcome want = hy_engine_tgt(g->context, tgt, &g->input, 0, HY_LONG_STEPS), got = {0};
  const char *broken = NULL;
  if (want.status == HY_RAN) got = hy_engine_guarded(native, g->pipeline.alg, &g->input);
  if (want.status == HY_RAN && got.status == HY_RUN_CONTRACT) {
    broken = got.contract;
    hy_text_printf(story, "native code: %s: %s", got.contract, got.story ? got.story : "");
  } else if (want.status == HY_RAN && got.status == HY_RAN) {
    broken = hy_judging_output_differs(g, &want, &got, false, story);
  }
  hy_outcome_free(&want);
  hy_outcome_free(&got);
  return broken;
}

// What is broken on the open input, in several orders of parallel iterations; NULL: nothing.
static const char *broken_on(hy_judging *g, const hy_tgt *tgt, const hy_fault *fault, bool at_edge, uint64_t seed,
                             hy_text *story) {
  const char *broken = NULL;
  const hy_tgt *whole = fault->in_pieces ? hy_tgt_whole(g->context, tgt) : NULL;
  for (uint64_t k = 0; k < ORDERS && !broken; k++) {
    hy_outcome got = hy_engine_tgt(g->context, tgt, &g->input, k ? hy_splitmix(seed, k) | 1 : 0, HY_LONG_STEPS);
    g->j->runs += got.status == HY_RAN;
    if (got.status == HY_RUN_CONTRACT) {
      broken = got.contract;
      hy_text_printf(story, "the run: %s: %s", got.contract, got.story ? got.story : "");
    } else if (got.status == HY_RAN && (fault->in_pieces || (fault->keeps_meaning && !at_edge))) {
      broken = output_differs(g, whole, &got, story);
    }
    bool ran = got.status == HY_RAN;
    hy_outcome_free(&got);
    if (!ran) break;
  }
  return broken;
}

static hy_native *compile(hy_judging *g, const hy_tgt *tgt) {
  hy_codegen_options options = hy_codegen_default();
  options.optimize = 1;
  options.guard = HY_GUARD_ALL;
  return hy_native_compile(g->context, hy_passes(g->context, tgt, NULL, NULL), &options);
}

static const char *broken_anywhere(hy_judging *g, const hy_tgt *tgt, const hy_fault *fault, uint64_t seed, int *input,
                                   hy_text *story) {
  const char *broken = NULL;
  enum { ONE_OF = 8 };
  hy_native *native = fault->is_gap || fault->is_skewed || hy_splitmix(seed, 9) % ONE_OF == 0 ? compile(g, tgt) : NULL;
  for (int i = 0; i < g->c->input_count && !broken; i++)
    for (uint64_t k = 0; k <= EDGES && !broken; k++) {
      hy_case_input at = g->c->inputs[i];
      if (k) push_to_edge(g->pipeline.alg, &at, hy_splitmix(seed, 100 * (uint64_t)i + k));
      if (hy_judging_open(g, tgt, &at)) {
        broken = broken_on(g, tgt, fault, k > 0, seed, story);
        if (!broken && native) broken = broken_natively(g, tgt, native, story);
      }
      hy_judging_close(g);
      *input = i;
    }
  if (native) hy_native_free(native);
  return broken;
}

static bool is_well_formed(hy_judging *g, const hy_tgt *tgt) {
  const hy_pipeline *p = &g->pipeline;
  hy_diagnostics *said = hy_diagnostics_new();
  bool fine = hy_tgt_verify(g->context, tgt, said) &&
              hy_sched_legal(g->context, tgt, p->core, p->core_count, p->loc, said) &&
              hy_sched_extents(g->context, tgt, p->core, p->core_count, p->loc, said);
  if (!fine && !hy_diagnostics_errors(said))
    hy_judging_find(g, HY_FOUND_SILENT, "WF.Program", "refused without a word");
  hy_diagnostics_free(said);
  return fine;
}

static const hy_tgt *make(hy_judging *g, uint64_t seed, hy_fault_way way, hy_fault *fault) {
  const hy_tgt *filled = g->pipeline.filled;
  if (way == HY_FAULT_BY_HAND) return hy_fault_make(g->context, filled, seed, fault);
  if (way == HY_FAULT_IN_NUMBERS) return hy_fault_in_numbers(g->context, filled, seed, fault);
  return hy_fault_in_pieces(g->context, hy_passes(g->context, filled, NULL, NULL), seed, fault);
}

static void judge(hy_judging *g, uint64_t seed, hy_fault_way way) {
  hy_fault fault;
  const hy_tgt *tgt = make(g, seed, way, &fault);
  if (!tgt) return;
  g->j->faults++;
  g->j->faults_given += fault.is_given;
  if (!is_well_formed(g, tgt)) {
    g->j->faults_refused++;
    return;
  }
  if (hy_oracle_accepts(g->context, hy_query_extract(g->context, tgt), NULL) != HY_YES) return;
  g->j->faults_proved++;
  g->j->given_proved += fault.is_given;
  int input = 0;
  hy_text story = {0};
  const char *broken = broken_anywhere(g, tgt, &fault, seed, &input, &story);
  if (broken && g->j->found < HY_FOUND_UNSOUND) {
    hy_text detail = {0};
    hy_text_printf(&detail, "accepted with a fault: %s\n%s", fault.what, hy_text_string(&story));
    hy_judging_find(g, HY_FOUND_UNSOUND, broken, hy_text_string(&detail));
    g->j->input = input;
    snprintf(g->j->altered_line, sizeof g->j->altered_line, "fault %" PRIu64 "%s", seed, hy_fault_way_words(way));
    hy_text_free(&detail);
  }
  hy_text_free(&story);
}

void hy_judging_faults(hy_judging *g) {
  uint64_t seed;
  hy_fault_way way;
  g->lane = HY_LANE_FAULTS;
  if (*g->altered) {
    if (hy_fault_line(g->altered, &seed, &way)) judge(g, seed, way);
    return;
  }
  for (uint64_t k = 0; k < FAULTS; k++) judge(g, hy_splitmix(g->c->seed, 3000 + k), HY_FAULT_BY_HAND);
  for (uint64_t k = 0; k < FAULTS_IN_PIECES; k++) judge(g, hy_splitmix(g->c->seed, 4000 + k), HY_FAULT_IN_PIECES);
  for (uint64_t k = 0; k < FAULTS_IN_NUMBERS; k++) judge(g, hy_splitmix(g->c->seed, 5000 + k), HY_FAULT_IN_NUMBERS);
}
