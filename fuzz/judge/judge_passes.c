// The passes between the proof and native code (specialize, partition): after each of them the program means what it
// meant before. By the interpreter, under the monitor, on the open input.

#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
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
