// halyard gate DIR A [S], level 0: are the sources, as they are by now, what shipped?

#include "cli/verbs/gate_compiler.h"
#include "gate/manifest/files.h"
#include "halyard/slides.h"
#include "passes/passes.h"
#include "semantics/value/errors.h"

#include <string.h>

static hy_status compare_texts(hy_gate *g, const hy_pipeline *p) {
  hy_text algorithm = {0}, schedule = {0};
  hy_alg_print(g->session->alg, &algorithm);
  hy_pipeline_print_schedule(p, &schedule);
  hy_inspect_sources(&g->in, &algorithm, &schedule, &g->result);
  hy_text_free(&algorithm);
  hy_text_free(&schedule);
  return HY_STATUS_FINE;
}

// What ships of a target program by hand is what becomes of it: it is made again.
static hy_status compare_program(hy_gate *g, hy_pipeline *p) {
  hy_text passed = {0}, whole = {0};
  p->defer_unknown = g->in.manifest.run_time_checks > 0;
  if (g->in.manifest.z3_steps) g->session->options.z3_limit = (int64_t)g->in.manifest.z3_steps;
  hy_status status = HY_STATUS_FINE;
  if (p->defer_unknown)
    status = hy_session_check(g->session, p, false);
  else if (!hy_pipeline_fill(p, g->session->diagnostics))
    status = HY_STATUS_WRONG;
  if (status != HY_STATUS_FINE) return status;
  hy_tgt_print(p->filled, &whole);
  hy_tgt_print(hy_passes(g->session->context, p->filled, NULL, NULL), &passed);
  hy_inspect_program(&g->in, &passed, &whole, &g->result);
  hy_text_free(&passed);
  hy_text_free(&whole);
  return status;
}

static hy_status compare_sources(hy_gate *g) {
  hy_session *s = g->session;
  hy_pipeline pipeline;
  memmove(s->options.words.data, s->options.words.data + 1, --s->options.words.count * sizeof *s->options.words.data);
  g->has_sources = true;
  hy_status status = hy_session_load(s, false);
  if (status == HY_STATUS_WRONG) return HY_STATUS_USAGE; // malformed: of a gate, wrong is what ships (docs/gate.md)
  if (status != HY_STATUS_FINE) return status;
  hy_session_pipeline(s, 0, &pipeline);
  if (!hy_pipeline_schedule(&pipeline, s->diagnostics)) return HY_STATUS_WRONG;
  hy_slides_add(&pipeline); // what shipped has them
  return s->program ? compare_program(g, &pipeline) : compare_texts(g, &pipeline);
}

hy_status hy_gate_look_at_sources(hy_gate *g) {
  if (g->session->options.words.count < 2) return HY_STATUS_FINE;
  hy_status status = compare_sources(g);
  unsigned code = status == HY_STATUS_USAGE ? HY_E_CANNOT_READ : HY_E_GATE_STALE;
  return hy_gate_add_failure(g, 0, "source", "the sources", code,
                             "as they are given they cannot be read, or are refused", status);
}
