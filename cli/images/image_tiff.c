// TIFF through libtiff, from and to memory. Its messages are caught for each file; nothing is printed by it. Read are the
// first image of a file, in strips or tiles, its channels together or apart, any sample that is a type of ours.

#include "cli/images/image_internal.h"

#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

bool hy_image_is_tiff(const uint8_t *data, size_t length) {
  static const char marks[4][4] = {"II\x2a\0", "MM\0\x2a", "II\x2b\0", "MM\0\x2b"}; // the last two: BigTIFF
  for (int i = 0; i < 4; i++)
    if (length >= 4 && memcmp(data, marks[i], 4) == 0) return true;
  return false;
}

/* -- memory as a file -- */

// Of a file being read "data" is its bytes, of one being written "out" holds what there is.
typedef struct {
  const uint8_t *data;
  size_t length, at;
  hy_text *out; // NULL: reading
  bool failed;
  char why[200]; // the first error
} memory_file;

static const uint8_t *bytes_of(const memory_file *f) { return f->out ? (const uint8_t *)f->out->data : f->data; }
static size_t length_of(const memory_file *f) { return f->out ? f->out->length : f->length; }

static tmsize_t read_memory(thandle_t self, void *out, tmsize_t count) {
  memory_file *f = self;
  size_t left = length_of(f) > f->at ? length_of(f) - f->at : 0, taken = (size_t)count < left ? (size_t)count : left;
  if (taken) memcpy(out, bytes_of(f) + f->at, taken);
  f->at += taken;
  return (tmsize_t)taken;
}

static tmsize_t write_memory(thandle_t self, void *in, tmsize_t count) {
  memory_file *f = self;
  if (!f->out) return 0;
  while (f->out->length < f->at) hy_text_add_bytes(f->out, "", 1); // a gap is zeros
  size_t old = f->out->length - f->at, over = (size_t)count < old ? (size_t)count : old;
  memcpy(f->out->data + f->at, in, over);
  hy_text_add_bytes(f->out, (const char *)in + over, (size_t)count - over);
  f->at += (size_t)count;
  return count;
}

static toff_t seek_memory(thandle_t self, toff_t to, int from) {
  memory_file *f = self;
  size_t base = from == SEEK_CUR ? f->at : from == SEEK_END ? length_of(f) : 0;
  f->at = base + (size_t)to;
  return f->at;
}

static int close_memory(thandle_t self) { return (void)self, 0; }
static toff_t size_of_memory(thandle_t self) { return length_of(self); }

static int note_error(TIFF *tiff, void *self, const char *module, const char *format, va_list args) {
  memory_file *f = self;
  (void)tiff, (void)module;
  if (!f->failed) vsnprintf(f->why, sizeof f->why, format, args);
  f->failed = true;
  return 1; // and nobody else is told
}

// Unknown tags and the like are common. Where the decoder of JPEG warns, data is missing or damaged.
static int note_warning(TIFF *tiff, void *self, const char *module, const char *format, va_list args) {
  if (module && strcmp(module, "JPEGLib") == 0) note_error(tiff, self, module, format, args);
  return 1;
}

static bool refuse(memory_file *f, const char *why) {
  if (!f->failed) snprintf(f->why, sizeof f->why, "%s", why);
  f->failed = true;
  return false;
}

// No more than "most" bytes for one piece of memory; 0 = any.
static TIFF *open_memory(memory_file *f, const char *mode, tmsize_t most) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFSetErrorHandler(NULL); // for what has no file
  TIFFSetWarningHandler(NULL);
  TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, f);
  TIFFOpenOptionsSetWarningHandlerExtR(options, note_warning, f);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, most);
  TIFF *tiff = TIFFClientOpenExt("image", mode, f, read_memory, write_memory, seek_memory, close_memory, size_of_memory,
                                 NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  if (!tiff) refuse(f, "libtiff cannot open it");
  return tiff;
}

/* -- what a file holds -- */

typedef struct {
  uint32_t width, height;
  uint16_t channels, bits, format, photometric, compression, planar;
  hy_type type;
} layout;

