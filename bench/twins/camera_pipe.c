/* apps/camera_pipe.alg by hand. The mosaic is taken apart into planes of a quarter of the image, one for each kind of
 * pixel, all on one box: what demosaicing reads lies at the same distances in each of them, whatever the pixel. Colour
 * matrix and curve are then one loop over a line of the picture, the curve a table.
 */

#include "bench/twins/apps.h"
#include "semantics/value/math_functions.h"

enum { BINS = 1024 };

// A quarter of the image, of one kind of pixels, with two more on every side: all kinds have the same box.
typedef struct {
  int64_t min[2], len[2];
} quarter_box;

static int16_t larger(int16_t a, int16_t b) { return a > b ? a : b; }
static int16_t mean(int16_t a, int16_t b) { return (int16_t)(((int32_t)a + (int32_t)b + 1) >> 1); }
static uint16_t gap(int16_t a, int16_t b) { return (uint16_t)(a < b ? b - a : a - b); }

// The pixels at (2 x + right, 2 y + down), the hot ones no brighter than their brightest neighbour of the same kind.
static void calm(const reference_array *raw, const quarter_box *box, int right, int down, int16_t *to) {
  int64_t line = 2 * raw->len[0];
  for (int64_t y = 0; y < box->len[1]; y++)
    for (int64_t x = 0; x < box->len[0]; x++) {
      const uint16_t *p = (const uint16_t *)raw->data +
                          reference_place(raw, 2 * (box->min[0] + x) + right, 2 * (box->min[1] + y) + down);
      int16_t most = larger(larger((int16_t)p[-2], (int16_t)p[2]), larger((int16_t)p[-line], (int16_t)p[line]));
      int16_t value = (int16_t)p[0] < most ? (int16_t)p[0] : most;
      to[y * box->len[0] + x] = value > 0 ? value : 0;
    }
}

// Names of the planes: green beside red and beside blue, red, blue; green at red, at blue; then what is missing
// elsewhere.
enum { GR, R, B, GB, G_R, G_B, R_GR, B_GR, R_GB, B_GB, R_B, B_R, PLANES };

static void green_at_colours(int16_t *const p[], int64_t i, int64_t n) {
  const int16_t *gr = p[GR] + i, *gb = p[GB] + i;
  p[G_R][i] = gap(gb[0], gb[-n]) < gap(gr[1], gr[0]) ? mean(gb[0], gb[-n]) : mean(gr[1], gr[0]);
  p[G_B][i] = gap(gr[0], gr[n]) < gap(gb[-1], gb[0]) ? mean(gr[0], gr[n]) : mean(gb[-1], gb[0]);
}

static void colours_elsewhere(int16_t *const p[], int64_t i, int64_t n) {
  const int16_t *r = p[R] + i, *b = p[B] + i, *g_r = p[G_R] + i, *g_b = p[G_B] + i;
  p[R_GR][i] = (int16_t)(p[GR][i] + mean(r[-1], r[0]) - mean(g_r[-1], g_r[0]));
  p[B_GR][i] = (int16_t)(p[GR][i] + mean(b[0], b[-n]) - mean(g_b[0], g_b[-n]));
  p[R_GB][i] = (int16_t)(p[GB][i] + mean(r[0], r[n]) - mean(g_r[0], g_r[n]));
  p[B_GB][i] = (int16_t)(p[GB][i] + mean(b[0], b[1]) - mean(g_b[0], g_b[1]));
  p[R_B][i] =
      (int16_t)(g_b[0] + (gap(r[0], r[n - 1]) < gap(r[-1], r[n]) ? mean(r[0], r[n - 1]) - mean(g_r[0], g_r[n - 1])
                                                                 : mean(r[-1], r[n]) - mean(g_r[-1], g_r[n])));
  p[B_R][i] =
      (int16_t)(g_r[0] + (gap(b[0], b[1 - n]) < gap(b[1], b[-n]) ? mean(b[0], b[1 - n]) - mean(g_b[0], g_b[1 - n])
                                                                 : mean(b[1], b[-n]) - mean(g_b[1], g_b[-n])));
}

