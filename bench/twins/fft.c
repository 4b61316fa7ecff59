/* apps/fft.alg by hand: line by line, the four steps of radix 2 one after the other (Stockham's order, nothing is
 * sorted), between two buffers of 16 complex numbers; the factors are computed once.
 *
 * requires: the window has all 16 points of its lines, and both channels
 */

#include "bench/twins/apps.h"
#include "semantics/value/math_functions.h"

enum { POINTS = 16, HALF = POINTS / 2 };

// One step: pairs that lie half apart, their sum and their turned difference to places that lie "span" apart.
static void step(const float *restrict re, const float *restrict im, int span, const float *c, const float *s,
                 float *restrict to_re, float *restrict to_im) {
  for (int j = 0; j < HALF; j++) {
    int to = j % span + j / span * 2 * span, k = j - j % span;
    float r = re[j] - re[j + HALF], m = im[j] - im[j + HALF];
    to_re[to] = re[j] + re[j + HALF];
    to_im[to] = im[j] + im[j + HALF];
    to_re[to + span] = span == HALF ? r : r * c[k] - m * s[k];
    to_im[to + span] = span == HALF ? m : r * s[k] + m * c[k];
  }
}

void reference_fft(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  float c[HALF], s[HALF], a[2][POINTS], b[2][POINTS];
  for (int k = 0; k < HALF; k++) {
    float angle = -6.2831853f * (float)k / (float)POINTS;
    c[k] = (float)hy_math_cos_f32((double)angle);
    s[k] = (float)hy_math_sin_f32((double)angle);
  }
  for (int64_t y = 0; y < out->len[1]; y++) {
    const float *re = (const float *)in->data + (y + out->min[1] - in->min[1]) * POINTS, *im = re + POINTS * in->len[1];
    float *to = (float *)out->data + y * POINTS;
    step(re, im, 1, c, s, a[0], a[1]);
    step(a[0], a[1], 2, c, s, b[0], b[1]);
    step(b[0], b[1], 4, c, s, a[0], a[1]);
    step(a[0], a[1], 8, c, s, to, to + POINTS * out->len[1]);
  }
}
