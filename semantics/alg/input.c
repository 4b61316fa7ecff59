#include "semantics/alg/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 64, FEW_BYTES = 1 << 20 };

// No single buffer may ask for more than the machine has: an allocation that succeeds on paper would kill the process
// when it is touched. A little fits without asking.
static bool fits_memory(size_t bytes) {
  if (bytes <= FEW_BYTES) return true;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages <= 0 || page <= 0 || bytes / (size_t)page < (size_t)pages;
}

// ensures: strides and count are set (a count that does not fit is the greatest there is), and every coordinate of the
// box is an int64_t; false if that cannot be
static bool lay_out(hy_buffer *buffer, const int64_t *min, const int64_t *len) {
  int64_t count = 1, end;
  for (int d = 0; d < buffer->rank; d++) {
    if (len[d] < 0 || __builtin_add_overflow(min[d], len[d], &end)) return false;
    buffer->min[d] = min[d];
    buffer->len[d] = len[d];
    buffer->stride[d] = count;
    if (__builtin_mul_overflow(count, len[d], &count)) count = INT64_MAX; // a later side of 0 makes it empty
  }
  buffer->count = (size_t)count;
  return true;
}

static hy_buffer *new_at(int64_t align, hy_type type, int rank, const int64_t *min, const int64_t *len) {
  HY_ASSERT(rank >= 0 && rank <= HY_MAX_RANK);
  hy_buffer *buffer = hy_allocate_zeroed(1, sizeof *buffer);
  buffer->type = type;
  buffer->rank = rank;
  size_t bytes;
  if (!lay_out(buffer, min, len) || __builtin_mul_overflow(buffer->count, hy_type_bytes(type), &bytes) ||
      !fits_memory(bytes)) {
    hy_free(buffer);
    return NULL;
  }
  size_t alignment = align > ALIGNMENT ? (size_t)align : ALIGNMENT, size = (bytes / alignment + 1) * alignment;
  buffer->data = hy_try_allocate(alignment, size);
  if (!buffer->data) {
    hy_free(buffer);
    return NULL;
  }
  memset(buffer->data, 0, size);
  return buffer;
}

hy_buffer *hy_buffer_new(hy_type type, int rank, const int64_t *min, const int64_t *len) {
  return new_at(ALIGNMENT, type, rank, min, len);
}

hy_buffer *hy_buffer_new_laid(const hy_buffer *like, const int64_t *stride, int64_t span, int64_t align) {
  const int64_t zero = 0;
  hy_buffer *laid = new_at(align, like->type, 1, &zero, &span);
  if (!laid) return NULL;
  laid->rank = like->rank;
  laid->count = like->count;
  for (int d = 0; d < like->rank; d++) {
    laid->min[d] = like->min[d];
    laid->len[d] = like->len[d];
    laid->stride[d] = stride[d];
  }
  return laid;
}

void hy_buffer_copy(const hy_buffer *from, hy_buffer *to) {
  size_t bytes = hy_type_bytes(from->type);
  int64_t at[HY_MAX_RANK] = {0};
  if (!from->count) return;
  for (;;) {
    int64_t read = 0, written = 0;
    for (int d = 0; d < from->rank; d++) read += at[d] * from->stride[d], written += at[d] * to->stride[d];
    memcpy(to->data + written * (int64_t)bytes, from->data + read * (int64_t)bytes, bytes);
    int d = 0;
    while (d < from->rank && ++at[d] == from->len[d]) at[d++] = 0;
    if (d == from->rank) return;
  }
}

void hy_buffer_free(hy_buffer *buffer) {
  while (buffer) {
    hy_buffer *next = buffer->next;
    hy_free(buffer->data);
    hy_free(buffer->errors);
    hy_free(buffer);
    buffer = next;
  }
}

hy_buffer *hy_alg_output_part_new(const hy_output_part *part, const int64_t *window_min, const int64_t *window_len) {
  return hy_buffer_new(part->type, part->func->rank, window_min + part->first, window_len + part->first);
}

hy_buffer *hy_alg_outputs_new(const hy_alg *alg, const int64_t *window_min, const int64_t *window_len) {
  hy_buffer *all = NULL;
  for (int k = alg->part_count - 1; k >= 0; k--) {
    hy_buffer *one = hy_alg_output_part_new(&alg->parts[k], window_min, window_len);
    if (one) one->next = all;
    if (!one) hy_buffer_free(all);
    if (!one) return NULL;
    all = one;
  }
  return all;
}

void hy_buffer_chain(hy_buffer **buffers, int count, hy_buffer **list) {
  for (int k = 0; k < count; k++) {
    HY_ASSERT(buffers[k]);
    *list = buffers[k];
    list = &buffers[k]->next;
    buffers[k] = NULL;
  }
}

hy_buffer *hy_alg_output_at(hy_buffer *outputs, int part) {
  while (part-- > 0) outputs = outputs->next;
  return outputs;
}

bool hy_window_is_empty(const hy_output *output, const hy_input *input) {
  for (int d = 0; d < output->func->rank; d++)
    if (input->window_len[output->first + d] == 0) return true;
  return false;
}

bool hy_alg_nothing_asked(const hy_alg *alg, const hy_input *input) {
  int empty = 0;
  for (int k = 0; k < alg->output_count; k++) empty += hy_window_is_empty(&alg->outputs[k], input);
  return empty == alg->output_count;
}

bool hy_buffer_contains(const hy_buffer *buffer, const int64_t *point) {
  for (int d = 0; d < buffer->rank; d++)
    if ((uint64_t)point[d] - (uint64_t)buffer->min[d] >= (uint64_t)buffer->len[d]) return false;
  return true;
}

size_t hy_buffer_offset(const hy_buffer *buffer, const int64_t *point) {
  int64_t offset = 0;
  for (int d = 0; d < buffer->rank; d++) offset += (point[d] - buffer->min[d]) * buffer->stride[d];
  return (size_t)offset;
}

hy_value hy_buffer_get(const hy_buffer *buffer, const int64_t *point) {
  size_t offset = hy_buffer_offset(buffer, point);
  if (buffer->errors && buffer->errors[offset] != HY_OK)
    return hy_value_error(buffer->type, (hy_error)buffer->errors[offset]);
  return hy_value_load(buffer->type, buffer->data + offset * hy_type_bytes(buffer->type));
}

void hy_buffer_set(hy_buffer *buffer, const int64_t *point, hy_value value) {
  size_t offset = hy_buffer_offset(buffer, point);
  if (value.error != HY_OK) hy_buffer_add_errors(buffer);
  if (buffer->errors) buffer->errors[offset] = value.error;
  hy_value stored = value.error == HY_OK ? value : hy_value_zero(buffer->type);
  hy_value_store(stored, buffer->data + offset * hy_type_bytes(buffer->type));
}

void hy_buffer_add_errors(hy_buffer *buffer) {
  if (!buffer->errors) buffer->errors = hy_allocate_zeroed(buffer->count ? buffer->count : 1, 1);
}
