#ifndef HY_ID_MAP_H
#define HY_ID_MAP_H

/* A map from ids to words: the one table behind whatever is known of a program's nodes and variables, which have ids
 * from 1 on (hy_context_fresh). Open addressing, a power of two of slots, at most half of them taken. The few entries
 * that most maps have lie in the map itself, and need no memory but its own.
 *
 *   hy_id_map map;
 *   hy_id_map_begin(&map);
 *   *hy_id_map_put(&map, node->id) = (uintptr_t)form;
 *   uintptr_t *form = hy_id_map_find(&map, node->id); // NULL: unknown
 *   hy_id_map_end(&map);
 *
 * A map must not be copied or moved: its slots may be its own. No two threads may use one at once.
 */

#include "semantics/base/base.h"

enum { HY_ID_MAP_FEW = 128 }; // slots

typedef struct hy_id_map {
  uint32_t *ids; // 0 = free
  uintptr_t *words;
  size_t count, capacity;
  uint32_t few_ids[HY_ID_MAP_FEW];
  uintptr_t few_words[HY_ID_MAP_FEW];
} hy_id_map;

void hy_id_map_begin(hy_id_map *map);
void hy_id_map_end(hy_id_map *map);
void hy_id_map_clear(hy_id_map *map); // of all entries; its memory stays
void hy_id_map_grow(hy_id_map *map);  // to twice the slots

static inline size_t hy_id_map_home(const hy_id_map *map, uint32_t id) {
  return (id * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (map->capacity - 1);
}

// Where the id is, or would be.
static inline size_t hy_id_map_slot(const hy_id_map *map, uint32_t id) {
  size_t i = hy_id_map_home(map, id);
  while (map->ids[i] && map->ids[i] != id) i = (i + 1) & (map->capacity - 1);
  return i;
}

// The id's word, or NULL. Until the next "put".
static inline uintptr_t *hy_id_map_find(const hy_id_map *map, uint32_t id) {
  size_t i = hy_id_map_slot(map, id);
  return map->ids[i] ? &map->words[i] : NULL;
}

// The id's word; 0 if it is new. Until the next "put".
static inline uintptr_t *hy_id_map_put(hy_id_map *map, uint32_t id) {
  size_t i = hy_id_map_slot(map, id);
  if (map->ids[i]) return &map->words[i];
  if ((map->count + 1) * 2 > map->capacity) {
    hy_id_map_grow(map);
    i = hy_id_map_slot(map, id);
  }
  map->count++;
  map->ids[i] = id, map->words[i] = 0;
  return &map->words[i];
}

// requires: the id is there
void hy_id_map_drop(hy_id_map *map, uint32_t id);

#endif
