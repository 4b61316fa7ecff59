#ifndef HY_FAILURE_H
#define HY_FAILURE_H

/* What becomes of a defect, and of a request for memory that gets none (base.h).
 *
 * Inside of hy_protect both unwind to it: what was allocated since then belongs to a lifetime, and is freed with it, so
 * nobody on the way has to clean up. Outside of it they end the process, as the program says that defines hy_end_*
 * (cli/end_process.c); in a program that does not there is nothing but a trap.
 */

#include "semantics/base/base.h"

#include <stdarg.h>

/* -- lifetimes: all that was allocated while they were protected, and is not freed yet -- */

typedef struct hy_lifetime hy_lifetime;

HY_GIVE hy_lifetime *hy_lifetime_new(void); // NULL: no memory
// Calls what was held open (hy_hold), the last first; then frees all that is left.
void hy_lifetime_free(HY_TAKE hy_lifetime *lifetime);
size_t hy_lifetime_count(const hy_lifetime *lifetime); // blocks that are left

/* -- protection -- */

typedef struct hy_failure {
  enum { HY_FAILURE_DEFECT, HY_FAILURE_MEMORY } kind;
  const char *file; // of a defect: ours
  int line;
  size_t wanted; // bytes, of a lack of memory
  char message[400];
} hy_failure;

typedef void hy_protected(void *self);

// Runs "body". False: it failed, and *failure says how; whatever it changed may be half done, and the lifetime is good
// for nothing but to be freed. Protection nests; each thread has its own.
bool hy_protect(hy_lifetime *lifetime, hy_failure *failure, hy_protected *body, void *self);

// For a thread that works for another, which waits: the lifetime that allocations of this thread belong to; NULL: none.
hy_lifetime *hy_protecting(void);
// Fails as that failure did, further outside. requires: this thread is protected, or *failure is about memory.
_Noreturn void hy_fail_again(const hy_failure *failure);

/* -- what is no memory of ours: contexts of libraries, files -- */

typedef void hy_closer(void *thing);

// Should the lifetime end first, close(thing) is called. Without protection nothing is done.
void hy_hold(hy_closer *close, void *thing);
void hy_let_go(const void *thing); // it is closed by whoever held it

/* -- the end -- */

// Programs of ours define both in cli/end_process.c; the library does not.
extern _Noreturn void hy_end_by_defect(const char *file, int line, const char *format, va_list args)
    __attribute__((weak, visibility("hidden")));
extern _Noreturn void hy_end_without_memory(size_t wanted) __attribute__((weak, visibility("hidden")));

#endif
