#ifndef HY_DRIVER_EVALUATE_H
#define HY_DRIVER_EVALUATE_H

/* Values of startup expressions (definition 4.4) for one input, and the regions of images that a program needs. */

#include "semantics/alg/input.h"
#include "semantics/tgt/tgt.h"

// requires: "expr" is a startup expression over the pipeline's parameters, image boxes and window
hy_value hy_input_evaluate(const hy_alg *alg, const hy_input *input, const hy_expr *expr);

// What an image must contain.
typedef struct hy_region {
  bool empty; // nothing is read
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
} hy_region;

// Reads off the entry check what "filled" needs of an image for an input. False if it has no such check, the check is
// not of the form that lowering makes, or a bound evaluates to an error.
bool hy_region_needed(const hy_tgt *filled, const hy_func *image, const hy_input *input, hy_region *region);

// Gives the images of an input, which need be no more than boxes, the boxes that "filled" needs, as far as it needs
// any. What an image must hold may depend on the images' boxes: they change until they suffice, and at last they only
// grow.
void hy_input_settle(const hy_tgt *filled, const hy_input *input, hy_buffer *const *images);
// One more round in which they grow: for another program, too. True if they did not.
bool hy_input_grow(const hy_tgt *filled, const hy_input *input, hy_buffer *const *images);

// The first assumption of the entry block that an input does not meet; NULL if all hold. An empty window meets all
// (D11).
const hy_stmt *hy_entry_failure(const hy_tgt *filled, const hy_input *input);

#endif
