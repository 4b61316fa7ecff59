#include "oracle/prover/pair_map.h"

#include <stdlib.h>

struct hy_pair_slot {
  const void *a, *b, *value; // value NULL = free
};

// Pointers differ in their middle bits: two multiplications spread them well enough.
static size_t start(const void *a, const void *b, size_t capacity) {
  uint64_t mixed = (uint64_t)(uintptr_t)a * 0x9e3779b97f4a7c15u + (uint64_t)(uintptr_t)b * 0xbf58476d1ce4e5b9u;
  return (mixed ^ mixed >> 32) & (capacity - 1);
}

const void *hy_pair_map_get(const hy_pair_map *map, const void *a, const void *b) {
  if (map->count == 0) return NULL;
  for (size_t i = start(a, b, map->capacity); map->slots[i].value; i = (i + 1) & (map->capacity - 1))
    if (map->slots[i].a == a && map->slots[i].b == b) return map->slots[i].value;
  return NULL;
}

static void place(struct hy_pair_slot *slots, size_t capacity, struct hy_pair_slot slot) {
  size_t i = start(slot.a, slot.b, capacity);
  while (slots[i].value) i = (i + 1) & (capacity - 1);
  slots[i] = slot;
}

static void grow(hy_pair_map *map) {
  size_t capacity = map->capacity ? map->capacity * 2 : 64;
  struct hy_pair_slot *slots = hy_allocate_zeroed(capacity, sizeof *slots);
  for (size_t i = 0; i < map->capacity; i++)
    if (map->slots[i].value) place(slots, capacity, map->slots[i]);
  hy_free(map->slots);
  map->slots = slots;
  map->capacity = capacity;
}

void hy_pair_map_put(hy_pair_map *map, const void *a, const void *b, const void *value) {
  if ((map->count + 1) * 4 > map->capacity * 3) grow(map);
  place(map->slots, map->capacity, (struct hy_pair_slot){a, b, value});
  map->count++;
}

void hy_pair_map_free(hy_pair_map *map) {
  hy_free(map->slots);
  *map = (hy_pair_map){0};
}
