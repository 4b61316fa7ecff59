#ifndef HY_HOOKS_H
#define HY_HOOKS_H

// What a program has put in the place of parts of the run-time library; NULL: nothing.

#include "include/halyard_runtime.h"

typedef struct hy_hooks {
  halyard_error_handler *error;
  halyard_allocator *allocate;
  halyard_deallocator *release;
  halyard_parallel_for *parallel_for;
} hy_hooks;
extern hy_hooks hy_hooks_now;

#endif
