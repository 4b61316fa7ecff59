#include "alg_interp/alg_internal.h"

#include <stdlib.h>
#include <string.h>

/* -- the writes of one slice -- */

static uint64_t hash_coordinates(uint64_t seed, int count, const int64_t *coordinates) {
  uint64_t hash = seed;
  for (int i = 0; i < count; i++) hash = (hash ^ (uint64_t)coordinates[i]) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static bool same(int count, const int64_t *a, const int64_t *b) {
  for (int i = 0; i < count; i++)
    if (a[i] != b[i]) return false;
  return true;
}

// The slot where the entry for this pattern is, or would be.
static size_t place(const hy_slice *slice, int width, uint32_t wild, const int64_t *key) {
  size_t slot = hash_coordinates(wild, width, key) & (slice->capacity - 1);
  for (;; slot = (slot + 1) & (slice->capacity - 1)) {
    const hy_slice_entry *entry = &slice->entries[slot];
    if (!entry->time) return slot;
    if (entry->wild == wild && same(width, slice->keys + slot * (size_t)width, key)) return slot;
  }
}

static size_t slot_bytes(const hy_slices *slices) {
  return sizeof(hy_slice_entry) + sizeof(int64_t) * (size_t)slices->width;
}

static void grow(hy_slices *slices, hy_slice *slice) {
  int width = slices->width;
  hy_slice old = *slice;
  slice->capacity = old.capacity ? old.capacity * 2 : 4;
  slice->entries = hy_allocate_zeroed(slice->capacity, sizeof *slice->entries);
  slice->keys = hy_allocate(sizeof(int64_t) * (slice->capacity * (size_t)width + 1));
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.entries[i].time) continue;
    const int64_t *key = old.keys + i * (size_t)width;
    size_t slot = place(slice, width, old.entries[i].wild, key);
    slice->entries[slot] = old.entries[i];
    if (width) memcpy(slice->keys + slot * (size_t)width, key, sizeof *key * (size_t)width);
  }
  hy_free(old.entries);
  hy_free(old.keys);
  slices->bytes += (slice->capacity - old.capacity) * slot_bytes(slices);
}

void hy_slice_write(hy_slices *slices, hy_slice *slice, uint32_t wild, const int64_t *key, hy_value value) {
  if ((slice->count + 1) * 4 > slice->capacity * 3) grow(slices, slice);
  size_t slot = place(slice, slices->width, wild, key);
  hy_slice_entry *entry = &slice->entries[slot];
  if (!entry->time) {
    slice->count++;
    slice->wilds[wild / 64] |= UINT64_C(1) << wild % 64;
    if (slices->width) memcpy(slice->keys + slot * (size_t)slices->width, key, sizeof *key * (size_t)slices->width);
  }
  *entry = (hy_slice_entry){++slice->time, wild, value};
}

static const hy_slice_entry *find_pattern(const hy_slices *slices, const hy_slice *slice, uint32_t wild,
                                          const int64_t *key) {
  int64_t pattern[HY_MAX_RANK];
  for (int i = 0; i < slices->width; i++) pattern[i] = wild >> i & 1 ? 0 : key[i];
  const hy_slice_entry *entry = &slice->entries[place(slice, slices->width, wild, pattern)];
  return entry->time ? entry : NULL;
}

// The last write that hit the point, be it one to the point or one to a pattern that it matches.
bool hy_slice_read(const hy_slices *slices, const hy_slice *slice, const int64_t *key, hy_value *value) {
  if (!slice->count) return false;
  uint64_t latest = 0;
  for (uint32_t word = 0; word < 4; word++) {
    for (uint64_t left = slice->wilds[word]; left; left &= left - 1) {
      const hy_slice_entry *entry = find_pattern(slices, slice, word * 64 + (uint32_t)__builtin_ctzll(left), key);
      if (!entry || entry->time < latest) continue;
      latest = entry->time;
      *value = entry->value;
    }
  }
  return latest != 0;
}

/* -- the slices of one stage -- */

void hy_slices_init(hy_slices *slices, int pure_count, int width) {
  *slices = (hy_slices){.pure_count = pure_count, .width = width, .capacity = 16};
  slices->slices = hy_allocate_zeroed(slices->capacity, sizeof *slices->slices);
  slices->bytes = slices->capacity * sizeof *slices->slices;
}

void hy_slices_free(hy_slices *slices) {
  if (!slices->slices) return;
  for (size_t i = 0; i < slices->capacity; i++) {
    if (!slices->slices[i]) continue;
    hy_free(slices->slices[i]->entries);
    hy_free(slices->slices[i]->keys);
    hy_free(slices->slices[i]);
  }
  hy_free(slices->slices);
  slices->slices = NULL;
}

static size_t place_slice(hy_slice *const *table, size_t capacity, int count, const int64_t *pure) {
  size_t slot = hash_coordinates(0, count, pure) & (capacity - 1);
  while (table[slot] && !same(count, table[slot]->pure, pure)) slot = (slot + 1) & (capacity - 1);
  return slot;
}

hy_slice *hy_slices_find(hy_slices *slices, const int64_t *pure) {
  if (slices->last && same(slices->pure_count, slices->last->pure, pure)) return slices->last;
  hy_slice *found = slices->slices[place_slice(slices->slices, slices->capacity, slices->pure_count, pure)];
  if (found) slices->last = found;
  return found;
}

static void grow_table(hy_slices *slices) {
  size_t capacity = slices->capacity * 2;
  hy_slice **table = hy_allocate_zeroed(capacity, sizeof *table);
  for (size_t i = 0; i < slices->capacity; i++) {
    hy_slice *slice = slices->slices[i];
    if (slice) table[place_slice(table, capacity, slices->pure_count, slice->pure)] = slice;
  }
  hy_free(slices->slices);
  slices->slices = table;
  slices->bytes += slices->capacity * sizeof *table;
  slices->capacity = capacity;
}

hy_slice *hy_slices_add(hy_slices *slices, const int64_t *pure) {
  if ((slices->count + 1) * 2 > slices->capacity) grow_table(slices);
  size_t size = sizeof(hy_slice) + sizeof *pure * (size_t)slices->pure_count;
  hy_slice *slice = hy_allocate_zeroed(1, size);
  if (slices->pure_count) memcpy(slice->pure, pure, sizeof *pure * (size_t)slices->pure_count);
  slices->slices[place_slice(slices->slices, slices->capacity, slices->pure_count, pure)] = slice;
  slices->count++;
  slices->bytes += size;
  return slices->last = slice;
}
