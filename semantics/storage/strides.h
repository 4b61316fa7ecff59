#ifndef HY_STRIDES_H
#define HY_STRIDES_H

/* How an image or an output lies in its caller's memory where a program is at its best (DIR.Set-Stride). It has no
 * meaning, and nothing is believed: code asks at run time whether the buffers lie so, and has a version for those that
 * do not (GEN.Laid).
 */

#include "semantics/expr/expr.h"

#include <stdint.h>

#define HY_MOST_OF_STRIDE (INT64_C(1) << 30)

// By dimension, in elements: how far neighbours lie apart. 0: that is not said.
typedef struct hy_strides {
  int64_t of[HY_MAX_RANK];
} hy_strides;

bool hy_strides_say(const hy_strides *strides, int rank); // anything at all?
// What is wrong with them, in words (static storage); NULL: nothing.
const char *hy_strides_fault(const hy_strides *strides, int rank);
// What code may count on in such a buffer, 0 nothing: a dimension 0 of which nothing is said is dense, unless another
// one is.
hy_strides hy_strides_wanted(const hy_strides *strides, int rank);
// Has each element of a box with these sides and strides, of any sign, a place of its own?
bool hy_strides_are_apart(int rank, const int64_t *len, const int64_t *stride);
// Strides of a box that has those wanted, the other dimensions dense behind what these reach, and how many elements it
// spans. False: elements would share memory, or no memory is that large.
bool hy_strides_lay(const hy_strides *wanted, int rank, const int64_t *len, int64_t *stride, int64_t *span);
// How many elements there may be in that dimension, so that they lie between those of the next larger stride; 0: any.
int64_t hy_strides_most(const hy_strides *wanted, int rank, int dim);
// " stride(x, 3) stride(c, 1)". "dims" are the dimensions' names.
void hy_strides_print(const hy_strides *strides, int rank, const char *const *dims, hy_text *out);

#endif
