/* apps/lens_blur.alg by hand: costs, weighed by how sure they are, as planes of the image, one for each displacement, and a plane of the weights;
 * then plane by plane the pyramid, down and up again, and what is least so far at each pixel; then the blur's radius, its maximum over squares,
 * and the gather.
 */

#include "bench/twins/apps.h"

#include <math.h>
#include <stdbool.h>

enum { LEVELS = 8 };

typedef struct {
  int64_t min[2], len[2];
  float *data;
} plane;

typedef struct {
  const reference_array *left, *right;
  int64_t slices, focus, reach, samples;
  float scale;
} settings;

static plane new_plane(const int64_t min[2], const int64_t max[2]) {
  plane p = {{min[0], min[1]}, {max[0] - min[0] + 1, max[1] - min[1] + 1}, NULL};
  p.data = reference_allocate(p.len[0] * p.len[1], sizeof *p.data);
  return p;
}

static float *line_of(const plane *p, int64_t y) { return p->data + (y - p->min[1]) * p->len[0] - p->min[0]; }
static float at(const plane *p, int64_t x, int64_t y) { return line_of(p, y)[x]; }
static float at_edge(const plane *p, int64_t x, int64_t y) {
  return at(p, reference_clamp(x, p->min[0], p->min[0] + p->len[0] - 1),
            reference_clamp(y, p->min[1], p->min[1] + p->len[1] - 1));
}
static int64_t half(int64_t i) { return i >> 1; }
static float square(float e) { return e * e; }

static int channel(const reference_array *a, int64_t x, int64_t y, int64_t k) {
  int64_t place = reference_place(a, reference_edge(a, 0, x), reference_edge(a, 1, y));
  return ((const uint8_t *)a->data)[place + k * a->len[0] * a->len[1]];
}

/* -- costs -- */

static float cost_at(const settings *s, int64_t x, int64_t y, int64_t z) {
  float cost[3];
  for (int64_t k = 0; k < 3; k++) {
    int here = channel(s->left, x, y, k);
    int once = abs(here - channel(s->right, x + 2 * z, y, k)),
        twice = abs(here - channel(s->right, x + 2 * z + 1, y, k));
    cost[k] = square((float)(once < twice ? once : twice));
  }
  return cost[0] + cost[1] + cost[2];
}

// Planes of costs, weighed by their variance, and behind them that of the variance.
static void weigh(const settings *s, plane *planes) {
  float costs[64], slices = (float)s->slices;
  int64_t count = planes[0].len[0] * planes[0].len[1];
  for (int64_t i = 0; i < count; i++) {
    float squares = 0, mean = 0;
    for (int64_t z = 0; z < s->slices; z++) {
      costs[z] = cost_at(s, planes[0].min[0] + i % planes[0].len[0], planes[0].min[1] + i / planes[0].len[0], z);
      squares = squares + square(costs[z]);
      mean = mean + costs[z] / slices;
    }
    float sure = squares / slices - square(mean);
    for (int64_t z = 0; z < s->slices; z++) planes[z].data[i] = sure * costs[z];
    planes[s->slices].data[i] = sure;
  }
}

/* -- the pyramid -- */

static float thinned(float a, float b, float c, float d) { return (a + 3.0f * (b + c) + d) / 8.0f; }

static void shrink(const plane *fine, plane *coarse) { // along x, then along y
  int64_t width = coarse->len[0], lines = fine->len[1];
  plane rows = {{coarse->min[0], fine->min[1]}, {width, lines}, reference_allocate(width * lines, sizeof(float))};
  for (int64_t y = fine->min[1]; y < fine->min[1] + lines; y++)
    for (int64_t x = coarse->min[0]; x < coarse->min[0] + width; x++)
      line_of(&rows, y)[x] = thinned(at_edge(fine, 2 * x - 1, y), at_edge(fine, 2 * x, y), at_edge(fine, 2 * x + 1, y),
                                     at_edge(fine, 2 * x + 2, y));
  for (int64_t y = coarse->min[1]; y < coarse->min[1] + coarse->len[1]; y++)
    for (int64_t x = coarse->min[0]; x < coarse->min[0] + width; x++)
      line_of(coarse, y)[x] = thinned(at_edge(&rows, x, 2 * y - 1), at_edge(&rows, x, 2 * y),
                                      at_edge(&rows, x, 2 * y + 1), at_edge(&rows, x, 2 * y + 2));
  free(rows.data);
}

