// A text as tokens with their comments. A comment in the line of a token belongs to that token; else to the next one.

#include "semantics/format/format_internal.h"

#include <string.h>

bool hy_format_is(const hy_format_piece *piece, const char *text) { return strcmp(piece->token->text, text) == 0; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The end of the comment that begins there.
static const char *comment_end(const char *at, const char *end) {
  if (at[1] == '/') {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
  }
  for (at += 2; at + 1 < end; at++)
    if (at[0] == '*' && at[1] == '/') return at + 2;
  return end;
}

static hy_format_comment make_comment(const char *from, const char *to, bool after_blank) {
  hy_format_comment comment = {
      .text = from, .is_line = from[1] == '/', .after_blank = after_blank, .length = (size_t)(to - from)};
  while (comment.is_line && is_blank(from[comment.length - 1])) comment.length--;
  comment.is_long = memchr(from, '\n', comment.length) != NULL;
  return comment;
}

// The comments between two tokens.
static void split_gap(hy_format_pieces *p, const char *at, const char *end, hy_format_piece *last,
                      hy_format_piece *next) {
  int lines = 0;
  bool is_first = !last;
  next->before = p->comments.count;
  while (at < end) {
    if (is_blank(*at)) {
      lines += *at++ == '\n';
      continue;
    }
    const char *to = comment_end(at, end);
    hy_vec_push(&p->comments, make_comment(at, to, lines >= 2 && !is_first));
    if (last && !next->before_count && !lines) {
      if (!last->after_count++) last->after = p->comments.count - 1;
      next->before = p->comments.count;
    } else {
      next->before_count++;
    }
    lines = 0;
    is_first = false;
    at = to;
  }
  next->after_blank = lines >= 2 && !is_first;
}

void hy_format_split(hy_context *context, const hy_source *source, hy_language language, hy_format_pieces *p) {
  hy_diagnostics *unused = hy_diagnostics_new(); // the parser has read the same
  *p = (hy_format_pieces){.language = language};
  hy_lex(context, source, unused, &p->tokens);
  hy_diagnostics_free(unused);
  size_t at = source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // a byte order mark
  hy_vec_reserve(&p->list, p->tokens.count);
  for (size_t i = 0; i < p->tokens.count; i++) {
    const hy_token *token = &p->tokens.data[i];
    hy_vec_push(&p->list, (hy_format_piece){.token = token});
    split_gap(p, source->text + at, source->text + token->offset, i ? &p->list.data[i - 1] : NULL, &p->list.data[i]);
    at = token->offset + token->length;
  }
}

void hy_format_pieces_free(hy_format_pieces *p) {
  hy_vec_free(&p->tokens);
  hy_vec_free(&p->list);
  hy_vec_free(&p->comments);
}
