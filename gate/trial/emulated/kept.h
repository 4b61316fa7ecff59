#ifndef HY_KEPT_H
#define HY_KEPT_H

/* What a call leaves of the descriptions of its buffers (docs/build.md). Of the C library alone. */

#include "include/halyard_runtime.h"

#include <stdbool.h>
#include <string.h>

// After a call that returned 0; "dims": what was->dim had. Of a bounds query type, boxes and strides are the answer.
static inline bool hy_buffer_is_kept(const halide_buffer_t *was, const halide_dimension_t *dims,
                                     const halide_buffer_t *is, bool is_query) {
  bool same = was->device == is->device && was->device_interface == is->device_interface && was->host == is->host &&
              was->flags == is->flags && was->dimensions == is->dimensions && was->dim == is->dim &&
              was->padding == is->padding;
  if (!same || is_query) return same;
  return memcmp(&was->type, &is->type, sizeof is->type) == 0 &&
         memcmp(dims, is->dim, (size_t)is->dimensions * sizeof *dims) == 0;
}

static inline bool hy_buffer_asks(const halide_buffer_t *b) { return !b->host && !b->device; }

#define HY_BUFFER_NOT_KEPT "it changes what a buffer's description says"

#endif