static bool find_type(layout *l) {
  static const struct {
    uint16_t format, bits;
    hy_type type;
  } rows[] = {
      {SAMPLEFORMAT_UINT, 8, HY_U8},     {SAMPLEFORMAT_UINT, 16, HY_U16},   {SAMPLEFORMAT_UINT, 32, HY_U32},
      {SAMPLEFORMAT_UINT, 64, HY_U64},   {SAMPLEFORMAT_INT, 8, HY_I8},      {SAMPLEFORMAT_INT, 16, HY_I16},
      {SAMPLEFORMAT_INT, 32, HY_I32},    {SAMPLEFORMAT_INT, 64, HY_I64},    {SAMPLEFORMAT_IEEEFP, 32, HY_F32},
      {SAMPLEFORMAT_IEEEFP, 64, HY_F64}, {SAMPLEFORMAT_IEEEFP, 16, HY_F16},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (rows[i].format == l->format && rows[i].bits == l->bits) return l->type = rows[i].type, true;
  return false;
}

static bool take_compression(TIFF *tiff, memory_file *f, const layout *l) {
  switch (l->compression) {
  case COMPRESSION_NONE:
  case COMPRESSION_LZW:
  case COMPRESSION_PACKBITS:
  case COMPRESSION_ADOBE_DEFLATE:
  case COMPRESSION_DEFLATE: return true;
  case COMPRESSION_JPEG:
    return l->photometric != PHOTOMETRIC_YCBCR || TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) ||
           refuse(f, "its JPEG data cannot be made RGB");
  default: break;
  }
  char why[96];
  snprintf(why, sizeof why, "its compression (%u) is none of none, LZW, PackBits, Deflate and JPEG", l->compression);
  return refuse(f, why);
}

static bool take_colours(memory_file *f, const layout *l) {
  bool jpeg = l->compression == COMPRESSION_JPEG && l->planar == PLANARCONFIG_CONTIG && l->channels == 3;
  switch (l->photometric) {
  case PHOTOMETRIC_MINISBLACK:
  case PHOTOMETRIC_RGB: return true;
  case PHOTOMETRIC_YCBCR: return jpeg || refuse(f, "YCbCr that is not JPEG data; convert it to RGB first");
  case PHOTOMETRIC_MINISWHITE: return refuse(f, "grey in which 0 is white; convert it to grey in which 0 is black");
  case PHOTOMETRIC_PALETTE: return refuse(f, "colours of a palette; convert it to RGB first");
  case PHOTOMETRIC_SEPARATED: return refuse(f, "CMYK; convert it to RGB first");
  default: return refuse(f, "colours that are neither grey nor RGB; convert it first");
  }
}

static bool take_layout(TIFF *tiff, memory_file *f, layout *l) {
  uint32_t depth = 1;
  bool sized = TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &l->width) && TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &l->height);
  if (!sized || !l->width || !l->height || l->width > INT32_MAX || l->height > INT32_MAX)
    return refuse(f, "it does not name a width and a height");
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &l->channels);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &l->bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &l->format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &l->compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &l->planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGEDEPTH, &depth);
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &l->photometric)) return refuse(f, "it does not name its colours");
  if (depth != 1 || !l->channels) return refuse(f, "a volume, or without channels");
  if (!find_type(l)) {
    char why[96];
    snprintf(why, sizeof why, "its samples have %u bits of format %u; 8, 16, 32 and 64 bits can be read", l->bits,
             l->format);
    return refuse(f, why);
  }
  return take_colours(f, l) && take_compression(tiff, f, l);
}

/* -- reading -- */

// None of the codecs that are read makes more than so many bytes of one.
enum { MOST_FROM_ONE_BYTE = 4096 };

// Strips are as wide as the image, tiles have a size of their own: blocks of so many points.
typedef struct {
  bool tiled;
  uint32_t width, height, channels;
  uint64_t bytes;
} block_shape;

static block_shape shape_of(TIFF *tiff, const layout *l) {
  uint32_t channels = l->planar == PLANARCONFIG_CONTIG ? l->channels : 1;
  block_shape b = {.tiled = TIFFIsTiled(tiff), .width = l->width, .height = l->height, .channels = channels};
  if (b.tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &b.width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &b.height);
    b.bytes = TIFFTileSize64(tiff);
    return b;
  }
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &b.height);
  if (b.height > l->height) b.height = l->height;
  b.bytes = TIFFStripSize64(tiff);
  return b;
}

// libtiff takes a directory whose last field, where the next one lies, is cut off: then the file has been.
static bool has_whole_directory(TIFF *tiff, const memory_file *f) {
  uint64_t at = TIFFCurrentDirOffset(tiff), count = 0;
  bool is_big = f->data[2] == 0x2b || f->data[3] == 0x2b, is_swapped = f->data[0] == 'M';
  size_t word = is_big ? 8 : 2, row = is_big ? 20 : 12, next = is_big ? 8 : 4;
  if (at > f->length || word > f->length - at) return false;
  for (size_t i = 0; i < word; i++) count |= (uint64_t)f->data[at + i] << 8 * (is_swapped ? word - 1 - i : i);
  uint64_t left = f->length - at - word;
  return count <= left / row && next <= left - count * row;
}

