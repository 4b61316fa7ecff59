#ifndef HY_HABITS_H
#define HY_HABITS_H

/* Text in the habit of Halide, C or Python: what it is, and what to write instead (the tables of habits.def).
 *
 * All of it is asked where an error is told anyway, so that no text is accepted or refused because of it. What it makes
 * lives in the context's arena.
 */

#include "semantics/text/syntax_internal.h"

// What stands for $1, $2, .. in what to write.
typedef struct hy_habit_filling {
  const char *text;    // of a type: ours
  const char *indices; // the same as coordinates; NULL: not asked for
  bool is_operand;
} hy_habit_filling;

// What stands for $F, $P, $V and $W.
typedef struct hy_habit_around {
  const char *func, *pipeline, *variables, *stages;
} hy_habit_around;

// "instead" with all of them in their places
const char *hy_habit_fill(hy_context *context, const char *instead, const hy_habit_filling *fillings, int count,
                          hy_habit_around around);

// The tokens around the place where the parser stopped: are they such a habit? Then that is reported. "expected" is what
// the parser would have reported, "" for nothing.
bool hy_habit_told(hy_parser *parser, const char *expected);

// What to write for a name that nothing defines, or for a call of it; NULL if nobody knows.
const char *hy_habit_of_word(hy_context *context, const hy_syntax *name_or_call);

// The type of ours that a word of another language is, or a call such as UInt(8); NULL if it is none.
const char *hy_habit_of_type(const char *word);

// What to write for a number as other languages have it, 0b101, 1_000, 1.5f; what is said of any other that ends wrongly.
const char *hy_habit_of_number(hy_context *context, const char *number);
// What to write where a string stands behind these tokens.
const char *hy_habit_of_string(hy_context *context, const hy_source *source, const hy_tokens *before);
// What to write for a line of C's preprocessor; NULL if it is none. All three are for the lexer.
const char *hy_habit_of_line(hy_context *context, const char *line);

#endif
