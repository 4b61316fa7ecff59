#include "semantics/base/id_map.h"

#include <string.h>

void hy_id_map_begin(hy_id_map *map) {
  map->ids = map->few_ids;
  map->words = map->few_words;
  map->count = 0;
  map->capacity = HY_ID_MAP_FEW;
  memset(map->few_ids, 0, sizeof map->few_ids);
}

static void free_slots(const hy_id_map *map, uint32_t *ids, uintptr_t *words) {
  if (ids == map->few_ids) return;
  hy_free(ids);
  hy_free(words);
}

void hy_id_map_end(hy_id_map *map) {
  free_slots(map, map->ids, map->words);
  map->ids = NULL;
  map->words = NULL;
}

void hy_id_map_clear(hy_id_map *map) {
  memset(map->ids, 0, map->capacity * sizeof *map->ids);
  map->count = 0;
}

void hy_id_map_grow(hy_id_map *map) {
  uint32_t *ids = map->ids;
  uintptr_t *words = map->words;
  size_t count = map->capacity;
  map->capacity *= 2;
  map->ids = hy_allocate_zeroed(map->capacity, sizeof *map->ids);
  map->words = hy_allocate(map->capacity * sizeof *map->words);
  for (size_t i = 0; i < count; i++) {
    if (!ids[i]) continue;
    size_t slot = hy_id_map_slot(map, ids[i]);
    map->ids[slot] = ids[i], map->words[slot] = words[i];
  }
  free_slots(map, ids, words);
}

// Whatever was pushed on by the entry that goes moves up, so that every search still ends where its entry is.
void hy_id_map_drop(hy_id_map *map, uint32_t id) {
  size_t mask = map->capacity - 1, hole = hy_id_map_slot(map, id);
  for (size_t i = (hole + 1) & mask; map->ids[i]; i = (i + 1) & mask) {
    size_t home = hy_id_map_home(map, map->ids[i]);
    if (((i - home) & mask) < ((i - hole) & mask)) continue; // it lies behind the hole by itself
    map->ids[hole] = map->ids[i], map->words[hole] = map->words[i];
    hole = i;
  }
  map->ids[hole] = 0;
  map->count--;
}
