// Blocks that begin or end at pages which are not mapped. Address space is reserved once; pages that were mapped for a
// block serve later blocks of as many pages, so that runs of small programs need hardly any call of the system.

#include "codegen/guard/guard_memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, GAP = 16 * PAGE, CANARY = 0xb7 };
#ifndef HY_GUARD_SPACE_BITS // an emulator keeps a record of every page that is reserved
#define HY_GUARD_SPACE_BITS 38
#endif
static const size_t most_space = (size_t)1 << HY_GUARD_SPACE_BITS, least_space = (size_t)1 << 28,
                    kept_bytes = (size_t)32 << 20;

typedef struct {
  uint8_t *pages, *data;
  size_t room, bytes; // of the pages, of the data
  const char *label;
  bool live, read_only;
} block;

static struct {
  pthread_mutex_t lock;
  uint8_t *space;
  size_t size, used; // reserved, and handed out so far
  block *blocks;     // by address
  size_t count, capacity;
  hy_guard_plan plan;
} arena = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool reserve(void) {
  for (size_t size = most_space; !arena.space && size >= least_space; size /= 2) {
    void *space = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space != MAP_FAILED) arena.space = space, arena.size = size;
  }
  return arena.space;
}

bool hy_guard_memory_begin(const hy_guard_plan *plan) {
  arena.plan = *plan;
  if (!reserve()) return false;
  size_t mapped = 0;
  for (size_t i = 0; i < arena.count; i++) mapped += arena.blocks[i].room;
  if (mapped <= kept_bytes) return true;
  madvise(arena.space, arena.used, MADV_DONTNEED);
  mprotect(arena.space, arena.used, PROT_NONE);
  arena.used = arena.count = 0;
  return true;
}

/* -- one block -- */

static void fill(uint8_t *from, size_t bytes) {
  for (size_t i = 0; i + 8 <= bytes; i += 8) memcpy(from + i, &arena.plan.pattern, 8);
  memcpy(from + bytes / 8 * 8, &arena.plan.pattern, bytes % 8);
}

static bool grow(void) {
  if (arena.count < arena.capacity) return true;
  size_t capacity = arena.capacity ? 2 * arena.capacity : 16;
  block *blocks = realloc(arena.blocks, capacity * sizeof *blocks);
  if (blocks) arena.blocks = blocks, arena.capacity = capacity;
  return blocks;
}

// requires: the lock is held. Pages that nobody uses, or fresh ones; NULL: none are left.
static block *find(size_t room) {
  for (size_t i = 0; i < arena.count; i++)
    if (!arena.blocks[i].live && arena.blocks[i].room == room) return &arena.blocks[i];
  if (room > arena.size || arena.size - room < arena.used + 2 * (size_t)GAP) return NULL;
  if (!grow()) return NULL;
  uint8_t *pages = arena.space + arena.used + GAP;
  if (mprotect(pages, room, PROT_READ | PROT_WRITE) != 0) return NULL;
  arena.used += room + GAP;
  arena.blocks[arena.count] = (block){.pages = pages, .room = room};
  return &arena.blocks[arena.count++];
}

// It is written to at once: what the machine does not have would end the process.
static uint64_t most_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? (uint64_t)pages * PAGE / 4 : most_space;
}

uint8_t *hy_guard_block(uint64_t bytes, const char *label) { return hy_guard_block_at(bytes, 1, 0, label); }

uint8_t *hy_guard_block_at(uint64_t bytes, uint64_t align, uint64_t at, const char *label) {
  if (bytes > most_bytes()) return NULL;
  size_t room = ((size_t)bytes + (size_t)align - 1 + PAGE - 1) / PAGE * PAGE;
  if (!room) room = PAGE;
  pthread_mutex_lock(&arena.lock);
  block *b = find(room);
  uint8_t *data = NULL;
  if (b) {
    b->bytes = (size_t)bytes;
    size_t above = (room - (size_t)bytes + (size_t)at) % (size_t)align, below = (size_t)(-at % align);
    b->data = data = arena.plan.below ? b->pages + below : b->pages + room - bytes - above;
    b->label = label;
    b->live = true;
    memset(b->pages, CANARY, (size_t)(b->data - b->pages));
    fill(b->data, b->bytes);
    memset(b->data + b->bytes, CANARY, room - b->bytes - (size_t)(b->data - b->pages));
  }
  pthread_mutex_unlock(&arena.lock);
  return data;
}

