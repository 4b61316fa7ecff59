#include "bench/twins/apps.h"

// The byte nearest below, saturated: what a conversion of a float that is no NaN gives.
static uint8_t byte(float e) { return e >= 255.0f ? 255 : e > 0.0f ? (uint8_t)e : 0; }

// requires: the window is the image
void reference_histogram_colour(const reference_call *call) {
  const reference_array *in = &call->images[0];
  int64_t count = in->len[0] * in->len[1];
  const uint8_t *red = in->data, *green = red + count, *blue = green + count;
  uint8_t *luma = reference_allocate(count, 1), *out = call->out.data;
  uint64_t counts[256] = {0};
  float table[256];
  for (int64_t i = 0; i < count; i++) {
    luma[i] = byte(0.299f * (float)red[i] + 0.587f * (float)green[i] + 0.114f * (float)blue[i]);
    counts[luma[i]]++;
  }
  for (int i = 1; i < 256; i++) counts[i] += counts[i - 1];
  for (int i = 0; i < 256; i++) table[i] = (float)(counts[i] * 255 / (uint64_t)count);
  for (int64_t i = 0; i < count; i++) {
    float even = table[luma[i]], b = ((float)blue[i] - (float)luma[i]) * 0.564f + 128.0f;
    float r = ((float)red[i] - (float)luma[i]) * 0.713f + 128.0f;
    out[i] = byte(even + (r - 128.0f) * 1.4f);
    out[i + count] = byte(even - 0.343f * (b - 128.0f) - 0.711f * (r - 128.0f));
    out[i + 2 * count] = byte(even + 1.765f * (b - 128.0f));
  }
  free(luma);
}
