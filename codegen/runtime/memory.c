#include "codegen/runtime/hooks.h"
#include "codegen/runtime/runtime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A pipeline allocates the same few sizes again and again, once per tile or per call. Each thread keeps some freed
 * blocks and hands them out again: no lock, and no fresh pages to be zeroed by the kernel. Under AddressSanitizer every
 * block comes from and returns to malloc, so that misuse is seen.
 */

enum { ALIGNMENT = 64, KEPT_BLOCKS = 16, HUGE_PAGE = 2 << 20 };
static const size_t kept_bytes = (size_t)64 << 20; // per thread

// An amount that succeeds on paper and is more than the machine has would end the process when it is touched.
static bool machine_has(uint64_t bytes) {
  if (bytes < (uint64_t)64 << 20) return true;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (bytes > PTRDIFF_MAX - 2 * (uint64_t)HUGE_PAGE) return false;
  return pages <= 0 || page <= 0 || bytes / (uint64_t)page < (uint64_t)pages;
}

#if defined(HALYARD_SANITIZE_ADDRESS)

void *hy_runtime_allocate(uint64_t bytes) {
  if (hy_hooks_now.allocate) return hy_hooks_now.allocate(bytes);
  if (!machine_has(bytes)) return NULL;
  void *memory = NULL;
  (void)kept_bytes;
  return posix_memalign(&memory, ALIGNMENT, bytes ? (size_t)bytes : 1) == 0 ? memory : NULL;
}

void hy_runtime_free(void *memory) {
  if (hy_hooks_now.release)
    hy_hooks_now.release(memory);
  else
    free(memory);
}

#else

// Lies in the 64 bytes before each block.
typedef struct block {
  size_t capacity; // bytes after the header
  _Alignas(ALIGNMENT) unsigned char bytes[];
} block;

typedef struct cache {
  int count; // blocks[0] is the one freed longest ago
  size_t bytes;
  block *blocks[KEPT_BLOCKS];
} cache;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_bool has_key, is_over;
static _Thread_local cache *own;

static void free_cache(void *kept) {
  cache *c = kept;
  for (int i = 0; i < c->count; i++) free(c->blocks[i]);
  free(c);
  own = NULL;
}

static void make_key(void) { has_key = pthread_key_create(&key, free_cache) == 0; }

static cache *own_cache(void) {
  if (own) return own;
  if (is_over) return NULL;
  pthread_once(&once, make_key);
  own = has_key ? calloc(1, sizeof(cache)) : NULL;
  if (own) pthread_setspecific(key, own);
  return own;
}

// At the end of the program, or where the shared object is unloaded: then a thread that lives longer must not come back
// here when it ends, so that what it keeps is lost. This thread's cache has no destructor that would run.
__attribute__((destructor)) static void forget_caches(void) {
  hy_runtime_shutdown(); // the pool's threads free their own
  is_over = true;
  if (own) free_cache(own);
  if (has_key) pthread_key_delete(key);
}

static block *take(cache *c, int i) {
  block *b = c->blocks[i];
  c->count--;
  c->bytes -= b->capacity;
  memmove(&c->blocks[i], &c->blocks[i + 1], sizeof(block *) * (size_t)(c->count - i));
  return b;
}

// The most recent kept block that fits and wastes at most half of itself.
static block *find(cache *c, size_t bytes) {
  for (int i = c->count - 1; i >= 0; i--)
    if (c->blocks[i]->capacity >= bytes && c->blocks[i]->capacity / 2 <= bytes) return take(c, i);
  return NULL;
}

static block *fresh(size_t capacity) {
  size_t alignment = capacity >= 2 * (size_t)HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
  void *memory = NULL;
  if (posix_memalign(&memory, alignment, sizeof(block) + capacity) != 0) return NULL;
  // Large pages only make it faster; a kernel without them changes nothing.
  if (alignment == HUGE_PAGE) madvise(memory, sizeof(block) + capacity, MADV_HUGEPAGE);
  block *b = memory;
  b->capacity = capacity;
  return b;
}

void *hy_runtime_allocate(uint64_t bytes) {
  if (hy_hooks_now.allocate) return hy_hooks_now.allocate(bytes);
  if (!machine_has(bytes)) return NULL;
  size_t capacity = ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (capacity == 0) capacity = ALIGNMENT;
  cache *c = own_cache();
  block *b = c ? find(c, capacity) : NULL;
  if (!b) b = fresh(capacity);
  return b ? b->bytes : NULL;
}

void hy_runtime_free(void *memory) {
  if (!memory) return;
  if (hy_hooks_now.release) {
    hy_hooks_now.release(memory);
    return;
  }
  block *b = (block *)((unsigned char *)memory - offsetof(block, bytes));
  cache *c = own_cache();
  if (!c || b->capacity > kept_bytes) {
    free(b);
    return;
  }
  while (c->count == KEPT_BLOCKS || c->bytes + b->capacity > kept_bytes) free(take(c, 0));
  c->blocks[c->count++] = b;
  c->bytes += b->capacity;
}

#endif

static void copy_row(uint8_t *to, const uint8_t *from, size_t bytes, int64_t len, int64_t to_stride,
                     int64_t from_stride) {
  if (to_stride == 1 && from_stride == 1) {
    memcpy(to, from, (size_t)len * bytes);
    return;
  }
  for (int64_t i = 0; i < len; i++)
    memcpy(to + i * to_stride * (int64_t)bytes, from + i * from_stride * (int64_t)bytes, bytes);
}

// The row at a position of dimensions 1 .. rank-1, counted like the digits of a number.
void hy_runtime_copy(uint8_t *to, const uint8_t *from, int64_t bytes, int64_t rank, const int64_t *len,
                     const int64_t *to_stride, const int64_t *from_stride) {
  enum { LARGEST_RANK = 16 };
  int64_t at[LARGEST_RANK] = {0};
  for (int64_t d = 0; d < rank; d++)
    if (len[d] <= 0) return;
  const int64_t row = rank > 0 ? len[0] : 1, row_to = rank > 0 ? to_stride[0] : 1,
                row_from = rank > 0 ? from_stride[0] : 1;
  for (;;) {
    int64_t to_offset = 0, from_offset = 0;
    for (int64_t d = 1; d < rank; d++) to_offset += at[d] * to_stride[d], from_offset += at[d] * from_stride[d];
    copy_row(to + to_offset * bytes, from + from_offset * bytes, (size_t)bytes, row, row_to, row_from);
    int64_t d = 1;
    while (d < rank && ++at[d] == len[d]) at[d++] = 0;
    if (d >= rank) return;
  }
}
