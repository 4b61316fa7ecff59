#ifndef HY_LINES_H
#define HY_LINES_H

/* Places of a text as the protocol counts them: lines from 0, which end with \n, \r or both, and characters in them: UTF-16
 * units, or bytes where the client takes these.
 */

#include "semantics/base/diagnostic.h"
#include "semantics/base/vec.h"

typedef struct hy_lines {
  const char *text;
  size_t length;
  bool utf8;
  HY_VEC(size_t) starts; // of lines, as the protocol counts
  HY_VEC(size_t) own;    // and as Halyard does, for which \n ends a line
} hy_lines;

typedef struct hy_lsp_place {
  size_t line, character;
} hy_lsp_place;

void hy_lines_begin(hy_lines *lines, const char *text, size_t length, bool utf8);
void hy_lines_end(hy_lines *lines);
// Beyond the end of a line, or of the text: its end. Inside a character: its beginning.
size_t hy_lines_offset(const hy_lines *lines, hy_lsp_place place);
hy_lsp_place hy_lines_place(const hy_lines *lines, size_t offset);
// Where a place of Halyard's begins, and its end; both within the text.
size_t hy_lines_of(const hy_lines *lines, hy_loc loc, size_t *end);

#endif
