#include "gate/trial/programs.h"

#include "semantics/value/errors.h"

#include <string.h>

static const hy_source *source_of(hy_arena *arena, const hy_inspected *in, hy_role role) {
  const hy_text *text = hy_inspected_bytes(in, role, NULL);
  hy_source *source = text ? HY_NEW(arena, hy_source) : NULL;
  if (text) *source = (hy_source){hy_role_name(role), hy_text_string(text), text->length};
  return source;
}

// Under contract real it is the schedule that says in which order floats are summed.
static const hy_alg *meaning_of(hy_context *context, hy_arena *arena, const hy_inspected *in, const hy_alg *alg,
                                hy_diagnostics *said) {
  const hy_source *text = alg && alg->floats_in_any_order ? source_of(arena, in, HY_ROLE_SCHEDULE) : NULL;
  const hy_schedule *schedules;
  hy_pipeline pipeline;
  int count = 0;
  if (!text) return alg;
  if (!hy_parse_schedules(context, text, said, &schedules, &count) || count != 1) return NULL;
  hy_pipeline_init(&pipeline, context, alg, schedules, NULL);
  return hy_pipeline_schedule(&pipeline, said) ? pipeline.meaning : NULL;
}

bool hy_shipped_read(hy_context *context, hy_arena *arena, const hy_inspected *in, hy_shipped_programs *out) {
  const hy_source *program_text = source_of(arena, in, HY_ROLE_PROGRAM),
                  *alg_text = source_of(arena, in, HY_ROLE_ALGORITHM);
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_tgt *program = program_text ? hy_parse_tgt(context, program_text, said) : NULL;
  out->meaning = alg_text ? meaning_of(context, arena, in, hy_parse_alg(context, alg_text, said), said) : NULL;
  bool good = program && (out->meaning || !in->manifest.algorithm);
  if (good) {
    hy_pipeline_init(&out->pipeline, context, NULL, NULL, program);
    good = hy_pipeline_schedule(&out->pipeline, said) && hy_pipeline_fill(&out->pipeline, said);
  }
  hy_diagnostics_free(said);
  return good;
}

void hy_shipped_tell_unread(const hy_inspected *in, int level, hy_gate_result *result) {
  static const hy_role roles[] = {HY_ROLE_ALGORITHM, HY_ROLE_PROGRAM};
  for (size_t i = 0; i < HY_COUNT(roles); i++) {
    const hy_artefact *a = hy_manifest_find(&in->manifest, roles[i], NULL);
    if (!a || hy_inspected_bytes(in, roles[i], NULL)) continue;
    hy_gate_add(result, level, level == 2 ? "not-run" : "not-shown", a->path, HY_GATE_UNDECIDED,
                level == 2 ? HY_E_GATE_NOT_RUN : HY_E_GATE_NOT_SHOWN,
                "nothing is known of what it means: it is not what shipped (level 0)");
    return;
  }
  hy_gate_add(result, level, "programs", in->manifest_name, HY_GATE_WRONG, HY_E_GATE_RUN,
              "algorithm or target program cannot be read");
}

bool hy_target_runs_here(const char *target) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (strcmp(target, "x86-64-v2") == 0) return __builtin_cpu_supports("sse4.2");
  if (strcmp(target, "x86-64-v3") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (strcmp(target, "x86-64-v4") == 0)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
#endif
  return strcmp(target, "host") == 0;
}
