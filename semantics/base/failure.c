#include "semantics/base/failure.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct held {
  hy_closer *close;
  void *thing;
} held;

// The blocks are a set of addresses: open addressing, at most 3/4 full; a block that goes leaves no gap behind.
struct hy_lifetime {
  void **blocks;
  size_t count, capacity; // capacity: a power of two, or 0
  held *held;
  size_t held_count, held_room;
};

typedef struct frame {
  jmp_buf landing;
  hy_lifetime *lifetime;
  hy_failure *failure;
  struct frame *outer;
} frame;

static _Thread_local frame *innermost;

/* -- lifetimes -- */

enum { FIRST = 64 };

hy_lifetime *hy_lifetime_new(void) { return calloc(1, sizeof(hy_lifetime)); }

size_t hy_lifetime_count(const hy_lifetime *lifetime) { return lifetime->count; }

void hy_lifetime_free(hy_lifetime *lifetime) {
  if (!lifetime) return;
  while (lifetime->held_count) {
    held last = lifetime->held[--lifetime->held_count];
    last.close(last.thing);
  }
  for (size_t i = 0; i < lifetime->capacity; i++) free(lifetime->blocks[i]);
  free(lifetime->blocks);
  free(lifetime->held);
  free(lifetime);
}

static size_t home(const void *block, size_t capacity) {
  return ((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (capacity - 1);
}

static void place(void **blocks, size_t capacity, void *block) {
  size_t i = home(block, capacity);
  while (blocks[i]) i = (i + 1) & (capacity - 1);
  blocks[i] = block;
}

static bool reserve(hy_lifetime *lifetime) {
  if ((lifetime->count + 1) * 4 <= lifetime->capacity * 3) return true;
  size_t capacity = lifetime->capacity ? 2 * lifetime->capacity : FIRST;
  void **blocks = calloc(capacity, sizeof *blocks);
  if (!blocks) return false;
  for (size_t i = 0; i < lifetime->capacity; i++)
    if (lifetime->blocks[i]) place(blocks, capacity, lifetime->blocks[i]);
  free(lifetime->blocks);
  lifetime->blocks = blocks;
  lifetime->capacity = capacity;
  return true;
}

// What lies behind the gap moves into it, if it may lie there.
static void close_gap(hy_lifetime *lifetime, size_t gap) {
  size_t mask = lifetime->capacity - 1;
  void **blocks = lifetime->blocks;
  for (size_t i = (gap + 1) & mask; blocks[i]; i = (i + 1) & mask) {
    size_t distance = (i - home(blocks[i], lifetime->capacity)) & mask;
    if (distance < ((i - gap) & mask)) continue;
    blocks[gap] = blocks[i];
    gap = i;
  }
  blocks[gap] = NULL;
}

static bool forget(hy_lifetime *lifetime, const void *block) {
  if (!lifetime->count) return false;
  size_t mask = lifetime->capacity - 1;
  for (size_t i = home(block, lifetime->capacity); lifetime->blocks[i]; i = (i + 1) & mask)
    if (lifetime->blocks[i] == block) {
      close_gap(lifetime, i);
      lifetime->count--;
      return true;
    }
  return false;
}

/* -- protection -- */

bool hy_protect(hy_lifetime *lifetime, hy_failure *failure, hy_protected *body, void *self) {
  frame here = {.lifetime = lifetime, .failure = failure, .outer = innermost};
  innermost = &here;
  bool fine = setjmp(here.landing) == 0;
  if (fine) body(self);
  innermost = here.outer;
  return fine;
}

hy_lifetime *hy_protecting(void) { return innermost ? innermost->lifetime : NULL; }

_Noreturn static void land(void) { longjmp(innermost->landing, 1); }

_Noreturn static void fail_without_memory(size_t wanted) {
  if (!innermost && hy_end_without_memory) hy_end_without_memory(wanted);
  if (!innermost) __builtin_trap();
  *innermost->failure = (hy_failure){.kind = HY_FAILURE_MEMORY, .wanted = wanted};
  snprintf(innermost->failure->message, sizeof innermost->failure->message, "%zu bytes more were wanted", wanted);
  land();
}

void hy_die(const char *file, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!innermost && hy_end_by_defect) hy_end_by_defect(file, line, format, args);
  if (!innermost) __builtin_trap();
  hy_failure *failure = innermost->failure;
  *failure = (hy_failure){.kind = HY_FAILURE_DEFECT, .file = file, .line = line};
  vsnprintf(failure->message, sizeof failure->message, format, args);
  va_end(args);
  land();
}

void hy_fail_again(const hy_failure *failure) {
  if (failure->kind == HY_FAILURE_MEMORY) fail_without_memory(failure->wanted);
  hy_die(failure->file, failure->line, "%s", failure->message);
}

/* -- memory -- */

// The block, remembered where it has to be; NULL becomes a failure.
static void *take(void *memory, size_t size) {
  if (!memory) fail_without_memory(size);
  if (!innermost) return memory;
  if (!reserve(innermost->lifetime)) {
    free(memory);
    fail_without_memory(size);
  }
  place(innermost->lifetime->blocks, innermost->lifetime->capacity, memory);
  innermost->lifetime->count++;
  return memory;
}

void *hy_allocate(size_t size) { return take(malloc(size ? size : 1), size); }

void *hy_allocate_zeroed(size_t count, size_t size) {
  return take(calloc(count ? count : 1, size ? size : 1), count * size);
}

void *hy_try_allocate(size_t alignment, size_t size) {
  void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  return memory ? take(memory, size) : NULL;
}

// requires of protected code: a block of another lifetime stays with it, so it may grow only where that one protects
void *hy_reallocate(void *old, size_t size) {
  bool known = innermost && old && forget(innermost->lifetime, old);
  void *memory = realloc(old, size ? size : 1);
  if (!memory && known) { // still there
    place(innermost->lifetime->blocks, innermost->lifetime->capacity, old);
    innermost->lifetime->count++;
  }
  if (!memory) fail_without_memory(size);
  return innermost && (known || !old) ? take(memory, size) : memory;
}

char *hy_copy_string(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(hy_allocate(size), text, size);
}

void hy_free(void *memory) {
  if (innermost && memory) forget(innermost->lifetime, memory);
  free(memory);
}

/* -- what is no memory -- */

void hy_hold(hy_closer *close, void *thing) {
  if (!innermost) return;
  hy_lifetime *l = innermost->lifetime;
  if (l->held_count == l->held_room) {
    size_t room = 2 * l->held_room + 8;
    held *more = realloc(l->held, room * sizeof *more);
    if (!more) {
      close(thing);
      fail_without_memory(room * sizeof *more);
    }
    l->held = more;
    l->held_room = room;
  }
  l->held[l->held_count++] = (held){close, thing};
}

void hy_let_go(const void *thing) {
  if (!innermost) return;
  hy_lifetime *l = innermost->lifetime;
  size_t i = l->held_count;
  while (i && l->held[i - 1].thing != thing) i--;
  if (!i) return;
  memmove(&l->held[i - 1], &l->held[i], (l->held_count - i) * sizeof *l->held);
  l->held_count--;
}
