#include "semantics/value/errors.h"

_Static_assert((int)HY_E_OUT_OF_MEMORY == (int)HY_CODE_OUT_OF_MEMORY, "base.c ends with this code");

const char *hy_code_title(hy_code code) {
  switch (code) {
#define HY_ERROR(number, name, title)                                                                                  \
  case HY_E_##name:                                                                                                    \
    return title;
#include "semantics/errors.def"
#undef HY_ERROR
  }
  HY_UNREACHABLE();
}

bool hy_code_is_known(uint64_t number) {
  switch (number) {
#define HY_ERROR(number, name, title)                                                                                  \
  case HY_E_##name:                                                                                                    \
    return true;
#include "semantics/errors.def"
#undef HY_ERROR
  default: return false;
  }
}
