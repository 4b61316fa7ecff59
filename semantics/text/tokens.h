#ifndef HY_TOKENS_H
#define HY_TOKENS_H

/* A source as tokens, for the parsers and for whoever looks at texts that no parser takes (an editor's, half typed). */

#include "semantics/base/vec.h"
#include "semantics/text/syntax.h"

typedef enum {
  HY_TOKEN_END,
  HY_TOKEN_NAME,
  HY_TOKEN_INTEGER,
  HY_TOKEN_FLOAT,
  HY_TOKEN_STRING, // behind "include" alone
  HY_TOKEN_PUNCTUATION
} hy_token_kind;

typedef struct hy_token {
  hy_token_kind kind;
  uint32_t length; // in the source's text, where it begins at "offset"
  size_t offset;
  hy_loc loc;
  const char *text; // interned; for a number its spelling
} hy_token;

typedef HY_VEC(hy_token) hy_tokens;

// Splits a source into tokens, the last of which is HY_TOKEN_END. Reports what is no token and goes on.
bool hy_lex(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics, hy_tokens *tokens);
// The same of its beginning: so many tokens at most, and HY_TOKEN_END.
bool hy_lex_first(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics, hy_tokens *tokens,
                  size_t most);

#endif
