#include "proofs_tests/support/references.h"

#include <stdlib.h>

// requires: in_box covers the window and one pixel more on every side
void reference_box_blur(const uint16_t *in, const reference_box *in_box, uint16_t *out, const reference_box *window) {
  reference_box rows = {{window->min[0], window->min[1] - 1}, {window->len[0], window->len[1] + 2}};
  uint16_t *bh = malloc((size_t)(rows.len[0] * rows.len[1]) * sizeof *bh + 1);
  if (!bh) abort();
  for (int64_t y = rows.min[1]; y < rows.min[1] + rows.len[1]; y++)
    for (int64_t x = rows.min[0]; x < rows.min[0] + rows.len[0]; x++) {
      const uint16_t *p = &in[reference_at(in_box, x, y)];
      bh[reference_at(&rows, x, y)] = (uint16_t)((uint16_t)(p[-1] + p[0] + p[1]) / 3);
    }
  for (int64_t y = window->min[1]; y < window->min[1] + window->len[1]; y++)
    for (int64_t x = window->min[0]; x < window->min[0] + window->len[0]; x++) {
      const uint16_t *p = &bh[reference_at(&rows, x, y)];
      out[reference_at(window, x, y)] = (uint16_t)((uint16_t)(p[-rows.len[0]] + p[0] + p[rows.len[0]]) / 3);
    }
  free(bh);
}
