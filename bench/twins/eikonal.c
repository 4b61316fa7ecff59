/* apps/level_set/eikonal.alg by hand: the steps one after the other between two buffers, a pixel smaller on every side each time. */

#include "bench/twins/apps.h"

#include <math.h>
#include <stdbool.h>

enum { STEPS = 4 };
static const float never = 1e9f;

// The image on a box that reaches so far beyond the window, and elsewhere never.
static void spread_out(const reference_array *image, const reference_array *out, int64_t beyond, float *to) {
  int64_t width = out->len[0] + 2 * beyond, height = out->len[1] + 2 * beyond;
  for (int64_t i = 0; i < width * height; i++) {
    int64_t x = out->min[0] - beyond + i % width - image->min[0], y = out->min[1] - beyond + i / width - image->min[1];
    bool inside = x >= 0 && x < image->len[0] && y >= 0 && y < image->len[1];
    to[i] = inside ? ((const float *)image->data)[y * image->len[0] + x] : never;
  }
}

static float lesser(float a, float b) { return a < b ? a : b; }

static float arrival(float a, float b, float slow) {
  float gap = a - b;
  return fabsf(gap) < slow ? (a + b + sqrtf(2.0f * slow * slow - gap * gap)) / 2.0f : lesser(a, b) + slow;
}

static void step(const float *from, const float *slow, int64_t width, int64_t height, int64_t edge,
                 float *restrict to) {
  for (int64_t y = edge; y < height - edge; y++)
    for (int64_t x = edge; x < width - edge; x++) {
      const float *at = from + y * width + x;
      to[y * width + x] =
          lesser(*at, arrival(lesser(at[-1], at[1]), lesser(at[-width], at[width]), slow[y * width + x]));
    }
}

void reference_eikonal(const reference_call *call) {
  const reference_array *out = &call->out;
  int64_t width = out->len[0] + 2 * STEPS, height = out->len[1] + 2 * STEPS;
  float *slow = reference_allocate(width * height, sizeof *slow), *times[2];
  for (int i = 0; i < 2; i++) times[i] = reference_allocate(width * height, sizeof *slow);
  spread_out(&call->images[0], out, STEPS, times[0]);
  spread_out(&call->images[1], out, STEPS, slow);
  for (int j = 1; j <= STEPS; j++) step(times[(j - 1) % 2], slow, width, height, j, times[j % 2]);
  for (int64_t y = 0; y < out->len[1]; y++)
    for (int64_t x = 0; x < out->len[0]; x++)
      ((float *)out->data)[y * out->len[0] + x] = times[STEPS % 2][(y + STEPS) * width + x + STEPS];
  free(slow);
  free(times[0]);
  free(times[1]);
}
