/* apps/harris.alg by hand, one loop nest after the other: the grey image with two more pixels on each side, the three
 * products of its gradients with one more, and the response, which sums 3 x 3 of each product on the spot.
 */

#include "bench/twins/apps.h"

static void grey_line(const reference_array *in, int64_t x, int64_t y, int64_t count, float *grey) {
  int64_t plane = in->len[0] * in->len[1];
  const float *line = (const float *)in->data + reference_place(in, x, y);
  for (int64_t i = 0; i < count; i++)
    grey[i] = 0.299f * line[i] + 0.587f * line[i + plane] + 0.114f * line[i + 2 * plane];
}

static void products_line(const float *restrict up, const float *restrict at, const float *restrict down, int64_t count,
                          float *restrict xx, float *restrict yy, float *restrict xy) {
  const float side = 1.0f / 12.0f, middle = 2.0f / 12.0f;
  for (int64_t i = 0; i < count; i++) {
    float iy = (down[i] - up[i]) * side + (down[i + 1] - up[i + 1]) * middle + (down[i + 2] - up[i + 2]) * side;
    float ix = (up[i + 2] - up[i]) * side + (at[i + 2] - at[i]) * middle + (down[i + 2] - down[i]) * side;
    xx[i] = ix * ix;
    yy[i] = iy * iy;
    xy[i] = ix * iy;
  }
}

static float sum_3x3(const float *p, int64_t stride) {
  return p[0] + p[1] + p[2] + p[stride] + p[stride + 1] + p[stride + 2] + p[2 * stride] + p[2 * stride + 1] +
         p[2 * stride + 2];
}

void reference_harris(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  int64_t width = out->len[0], height = out->len[1], wide = width + 4, mid = width + 2, lines = height + 2;
  float *grey = reference_allocate(wide * (height + 4), sizeof *grey),
        *xx = reference_allocate(3 * mid * lines, sizeof *xx);
  float *yy = xx + mid * lines, *xy = yy + mid * lines;
  for (int64_t i = 0; i < height + 4; i++) grey_line(in, out->min[0] - 2, out->min[1] - 2 + i, wide, grey + i * wide);
  for (int64_t i = 0; i < lines; i++) {
    const float *p = grey + i * wide;
    products_line(p, p + wide, p + 2 * wide, mid, xx + i * mid, yy + i * mid, xy + i * mid);
  }
  for (int64_t i = 0; i < height; i++)
    for (int64_t x = 0; x < width; x++) {
      float sxx = sum_3x3(xx + i * mid + x, mid), syy = sum_3x3(yy + i * mid + x, mid),
            sxy = sum_3x3(xy + i * mid + x, mid);
      float trace = sxx + syy;
      ((float *)out->data)[i * width + x] = sxx * syy - sxy * sxy - 0.04f * trace * trace;
    }
  free(grey);
  free(xx);
}
