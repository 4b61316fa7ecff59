#ifndef HY_ALG_INTERNAL_H
#define HY_ALG_INTERNAL_H

/* What the two evaluators share (the entry), and the stores of the fast one. */

#include "alg_interp/alg_interp.h"

/* -- the entry: startup variables, the output buffer (alg_entry.c) -- */

// All startup variables of a program with their values.
typedef struct {
  const hy_var **vars;
  hy_value *values;
  size_t count;
} hy_startup;

void hy_startup_init(hy_startup *startup, const hy_alg *alg, const hy_input *input);
void hy_startup_free(hy_startup *startup);

// Sets a result that is final when false is returned: the window is empty (D11) or its buffer does not fit into memory.
bool hy_alg_begin(hy_context *context, const hy_alg *alg, const hy_input *input, hy_alg_result *result);
// The input is one of which the algorithm says nothing.
void hy_alg_refuse(hy_alg_result *result);
// An rdom interval that can be walked: ordinary, not negative, with an end that is an int.
bool hy_rdom_is_valid(hy_value min, hy_value len);
// The next point of a box of which "point" is one, dimension 0 first; false after the last.
bool hy_next_point(int rank, const int64_t *min, const int64_t *len, int64_t *point);
// Which definitions, by position, the output reads, itself included. To be freed by the caller.
HY_GIVE bool *hy_alg_reached_definitions(const hy_alg *alg);
const hy_buffer *hy_alg_image(const hy_alg *alg, const hy_input *input, const hy_func *image);

/* -- values at points, in dense tiles (alg_memo.c) -- */

enum { HY_TILE_CELLS = 64, HY_TILE_BITS = 6 };

typedef struct hy_tile {
  int64_t key[HY_MAX_RANK];     // coordinates of the tile
  uint8_t state[HY_TILE_CELLS]; // 0: not known; 1 + hy_error otherwise
  uint8_t data[];
} hy_tile;

typedef struct {
  hy_type type;
  int rank;
  int shift[HY_MAX_RANK]; // log2 of the tile's sides
  size_t cell_bytes, count, capacity, bytes;
  hy_tile **tiles; // open addressing
  hy_tile *last;   // the tile asked for last
} hy_memo;

void hy_memo_init(hy_memo *memo, hy_type type, int rank);
void hy_memo_free(hy_memo *memo);
// The tile and the cell of a point; a tile that was not there is made.
hy_tile *hy_memo_tile(hy_memo *memo, const int64_t *point, int *cell);

/* -- slices of update stages (alg_slice.c) -- */

// What an update stage wrote in one slice: for each written point, and for each pattern of points that an erroring
// coordinate poisoned (D4), the last value and when it was written.
typedef struct {
  uint64_t time; // 0: the slot is free
  uint32_t wild; // bit i: any value of coordinate i
  hy_value value;
} hy_slice_entry;

typedef struct hy_slice {
  hy_slice_entry *entries; // open addressing; keys[slot * width ...] are the coordinates, 0 where wild
  int64_t *keys;
  size_t count, capacity;
  uint64_t time;
  uint64_t wilds[4]; // which values of "wild" occur
  hy_error poison;   // strict mode: the join of all errors of the slice's instances
  int64_t pure[];    // the coordinates that make the slice
} hy_slice;

typedef struct {
  int pure_count, width; // coordinates that make a slice, and inside one
  hy_slice **slices;     // open addressing
  hy_slice *last;
  size_t count, capacity, bytes;
} hy_slices;

void hy_slices_init(hy_slices *slices, int pure_count, int width);
void hy_slices_free(hy_slices *slices);
hy_slice *hy_slices_find(hy_slices *slices, const int64_t *pure); // NULL if there is none yet
hy_slice *hy_slices_add(hy_slices *slices, const int64_t *pure);
void hy_slice_write(hy_slices *slices, hy_slice *slice, uint32_t wild, const int64_t *key, hy_value value);
bool hy_slice_read(const hy_slices *slices, const hy_slice *slice, const int64_t *key, hy_value *value);

#endif
