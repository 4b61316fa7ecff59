#include "sched/foreign.h"
#include "sched/site.h"

static const hy_directive_info infos[] = {
#define HY_DIRECTIVE(name, suffix, phase, form, summary)                                                               \
  {HY_DIRECTIVE_##name, HY_PHASE_##phase, #suffix, form, summary},
#include "sched/directives.def"
#undef HY_DIRECTIVE
};

static const struct {
  hy_directive_kind kind;
  hy_applies *applies;
  hy_apply *apply;
} verbs[] = {
#define HY_DIRECTIVE(name, suffix, phase, form, summary) {HY_DIRECTIVE_##name, hy_applies_##suffix, hy_apply_##suffix},
#include "sched/directives.def"
#undef HY_DIRECTIVE
};

const hy_directive_info *hy_sched_directives(int *count) {
  *count = (int)HY_COUNT(infos);
  return infos;
}

const char *hy_phase_name(hy_phase phase) {
  switch (phase) {
  case HY_PHASE_SPECIALIZE: return "specialize";
  case HY_PHASE_LOOPS: return "loops";
  case HY_PHASE_COMPUTE: return "compute";
  case HY_PHASE_STORAGE: return "storage";
  case HY_PHASE_BOUNDS: return "bounds";
  }
  HY_UNREACHABLE();
}

const hy_tgt *hy_sched_apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                             hy_diagnostics *diagnostics) {
  if (directive->kind == HY_DIRECTIVE_PLUGIN) {
    const hy_foreign *foreign = hy_context_foreign(context);
    if (!foreign->applies(context, tgt, directive, diagnostics)) return NULL;
    return foreign->apply(context, tgt, directive, diagnostics);
  }
  for (size_t i = 0; i < HY_COUNT(verbs); i++)
    if (verbs[i].kind == directive->kind) {
      if (!verbs[i].applies(context, tgt, directive, diagnostics)) return NULL;
      return verbs[i].apply(context, tgt, directive);
    }
  HY_DIE("no row in directives.def for directive %d", (int)directive->kind);
}

const hy_stmt **hy_sched_sites(const hy_tgt *tgt, hy_directive_kind kind, const hy_func *func, size_t *count) {
  HY_ASSERT(kind == HY_DIRECTIVE_COMPUTE_AT || kind == HY_DIRECTIVE_STORE_AT);
  return hy_site_loops(tgt, func, kind == HY_DIRECTIVE_STORE_AT, count);
}
