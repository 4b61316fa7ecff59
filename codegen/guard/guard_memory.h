#ifndef HY_GUARD_MEMORY_H
#define HY_GUARD_MEMORY_H

/* Blocks of memory between unmapped pages. Depends on the C library and pthreads alone: programs for other machines are
 * made of it as well (gate/trial/emulated/). Thread-safe where nothing else is said.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hy_guard_plan {
  bool below;       // memory begins at the unmapped page; else it ends there
  uint64_t pattern; // of fresh memory
  enum {
    HY_GUARD_IN_ORDER,
    HY_GUARD_BACKWARDS,
    HY_GUARD_THREADS
  } order; // of parallel iterations, one at a time but for the last
} hy_guard_plan;

enum { HY_GUARD_OUTPUT = -1 };

// NULL: there is no such amount of memory. "label": what it is for.
uint8_t *hy_guard_block(uint64_t bytes, const char *label);
// The same, in which the byte "at" lies at a multiple of "align", a power of two up to a page: so close to the edge as
// it can be then.
uint8_t *hy_guard_block_at(uint64_t bytes, uint64_t align, uint64_t at, const char *label);
void hy_guard_block_read_only(const uint8_t *memory, bool read_only);
// False: something was written beside it, or there is no such block; *story says so.
bool hy_guard_block_free(void *memory, char *story, size_t room);
// The block that had this label last, given back or not: its contents stay until its pages are handed out again. NULL:
// there is none.
const uint8_t *hy_guard_block_last(const char *label, uint64_t *bytes);
// Frees all there is, and looks at what was not freed.
bool hy_guard_memory_begin(const hy_guard_plan *plan);
bool hy_guard_memory_end(char *story, size_t room);
// Where an address is, in words.
void hy_guard_memory_describe(const void *address, char *story, size_t room);

#endif
