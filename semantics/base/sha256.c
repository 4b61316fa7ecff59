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

static void add_blocks_plainly(uint32_t hash[8], const unsigned char *at, size_t count) {
  for (; count; count--, at += 64) add_block(hash, at);
}

// The instructions of x86 for it, ten times as fast: the programs whose hashes a shipment carries are 60 MB long.
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

static bool has_instructions(void) {
  unsigned a, b = 0, c = 0, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

// 64 rounds, four at a time; the state is kept as the instructions want it, {F, E, B, A} and {H, G, D, C} from below.
__attribute__((target("sha,sse4.1"))) static void add_rounds(__m128i *abef, __m128i *cdgh, const unsigned char *at) {
  const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203); // bytes within words
  __m128i words[4];
  for (int i = 0; i < 4; i++) words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)at + i), swapped);
  for (int i = 0; i < 16; i++) {
    __m128i *oldest = &words[i % 4], second = words[(i + 1) % 4], third = words[(i + 2) % 4], last = words[(i + 3) % 4];
    __m128i sum = _mm_add_epi32(*oldest, _mm_loadu_si128((const __m128i *)cube_roots + i));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0e));
    __m128i middle = _mm_alignr_epi8(last, third, 4);
    *oldest = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*oldest, second), middle), last);
  }
}

__attribute__((target("sha,sse4.1"))) static void add_blocks_by_instructions(uint32_t hash[8], const unsigned char *at,
                                                                             size_t count) {
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)hash), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)hash + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; count; count--, at += 64) {
    __m128i first = abef, second = cdgh;
    add_rounds(&abef, &cdgh, at);
    abef = _mm_add_epi32(abef, first), cdgh = _mm_add_epi32(cdgh, second);
  }
  low = _mm_shuffle_epi32(abef, 0x1b), high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)hash, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)hash + 1, _mm_alignr_epi8(high, low, 8));
}
#else
static bool has_instructions(void) { return false; }
static void add_blocks_by_instructions(uint32_t hash[8], const unsigned char *at, size_t count) {
  add_blocks_plainly(hash, at, count);
}
#endif

// Few blocks are not worth the question what this machine has.
static void add_blocks(uint32_t hash[8], const unsigned char *at, size_t count) {
  if (count >= 64 && has_instructions())
    add_blocks_by_instructions(hash, at, count);
  else
    add_blocks_plainly(hash, at, count);
}

void hy_sha256_begin(hy_sha256_state *state) {
  *state = (hy_sha256_state){0};
  memcpy(state->hash, roots, sizeof roots);
}

void hy_sha256_add(hy_sha256_state *state, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  size_t waiting = state->length % 64, missing = 64 - waiting;
  if (!length) return;
  state->length += length;
  if (waiting) {
    size_t taken = length < missing ? length : missing;
    memcpy(state->block + waiting, at, taken);
    at += taken, length -= taken;
    if (taken < missing) return;
    add_block(state->hash, state->block);
  }
  add_blocks(state->hash, at, length / 64);
  if (length % 64) memcpy(state->block, at + length / 64 * 64, length % 64);
}

// The bit that ends the bytes, zeros, and the length in bits.
void hy_sha256_end(hy_sha256_state *state, char digits[HY_SHA256_DIGITS + 1]) {
  unsigned char tail[72] = {0x80};
  size_t waiting = state->length % 64, padding = (waiting < 56 ? 56 : 120) - waiting;
  for (int i = 0; i < 8; i++) tail[padding + 7 - (size_t)i] = (unsigned char)(state->length * 8 >> 8 * i);
  hy_sha256_add(state, tail, padding + 8);
  for (int i = 0; i < 8; i++) snprintf(digits + 8 * i, 9, "%08x", (unsigned)state->hash[i]);
}

void hy_sha256(const void *bytes, size_t length, char digits[HY_SHA256_DIGITS + 1]) {
  hy_sha256_state state;
  hy_sha256_begin(&state);
  hy_sha256_add(&state, bytes, length);
  hy_sha256_end(&state, digits);
}