static int64_t other(int64_t i) { return half(i) + (i & 1 ? 1 : -1); }
static float mixed(float a, float b) { return 0.25f * a + 0.75f * b; }
static float between(const plane *coarse, int64_t x, int64_t y) {
  return mixed(at_edge(coarse, other(x), y), at_edge(coarse, half(x), y));
}

// The level becomes the mean of itself and of the coarser one.
static void mix_in(const plane *coarse, plane *level) {
  for (int64_t y = level->min[1]; y < level->min[1] + level->len[1]; y++)
    for (int64_t x = level->min[0]; x < level->min[0] + level->len[0]; x++) {
      float *to = line_of(level, y) + x, up = mixed(between(coarse, x, other(y)), between(coarse, x, half(y)));
      *to = (up + *to) / 2.0f;
    }
}

// Spreads the plane by the pyramid.
static void spread(plane *finest) {
  plane levels[LEVELS] = {*finest};
  for (int j = 1; j < LEVELS; j++) {
    int64_t min[2], max[2];
    for (int d = 0; d < 2; d++) {
      min[d] = finest->min[d] >> j;
      max[d] = (finest->min[d] + finest->len[d] - 1) >> j;
    }
    levels[j] = new_plane(min, max);
    shrink(&levels[j - 1], &levels[j]);
  }
  for (int j = LEVELS - 2; j >= 0; j--) mix_in(&levels[j + 1], &levels[j]);
  for (int j = 1; j < LEVELS; j++) free(levels[j].data);
}

/* -- depth -- */

// The displacement that costs least, at each pixel of the image.
static plane find_depth(const settings *s) {
  int64_t min[2], max[2];
  for (int d = 0; d < 2; d++) {
    min[d] = s->left->min[d];
    max[d] = min[d] + s->left->len[d] - 1;
  }
  plane planes[65] = {0}, depth = new_plane(min, max), least = new_plane(min, max);
  int64_t count = depth.len[0] * depth.len[1];
  for (int64_t z = 0; z <= s->slices; z++) planes[z] = new_plane(min, max);
  weigh(s, planes);
  const plane *weights = &planes[s->slices];
  for (int64_t z = 0; z <= s->slices; z++) spread(&planes[z]);
  for (int64_t i = 0; i < count; i++) depth.data[i] = 0, least.data[i] = INFINITY;
  for (int64_t z = 0; z < s->slices; z++) {
    for (int64_t i = 0; i < count; i++) {
      float cost = planes[z].data[i] / weights->data[i];
      if (cost < least.data[i]) least.data[i] = cost, depth.data[i] = (float)z;
    }
  }
  for (int64_t z = 0; z <= s->slices; z++) free(planes[z].data);
  free(least.data);
  return depth;
}

static plane continued(const plane *depth, const int64_t min[2], const int64_t max[2]) {
  plane wide = new_plane(min, max);
  for (int64_t y = min[1]; y <= max[1]; y++)
    for (int64_t x = min[0]; x <= max[0]; x++) line_of(&wide, y)[x] = at_edge(depth, x, y);
  return wide;
}

/* -- the blur -- */

static float radius_of(const settings *s, float depth) {
  float radius = fabsf(depth - (float)s->focus) * s->scale;
  return radius < (float)s->reach ? radius : (float)s->reach;
}

static plane radii(const settings *s, const plane *depth) {
  plane radius = *depth;
  int64_t count = depth->len[0] * depth->len[1];
  radius.data = reference_allocate(count, sizeof *radius.data);
  for (int64_t i = 0; i < count; i++) radius.data[i] = radius_of(s, depth->data[i]);
  return radius;
}

