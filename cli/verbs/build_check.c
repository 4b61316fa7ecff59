/* What build and ship have to know before they make code: that the target is one, and that the pipeline is proved.
 *
 * What the check says is held back until its answer is known: with --unproved undecided obligations are told as
 * warnings, and the command goes on; anything else is told as it was said.
 */

#include "cli/verbs/build.h"

#include "oracle/z3/z3_check.h"
#include "semantics/value/value_parse.h"

static const hy_loc nowhere = {0};

const hy_target *hy_build_target(hy_session *s, const char *name) {
  enum { MOST = 16 };
  const char *names[MOST];
  size_t count = 0;
  const hy_target *target = hy_target_find(name);
  if (target) return target;
  for (; count < MOST && hy_target_name((int)count); count++) names[count] = hy_target_name((int)count);
  hy_text help = {0};
  const char *near = hy_nearest(name, names, count);
  if (near) hy_text_printf(&help, "did you mean '%s'? ", near);
  hy_text_add(&help, "the targets are");
  for (size_t i = 0; i < count; i++) hy_text_printf(&help, "%s %s", i ? "," : "", names[i]);
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, hy_text_string(&help), "unknown target '%s'", name);
  hy_text_free(&help);
  return NULL;
}

bool hy_build_judges(hy_session *s, hy_ship_judges *judges) {
  const hy_options *o = &s->options;
  *judges =
      (hy_ship_judges){.z3 = hy_z3_version(),
                       .z3_limit = (unsigned)o->z3_limit,
                       .plugins = hy_ship_plugins(hy_context_arena(s->context), o->plugins.data, o->plugins.count),
                       .plugin_count = o->plugins.count};
  if (!judges->plugins)
    hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL,
              "a file of --plugin, loaded, cannot be read again");
  return judges->plugins;
}

// What stays open is no error where it may: the header says it.
static void repeat(hy_session *s, const hy_diagnostics *said, bool is_warning) {
  for (size_t i = 0; i < hy_diagnostics_count(said); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(said, i);
    if (d->severity == HY_SEVERITY_NOTE)
      hy_note(s->diagnostics, d->code, d->loc, "%s", d->message);
    else
      (is_warning || d->severity == HY_SEVERITY_WARNING ? hy_warn : hy_report)(s->diagnostics, d->code, d->loc, d->rule,
                                                                               d->help, "%s", d->message);
  }
}

hy_status hy_build_check(hy_session *s, hy_pipeline *pipeline, bool *proved) {
  hy_diagnostics *own = s->diagnostics, *said = hy_diagnostics_new();
  hy_reporter_progress(s->reporter, "checking %s", hy_session_name(s, 0));
  hy_session_pipeline(s, 0, pipeline);
  s->diagnostics = said;
  hy_status status = hy_session_check(s, pipeline, false);
  s->diagnostics = own;
  *proved = status == HY_STATUS_FINE;
  bool goes_on = status == HY_STATUS_UNDECIDED && s->options.unproved && pipeline->query;
  repeat(s, said, goes_on);
  hy_diagnostics_free(said);
  return goes_on ? HY_STATUS_FINE : status;
}
