// TIFF and JPEG as other programs write them: what their libraries can write is read, or refused with one message; what a
// hostile file names is not believed, and nothing is printed by the libraries.

#include "cli/images/image.h"
#include "engines/generator.h"
#include "proofs_tests/suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>
#include <tiffio.h>

static hy_diagnostics *said;
static char folder[] = "/tmp/halyard-formats-XXXXXX";
static char path[96];

static void set_up(void) {
  said = hy_diagnostics_new();
  strcpy(folder + strlen(folder) - 6, "XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/made", folder);
}

static void tear_down(void) {
  char command[128];
  hy_diagnostics_free(said);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}

// Reads the file, which is to print nothing.
static hy_buffer *read_silently(void) {
  char log[112];
  snprintf(log, sizeof log, "%s/stderr", folder);
  fflush(stderr);
  int kept = dup(STDERR_FILENO);
  ck_assert_ptr_nonnull(freopen(log, "w", stderr));
  hy_buffer *in = hy_image_read(path, said);
  fflush(stderr);
  long printed = ftell(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  ck_assert_int_eq(printed, 0);
  ck_assert_uint_eq(hy_diagnostics_errors(said), in ? 0 : 1);
  return in;
}

static void refused_with(const char *text) {
  ck_assert_ptr_null(read_silently());
  const hy_diagnostic *d = hy_diagnostics_at(said, hy_diagnostics_count(said) - 1);
  ck_assert_int_eq(d->code, HY_E_IMAGE_BROKEN);
  ck_assert_msg(strstr(d->message, text), "\"%s\" does not say \"%s\"", d->message, text);
}

/* -- TIFF -- */

typedef struct {
  const char *mode; // of libtiff: l and b are the order of bytes, 8 is BigTIFF
  uint32_t width, height, rows, tile;
  uint16_t channels, bits, format, photometric, planar, compression;
  const char *refused; // what is said; NULL: it is read
} tiff_row;

enum { CONTIG = PLANARCONFIG_CONTIG, APART = PLANARCONFIG_SEPARATE };

static const tiff_row tiffs[] = {
    {"wl", 5, 4, 4, 0, 1, 8, 1, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_NONE, NULL},
    {"wb", 5, 4, 3, 0, 3, 16, 1, PHOTOMETRIC_RGB, CONTIG, COMPRESSION_NONE, NULL},
    {"wb8", 5, 4, 1, 0, 4, 32, 3, PHOTOMETRIC_RGB, CONTIG, COMPRESSION_ADOBE_DEFLATE, NULL},
    {"wl8", 40, 37, 5, 0, 1, 64, 3, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_LZW, NULL},
    {"wl", 40, 37, 5, 0, 3, 8, 1, PHOTOMETRIC_RGB, APART, COMPRESSION_PACKBITS, NULL},
    {"wl", 40, 37, 0, 16, 3, 16, 2, PHOTOMETRIC_RGB, CONTIG, COMPRESSION_LZW, NULL},
    {"wb", 40, 37, 0, 16, 2, 16, 1, PHOTOMETRIC_MINISBLACK, APART, COMPRESSION_ADOBE_DEFLATE, NULL},
    {"wb", 3, 2, 0, 64, 1, 32, 1, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_DEFLATE, NULL},
    {"wl", 8, 2, 2, 0, 9, 8, 1, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_NONE, NULL},
    {"wl", 8, 2, 2, 0, 1, 1, 1, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_NONE, "samples have 1 bits"},
    {"wl", 8, 2, 2, 0, 1, 1, 1, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_CCITTFAX4, "samples have 1 bits"},
    {"wl", 8, 2, 2, 0, 1, 16, 3, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_NONE, NULL},
    {"wl", 8, 2, 2, 0, 1, 8, 3, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_NONE, "8 bits of format 3"},
    {"wl", 8, 2, 2, 0, 1, 32, 6, PHOTOMETRIC_MINISBLACK, CONTIG, COMPRESSION_NONE, "32 bits of format 6"},
    {"wl", 8, 2, 2, 0, 1, 8, 1, PHOTOMETRIC_MINISWHITE, CONTIG, COMPRESSION_NONE, "0 is white"},
    {"wl", 8, 2, 2, 0, 4, 8, 1, PHOTOMETRIC_SEPARATED, CONTIG, COMPRESSION_NONE, "CMYK"},
    {"wl", 8, 2, 2, 0, 3, 8, 1, PHOTOMETRIC_CIELAB, CONTIG, COMPRESSION_NONE, "neither grey nor RGB"},
    {"wl", 8, 2, 2, 0, 3, 8, 1, PHOTOMETRIC_YCBCR, CONTIG, COMPRESSION_NONE, "YCbCr"},
};

static uint8_t pixel_byte(uint32_t x, uint32_t y, uint32_t c, size_t byte) {
  return (uint8_t)(x * 7 + y * 31 + c * 101 + byte * 13 + 1);
}

// A block of w x h points whose first is (x0, y0), of "channels" channels from "first" on; bytes as the machine has them.
static void fill_block(const tiff_row *r, uint32_t x0, uint32_t y0, uint32_t w, uint32_t h, uint32_t first,
                       uint32_t channels, uint8_t *out) {
  size_t sample = (r->bits + 7u) / 8;
  for (uint32_t y = 0; y < h; y++)
    for (uint32_t x = 0; x < w; x++)
      for (uint32_t c = 0; c < channels; c++)
        for (size_t i = 0; i < sample; i++) *out++ = pixel_byte(x0 + x, y0 + y, first + c, i);
}

static void write_blocks(TIFF *tiff, const tiff_row *r) {
  uint32_t channels = r->planar == CONTIG ? r->channels : 1, w = r->tile ? r->tile : r->width,
           h = r->tile ? r->tile : r->rows;
  uint8_t *block = malloc((size_t)w * h * channels * 8);
  for (uint32_t first = 0; first < r->channels; first += channels)
    for (uint32_t y = 0; y < r->height; y += h)
      for (uint32_t x = 0; x < r->width; x += w) {
        uint32_t rows = r->tile || r->height - y > h ? h : r->height - y;
        fill_block(r, x, y, w, rows, first, channels, block);
        tmsize_t bytes =
            r->bits == 1 ? (tmsize_t)((w + 7) / 8 * rows) : (tmsize_t)((size_t)w * rows * channels * (r->bits / 8u));
        tmsize_t wrote = r->tile
                             ? TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, (uint16_t)first), block, bytes)
                             : TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y, (uint16_t)first), block, bytes);
        ck_assert_int_eq(wrote, bytes);
      }
  free(block);
}

