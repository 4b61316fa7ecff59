#ifndef HY_AUTOSCHED_SPELL_H
#define HY_AUTOSCHED_SPELL_H

/* Choices, written down as a schedule in Halide's chained spelling. Whether it is legal is asked of whoever reads it.
 */

#include "autosched/choices.h"
#include "semantics/base/text.h"

// Funcs named in "left_out" (by node; NULL: none) get no lines: what the user fixed stands in "given", lines to be put
// first (NULL: none).
typedef struct hy_spelling {
  const char *name; // of the schedule
  const bool *left_out;
  const char *given;
} hy_spelling;

void hy_spell(const hy_func_graph *graph, const hy_choices_list *choices, const hy_spelling *spelling, hy_text *out);

#endif
