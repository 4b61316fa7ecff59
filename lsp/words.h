#ifndef HY_WORDS_H
#define HY_WORDS_H

/* The words that the language has, as its tables say: types, operators, functions, boundary conditions, reductions, and the
 * words of its grammar (words.def).
 */

#include "semantics/base/text.h"
#include "semantics/expr/expr.h"

typedef enum { HY_WORD_TYPE, HY_WORD_FUNCTION, HY_WORD_GRAMMAR } hy_word_kind;
typedef enum { HY_WORD_ALGORITHM = 1, HY_WORD_SCHEDULE = 2, HY_WORD_BOTH = 3 } hy_word_place;

typedef struct hy_lsp_word {
  const char *text;
  hy_word_kind kind;
  unsigned places; // hy_word_place
  hy_text form, meaning;
} hy_lsp_word;

// The word at that position of all of them. False behind the last. To be freed.
bool hy_words_at(size_t index, hy_lsp_word *word);
void hy_words_free(hy_lsp_word *word);
// The same by its text.
bool hy_words_find(const char *text, hy_lsp_word *word);
// An operator, as it is written between operands or, "is_prefix", before one: "a + b", "sum; ...". False: it is none.
bool hy_words_operator(const char *text, bool is_prefix, hy_text *form, hy_text *meaning);

// A member of an image: in.min(d), in.width(). False behind the last.
bool hy_words_member(size_t index, const char **name, hy_text *form, hy_text *meaning);

#endif
