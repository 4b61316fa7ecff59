#include "bench/twins/apps.h"

// One direction of the filter along lines of the array: line i from the one before it.
static void filter_line(const float *restrict before, float *restrict line, int64_t count, float alpha) {
  for (int64_t x = 0; x < count; x++) line[x] = (1.0f - alpha) * before[x] + alpha * line[x];
}

static void filter_down_and_up(float *plane, int64_t width, int64_t height, float alpha) {
  for (int64_t y = 1; y < height; y++) filter_line(plane + (y - 1) * width, plane + y * width, width, alpha);
  for (int64_t y = height - 2; y >= 0; y--) filter_line(plane + (y + 1) * width, plane + y * width, width, alpha);
}

enum { BLOCK = 16 };
static void transpose(const float *from, int64_t width, int64_t height, float *to) {
  for (int64_t y = 0; y < height; y += BLOCK)
    for (int64_t x = 0; x < width; x += BLOCK)
      for (int64_t i = y; i < height && i < y + BLOCK; i++)
        for (int64_t j = x; j < width && j < x + BLOCK; j++) to[j * height + i] = from[i * width + j];
}

void reference_iir_blur(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  float alpha = (float)call->params[0];
  int64_t width = in->len[0], height = in->len[1], plane = width * height;
  float *down = reference_allocate(plane, sizeof *down), *turned = reference_allocate(plane, sizeof *turned);
  for (int64_t c = 0; c < out->len[2]; c++) {
    const float *from = (const float *)in->data + (c + out->min[2] - in->min[2]) * plane;
    for (int64_t i = 0; i < plane; i++) down[i] = from[i];
    filter_down_and_up(down, width, height, alpha);
    transpose(down, width, height, turned);
    filter_down_and_up(turned, height, width, alpha);
    transpose(turned, height, width, (float *)out->data + c * plane); // the window is the image
  }
  free(down);
  free(turned);
}
