/* Linked into every program of the preset "coverage" (-Wl,--wrap=_exit): a process that ends with _exit, as forked
 * workers do, runs no destructor, and would take the counts of its branches with it. Here it writes them first.
 *
 * What libgcov asks for in order to write them is no request of the program: failing_malloc.c, if loaded, serves it.
 */

#include <dlfcn.h>
#include <gcov.h>
#include <stdlib.h>

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

static void end_refusals(void) {
  void (*end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "failing_malloc_end");
  if (end) end();
}

// Before destructors run, one of which writes the counts.
__attribute__((constructor)) static void begin(void) { atexit(end_refusals); }

void __wrap__exit(int status) {
  end_refusals();
  __gcov_dump();
  __real__exit(status);
}
