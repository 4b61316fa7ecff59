#include "bench/twins/apps.h"

// Row by row, so that the innermost loop runs along rows of B and of the product; each element's sum keeps its order.
void reference_matmul(const reference_call *call) {
  const reference_array *a = &call->images[0], *b = &call->images[1], *out = &call->out;
  int64_t width = out->len[0], inner = a->len[0];
  for (int64_t y = 0; y < out->len[1]; y++) {
    float *restrict row = (float *)out->data + y * width;
    const float *factors = (const float *)a->data + reference_place(a, 0, out->min[1] + y);
    for (int64_t x = 0; x < width; x++) row[x] = 0.0f;
    for (int64_t k = 0; k < inner; k++) {
      const float *restrict other = (const float *)b->data + reference_place(b, out->min[0], k);
      for (int64_t x = 0; x < width; x++) row[x] = row[x] + factors[k] * other[x];
    }
  }
}
