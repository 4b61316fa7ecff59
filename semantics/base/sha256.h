#ifndef HY_SHA256_H
#define HY_SHA256_H

#include "semantics/base/base.h"

// SHA-256 (FIPS 180-4) of the bytes, as 64 hexadecimal digits and a 0: names a program by what it says.
enum { HY_SHA256_DIGITS = 64 };
void hy_sha256(const void *bytes, size_t length, char digits[HY_SHA256_DIGITS + 1]);

#endif
