// A program of somebody else's: calls the box blur as a pipeline of Halide's, from C or C++, and compares with plain
// loops.

#include "blur.h"
#include "halyard_runtime.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int32_t min[2], extent[2];
  int layout; // 0 dense, 1 rows with a margin, 2 every second element, 3 rows upside down
} place;

static halide_buffer_t describe(const place *p, halide_dimension_t *dim, uint16_t *memory) {
  halide_buffer_t b;
  int32_t step = p->layout == 2 ? 2 : 1, row = step * p->extent[0] + (p->layout == 1 ? 5 : 0);
  memset(&b, 0, sizeof b);
  memset(dim, 0, 2 * sizeof *dim);
  b.type.code = 1, b.type.bits = 16, b.type.lanes = 1;
  b.dimensions = 2;
  b.dim = dim;
  for (int d = 0; d < 2; d++) dim[d].min = p->min[d], dim[d].extent = p->extent[d];
  dim[0].stride = step;
  dim[1].stride = p->layout == 3 ? -row : row;
  if (memory) b.host = (uint8_t *)(p->layout == 3 ? memory + (size_t)row * (size_t)(p->extent[1] - 1) : memory);
  return b;
}

static uint16_t *pixel(const halide_buffer_t *b, int x, int y) {
  return (uint16_t *)b->host + (ptrdiff_t)(x - b->dim[0].min) * b->dim[0].stride +
         (ptrdiff_t)(y - b->dim[1].min) * b->dim[1].stride;
}

static int row_of_three(const halide_buffer_t *in, int x, int y) {
  return (uint16_t)(*pixel(in, x - 1, y) + *pixel(in, x, y) + *pixel(in, x + 1, y)) / 3; // u16 wraps
}

static int expected(const halide_buffer_t *in, int x, int y) {
  return (uint16_t)(row_of_three(in, x, y - 1) + row_of_three(in, x, y) + row_of_three(in, x, y + 1)) / 3;
}

static int complain(const char *what, int number) {
  printf("%s: %d\n", what, number);
  return 1;
}

static int run(place window, int layout) {
  halide_dimension_t in_dim[2], out_dim[2];
  size_t room = 4 * (size_t)(window.extent[0] + 64) * (size_t)(window.extent[1] + 64);
  uint16_t *a = (uint16_t *)malloc(2 * room), *b = (uint16_t *)malloc(2 * room);
  place box = {{0, 0}, {0, 0}, layout};
  halide_buffer_t in = describe(&box, in_dim, NULL), out = describe(&window, out_dim, b);
  int status = blur(&in, &out), wrong = 0; // what is needed?
  if (status) return complain("the query failed", status);
  for (int d = 0; d < 2; d++) box.min[d] = in_dim[d].min, box.extent[d] = in_dim[d].extent;
  if (box.min[0] > window.min[0] - 1 || box.extent[1] < window.extent[1] + 2)
    return complain("too little is asked for", box.min[0]);
  for (size_t i = 0; i < room; i++) a[i] = (uint16_t)(i * 7919 % 65521), b[i] = 0xdead;
  in = describe(&box, in_dim, a);
  status = blur(&in, &out);
  if (status) return complain("the run failed", status);
  for (int y = window.min[1]; y < window.min[1] + window.extent[1]; y++)
    for (int x = window.min[0]; x < window.min[0] + window.extent[0]; x++)
      wrong += *pixel(&out, x, y) != expected(&in, x, y);
  free(a);
  free(b);
  return wrong ? complain("pixels differ", wrong) : 0;
}

static int errors;
static void hear(void *context, const char *message) {
  (void)context;
  errors += strstr(message, "blur: ") == message;
}

int main(void) {
  const place windows[] = {{{0, 0}, {1, 1}, 0},
                           {{-3, 7}, {257, 33}, 0},
                           {{5, -5}, {300, 70}, 1},
                           {{1, 1}, {17, 3}, 2},
                           {{0, 9}, {64, 65}, 3}};
  for (int w = 0; w < 5; w++)
    for (int layout = 0; layout < 4; layout++)
      if (run(windows[w], layout)) return complain("window, layout", 10 * w + layout);
  halyard_set_error_handler(hear);
  if (blur(NULL, NULL) != HALYARD_NO_BUFFER || errors != 1) return complain("NULL", errors);
  return 0;
}
