#ifndef HY_ERRORS_H
#define HY_ERRORS_H

#include "semantics/base/diagnostic.h"

// Every diagnostic, in the order of docs/errors.md: HY0101 and so on. errors.def is included once per expansion.
enum {
#define HY_ERROR(number, name, title) HY_E_##name = number,
#include "semantics/errors.def"
#undef HY_ERROR
};

const char *hy_code_title(hy_code code);
bool hy_code_is_known(uint64_t number); // of a file from whoever

#endif