static void write_tiff(const tiff_row *r) {
  TIFF *tiff = TIFFOpen(path, r->mode);
  ck_assert_ptr_nonnull(tiff);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, r->width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, r->height);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, r->channels);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, r->bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, r->format);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, r->photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, r->planar);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, r->compression);
  if (r->photometric == PHOTOMETRIC_YCBCR) TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
  if (r->tile) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, r->tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, r->tile);
  } else
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, r->rows);
  write_blocks(tiff, r);
  TIFFClose(tiff);
}

static hy_type type_of(const tiff_row *r) {
  static const hy_type types[4][4] = {
      {HY_U8, HY_U16, HY_U32, HY_U64}, {HY_I8, HY_I16, HY_I32, HY_I64}, {0, HY_F16, HY_F32, HY_F64}};
  int size = r->bits == 8 ? 0 : r->bits == 16 ? 1 : r->bits == 32 ? 2 : 3;
  return types[r->format - 1][size];
}

START_TEST(reads_kinds_of_tiff) {
  const tiff_row *r = &tiffs[_i];
  write_tiff(r);
  if (r->refused) {
    refused_with(r->refused);
    return;
  }
  hy_buffer *in = read_silently();
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(in->type, type_of(r));
  ck_assert_int_eq(in->rank, r->channels == 1 ? 2 : 3);
  ck_assert_int_eq((int64_t)in->count, (int64_t)r->width * r->height * r->channels);
  const uint8_t *at = in->data;
  for (uint32_t c = 0; c < r->channels; c++)
    for (uint32_t y = 0; y < r->height; y++)
      for (uint32_t x = 0; x < r->width; x++)
        for (size_t i = 0; i < r->bits / 8u; i++) ck_assert_uint_eq(*at++, pixel_byte(x, y, c, i));
  hy_buffer_free(in);
}
END_TEST

