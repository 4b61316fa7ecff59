#ifndef HY_CHOICES_H
#define HY_CHOICES_H

/* A choice sequence: bytes that become decisions, one after the other. Everything that is generated is generated from
 * one, so that the same bytes always give the same programs, whoever supplies them: a seed, a file, another fuzzer.
 */

#include "semantics/base/base.h"

typedef struct hy_choices {
  const uint8_t *bytes; // NULL: they come from the seed and never end
  size_t count;
  uint64_t seed;
  size_t at; // how many were used
} hy_choices;

hy_choices hy_choices_of_seed(uint64_t seed);
hy_choices hy_choices_of_bytes(HY_KEEP const uint8_t *bytes, size_t count); // behind the last one all bytes are 0

uint64_t hy_choose(hy_choices *choices, uint64_t below); // 0 .. below - 1; one byte if that is enough
int64_t hy_choose_between(hy_choices *choices, int64_t least, int64_t most);
bool hy_choose_chance(hy_choices *choices, int percent); // 0 bytes say no
// An index, each as often as its weight says; the sum must not be 0.
int hy_choose_weighted(hy_choices *choices, const int *weights, int count);

#endif
