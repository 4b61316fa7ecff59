// halyard ship: a folder that ships, and that says what it is.

#include "cli/verbs/build.h"
#include "cli/verbs/ship_cache.h"
#include "cli/verbs/verbs.h"
#include "gate/interface/interface.h"
#include "gate/ship/ship.h"

#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};

enum { MOST_TARGETS = 16 };

typedef struct {
  hy_session *s;
  const hy_target *targets[MOST_TARGETS];
  size_t target_count;
  const char *name;
} ship;

static hy_status refuse(hy_session *s, const char *help, const char *what, const char *word) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s '%s'", what, word);
  return HY_STATUS_USAGE;
}

static hy_status add_target(ship *w, const char *name) {
  const hy_target *target = hy_build_target(w->s, name);
  if (!target) return HY_STATUS_USAGE;
  for (size_t i = 0; i < w->target_count; i++)
    if (w->targets[i] == target) return refuse(w->s, "name each target once", "--target has twice", name);
  if (w->target_count == MOST_TARGETS) return refuse(w->s, NULL, "there are too many targets from on", name);
  w->targets[w->target_count++] = target;
  return HY_STATUS_FINE;
}

static hy_status read_targets(ship *w) {
  const char *text = w->s->options.target ? w->s->options.target : "host";
  hy_status status = HY_STATUS_FINE;
  for (const char *at = text; status == HY_STATUS_FINE;) {
    size_t length = strcspn(at, ",");
    status = add_target(w, hy_arena_copy(hy_context_arena(w->s->context), at, length));
    at += length;
    if (!*at++) break;
  }
  return status;
}

static hy_status read_wishes(ship *w) {
  hy_session *s = w->s;
  if (!s->options.output) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "add -o DIR",
              "'ship' makes a folder, and -o does not say which");
    return HY_STATUS_USAGE;
  }
  const char *path = s->options.output;
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  const char *own = hy_arena_copy(hy_context_arena(s->context), path, length), *last = strrchr(own, '/');
  w->name = s->options.name ? s->options.name : last ? last + 1 : own;
  if (!hy_interface_name_is_free(w->name) || strlen(w->name) >= 200)
    return refuse(s, HY_BUILD_NAME_HELP, "a function cannot be called", w->name);
  return read_targets(w);
}

static void say_files(hy_session *s, const hy_shipment *shipment, bool is_found) {
  hy_record *root = hy_reporter_record(s->reporter);
  hy_record_text(root, "identity", shipment->manifest.identity);
  hy_record_text(root, "manifest", shipment->manifest_name);
  hy_record_bool(root, "proved", shipment->manifest.proved);
  for (size_t i = 0; i < shipment->files.count; i++) {
    const hy_ship_file *f = &shipment->files.data[i];
    hy_record *row = hy_record_append(root, "files");
    hy_record_text(row, "file", f->name);
    hy_record_int(row, "bytes", (int64_t)f->bytes.length);
    hy_reporter_print(s->reporter, "%s/%s: %zu bytes\n", s->options.output, f->name, f->bytes.length);
  }
  hy_record_bool(root, "cached", is_found);
  hy_reporter_print(s->reporter, "identity %s%s\n", shipment->manifest.identity,
                    is_found ? ", from the cache: its certificates were checked again" : "");
}

static bool gather_wishes(const ship *w, hy_ship_wishes *wishes) {
  *wishes = (hy_ship_wishes){.name = w->name,
                             .targets = w->targets,
                             .target_count = w->target_count,
                             .has_algorithm = !w->s->program,
                             .is_unproved_fine = w->s->options.unproved};
  return hy_build_judges(w->s, &wishes->judges);
}

static const char *name_of_schedule(const hy_session *s) {
  return s->schedules.count ? s->schedules.data[0]->name : s->program ? s->alg->name : "default_schedule";
}

static hy_status make(ship *w, const hy_pipeline *p, const hy_ship_wishes *wishes, hy_shipment *shipment) {
  hy_session *s = w->s;
  const char *why = NULL, *schedule = name_of_schedule(s);
  hy_reporter_progress(s->reporter, "compiling %s", schedule);
  switch (hy_ship_make(p, schedule, wishes, shipment, &why)) {
  case HY_SHIP_FINE: return HY_STATUS_FINE;
  case HY_SHIP_DEFECT:
    hy_report(s->diagnostics, HY_E_SHIP_OTHER_PROGRAM, p->loc, NULL, "please report it with both files", "%s", why);
    return HY_STATUS_DEFECT;
  case HY_SHIP_TOOL:
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot make '%s': %s", s->options.output, why);
    return HY_STATUS_USAGE;
  }
  HY_UNREACHABLE();
}

// Made, and kept; or found.
static hy_status obtain(ship *w, hy_shipment *shipment, bool *is_found) {
  hy_session *s = w->s;
  hy_ship_wishes wishes;
  hy_ship_cache cache;
  hy_pipeline pipeline;
  bool proved;
  if (!gather_wishes(w, &wishes)) return HY_STATUS_USAGE;
  hy_ship_cache_open(&cache, s, &wishes, name_of_schedule(s));
  *is_found = hy_ship_cache_find(&cache, shipment);
  hy_status status = *is_found ? HY_STATUS_FINE : hy_build_check(s, &pipeline, &proved);
  if (status == HY_STATUS_FINE && !*is_found) {
    status = make(w, &pipeline, &wishes, shipment);
    if (status == HY_STATUS_FINE) hy_ship_cache_keep(&cache, shipment);
  }
  hy_ship_cache_close(&cache);
  return status;
}

static hy_status ship_all(ship *w) {
  hy_session *s = w->s;
  hy_shipment shipment = {.manifest_name = NULL};
  bool is_found;
  const char *why;
  hy_status status = obtain(w, &shipment, &is_found);
  if (status == HY_STATUS_FINE && !hy_ship_write(s->options.output, &shipment, hy_context_arena(s->context), &why)) {
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", s->options.output, why);
    status = HY_STATUS_USAGE;
  }
  if (status == HY_STATUS_FINE) say_files(s, &shipment, is_found);
  hy_shipment_free(&shipment);
  return status;
}

hy_status hy_command_ship(hy_session *s) {
  ship w = {.s = s};
  hy_status status = read_wishes(&w);
  if (status == HY_STATUS_FINE) status = hy_session_load(s, false);
  return status == HY_STATUS_FINE ? ship_all(&w) : status;
}
