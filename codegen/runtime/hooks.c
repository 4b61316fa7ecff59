#include "codegen/runtime/hooks.h"

#include <stddef.h>

hy_hooks hy_hooks_now;

halyard_error_handler *halyard_set_error_handler(halyard_error_handler *handler) {
  halyard_error_handler *before = hy_hooks_now.error;
  hy_hooks_now.error = handler;
  return before;
}

void halyard_set_allocator(halyard_allocator *allocate, halyard_deallocator *release) {
  hy_hooks_now.allocate = allocate && release ? allocate : NULL;
  hy_hooks_now.release = allocate && release ? release : NULL;
}

halyard_parallel_for *halyard_set_parallel_for(halyard_parallel_for *run) {
  halyard_parallel_for *before = hy_hooks_now.parallel_for;
  hy_hooks_now.parallel_for = run;
  return before;
}
