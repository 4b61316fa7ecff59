/* apps/fft/ by hand: line by line, the steps of radix 2 one after the other (Stockham's order, nothing is sorted), between two
 * buffers; the factors are computed once. Of real numbers pairs are transformed as complex ones, and what even and odd ones have
 * of the result is taken apart.
 *
 * requires: the window has all points of its lines, and both channels
 */

#include "bench/twins/apps.h"
#include "semantics/value/math_functions.h"

#include <string.h>

enum { MOST = 129 }; // numbers of a line: of 256 real ones 128 pairs, and their turns

typedef struct {
  float re[MOST], im[MOST];
} numbers;

static void make_turns(int points, int count, numbers *turns) {
  for (int k = 0; k < count; k++) {
    float angle = -6.2831853f * (float)k / (float)points;
    turns->re[k] = (float)hy_math_cos_f32((double)angle);
    turns->im[k] = (float)hy_math_sin_f32((double)angle);
  }
}

// One step: pairs that lie half apart, their sum and their turned difference to places that lie "span" apart.
static void step(const numbers *restrict from, int points, int span, const numbers *restrict turns,
                 numbers *restrict to) {
  int half = points / 2;
  for (int j = 0; j < half; j++) {
    int place = j % span + j / span * 2 * span, k = j - j % span;
    float re = from->re[j] - from->re[j + half], im = from->im[j] - from->im[j + half];
    to->re[place] = from->re[j] + from->re[j + half];
    to->im[place] = from->im[j] + from->im[j + half];
    to->re[place + span] = span == half ? re : re * turns->re[k] - im * turns->im[k];
    to->im[place + span] = span == half ? im : re * turns->im[k] + im * turns->re[k];
  }
}

// All steps; the result lies in one of the two.
static const numbers *transform(numbers buffers[2], int points, const numbers *turns) {
  int from = 0;
  for (int span = 1; span < points; span *= 2, from = 1 - from)
    step(&buffers[from], points, span, turns, &buffers[1 - from]);
  return &buffers[from];
}

void reference_fft(const reference_call *call) {
  enum { POINTS = 16 };
  const reference_array *in = &call->images[0], *out = &call->out;
  numbers turns, buffers[2];
  make_turns(POINTS, POINTS / 2, &turns);
  for (int64_t y = 0; y < out->len[1]; y++) {
    const float *re = (const float *)in->data + (y + out->min[1] - in->min[1]) * POINTS, *im = re + POINTS * in->len[1];
    float *to = (float *)out->data + y * POINTS;
    memcpy(buffers[0].re, re, POINTS * sizeof *re);
    memcpy(buffers[0].im, im, POINTS * sizeof *im);
    const numbers *result = transform(buffers, POINTS, &turns);
    memcpy(to, result->re, POINTS * sizeof *to);
    memcpy(to + POINTS * out->len[1], result->im, POINTS * sizeof *to);
  }
}

// The points 0 to size of a line, of the transform of its pairs; turns are those of twice as many points.
static void take_apart(const numbers *pairs, int size, const numbers *turns, float *re, float *im) {
  for (int k = 0; k <= size; k++) {
    int i = k % size, j = (size - k) % size;
    float even_re = (pairs->re[i] + pairs->re[j]) / 2.0f, even_im = (pairs->im[i] - pairs->im[j]) / 2.0f;
    float odd_re = (pairs->im[i] + pairs->im[j]) / 2.0f, odd_im = (pairs->re[j] - pairs->re[i]) / 2.0f;
    re[k] = even_re + (odd_re * turns->re[k] - odd_im * turns->im[k]);
    im[k] = even_im + (odd_re * turns->im[k] + odd_im * turns->re[k]);
  }
}

static void transform_real(const reference_call *call, int points) {
  const reference_array *in = &call->images[0], *out = &call->out;
  int size = points / 2;
  numbers turns, last, buffers[2];
  make_turns(size, size / 2, &turns);
  make_turns(points, size + 1, &last);
  for (int64_t y = 0; y < out->len[1]; y++) {
    const float *from = (const float *)in->data + (y + out->min[1] - in->min[1]) * points;
    float *to = (float *)out->data + y * (size + 1);
    for (int i = 0; i < size; i++) {
      buffers[0].re[i] = from[2 * i];
      buffers[0].im[i] = from[2 * i + 1];
    }
    take_apart(transform(buffers, size, &turns), size, &last, to, to + (size + 1) * out->len[1]);
  }
}

void reference_fft_real_16(const reference_call *call) { transform_real(call, 16); }
void reference_fft_real_32(const reference_call *call) { transform_real(call, 32); }
void reference_fft_real_64(const reference_call *call) { transform_real(call, 64); }
void reference_fft_real_128(const reference_call *call) { transform_real(call, 128); }
void reference_fft_real_256(const reference_call *call) { transform_real(call, 256); }