// Refuses what cannot be in so few bytes before memory is asked for, and blocks that share their bytes, so that a small
// file cannot make much work.
static bool is_plausible(TIFF *tiff, memory_file *f, const layout *l, const block_shape *b) {
  uint64_t points = (uint64_t)l->width * l->height, sample = (uint64_t)l->channels * (l->bits / 8u), most;
  bool small = !__builtin_mul_overflow((uint64_t)f->length, MOST_FROM_ONE_BYTE, &most) && points <= most / sample;
  bool whole = b->width && b->height && b->bytes == (uint64_t)b->width * b->height * b->channels * (l->bits / 8u);
  if (!small || b->bytes > most || !whole) return refuse(f, "the file is too short for the size that it names");
  uint64_t blocks = b->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff), all = 0;
  for (uint64_t i = 0; i < blocks; i++) {
    int failed = 0;
    uint64_t count = TIFFGetStrileByteCountWithErr(tiff, (uint32_t)i, &failed);
    if (failed || count > f->length || (all += count) > 2 * (uint64_t)f->length)
      return refuse(f, "its strips or tiles are not in the file");
  }
  return true;
}

typedef struct {
  TIFF *tiff;
  memory_file *file;
  const layout *layout;
  const block_shape *shape;
  uint8_t *pixels; // one block
  hy_buffer *buffer;
} decoding;

// The block whose first point is (x, y), of all channels or of one.
static bool decode_block(decoding *d, uint32_t x, uint32_t y, uint16_t channel, uint32_t rows) {
  if (d->shape->tiled) {
    uint32_t tile = TIFFComputeTile(d->tiff, x, y, 0, channel);
    return TIFFReadEncodedTile(d->tiff, tile, d->pixels, (tmsize_t)d->shape->bytes) == (tmsize_t)d->shape->bytes;
  }
  tmsize_t wanted = (tmsize_t)(d->shape->bytes / d->shape->height * rows);
  uint32_t strip = TIFFComputeStrip(d->tiff, y, channel);
  return TIFFReadEncodedStrip(d->tiff, strip, d->pixels, wanted) == wanted;
}

static void spread_block(decoding *d, uint32_t x0, uint32_t y0, uint32_t first, uint32_t columns, uint32_t rows) {
  const layout *l = d->layout;
  size_t sample = l->bits / 8u, channels = d->shape->channels;
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < columns; x++)
      for (size_t c = 0; c < channels; c++) {
        const uint8_t *in = d->pixels + (((size_t)y * d->shape->width + x) * channels + c) * sample;
        size_t at = ((first + c) * l->height + y0 + y) * l->width + x0 + x;
        memcpy(d->buffer->data + at * sample, in, sample);
      }
}

static bool decode_blocks(decoding *d) {
  const layout *l = d->layout;
  const block_shape *b = d->shape;
  for (uint32_t first = 0; first < l->channels; first += b->channels)
    for (uint64_t y = 0; y < l->height; y += b->height)
      for (uint64_t x = 0; x < l->width; x += b->width) {
        uint32_t columns = l->width - x < b->width ? (uint32_t)(l->width - x) : b->width;
        uint32_t rows = l->height - y < b->height ? (uint32_t)(l->height - y) : b->height;
        bool read = decode_block(d, (uint32_t)x, (uint32_t)y, (uint16_t)first, rows);
        if (!read || d->file->failed) return refuse(d->file, "a strip or tile ends too early");
        spread_block(d, (uint32_t)x, (uint32_t)y, first, columns, rows);
      }
  return true;
}

// NULL without "failed": there was no memory, which is reported.
static hy_buffer *decode(TIFF *tiff, const hy_image_bytes *bytes, memory_file *f) {
  layout l = {0};
  if (!has_whole_directory(tiff, f)) return refuse(f, "the file ends too early"), NULL;
  if (!take_layout(tiff, f, &l)) return NULL;
  block_shape shape = shape_of(tiff, &l);
  if (!is_plausible(tiff, f, &l, &shape)) return NULL;
  int64_t len[3] = {l.width, l.height, l.channels};
  decoding d = {tiff, f, &l, &shape, malloc(shape.bytes), NULL};
  if (!d.pixels)
    refuse(f, "it does not fit into memory");
  else
    d.buffer = hy_image_buffer(bytes, l.type, l.channels == 1 ? 2 : 3, len);
  if (d.buffer && !decode_blocks(&d)) {
    hy_buffer_free(d.buffer);
    d.buffer = NULL;
  }
  free(d.pixels);
  return d.buffer;
}