static void demosaic(const reference_array *raw, const quarter_box *box, int16_t *const planes[]) {
  int64_t n = box->len[0];
  calm(raw, box, 0, 0, planes[GR]);
  calm(raw, box, 1, 0, planes[R]);
  calm(raw, box, 0, 1, planes[B]);
  calm(raw, box, 1, 1, planes[GB]);
  for (int64_t y = 1; y < box->len[1] - 1; y++)
    for (int64_t x = 1; x < n - 1; x++) green_at_colours(planes, y * n + x, n);
  for (int64_t y = 2; y < box->len[1] - 2; y++)
    for (int64_t x = 2; x < n - 2; x++) colours_elsewhere(planes, y * n + x, n);
}

static float power(float a, float b) { return (float)hy_math_pow_f32((double)a, (double)b); }

static void make_curve(const double *params, uint8_t curve[BINS]) {
  float gamma = (float)params[0], contrast = (float)params[1], black = (float)params[2];
  float range = (float)((int64_t)params[3] - (int64_t)params[2]);
  for (int i = 0; i < BINS; i++) {
    float share = ((float)i - black) / range;
    share = share < 1.0f ? share : 1.0f;
    float e = power(share > 0.0f ? share : 0.0f, 1.0f / gamma);
    e = e > 0.5f ? 1.0f - power(2.0f - 2.0f * e, contrast) / 2.0f : power(2.0f * e, contrast) / 2.0f;
    e = e * 255.0f + 0.5f;
    e = e < 255.0f ? e : 255.0f;
    curve[i] = (uint8_t)(e > 0.0f ? e : 0.0f);
  }
}

static int32_t corrected(const int16_t *matrix, int32_t r, int32_t g, int32_t b) {
  int32_t sum = (matrix[3] + matrix[0] * r + matrix[1] * g + matrix[2] * b) >> 8;
  return (int32_t)reference_clamp(sum, 0, BINS - 1); // what saturates in 16 bits is clamped here all the same
}

static void colour_line(const reference_call *call, const quarter_box *box, int16_t *const p[], const uint8_t *curve,
                        int64_t y) {
  static const int kinds[2][2][3] = {{{R_GR, GR, B_GR}, {R, G_R, B_R}}, {{R_B, G_B, B}, {R_GB, GB, B_GB}}};
  const reference_array *out = &call->out;
  const int16_t *matrix = call->images[1].data;
  uint8_t *to = (uint8_t *)out->data + (y - out->min[1]) * out->len[0];
  for (int64_t i = 0; i < out->len[0]; i++) {
    int64_t x = out->min[0] + i, at = ((y >> 1) - box->min[1]) * box->len[0] + (x >> 1) - box->min[0];
    const int *kind = kinds[y & 1][x & 1];
    int16_t r = p[kind[0]][at], g = p[kind[1]][at], b = p[kind[2]][at];
    for (int64_t c = 0; c < out->len[2]; c++)
      to[c * out->len[0] * out->len[1] + i] = curve[corrected(matrix + 4 * c, r, g, b)];
  }
}

void reference_camera_pipe(const reference_call *call) {
  const reference_array *out = &call->out;
  quarter_box box;
  for (int d = 0; d < 2; d++) {
    box.min[d] = (out->min[d] >> 1) - 2;
    box.len[d] = ((out->min[d] + out->len[d] - 1) >> 1) + 3 - box.min[d];
  }
  int16_t *planes[PLANES];
  uint8_t curve[BINS];
  for (int i = 0; i < PLANES; i++) planes[i] = reference_allocate(box.len[0] * box.len[1], sizeof *planes[i]);
  demosaic(&call->images[0], &box, planes);
  make_curve(call->params, curve);
  for (int64_t y = out->min[1]; y < out->min[1] + out->len[1]; y++) colour_line(call, &box, planes, curve, y);
  for (int i = 0; i < PLANES; i++) free(planes[i]);
}
