#include "semantics/base/base.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

// A page of 4 KiB costs as much when it is first touched as reading a KiB of text does.
void hy_expect_use(void *memory, size_t size) {
  enum { LARGE_PAGE = 1 << 21 };
  uintptr_t first = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
  uintptr_t end = ((uintptr_t)memory + size) & ~(uintptr_t)(LARGE_PAGE - 1);
  const int before = errno;
  if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE); // where that is refused nothing changes
  errno = before;
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
