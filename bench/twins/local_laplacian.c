#include "bench/twins/apps.h"
#include "semantics/value/math_functions.h"

// One level of a pyramid on the box that is needed of it: of the grey image one plane, of the eight images eight.
enum { TONES = 8, STEPS = 256, TOP = (TONES - 1) * STEPS, LEVELS = 7 };
typedef struct {
  int64_t min[2], len[2], planes;
  float *data;
} level;

static float *line_of(const level *l, int64_t y, int64_t k) {
  return l->data + (k * l->len[1] + y - l->min[1]) * l->len[0] - l->min[0];
}

static level new_level(const int64_t min[2], const int64_t max[2], int64_t planes) {
  level l = {{min[0], min[1]}, {max[0] - min[0] + 1, max[1] - min[1] + 1}, planes, NULL};
  l.data = reference_allocate(planes * l.len[0] * l.len[1], sizeof *l.data);
  return l;
}

static int64_t half(int64_t i) { return i >> 1; }
static int64_t near(int64_t i) { return (i & 1) * 2 - 1; }
static float thinned(float a, float b, float c, float d) { return (a + 3.0f * (b + c) + d) / 8.0f; }
static float mixed(float a, float b) { return 0.25f * a + 0.75f * b; }

static void shrink(const level *from, const level *to) { // along x, then along y
  int64_t width = to->len[0], lines = from->len[1];
  float *rows = reference_allocate(width * lines, sizeof *rows);
  for (int64_t k = 0; k < to->planes; k++) {
    for (int64_t y = 0; y < lines; y++) {
      const float *p = line_of(from, from->min[1] + y, k) + 2 * to->min[0] - 1;
      for (int64_t x = 0; x < width; x++)
        rows[y * width + x] = thinned(p[2 * x], p[2 * x + 1], p[2 * x + 2], p[2 * x + 3]);
    }
    for (int64_t y = to->min[1]; y < to->min[1] + to->len[1]; y++) {
      const float *p = rows + (2 * y - 1 - from->min[1]) * width;
      float *line = line_of(to, y, k) + to->min[0];
      for (int64_t x = 0; x < width; x++) line[x] = thinned(p[x], p[x + width], p[x + 2 * width], p[x + 3 * width]);
    }
  }
  free(rows);
}

// The coarser level at a point of the finer one.
static float grown(const level *coarse, int64_t x, int64_t y, int64_t k) {
  const float *far = line_of(coarse, half(y) + near(y), k), *by = line_of(coarse, half(y), k);
  int64_t side = half(x) + near(x), at = half(x);
  return mixed(mixed(far[side], far[at]), mixed(by[side], by[at]));
}

/* -- the bottom -- */

static float share(const reference_array *in, int64_t x, int64_t y, int64_t k) {
  int64_t plane = in->len[0] * in->len[1];
  return (float)((const uint16_t *)
                     in->data)[k * plane + reference_place(in, reference_edge(in, 0, x), reference_edge(in, 1, y))] /
         65535.0f;
}

static int64_t tone_index(float grey) { return reference_clamp((int64_t)(grey * (float)TOP), 0, TOP); }

static void load(const reference_call *call, const level *grey, const level *images) {
  float alpha = (float)call->params[0], beta = (float)call->params[1], remap[2 * TOP + 1];
  for (int i = -TOP; i <= TOP; i++) {
    float e = (float)i / (float)STEPS;
    remap[i + TOP] = alpha * e * (float)hy_math_exp_f32((double)(-e * e / 2.0f));
  }
  for (int64_t y = grey->min[1]; y < grey->min[1] + grey->len[1]; y++)
    for (int64_t x = grey->min[0]; x < grey->min[0] + grey->len[0]; x++) {
      const reference_array *in = &call->images[0];
      float g = 0.299f * share(in, x, y, 0) + 0.587f * share(in, x, y, 1) + 0.114f * share(in, x, y, 2);
      line_of(grey, y, 0)[x] = g;
      for (int64_t k = 0; k < TONES; k++) {
        float tone = (float)k * (1.0f / (float)(TONES - 1));
        line_of(images, y, k)[x] = beta * (g - tone) + tone + remap[tone_index(g) - STEPS * k + TOP];
      }
    }
}

