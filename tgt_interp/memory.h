#ifndef HY_TGT_INTERP_MEMORY_H
#define HY_TGT_INTERP_MEMORY_H

/* Memory with its shadow: for each cell the value, its mark, and who touched it last. Private to tgt_interp/.
 *
 * Reads and writes of cells are inline: every assignment makes several.
 */

#include "semantics/alg/input.h"
#include "semantics/storage/layout.h"
#include "tape/tape.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "cells are copied bytewise as hy_value_store lays them out");

// A cell's mark: hy_error in the low bits, and whether its value descends from uninitialised memory (decision D7).
enum { MARK_ERROR = 3, MARK_UNDEFINED = 4 };

// One allocation, or an input image, whose dimension 0 is the fastest.
typedef struct memory {
  hy_type type;
  hy_layout layout;
  size_t count, bytes, capacity; // cells; the program's bytes; bytes held, shadow included
  uint8_t *data;                 // as hy_value_store lays it out
  uint8_t *marks;                // NULL for an image without errors
  uint32_t *writers, *readers;   // race stamps per cell; NULL when not monitored, and for images
  // Of a folded allocation, else NULL: which points a cell holds. Those with these coordinates (rank of them for each
  // cell) but where "any" has a bit; and in which execution of the func's compute they were stored.
  int64_t *holds;
  uint32_t *stored;
  uint8_t *any;
} memory;

// Sets the shape and the size; plan NULL: the plain one. False: the size cannot be counted. requires: len >= 0
bool hy_memory_shape(memory *m, hy_type type, int rank, const hy_plan *plan, const int64_t *min, const int64_t *len);
// Makes a box a little larger at both ends, by amounts that the seed and the number of the allocation pick.
void hy_memory_widen(uint64_t seed, uint64_t number, int rank, int64_t *min, int64_t *len);
bool hy_memory_reserve(memory *m, bool stamps, size_t limit); // false if there is not enough memory
void hy_memory_scramble(memory *m, uint64_t seed);            // undefined everywhere, with arbitrary ordinary values
void hy_memory_ruin(memory *m);                               // eps_mem everywhere
void hy_memory_view(memory *m, const hy_buffer *image);       // borrows the image's memory
void hy_memory_free(memory *m);
// Visits every cell whose coordinates agree with "point" where "wild" has no bit.
void hy_memory_slice(const memory *m, const int64_t *point, uint32_t wild, void (*visit)(void *self, size_t offset),
                     void *self);

// requires: a folded allocation. Does the cell hold the point? One that was never stored to holds every point.
bool hy_memory_holds(const memory *m, size_t offset, const hy_value *point);
// The cell holds the points with these coordinates, but for those that are errors.
void hy_memory_hold(memory *m, size_t offset, const hy_value *point, uint32_t compute);

// Where coordinates lead. Wild dimensions are those whose coordinate is an error.
typedef struct address {
  size_t offset;
  hy_error error; // join of the coordinates' errors
  uint32_t wild;
  bool inside; // the ordinary coordinates lie in the box
  bool undefined;
} address;

/* -- cells -- */

static inline hy_value hy_memory_get(const memory *m, size_t offset) {
  hy_value value = {.u = 0, .type = (uint8_t)m->type};
  uint8_t mark = m->marks ? m->marks[offset] : 0;
  value.error = mark & MARK_ERROR;
  value.undefined = (mark & MARK_UNDEFINED) != 0;
  if (value.error) return value;
  switch (m->type) {
  case HY_BOOL:
  case HY_U8: value.u = m->data[offset]; break;
  case HY_I8: value.i = (int8_t)m->data[offset]; break;
  case HY_U16:
  case HY_F16:
  case HY_BF16: {
    uint16_t u;
    memcpy(&u, m->data + 2 * offset, sizeof u);
    value.u = u;
    break;
  }
  case HY_I16: {
    int16_t i;
    memcpy(&i, m->data + 2 * offset, sizeof i);
    value.i = i;
    break;
  }
  case HY_I32: {
    int32_t i;
    memcpy(&i, m->data + 4 * offset, sizeof i);
    value.i = i;
    break;
  }
  case HY_U32:
  case HY_F32: memcpy(&value, m->data + 4 * offset, 4); break;
  case HY_INT:
  case HY_U64:
  case HY_I64:
  case HY_F64: memcpy(&value, m->data + 8 * offset, 8); break;
  }
  return value;
}

static inline void hy_memory_put(memory *m, size_t offset, hy_value value) {
  m->marks[offset] = (uint8_t)(value.error | (value.undefined ? MARK_UNDEFINED : 0));
  switch (m->type) {
  case HY_BOOL:
  case HY_U8:
  case HY_I8: m->data[offset] = (uint8_t)value.u; break;
  case HY_U16:
  case HY_I16:
  case HY_F16:
  case HY_BF16: memcpy(m->data + 2 * offset, &value, 2); break;
  case HY_U32:
  case HY_I32:
  case HY_F32: memcpy(m->data + 4 * offset, &value, 4); break;
  case HY_INT:
  case HY_U64:
  case HY_I64:
  case HY_F64: memcpy(m->data + 8 * offset, &value, 8); break;
  }
}

/* -- addresses -- */

// The offset where dimensions are folded, which is no product of distances.
size_t hy_memory_fold(const memory *m, const hy_value *coordinates);

// "m" may be NULL: nothing is inside. The unsigned difference wraps, so one comparison tests both sides of the
// interval.
static inline address hy_memory_locate(const memory *m, const hy_value *coordinates) {
  address a = {.inside = m != NULL};
  if (!m) return a;
  for (int d = 0; d < m->layout.rank; d++) {
    a.undefined |= coordinates[d].undefined;
    if (coordinates[d].error) {
      if (coordinates[d].error > a.error) a.error = (hy_error)coordinates[d].error;
      a.wild |= 1u << d;
      continue;
    }
    uint64_t at = (uint64_t)coordinates[d].i - (uint64_t)m->layout.min[d];
    if (at >= m->layout.len[d]) a.inside = false;
    a.offset += at * m->layout.stride[d];
  }
  if (m->layout.folds) a.offset = hy_memory_fold(m, coordinates);
  return a;
}

#endif
