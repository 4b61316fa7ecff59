// How the programs of this tree end where nothing protects them (semantics/base/failure.h): a defect with status 4, a
// lack of memory with status 2. Linked into each of them as it is; the library has nothing of the kind.

#include "semantics/base/failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void hy_end_by_defect(const char *file, int line, const char *format, va_list args) {
  fprintf(stderr, "halyard: internal error: %s:%d: ", file, line);
  vfprintf(stderr, format, args);
  fputs("\nThis is a defect of Halyard, not of your program.\n", stderr);
  exit(4);
}

// Allocates nothing itself.
_Noreturn void hy_end_without_memory(size_t wanted) {
  fprintf(stderr, "halyard: error[HY%04d]: out of memory: %zu bytes more were wanted\n", HY_CODE_OUT_OF_MEMORY, wanted);
  errno = ENOMEM; // whatever printing has made of it: why this ends
  exit(2);
}
