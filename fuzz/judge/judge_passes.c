// The passes between the proof and native code (specialize, partition): after each of them the program means what it
// meant before. By the interpreter, under the monitor, on the open input.

#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "halyard/passed.h"
#include "passes/passes.h"

#include <stdio.h>

typedef struct {
  hy_judging *g;
  const hy_buffer *want;
  const hy_tgt *before;
} comparison;

static void compare(void *self, const char *pass, const hy_tgt *tgt) {
  comparison *c = self;
  hy_judging *g = c->g;
  char engine[64];
  bool same = tgt == c->before;
  c->before = tgt;
  if (same || hy_found_is_failure(g->j->found)) return;
  hy_outcome got = hy_engine_tgt(g->context, tgt, &g->input, hy_splitmix(g->c->seed, 11) | 1, HY_RUN_STEPS);
  snprintf(engine, sizeof engine, "the target program after the pass '%s'", pass);
  hy_judging_compare(g, HY_FOUND_DISAGREE, pass, engine, c->want, &got);
  hy_outcome_free(&got);
}

void hy_judging_passes(hy_judging *g, const hy_buffer *want) {
  comparison c = {g, want, g->pipeline.filled};
  hy_passes(g->context, g->pipeline.filled, compare, &c);
}

// What the program owes after the passes is proved, as it was before them.
void hy_judging_passed(hy_judging *g, unsigned z3_limit) {
  hy_passed passed;
  hy_oracle_options options = {.z3_limit = z3_limit};
  hy_answer answer = hy_passed_prove(&g->pipeline, &options, &passed);
  if (answer == HY_YES) return;
  hy_text detail = {0};
  hy_text_add(&detail, "what the passes made of the program has no proof");
  for (size_t i = 0; i < passed.report.count; i++)
    if (passed.report.decisions[i].verdict > HY_VERDICT_PROVED_Z3)
      hy_text_printf(&detail, "\n%s", passed.report.decisions[i].obligation->about);
  hy_judging_find(g, answer == HY_NO ? HY_FOUND_REFUTED : HY_FOUND_UNDECIDED, "B.Pieces", hy_text_string(&detail));
  hy_text_free(&detail);
}
