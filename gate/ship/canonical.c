#include "gate/ship/canonical.h"

#include "halyard/pipeline.h"
#include "passes/passes.h"

static void print(const hy_pipeline *p, hy_canonical *out) {
  hy_alg_print(p->alg, &out->algorithm);
  hy_pipeline_print_schedule(p, &out->schedule);
  hy_tgt_print(p->filled, &out->whole);
  hy_tgt_print(hy_passes(p->context, p->filled, NULL, NULL), &out->passed);
}

static bool read(hy_context *context, const hy_source *algorithm, const hy_source *schedule, hy_diagnostics *said,
                 hy_pipeline *p) {
  const hy_schedule *schedules = NULL;
  int count = 0;
  const hy_alg *alg = hy_parse_alg(context, algorithm, said);
  if (!alg || !hy_parse_schedules(context, schedule, said, &schedules, &count) || count != 1) return false;
  hy_pipeline_init(p, context, alg, schedules, NULL);
  return hy_pipeline_schedule(p, said) && hy_pipeline_fill(p, said);
}

bool hy_canonical_make(const hy_text *algorithm, const hy_text *schedule, hy_canonical *out) {
  const hy_source sources[] = {{"algorithm", hy_text_string(algorithm), algorithm->length},
                               {"schedule", hy_text_string(schedule), schedule->length}};
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_pipeline p;
  *out = (hy_canonical){.whole = {0}};
  bool good = read(context, &sources[0], &sources[1], said, &p);
  if (good) print(&p, out);
  hy_diagnostics_free(said);
  hy_context_free(context);
  return good;
}

void hy_canonical_free(hy_canonical *c) {
  hy_text_free(&c->algorithm);
  hy_text_free(&c->schedule);
  hy_text_free(&c->whole);
  hy_text_free(&c->passed);
}
