#include "alg_interp/alg_internal.h"

#include <stdlib.h>
#include <string.h>

/* A func is an infinite array of which finitely many points are asked for, mostly neighbours: tiles of 64 cells, found
 * by a hash of their coordinates. Memory is linear in the points asked for.
 */

void hy_memo_init(hy_memo *memo, hy_type type, int rank) {
  *memo = (hy_memo){.type = type, .rank = rank, .cell_bytes = hy_type_bytes(type), .capacity = 16};
  for (int bit = 0; bit < HY_TILE_BITS && rank; bit++) memo->shift[bit % rank]++;
  memo->tiles = hy_allocate_zeroed(memo->capacity, sizeof *memo->tiles);
  memo->bytes = memo->capacity * sizeof *memo->tiles;
}

void hy_memo_free(hy_memo *memo) {
  if (!memo->tiles) return;
  for (size_t i = 0; i < memo->capacity; i++) hy_free(memo->tiles[i]);
  hy_free(memo->tiles);
  memo->tiles = NULL;
}

static uint64_t hash_key(int rank, const int64_t *key) {
  uint64_t hash = 0;
  for (int d = 0; d < rank; d++) hash = (hash ^ (uint64_t)key[d]) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static bool same_key(int rank, const int64_t *a, const int64_t *b) {
  for (int d = 0; d < rank; d++)
    if (a[d] != b[d]) return false;
  return true;
}

// The slot where the tile is, or would be.
static size_t place(hy_tile *const *tiles, size_t capacity, int rank, const int64_t *key) {
  size_t slot = hash_key(rank, key) & (capacity - 1);
  while (tiles[slot] && !same_key(rank, tiles[slot]->key, key)) slot = (slot + 1) & (capacity - 1);
  return slot;
}

static void grow(hy_memo *memo) {
  size_t capacity = memo->capacity * 2;
  hy_tile **tiles = hy_allocate_zeroed(capacity, sizeof *tiles);
  for (size_t i = 0; i < memo->capacity; i++)
    if (memo->tiles[i]) tiles[place(tiles, capacity, memo->rank, memo->tiles[i]->key)] = memo->tiles[i];
  hy_free(memo->tiles);
  memo->tiles = tiles;
  memo->bytes += memo->capacity * sizeof *tiles;
  memo->capacity = capacity;
}

static hy_tile *new_tile(hy_memo *memo, const int64_t *key) {
  size_t size = sizeof(hy_tile) + HY_TILE_CELLS * memo->cell_bytes;
  hy_tile *tile = hy_allocate(size); // the data need no zeroes: "state" says which are there
  memcpy(tile->key, key, sizeof *key * (size_t)memo->rank);
  memset(tile->state, 0, sizeof tile->state);
  memo->bytes += size;
  memo->count++;
  return tile;
}

hy_tile *hy_memo_tile(hy_memo *memo, const int64_t *point, int *cell) {
  int64_t key[HY_MAX_RANK];
  int index = 0, bits = 0;
  for (int d = 0; d < memo->rank; d++) {
    int shift = memo->shift[d];
    key[d] = point[d] >> shift;
    index |= (int)(point[d] & ((1 << shift) - 1)) << bits;
    bits += shift;
  }
  *cell = index;
  if (memo->last && same_key(memo->rank, memo->last->key, key)) return memo->last;
  size_t slot = place(memo->tiles, memo->capacity, memo->rank, key);
  if (!memo->tiles[slot]) {
    if ((memo->count + 1) * 2 > memo->capacity) {
      grow(memo);
      slot = place(memo->tiles, memo->capacity, memo->rank, key);
    }
    memo->tiles[slot] = new_tile(memo, key);
  }
  return memo->last = memo->tiles[slot];
}
