// JPEG of 8 bits through libjpeg, grey or RGB. Its objects live in one record, so that a longjmp out of it leaks nothing;
// its messages are caught, and what it only warns of (data that is missing or damaged) is an error.

#include "cli/images/image_internal.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

bool hy_image_is_jpeg(const uint8_t *data, size_t length) {
  return length >= 3 && memcmp(data, "\xff\xd8\xff", 3) == 0;
}

/* -- messages -- */

typedef struct {
  struct jpeg_error_mgr base; // first: libjpeg knows this part
  jmp_buf back;
  char why[JMSG_LENGTH_MAX];
} messages;

static void fail(j_common_ptr object) {
  messages *m = (messages *)object->err;
  m->base.format_message(object, m->why);
  longjmp(m->back, 1);
}

static void refuse(j_common_ptr object, const char *why) {
  messages *m = (messages *)object->err;
  snprintf(m->why, sizeof m->why, "%s", why);
  longjmp(m->back, 1);
}

// Bytes between markers, and a colour transform that is unknown, do no harm. "level" is -1 for warnings.
static void hear(j_common_ptr object, int level) {
  int code = object->err->msg_code;
  if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM) fail(object);
}

static void print_nothing(j_common_ptr object) { (void)object; }

static struct jpeg_error_mgr *listen(messages *m) {
  jpeg_std_error(&m->base);
  m->base.error_exit = fail;
  m->base.emit_message = hear;
  m->base.output_message = print_nothing;
  return &m->base;
}

/* -- reading -- */

// A block of 8 x 8 points takes a bit at least, where it is not arithmetic coding. A file of many scans over a large
// image takes long: so many are more than any encoder makes.
enum { POINTS_OF_A_BYTE = 8 * 64, MOST_SCANS = 200 };

typedef struct {
  const hy_image_bytes *bytes;
  messages messages;
  struct jpeg_decompress_struct jpeg;
  struct jpeg_progress_mgr progress;
  uint8_t *row;
  hy_buffer *buffer;
} decoding;

static void count_scans(j_common_ptr object) {
  if (object->is_decompressor && ((j_decompress_ptr)object)->input_scan_number > MOST_SCANS)
    refuse(object, "it has too many scans");
}

static void take_header(decoding *d) {
  j_decompress_ptr jpeg = &d->jpeg;
  jpeg_mem_src(jpeg, d->bytes->data, d->bytes->length);
  jpeg_read_header(jpeg, TRUE);
  if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK)
    refuse((j_common_ptr)jpeg, "CMYK; convert it to RGB first");
  if (jpeg->arith_code) refuse((j_common_ptr)jpeg, "arithmetic coding; save it with Huffman coding");
  if ((uint64_t)jpeg->image_width * jpeg->image_height / POINTS_OF_A_BYTE > d->bytes->length)
    refuse((j_common_ptr)jpeg, "the file is too short for the size that it names");
  if (jpeg->jpeg_color_space != JCS_GRAYSCALE) jpeg->out_color_space = JCS_RGB;
  jpeg->dct_method = JDCT_ISLOW; // the same bits on every machine
}

static void spread_row(decoding *d, int64_t y) {
  int64_t width = d->buffer->len[0], height = d->buffer->len[1], channels = d->jpeg.output_components;
  const uint8_t *in = d->row;
  for (int64_t x = 0; x < width; x++)
    for (int64_t c = 0; c < channels; c++) d->buffer->data[(c * height + y) * width + x] = *in++;
}

static void decode(decoding *d) {
  j_decompress_ptr jpeg = &d->jpeg;
  jpeg_create_decompress(jpeg);
  d->progress.progress_monitor = count_scans;
  jpeg->progress = &d->progress;
  take_header(d);
  jpeg_start_decompress(jpeg);
  int64_t len[3] = {jpeg->output_width, jpeg->output_height, jpeg->output_components};
  d->row = malloc((size_t)len[0] * (size_t)len[2]);
  if (!d->row) refuse((j_common_ptr)jpeg, "it does not fit into memory");
  d->buffer = hy_image_buffer(d->bytes, HY_U8, len[2] == 1 ? 2 : 3, len);
  if (!d->buffer) return;
  for (int64_t y = 0; y < len[1]; y++) {
    jpeg_read_scanlines(jpeg, &d->row, 1);
    spread_row(d, y);
  }
  jpeg_finish_decompress(jpeg);
}

hy_buffer *hy_image_parse_jpeg(const hy_image_bytes *bytes) {
  decoding *d = hy_allocate_zeroed(1, sizeof *d); // not on the stack, where a longjmp could clobber it
  d->bytes = bytes;
  d->jpeg.err = listen(&d->messages);
  if (setjmp(d->messages.back) == 0)
    decode(d);
  else {
    hy_image_broken(bytes, "%s", d->messages.why);
    hy_buffer_free(d->buffer);
    d->buffer = NULL;
  }
  jpeg_destroy_decompress(&d->jpeg);
  hy_buffer *buffer = d->buffer;
  free(d->row);
  free(d);
  return buffer;
}

/* -- writing -- */

const char *hy_image_jpeg_refuses(hy_type type, int rank, const int64_t *len) {
  bool shape = rank == 2 || (rank == 3 && (!len || len[2] == 1 || len[2] == 3));
  bool filled = !len || (len[0] > 0 && len[1] > 0 && len[0] <= JPEG_MAX_DIMENSION && len[1] <= JPEG_MAX_DIMENSION);
  return type == HY_U8 && shape && filled
             ? NULL
             : "u8 images (x, y), or (x, y, c) with 1 or 3 channels, of at most 65500 points a side";
}

typedef struct {
  messages messages;
  struct jpeg_compress_struct jpeg;
  uint8_t *row;
} encoding;

enum { FULL_COLOUR_QUALITY = 90 }; // from there on colours are kept at every point, not at every fourth

static void encode(encoding *e, FILE *file, const hy_buffer *buffer, int quality) {
  int channels = buffer->rank == 3 ? (int)buffer->len[2] : 1;
  int64_t width = buffer->len[0], height = buffer->len[1];
  j_compress_ptr jpeg = &e->jpeg;
  jpeg_create_compress(jpeg);
  jpeg_stdio_dest(jpeg, file);
  jpeg->image_width = (JDIMENSION)width;
  jpeg->image_height = (JDIMENSION)height;
  jpeg->input_components = channels;
  jpeg->in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg->optimize_coding = TRUE;
  jpeg->dct_method = JDCT_ISLOW;
  if (quality >= FULL_COLOUR_QUALITY) jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
  e->row = hy_allocate((size_t)width * (size_t)channels);
  jpeg_start_compress(jpeg, TRUE);
  for (int64_t y = 0; y < height; y++) {
    for (int64_t x = 0; x < width; x++)
      for (int64_t c = 0; c < channels; c++) e->row[x * channels + c] = buffer->data[(c * height + y) * width + x];
    jpeg_write_scanlines(jpeg, &e->row, 1);
  }
  jpeg_finish_compress(jpeg);
}

bool hy_image_write_jpeg(FILE *file, const hy_buffer *buffer, int quality) {
  encoding *e = hy_allocate_zeroed(1, sizeof *e);
  volatile bool fine = false;
  e->jpeg.err = listen(&e->messages);
  if (setjmp(e->messages.back) == 0) {
    encode(e, file, buffer, quality);
    fine = true;
  }
  jpeg_destroy_compress(&e->jpeg);
  free(e->row);
  free(e);
  return fine;
}
