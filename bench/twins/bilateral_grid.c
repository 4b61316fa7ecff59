#include "bench/twins/apps.h"

/* A grid over the cells that the window needs, two more on every side for the blur; its values lie side by side with
 * their weights. */
enum { CELL = 8, LEVELS = 10, DEPTH = LEVELS + 5, FIRST = -2 };
typedef struct {
  int64_t min[2], len[2]; // in cells
  float (*cells)[2];
} cell_grid;

static float bright(float e) {
  float below = e < 1.0f ? e : 1.0f;
  return below > 0.0f ? below : 0.0f;
}

static float (*cell(const cell_grid *g, int64_t x, int64_t y, int64_t z))[2] {
  return &g->cells[((z - FIRST) * g->len[1] + y - g->min[1]) * g->len[0] + x - g->min[0]];
}

static void splat(const cell_grid *g, const reference_array *in) {
  for (int64_t i = 0; i < g->len[0] * g->len[1] * DEPTH; i++) g->cells[i][0] = g->cells[i][1] = 0.0f;
  for (int64_t y = g->min[1] * CELL; y < (g->min[1] + g->len[1]) * CELL; y++)
    for (int64_t x = g->min[0] * CELL; x < (g->min[0] + g->len[0]) * CELL; x++) {
      int64_t at = reference_place(in, reference_edge(in, 0, x - CELL / 2), reference_edge(in, 1, y - CELL / 2));
      float value = bright(((const float *)in->data)[at]);
      int64_t px = x - g->min[0] * CELL, py = y - g->min[1] * CELL;
      float *sum = *cell(g, g->min[0] + px / CELL, g->min[1] + py / CELL, (int64_t)(value * (float)LEVELS + 0.5f));
      sum[0] = sum[0] + value;
      sum[1] = sum[1] + 1.0f;
    }
}

// Along a step of elements, for the places from "begin" to "end"; values and weights alike.
static void blur(const float *from, float *to, int64_t step, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++)
    to[i] = from[i - 2 * step] + 4.0f * from[i - step] + 6.0f * from[i] + 4.0f * from[i + step] + from[i + 2 * step];
}

static float mix(float a, float b, float t) { return a + (b - a) * t; }

static float sliced(const cell_grid *g, int64_t x, int64_t y, int64_t z, int part) {
  const float *at =
      *cell(g, g->min[0] + (x - g->min[0] * CELL) / CELL, g->min[1] + (y - g->min[1] * CELL) / CELL, z) + part;
  int64_t line = 2 * g->len[0];
  float tx = (float)((x - g->min[0] * CELL) % CELL) / (float)CELL,
        ty = (float)((y - g->min[1] * CELL) % CELL) / (float)CELL;
  return mix(mix(at[0], at[2], tx), mix(at[line], at[line + 2], tx), ty);
}

static void slice(const cell_grid *g, const reference_array *in, const reference_array *out) {
  for (int64_t y = out->min[1]; y < out->min[1] + out->len[1]; y++)
    for (int64_t x = out->min[0]; x < out->min[0] + out->len[0]; x++) {
      float depth = bright(((const float *)in->data)[reference_place(in, x, y)]) * (float)LEVELS;
      int64_t z = (int64_t)depth < LEVELS - 1 ? (int64_t)depth : LEVELS - 1;
      float t = depth - (float)z;
      float value = mix(sliced(g, x, y, z, 0), sliced(g, x, y, z + 1, 0), t);
      ((float *)out->data)[reference_place(out, x, y)] =
          value / mix(sliced(g, x, y, z, 1), sliced(g, x, y, z + 1, 1), t);
    }
}

static int64_t floored(int64_t i) { return i >= 0 ? i / CELL : -((-i + CELL - 1) / CELL); }

void reference_bilateral_grid(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  cell_grid grid = {.cells = NULL}, blurred;
  for (int d = 0; d < 2; d++) {
    grid.min[d] = floored(out->min[d]) - 2;
    grid.len[d] = floored(out->min[d] + out->len[d] - 1) + 4 - grid.min[d];
  }
  int64_t layer = grid.len[0] * grid.len[1], count = layer * DEPTH;
  grid.cells = reference_allocate(count, sizeof *grid.cells);
  blurred = grid;
  blurred.cells = reference_allocate(count, sizeof *grid.cells);
  splat(&grid, in);
  float *a = *grid.cells, *b = *blurred.cells;
  blur(a, b, 2 * layer, 4 * layer, 2 * (count - 2 * layer)); // in depth; the outer two layers are empty
  blur(b, a, 2, 4 * layer + 4, 2 * (count - 2 * layer) - 4);
  blur(a, b, 2 * grid.len[0], 4 * layer + 4 * grid.len[0], 2 * (count - 2 * layer) - 4 * grid.len[0]);
  slice(&blurred, in, out);
  free(grid.cells);
  free(blurred.cells);
}
