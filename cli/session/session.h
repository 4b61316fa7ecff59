#ifndef HY_SESSION_H
#define HY_SESSION_H

/* What one run of the command line holds: its options, one context, the files it read, what it has to say. */

#include "cli/session/options.h"
#include "cli/session/report.h"
#include "halide/worker.h"
#include "halyard/pipeline.h"
#include "plugin/load.h"
#include "semantics/base/source_files.h"

typedef struct hy_session {
  hy_options options;
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_reporter *reporter;
  hy_source_files *sources; // what was read, and what that includes
  hy_plugin_set *plugins;   // of --plugin; NULL = none
  hy_halide *halide;        // for lane halide; NULL = not needed so far
  // what was loaded
  const hy_alg *alg;                     // of a .tgt file: its signature
  const hy_tgt *program;                 // of a .tgt file; NULL for an algorithm
  HY_VEC(const hy_schedule *) schedules; // those asked for, in order; none = the paper's default
  const hy_tgt *plain; // the algorithm with the default schedule, filled; made on demand (see hy_session_plain)
  bool plain_failed;
  size_t by_z3_alone, by_prover_alone; // obligations of all schedules so far that no certificate shows
} hy_session;

/* session.c */

// requires: options parsed. The session takes them.
void hy_session_init(hy_session *session, HY_TAKE hy_options options, HY_TAKE hy_diagnostics *diagnostics);
// All but the plug-ins and Halide, which are whose that loaded and started them; plug-ins go after it.
void hy_session_free(hy_session *session);

// A file's text, which lives as long as the session.
hy_status hy_session_read(hy_session *session, const char *path, const hy_source **source);

/* load.c */

// Reads A and S... from the command line's words. HY_STATUS_FINE, or why not.
//   "many" schedules may be named or meant (check, verify, bench), or just one (run, show)
hy_status hy_session_load(hy_session *session, bool many);

/* pipelines.c */

// Loads the plug-ins of --plugin, for schedules of the session's context. False after reporting.
bool hy_session_load_plugins(hy_session *session, hy_plugin_watch *watch);
// How many pipelines there are to look at: one per schedule, at least one.
int hy_session_count(const hy_session *session);
// Sets up the pipeline of the schedule at that position.
void hy_session_pipeline(hy_session *session, int index, hy_pipeline *pipeline);
// Its name in reports: the schedule's, else "default", or the .tgt file's pipeline.
const char *hy_session_name(const hy_session *session, int index);
// The static verdict of that pipeline; reports what is wrong. "cross_check": Z3 is asked about everything.
hy_status hy_session_check(hy_session *session, hy_pipeline *pipeline, bool cross_check);
// An hy_oracle_progress: says once a second how far it is, "checking tiled: 3 of 70 obligations". "self" is the next.
void hy_session_say_how_far(void *self, bool by_z3, size_t done, size_t count);
typedef struct hy_session_deciding {
  hy_session *session;
  const char *what, *name;
  double said; // when something was said last
} hy_session_deciding;
// The algorithm with the default schedule, filled; NULL if that fails (said elsewhere, if at all) or for a .tgt file.
const hy_tgt *hy_session_plain(hy_session *session);

#endif
