#ifndef HY_FORMAT_INTERNAL_H
#define HY_FORMAT_INTERNAL_H

/* A text as pieces: its tokens, each with the comments that belong to it, and what it is in its place. */

#include "semantics/base/vec.h"
#include "semantics/format/format.h"
#include "semantics/text/syntax_internal.h"

typedef struct hy_format_comment {
  const char *text; // in the source
  size_t length;    // without blanks at its end
  bool is_line;     // from // on; else /* */
  bool is_long;     // of several lines
  bool after_blank; // a blank line stands before it
} hy_format_comment;

typedef enum {
  HY_ROLE_END,
  HY_ROLE_OPERAND, // a name, a number, a head such as "rdom" or a directive
  HY_ROLE_WORD,    // a word that begins something: fun, let, if, for ...
  HY_ROLE_INFIX,   // a word between two operands: in, then, else, if of a predicate, on, stages ...
  HY_ROLE_BINARY,
  HY_ROLE_UNARY,
  HY_ROLE_OPEN_CALL,  // ( or [ right behind what it belongs to
  HY_ROLE_OPEN_GROUP, // ( or [ of its own
  HY_ROLE_CLOSE,
  HY_ROLE_OPEN_BRACE,
  HY_ROLE_CLOSE_BRACE,
  HY_ROLE_ASSIGN,
  HY_ROLE_ARROW, // "<" of "<-", "-" of "->"
  HY_ROLE_ARROW_REST,
  HY_ROLE_COMMA,
  HY_ROLE_COLON,
  HY_ROLE_DOT,
  HY_ROLE_RANGE, // ..
  HY_ROLE_SEMICOLON,
} hy_format_role;

typedef struct hy_format_piece {
  const hy_token *token;
  hy_format_role role;
  int precedence;                // of a binary operator
  uint32_t match;                // of a bracket: the other one
  uint32_t before, before_count; // comments on lines of their own before it
  uint32_t after, after_count;   // comments behind it in its line
  bool after_blank;              // a blank line stands before it, behind those comments
  bool space;                    // a blank stands before it where a line goes on
  bool breaks;                   // a comment makes it begin a line
  uint32_t start;                // its column, were the whole text one line
  uint32_t width;                // with the comments behind it
} hy_format_piece;

typedef struct hy_format_pieces {
  hy_language language;
  hy_tokens tokens;
  HY_VEC(hy_format_piece) list; // the last one is HY_ROLE_END
  HY_VEC(hy_format_comment) comments;
} hy_format_pieces;

// Splits a text that the parser took. requires: no syntax errors. To be freed.
void hy_format_split(hy_context *context, const hy_source *source, hy_language language, hy_format_pieces *pieces);
void hy_format_pieces_free(hy_format_pieces *pieces);
bool hy_format_roles(hy_format_pieces *pieces);  // sets roles and matches; false: brackets are no pairs
void hy_format_spaces(hy_format_pieces *pieces); // sets spaces and columns; after the roles
void hy_format_lay_out(const hy_format_pieces *pieces, hy_text *out);

bool hy_format_is(const hy_format_piece *piece, const char *text); // a word or punctuation

#endif
