// The part of a session that asks neither compiler nor solver: all that halyard-gate has of it.

#include "cli/session/session.h"

static const hy_loc nowhere = {0};

void hy_session_init(hy_session *s, hy_options options, hy_diagnostics *diagnostics) {
  *s = (hy_session){.options = options, .diagnostics = diagnostics, .context = hy_context_new()};
  s->sources = hy_source_files_new();
  hy_context_use_sources(s->context, hy_source_files_find, s->sources);
  s->reporter = hy_reporter_new(options.json, options.colour, hy_verb_name(options.verb));
}

// Diagnostics point into sources, programs into the context: they go first.
void hy_session_free(hy_session *s) {
  hy_diagnostics_free(s->diagnostics);
  hy_reporter_free(s->reporter);
  hy_context_free(s->context);
  hy_source_files_free(s->sources);
  hy_vec_free(&s->schedules);
  hy_options_free(&s->options);
}

/* -- files -- */

static hy_status complain(hy_session *s, const char *path, const char *why) {
  hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "cannot read '%s': %s", path, why);
  return HY_STATUS_USAGE;
}

hy_status hy_session_read(hy_session *s, const char *path, const hy_source **source) {
  const char *why = "";
  *source = hy_source_files_read(s->sources, path, &why);
  return *source ? HY_STATUS_FINE : complain(s, path, why);
}
