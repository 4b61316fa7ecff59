#include "gate/trial/foreign.h"

#include "codegen/guard/guard.h"

#include <string.h>

static halide_type_t foreign_type(hy_type type) {
  static const uint8_t codes[] = {[HY_CLASS_INTEGER] = 0,
                                  [HY_CLASS_SIGNED] = 0,
                                  [HY_CLASS_BOOL] = 1,
                                  [HY_CLASS_UNSIGNED] = 1,
                                  [HY_CLASS_FLOAT] = 2};
  if (type == HY_BF16) return (halide_type_t){4, 16, 1};
  return (halide_type_t){codes[hy_type_class_of(type)], type == HY_BOOL ? 1 : (uint8_t)hy_type_bits(type), 1};
}

void hy_foreign_describe(hy_foreign *f, hy_type type, int rank, const int64_t *min, const int64_t *len) {
  *f = (hy_foreign){.buffer = {.dimensions = rank, .type = foreign_type(type)}, .type = type, .align = 1};
  f->buffer.dim = f->dim;
  int32_t stride = 1;
  for (int d = 0; d < rank; d++) {
    f->dim[d] = (halide_dimension_t){(int32_t)min[d], (int32_t)len[d], stride, 0};
    stride *= (int32_t)len[d];
  }
}

// "host": how far behind the lowest element the first one lies, which is the one that is aligned.
static bool place_memory(hy_foreign *f, int64_t host, const char *label) {
  f->host = (uint64_t)host;
  f->memory = hy_guard_block_at(f->bytes, f->align, f->host, label);
  f->buffer.host = f->memory ? f->memory + host : NULL;
  return f->memory;
}

// No two elements lie in one place; of an odd layout something lies between them.
bool hy_foreign_place(hy_foreign *f, hy_foreign_layout layout, const char *label) {
  int rank = f->buffer.dimensions;
  int64_t stride = layout == HY_EVERY_OTHER ? 2 : 1, low = 0, high = 0;
  for (int k = 0; k < rank; k++) {
    int d = layout == HY_PLANAR ? rank - 1 - k : k; // the last dimension is the dense one
    f->dim[d].stride = (int32_t)(layout == HY_BACKWARDS && d != 1 ? -stride : stride);
    int64_t reach = f->dim[d].extent ? (int64_t)f->dim[d].stride * (f->dim[d].extent - 1) : 0;
    *(reach < 0 ? &low : &high) += reach;
    stride = stride * f->dim[d].extent + (layout == HY_PADDED ? 3 : 0);
  }
  size_t element = hy_type_bytes(f->type);
  f->bytes = (size_t)(high - low + 1) * element;
  return place_memory(f, -low * (int64_t)element, label);
}

bool hy_foreign_place_so(hy_foreign *f, const hy_strides *wanted, const char *label) {
  int64_t len[HY_MAX_RANK], stride[HY_MAX_RANK], span;
  for (int d = 0; d < f->buffer.dimensions; d++) len[d] = f->dim[d].extent;
  if (!hy_strides_lay(wanted, f->buffer.dimensions, len, stride, &span) || span > INT32_MAX) return false;
  for (int d = 0; d < f->buffer.dimensions; d++) f->dim[d].stride = (int32_t)stride[d];
  f->bytes = (size_t)span * hy_type_bytes(f->type);
  return place_memory(f, 0, label);
}

size_t hy_foreign_offset(const hy_foreign *f, const int64_t *point) {
  int64_t offset = f->buffer.host - f->memory;
  for (int d = 0; d < f->buffer.dimensions; d++)
    offset += (point[d] - f->dim[d].min) * f->dim[d].stride * (int64_t)hy_type_bytes(f->type);
  return (size_t)offset;
}

bool hy_foreign_next_point(const hy_buffer *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) {
    if (++point[d] < b->min[d] + b->len[d]) return true;
    point[d] = b->min[d];
  }
  return false;
}

void hy_foreign_fill(hy_foreign *f, const hy_buffer *from) {
  int64_t point[HY_MAX_RANK];
  memcpy(point, from->min, sizeof point);
  if (!from->count) return;
  do hy_value_store(hy_buffer_get(from, point), f->memory + hy_foreign_offset(f, point));
  while (hy_foreign_next_point(from, point));
}
