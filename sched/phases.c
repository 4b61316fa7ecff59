/* The table of all directives: by name (a plug-in's, too), by number, and what their phases are called; and one step of
 * SCH.Phase, S_i ==d==> S_(i+1), for which a directive is asked whether it applies and then rewrites.
 */

#include "sched/site.h"

#include <string.h>

const hy_directive_type *const *hy_sched_directives(int *count) {
  static const hy_directive_type *const all[] = {
#define HY_DIRECTIVE(name) &hy_directive_##name,
#include "sched/directives.def"
#undef HY_DIRECTIVE
  };
  *count = (int)HY_COUNT(all);
  return all;
}

const hy_directive_type *hy_sched_find(hy_context *context, const char *name) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return hy_context_foreign(context, name);
}

int hy_sched_number(const hy_directive_type *type) {
  int count, number = 0;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  while (number < count && all[number] != type) number++;
  return number;
}

const char *hy_sched_name(int number) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  HY_ASSERT(number >= 0 && number <= count);
  return number < count ? all[number]->name : "plugin";
}

const char *hy_phase_name(hy_phase phase) {
  switch (phase) {
  case HY_PHASE_FUNCS: return "funcs";
  case HY_PHASE_INLINE: return "inline";
  case HY_PHASE_SPECIALIZE: return "specialize";
  case HY_PHASE_LOOPS: return "loops";
  case HY_PHASE_COPIES: return "copies";
  case HY_PHASE_COMPUTE: return "compute";
  case HY_PHASE_STORAGE: return "storage";
  case HY_PHASE_BOUNDS: return "bounds";
  case HY_PHASE_PLAN: return "plan";
  }
  HY_UNREACHABLE();
}

const hy_tgt *hy_sched_apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                             hy_diagnostics *diagnostics) {
  const hy_directive_type *type = directive->type;
  if (!type->applies(context, tgt, directive, diagnostics)) return NULL;
  return type->apply(context, tgt, directive, diagnostics);
}

const hy_stmt **hy_sched_sites(const hy_tgt *tgt, const hy_directive_type *type, const hy_func *func, size_t *count) {
  HY_ASSERT(type->phase == HY_PHASE_COMPUTE || type->phase == HY_PHASE_STORAGE);
  return hy_site_loops(tgt, func, type->phase == HY_PHASE_STORAGE, count);
}

const hy_stmt **hy_sched_spread_sites(const hy_tgt *tgt, const hy_func *func, size_t *count) {
  return hy_site_spread(tgt, func, count);
}