static float greatest(const float *values, int64_t count, int64_t apart) {
  float most = -INFINITY;
  for (int64_t i = 0; i < count; i++) most = values[i * apart] > most ? values[i * apart] : most;
  return most;
}

// The largest radius in the square around each pixel of the window, its columns first.
static plane widest(const settings *s, const plane *radius, const int64_t min[2], const int64_t max[2]) {
  int64_t reach = s->reach, left[2] = {min[0] - reach, min[1]}, right[2] = {max[0] + reach, max[1]};
  plane columns = new_plane(left, right), squares = new_plane(min, max);
  for (int64_t y = min[1]; y <= max[1]; y++) {
    for (int64_t x = left[0]; x <= right[0]; x++)
      line_of(&columns, y)[x] = greatest(line_of(radius, y - reach) + x, 2 * reach + 1, radius->len[0]);
    for (int64_t x = min[0]; x <= max[0]; x++)
      line_of(&squares, y)[x] = greatest(line_of(&columns, y) + x - reach, 2 * reach + 1, 1);
  }
  free(columns.data);
  return squares;
}

static uint32_t scrambled(uint32_t e) {
  e = (e ^ e >> 16) * 0x7feb352d;
  e = (e ^ e >> 15) * 0x846ca68b;
  return e ^ e >> 16;
}

static int64_t shift(const settings *s, int64_t x, int64_t y, int64_t number, float within) {
  uint32_t word = scrambled(scrambled(scrambled((uint32_t)x) + (uint32_t)y) + (uint32_t)number);
  int64_t by = (int64_t)(((float)(word >> 8) / 16777216.0f - 0.5f) * 2.0f * within);
  return reference_clamp(by, -s->reach, s->reach);
}

typedef struct {
  plane depth, radius, widest;
} blur;

static void gather(const settings *s, const blur *b, int64_t x, int64_t y, float sums[4]) {
  float depth = at(&b->depth, x, y), own = square(at(&b->radius, x, y)), within = at(&b->widest, x, y);
  for (int64_t k = 0; k < 3; k++) sums[k] = (float)channel(s->left, x, y, k);
  sums[3] = 255.0f;
  for (int64_t i = 0; i < s->samples; i++) {
    int64_t right = shift(s, x, y, 2 * i, within), down = shift(s, x, y, 2 * i + 1, within);
    float distance = (float)(right * right + down * down);
    bool counts = (distance < own || at(&b->depth, x + right, y + down) < depth) &&
                  distance < square(at(&b->radius, x + right, y + down));
    if (!counts) continue;
    for (int64_t k = 0; k < 3; k++) sums[k] = sums[k] + (float)channel(s->left, x + right, y + down, k);
    sums[3] = sums[3] + 255.0f;
  }
}

void reference_lens_blur(const reference_call *call) {
  const double *p = call->params;
  settings s = {&call->images[0], &call->images[1], (int64_t)p[0], (int64_t)p[1],
                (int64_t)p[3],    (int64_t)p[4],    (float)p[2]};
  const reference_array *out = &call->out;
  int64_t min[2], max[2], least[2], most[2];
  for (int d = 0; d < 2; d++) {
    min[d] = out->min[d];
    max[d] = min[d] + out->len[d] - 1;
    least[d] = min[d] - s.reach;
    most[d] = max[d] + s.reach;
  }
  plane image = find_depth(&s);
  blur b = {.depth = continued(&image, least, most)};
  b.radius = radii(&s, &b.depth);
  b.widest = widest(&s, &b.radius, min, max);
  int64_t count = out->len[0] * out->len[1];
  for (int64_t i = 0; i < count; i++) {
    float sums[4];
    gather(&s, &b, min[0] + i % out->len[0], min[1] + i / out->len[0], sums);
    for (int64_t k = 0; k < 3; k++) ((float *)out->data)[i + k * count] = sums[k] / sums[3];
  }
  free(image.data);
  free(b.depth.data);
  free(b.radius.data);
  free(b.widest.data);
}
