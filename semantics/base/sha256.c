#include "semantics/base/sha256.h"

#include <stdio.h>
#include <string.h>

// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of the
// first 64.
static const uint32_t roots[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t cube_roots[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void expand(const unsigned char *block, uint32_t words[64]) {
  for (int i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t far = words[i - 15], near = words[i - 2];
    uint32_t first = rotate(far, 7) ^ rotate(far, 18) ^ far >> 3;
    uint32_t second = rotate(near, 17) ^ rotate(near, 19) ^ near >> 10;
    words[i] = words[i - 16] + first + words[i - 7] + second;
  }
}

static void add_block(uint32_t hash[8], const unsigned char *block) {
  uint32_t words[64], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4], f = hash[5], g = hash[6];
  uint32_t h = hash[7];
  expand(block, words);
  for (int i = 0; i < 64; i++) {
    uint32_t up = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + cube_roots[i] + words[i];
    uint32_t down = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + up;
    d = c, c = b, b = a, a = up + down;
  }
  const uint32_t last[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) hash[i] += last[i];
}

void hy_sha256(const void *bytes, size_t length, char digits[HY_SHA256_DIGITS + 1]) {
  const unsigned char *at = bytes;
  uint32_t hash[8];
  unsigned char tail[128] = {0}; // what is left, the bit that ends it, and the length in bits
  size_t rest = length % 64, end = rest < 56 ? 64 : 128;
  memcpy(hash, roots, sizeof hash);
  for (size_t i = 0; i < length / 64; i++, at += 64) add_block(hash, at);
  if (rest) memcpy(tail, at, rest);
  tail[rest] = 0x80;
  for (int i = 0; i < 8; i++) tail[end - 1 - (size_t)i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
  for (size_t i = 0; i < end; i += 64) add_block(hash, tail + i);
  for (int i = 0; i < 8; i++) snprintf(digits + 8 * i, 9, "%08x", (unsigned)hash[i]);
}
