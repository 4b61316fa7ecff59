#include "semantics/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 64 }; // bytes

static void reserve(hy_text *text, size_t more) {
  size_t need = text->length + more + 1;
  if (need <= text->capacity) return;
  text->capacity = need > 2 * text->capacity ? need : 2 * text->capacity;
  if (text->capacity < FIRST) text->capacity = FIRST;
  text->data = hy_reallocate(text->data, text->capacity);
}

void hy_text_add_bytes(hy_text *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length) memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void hy_text_add_html(hy_text *text, const char *string, size_t length) {
  for (size_t i = 0; i < length; i++) switch (string[i]) {
    case '<': hy_text_add(text, "&lt;"); break;
    case '>': hy_text_add(text, "&gt;"); break;
    case '&': hy_text_add(text, "&amp;"); break;
    case '"': hy_text_add(text, "&quot;"); break;
    default: hy_text_add_bytes(text, string + i, 1);
    }
}

void hy_text_add(hy_text *text, const char *string) { hy_text_add_bytes(text, string, strlen(string)); }

static bool is_continuation(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

// U+2028 to 202E and U+2066 to 2069: line ends, and what turns the direction of reading around.
static bool turns_text(const unsigned char *c) {
  return c[0] == 0xe2 &&
         ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

size_t hy_text_character(const char *at, bool *shown) {
  const unsigned char *c = (const unsigned char *)at;
  unsigned char a = c[0];
  size_t length = a < 0x80 ? 1 : a >= 0xc2 && a < 0xe0 ? 2 : a >= 0xe0 && a < 0xf0 ? 3 : a >= 0xf0 && a < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; i++)
    if (!is_continuation(at[i])) length = 0;
  *shown = length == 1  ? a >= ' ' && a != 0x7f
           : length > 1 ? !(a == 0xc2 && c[1] < 0xa0) && !(length == 3 && turns_text(c))
                        : false;
  return length ? length : 1;
}

void hy_text_add_plain(hy_text *text, const char *foreign) {
  for (size_t length; *foreign; foreign += length) {
    bool shown;
    length = hy_text_character(foreign, &shown);
    if (shown)
      hy_text_add_bytes(text, foreign, length);
    else
      for (size_t i = 0; i < length; i++) hy_text_printf(text, "\\x%02x", (unsigned char)foreign[i]);
  }
}

void hy_text_printf(hy_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  reserve(text, FIRST / 2);
  size_t room = text->capacity - text->length;
  int length = vsnprintf(text->data + text->length, room, format, args);
  HY_ASSERT(length >= 0);
  if ((size_t)length >= room) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
  }
  text->length += (size_t)length;
  va_end(again);
  va_end(args);
}

const char *hy_text_string(const hy_text *text) { return text->data ? text->data : ""; }

void hy_text_free(hy_text *text) {
  hy_free(text->data);
  *text = (hy_text){0};
}
