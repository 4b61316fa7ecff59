#include "tgt_interp/interp_internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "cells are copied bytewise as hy_value_store lays them out");

/* -- shape and life -- */

bool hy_memory_shape(memory *m, hy_type type, int rank, const int64_t *min, const int64_t *len) {
  m->type = type;
  m->rank = rank;
  uint64_t count = 1;
  bool empty = false;
  for (int d = 0; d < rank; d++) {
    m->min[d] = min[d];
    m->len[d] = (uint64_t)len[d];
    m->stride[d] = count;
    empty |= len[d] == 0;
    if (!empty && __builtin_mul_overflow(count, m->len[d], &count)) return false;
  }
  m->count = empty ? 0 : count;
  return !__builtin_mul_overflow(m->count, hy_type_bytes(type), &m->bytes);
}

static size_t round_up(size_t size) { return (size + 63) / 64 * 64; }

// One block holds data, marks and stamps; it is kept between executions of one allocate and grown when needed.
bool hy_memory_reserve(memory *m, bool stamps, size_t limit) {
  size_t per_cell = hy_type_bytes(m->type) + 1 + (stamps ? 2 * sizeof(uint32_t) : 0);
  if (m->count > limit / per_cell) return false;
  size_t data = round_up(m->bytes), marks = round_up(m->count);
  size_t wanted = data + marks + (stamps ? round_up(2 * sizeof(uint32_t) * m->count) : 0) + 64;
  if (wanted > limit) return false;
  if (wanted > m->capacity) {
    free(m->data);
    m->data = aligned_alloc(64, round_up(wanted));
    m->capacity = m->data ? wanted : 0;
    if (!m->data) return false;
  }
  m->marks = m->data + data;
  m->writers = stamps ? (uint32_t *)(void *)(m->marks + marks) : NULL;
  m->readers = stamps ? m->writers + m->count : NULL;
  if (stamps) memset(m->writers, 0, 2 * sizeof(uint32_t) * m->count);
  return true;
}

static uint64_t splitmix(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static void scramble_bytes(uint8_t *data, size_t size, uint64_t state) {
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    uint64_t word = splitmix(&state);
    memcpy(data + i, &word, 8);
  }
  uint64_t word = splitmix(&state);
  memcpy(data + i, &word, size - i);
}

// Values of int are kept small, so that garbage looks like a coordinate more often than like an overflow.
void hy_memory_scramble(memory *m, uint64_t seed) {
  memset(m->marks, MARK_UNDEFINED, m->count);
  scramble_bytes(m->data, m->bytes, seed);
  if (m->type == HY_BOOL)
    for (size_t i = 0; i < m->count; i++) m->data[i] &= 1;
  if (m->type == HY_INT)
    for (size_t i = 0; i < m->count; i++) {
      int16_t low;
      memcpy(&low, m->data + 8 * i, sizeof low);
      memcpy(m->data + 8 * i, &(int64_t){low}, sizeof(int64_t));
    }
}

void hy_memory_ruin(memory *m) {
  memset(m->data, 0, m->bytes);
  memset(m->marks, HY_ERROR_MEM, m->count);
}

void hy_memory_view(memory *m, const hy_buffer *image) {
  *m = (memory){
      .type = image->type, .rank = image->rank, .count = image->count, .data = image->data, .marks = image->errors};
  for (int d = 0; d < image->rank; d++) {
    m->min[d] = image->min[d];
    m->len[d] = image->len[d] > 0 ? (uint64_t)image->len[d] : 0;
    m->stride[d] = (uint64_t)image->stride[d];
  }
}

void hy_memory_free(memory *m) {
  free(m->data);
  *m = (memory){0};
}

/* -- cells -- */

hy_value hy_memory_get(const memory *m, size_t offset) {
  hy_value value = {.u = 0, .type = (uint8_t)m->type};
  uint8_t mark = m->marks ? m->marks[offset] : 0;
  value.error = mark & MARK_ERROR;
  value.undefined = (mark & MARK_UNDEFINED) != 0;
  if (value.error) return value;
  switch (m->type) {
  case HY_BOOL:
  case HY_U8: value.u = m->data[offset]; break;
  case HY_I8: value.i = (int8_t)m->data[offset]; break;
  case HY_U16: {
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

void hy_memory_put(memory *m, size_t offset, hy_value value) {
  m->marks[offset] = (uint8_t)(value.error | (value.undefined ? MARK_UNDEFINED : 0));
  switch (m->type) {
  case HY_BOOL:
  case HY_U8:
  case HY_I8: m->data[offset] = (uint8_t)value.u; break;
  case HY_U16:
  case HY_I16: memcpy(m->data + 2 * offset, &value, 2); break;
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

// The unsigned difference wraps, so one comparison tests both sides of the interval.
address hy_memory_locate(const memory *m, const hy_value *coordinates) {
  address a = {.inside = m != NULL};
  if (!m) return a;
  for (int d = 0; d < m->rank; d++) {
    a.undefined |= coordinates[d].undefined;
    if (coordinates[d].error) {
      a.error = join(a.error, coordinates[d].error);
      a.wild |= 1u << d;
      continue;
    }
    uint64_t at = (uint64_t)coordinates[d].i - (uint64_t)m->min[d];
    if (at >= m->len[d]) a.inside = false;
    a.offset += at * m->stride[d];
  }
  return a;
}

void hy_memory_slice(const memory *m, const int64_t *point, uint32_t wild, void (*visit)(void *self, size_t offset),
                     void *self) {
  if (!m->count) return;
  uint64_t at[HY_MAX_RANK] = {0};
  size_t offset = 0;
  for (int d = 0; d < m->rank; d++)
    if (!(wild >> d & 1)) offset += ((uint64_t)point[d] - (uint64_t)m->min[d]) * m->stride[d];
  for (;;) {
    visit(self, offset);
    int d = 0;
    for (; d < m->rank; d++) {
      if (!(wild >> d & 1)) continue;
      offset += m->stride[d];
      if (++at[d] < m->len[d]) break;
      offset -= m->len[d] * m->stride[d];
      at[d] = 0;
    }
    if (d == m->rank) return;
  }
}
