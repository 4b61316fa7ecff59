#include "bench/twins/apps.h"

#include <math.h>
#include <string.h>

// The image with its edge repeated, on a box of its own; planes one behind the other.
typedef struct {
  int64_t min[2], len[2];
  float *data;
} wide_image;

static wide_image widen(const reference_array *in, const reference_array *out, int64_t by) {
  wide_image w = {{out->min[0] - by, out->min[1] - by}, {out->len[0] + 2 * by, out->len[1] + 2 * by}, NULL};
  w.data = reference_allocate(w.len[0] * w.len[1] * 3, sizeof *w.data);
  float *to = w.data;
  for (int64_t c = 0; c < 3; c++)
    for (int64_t y = 0; y < w.len[1]; y++) {
      const float *line = (const float *)in->data + c * in->len[0] * in->len[1] +
                          reference_place(in, in->min[0], reference_edge(in, 1, w.min[1] + y));
      for (int64_t x = 0; x < w.len[0]; x++) *to++ = line[reference_edge(in, 0, w.min[0] + x) - in->min[0]];
    }
  return w;
}

static float square(float e) { return e * e; }

// What fast_exp stands for (docs/language.md): x = k ln 2 + r, 2^k (1 + r + r^2 P(r)).
static float fast_exp(float x) {
  float below = x < 88.0f ? x : 88.0f, inside = below > -87.0f ? below : -87.0f;
  float k = rintf(inside * 0x1.715476p+0f), r = inside - k * 0x1.62ep-1f - k * 0x1.0bfbe8p-15f;
  float p =
      ((((0x1.a12a34p-13f * r + 0x1.6d4910p-10f) * r + 0x1.1110e0p-7f) * r + 0x1.5554e4p-5f) * r + 0x1.555556p-3f) * r +
      0.5f;
  int32_t bits = (int32_t)((uint32_t)((int32_t)k + 127) << 23);
  float power;
  memcpy(&power, &bits, sizeof power);
  return (r * r * p + r + 1.0f) * power;
}

// Sums of "patch" lines of squared distances between the image and itself, moved; then of "patch" of those side by
// side.
static void patches(const wide_image *w, const reference_call *call, int64_t move, int64_t patch, int64_t from,
                    float *lines, float *weights) {
  int64_t width = call->out.len[0], height = call->out.len[1], across = width + patch - 1,
          plane = w->len[0] * w->len[1];
  float sigma = (float)call->params[2], scale = -1.0f / (sigma * sigma * (float)(patch * patch));
  for (int64_t y = 0; y < height; y++) {
    for (int64_t x = 0; x < across; x++) lines[x] = 0.0f;
    for (int64_t s = 0; s < patch; s++) {
      const float *a = w->data + from + (y + s) * w->len[0], *b = a + move;
      for (int64_t x = 0; x < across; x++)
        lines[x] = lines[x] + (square(a[x] - b[x]) + square(a[x + plane] - b[x + plane]) +
                               square(a[x + 2 * plane] - b[x + 2 * plane]));
    }
    float *to = weights + y * width;
    for (int64_t x = 0; x < width; x++) {
      float sum = 0.0f;
      for (int64_t r = 0; r < patch; r++) sum = sum + lines[x + r];
      to[x] = fast_exp(sum * scale);
    }
  }
}

static void accumulate(const wide_image *w, const reference_array *out, int64_t from, const float *weights,
                       float *totals) {
  int64_t width = out->len[0], points = width * out->len[1];
  for (int64_t c = 0; c < 3; c++)
    for (int64_t y = 0; y < out->len[1]; y++) {
      const float *restrict line = w->data + c * w->len[0] * w->len[1] + from + y * w->len[0];
      float *restrict to = (float *)out->data + c * points + y * width;
      for (int64_t x = 0; x < width; x++) to[x] = to[x] + weights[y * width + x] * line[x];
    }
  for (int64_t i = 0; i < points; i++) totals[i] = totals[i] + weights[i];
}

void reference_nl_means(const reference_call *call) {
  const reference_array *out = &call->out;
  int64_t patch = (int64_t)call->params[0], search = (int64_t)call->params[1], reach = patch / 2 + search / 2;
  int64_t points = out->len[0] * out->len[1];
  wide_image w = widen(&call->images[0], out, reach);
  float *weights = reference_allocate(2 * points + out->len[0] + patch, sizeof *weights), *totals = weights + points;
  int64_t middle = reach * w.len[0] + reach, corner = middle - patch / 2 * (w.len[0] + 1);
  for (int64_t i = 0; i < 3 * points; i++) ((float *)out->data)[i] = 0.0f;
  for (int64_t i = 0; i < points; i++) totals[i] = 0.0f;
  for (int64_t v = -(search / 2); v <= search / 2; v++)
    for (int64_t u = -(search / 2); u <= search / 2; u++) {
      patches(&w, call, v * w.len[0] + u, patch, corner, totals + points, weights);
      accumulate(&w, out, middle + v * w.len[0] + u, weights, totals);
    }
  for (int64_t i = 0; i < 3 * points; i++) {
    float mean = ((float *)out->data)[i] / totals[i % points], below = mean < 1.0f ? mean : 1.0f;
    ((float *)out->data)[i] = below > 0.0f ? below : 0.0f;
  }
  free(w.data);
  free(weights);
}
