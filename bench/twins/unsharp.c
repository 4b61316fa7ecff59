/* apps/unsharp.alg by hand: the grey image is made for all lines at first; its blur down, that along and the ratio are
 * made for one line at a time, which then scales that line of each channel.
 */

#include "bench/twins/apps.h"
#include "semantics/value/math_functions.h"

static float weight(int64_t i) {
  return (float)hy_math_exp_f32((double)(-(float)(i * i) / (2.0f * 1.5f * 1.5f))) / (1.5f * 2.5066283f);
}

static void grey_line(const reference_array *in, int64_t y, int64_t min, int64_t len, float *grey) {
  int64_t plane = in->len[0] * in->len[1];
  const float *line = (const float *)in->data + reference_place(in, in->min[0], reference_edge(in, 1, y));
  for (int64_t i = 0; i < len; i++) {
    int64_t x = reference_edge(in, 0, min + i) - in->min[0];
    grey[i] = 0.299f * line[x] + 0.587f * line[x + plane] + 0.114f * line[x + 2 * plane];
  }
}

static void blur_along(const float *restrict p, int64_t step, int64_t count, const float *restrict k,
                       float *restrict to) {
  for (int64_t i = 0; i < count; i++)
    to[i] = k[0] * p[i] + k[1] * (p[i - step] + p[i + step]) + k[2] * (p[i - 2 * step] + p[i + 2 * step]) +
            k[3] * (p[i - 3 * step] + p[i + 3 * step]);
}

void reference_unsharp(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  int64_t width = out->len[0], height = out->len[1], stride = width + 6, lines = height + 6;
  float *grey = reference_allocate(stride * lines, sizeof *grey), *down = reference_allocate(stride, sizeof *down);
  float *blur = reference_allocate(width, sizeof *blur), kernel[4];
  for (int64_t i = 0; i < 4; i++) kernel[i] = weight(i);
  for (int64_t i = 0; i < lines; i++) grey_line(in, out->min[1] - 3 + i, out->min[0] - 3, stride, grey + i * stride);
  for (int64_t i = 0; i < height; i++) {
    blur_along(grey + (i + 3) * stride, stride, stride, kernel, down);
    blur_along(down + 3, 1, width, kernel, blur);
    const float *middle = grey + (i + 3) * stride + 3;
    for (int64_t x = 0; x < width; x++) blur[x] = (2.0f * middle[x] - blur[x]) / middle[x];
    for (int64_t c = 0; c < out->len[2]; c++) {
      int64_t plane = (c + out->min[2] - in->min[2]) * in->len[0] * in->len[1];
      const float *line = (const float *)in->data + plane + reference_place(in, out->min[0], out->min[1] + i);
      float *to = (float *)out->data + (c * height + i) * width;
      for (int64_t x = 0; x < width; x++) to[x] = blur[x] * line[x];
    }
  }
  free(grey);
  free(down);
  free(blur);
}
