#ifndef HY_BASE_H
#define HY_BASE_H

/* Words that every folder uses: ownership, the two kinds of failure, the three answers.
 *
 * A user's mistake goes through diagnostic.h and reaches the user with a place and a remedy.
 * Our own defect goes through hy_die and HY_ASSERT: it names our file and line and ends the process with status 4.
 */

#include "semantics/base/mutant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Ownership, in prototypes: GIVE = the caller becomes the owner, TAKE = the callee does, KEEP = nobody changes hands.
#define HY_GIVE
#define HY_TAKE
#define HY_KEEP

#define HY_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

typedef enum hy_answer {
  HY_NO,      // refuted
  HY_YES,     // shown
  HY_UNKNOWN, // a limit was reached; never read as either of the above
} hy_answer;

// Reports a defect of Halyard itself and exits with status 4. Never used for anything that input can cause.
_Noreturn void hy_die(const char *file, int line, const char *format, ...) HY_PRINTF(3, 4);

#define HY_DIE(...) hy_die(__FILE__, __LINE__, __VA_ARGS__)
#define HY_ASSERT(condition)                                                                                           \
  do {                                                                                                                 \
    if (!(condition)) HY_DIE("assertion failed: %s", #condition);                                                      \
  } while (0)
#define HY_UNREACHABLE() HY_DIE("this place cannot be reached")

enum { HY_CODE_OUT_OF_MEMORY = 719 }; // of errors.def
// malloc and friends that never return NULL (out of memory ends the process with HY0719 and status 2).
HY_GIVE void *hy_allocate(size_t size);
HY_GIVE void *hy_allocate_zeroed(size_t count, size_t size);
HY_GIVE void *hy_reallocate(HY_TAKE void *old, size_t size);

// All of the bytes to a file descriptor, however many calls that takes. False, with errno: not all were written.
bool hy_write_all(int file, const void *bytes, size_t length);

#endif
