#ifndef HY_FORMAT_H
#define HY_FORMAT_H

/* The one layout of a text: of an algorithm, of a file of schedules, of a target program.
 *
 * What a text says is left alone: every word, literal, parenthesis and comment stays as it is written, and in its order.
 * What stands between them is decided here: lines, indentation, blanks. Blank lines between statements stay, one each.
 * The layout is a function of the words, the comments and which lines are blank: however a text was laid out, it comes
 * out the same.
 */

#include "semantics/expr/expr.h"

typedef enum { HY_LANGUAGE_ALG, HY_LANGUAGE_SCHEDULE, HY_LANGUAGE_TGT } hy_language;

// The language of a file's name (.alg, .sched, .tgt). False: it is none of these.
bool hy_language_of_name(const char *path, hy_language *language);
// The language of a text, by its first word; what begins otherwise is taken for an algorithm, whose parser then says so.
hy_language hy_language_of_text(hy_context *context, const hy_source *source);

// Adds the source's layout to *out. False after reporting: the parser of the language found no such text (HY01xx);
// errors in what the text means stop nothing, and are not reported.
//   ensures: the words are those of the source, the comments too; the same parser reads the same program; laid out
//   again it stays as it is. All three are looked at each time; if one is not so, that is a defect (hy_die).
bool hy_format(hy_context *context, const hy_source *source, hy_language language, hy_diagnostics *diagnostics,
               hy_text *out);

enum { HY_FORMAT_WIDTH = 140 }; // columns, but for what cannot be broken and comments

#endif
