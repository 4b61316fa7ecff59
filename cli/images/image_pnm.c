// PGM and PPM (netpbm): binary P5 and P6, 8 bit, or 16 bit big endian; plain P2 and P3 are read too.

#include "cli/images/image_internal.h"

#include <stdlib.h>
#include <string.h>

bool hy_image_is_pnm(const uint8_t *data, size_t length) {
  return length >= 2 && data[0] == 'P' && strchr("2356", data[1]) && data[1] &&
         (length == 2 || strchr(" \t\r\n#", data[2]));
}

/* -- reading -- */

typedef struct {
  const hy_image_bytes *bytes;
  size_t at;
} cursor;

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void skip_blanks(cursor *c) {
  while (c->at < c->bytes->length) {
    if (c->bytes->data[c->at] == '#')
      while (c->at < c->bytes->length && c->bytes->data[c->at] != '\n') c->at++;
    else if (is_blank(c->bytes->data[c->at]))
      c->at++;
    else
      return;
  }
}

// A decimal number of at most "most"; false if there is none.
static bool take_number(cursor *c, int64_t most, int64_t *number) {
  skip_blanks(c);
  size_t start = c->at;
  *number = 0;
  for (; c->at < c->bytes->length && c->bytes->data[c->at] >= '0' && c->bytes->data[c->at] <= '9'; c->at++) {
    *number = *number * 10 + (c->bytes->data[c->at] - '0');
    if (*number > most) return false;
  }
  return c->at > start;
}

static void put_sample(hy_buffer *buffer, size_t offset, int64_t value) {
  hy_value_store(hy_value_integral(buffer->type, value), buffer->data + offset * hy_type_bytes(buffer->type));
}

static bool take_sample(cursor *c, bool plain, bool wide, int64_t most, int64_t *value) {
  if (plain) return take_number(c, most, value);
  const uint8_t *p = c->bytes->data + c->at;
  *value = wide ? p[0] << 8 | p[1] : p[0];
  c->at += wide ? 2 : 1;
  return *value <= most;
}

static bool take_samples(cursor *c, bool plain, int64_t most, int channels, hy_buffer *buffer) {
  int64_t width = buffer->len[0], height = buffer->len[1];
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++)
      for (int k = 0; k < channels; k++) {
        int64_t value;
        if (!take_sample(c, plain, buffer->type == HY_U16, most, &value)) {
          hy_image_broken(c->bytes, "pixel (%lld, %lld) is missing or greater than the maximum %lld", (long long)x,
                          (long long)y, (long long)most);
          return false;
        }
        put_sample(buffer, (size_t)((k * height + y) * width + x), value);
      }
  return true;
}

hy_buffer *hy_image_parse_pnm(const hy_image_bytes *bytes) {
  cursor c = {bytes, 2};
  bool plain = bytes->data[1] < '5';
  int channels = bytes->data[1] == '3' || bytes->data[1] == '6' ? 3 : 1;
  int64_t len[3] = {0, 0, channels}, most;
  if (!take_number(&c, INT32_MAX, &len[0]) || !take_number(&c, INT32_MAX, &len[1]) || !take_number(&c, 65535, &most) ||
      most == 0) {
    hy_image_broken(bytes, "its header does not name a width, a height and a maximum of 1 to 65535");
    return NULL;
  }
  if (!plain) c.at++; // the one blank that ends the header
  // A plain sample takes a digit and a blank, the last one only a digit.
  size_t sample = plain ? 2 : most > 255 ? 2 : 1, left = bytes->length > c.at ? bytes->length - c.at + plain : 0;
  if (len[0] && (uint64_t)len[1] * (uint64_t)channels * sample > left / (uint64_t)len[0]) {
    hy_image_broken(bytes, "the file ends too early: it names %lld x %lld pixels", (long long)len[0],
                    (long long)len[1]);
    return NULL;
  }
  hy_buffer *buffer = hy_image_buffer(bytes, most > 255 ? HY_U16 : HY_U8, channels == 1 ? 2 : 3, len);
  if (!buffer || take_samples(&c, plain, most, channels, buffer)) return buffer;
  hy_buffer_free(buffer);
  return NULL;
}

/* -- writing -- */

const char *hy_image_pgm_refuses(hy_type type, int rank, const int64_t *len) {
  bool shape = rank == 2 || (rank == 3 && (!len || len[2] == 1));
  return (type == HY_U8 || type == HY_U16) && shape ? NULL : "u8 or u16 images (x, y)";
}

const char *hy_image_ppm_refuses(hy_type type, int rank, const int64_t *len) {
  bool shape = rank == 3 && (!len || len[2] == 3);
  return (type == HY_U8 || type == HY_U16) && shape ? NULL : "u8 or u16 images (x, y, c) with 3 channels";
}

bool hy_image_write_pnm(FILE *file, const hy_buffer *buffer) {
  int64_t width = buffer->len[0], height = buffer->len[1], channels = buffer->rank == 3 ? buffer->len[2] : 1;
  size_t sample = hy_type_bytes(buffer->type);
  fprintf(file, "P%d\n%lld %lld\n%d\n", channels == 3 ? 6 : 5, (long long)width, (long long)height,
          sample == 2 ? 65535 : 255);
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++)
      for (int64_t c = 0; c < channels; c++) {
        const uint8_t *in = buffer->data + (size_t)((c * height + y) * width + x) * sample;
        uint16_t value = *in;
        if (sample == 2) {
          memcpy(&value, in, 2);
          putc(value >> 8, file);
        }
        putc(value & 255, file);
      }
  return !ferror(file);
}
