#ifndef HY_STRIDES_H
#define HY_STRIDES_H

/* How an image or an output lies in its caller's memory where a program is at its best (DIR.Set-Stride), or has to lie
 * (DIR.Require-Stride, DIR.Host-Alignment). It has no meaning, and nothing is believed: code asks at run time whether
 * the buffers lie so, and has a version for those that do not (GEN.Laid), or refuses them (GEN.Demand).
 */

#include "semantics/expr/expr.h"

#include <stdint.h>

#define HY_MOST_OF_STRIDE (INT64_C(1) << 30)
enum { HY_MOST_OF_ALIGNMENT = 4096 }; // in bytes: a page

// By dimension, in elements: how far neighbours lie apart. 0: that is not said.
typedef struct hy_strides {
  int64_t of[HY_MAX_RANK];
} hy_strides;

bool hy_strides_say(const hy_strides *strides, int rank); // anything at all?
bool hy_strides_same(const hy_strides *a, const hy_strides *b, int rank);
bool hy_strides_fit(const hy_strides *strides, int rank); // is each from 1 to HY_MOST_OF_STRIDE, or not said?
bool hy_alignment_fits(int64_t bytes);                    // a power of two from 1 to HY_MOST_OF_ALIGNMENT?
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
// " stride(x, 3) require stride(c, 1)". "dims" are the dimensions' names.
void hy_strides_print(const hy_strides *strides, const hy_strides *demanded, int rank, const char *const *dims,
                      hy_text *out);

#endif
