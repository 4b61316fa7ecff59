#ifndef HY_PARTS_H
#define HY_PARTS_H

/* Parts of programs, for whoever puts a program together of them (library/): what is wrong with one before there is a
 * whole, by the parsers that read the whole. Types and validity are not theirs to judge.
 */

#include "semantics/text/syntax.h"

// Why no parameter or func can be called so, "is a word of the language"; NULL: it can, if it is a name at all.
const char *hy_name_fault(const char *name);
const char *hy_loop_name_fault(const char *name); // the same of variables, pure and of reductions

// How many arguments a call takes: least, least + step, ..., most.
typedef struct hy_call_form {
  int least, most, step;
} hy_call_form;
bool hy_call_form_of(const char *name, hy_call_form *form); // of u8, min, select, absd, ...; false if none is called so

// What one item of a text defines: a func or table, a constant, a helper.
typedef struct hy_item_outline {
  const char *name;
  enum { HY_ITEM_IS_FUNC, HY_ITEM_IS_CONSTANT, HY_ITEM_IS_HELPER } kind;
  bool is_family;     // fun g[k](x) = ..: its members are g_0, g_1, ...
  int takes;          // coordinates of a func, arguments of a helper
  const char *source; // "fun c = repeat_edge(in);" has as many coordinates as what is called so; else NULL
  int values, updates;
} hy_item_outline;
// All of the text, which is items as they stand in a pipeline; what stands in "for" and "if", too. False after a report.
bool hy_parse_item_outlines(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                            const hy_item_outline **outlines, int *count);
// One parameter, "w: int in 1..16 = 3". False after a report.
bool hy_check_parameter(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics);
// Directives as they stand between the braces of a schedule: their grammar. "read" is a schedule of them, without a name.
// False after a report.
struct hy_schedule;
bool hy_check_directives(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                         struct hy_schedule *read);

#endif
