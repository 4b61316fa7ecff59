// PFM: floats of 32 bits, grey (Pf) or of three channels (PF), rows from the last to the first. The sign of the header's
// scale says the order of bytes; how large it is is passed over, as most programs do.

#include "cli/images/image_internal.h"

#include "semantics/value/value_parse.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

bool hy_image_is_pfm(const uint8_t *data, size_t length) {
  return length >= 3 && data[0] == 'P' && (data[1] == 'f' || data[1] == 'F') && isspace(data[2]);
}

/* -- reading -- */

typedef struct {
  int64_t len[3];
  double scale;
  size_t at; // of the first sample
} header;

// The next word of the header; false if it is too long or the file ends. The blank behind it is passed over.
static bool take_word(const hy_image_bytes *bytes, size_t *at, char *word, size_t room) {
  while (*at < bytes->length && isspace(bytes->data[*at])) ++*at;
  size_t length = 0;
  while (*at < bytes->length && !isspace(bytes->data[*at]) && length + 1 < room)
    word[length++] = (char)bytes->data[(*at)++];
  word[length] = 0;
  return length > 0 && *at < bytes->length && isspace(bytes->data[(*at)++]);
}

static bool take_size(const hy_image_bytes *bytes, size_t *at, int64_t *size) {
  char word[32];
  if (!take_word(bytes, at, word, sizeof word)) return false;
  const char *end = word;
  return hy_take_int(&end, size) && !*end && *size >= 0 && *size <= INT32_MAX;
}

static bool take_header(const hy_image_bytes *bytes, header *h) {
  char word[32];
  h->at = 2;
  h->len[2] = bytes->data[1] == 'F' ? 3 : 1;
  if (!take_size(bytes, &h->at, &h->len[0]) || !take_size(bytes, &h->at, &h->len[1])) return false;
  if (!take_word(bytes, &h->at, word, sizeof word) || !hy_parse_double(word, &h->scale)) return false;
  return isfinite(h->scale) && h->scale != 0;
}

static void take_sample(const uint8_t *in, bool is_little, uint8_t *out) {
  for (int i = 0; i < 4; i++) out[i] = in[is_little ? i : 3 - i];
}

hy_buffer *hy_image_parse_pfm(const hy_image_bytes *bytes) {
  header h = {0};
  if (!take_header(bytes, &h)) {
    hy_image_broken(bytes, "its header does not name a width, a height and a scale");
    return NULL;
  }
  int64_t width = h.len[0], height = h.len[1], channels = h.len[2];
  if (width && (uint64_t)height * (uint64_t)channels * 4 > (bytes->length - h.at) / (uint64_t)width) {
    hy_image_broken(bytes, "the file ends too early: it names %lld x %lld pixels", (long long)width, (long long)height);
    return NULL;
  }
  hy_buffer *buffer = hy_image_buffer(bytes, HY_F32, channels == 1 ? 2 : 3, h.len);
  const uint8_t *in = bytes->data + h.at;
  for (int64_t y = height; buffer && y-- > 0;)
    for (int64_t x = 0; x < width; x++)
      for (int64_t c = 0; c < channels; c++, in += 4)
        take_sample(in, h.scale < 0, buffer->data + 4 * ((c * height + y) * width + x));
  return buffer;
}

/* -- writing -- */

const char *hy_image_pfm_refuses(hy_type type, int rank, const int64_t *len) {
  bool shape = rank == 2 || (rank == 3 && (!len || len[2] == 1 || len[2] == 3));
  return type == HY_F32 && shape ? NULL : "f32 images (x, y), or (x, y, c) with 1 or 3 channels";
}

bool hy_image_write_pfm(FILE *file, const hy_buffer *buffer) {
  int64_t width = buffer->len[0], height = buffer->len[1], channels = buffer->rank == 3 ? buffer->len[2] : 1;
  fprintf(file, "P%c\n%lld %lld\n-1.0\n", channels == 3 ? 'F' : 'f', (long long)width, (long long)height);
  for (int64_t y = height; y-- > 0;)
    for (int64_t x = 0; x < width; x++)
      for (int64_t c = 0; c < channels; c++) fwrite(buffer->data + 4 * ((c * height + y) * width + x), 1, 4, file);
  return !ferror(file);
}
