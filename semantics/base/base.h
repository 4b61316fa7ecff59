#ifndef HY_BASE_H
#define HY_BASE_H

/* Words that every folder uses: ownership, the two kinds of failure, the three answers.
 *
 * A user's mistake goes through diagnostic.h and reaches the user with a place and a remedy.
 * Our own defect goes through hy_die and HY_ASSERT, which name our file and line. Where that leads to, and a request
 * for memory that gets none, stands in failure.h: to the call of the library that was entered, or to the process's end.
 */

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

// A defect of Halyard itself: does not return. Never used for anything that input can cause.
_Noreturn void hy_die(const char *file, int line, const char *format, ...) HY_PRINTF(3, 4);

#define HY_DIE(...) hy_die(__FILE__, __LINE__, __VA_ARGS__)
#define HY_ASSERT(condition)                                                                                           \
  do {                                                                                                                 \
    if (!(condition)) HY_DIE("assertion failed: %s", #condition);                                                      \
  } while (0)
#define HY_UNREACHABLE() HY_DIE("this place cannot be reached")

enum { HY_CODE_OUT_OF_MEMORY = 719 }; // of errors.def
// malloc and friends that never return NULL: without memory they do not return (HY0719).
HY_GIVE void *hy_allocate(size_t size);
HY_GIVE void *hy_allocate_zeroed(size_t count, size_t size);
HY_GIVE void *hy_reallocate(HY_TAKE void *old, size_t size);
HY_GIVE char *hy_copy_string(const char *text);
// For what may be as large as a user says: NULL if there is no such amount. alignment: a power of two.
HY_GIVE void *hy_try_allocate(size_t alignment, size_t size);
// Nearly all of that memory will be used, soon: large pages may hold it, where the system has them.
void hy_expect_use(void *memory, size_t size);
// Frees what any of these gave. Everything below cli/ that is not passed on is freed so: failure.h has to hear of it.
void hy_free(HY_TAKE void *memory);

// All of the bytes to a file descriptor, however many calls that takes. False, with errno: not all were written.
bool hy_write_all(int file, const void *bytes, size_t length);

#endif
