#ifndef HY_TILE_MEMORY_H
#define HY_TILE_MEMORY_H

/* Memory of a symbolic run: regions far from each other at addresses that are numbers, each byte of them a part of a
 * node. What was never written is a symbol of its own.
 */

#include "gate/tile/graph.h"

typedef struct hy_tile_cell {
  hy_node node; // 0: never written
  uint32_t byte;
} hy_tile_cell;

typedef struct hy_tile_region {
  char name[40];
  uint64_t base, size; // of its first byte; the region's number is base >> HY_TILE_REGION_BITS
  hy_tile_cell *cells;
  bool is_constant; // who writes there is wrong
  bool is_heap, is_dead;
} hy_tile_region;

enum { HY_TILE_REGION_BITS = 32 };

typedef enum {
  HY_TILE_FINE,
  HY_TILE_WRONG,     // whatever the unknowns are
  HY_TILE_UNDECIDED, // nobody knows: not modelled, or a limit
} hy_tile_answer;

// What ended a run, or did not.
typedef struct hy_tile_fault {
  hy_tile_answer answer;
  char story[300];
} hy_tile_fault;
// The first one counts. Returns false.
bool hy_tile_fail(hy_tile_fault *fault, hy_tile_answer answer, const char *format, ...) HY_PRINTF(3, 4);

typedef struct hy_tile_change {
  uint32_t region;
  uint64_t at;
  hy_tile_cell before;
} hy_tile_change;

typedef struct hy_tile_memory {
  hy_graph *graph;
  HY_VEC(hy_tile_region) regions;
  uint64_t bytes, most_bytes;
  bool is_logged; // changes are noted
  HY_VEC(hy_tile_change) log;
} hy_tile_memory;

void hy_tile_memory_init(hy_tile_memory *memory, hy_graph *graph, uint64_t most_bytes);
void hy_tile_memory_free(hy_tile_memory *memory);

// A new region; its address is "past" bytes beyond a multiple of 64 K. NULL: too much memory. Valid until the next one.
hy_tile_region *hy_tile_memory_add(hy_tile_memory *memory, const char *name, uint64_t bytes, uint64_t past);
// The region of an address, if all those bytes are in it; NULL: they are not.
hy_tile_region *hy_tile_memory_find(hy_tile_memory *memory, uint64_t address, uint64_t bytes);

// 0: it failed. "bits": a multiple of 8, or less than 8.
hy_node hy_tile_load(hy_tile_memory *memory, uint64_t address, int bits, hy_tile_fault *fault);
bool hy_tile_store(hy_tile_memory *memory, uint64_t address, hy_node value, hy_tile_fault *fault);
bool hy_tile_fill(hy_tile_memory *memory, uint64_t address, hy_node byte, uint64_t bytes, hy_tile_fault *fault);
bool hy_tile_copy(hy_tile_memory *memory, uint64_t to, uint64_t from, uint64_t bytes, hy_tile_fault *fault);
bool hy_tile_release(hy_tile_memory *memory, uint64_t address, hy_tile_fault *fault);

// What a cell holds, 8 bits.
hy_node hy_tile_byte(hy_tile_memory *memory, hy_tile_cell *cell);

#endif
