#include "bench/twins/apps.h"

/* A pixel at a time: the layers one over the other, each by its operation. */

enum { LAYERS = 5 };

// a*b/255 to nearest, as fixed-point arithmetic has it.
static uint32_t scale(uint32_t a, uint32_t b) {
  uint32_t product = a * b;
  product += (product + 128) >> 8;
  return (product + 128) >> 8;
}

// One value of a layer b laid over a, both with their alphas; for alpha itself a and b are the alphas.
static uint32_t blend(int32_t op, uint32_t a, uint32_t a_alpha, uint32_t b, uint32_t b_alpha, int is_alpha) {
  switch (op) {
  case 0: return b + scale(a, 255 - b_alpha);
  case 1: return is_alpha ? a : scale(b, a_alpha) + scale(a, 255 - b_alpha);
  case 2: return scale(b, 255 - a_alpha) + scale(a, 255 - b_alpha);
  case 3: return scale(a, b_alpha);
  default: return scale(a, 255 - b_alpha);
  }
}

// Colours multiplied by alpha, and alpha.
static void read_pixel(const reference_array *image, int64_t x, int64_t y, uint32_t to[4]) {
  const uint8_t *from = (const uint8_t *)image->data + reference_place(image, x, y);
  int64_t plane = image->len[0] * image->len[1];
  for (int c = 0; c < 4; c++) to[c] = from[c * plane];
  for (int c = 0; c < 3; c++) to[c] *= to[3];
}

static void lay_over(int32_t op, const uint32_t b[4], uint32_t a[4]) {
  uint32_t alpha = a[3];
  for (int c = 0; c < 3; c++) a[c] = blend(op, a[c], alpha, b[c], b[3], 0) & 0xffff;
  a[3] = blend(op, alpha, alpha, b[3], b[3], 1) & 0xff;
}

void reference_compositing(const reference_call *call) {
  const reference_array *out = &call->out, *ops = &call->images[LAYERS + 1];
  uint8_t *to = out->data;
  int64_t plane = out->len[0] * out->len[1];
  for (int64_t y = 0; y < out->len[1]; y++)
    for (int64_t x = 0; x < out->len[0]; x++, to++) {
      uint32_t a[4], b[4];
      read_pixel(&call->images[0], out->min[0] + x, out->min[1] + y, a);
      for (int k = 0; k < LAYERS; k++) {
        read_pixel(&call->images[k + 1], out->min[0] + x, out->min[1] + y, b);
        lay_over(((const int32_t *)ops->data)[k], b, a);
      }
      for (int c = 0; c < 3; c++) {
        uint32_t value = a[3] ? ((a[c] + a[3] / 2) & 0xffff) / a[3] : 0;
        to[c * plane] = (uint8_t)(value > 255 ? 255 : value);
      }
      to[3 * plane] = (uint8_t)a[3];
    }
}
