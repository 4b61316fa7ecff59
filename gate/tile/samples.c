// Values of the symbols: least, greatest, odd and random ones, the same in every run.

#include "gate/tile/judge.h"

#include <string.h>

static uint64_t mixed(uint64_t seed, uint64_t number) {
  uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static uint64_t real_bits(hy_type type, double d) { return hy_value_bits(hy_value_from_double(type, d)); }

// Floats: numbers that are added exactly, fractions, odd ones.
static uint64_t sample_real(hy_type type, uint64_t r, int how) {
  static const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.5, 255.0, 256.0, 65535.0, 1e-40, -3e38, 3e38, 1e300, 16777217.0};
  uint64_t low = r >> 16;
  if (how == 0) return real_bits(type, 0.0);
  if (how == 1) return real_bits(type, -1.0);
  if (how == 2) return real_bits(type, (double)(low % 512) - 256.0);
  if (how % 4 == 3) return real_bits(type, (double)(int64_t)(low % 2000001 - 1000000) / 4096.0 / 3.0);
  if (how % 8 == 4 && low % 8 == 0) return real_bits(type, 1.0 / (low / 8 % 2 ? 0.0 : -0.0));
  if (how % 8 == 4 && low % 8 == 1) return real_bits(type, 0.0 / 0.0);
  if (how % 4 == 0) return real_bits(type, odd[low % HY_COUNT(odd)]);
  if (how % 4 == 1) return real_bits(type, (double)(low % 1000) / 1000.0);
  return r & hy_low_bits(hy_type_bits(type));
}

static uint64_t sample_word(int bits, uint64_t most, uint64_t r, int how, size_t place) {
  uint64_t half = UINT64_C(1) << (bits - 1), value;
  switch (how) {
  case 0: value = 0; break;
  case 1: value = most; break;
  case 2: value = half; break;
  case 3: value = half - 1; break;
  case 4: value = place % 2 ? most : 0; break;
  case 5: value = place % 3 ? half : half - 1; break;
  default: {
    const uint64_t ends[] = {0, most, half, half - 1, 1, most - 1, r >> 8, r >> 5 & 3};
    value = how % 3 == 0 ? ends[r % HY_COUNT(ends)] : how % 3 == 1 ? r >> 8 : (r >> 8) % 16 + (r & 1 ? most - 20 : 0);
  }
  }
  return most == hy_low_bits(bits) ? value & most : value % (most + 1);
}

// All elements alike: a constant, its opposite, the next ones on both sides, a half beside it.
static uint64_t sample_limit(const hy_tile_judge_state *s, hy_type type, int number) {
  uint64_t limit = s->limits.data[(size_t)number / HY_TILE_AROUND % s->limits.count];
  int how = number % HY_TILE_AROUND;
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) return (how < 3 ? limit : 0 - limit) + (uint64_t)(how % 3 - 1);
  if (how < 3) return limit + (uint64_t)(how - 1);
  double d = hy_value_to_double(hy_value_load(type, &limit));
  return real_bits(type, how == 3 ? d - 0.5 : how == 4 ? d + 0.5 : -d);
}

void hy_tile_sample(const hy_tile_judge_state *s, int number, uint64_t *symbols) {
  for (size_t i = 0; i < s->graph.symbols; i++) {
    uint64_t r = mixed(s->question->seed + (uint64_t)number, i);
    bool is_image = i < s->symbols.count;
    hy_type type = is_image ? s->symbols.data[i].type : HY_U64;
    bool is_real = hy_type_class_of(type) == HY_CLASS_FLOAT;
    int bits = hy_type_bits(type);
    symbols[i] = is_real ? sample_real(type, r, number)
                         : sample_word(bits, type == HY_BOOL ? 1 : hy_low_bits(bits), r, number, i);
    if (number == 1 && is_real && i % 2) symbols[i] = real_bits(type, 1e30);
    if (number >= HY_TILE_ODD_SAMPLES && s->limits.count && is_image) {
      symbols[i] = sample_limit(s, type, number - HY_TILE_ODD_SAMPLES) & hy_low_bits(bits);
      if (type == HY_BOOL) symbols[i] &= 1;
    }
  }
}
