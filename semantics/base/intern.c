#include "semantics/base/intern.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t hash;
  const void *element; // NULL = free
} slot;

struct hy_intern {
  hy_intern_equal *equal;
  slot *slots;
  size_t count, capacity; // a power of two, at most 3/4 full
};

hy_intern *hy_intern_new(hy_intern_equal *equal) {
  hy_intern *table = hy_allocate_zeroed(1, sizeof *table);
  table->equal = equal;
  table->capacity = 64;
  table->slots = hy_allocate_zeroed(table->capacity, sizeof(slot));
  return table;
}

void hy_intern_free(hy_intern *table) {
  if (!table) return;
  hy_free(table->slots);
  hy_free(table);
}

const void *hy_intern_find(const hy_intern *table, uint64_t hash, const void *key) {
  for (size_t i = hash & (table->capacity - 1);; i = (i + 1) & (table->capacity - 1)) {
    const slot *s = &table->slots[i];
    if (!s->element) return NULL;
    if (s->hash == hash && table->equal(s->element, key)) return s->element;
  }
}

static void place(slot *slots, size_t capacity, slot new_slot) {
  size_t i = new_slot.hash & (capacity - 1);
  while (slots[i].element) i = (i + 1) & (capacity - 1);
  slots[i] = new_slot;
}

static void grow(hy_intern *table) {
  size_t capacity = table->capacity * 2;
  slot *slots = hy_allocate_zeroed(capacity, sizeof(slot));
  hy_expect_use(slots, capacity * sizeof(slot));
  for (size_t i = 0; i < table->capacity; i++)
    if (table->slots[i].element) place(slots, capacity, table->slots[i]);
  hy_free(table->slots);
  table->slots = slots;
  table->capacity = capacity;
}

void hy_intern_add(hy_intern *table, uint64_t hash, const void *element) {
  if ((table->count + 1) * 4 > table->capacity * 3) grow(table);
  place(table->slots, table->capacity, (slot){hash, element});
  table->count++;
}

size_t hy_intern_count(const hy_intern *table) { return table->count; }

// The finalizer of splitmix64, applied to the sum of the state and the word.
uint64_t hy_hash_bytes(uint64_t seed, const void *bytes, size_t length) {
  const unsigned char *p = bytes;
  uint64_t hash = hy_hash(seed, length);
  for (; length >= 8; p += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = hy_hash(hash, word);
  }
  uint64_t rest = 0;
  if (length) memcpy(&rest, p, length);
  return hy_hash(hash, rest);
}
