#include "bench/twins/apps.h"

/* One line: maxima of windows of 2 * radius + 1, by blocks of that length. "line" has radius elements more on either
 * side, and whatever completes the last block. */
static void filter_line(const uint8_t *line, int64_t count, int64_t radius, uint8_t *before, uint8_t *after,
                        uint8_t *to) {
  int64_t span = 2 * radius + 1, whole = (count + 2 * radius + span - 1) / span * span;
  for (int64_t block = 0; block < whole; block += span) {
    before[block] = line[block];
    for (int64_t i = 1; i < span; i++)
      before[block + i] = before[block + i - 1] > line[block + i] ? before[block + i - 1] : line[block + i];
    after[block + span - 1] = line[block + span - 1];
    for (int64_t i = span - 2; i >= 0; i--)
      after[block + i] = after[block + i + 1] > line[block + i] ? after[block + i + 1] : line[block + i];
  }
  for (int64_t x = 0; x < count; x++) to[x] = after[x] > before[x + 2 * radius] ? after[x] : before[x + 2 * radius];
}

// The same down all columns at once.
static void filter_columns(const uint8_t *lines, int64_t width, int64_t height, int64_t radius, uint8_t *before,
                           uint8_t *after, uint8_t *to) {
  int64_t span = 2 * radius + 1, whole = (height + 2 * radius + span - 1) / span * span;
  for (int64_t y = 0; y < whole; y++)
    for (int64_t x = 0; x < width; x++) {
      uint8_t value = lines[y * width + x];
      before[y * width + x] = y % span && before[(y - 1) * width + x] > value ? before[(y - 1) * width + x] : value;
    }
  for (int64_t y = whole - 1; y >= 0; y--)
    for (int64_t x = 0; x < width; x++) {
      uint8_t value = lines[y * width + x];
      after[y * width + x] = (y + 1) % span && after[(y + 1) * width + x] > value ? after[(y + 1) * width + x] : value;
    }
  for (int64_t i = 0; i < width * height; i++)
    to[i] = after[i] > before[i + 2 * radius * width] ? after[i] : before[i + 2 * radius * width];
}

void reference_max_filter(const reference_call *call) {
  const reference_array *in = &call->images[0], *out = &call->out;
  int64_t radius = (int64_t)call->params[0], span = 2 * radius + 1, width = out->len[0], height = out->len[1];
  int64_t wide = width + 2 * span, high = height + 2 * span;
  uint8_t *line = reference_allocate(3 * wide, 1), *across = reference_allocate(3 * width * high, 1);
  for (int64_t y = 0; y < high; y++) {
    const uint8_t *from =
        (const uint8_t *)in->data + reference_place(in, in->min[0], reference_edge(in, 1, out->min[1] - radius + y));
    for (int64_t x = 0; x < wide; x++) line[x] = from[reference_edge(in, 0, out->min[0] - radius + x) - in->min[0]];
    filter_line(line, width, radius, line + wide, line + 2 * wide, across + y * width);
  }
  filter_columns(across, width, height, radius, across + width * high, across + 2 * width * high, out->data);
  free(line);
  free(across);
}
