#include "tgt_interp/interp_internal.h"

#include <stdlib.h>
#include <string.h>

/* -- shape and life -- */

bool hy_memory_shape(memory *m, hy_type type, int rank, const hy_plan *plan, const int64_t *min, const int64_t *len) {
  m->type = type;
  if (!hy_layout_make(&m->layout, rank, plan, min, len)) return false;
  m->count = m->layout.count;
  return !__builtin_mul_overflow(m->count, hy_type_bytes(type), &m->bytes);
}

static size_t round_up(size_t size) { return (size + 63) / 64 * 64; }

// In no execution of a compute.
static void hold_everything(memory *m) {
  memset(m->stored, 0, sizeof *m->stored * m->count);
  memset(m->any, 0xff, m->count);
}

// One block holds data, marks and stamps; it is kept between executions of one allocate and grown when needed.
bool hy_memory_reserve(memory *m, bool stamps, size_t limit) {
  size_t rank = (size_t)m->layout.rank, holders = m->layout.folds ? rank * sizeof(int64_t) + sizeof(uint32_t) + 1 : 0;
  size_t per_cell = hy_type_bytes(m->type) + 1 + (stamps ? 2 * sizeof(uint32_t) : 0) + holders;
  if (m->count > limit / per_cell) return false;
  size_t data = round_up(m->bytes), marks = round_up(m->count);
  size_t stamped = stamps ? round_up(2 * sizeof(uint32_t) * m->count) : 0;
  size_t wanted = data + marks + stamped + round_up(holders * m->count) + 64;
  if (wanted > limit) return false;
  if (wanted > m->capacity) {
    hy_free(m->data);
    m->data = hy_try_allocate(64, round_up(wanted));
    m->capacity = m->data ? wanted : 0;
    if (!m->data) return false;
  }
  m->marks = m->data + data;
  m->writers = stamps ? (uint32_t *)(void *)(m->marks + marks) : NULL;
  m->readers = stamps ? m->writers + m->count : NULL;
  if (stamps) memset(m->writers, 0, 2 * sizeof(uint32_t) * m->count);
  m->holds = holders ? (int64_t *)(void *)(m->marks + marks + stamped) : NULL;
  m->stored = holders ? (uint32_t *)(void *)(m->holds + rank * m->count) : NULL;
  m->any = holders ? (uint8_t *)(m->stored + m->count) : NULL;
  if (holders) hold_everything(m);
  return true;
}

static uint64_t splitmix(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void hy_memory_widen(uint64_t seed, uint64_t number, int rank, int64_t *min, int64_t *len) {
  uint64_t state = seed + number * HY_MAX_RANK * UINT64_C(0x9e3779b97f4a7c15);
  for (int d = 0; d < rank; d++) {
    uint64_t by = splitmix(&state);
    int64_t low = (int64_t)(by % 3), most;
    if (min[d] < INT64_MIN + low || __builtin_add_overflow(len[d], low + (int64_t)(by / 8 % 4), &most)) continue;
    min[d] -= low;
    len[d] = most;
  }
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
  if (m->any) hold_everything(m);
}

void hy_memory_view(memory *m, const hy_buffer *image) {
  *m = (memory){.type = image->type,
                .layout.rank = image->rank,
                .count = image->count,
                .data = image->data,
                .marks = image->errors};
  for (int d = 0; d < image->rank; d++) {
    m->layout.min[d] = image->min[d];
    m->layout.len[d] = image->len[d] > 0 ? (uint64_t)image->len[d] : 0;
    m->layout.stride[d] = (uint64_t)image->stride[d];
  }
}

void hy_memory_free(memory *m) {
  hy_free(m->data);
  *m = (memory){0};
}

/* -- cells -- */

size_t hy_memory_fold(const memory *m, const hy_value *coordinates) {
  size_t offset = 0;
  for (int d = 0; d < m->layout.rank; d++)
    if (!coordinates[d].error) offset += hy_layout_share(&m->layout, d, coordinates[d].i);
  return offset;
}

bool hy_memory_holds(const memory *m, size_t offset, const hy_value *point) {
  const int64_t *held = m->holds + offset * (size_t)m->layout.rank;
  for (int d = 0; d < m->layout.rank; d++)
    if (!(m->any[offset] >> d & 1) && !point[d].error && held[d] != point[d].i) return false;
  return true;
}

void hy_memory_hold(memory *m, size_t offset, const hy_value *point, uint32_t compute) {
  int64_t *held = m->holds + offset * (size_t)m->layout.rank;
  m->any[offset] = 0;
  m->stored[offset] = compute;
  for (int d = 0; d < m->layout.rank; d++) {
    held[d] = point[d].error ? 0 : point[d].i;
    if (point[d].error) m->any[offset] |= (uint8_t)(1u << d);
  }
}

void hy_memory_slice(const memory *m, const int64_t *point, uint32_t wild, void (*visit)(void *self, size_t offset),
                     void *self) {
  if (!m->count) return;
  int64_t at[HY_MAX_RANK];
  for (int d = 0; d < m->layout.rank; d++) at[d] = wild >> d & 1 ? m->layout.min[d] : point[d];
  for (;;) {
    visit(self, hy_layout_offset(&m->layout, at));
    int d = 0;
    for (; d < m->layout.rank; d++) {
      if (!(wild >> d & 1)) continue;
      if ((uint64_t)++at[d] - (uint64_t)m->layout.min[d] < hy_layout_points(&m->layout, d)) break;
      at[d] = m->layout.min[d];
    }
    if (d == m->layout.rank) return;
  }
}
