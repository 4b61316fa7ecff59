#ifndef HY_FOREIGN_H
#define HY_FOREIGN_H

/* Buffers as other programs have them: any strides, memory that ends or begins at a page which is not mapped. */

#include "include/halyard_runtime.h"
#include "semantics/alg/input.h"
#include "semantics/storage/strides.h"

typedef enum { HY_DENSE, HY_PADDED, HY_PLANAR, HY_EVERY_OTHER, HY_BACKWARDS, HY_LAYOUTS } hy_foreign_layout;

typedef struct hy_foreign {
  halide_buffer_t buffer;
  halide_dimension_t dim[HY_MAX_RANK + 1];
  hy_type type;
  uint8_t *memory; // guarded (codegen/guard/guard.h); NULL: none yet
  size_t bytes;
  uint64_t align, host; // the first element begins at a multiple of so many bytes, and so far behind "memory"
} hy_foreign;

// The box of a buffer, without memory.
void hy_foreign_describe(hy_foreign *foreign, hy_type type, int rank, const int64_t *min, const int64_t *len);
// Memory in that layout. False: there is none.
bool hy_foreign_place(hy_foreign *foreign, hy_foreign_layout layout, const char *label);
// The same with these strides. False as well: elements would share memory.
bool hy_foreign_place_so(hy_foreign *foreign, const hy_strides *wanted, const char *label);
// The element's first byte, counted from the beginning of the memory.
size_t hy_foreign_offset(const hy_foreign *foreign, const int64_t *point);
void hy_foreign_fill(hy_foreign *foreign, const hy_buffer *from);

// Goes through a box; false: that was the last point.
bool hy_foreign_next_point(const hy_buffer *buffer, int64_t *point);

#endif
