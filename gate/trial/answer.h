#ifndef HY_TRIAL_ANSWER_H
#define HY_TRIAL_ANSWER_H

/* What a bounds query has to answer. Where what is needed of an image depends on boxes of images, its own among them
 * ('in.min(0)' in an index), the boxes that are asked about are no answer: those are looked for that need no more than
 * they have, in rounds (engines/evaluate.h).
 */

#include "gate/trial/foreign.h"
#include "semantics/tgt/tgt.h"

// False, and what is wrong, a sentence's end: the boxes of "answered", one for each image, are neither what the program
// needs nor, where that depends on them, enough. Where rounds do not find such boxes nothing is wrong.
bool hy_bounds_answer_holds(const hy_tgt *filled, const hy_input *asked, const hy_foreign *answered, char *story,
                            size_t size);

#endif
