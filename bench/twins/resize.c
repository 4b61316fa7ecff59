#include "bench/twins/apps.h"

#include <math.h>

// For each place of the result: the first place of the image, and the weights of that and those after it.
typedef struct {
  int64_t taps, *first;
  float *weights;
} kernel;

static float cubic(float t) {
  if (t < 1.0f) return ((1.5f * t - 2.5f) * t) * t + 1.0f;
  return t < 2.0f ? ((-0.5f * t + 2.5f) * t - 4.0f) * t + 2.0f : 0.0f;
}

static kernel make_kernel(int64_t min, int64_t len, float scale) {
  float wider = 1.0f / scale > 1.0f ? 1.0f / scale : 1.0f;
  kernel k = {reference_clamp((int64_t)ceilf(4.0f * wider), 0, 64), NULL, NULL};
  k.first = reference_allocate(len, sizeof *k.first);
  k.weights = reference_allocate(len * k.taps, sizeof *k.weights);
  for (int64_t i = 0; i < len; i++) {
    float source = ((float)(min + i) + 0.5f) / scale - 0.5f, total = 0.0f, *weights = k.weights + i * k.taps;
    k.first[i] = (int64_t)ceilf(source - 2.0f * wider);
    for (int64_t t = 0; t < k.taps; t++) {
      weights[t] = cubic(fabsf((float)(k.first[i] + t) - source) / wider);
      total = total + weights[t];
    }
    for (int64_t t = 0; t < k.taps; t++) weights[t] = weights[t] / total;
  }
  return k;
}

static void resize_line(const kernel *k, const float *restrict from, int64_t last, int64_t count, float *restrict to) {
  for (int64_t x = 0; x < count; x++) {
    float sum = 0.0f;
    for (int64_t t = 0; t < k->taps; t++)
      sum = sum + k->weights[x * k->taps + t] * from[reference_clamp(k->first[x] + t, 0, last)];
    to[x] = sum;
  }
}

void reference_resize(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  kernel across = make_kernel(out->min[0], out->len[0], (float)call->params[0]);
  kernel down = make_kernel(out->min[1], out->len[1], (float)call->params[0]);
  float *restrict line = reference_allocate(in->len[0], sizeof *line);
  for (int64_t x = 0; x < out->len[0]; x++) across.first[x] -= in->min[0];
  for (int64_t p = 0; p < out->len[2]; p++)
    for (int64_t y = 0; y < out->len[1]; y++) {
      for (int64_t x = 0; x < in->len[0]; x++) line[x] = 0.0f;
      for (int64_t t = 0; t < down.taps; t++) {
        float weight = down.weights[y * down.taps + t];
        const float *restrict from = (const float *)in->data + p * in->len[0] * in->len[1] +
                                     reference_place(in, in->min[0], reference_edge(in, 1, down.first[y] + t));
        for (int64_t x = 0; x < in->len[0]; x++) line[x] = line[x] + weight * from[x];
      }
      resize_line(&across, line, in->len[0] - 1, out->len[0], (float *)out->data + (p * out->len[1] + y) * out->len[0]);
    }
  free(across.first);
  free(across.weights);
  free(down.first);
  free(down.weights);
  free(line);
}
