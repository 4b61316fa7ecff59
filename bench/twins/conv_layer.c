#include "bench/twins/apps.h"

// The line of channels there.
static const float *at(const reference_array *a, int64_t x, int64_t y, int64_t z) {
  return (const float *)a->data + ((z * a->len[2] + y - a->min[2]) * a->len[1] + x - a->min[1]) * a->len[0];
}

// One pixel, all output channels; the innermost loop runs along them.
static void pixel(const reference_call *call, int64_t x, int64_t y, int64_t n, float *restrict sums) {
  const reference_array *in = &call->images[0], *filter = &call->images[1];
  int64_t channels = call->out.len[0];
  const float *bias = call->images[2].data;
  for (int64_t c = 0; c < channels; c++) sums[c] = bias[c];
  for (int64_t t = 0; t < 3; t++)
    for (int64_t s = 0; s < 3; s++)
      for (int64_t k = 0; k < in->len[0]; k++) {
        float value = at(in, x + s - 1, y + t - 1, n)[k];
        const float *restrict taps = at(filter, s, t, k);
        for (int64_t c = 0; c < channels; c++) sums[c] = sums[c] + taps[c] * value;
      }
  for (int64_t c = 0; c < channels; c++) sums[c] = sums[c] > 0.0f ? sums[c] : 0.0f;
}

void reference_conv_layer(const reference_call *call) {
  const reference_array *out = &call->out;
  float *to = out->data;
  for (int64_t n = 0; n < out->len[3]; n++)
    for (int64_t y = 0; y < out->len[2]; y++)
      for (int64_t x = 0; x < out->len[1]; x++, to += out->len[0]) pixel(call, out->min[1] + x, out->min[2] + y, n, to);
}