static void write_palette(void) {
  uint16_t map[256] = {0};
  uint8_t row[2] = {0, 1};
  TIFF *tiff = TIFFOpen(path, "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 2);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
  TIFFSetField(tiff, TIFFTAG_COLORMAP, map, map, map);
  ck_assert_int_eq(TIFFWriteScanline(tiff, row, 0, 0), 1);
  TIFFClose(tiff);
}

START_TEST(refuses_a_palette) {
  write_palette();
  refused_with("palette");
}
END_TEST

// Colours of JPEG data in a TIFF are RGB, as in a JPEG; a strip of it that ends early is told, not made up.
static void write_jpeg_in_tiff(uint16_t photometric) {
  static uint8_t pixels[32 * 32 * 3];
  TIFF *tiff = TIFFOpen(path, "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 32);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 32);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
  TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 32);
  for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = i % 3 == 0 ? 200 : 40;
  ck_assert_int_eq(TIFFWriteEncodedStrip(tiff, 0, pixels, sizeof pixels), sizeof pixels);
  TIFFClose(tiff);
}

START_TEST(reads_jpeg_in_tiff) {
  write_jpeg_in_tiff(_i ? PHOTOMETRIC_YCBCR : PHOTOMETRIC_RGB);
  hy_buffer *in = read_silently();
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(in->rank, 3);
  for (size_t i = 0; i < 3 * 32 * 32; i++) ck_assert_int_le(abs(in->data[i] - (i < 32 * 32 ? 200 : 40)), 3);
  hy_buffer_free(in);
}
END_TEST

/* -- hostile TIFF: a directory of few fields, little endian -- */

typedef struct {
  uint16_t tag, type;
  uint32_t count, value;
} field;

static void write_directory(const field *fields, uint16_t count, size_t tail) {
  FILE *file = fopen(path, "wb");
  const uint32_t at = 8, none = 0;
  fwrite("II*\0", 1, 4, file);
  fwrite(&at, 4, 1, file);
  fwrite(&count, 2, 1, file);
  for (int i = 0; i < count; i++) {
    fwrite(&fields[i].tag, 2, 1, file);
    fwrite(&fields[i].type, 2, 1, file);
    fwrite(&fields[i].count, 4, 1, file);
    fwrite(&fields[i].value, 4, 1, file);
  }
  fwrite(&none, 4, 1, file);
  for (size_t i = 0; i < tail; i++) putc(0, file);
  fclose(file);
}

#define FIELDS(width, height, compression, rows, offset, bytes)                                                        \
  {                                                                                                                    \
    {TIFFTAG_IMAGEWIDTH, 4, 1, width}, {TIFFTAG_IMAGELENGTH, 4, 1, height}, {TIFFTAG_BITSPERSAMPLE, 3, 1, 8},          \
        {TIFFTAG_COMPRESSION, 3, 1, compression}, {TIFFTAG_PHOTOMETRIC, 3, 1, 1},                                      \
        {TIFFTAG_STRIPOFFSETS, 4, 1, offset}, {TIFFTAG_ROWSPERSTRIP, 4, 1, rows},                                      \
        {TIFFTAG_STRIPBYTECOUNTS, 4, 1, bytes},                                                                        \
  }

static const struct {
  field fields[8];
  const char *says;
} hostile[] = {
    {FIELDS(4, 4, COMPRESSION_NONE, 4, 120, 16), NULL}, // the one that is fine: what the others change matters
    {FIELDS(2000000000, 2000000000, COMPRESSION_NONE, 4, 120, 16), "StripOffsets"},
    {FIELDS(200000, 200000, COMPRESSION_NONE, 200000, 120, 16), "too short for the size"},
    {FIELDS(2000000000, 2000000000, COMPRESSION_ADOBE_DEFLATE, 2000000000, 120, 16), "too short for the size"},
    {FIELDS(0xffffffffu, 1, COMPRESSION_NONE, 1, 120, 16), "a width and a height"},
    {FIELDS(0, 4, COMPRESSION_NONE, 4, 120, 16), ""},
    {FIELDS(100000, 100, COMPRESSION_NONE, 100, 120, 16), "too short for the size"},
    {FIELDS(4, 4, COMPRESSION_LZW, 4, 120, 100000), ""},
    {FIELDS(4, 4, COMPRESSION_NONE, 4, 120, 100000), NULL}, // where no codec needs them libtiff counts the bytes itself
    {FIELDS(4, 4, COMPRESSION_NONE, 4, 100000, 16), ""},
    {FIELDS(4, 4, COMPRESSION_NONE, 4, 120, 15), NULL},
    {FIELDS(4, 4, COMPRESSION_NONE, 4, 140, 16), ""}, // ends behind the file
    {FIELDS(4, 4, COMPRESSION_ADOBE_DEFLATE, 4, 120, 16), ""},
    {FIELDS(4, 4, COMPRESSION_LZW, 4, 120, 16), ""},
    {FIELDS(4, 4, COMPRESSION_OJPEG, 4, 120, 16), ""},
    {FIELDS(4, 4, COMPRESSION_LZMA, 4, 120, 16), "none of none, LZW"},
    {FIELDS(4, 4, 60000, 4, 120, 16), "none of none, LZW"},
};

START_TEST(refuses_hostile_tiff) {
  write_directory(hostile[_i].fields, 8, 40);
  if (hostile[_i].says) {
    refused_with(hostile[_i].says);
    return;
  }
  hy_buffer *in = read_silently();
  ck_assert_ptr_nonnull(in);
  ck_assert_uint_eq(in->count, 16);
  hy_buffer_free(in);
}
END_TEST

// All strips are the whole file: little to read, and much to do.
START_TEST(refuses_shared_strips) {
  enum { STRIPS = 300, ARRAYS = 8 + 2 + 8 * 12 + 4 };
  const field fields[8] = FIELDS(4, STRIPS, COMPRESSION_PACKBITS, 1, ARRAYS, ARRAYS + 4 * STRIPS);
  field many[8];
  memcpy(many, fields, sizeof many);
  many[5].count = many[7].count = STRIPS;
  write_directory(many, 8, 0);
  FILE *file = fopen(path, "ab");
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < STRIPS; i++) fwrite(k ? (const uint32_t[]){2000} : (const uint32_t[]){8}, 4, 1, file);
  fclose(file);
  refused_with("not in the file");
}
END_TEST

