// halyard gate: judges a folder that shipped, at all levels.

#include "cli/verbs/gate_compiler.h"
#include "cli/verbs/gate_speed.h"
#include "cli/verbs/verbs.h"
#include "gate/remake/remake.h"
#include "gate/trial/trial.h"

static void run(hy_gate *g) {
  const hy_options *o = &g->session->options;
  const hy_trial_wishes wishes = {o->seed, (int)o->inputs, g->shard};
  hy_trial_run(g->session->context, &g->in, &wishes, &g->result);
}

static void translate(hy_gate *g) {
  const hy_options *o = &g->session->options;
  const hy_remake_wishes wishes = {o->seed, (int)o->inputs, g->shard};
  hy_remake_run(g->session->context, &g->in, &wishes, &g->result);
}

static hy_status time_runs(hy_gate *g) {
  return hy_gate_add_failure(g, 4, "baseline", "the baseline", HY_E_GATE_BASELINE,
                             "it is none, or what is asked of it is of no use",
                             hy_gate_judge_speed(g->session, &g->in, &g->result));
}

hy_status hy_command_gate(hy_session *s) {
  static const hy_gate_compiler compiler = {.look_at_sources = hy_gate_look_at_sources,
                                            .rebuild = hy_gate_rebuild,
                                            .run = run,
                                            .translate = translate,
                                            .time = time_runs};
  return hy_gate_judge(s, &compiler);
}
