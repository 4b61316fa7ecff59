#include "lsp/lines.h"

#include <string.h>

void hy_lines_begin(hy_lines *l, const char *text, size_t length, bool utf8) {
  *l = (hy_lines){.text = text, .length = length, .utf8 = utf8};
  hy_vec_push(&l->starts, 0);
  hy_vec_push(&l->own, 0);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') hy_vec_push(&l->own, i + 1);
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n')))
      hy_vec_push(&l->starts, i + 1);
  }
}

void hy_lines_end(hy_lines *l) {
  hy_vec_free(&l->starts);
  hy_vec_free(&l->own);
}

/* -- characters -- */

static bool continues(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

// The bytes of the character there, and in "*units" what it counts.
static size_t character(const hy_lines *l, size_t at, size_t *units) {
  size_t bytes = 1;
  while (at + bytes < l->length && bytes < 4 && continues(l->text[at + bytes])) bytes++;
  *units = l->utf8 ? bytes : bytes == 4 ? 2 : 1;
  return bytes;
}

// Where the line's text ends, before what ends the line.
static size_t line_end(const hy_lines *l, size_t line) {
  size_t end = line + 1 < l->starts.count ? l->starts.data[line + 1] : l->length;
  while (end > l->starts.data[line] && (l->text[end - 1] == '\n' || l->text[end - 1] == '\r')) end--;
  return end;
}

size_t hy_lines_offset(const hy_lines *l, hy_lsp_place place) {
  if (place.line >= l->starts.count) return l->length;
  size_t at = l->starts.data[place.line], end = line_end(l, place.line);
  for (size_t seen = 0, units; at < end; seen += units) {
    size_t bytes = character(l, at, &units);
    if (seen + units > place.character) break;
    at += bytes;
  }
  return at < end ? at : end;
}

// The last of the starts that is not behind the offset.
static size_t line_of(const size_t *starts, size_t count, size_t offset) {
  size_t low = 0, high = count; // starts[low] <= offset < starts[high]
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

hy_lsp_place hy_lines_place(const hy_lines *l, size_t offset) {
  if (offset > l->length) offset = l->length;
  hy_lsp_place place = {.line = line_of(l->starts.data, l->starts.count, offset)};
  for (size_t at = l->starts.data[place.line], units; at < offset; place.character += units)
    at += character(l, at, &units);
  return place;
}

size_t hy_lines_of(const hy_lines *l, hy_loc loc, size_t *end) {
  size_t line = loc.line ? loc.line - 1 : 0;
  size_t at = line < l->own.count ? l->own.data[line] + (loc.column ? loc.column - 1 : 0) : l->length;
  if (at > l->length) at = l->length;
  *end = at + loc.length < l->length ? at + loc.length : l->length;
  return at;
}
