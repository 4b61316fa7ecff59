#ifndef HY_PAIR_MAP_H
#define HY_PAIR_MAP_H

/* A table from a pair of pointers to a pointer. The pointers belong to others; the table only compares them. */

#include "semantics/base/base.h"

typedef struct hy_pair_map {
  struct hy_pair_slot *slots;
  size_t count, capacity;
} hy_pair_map;

const void *hy_pair_map_get(const hy_pair_map *map, const void *a, const void *b);       // NULL if absent
void hy_pair_map_put(hy_pair_map *map, const void *a, const void *b, const void *value); // requires: absent, not NULL
void hy_pair_map_free(hy_pair_map *map);

#endif
