// Buffers that lie as a schedule demands, and others (GEN.Demand): run_build.sh.

#include "demand.h"
#include "halyard_runtime.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 20, HEIGHT = 2, CHANNELS = 3, BYTES = WIDTH * HEIGHT * CHANNELS };

static _Alignas(64) uint8_t pixels[BYTES + 64], shown[BYTES + 64];
static char heard[400];
static void hear(void *context, const char *message) { (void)context, snprintf(heard, sizeof heard, "%s", message); }

static int failures;
static void expect(int got, int code, const char *text) {
  if (got == code && (!text || strstr(heard, text))) return;
  printf("%d, '%s' instead of %d, '%s'\n", got, heard, code, text ? text : "");
  failures++;
}

int main(void) {
  halide_dimension_t box[3] = {{0, 0, 0, 0}}, window[] = {{0, WIDTH, 0, 0}, {0, HEIGHT, 0, 0}, {0, CHANNELS, 0, 0}};
  halide_buffer_t in = {.dimensions = 3, .dim = box}, out = {.dimensions = 3, .dim = window, .type = {1, 8, 1}};
  halyard_set_error_handler(hear);
  expect(demand(&in, &out), 0, NULL); // a query: both get what is demanded
  if (box[0].stride != 3 || box[2].stride != 1 || window[0].stride != 3 || window[2].stride != 1) failures++;
  for (int i = 0; i < BYTES; i++) pixels[i] = (uint8_t)i;
  in.host = pixels, out.host = shown;
  expect(demand(&in, &out), 0, NULL);
  for (int i = 0; i < BYTES; i++)
    if (shown[i] != (uint8_t)(pixels[i] / 2 + 1)) failures++;
  memset(shown, 7, sizeof shown);
  in.host++;
  expect(demand(&in, &out), HALYARD_UNALIGNED, "demand: image 'in' does not begin at a multiple of 32 bytes");
  in.host--, out.host += 8;
  expect(demand(&in, &out), HALYARD_UNALIGNED, "demand: output 'out' does not begin at a multiple of 16 bytes");
  out.host -= 8, box[0].stride = 1, box[2].stride = WIDTH * HEIGHT;
  expect(demand(&in, &out), HALYARD_CONSTRAINT,
         "demand: image 'in' has the stride 1 in dimension 0, but 3 is demanded");
  for (size_t i = 0; i < sizeof shown; i++)
    if (shown[i] != 7) failures++;
  if (failures) printf("%d failures\n", failures);
  return failures != 0;
}
