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

void hy_text_add(hy_text *text, const char *string) { hy_text_add_bytes(text, string, strlen(string)); }

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