hy_buffer *hy_image_parse_tiff(const hy_image_bytes *bytes) {
  memory_file f = {.data = bytes->data, .length = bytes->length};
  uint64_t most = (uint64_t)bytes->length * MOST_FROM_ONE_BYTE + (1 << 20);
  TIFF *tiff = open_memory(&f, "rm", most > INT64_MAX ? INT64_MAX : (tmsize_t)most);
  hy_buffer *buffer = NULL;
  if (tiff && !f.failed) buffer = decode(tiff, bytes, &f);
  if (tiff) TIFFClose(tiff);
  if (!f.failed) return buffer;
  hy_image_broken(bytes, "%s", f.why);
  hy_buffer_free(buffer);
  return NULL;
}

/* -- writing -- */

const char *hy_image_tiff_refuses(hy_type type, int rank, const int64_t *len) {
  bool shape = rank == 2 || (rank == 3 && (!len || (len[2] >= 1 && len[2] <= UINT16_MAX)));
  bool filled = !len || (len[0] > 0 && len[1] > 0 && len[0] <= INT32_MAX && len[1] <= INT32_MAX);
  bool kept = type != HY_BOOL && type != HY_BF16;
  return kept && shape && filled ? NULL : "images (x, y), or (x, y, c), of numbers but bf16, that are not empty";
}

static void set_layout(TIFF *tiff, const hy_buffer *buffer, uint16_t channels, size_t sample) {
  hy_type_class class = hy_type_class_of(buffer->type);
  bool is_float = class == HY_CLASS_FLOAT, is_colour = channels == 3 || channels == 4;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)buffer->len[0]);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)buffer->len[1]);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, (uint16_t)(8 * sample));
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
               is_float                     ? SAMPLEFORMAT_IEEEFP
               : class == HY_CLASS_UNSIGNED ? SAMPLEFORMAT_UINT
                                            : SAMPLEFORMAT_INT);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, is_colour ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  uint16_t extra = (uint16_t)(channels - (is_colour ? 3 : 1)), *kinds = hy_allocate_zeroed(extra + 1u, sizeof *kinds);
  if (extra == 1) kinds[0] = EXTRASAMPLE_UNASSALPHA;
  if (extra) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, extra, kinds);
  free(kinds);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  if (is_float || sample <= 2)
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, is_float ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
}

static void gather_row(const hy_buffer *buffer, int64_t y, int64_t channels, size_t sample, uint8_t *out) {
  int64_t width = buffer->len[0], height = buffer->len[1];
  for (int64_t x = 0; x < width; x++)
    for (int64_t c = 0; c < channels; c++, out += sample)
      memcpy(out, buffer->data + (size_t)((c * height + y) * width + x) * sample, sample);
}

static bool encode(TIFF *tiff, const hy_buffer *buffer) {
  uint16_t channels = (uint16_t)(buffer->rank == 3 ? buffer->len[2] : 1);
  size_t sample = hy_type_bytes(buffer->type), row = (size_t)buffer->len[0] * channels * sample;
  uint32_t rows = 1;
  set_layout(tiff, buffer, channels, sample);
  TIFFGetField(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
  uint8_t *strip = hy_allocate(row * rows);
  bool fine = true;
  for (int64_t y = 0; fine && y < buffer->len[1]; y += rows) {
    int64_t count = buffer->len[1] - y < rows ? buffer->len[1] - y : rows;
    for (int64_t k = 0; k < count; k++) gather_row(buffer, y + k, channels, sample, strip + (size_t)k * row);
    fine = TIFFWriteEncodedStrip(tiff, (uint32_t)(y / rows), strip, (tmsize_t)(row * (size_t)count)) >= 0;
  }
  free(strip);
  return fine && TIFFFlush(tiff);
}

bool hy_image_write_tiff(FILE *file, const hy_buffer *buffer) {
  hy_text out = {0};
  memory_file f = {.out = &out};
  bool big = buffer->count > (UINT32_MAX - (64u << 20)) / hy_type_bytes(buffer->type);
  TIFF *tiff = open_memory(&f, big ? "w8m" : "wm", 0);
  bool fine = tiff && encode(tiff, buffer);
  if (tiff) TIFFClose(tiff);
  fine = fine && !f.failed && fwrite(out.data, 1, out.length, file) == out.length;
  hy_text_free(&out);
  return fine;
}
