#include "semantics/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 16 * 1024 * 1024 };

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(max_align_t) char bytes[];
} chunk;

struct hy_arena {
  chunk *first; // the one being filled
  size_t bytes;
};

hy_arena *hy_arena_new(void) { return hy_allocate_zeroed(1, sizeof(hy_arena)); }

static void free_chunks(chunk *c) {
  while (c) {
    chunk *next = c->next;
    hy_free(c);
    c = next;
  }
}

void hy_arena_free(hy_arena *arena) {
  if (!arena) return;
  free_chunks(arena->first);
  hy_free(arena);
}

void hy_arena_clear(hy_arena *arena) {
  if (!arena->first) return;
  free_chunks(arena->first->next);
  arena->first->next = NULL;
  arena->first->used = arena->bytes = 0;
}

static void add_chunk(hy_arena *arena, size_t size) {
  size_t capacity = arena->first ? arena->first->size * 2 : FIRST_CHUNK;
  if (capacity > LARGEST_CHUNK) capacity = LARGEST_CHUNK;
  if (capacity < size) capacity = size;
  chunk *c = hy_allocate(sizeof(chunk) + capacity);
  hy_expect_use(c, sizeof(chunk) + capacity);
  c->next = arena->first;
  c->used = 0;
  c->size = capacity;
  arena->first = c;
}

void *hy_arena_allocate(hy_arena *arena, size_t size) {
  size_t step = _Alignof(max_align_t);
  size = (size + step - 1) / step * step;
  if (!arena->first || arena->first->size - arena->first->used < size) add_chunk(arena, size);
  void *memory = arena->first->bytes + arena->first->used;
  arena->first->used += size;
  arena->bytes += size;
  return memset(memory, 0, size);
}

char *hy_arena_copy(hy_arena *arena, const char *text, size_t length) {
  char *copy = hy_arena_allocate(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *hy_arena_printf(hy_arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  char few[128];
  int length = vsnprintf(few, sizeof few, format, args);
  HY_ASSERT(length >= 0);
  char *text = hy_arena_allocate(arena, (size_t)length + 1);
  if ((size_t)length < sizeof few)
    memcpy(text, few, (size_t)length);
  else
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

size_t hy_arena_bytes(const hy_arena *arena) { return arena->bytes; }
