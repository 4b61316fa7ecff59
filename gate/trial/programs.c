#include "gate/trial/programs.h"

#include "semantics/value/errors.h"

#include <string.h>

static const hy_source *source_of(hy_arena *arena, const hy_inspected *in, hy_role role) {
  const hy_text *text = hy_inspected_bytes(in, role, NULL);
  hy_source *source = text ? HY_NEW(arena, hy_source) : NULL;
  if (text) *source = (hy_source){hy_role_name(role), hy_text_string(text), text->length};
  return source;
}

bool hy_shipped_read(hy_context *context, hy_arena *arena, const hy_inspected *in, hy_shipped_programs *out) {
  const hy_source *program_text = source_of(arena, in, HY_ROLE_PROGRAM),
                  *alg_text = source_of(arena, in, HY_ROLE_ALGORITHM);
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_tgt *program = program_text ? hy_parse_tgt(context, program_text, said) : NULL;
  out->meaning = alg_text ? hy_parse_alg(context, alg_text, said) : NULL;
  bool good = program && (out->meaning || !in->manifest.algorithm);
  if (good) {
    hy_pipeline_init(&out->pipeline, context, NULL, NULL, program);
    good = hy_pipeline_schedule(&out->pipeline, said) && hy_pipeline_fill(&out->pipeline, said);
  }
  hy_diagnostics_free(said);
  return good;
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
