#ifndef HY_INTERN_H
#define HY_INTERN_H

/* A set of pointers to immutable things that are equal by content: the one table behind hash-consing. */

#include "semantics/base/base.h"

typedef struct hy_intern hy_intern;
typedef bool hy_intern_equal(const void *a, const void *b);

HY_GIVE hy_intern *hy_intern_new(hy_intern_equal *equal);
void hy_intern_free(HY_TAKE hy_intern *table); // the elements belong to somebody else

// The element equal to "key", or NULL.
const void *hy_intern_find(const hy_intern *table, uint64_t hash, const void *key);
// requires: hy_intern_find(table, hash, element) is NULL
void hy_intern_add(hy_intern *table, uint64_t hash, HY_KEEP const void *element);
size_t hy_intern_count(const hy_intern *table);

// Mixing for hashes; start from any seed.
static inline uint64_t hy_hash(uint64_t seed, uint64_t word) {
  uint64_t z = (seed ^ word) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
uint64_t hy_hash_bytes(uint64_t seed, const void *bytes, size_t length);

#endif
