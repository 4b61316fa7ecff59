#ifndef HY_AUTOSCHED_MOVES_H
#define HY_AUTOSCHED_MOVES_H

/* Small changes of choices, drawn from a seed: where a func is computed, sizes of tiles, lanes, what is unrolled or
 * runs in parallel, orders of loops; and funcs taken over from other choices. What comes out need not be legal.
 */

#include "autosched/choices.h"

typedef struct hy_dice {
  uint64_t state;
} hy_dice;
uint64_t hy_dice_below(hy_dice *dice, uint64_t below);

// "kept" (by node; NULL: none) are left as they are. The graph has its boxes, and nothing inlined.
void hy_move(const hy_func_graph *graph, hy_dice *dice, const bool *kept, hy_choices_list *choices);
void hy_cross(const hy_func_graph *graph, hy_dice *dice, const hy_choices_list *other, hy_choices_list *choices);
// A start of the dissertation's (section 6.2): each func inlined if it reads one point of each producer, else in tiles
// and vectors, or plainly in parallel.
void hy_random_start(const hy_func_graph *graph, hy_dice *dice, const bool *kept, hy_choices_list *choices);

#endif
