// Loaded before the C library (LD_PRELOAD): the Nth request for memory that the program itself makes gets none.
//   FAILING_MALLOC_AT=N     which request fails, from 1 on; 0: none
//   FAILING_MALLOC_COUNT=F  how many requests there were is written to the file F at exit
//   FAILING_MALLOC_IN=NAME  of the requests of the shared object whose path contains NAME, not of the program's
// The program may call failing_malloc_set and failing_malloc_seen itself, as often as it likes.
// Requests that libraries make for themselves are served: Z3 and LLVM end the process when they get no memory, which is
// theirs to mend. Thread safety: any thread may ask; the count is one for all.

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static uintptr_t low, high; // where the program's own code lies
static atomic_long seen;
static long fail_at;

static int see_object(struct dl_phdr_info *info, size_t size, void *unused) {
  const char *wanted = unused;
  (void)size;
  if (wanted && !strstr(info->dlpi_name, wanted)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
      low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      high = low + info->dlpi_phdr[i].p_memsz;
    }
  return 1; // the first object is the program
}

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("FAILING_MALLOC_AT");
  dl_iterate_phdr(see_object, getenv("FAILING_MALLOC_IN"));
  fail_at = at ? strtol(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void report(void) {
  const char *name = getenv("FAILING_MALLOC_COUNT");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", atomic_load(&seen));
  fclose(file);
}

void failing_malloc_set(long at);
void failing_malloc_set(long at) {
  fail_at = at;
  atomic_store(&seen, 0);
}
long failing_malloc_seen(void);
long failing_malloc_seen(void) { return atomic_load(&seen); }

// From here on all is served (counted_exit.c).
void failing_malloc_end(void);
void failing_malloc_end(void) { low = high = 0; }

static bool refused(const void *caller) {
  uintptr_t from = (uintptr_t)caller;
  if (from < low || from >= high || atomic_fetch_add(&seen, 1) + 1 != fail_at) return false;
  errno = ENOMEM;
  return true;
}

#define REFUSED refused(__builtin_return_address(0))

void *malloc(size_t size) { return REFUSED ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return REFUSED ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return REFUSED ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return REFUSED ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *got = REFUSED ? NULL : __libc_memalign(alignment, size);
  if (!got) return ENOMEM;
  *memory = got;
  return 0;
}

char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = REFUSED ? NULL : __libc_malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = REFUSED ? NULL : __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
