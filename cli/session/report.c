#include "cli/session/report.h"

#include "semantics/base/vec.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- statuses -- */

static int badness(hy_status status) {
  switch (status) {
  case HY_STATUS_FINE: return 0;
  case HY_STATUS_UNDECIDED: return 1;
  case HY_STATUS_SLOWER: return 2;
  case HY_STATUS_STALE: return 3;
  case HY_STATUS_WRONG: return 4;
  case HY_STATUS_USAGE: return 5;
  case HY_STATUS_DEFECT: return 6;
  }
  HY_UNREACHABLE();
}

hy_status hy_status_worse(hy_status a, hy_status b) { return badness(a) >= badness(b) ? a : b; }

const char *hy_status_verdict(hy_status status) {
  switch (status) {
  case HY_STATUS_FINE: return "fine";
  case HY_STATUS_WRONG: return "wrong";
  case HY_STATUS_USAGE: return "usage";
  case HY_STATUS_UNDECIDED: return "undecided";
  case HY_STATUS_DEFECT: return "defect";
  case HY_STATUS_SLOWER: return "slower";
  case HY_STATUS_STALE: return "stale";
  }
  HY_UNREACHABLE();
}

/* -- life -- */

struct hy_reporter {
  bool json, terminal, coloured, progress_shown;
  FILE *lines; // where those for people go
  json_t *root;
  size_t seen;    // diagnostics looked at
  bool said_last; // was the last error or warning printed? Its notes follow it
};

static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

static bool is_coloured(hy_colour colour) {
  switch (colour) {
  case HY_COLOUR_ALWAYS: return true;
  case HY_COLOUR_NEVER: return false;
  case HY_COLOUR_AUTO:
    return isatty(STDERR_FILENO) && !is_set("NO_COLOR") && is_set("TERM") && strcmp(getenv("TERM"), "dumb") != 0;
  }
  HY_UNREACHABLE();
}

hy_reporter *hy_reporter_new(bool json, hy_colour colour, const char *verb) {
  hy_reporter *r = hy_allocate_zeroed(1, sizeof *r);
  r->json = json;
  r->lines = stdout;
  r->terminal = !json && isatty(STDERR_FILENO);
  r->coloured = !json && is_coloured(colour);
  r->root = json_object();
  hy_record *root = hy_reporter_record(r);
  hy_record_text(root, "halyard", HALYARD_VERSION);
  hy_record_text(root, "verb", verb);
  return r;
}

void hy_reporter_free(hy_reporter *r) {
  if (!r) return;
  json_decref(r->root);
  free(r);
}

/* -- for people -- */

static void erase_progress(hy_reporter *r) {
  if (r->progress_shown) fputs("\r\033[K", stderr);
  r->progress_shown = false;
}

void hy_reporter_leave_stdout(hy_reporter *r) {
  HY_ASSERT(!r->json);
  r->lines = stderr;
}

void hy_reporter_print(hy_reporter *r, const char *format, ...) {
  if (r->json) return;
  erase_progress(r);
  va_list args;
  va_start(args, format);
  vfprintf(r->lines, format, args);
  va_end(args);
}

void hy_reporter_plain(hy_reporter *r, const char *before, const char *foreign, const char *after) {
  hy_text line = {0};
  hy_text_add_plain(&line, foreign);
  hy_reporter_print(r, "%s%s%s", before, hy_text_string(&line), after);
  hy_text_free(&line);
}

void hy_reporter_text(hy_reporter *r, const hy_text *text) {
  if (r->json)
    hy_record_text(hy_reporter_record(r), "text", hy_text_string(text));
  else
    hy_reporter_print(r, "%s", hy_text_string(text));
}

void hy_reporter_progress(hy_reporter *r, const char *format, ...) {
  if (!r->terminal) return;
  erase_progress(r);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  r->progress_shown = true;
  fflush(stderr);
}

static bool equal_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool equal_diagnostic(const hy_diagnostic *a, const hy_diagnostic *b) {
  return a->severity == b->severity && a->code == b->code && a->loc.source == b->loc.source &&
         a->loc.line == b->loc.line && a->loc.column == b->loc.column && equal_text(a->message, b->message) &&
         equal_text(a->help, b->help);
}

static bool was_said(const hy_diagnostics *list, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (equal_diagnostic(hy_diagnostics_at(list, i), hy_diagnostics_at(list, index))) return true;
  return false;
}

/* -- for programs -- */

