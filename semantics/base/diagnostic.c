#include "semantics/base/diagnostic.h"

#include "semantics/base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct hy_diagnostics {
  hy_arena *arena;
  HY_VEC(hy_diagnostic) items;
  size_t errors;
};

hy_diagnostics *hy_diagnostics_new(void) {
  hy_diagnostics *list = hy_allocate_zeroed(1, sizeof *list);
  list->arena = hy_arena_new();
  return list;
}

void hy_diagnostics_free(hy_diagnostics *list) {
  if (!list) return;
  hy_vec_free(&list->items);
  hy_arena_free(list->arena);
  free(list);
}

static const char *copy(hy_diagnostics *list, const char *text) {
  return text ? hy_arena_copy(list->arena, text, strlen(text)) : NULL;
}

static void add(hy_diagnostics *list, hy_diagnostic item, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  HY_ASSERT(length >= 0);
  char *message = hy_arena_allocate(list->arena, (size_t)length + 1);
  vsnprintf(message, (size_t)length + 1, format, again);
  va_end(again);
  item.message = message;
  item.rule = copy(list, item.rule);
  item.help = copy(list, item.help);
  hy_vec_push(&list->items, item);
  if (item.severity == HY_SEVERITY_ERROR) list->errors++;
}

void hy_report(hy_diagnostics *list, hy_code code, hy_loc loc, const char *rule, const char *help, const char *format,
               ...) {
  va_list args;
  va_start(args, format);
  add(list, (hy_diagnostic){HY_SEVERITY_ERROR, code, loc, NULL, rule, help}, format, args);
  va_end(args);
}

void hy_warn(hy_diagnostics *list, hy_code code, hy_loc loc, const char *rule, const char *help, const char *format,
             ...) {
  va_list args;
  va_start(args, format);
  add(list, (hy_diagnostic){HY_SEVERITY_WARNING, code, loc, NULL, rule, help}, format, args);
  va_end(args);
}

void hy_note(hy_diagnostics *list, hy_code code, hy_loc loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(list, (hy_diagnostic){HY_SEVERITY_NOTE, code, loc, NULL, NULL, NULL}, format, args);
  va_end(args);
}

size_t hy_diagnostics_count(const hy_diagnostics *list) { return list->items.count; }
size_t hy_diagnostics_errors(const hy_diagnostics *list) { return list->errors; }
const hy_diagnostic *hy_diagnostics_at(const hy_diagnostics *list, size_t index) {
  HY_ASSERT(index < list->items.count);
  return &list->items.data[index];
}

const char *hy_code_title(hy_code code) {
  switch (code) {
#define HY_ERROR(number, name, title)                                                                                  \
  case HY_E_##name:                                                                                                    \
    return title;
#include "semantics/errors.def"
#undef HY_ERROR
  }
  HY_UNREACHABLE();
}

const char *hy_severity_name(hy_severity severity) {
  switch (severity) {
  case HY_SEVERITY_ERROR: return "error";
  case HY_SEVERITY_WARNING: return "warning";
  case HY_SEVERITY_NOTE: return "note";
  }
  HY_UNREACHABLE();
}

// The source line with a caret line below it; control characters print as blanks so that the caret stays under its
// text.
static void print_line(hy_loc loc, hy_text *out) {
  const char *line = loc.source->text;
  for (uint32_t n = 1; n < loc.line && line; n++) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  if (!line) return;
  size_t length = strcspn(line, "\n");
  hy_text_printf(out, "%5u | ", loc.line);
  for (size_t i = 0; i < length; i++) hy_text_add_bytes(out, (unsigned char)line[i] < ' ' ? " " : &line[i], 1);
  hy_text_add(out, "\n      | ");
  for (size_t i = 0; i + 1 < loc.column; i++) hy_text_add(out, " ");
  hy_text_add(out, "^");
  for (size_t i = 1; i < loc.length && loc.column - 1 + i < length; i++) hy_text_add(out, "~");
  hy_text_add(out, "\n");
}

void hy_diagnostic_print(const hy_diagnostic *d, hy_text *out) {
  if (d->loc.source)
    hy_text_printf(out, "%s:%u:%u: ", d->loc.source->name, d->loc.line, d->loc.column);
  else
    hy_text_add(out, "halyard: ");
  if (d->severity == HY_SEVERITY_NOTE)
    hy_text_printf(out, "note: %s\n", d->message);
  else
    hy_text_printf(out, "%s[HY%04d]: %s\n", hy_severity_name(d->severity), (int)d->code, d->message);
  if (d->loc.source) print_line(d->loc, out);
  if (d->rule) hy_text_printf(out, "      = rule: %s\n", d->rule);
  if (d->help) hy_text_printf(out, "      = help: %s\n", d->help);
}

void hy_diagnostics_print(const hy_diagnostics *list, hy_text *out) {
  for (size_t i = 0; i < list->items.count; i++) hy_diagnostic_print(&list->items.data[i], out);
}
