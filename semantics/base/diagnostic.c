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
  hy_free(list);
}

enum { LONGEST = 4000, HEAD = 3000 }; // bytes of a text: a name in it may be a megabyte long

// Cuts out the middle of a text that nobody would read, between characters.
static char *shorten(char *text, size_t length) {
  if (length <= LONGEST) return text;
  size_t head = HEAD, tail = length - (LONGEST - HEAD - 5);
  while (head && ((unsigned char)text[head] & 0xc0) == 0x80) head--;
  while (tail < length && ((unsigned char)text[tail] & 0xc0) == 0x80) tail++;
  memcpy(text + head, " ... ", 5); // NOLINT(bugprone-not-null-terminated-result): the rest follows
  memmove(text + head + 5, text + tail, length - tail + 1);
  return text;
}

static const char *copy(hy_diagnostics *list, const char *text) {
  return text ? shorten(hy_arena_copy(list->arena, text, strlen(text)), strlen(text)) : NULL;
}

static void add(hy_diagnostics *list, hy_diagnostic item, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  HY_ASSERT(length >= 0);
  char *message = hy_arena_allocate(list->arena, (size_t)length + 1);
  vsnprintf(message, (size_t)length + 1, format, again);
  va_end(again);
  item.message = shorten(message, (size_t)length);
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

void hy_diagnostics_reword(hy_diagnostics *list, size_t index, hy_loc loc, const char *help, const char *message) {
  HY_ASSERT(index < list->items.count);
  hy_diagnostic *item = &list->items.data[index];
  item->loc = loc;
  item->help = copy(list, help);
  item->message = copy(list, message);
}

void hy_diagnostics_note_at(hy_diagnostics *list, size_t index, hy_code code, const char *format, ...) {
  HY_ASSERT(index <= list->items.count);
  va_list args;
  va_start(args, format);
  add(list, (hy_diagnostic){HY_SEVERITY_NOTE, code, (hy_loc){.source = NULL}, NULL, NULL, NULL}, format, args);
  va_end(args);
  hy_diagnostic *items = list->items.data, note = items[list->items.count - 1];
  memmove(items + index + 1, items + index, sizeof *items * (list->items.count - 1 - index));
  items[index] = note;
}

void hy_diagnostics_take_out(hy_diagnostics *list, size_t index, size_t count) {
  HY_ASSERT(index + count <= list->items.count);
  hy_diagnostic *items = list->items.data;
  for (size_t i = index; i < index + count; i++) list->errors -= items[i].severity == HY_SEVERITY_ERROR;
  memmove(items + index, items + index + count, sizeof *items * (list->items.count - index - count));
  list->items.count -= count;
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
enum { SHOWN = 160 }; // bytes of a line; a generated file may have one of a megabyte

static bool is_continuation(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; } // of a UTF-8 character

// Prints the characters of a part of a line, or, with "mark", that in the place of each; '?' where a terminal would do
// something else than print.
static void print_part(const char *line, size_t from, size_t to, const char *mark, hy_text *out) {
  for (size_t i = from; i < to;) {
    bool shown;
    size_t length = hy_text_character(line + i, &shown);
    if (mark)
      hy_text_add(out, mark);
    else if (shown)
      hy_text_add_bytes(out, line + i, length);
    else
      hy_text_add(out, (unsigned char)line[i] < ' ' ? " " : "?");
    i += length;
  }
}

// Where the part of the line begins that is shown: with the caret in it, and what stands before it as far as it fits.
static size_t first_shown(const char *line, size_t length, size_t column) {
  if (length <= SHOWN || column < SHOWN * 3 / 4) return 0;
  size_t first = column - SHOWN / 2;
  while (first < length && is_continuation(line[first])) first++;
  return first;
}

typedef struct {
  const char *place, *severity, *message, *caret, *label, *end;
} colours;

static const colours none = {"", "", "", "", "", ""};

// Those of gcc and clang, which terminals' themes are made for: bold words, and one colour for each severity.
static colours colours_of(hy_severity severity) {
  static const char *const severities[] = {
      [HY_SEVERITY_ERROR] = "\033[1;31m", [HY_SEVERITY_WARNING] = "\033[1;35m", [HY_SEVERITY_NOTE] = "\033[1;36m"};
  return (colours){"\033[1m", severities[severity], "\033[1m", "\033[1;32m", "\033[1;34m", "\033[0m"};
}

static void print_line(hy_loc loc, const colours *c, hy_text *out) {
  const char *line = loc.source->text;
  for (uint32_t n = 1; n < loc.line && line; n++) {
    line = strchr(line, '\n');
    if (line) line++;
  }
  if (!line) return;
  size_t length = strcspn(line, "\n"), column = loc.column - 1;
  while (length && line[length - 1] == '\r') length--;
  size_t first = first_shown(line, length, column), end = length - first > SHOWN ? first + SHOWN : length;
  while (end < length && is_continuation(line[end])) end++;
  hy_text_printf(out, "%5u | %s", loc.line, first ? "..." : "");
  print_part(line, first, end, NULL, out);
  hy_text_printf(out, "%s\n      | %s", end < length ? "..." : "", first ? "   " : "");
  print_part(line, first, column < end ? column : end, " ", out);
  for (size_t i = end; i < column; i++) hy_text_add(out, " ");
  hy_text_printf(out, "%s^", c->caret);
  bool shown;
  size_t next = column < end ? column + hy_text_character(line + column, &shown) : end;
  print_part(line, next, column + loc.length < end ? column + loc.length : end, "~", out);
  hy_text_printf(out, "%s\n", c->end);
}

// Messages quote what others wrote: names of files, words of a program, what a tool says.
static void add_sentence(hy_text *out, const char *label, const colours *c, const char *sentence) {
  hy_text_printf(out, "      = %s%s:%s ", c->label, label, c->end);
  hy_text_add_plain(out, sentence);
  hy_text_add(out, "\n");
}

static void print_head(const hy_diagnostic *d, const colours *c, hy_text *out) {
  hy_text_add(out, c->place);
  hy_text_add_plain(out, d->loc.source ? d->loc.source->name : "halyard");
  if (d->loc.source) hy_text_printf(out, ":%u:%u", d->loc.line, d->loc.column);
  hy_text_printf(out, ":%s %s%s", c->end, c->severity, hy_severity_name(d->severity));
  if (d->severity != HY_SEVERITY_NOTE) hy_text_printf(out, "[HY%04d]", (int)d->code);
  hy_text_printf(out, ":%s %s", c->end, c->message);
  hy_text_add_plain(out, d->message);
  hy_text_printf(out, "%s\n", c->end);
}

static void print(const hy_diagnostic *d, const colours *c, hy_text *out) {
  if (d->severity == HY_SEVERITY_NOTE && !d->loc.source) {
    add_sentence(out, "note", c, d->message);
    return;
  }
  print_head(d, c, out);
  if (d->loc.source) print_line(d->loc, c, out);
  if (d->rule) add_sentence(out, "rule", c, d->rule);
  if (d->help) add_sentence(out, "help", c, d->help);
}

void hy_diagnostic_print(const hy_diagnostic *d, hy_text *out) { print(d, &none, out); }

void hy_diagnostic_print_coloured(const hy_diagnostic *d, hy_text *out) {
  colours c = colours_of(d->severity);
  print(d, &c, out);
}

void hy_diagnostics_print(const hy_diagnostics *list, hy_text *out) {
  for (size_t i = 0; i < list->items.count; i++) hy_diagnostic_print(&list->items.data[i], out);
}
