/* apps/networks/vgg.alg by hand: layer after layer, each on the pixels that the next one needs; channels are innermost in all loops. */

#include "bench/twins/apps.h"

#include <stdbool.h>

enum { BLOCKS = 5, WIDTH = 8, TAPS = 9 };

// Channels innermost, then columns, then lines.
typedef struct {
  int64_t channels, min[2], len[2];
  float *data;
} tensor;

static tensor new_tensor(int64_t channels, const int64_t min[2], const int64_t len[2]) {
  tensor t = {channels, {min[0], min[1]}, {len[0], len[1]}, NULL};
  t.data = reference_allocate(channels * len[0] * len[1], sizeof *t.data);
  return t;
}

static float *at(const tensor *t, int64_t x, int64_t y) {
  return t->data + ((y - t->min[1]) * t->len[0] + x - t->min[0]) * t->channels;
}

static int layers_of(int block) { return block < 2 ? 2 : 3; }
static int64_t channels_of(int block) { return WIDTH << (block < 3 ? block : 3); }

// The picture, and 0 beyond its edges.
static tensor padded(const reference_array *in, const int64_t min[2], const int64_t len[2]) {
  tensor t = new_tensor(3, min, len);
  for (int64_t y = min[1]; y < min[1] + len[1]; y++)
    for (int64_t x = min[0]; x < min[0] + len[0]; x++) {
      int64_t column = x - in->min[1], line = y - in->min[2];
      bool inside = column >= 0 && column < in->len[1] && line >= 0 && line < in->len[2];
      for (int64_t k = 0; k < 3; k++)
        at(&t, x, y)[k] = inside ? ((const float *)in->data)[(line * in->len[1] + column) * in->len[0] + k] : 0.0f;
    }
  return t;
}

// One pixel of a layer; "weights" are the layer's, of as many channels as there are.
static void convolve_pixel(const tensor *from, const float *weights, int64_t wide, const float *bias, int64_t x,
                           int64_t y, int64_t channels, float *restrict sums) {
  for (int64_t c = 0; c < channels; c++) sums[c] = bias[c];
  for (int64_t tap = 0; tap < TAPS; tap++) {
    const float *values = at(from, x + tap % 3 - 1, y + tap / 3 - 1);
    for (int64_t k = 0; k < from->channels; k++) {
      const float *restrict row = weights + (k * TAPS + tap) * wide;
      for (int64_t c = 0; c < channels; c++) sums[c] = sums[c] + row[c] * values[k];
    }
  }
  for (int64_t c = 0; c < channels; c++) sums[c] = sums[c] > 0.0f ? sums[c] : 0.0f;
}

// A layer, one pixel smaller on every side than what it reads, in place of that.
static void convolve(tensor *t, const reference_call *call, int layer, int64_t channels) {
  const reference_array *filter = &call->images[1], *bias = &call->images[2];
  int64_t min[2] = {t->min[0] + 1, t->min[1] + 1}, len[2] = {t->len[0] - 2, t->len[1] - 2};
  const float *weights = (const float *)filter->data + layer * filter->len[2] * TAPS * filter->len[0];
  tensor to = new_tensor(channels, min, len);
  for (int64_t y = min[1]; y < min[1] + len[1]; y++)
    for (int64_t x = min[0]; x < min[0] + len[0]; x++)
      convolve_pixel(t, weights, filter->len[0], (const float *)bias->data + layer * bias->len[0], x, y, channels,
                     at(&to, x, y));
  free(t->data);
  *t = to;
}

static float larger(float a, float b) { return a > b ? a : b; }

static void shrink(tensor *t) {
  int64_t min[2] = {t->min[0] / 2, t->min[1] / 2}, len[2] = {t->len[0] / 2, t->len[1] / 2}; // both are even
  tensor to = new_tensor(t->channels, min, len);
  for (int64_t y = min[1]; y < min[1] + len[1]; y++)
    for (int64_t x = min[0]; x < min[0] + len[0]; x++)
      for (int64_t c = 0; c < t->channels; c++)
        at(&to, x, y)[c] = larger(larger(at(t, 2 * x, 2 * y)[c], at(t, 2 * x + 1, 2 * y)[c]),
                                  larger(at(t, 2 * x, 2 * y + 1)[c], at(t, 2 * x + 1, 2 * y + 1)[c]));
  free(t->data);
  *t = to;
}

void reference_vgg(const reference_call *call) {
  const reference_array *out = &call->out;
  int64_t min[2] = {out->min[1], out->min[2]}, len[2] = {out->len[1], out->len[2]};
  for (int block = BLOCKS - 1; block >= 0; block--)
    for (int d = 0; d < 2; d++) { // what the block needs
      min[d] = 2 * min[d] - layers_of(block);
      len[d] = 2 * len[d] + 2 * layers_of(block);
    }
  tensor t = padded(&call->images[0], min, len);
  for (int block = 0, layer = 0; block < BLOCKS; block++) {
    for (int i = 0; i < layers_of(block); i++, layer++) convolve(&t, call, layer, channels_of(block));
    shrink(&t);
  }
  int64_t count = out->len[0] * out->len[1] * out->len[2];
  for (int64_t i = 0; i < count; i++) ((float *)out->data)[i] = t.data[i];
  free(t.data);
}