// JSON takes UTF-8 only; a file's name may be anything.
static json_t *json_text(const char *text) {
  if (!text) return json_null();
  json_t *value = json_string(text);
  if (value) return value;
  hy_text plain = {0};
  for (; *text; text++)
    if ((unsigned char)*text < 0x80)
      hy_text_add_bytes(&plain, text, 1);
    else
      hy_text_printf(&plain, "\\x%02x", (unsigned char)*text);
  value = json_string(hy_text_string(&plain));
  hy_text_free(&plain);
  return value;
}

static json_t *json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

hy_record *hy_reporter_record(hy_reporter *r) { return (hy_record *)r->root; }

hy_record *hy_record_child(hy_record *record, const char *key) {
  json_t *child = json_object();
  json_object_set_new((json_t *)record, key, child);
  return (hy_record *)child;
}

hy_record *hy_record_append(hy_record *record, const char *key) {
  json_t *list = json_object_get((json_t *)record, key), *child = json_object();
  if (!list) {
    list = json_array();
    json_object_set_new((json_t *)record, key, list);
  }
  json_array_append_new(list, child);
  return (hy_record *)child;
}

void hy_record_text(hy_record *record, const char *key, const char *text) {
  json_object_set_new((json_t *)record, key, json_text(text));
}

void hy_record_int(hy_record *record, const char *key, int64_t value) {
  json_object_set_new((json_t *)record, key, json_integer(value));
}

void hy_record_real(hy_record *record, const char *key, double value) {
  json_object_set_new((json_t *)record, key, json_number(value));
}

void hy_record_bool(hy_record *record, const char *key, bool value) {
  json_object_set_new((json_t *)record, key, json_boolean(value));
}

void hy_record_value(hy_record *record, const char *key, hy_value value) {
  hy_text text = {0};
  hy_value_print(value, &text);
  hy_record_text(record, key, hy_text_string(&text));
  hy_text_free(&text);
}

void hy_record_ints(hy_record *record, const char *key, const int64_t *values, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++) json_array_append_new(list, json_integer(values[i]));
  json_object_set_new((json_t *)record, key, list);
}

static void record_place(hy_record *record, hy_loc loc) {
  if (!loc.source) return;
  hy_record_text(record, "file", loc.source->name);
  hy_record_int(record, "line", loc.line);
  hy_record_int(record, "column", loc.column);
  hy_record_int(record, "length", loc.length);
}

static void record_diagnostic(hy_record *record, const hy_diagnostic *d) {
  char code[16];
  hy_record_text(record, "severity", hy_severity_name(d->severity));
  snprintf(code, sizeof code, "HY%04d", (int)d->code);
  if (d->severity != HY_SEVERITY_NOTE) {
    hy_record_text(record, "code", code);
    hy_record_text(record, "title", hy_code_title(d->code));
  }
  record_place(record, d->loc);
  hy_record_text(record, "message", d->message);
  if (d->rule) hy_record_text(record, "rule", d->rule);
  if (d->help) hy_record_text(record, "help", d->help);
}

/* -- the end -- */

// A note is said exactly if the diagnostic that it belongs to is.
void hy_reporter_flush(hy_reporter *r, const hy_diagnostics *list) {
  hy_text text = {0};
  for (; r->seen < hy_diagnostics_count(list); r->seen++) {
    const hy_diagnostic *d = hy_diagnostics_at(list, r->seen);
    if (d->severity != HY_SEVERITY_NOTE) r->said_last = !was_said(list, r->seen);
    if (!r->said_last) continue;
    if (r->json)
      record_diagnostic(hy_record_append(hy_reporter_record(r), "diagnostics"), d);
    else
      (r->coloured ? hy_diagnostic_print_coloured : hy_diagnostic_print)(d, &text);
  }
  if (text.length) {
    erase_progress(r);
    fflush(stdout); // so that both streams read in order on one terminal
    fputs(hy_text_string(&text), stderr);
  }
  hy_text_free(&text);
}

hy_status hy_reporter_finish(hy_reporter *r, const hy_diagnostics *list, hy_status status) {
  if (!json_object_get(r->root, "diagnostics")) json_object_set_new(r->root, "diagnostics", json_array());
  hy_reporter_flush(r, list);
  hy_record_int(hy_reporter_record(r), "status", status);
  hy_record_text(hy_reporter_record(r), "verdict", hy_status_verdict(status));
  erase_progress(r);
  if (r->json) {
    json_dumpf(r->root, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    putchar('\n');
  }
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "halyard: error[HY%04d]: cannot write to standard output\n", (int)HY_E_CANNOT_WRITE);
  return hy_status_worse(status, HY_STATUS_USAGE);
}
