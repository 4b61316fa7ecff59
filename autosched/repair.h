#ifndef HY_AUTOSCHED_REPAIR_H
#define HY_AUTOSCHED_REPAIR_H

/* What is not legal is left out: choices are taken func by func as far as the schedule stays legal. */

#include "autosched/choices.h"

// Is the schedule of these choices legal, and are its bounds found?
typedef bool hy_choices_legal(void *self, const hy_choices_list *choices);

// The choices themselves if they are legal, else those of them that are legal together, beginning with outputs: first
// with all that is chosen for a func, then its place alone. "refused" counts what was not.
//   requires: the plain choices are legal
hy_choices_list *hy_repair(const hy_func_graph *graph, const hy_choices_list *choices, hy_choices_legal *legal,
                           void *self, int *refused);

#endif
