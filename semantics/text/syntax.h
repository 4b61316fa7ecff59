#ifndef HY_SYNTAX_H
#define HY_SYNTAX_H

/* From text to programs: the parsers of the three languages, typing of expressions, static validity (section 4.3).
 *
 * Every function reports into "diagnostics" and returns NULL (or false) if there was an error; nothing is half made.
 * Results live in the context; sources must outlive them. Parsers bound their recursion: no input crashes or hangs
 * them.
 */

#include "semantics/alg/alg.h"

typedef struct hy_syntax hy_syntax; // an expression as written: untyped, with places
struct hy_tgt;
struct hy_schedule;

// requires: "source" is text (a NUL inside, or bytes that are not UTF-8 outside comments, are reported)
const hy_alg *hy_parse_alg(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics);
// A file of funcs, constants and helpers without a pipeline, for algorithms that include it: is it one by how it begins?
bool hy_is_included_text(hy_context *context, const hy_source *source);
bool hy_parse_included_text(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics); // its grammar
const struct hy_tgt *hy_parse_tgt(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics);
// All schedules of a file, in order: *schedules has *count of them.
bool hy_parse_schedules(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                        const struct hy_schedule **schedules, int *count);

hy_loc hy_syntax_loc(const hy_syntax *syntax);
void hy_syntax_print(const hy_syntax *syntax, hy_text *out); // reads back to the same tree
// Gives a schedule's expression its meaning over the pipeline's parameters and images (definition 4.4), as an "int" or,
// for conditions, as a "bool", over the windows of outputs, too. NULL if it is not a startup expression of that type.
const hy_expr *hy_syntax_startup(hy_context *context, const hy_alg *alg, const hy_syntax *syntax, hy_type type,
                                 hy_diagnostics *diagnostics);

// The name among "names" that "name" was probably meant to be, or NULL.
const char *hy_nearest_name(const char *name, const char *const *names, size_t count);

// Words that cannot be names: types, operators written as calls, "let", "if", "true", "false".
bool hy_is_reserved_word(const char *name);

#endif
