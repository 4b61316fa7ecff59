#include "fuzz/pairs/choices.h"

#include "engines/generator.h"

hy_choices hy_choices_of_seed(uint64_t seed) { return (hy_choices){.seed = seed}; }

hy_choices hy_choices_of_bytes(const uint8_t *bytes, size_t count) {
  static const uint8_t none;
  return (hy_choices){.bytes = bytes ? bytes : &none, .count = bytes ? count : 0};
}

static uint8_t next(hy_choices *c) {
  size_t at = c->at++;
  if (c->bytes) return at < c->count ? c->bytes[at] : 0;
  return (uint8_t)(hy_splitmix(c->seed, at / 8) >> 8 * (at % 8));
}

uint64_t hy_choose(hy_choices *c, uint64_t below) {
  if (below <= 1) return 0;
  uint64_t value = next(c);
  for (uint64_t reach = 256; reach < below && reach < UINT64_C(1) << 48; reach <<= 8) value = value << 8 | next(c);
  return value % below;
}

int64_t hy_choose_between(hy_choices *c, int64_t least, int64_t most) {
  return least + (int64_t)hy_choose(c, (uint64_t)(most - least) + 1);
}

bool hy_choose_chance(hy_choices *c, int percent) { return (int)hy_choose(c, 100) >= 100 - percent; }

int hy_choose_weighted(hy_choices *c, const int *weights, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += weights[i];
  HY_ASSERT(sum > 0);
  int left = (int)hy_choose(c, (uint64_t)sum);
  for (int i = 0; i < count; i++)
    if ((left -= weights[i]) < 0) return i;
  HY_UNREACHABLE();
}