/* -- the result -- */

// Of one level what two of the eight images have beyond the coarser level; of the coarsest all of it.
static float detail(const level *images, const level *coarse, int64_t x, int64_t y, int64_t k) {
  float value = line_of(images, y, k)[x];
  return coarse ? value - grown(coarse, x, y, k) : value;
}

static float chosen(const level *images, const level *coarse, float grey, int64_t x, int64_t y) {
  float e = grey * (float)(TONES - 1);
  int64_t low = reference_clamp((int64_t)e, 0, TONES - 2);
  float over = e - (float)low;
  return (1.0f - over) * detail(images, coarse, x, y, low) + over * detail(images, coarse, x, y, low + 1);
}

static void store(const reference_call *call, const level *result, const level *grey) {
  const reference_array *out = &call->out;
  for (int64_t k = 0; k < out->len[2]; k++)
    for (int64_t y = out->min[1]; y < out->min[1] + out->len[1]; y++) {
      uint16_t *to = (uint16_t *)out->data + k * out->len[0] * out->len[1] + reference_place(out, 0, y);
      for (int64_t x = out->min[0]; x < out->min[0] + out->len[0]; x++) {
        float e =
            line_of(result, y, 0)[x] * (share(&call->images[0], x, y, k) + 0.01f) / (line_of(grey, y, 0)[x] + 0.01f);
        e = e < 1.0f ? e : 1.0f;
        to[x] = (uint16_t)((e > 0.0f ? e : 0.0f) * 65535.0f);
      }
    }
}

// The boxes on which the result's levels are needed; those of what it is made of, larger by what is thinned.
static void make_levels(const reference_array *out, level *results, level *greys, level *images) {
  int64_t min[LEVELS + 1][2], max[LEVELS + 1][2], low[2], high[2];
  for (int d = 0; d < 2; d++) {
    min[0][d] = out->min[d];
    max[0][d] = out->min[d] + out->len[d] - 1;
    for (int l = 0; l < LEVELS; l++) {
      min[l + 1][d] = half(min[l][d]) - 1;
      max[l + 1][d] = half(max[l][d]) + 1;
    }
    low[d] = min[LEVELS][d];
    high[d] = max[LEVELS][d];
  }
  for (int l = LEVELS; l >= 0; l--) {
    results[l] = new_level(min[l], max[l], 1);
    greys[l] = new_level(low, high, 1);
    images[l] = new_level(low, high, TONES);
    for (int d = 0; d < 2 && l > 0; d++) {
      low[d] = 2 * low[d] - 1 < min[l - 1][d] ? 2 * low[d] - 1 : min[l - 1][d];
      high[d] = 2 * high[d] + 2 > max[l - 1][d] ? 2 * high[d] + 2 : max[l - 1][d];
    }
  }
}

void reference_local_laplacian(const reference_call *call) {
  level results[LEVELS + 1], greys[LEVELS + 1], images[LEVELS + 1];
  make_levels(&call->out, results, greys, images);
  load(call, &greys[0], &images[0]);
  for (int l = 0; l < LEVELS; l++) {
    shrink(&greys[l], &greys[l + 1]);
    shrink(&images[l], &images[l + 1]);
  }
  for (int l = LEVELS; l >= 0; l--) {
    const level *r = &results[l];
    for (int64_t y = r->min[1]; y < r->min[1] + r->len[1]; y++)
      for (int64_t x = r->min[0]; x < r->min[0] + r->len[0]; x++) {
        float value = chosen(&images[l], l < LEVELS ? &images[l + 1] : NULL, line_of(&greys[l], y, 0)[x], x, y);
        line_of(r, y, 0)[x] = l < LEVELS ? grown(&results[l + 1], x, y, 0) + value : value;
      }
  }
  store(call, &results[0], &greys[0]);
  for (int l = 0; l <= LEVELS; l++) {
    free(results[l].data);
    free(greys[l].data);
    free(images[l].data);
  }
}
