#include "cli/reports/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const hy_loc nowhere = {0};

/* -- what is asked for -- */

static unsigned class_of(hy_tgt_event_kind kind) {
  switch (kind) {
  case HY_EVENT_LOAD: return HY_TRACE_LOADS;
  case HY_EVENT_STORE: return HY_TRACE_STORES;
  case HY_EVENT_ALLOCATE:
  case HY_EVENT_FREE:
  case HY_EVENT_COMPUTE:
  case HY_EVENT_COMPUTED: return HY_TRACE_REALIZATIONS;
  }
  HY_UNREACHABLE();
}

// Is the func one of those of --trace-func? All are, where there are none.
static bool is_named(const hy_session *s, const char *name) {
  const char *names = s->options.trace_funcs;
  for (const char *at = names; at; at++) {
    size_t length = strcspn(at, ",");
    if (strlen(name) == length && strncmp(name, at, length) == 0) return true;
    at += length;
    if (!*at) return false;
  }
  return true;
}

static bool has_func(const hy_tgt *tgt, const char *name, size_t length) {
  for (int i = 0; i < tgt->func_count + tgt->alg->image_count; i++) {
    const hy_func *func = i < tgt->func_count ? tgt->funcs[i] : tgt->alg->images[i - tgt->func_count];
    if (strlen(func->name) == length && strncmp(func->name, name, length) == 0) return true;
  }
  return false;
}

static hy_status no_func(hy_session *s, const hy_tgt *tgt, const char *name, size_t length) {
  hy_text help = {0};
  hy_text_add(&help, "it has");
  for (int i = 0; i < tgt->func_count; i++) hy_text_printf(&help, "%s %s", i ? "," : "", tgt->funcs[i]->name);
  for (int i = 0; i < tgt->alg->image_count; i++) hy_text_printf(&help, ", %s", tgt->alg->images[i]->name);
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, hy_text_string(&help),
            "--trace-func names '%.*s', which is no func and no image of the program", (int)length, name);
  hy_text_free(&help);
  return HY_STATUS_USAGE;
}

hy_status hy_events_check(hy_session *s, const hy_pipeline *p) {
  for (const char *at = s->options.trace_funcs; at; at++) {
    size_t length = strcspn(at, ",");
    if (!has_func(p->filled, at, length)) return no_func(s, p->filled, at, length);
    at += length;
    if (!*at) break;
  }
  return HY_STATUS_FINE;
}

/* -- lines -- */

typedef struct {
  const hy_session *session;
  hy_text text;
  uint64_t printed, left_out[3]; // loads, stores, realizations
} listener;

static void print_box(const hy_tgt_event *event, hy_text *out) {
  hy_text_add(out, event->kind == HY_EVENT_ALLOCATE ? " holds" : " on");
  if (!event->func->rank) hy_text_add(out, " one value");
  for (int d = 0; d < event->func->rank; d++)
    hy_text_printf(out, "%s %s=%" PRId64 ":%" PRId64, d ? "," : "", event->func->dims[d], event->min[d], event->len[d]);
}

static void print_access(const hy_tgt_event *event, hy_text *out) {
  hy_text_add(out, "(");
  for (int d = 0; d < event->func->rank; d++) {
    const hy_value *at = &event->coordinates[d];
    hy_text_add(out, d ? ", " : "");
    if (at->error)
      hy_text_add(out, hy_error_name((hy_error)at->error));
    else
      hy_text_printf(out, "%" PRId64, at->i);
  }
  hy_text_add(out, ")");
  if (hy_func_parts(event->func) > 1) hy_text_printf(out, "[%d]", event->part);
  hy_text_add(out, " = ");
  hy_value_print(event->value, out);
  if (event->value.undefined) hy_text_add(out, " (of memory that was never written)");
}

static void print_event(const hy_tgt_event *event, const hy_tgt_scope *scope, hy_text *out) {
  static const char *const words[] = {
      [HY_EVENT_ALLOCATE] = "allocate", [HY_EVENT_FREE] = "free", [HY_EVENT_COMPUTE] = "compute",
      [HY_EVENT_COMPUTED] = "computed", [HY_EVENT_LOAD] = "load", [HY_EVENT_STORE] = "store",
  };
  hy_text_printf(out, "%s %s", words[event->kind], event->func->name);
  if (event->coordinates)
    print_access(event, out);
  else if (event->min)
    print_box(event, out);
  hy_tgt_scope_loops(scope, out);
  hy_text_add(out, "\n");
}

static void listen(void *self, const hy_tgt_event *event, const hy_tgt_scope *scope) {
  listener *l = self;
  unsigned class = class_of(event->kind);
  if (!(class & l->session->options.events) || !is_named(l->session, event->func->name)) return;
  if (l->printed == (uint64_t)l->session->options.steps) {
    l->left_out[class >> 1]++;
    return;
  }
  l->printed++;
  print_event(event, scope, &l->text);
}

static void print_left_out(listener *l) {
  static const char *const names[] = {"loads", "stores", "lines of realizations"};
  bool any = false;
  for (int i = 0; i < 3; i++) {
    if (!l->left_out[i]) continue;
    hy_text_printf(&l->text, "%s %" PRIu64 " %s", any ? "," : "left out:", l->left_out[i], names[i]);
    any = true;
  }
  if (any) hy_text_add(&l->text, "; --steps N prints more lines, --trace-func and --window ask for fewer\n");
}

hy_outcome hy_events_run(hy_session *s, const hy_pipeline *p, const hy_input *input) {
  listener l = {.session = s};
  hy_outcome outcome = hy_engine_tgt_told(s->context, p->filled, input, s->options.seed, s->options.mode, listen, &l);
  print_left_out(&l);
  hy_reporter_text(s->reporter, &l.text);
  hy_text_free(&l.text);
  return outcome;
}
