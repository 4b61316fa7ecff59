/* A parameter with a range, in bounds queries and runs: pipeline ranged(in: u8[1], w: int in 0..8) { fun f(x) = in(x +
 * w); }
 */

#include "halyard_runtime.h"
#include "ranged.h"

#include <limits.h>
#include <stdio.h>

static void quiet(void *user, const char *text) { (void)user, (void)text; }

static int query(int w, halide_dimension_t *box) {
  halide_dimension_t window = {0, 16, 1, 0};
  halide_buffer_t in = {.dimensions = 1, .dim = box}, out = {.dimensions = 1, .dim = &window, .type = {1, 8, 1}};
  return ranged(&in, w, &out);
}

static int run(int w) {
  uint8_t from[64] = {0}, to[16];
  halide_dimension_t box = {0, 64, 1, 0}, window = {0, 16, 1, 0};
  halide_buffer_t in = {.host = from, .dimensions = 1, .dim = &box, .type = {1, 8, 1}},
                  out = {.host = to, .dimensions = 1, .dim = &window, .type = {1, 8, 1}};
  return ranged(&in, w, &out);
}

int main(void) {
  static const int inside[] = {0, 3, 8}, outside[] = {-1, 9, INT_MIN, INT_MAX};
  int wrong = 0;
  halyard_set_error_handler(quiet);
  for (int i = 0; i < 3; i++) {
    halide_dimension_t box = {0};
    wrong += query(inside[i], &box) != 0 || box.min != inside[i] || box.extent != 16 || run(inside[i]) != 0;
  }
  for (int i = 0; i < 4; i++) {
    halide_dimension_t box = {77, 78, 79, 0};
    wrong += query(outside[i], &box) != -9 || box.min != 77 || box.extent != 78 || run(outside[i]) != -9;
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
