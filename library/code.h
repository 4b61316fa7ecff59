#ifndef HY_LIBRARY_CODE_H
#define HY_LIBRARY_CODE_H

// What halyard_compile gives (code.c), and halyard_realize runs (realize.c).

#include "library/library_internal.h"

struct halyard_code {
  object head; // uses the result, in whose lifetime the code is
  halyard_result *result;
  hy_native *native;
};

#endif