/* -- JPEG -- */

typedef struct {
  int channels, width, height;
  J_COLOR_SPACE space;
  bool progressive, arithmetic, apart;
  const char *refused;
} jpeg_row;

static const jpeg_row jpegs[] = {
    {1, 17, 9, JCS_GRAYSCALE, false, false, false, NULL},
    {3, 17, 9, JCS_RGB, false, false, false, NULL},
    {3, 64, 40, JCS_RGB, true, false, false, NULL},
    {4, 17, 9, JCS_CMYK, false, false, false, "CMYK"},
    {3, 17, 9, JCS_RGB, false, true, false, "arithmetic coding"},
    {3, 17, 9, JCS_RGB, false, false, true, NULL},
};

static void write_jpeg(const jpeg_row *r) {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  uint8_t row[64 * 4], *rows[] = {row};
  FILE *file = fopen(path, "wb");
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  jpeg_stdio_dest(&jpeg, file);
  jpeg.image_width = (JDIMENSION)r->width;
  jpeg.image_height = (JDIMENSION)r->height;
  jpeg.input_components = r->channels;
  jpeg.in_color_space = r->space;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 95, TRUE);
  if (r->progressive) jpeg_simple_progression(&jpeg);
  static const jpeg_scan_info apart[] = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
  if (r->apart) jpeg.scan_info = apart, jpeg.num_scans = 3;
  jpeg.arith_code = r->arithmetic;
  jpeg_start_compress(&jpeg, TRUE);
  for (int y = 0; y < r->height; y++) {
    for (int i = 0; i < r->width * r->channels; i++)
      row[i] = (uint8_t)(30 * (i % r->channels) + 2 * (i / r->channels) + y);
    jpeg_write_scanlines(&jpeg, rows, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  fclose(file);
}

START_TEST(reads_kinds_of_jpeg) {
  const jpeg_row *r = &jpegs[_i];
  write_jpeg(r);
  if (r->refused) {
    refused_with(r->refused);
    return;
  }
  hy_buffer *in = read_silently();
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(in->rank, r->channels == 1 ? 2 : 3);
  ck_assert_int_eq(in->len[0], r->width);
  ck_assert_int_eq(in->len[1], r->height);
  const uint8_t *at = in->data;
  for (int c = 0; c < r->channels; c++)
    for (int y = 0; y < r->height; y++)
      for (int x = 0; x < r->width; x++) ck_assert_int_le(abs(*at++ - (30 * c + 2 * x + y)), 12);
  hy_buffer_free(in);
}
END_TEST

static size_t change(size_t at, const uint8_t *bytes, size_t count) {
  FILE *file = fopen(path, "r+b");
  fseek(file, 0, SEEK_END);
  size_t length = (size_t)ftell(file);
  fseek(file, (long)at, SEEK_SET);
  fwrite(bytes, 1, count, file);
  fclose(file);
  return length;
}

// Where the frame's height stands: behind the marker FF C0 (or C2), its length and its precision.
static size_t place_of_size(void) {
  uint8_t bytes[2048];
  FILE *file = fopen(path, "rb");
  size_t length = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  for (size_t i = 0; i + 9 < length; i++)
    if (bytes[i] == 0xff && (bytes[i + 1] == 0xc0 || bytes[i + 1] == 0xc2)) return i + 5;
  ck_abort_msg("no frame");
}

START_TEST(refuses_hostile_jpeg) {
  write_jpeg(&jpegs[_i < 2 ? 1 : 2]);
  switch (_i) {
  case 0:
    change(place_of_size(), (const uint8_t[]){0xfd, 0xe8, 0xfd, 0xe8}, 4);
    refused_with("too short for the size");
    break;
  case 1:
    change(place_of_size(), (const uint8_t[]){0, 0, 0, 0}, 4);
    refused_with("image");
    break;
  case 2:
    change(place_of_size() - 1, (const uint8_t[]){12}, 1);
    refused_with("precision 12");
    break;
  default:
    ck_assert_int_eq(truncate(path, 700), 0);
    refused_with("Premature end of JPEG file");
    break;
  }
}
END_TEST

// The same scan again and again, in order of the components, which is no progression that libjpeg could doubt.
START_TEST(refuses_too_many_scans) {
  write_jpeg(&jpegs[5]);
  uint8_t bytes[8192];
  FILE *file = fopen(path, "rb");
  size_t length = fread(bytes, 1, sizeof bytes, file), scan = 0;
  fclose(file);
  for (size_t i = 0; i + 1 < length; i++)
    if (bytes[i] == 0xff && bytes[i + 1] == 0xda) scan = i; // the last one
  ck_assert_uint_gt(scan, 0);
  for (int times = 100; times <= 1000; times += 900) {
    file = fopen(path, "wb");
    fwrite(bytes, 1, scan, file);
    for (int i = 0; i < times; i++) fwrite(bytes + scan, 1, length - 2 - scan, file);
    fwrite("\xff\xd9", 1, 2, file);
    fclose(file);
    if (times == 1000) {
      refused_with("too many scans");
      return;
    }
    hy_buffer *in = read_silently();
    ck_assert_ptr_nonnull(in);
    hy_buffer_free(in);
  }
}
END_TEST

// A greater quality is nearer to what was written, and takes more bytes.
START_TEST(quality_counts) {
  const int64_t min[3] = {0}, len[3] = {64, 48, 3};
  hy_buffer *out = hy_buffer_new(HY_U8, 3, min, len);
  long long off[2] = {0}, size[2];
  for (size_t i = 0; i < out->count; i++) out->data[i] = (uint8_t)(i * i / 37);
  snprintf(path, sizeof path, "%s/a.jpg", folder);
  for (int k = 0; k < 2; k++) {
    ck_assert(hy_image_write(path, out, k ? 95 : 30, said));
    hy_buffer *in = read_silently();
    ck_assert_ptr_nonnull(in);
    for (size_t i = 0; i < out->count; i++) off[k] += abs(in->data[i] - out->data[i]);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    size[k] = ftell(file);
    fclose(file);
    hy_buffer_free(in);
  }
  ck_assert_int_lt(off[1], off[0]);
  ck_assert_int_gt(size[1], size[0]);
  hy_buffer_free(out);
}
END_TEST

Suite *driver_formats_suite(void) {
  Suite *suite = suite_create("driver_formats");
  TCase *tests = tcase_create("formats");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_loop_test(tests, reads_kinds_of_tiff, 0, (int)HY_COUNT(tiffs));
  tcase_add_test(tests, refuses_a_palette);
  tcase_add_loop_test(tests, reads_jpeg_in_tiff, 0, 2);
  tcase_add_loop_test(tests, refuses_hostile_tiff, 0, (int)HY_COUNT(hostile));
  tcase_add_test(tests, refuses_shared_strips);
  tcase_add_loop_test(tests, reads_kinds_of_jpeg, 0, (int)HY_COUNT(jpegs));
  tcase_add_loop_test(tests, refuses_hostile_jpeg, 0, 4);
  tcase_add_test(tests, refuses_too_many_scans);
  tcase_add_test(tests, quality_counts);
  suite_add_tcase(suite, tests);
  return suite;
}
