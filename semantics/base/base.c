#include "semantics/base/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void hy_die(const char *file, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "halyard: internal error: %s:%d: ", file, line);
  vfprintf(stderr, format, args);
  fputs("\nThis is a defect of Halyard, not of your program.\n", stderr);
  va_end(args);
  exit(4);
}

// Allocates nothing itself.
_Noreturn static void end_without_memory(size_t size) {
  fprintf(stderr, "halyard: error[HY%04d]: out of memory: %zu bytes more were wanted\n", HY_CODE_OUT_OF_MEMORY, size);
  errno = ENOMEM; // whatever printing has made of it: why this ends
  exit(2);
}

void *hy_allocate(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) end_without_memory(size);
  return memory;
}

void *hy_allocate_zeroed(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory) end_without_memory(count * size);
  return memory;
}

void *hy_reallocate(void *old, size_t size) {
  void *memory = realloc(old, size ? size : 1);
  if (!memory) end_without_memory(size);
  return memory;
}

bool hy_write_all(int file, const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t wrote = write(file, at, length);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    at += wrote;
    length -= (size_t)wrote;
  }
  return true;
}
