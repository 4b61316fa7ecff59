// PNG through libpng. Every libpng object and row lives in one record, so that a longjmp out of libpng leaks nothing.

#include "cli/images/image_internal.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

bool hy_image_is_png(const uint8_t *data, size_t length) {
  return length >= 4 && memcmp(data, "\x89PNG", 4) == 0; // a truncated signature is still meant as one
}

/* -- reading -- */

typedef struct {
  const hy_image_bytes *bytes;
  size_t at;
  png_structp png;
  png_infop info;
  uint8_t *pixels; // rows of the file's own layout
  hy_buffer *buffer;
  char why[160];
} decoding;

static void decode_failed(png_structp png, png_const_charp message) {
  decoding *d = png_get_error_ptr(png);
  snprintf(d->why, sizeof d->why, "%s", message);
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void take_bytes(png_structp png, png_bytep out, png_size_t count) {
  decoding *d = png_get_io_ptr(png);
  if (count > d->bytes->length - d->at) png_error(png, "the file ends too early");
  memcpy(out, d->bytes->data + d->at, count);
  d->at += count;
}

// Refuses what cannot be in so few bytes before memory is asked for: deflate never shrinks more than 1032 times, and a
// palette's index of one bit becomes at most 32 bits.
static bool is_plausible(decoding *d, png_uint_32 height, size_t row) {
  return row <= (SIZE_MAX >> 12) / (height ? height : 1) && row * height / (1032 * 32) <= d->bytes->length;
}

// Fills d->buffer, planar, from interleaved pixels; 16-bit samples are big endian in a PNG.
static void spread(decoding *d, int channels, size_t sample) {
  int64_t width = d->buffer->len[0], height = d->buffer->len[1];
  const uint8_t *in = d->pixels;
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++)
      for (int c = 0; c < channels; c++, in += sample) {
        uint8_t *out = d->buffer->data + (size_t)((c * height + y) * width + x) * sample;
        if (sample == 2) {
          uint16_t value = (uint16_t)(in[0] << 8 | in[1]);
          memcpy(out, &value, 2);
        } else
          *out = *in;
      }
}

static void decode_rows(decoding *d, png_uint_32 height, size_t row) {
  d->pixels = malloc(row * height + 1);
  if (!d->pixels) png_error(d->png, "it does not fit into memory");
  int passes = png_set_interlace_handling(d->png);
  for (int pass = 0; pass < passes; pass++)
    for (png_uint_32 y = 0; y < height; y++) png_read_row(d->png, d->pixels + y * row, NULL);
  png_read_end(d->png, NULL);
}

static void decode(decoding *d) {
  png_set_read_fn(d->png, d, take_bytes);
  png_read_info(d->png, d->info);
  int depth = png_get_bit_depth(d->png, d->info), color = png_get_color_type(d->png, d->info);
  if (color == PNG_COLOR_TYPE_PALETTE)
    png_set_palette_to_rgb(d->png);
  else if (depth < 8)
    png_error(d->png, "grey of less than 8 bits; convert it to 8 bits first");
  if (color == PNG_COLOR_TYPE_PALETTE && png_get_valid(d->png, d->info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(d->png);
  png_set_interlace_handling(d->png);
  png_read_update_info(d->png, d->info);
  png_uint_32 width = png_get_image_width(d->png, d->info), height = png_get_image_height(d->png, d->info);
  int channels = png_get_channels(d->png, d->info);
  size_t sample = png_get_bit_depth(d->png, d->info) / 8u, row = png_get_rowbytes(d->png, d->info);
  if (!is_plausible(d, height, row)) png_error(d->png, "the file is too short for the size that it names");
  decode_rows(d, height, row);
  int64_t len[3] = {width, height, channels};
  d->buffer = hy_image_buffer(d->bytes, sample == 2 ? HY_U16 : HY_U8, channels == 1 ? 2 : 3, len);
  if (d->buffer) spread(d, channels, sample);
}

hy_buffer *hy_image_parse_png(const hy_image_bytes *bytes) {
  decoding d = {.bytes = bytes};
  decoding *kept = &d; // its own address never changes, so longjmp cannot clobber it
  d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, kept, decode_failed, ignore_warning);
  if (d.png) d.info = png_create_info_struct(d.png);
  if (!d.png || !d.info)
    hy_image_broken(bytes, "libpng cannot start");
  else if (setjmp(png_jmpbuf(d.png)) == 0)
    decode(kept);
  else {
    hy_image_broken(bytes, "%s", kept->why);
    hy_buffer_free(kept->buffer);
    kept->buffer = NULL;
  }
  png_destroy_read_struct(&kept->png, &kept->info, NULL);
  free(kept->pixels);
  return kept->buffer;
}

/* -- writing -- */

const char *hy_image_png_refuses(hy_type type, int rank, const int64_t *len) {
  bool shape = rank == 2 || (rank == 3 && (!len || (len[2] >= 1 && len[2] <= 4)));
  bool filled = !len || (len[0] > 0 && len[1] > 0 && len[0] < INT32_MAX / 8 && len[1] < INT32_MAX);
  return (type == HY_U8 || type == HY_U16) && shape && filled
             ? NULL
             : "u8 or u16 images (x, y), or (x, y, c) with 1 to 4 channels, that are not empty";
}

typedef struct {
  png_structp png;
  png_infop info;
  uint8_t *row;
} encoding;

static void gather_row(const hy_buffer *buffer, int64_t y, int channels, size_t sample, uint8_t *out) {
  int64_t width = buffer->len[0], height = buffer->len[1];
  for (int64_t x = 0; x < width; x++)
    for (int c = 0; c < channels; c++, out += sample) {
      const uint8_t *in = buffer->data + (size_t)((c * height + y) * width + x) * sample;
      if (sample == 2) {
        uint16_t value;
        memcpy(&value, in, 2);
        out[0] = (uint8_t)(value >> 8), out[1] = (uint8_t)value;
      } else
        *out = *in;
    }
}

static void encode(encoding *e, FILE *file, const hy_buffer *buffer) {
  static const int colors[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
  int channels = buffer->rank == 3 ? (int)buffer->len[2] : 1;
  size_t sample = hy_type_bytes(buffer->type);
  png_init_io(e->png, file);
  png_set_compression_level(e->png, 4); // photographs gain little beyond it and take much longer
  png_set_IHDR(e->png, e->info, (png_uint_32)buffer->len[0], (png_uint_32)buffer->len[1], (int)sample * 8,
               colors[channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(e->png, e->info);
  e->row = hy_allocate((size_t)buffer->len[0] * (size_t)channels * sample);
  for (int64_t y = 0; y < buffer->len[1]; y++) {
    gather_row(buffer, y, channels, sample, e->row);
    png_write_row(e->png, e->row);
  }
  png_write_end(e->png, NULL);
}

static void encode_failed(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

bool hy_image_write_png(FILE *file, const hy_buffer *buffer) {
  encoding e = {0};
  encoding *kept = &e;
  volatile bool fine = false;
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, encode_failed, ignore_warning);
  if (e.png) e.info = png_create_info_struct(e.png);
  if (e.png && e.info && setjmp(png_jmpbuf(e.png)) == 0) {
    png_set_user_limits(e.png, INT32_MAX, INT32_MAX);
    encode(kept, file, buffer);
    fine = true;
  }
  png_destroy_write_struct(&kept->png, &kept->info);
  free(kept->row);
  return fine;
}
