#include "proofs_tests/support/references.h"

void reference_histogram(const uint8_t *in, const reference_box *in_box, uint8_t *out, const reference_box *window) {
  uint64_t counts[256] = {0};
  uint64_t total = (uint64_t)(in_box->len[0] * in_box->len[1]);
  for (uint64_t i = 0; i < total; i++) counts[in[i]]++;
  for (int i = 1; i < 256; i++) counts[i] += counts[i - 1];
  for (int64_t y = window->min[1]; y < window->min[1] + window->len[1]; y++)
    for (int64_t x = window->min[0]; x < window->min[0] + window->len[0]; x++)
      out[reference_at(window, x, y)] = (uint8_t)(counts[in[reference_at(in_box, x, y)]] * 255 / total);
}
