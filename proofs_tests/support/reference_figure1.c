#include "proofs_tests/support/references.h"
#include "semantics/value/math_functions.h"

#include <stdlib.h>

static float sine(float x) { return (float)hy_math_sin_f32((double)x); }

void reference_figure1(int64_t w, float *out, const reference_box *window) {
  reference_box rows = {{window->min[0], window->min[1] - w}, {window->len[0], window->len[1] + 2 * w}};
  float *g = malloc((size_t)(rows.len[0] * rows.len[1]) * sizeof *g + 1);
  if (!g) abort();
  for (int64_t y = rows.min[1]; y < rows.min[1] + rows.len[1]; y++)
    for (int64_t x = rows.min[0]; x < rows.min[0] + rows.len[0]; x++) {
      float sum = 0.0f;
      for (int64_t r = -w; r <= w; r++) sum = sum + sine((float)(x + r + y));
      g[reference_at(&rows, x, y)] = sum;
    }
  for (int64_t y = window->min[1]; y < window->min[1] + window->len[1]; y++)
    for (int64_t x = window->min[0]; x < window->min[0] + window->len[0]; x++) {
      float sum = 0.0f;
      for (int64_t r = -w; r <= w; r++) sum = sum + g[reference_at(&rows, x, y + r)];
      out[reference_at(window, x, y)] = sum;
    }
  free(g);
}
