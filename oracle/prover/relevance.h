#ifndef HY_RELEVANCE_H
#define HY_RELEVANCE_H

/* Which facts can matter to a goal: those that share an unknown with it, with those facts, and so on. What an unrelated
 * parameter may be changes so nothing of how a goal is looked at. Of what is left, if it is much, the nearest alone; and
 * of lower bounds of one number the greatest. Leaving facts out is always sound.
 */

#include "oracle/prover/pair_map.h"
#include "semantics/expr/expr.h"

typedef struct hy_relevance {
  hy_arena *arena;          // of the lists; belongs to the caller
  hy_pair_map unknowns;     // expression -> the list of its variables and accesses
  hy_pair_map numbers;      // variable or access -> its number
  HY_VEC(uint64_t) reached; // by number: the last question that reached it
  uint64_t question;
} hy_relevance;

enum {
  HY_RELEVANT_FACTS = 64, // so many are not worth choosing from
  HY_NEAR_FACTS = 24      // no fact that is further away is taken once there are so many: numbers grow on the way
};

void hy_relevance_init(hy_relevance *relevance, hy_arena *arena);
void hy_relevance_free(hy_relevance *relevance);

// Sets out[0..count) to the facts, first those that share an unknown with the goal, with such a fact, and so on, then all
// others, each in their order; returns how many the former are. What is left speaks of other unknowns alone: it decides
// nothing, unless it contradicts itself.
size_t hy_relevance_divide(hy_relevance *relevance, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                           const hy_expr **out);

// Sets out[0..result) to the chosen facts, in their order, and returns how many; "out" has room for all.
size_t hy_relevance_choose(hy_relevance *relevance, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                           const hy_expr **out);

// Does the fact speak of an end of an image that the goal does not mention, and of no loop? What an image must hold is
// a large fact, and one for each end of each.
bool hy_relevance_is_of_other_image(hy_relevance *relevance, const hy_expr *fact, const hy_expr *goal);

// Does the fact speak of conversions, and of ends of images, but of none in a dimension that the goal speaks of?
bool hy_relevance_is_of_other_side(hy_relevance *relevance, const hy_expr *fact, const hy_expr *goal);

// Does the fact speak of values that are read; of such values, and the goal of none of these?
bool hy_relevance_is_of_reads(hy_relevance *relevance, const hy_expr *fact);
bool hy_relevance_is_of_other_reads(hy_relevance *relevance, const hy_expr *fact, const hy_expr *goal);

#endif
