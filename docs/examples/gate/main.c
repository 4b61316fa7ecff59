// Two schedules of one pipeline in one program: they give the same image, of which another pipeline finds the edges.
#include "blur.h"
#include "blur_plain.h"
#include "edges.h"
#include "halyard_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 320, HIGH = 200, STRENGTH = 3 };
static uint16_t image[(HIGH + 2) * (WIDE + 2)], one[HIGH * WIDE], two[HIGH * WIDE], found[(HIGH - 2) * (WIDE - 2)];

static int is_edge(int x, int y) {
  const uint16_t *at = one + y * WIDE + x;
  long sum = ((long)abs(at[1] - at[-1]) + abs(at[WIDE] - at[-WIDE])) * STRENGTH / 2;
  return found[(y - 1) * (WIDE - 2) + x - 1] == (sum < 65535 ? sum : 65535);
}

int main(void) {
  for (int i = 0; i < (HIGH + 2) * (WIDE + 2); i++) image[i] = (uint16_t)(i * 2654435761u >> 16);
  halide_dimension_t box[2] = {{-1, WIDE + 2, 1, 0}, {-1, HIGH + 2, WIDE + 2, 0}},
                     window[2] = {{0, WIDE, 1, 0}, {0, HIGH, WIDE, 0}},
                     inner[2] = {{1, WIDE - 2, 1, 0}, {1, HIGH - 2, WIDE - 2, 0}};
  halide_buffer_t in = {.host = (uint8_t *)image, .dimensions = 2, .dim = box, .type = {1, 16, 1}};
  halide_buffer_t out = {.host = (uint8_t *)one, .dimensions = 2, .dim = window, .type = {1, 16, 1}}, edge = out;
  if (blur(&in, &out) != 0) return 1;
  edge.host = (uint8_t *)found, edge.dim = inner;
  if (edges(&out, STRENGTH, &edge) != 0) return 1;
  for (int y = 1; y < HIGH - 1; y++)
    for (int x = 1; x < WIDE - 1; x++)
      if (!is_edge(x, y)) return 1;
  out.host = (uint8_t *)two;
  if (blur_plain(&in, &out) != 0 || memcmp(one, two, sizeof one) != 0) return 1;
  puts("the same image, and its edges");
  return 0;
}
