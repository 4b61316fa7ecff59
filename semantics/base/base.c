#include "semantics/base/base.h"

#include <errno.h>
#include <unistd.h>

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
