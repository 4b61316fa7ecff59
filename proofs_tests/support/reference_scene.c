#include "proofs_tests/support/references.h"
#include "semantics/value/math_functions.h"

static float sine(float x) { return (float)hy_math_sin_f32((double)x); }

static float light(float x, float y) {
  float far = 760.0f + 140.0f * sine(x * 0.0021f + 0.4f) + 55.0f * sine(x * 0.0093f) + 12.0f * sine(x * 0.051f);
  float near = 1240.0f + 180.0f * sine(x * 0.0016f + 2.0f) + 45.0f * sine(x * 0.011f) + 7.0f * sine(x * 0.083f);
  float slope = 900.0f * sine(x * 0.037f + y * 0.11f) + 500.0f * sine(x * 0.013f - y * 0.029f);
  float dx = x - 1830.0f, dy = y - 420.0f;
  if (y < far) return 7000.0f + 3.0f * y + 10000.0f / (1.0f + (dx * dx + dy * dy) / 9000.0f);
  return y < near ? 5700.0f + slope / 2.0f : 2800.0f + slope;
}

static float grain(int64_t x, int64_t y) {
  uint32_t mixed = ((uint32_t)x * 374761393u + (uint32_t)y * 668265263u) * 2654435761u;
  return (float)(((mixed ^ (mixed >> 15)) * 2246822519u) >> 23) - 256.0f;
}

void reference_scene(uint16_t *out, const reference_box *window) {
  for (int64_t y = window->min[1]; y < window->min[1] + window->len[1]; y++)
    for (int64_t x = window->min[0]; x < window->min[0] + window->len[0]; x++) {
      float value = light((float)x, (float)y) + grain(x, y);
      value = value < 21000.0f ? value : 21000.0f;
      value = value > 0.0f ? value : 0.0f;
      out[reference_at(window, x, y)] = (uint16_t)value;
    }
}
