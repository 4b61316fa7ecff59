#include "bench/twins/apps.h"

/* Four channels of one level, each on the box that the finer level needs of it; "image" is given a box at once,
 * everything else is computed on it. */
enum { LEVELS = 5 };
typedef struct {
  int64_t min[2], len[2];
  float *data;
} level;

static level new_level(const int64_t min[2], const int64_t max[2]) {
  level l = {{min[0], min[1]}, {max[0] - min[0] + 1, max[1] - min[1] + 1}, NULL};
  l.data = reference_allocate(4 * l.len[0] * l.len[1], sizeof *l.data);
  return l;
}

static float *line_of(const level *l, int64_t y, int64_t k) {
  return l->data + (k * l->len[1] + y - l->min[1]) * l->len[0] - l->min[0];
}

// What the coarser one needs: (2 x - 1) to (2 x + 1).
static level finer_of(const level *coarse) {
  int64_t min[2], max[2];
  for (int d = 0; d < 2; d++) {
    min[d] = 2 * coarse->min[d] - 1;
    max[d] = 2 * (coarse->min[d] + coarse->len[d] - 1) + 1;
  }
  return new_level(min, max);
}

static void load(const reference_array *in, level *to) {
  int64_t plane = in->len[0] * in->len[1];
  for (int64_t y = to->min[1]; y < to->min[1] + to->len[1]; y++) {
    const float *line = (const float *)in->data + reference_place(in, in->min[0], reference_edge(in, 1, y));
    for (int64_t x = to->min[0]; x < to->min[0] + to->len[0]; x++) {
      int64_t at = reference_edge(in, 0, x) - in->min[0];
      float alpha = line[at + 3 * plane];
      for (int64_t k = 0; k < 3; k++) line_of(to, y, k)[x] = line[at + k * plane] * alpha;
      line_of(to, y, 3)[x] = alpha;
    }
  }
}

static float thinned(float a, float b, float c) { return (a + 2.0f * b + c) / 4.0f; }
static float between(float a, float b) { return (a + b) / 2.0f; }
static int64_t half(int64_t i) { return i >> 1; }

// One line half as wide, its length that of the coarser level.
static void shrink_line(const level *from, const level *to, int64_t y, int64_t k, float *restrict line) {
  const float *at = line_of(from, y, k) + 2 * to->min[0];
  for (int64_t x = 0; x < to->len[0]; x++) line[x] = thinned(at[2 * x - 1], at[2 * x], at[2 * x + 1]);
}

static void shrink(const level *from, level *to) {
  int64_t width = to->len[0];
  float *lines = reference_allocate(3 * width, sizeof *lines), *above = lines, *below = lines + 2 * width;
  for (int64_t k = 0; k < 4; k++) {
    shrink_line(from, to, 2 * to->min[1] - 1, k, below);
    for (int64_t y = to->min[1]; y < to->min[1] + to->len[1]; y++) {
      float *middle = lines + width, *line = line_of(to, y, k) + to->min[0], *swapped = above;
      above = below, below = swapped;
      shrink_line(from, to, 2 * y, k, middle);
      shrink_line(from, to, 2 * y + 1, k, below);
      for (int64_t x = 0; x < width; x++) line[x] = thinned(above[x], middle[x], below[x]);
    }
  }
  free(lines);
}

// Adds to the finer one, on [min, max], what it lacks: the coarser one made larger.
static void fill_in(const level *coarse, const level *fine, const int64_t min[2], const int64_t max[2]) {
  for (int64_t y = min[1]; y <= max[1]; y++)
    for (int64_t k = 0; k < 4; k++) {
      const float *a = line_of(coarse, half(y), k), *b = line_of(coarse, half(y + 1), k), *alpha = line_of(fine, y, 3);
      float *line = line_of(fine, y, k);
      for (int64_t x = min[0]; x <= max[0]; x++) {
        float up = between(between(a[half(x)], a[half(x + 1)]), between(b[half(x)], b[half(x + 1)]));
        line[x] = line[x] + (1.0f - alpha[x]) * up;
      }
    }
}

void reference_interpolate(const reference_call *call) {
  const reference_array *out = &call->out;
  int64_t min[LEVELS + 1][2], max[LEVELS + 1][2]; // of each level, what the result needs of it on the way up
  for (int d = 0; d < 2; d++) {
    min[0][d] = out->min[d];
    max[0][d] = out->min[d] + out->len[d] - 1;
    for (int l = 0; l < LEVELS; l++) {
      min[l + 1][d] = half(min[l][d]);
      max[l + 1][d] = half(max[l][d] + 1);
    }
  }
  level levels[LEVELS + 1];
  levels[LEVELS] = new_level(min[LEVELS], max[LEVELS]);
  for (int l = LEVELS - 1; l >= 0; l--) levels[l] = finer_of(&levels[l + 1]);
  load(&call->images[0], &levels[0]);
  for (int l = 0; l < LEVELS; l++) shrink(&levels[l], &levels[l + 1]);
  for (int l = LEVELS - 1; l >= 0; l--) fill_in(&levels[l + 1], &levels[l], min[l], max[l]);
  for (int64_t k = 0; k < 3; k++)
    for (int64_t y = min[0][1]; y <= max[0][1]; y++) {
      const float *from = line_of(&levels[0], y, k), *alpha = line_of(&levels[0], y, 3);
      float *to = (float *)out->data + (k * out->len[1] + y - out->min[1]) * out->len[0] - out->min[0];
      for (int64_t x = min[0][0]; x <= max[0][0]; x++) to[x] = from[x] / alpha[x];
    }
  for (int l = 0; l <= LEVELS; l++) free(levels[l].data);
}
