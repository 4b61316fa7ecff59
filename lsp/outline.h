#ifndef HY_OUTLINE_H
#define HY_OUTLINE_H

/* What a text introduces and where it counts, from its tokens alone: also of a text that no parser takes, as most are while
 * they are typed. Nothing is freed (reading.h).
 */

#include "semantics/text/tokens.h"

typedef enum {
  HY_NAMES_PIPELINE, // of an algorithm, or a target program
  HY_NAMES_PARAM,
  HY_NAMES_IMAGE,
  HY_NAMES_FUNC,      // an inline reduction with a name, too
  HY_NAMES_CONST,     // and tables
  HY_NAMES_HELPER,    // def
  HY_NAMES_DIMENSION, // of a func
  HY_NAMES_ARGUMENT,  // of a helper
  HY_NAMES_RDOM,
  HY_NAMES_LET,
  HY_NAMES_TURN, // the variable of a "for"
  HY_NAMES_SCHEDULE,
} hy_outline_kind;

enum { HY_NO_TOKEN = -1 };

typedef struct hy_outline_name {
  hy_outline_kind kind;
  const char *text; // interned
  int token;        // where it stands
  int first, last;  // tokens of what introduces it: "fun" to ";"
  int from, to;     // where it counts
  const char *func; // of DIMENSION and RDOM: whose
} hy_outline_name;

typedef struct hy_outline {
  hy_tokens tokens; // without the last, which is none: "count" says so
  int count;
  int *match; // of an opening bracket its closing one, or "count"; of others HY_NO_TOKEN
  HY_VEC(hy_outline_name) names;
} hy_outline;

void hy_outline_read(hy_context *context, const hy_source *source, hy_outline *outline);

const char *hy_outline_text(const hy_outline *outline, int token); // "" where none is
bool hy_outline_is(const hy_outline *outline, int token, const char *text);
bool hy_outline_is_name(const hy_outline *outline, int token);
// The token that the offset is in, or at the end of; a name rather than what is beside it. HY_NO_TOKEN: none.
int hy_outline_at(const hy_outline *outline, size_t offset);
// The tokens that begin before the offset.
int hy_outline_before(const hy_outline *outline, size_t offset);
// Does the token end an operand, so that an operator or a word follows, and no operand?
bool hy_outline_ends_operand(const hy_outline *outline, int token);
// Is the token an "in" of the language, and no name?
bool hy_outline_is_word_in(const hy_outline *outline, int token);

// What the name at that token, or one of that text that stood there, means. NULL: nothing here introduces it.
const hy_outline_name *hy_outline_meaning(const hy_outline *outline, int token, const char *text);
// The first of that kind and text.
const hy_outline_name *hy_outline_find(const hy_outline *outline, hy_outline_kind kind, const char *text);

#endif
