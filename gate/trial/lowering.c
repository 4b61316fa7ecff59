#include "gate/trial/lowering.h"

#include "halyard/pipeline.h"
#include "passes/passes.h"
#include "semantics/value/errors.h"

#include <string.h>

typedef struct {
  hy_context *context;
  const hy_inspected *in;
  hy_gate_result *result;
  hy_pipeline pipeline;
} walk;

static const hy_source *source_of(const walk *w, hy_role role) {
  const hy_text *text = hy_inspected_bytes(w->in, role, NULL);
  hy_source *source = text ? HY_NEW(w->result->arena, hy_source) : NULL;
  if (text) *source = (hy_source){hy_role_name(role), hy_text_string(text), text->length};
  return source;
}

static bool is_text_of(const walk *w, hy_role role, const hy_text *printed) {
  const hy_text *is = hy_inspected_bytes(w->in, role, NULL);
  return is && is->length == printed->length && memcmp(hy_text_string(is), hy_text_string(printed), is->length) == 0;
}

static void tell(walk *w, hy_role role, bool good, const char *passed, const char *wrong) {
  const hy_artefact *file = hy_manifest_find(&w->in->manifest, role, NULL);
  bool is_ours = strcmp(w->in->manifest.halyard, HALYARD_VERSION) == 0;
  if (good)
    hy_gate_add(w->result, 2, "lowering", file->path, HY_GATE_PASSED, 0, "%s", passed);
  else if (is_ours)
    hy_gate_add(w->result, 2, "lowering", file->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY, "%s", wrong);
  else
    hy_gate_add(w->result, 2, "other-version", file->path, HY_GATE_UNDECIDED, HY_E_GATE_IDENTITY,
                "it was made by Halyard %s, and for %s %s", w->in->manifest.halyard, HALYARD_VERSION, wrong)
        ->help = "use the Halyard that made it, or ship again";
}

// The pipeline that the two texts say.
static bool read(walk *w, const hy_source *alg_text, const hy_source *schedule_text, hy_diagnostics *said) {
  const hy_schedule *schedules = NULL;
  int count = 0;
  const hy_alg *alg = hy_parse_alg(w->context, alg_text, said);
  if (!alg || !hy_parse_schedules(w->context, schedule_text, said, &schedules, &count) || count != 1) return false;
  hy_pipeline_init(&w->pipeline, w->context, alg, schedules, NULL);
  return hy_pipeline_schedule(&w->pipeline, said) && hy_pipeline_fill(&w->pipeline, said);
}

static void compare_texts(walk *w) {
  hy_text algorithm = {0}, schedule = {0};
  hy_alg_print(w->pipeline.alg, &algorithm);
  hy_pipeline_print_schedule(&w->pipeline, &schedule);
  tell(w, HY_ROLE_ALGORITHM, is_text_of(w, HY_ROLE_ALGORITHM, &algorithm), "it is in its canonical form",
       "it is not in its canonical form");
  tell(w, HY_ROLE_SCHEDULE, is_text_of(w, HY_ROLE_SCHEDULE, &schedule), "it is in its canonical form",
       "it is not in its canonical form");
  hy_text_free(&algorithm);
  hy_text_free(&schedule);
}

static void compare_program(walk *w) {
  hy_text passed = {0}, whole = {0};
  hy_tgt_print(w->pipeline.filled, &whole);
  hy_tgt_print(hy_passes(w->context, w->pipeline.filled, NULL, NULL), &passed);
  tell(w, HY_ROLE_PROGRAM, is_text_of(w, HY_ROLE_PROGRAM, &passed) || is_text_of(w, HY_ROLE_PROGRAM, &whole),
       "it is what algorithm and schedule become", "algorithm and schedule become another program");
  hy_text_free(&passed);
  hy_text_free(&whole);
}

void hy_lowering_judge(hy_context *context, const hy_inspected *in, hy_gate_result *result) {
  const hy_manifest *m = &in->manifest;
  walk w = {.context = context, .in = in, .result = result};
  const hy_source *alg_text = source_of(&w, HY_ROLE_ALGORITHM), *schedule_text = source_of(&w, HY_ROLE_SCHEDULE);
  // A text that is not what shipped is level 0's.
  if (!alg_text || !schedule_text || !hy_inspected_bytes(in, HY_ROLE_PROGRAM, NULL) || m->plugins.count) return;
  hy_diagnostics *said = hy_diagnostics_new();
  if (!read(&w, alg_text, schedule_text, said)) {
    tell(&w, HY_ROLE_SCHEDULE, false, "", "algorithm and schedule cannot be read, or are refused");
  } else {
    compare_texts(&w);
    if (!m->run_time_checks) compare_program(&w);
  }
  hy_diagnostics_free(said);
}