// NULL: nothing of the kind was handed out.
static block *block_of(const void *data) {
  for (size_t i = 0; i < arena.count; i++)
    if (arena.blocks[i].live && arena.blocks[i].data == data) return &arena.blocks[i];
  return NULL;
}

void hy_guard_block_read_only(const uint8_t *memory, bool read_only) {
  pthread_mutex_lock(&arena.lock);
  block *b = block_of(memory);
  if (b && b->read_only != read_only) mprotect(b->pages, b->room, read_only ? PROT_READ : PROT_READ | PROT_WRITE);
  if (b) b->read_only = read_only;
  pthread_mutex_unlock(&arena.lock);
}

// requires: the lock is held. What stands beside the data is what was put there?
static bool retire(block *b, char *story, size_t room) {
  const uint8_t *end = b->pages + b->room, *at = b->pages;
  while (at < end && (*at == CANARY || (at >= b->data && at < b->data + b->bytes)))
    at = at == b->data && b->bytes ? b->data + b->bytes : at + 1;
  if (b->read_only) mprotect(b->pages, b->room, PROT_READ | PROT_WRITE);
  b->live = b->read_only = false;
  if (at == end) return true;
  bool before = at < b->data;
  snprintf(story, room, "a write of native code %zu bytes %s %s's memory (%zu bytes)",
           before ? (size_t)(b->data - at) : (size_t)(at - b->data) - b->bytes, before ? "before" : "behind the end of",
           b->label, b->bytes);
  return false;
}

bool hy_guard_block_free(void *memory, char *story, size_t room) {
  if (!memory) return true;
  pthread_mutex_lock(&arena.lock);
  block *b = block_of(memory);
  bool good = b && retire(b, story, room);
  if (!b) snprintf(story, room, "memory is given back that was not handed out");
  pthread_mutex_unlock(&arena.lock);
  return good;
}

const uint8_t *hy_guard_block_last(const char *label, uint64_t *bytes) {
  for (size_t i = arena.count; i-- > 0;) {
    const block *b = &arena.blocks[i];
    if (!b->label || strcmp(b->label, label) != 0) continue;
    *bytes = b->bytes;
    return b->data;
  }
  return NULL;
}

bool hy_guard_memory_end(char *story, size_t room) {
  bool good = true;
  for (size_t i = 0; i < arena.count; i++)
    if (arena.blocks[i].live && !retire(&arena.blocks[i], story, good ? room : 0)) good = false;
  return good;
}

/* -- where an address is -- */

// 1 for the bytes next to the data, 0 inside.
static size_t distance(const block *b, const uint8_t *at) {
  const uint8_t *end = b->data + b->bytes;
  return at < b->data ? (size_t)(b->data - at) : at >= end ? (size_t)(at - end) + 1 : 0;
}

void hy_guard_memory_describe(const void *address, char *story, size_t room) {
  const uint8_t *at = address;
  const block *nearest = NULL;
  bool inside = arena.space && at >= arena.space && at < arena.space + arena.size;
  for (size_t i = 0; i < arena.count && inside; i++) {
    const block *b = &arena.blocks[i];
    if (b->live && (!nearest || distance(b, at) < distance(nearest, at))) nearest = b;
  }
  if (!nearest)
    snprintf(story, room, address ? "far from all memory, at %p" : "at an address that no process has", address);
  else if (!distance(nearest, at))
    snprintf(story, room, "%zu bytes into %s's memory (%zu bytes), which is read-only", (size_t)(at - nearest->data),
             nearest->label, nearest->bytes);
  else
    snprintf(story, room, "%zu bytes %s %s's memory (%zu bytes)", distance(nearest, at) - (at >= nearest->data),
             at < nearest->data ? "before" : "behind the end of", nearest->label, nearest->bytes);
}
