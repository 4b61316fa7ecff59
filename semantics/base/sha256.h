#ifndef HY_SHA256_H
#define HY_SHA256_H

#include "semantics/base/base.h"

// SHA-256 (FIPS 180-4) of the bytes, as 64 hexadecimal digits and a 0: names a program by what it says.
enum { HY_SHA256_DIGITS = 64 };
void hy_sha256(const void *bytes, size_t length, char digits[HY_SHA256_DIGITS + 1]);

// The same of what comes piece by piece: begun once, added to, and ended once. Owns nothing.
typedef struct {
  uint32_t hash[8];
  uint64_t length;         // of all pieces, in bytes
  unsigned char block[64]; // length % 64 of it wait for the rest of their block
} hy_sha256_state;
void hy_sha256_begin(hy_sha256_state *state);
void hy_sha256_add(hy_sha256_state *state, const void *bytes, size_t length);
void hy_sha256_end(hy_sha256_state *state, char digits[HY_SHA256_DIGITS + 1]);

#endif
