#ifndef HY_TEXT_H
#define HY_TEXT_H

/* A growing piece of text: every printer writes into one, so that output can be compared, parsed back or thrown away.
 */

#include "semantics/base/base.h"

typedef struct hy_text {
  char *data; // NUL-terminated once anything was added, else NULL
  size_t length, capacity;
} hy_text;

void hy_text_add(hy_text *text, const char *string);
void hy_text_add_bytes(hy_text *text, const char *bytes, size_t length);
// Foreign text in one line of ours: control characters (of a terminal, of Unicode's reading direction) and what is not
// UTF-8 as their bytes, \xNN.
void hy_text_add_plain(hy_text *text, const char *foreign);
// The bytes of the character there, as UTF-8; 1 for what is none. "*shown": a terminal prints it and does nothing else.
size_t hy_text_character(const char *at, bool *shown);
// Text in a page: < > & and " are written as HTML wants them.
void hy_text_add_html(hy_text *text, const char *string, size_t length);
void hy_text_printf(hy_text *text, const char *format, ...) HY_PRINTF(2, 3);
const char *hy_text_string(const hy_text *text); // "" when empty; valid until the next change
void hy_text_free(hy_text *text);

#endif
