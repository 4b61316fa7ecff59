// Image files: what is written is read back, and nothing that a file can contain does harm.

#include "cli/images/image.h"
#include "engines/generator.h"
#include "proofs_tests/suites.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static hy_diagnostics *said;
static char folder[] = "/tmp/halyard-image-XXXXXX";
static char path[96];

static void set_up(void) {
  said = hy_diagnostics_new();
  strcpy(folder + strlen(folder) - 6, "XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void) {
  char command[128];
  hy_diagnostics_free(said);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}

static const char *in_folder(const char *name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

// How many files the folder holds: temporary ones would show.
static int files(void) {
  char command[160];
  int count = -1;
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *pipe = popen(command, "r");
  ck_assert_int_eq(fscanf(pipe, "%d", &count), 1);
  pclose(pipe);
  return count;
}

static hy_buffer *random_image(hy_type type, int rank, const int64_t *len) {
  const int64_t min[HY_MAX_RANK] = {0};
  hy_buffer *buffer = hy_buffer_new(type, rank, min, len);
  hy_generator_fill_random(buffer, 7);
  return buffer;
}

static hy_code last_code(void) {
  ck_assert_uint_gt(hy_diagnostics_errors(said), 0);
  return hy_diagnostics_at(said, hy_diagnostics_count(said) - 1)->code;
}

/* -- round trips -- */

static const struct {
  const char *name;
  hy_type type;
  int rank;
  int64_t len[4];
} held[] = {
    {"a.png", HY_U8, 2, {5, 3}},     {"a.png", HY_U16, 2, {1, 1}},       {"a.png", HY_U8, 3, {4, 3, 2}},
    {"a.png", HY_U8, 3, {4, 3, 3}},  {"a.png", HY_U16, 3, {3, 2, 3}},    {"a.png", HY_U8, 3, {2, 2, 4}},
    {"a.PNG", HY_U16, 3, {7, 5, 4}}, {"a.pgm", HY_U8, 2, {5, 3}},        {"a.pgm", HY_U16, 2, {6, 7}},
    {"a.ppm", HY_U8, 3, {5, 3, 3}},  {"a.ppm", HY_U16, 3, {2, 9, 3}},    {"a.npy", HY_BOOL, 2, {5, 3}},
    {"a.npy", HY_U8, 1, {9}},        {"a.npy", HY_U16, 4, {2, 3, 4, 5}}, {"a.npy", HY_U32, 0, {0}},
    {"a.npy", HY_U64, 2, {3, 3}},    {"a.npy", HY_I8, 2, {3, 3}},        {"a.npy", HY_I16, 2, {3, 3}},
    {"a.npy", HY_I32, 2, {3, 3}},    {"a.npy", HY_I64, 2, {3, 3}},       {"a.npy", HY_F32, 3, {3, 3, 2}},
    {"a.npy", HY_F64, 2, {3, 1}},    {"a.npy", HY_F64, 2, {0, 4}},       {"a.tif", HY_U8, 2, {5, 3}},
    {"a.tiff", HY_U16, 2, {90, 70}}, {"a.tif", HY_U16, 3, {4, 3, 3}},    {"a.TIF", HY_U8, 3, {200, 300, 4}},
    {"a.tif", HY_U8, 3, {4, 3, 2}},  {"a.tif", HY_F32, 3, {4, 3, 7}},    {"a.tif", HY_F32, 2, {300, 40}},
    {"a.tif", HY_F64, 2, {3, 4}},    {"a.tif", HY_I8, 2, {3, 3}},        {"a.tif", HY_I16, 3, {3, 5, 3}},
    {"a.tif", HY_I32, 2, {3, 3}},    {"a.tif", HY_U32, 2, {3, 3}},       {"a.tif", HY_U64, 2, {3, 3}},
    {"a.npy", HY_F16, 2, {3, 5}},    {"a.npy", HY_BF16, 2, {7, 3}},      {"a.tif", HY_F16, 3, {9, 4, 3}},
    {"a.tif", HY_I64, 2, {3, 3}},    {"a.pfm", HY_F32, 2, {5, 3}},       {"a.pfm", HY_F32, 3, {5, 3, 3}},
};

START_TEST(round_trips) {
  hy_buffer *out = random_image(held[_i].type, held[_i].rank, held[_i].len);
  ck_assert(hy_image_can_write(in_folder(held[_i].name), out->type, out->rank, out->len, said));
  ck_assert_int_eq(files(), 0);
  ck_assert(hy_image_write(path, out, HY_IMAGE_QUALITY, said));
  hy_buffer *in = hy_image_read(path, said);
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(in->type, out->type);
  ck_assert_int_eq(in->rank, out->rank);
  for (int d = 0; d < in->rank; d++) {
    ck_assert_int_eq(in->len[d], out->len[d]);
    ck_assert_int_eq(in->min[d], 0);
  }
  if (out->count) ck_assert_mem_eq(in->data, out->data, out->count * hy_type_bytes(out->type));
  ck_assert_uint_eq(hy_diagnostics_count(said), 0);
  ck_assert_int_eq(files(), 1);
  hy_buffer_free(in);
  hy_buffer_free(out);
}
END_TEST

// "int" is "<i8" in a file, as i64 is.
START_TEST(int_is_i64) {
  const int64_t len[] = {4};
  hy_buffer *out = random_image(HY_INT, 1, len);
  ck_assert(hy_image_write(in_folder("a.npy"), out, HY_IMAGE_QUALITY, said));
  hy_buffer *in = hy_image_read(path, said);
  ck_assert_int_eq(in->type, HY_I64);
  ck_assert(!hy_image_adopt(in, HY_U64));
  ck_assert(hy_image_adopt(in, HY_INT));
  ck_assert_int_eq(in->type, HY_INT);
  ck_assert_mem_eq(in->data, out->data, 32);
  hy_buffer_free(in);
  hy_buffer_free(out);
}
END_TEST

// Coordinates: x fastest, then y, then c.
START_TEST(coordinates) {
  static const char text[] = "P3 # a comment\n2 2 # another\n9\n1 2 3  4 5 6\n7 8 9  0 1 2";
  static const int64_t expected[] = {1, 4, 7, 0, 2, 5, 8, 1, 3, 6, 9, 2};
  hy_buffer *in = hy_image_parse("a.ppm", (const uint8_t *)text, strlen(text), said);
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(in->rank, 3);
  for (size_t i = 0; i < HY_COUNT(expected); i++) ck_assert_int_eq(in->data[i], expected[i]);
  hy_buffer_free(in);
}
END_TEST

START_TEST(wide_samples_are_big_endian) {
  static const uint8_t bytes[] = "P5 2 1 65535\n\x01\x02\xff\x00";
  hy_buffer *in = hy_image_parse("a.pgm", bytes, sizeof bytes - 1, said);
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(hy_value_load(HY_U16, in->data).u, 0x102);
  ck_assert_int_eq(hy_value_load(HY_U16, in->data + 2).u, 0xff00);
  hy_buffer_free(in);
}
END_TEST

/* -- PNG of other kinds, made with libpng itself -- */

// Two pixels, (0, 0) and (1, 0), in one row: bytes of the row as libpng takes them.
static void write_png(int color, int depth, int interlace, const uint8_t *row) {
  static const png_color palette[] = {{1, 2, 3}, {40, 50, 60}};
  FILE *file = fopen(in_folder("made.png"), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  ck_assert_int_eq(setjmp(png_jmpbuf(png)), 0);
  png_init_io(png, file);
  png_set_IHDR(png, info, 2, 1, depth, color, interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
  png_write_info(png, info);
  for (int pass = png_set_interlace_handling(png); pass > 0; pass--) png_write_row(png, row);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  fclose(file);
}

static const struct {
  int color, depth, interlace;
  uint8_t row[16];
  int rank;         // 0: refused
  uint8_t data[12]; // x fastest, then channels
} made[] = {
    {PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_NONE, {1, 0}, 3, {40, 1, 50, 2, 60, 3}},
    {PNG_COLOR_TYPE_PALETTE, 1, PNG_INTERLACE_NONE, {0x40}, 3, {1, 40, 2, 50, 3, 60}},
    {PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_ADAM7, {7, 9}, 2, {7, 9}},
    {PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_ADAM7, {1, 2, 3, 4, 5, 6}, 3, {1, 4, 2, 5, 3, 6}},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 8, PNG_INTERLACE_NONE, {1, 2, 3, 4}, 3, {1, 3, 2, 4}},
    {PNG_COLOR_TYPE_GRAY, 16, PNG_INTERLACE_NONE, {1, 2, 3, 4}, 2, {2, 1, 4, 3}},
    {PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_NONE, {0x40}, 0, {0}},
    {PNG_COLOR_TYPE_GRAY, 4, PNG_INTERLACE_NONE, {0x4f}, 0, {0}},
};

START_TEST(reads_kinds_of_png) {
  write_png(made[_i].color, made[_i].depth, made[_i].interlace, made[_i].row);
  hy_buffer *in = hy_image_read(path, said);
  if (!made[_i].rank) {
    ck_assert_ptr_null(in);
    ck_assert_int_eq(last_code(), HY_E_IMAGE_BROKEN);
    return;
  }
  ck_assert_ptr_nonnull(in);
  ck_assert_int_eq(in->rank, made[_i].rank);
  ck_assert_mem_eq(in->data, made[_i].data, in->count * hy_type_bytes(in->type));
  hy_buffer_free(in);
}
END_TEST

/* -- what formats cannot hold -- */

static const struct {
  const char *name;
  hy_type type;
  int rank;
  int64_t len[3];
  hy_code code;
} refused[] = {
    {"a.png", HY_F32, 2, {2, 2}, HY_E_OUTPUT_FORMAT},   {"a.png", HY_U8, 1, {2}, HY_E_OUTPUT_FORMAT},
    {"a.png", HY_U8, 3, {2, 2, 5}, HY_E_OUTPUT_FORMAT}, {"a.png", HY_U8, 2, {0, 2}, HY_E_OUTPUT_FORMAT},
    {"a.png", HY_I16, 2, {2, 2}, HY_E_OUTPUT_FORMAT},   {"a.pgm", HY_U8, 3, {2, 2, 3}, HY_E_OUTPUT_FORMAT},
    {"a.ppm", HY_U8, 2, {2, 2}, HY_E_OUTPUT_FORMAT},    {"a.ppm", HY_U32, 3, {2, 2, 3}, HY_E_OUTPUT_FORMAT},
    {"a.bmp", HY_U8, 2, {2, 2}, HY_E_OUTPUT_FORMAT},    {"a", HY_U8, 2, {2, 2}, HY_E_OUTPUT_FORMAT},
    {"a.tif", HY_BF16, 2, {2, 2}, HY_E_OUTPUT_FORMAT},  {"a.pfm", HY_F16, 2, {2, 2}, HY_E_OUTPUT_FORMAT},
    {"a.tif", HY_BOOL, 2, {2, 2}, HY_E_OUTPUT_FORMAT},  {"a.tif", HY_U8, 1, {2}, HY_E_OUTPUT_FORMAT},
    {"a.tif", HY_U8, 2, {0, 2}, HY_E_OUTPUT_FORMAT},    {"a.jpg", HY_U16, 2, {2, 2}, HY_E_OUTPUT_FORMAT},
    {"a.jpg", HY_U8, 3, {2, 2, 4}, HY_E_OUTPUT_FORMAT}, {"a.jpeg", HY_U8, 2, {65501, 1}, HY_E_OUTPUT_FORMAT},
    {"a.pfm", HY_F64, 2, {2, 2}, HY_E_OUTPUT_FORMAT},   {"a.pfm", HY_F32, 3, {2, 2, 2}, HY_E_OUTPUT_FORMAT},
    {"no/a.npy", HY_U8, 2, {2, 2}, HY_E_CANNOT_WRITE},  {"here.npy", HY_U8, 2, {2, 2}, HY_E_CANNOT_WRITE},
};

START_TEST(refuses_outputs) {
  ck_assert_int_eq(mkdir(in_folder("here.npy"), 0777), 0);
  hy_buffer *out = random_image(refused[_i].type, refused[_i].rank, refused[_i].len);
  ck_assert(!hy_image_can_write(in_folder(refused[_i].name), out->type, out->rank, out->len, said));
  ck_assert_int_eq(last_code(), refused[_i].code);
  ck_assert(!hy_image_write(path, out, HY_IMAGE_QUALITY, said));
  ck_assert_int_eq(last_code(), refused[_i].code);
  ck_assert_int_eq(files(), 1);
  hy_buffer_free(out);
}
END_TEST

/* -- files that are cut short or spoilt -- */

static const struct {
  const char *name;
  hy_type type;
  int rank;
  int64_t len[3];
} cut[] = {{"a.png", HY_U16, 3, {5, 4, 3}}, {"a.png", HY_U8, 2, {3, 3}},    {"a.npy", HY_F32, 2, {5, 4}},
           {"a.npy", HY_U8, 1, {3}},        {"a.pgm", HY_U16, 2, {5, 4}},   {"a.ppm", HY_U8, 3, {2, 3, 3}},
           {"a.tif", HY_U16, 3, {5, 4, 3}}, {"a.tif", HY_U8, 2, {30, 9}},   {"a.tif", HY_F32, 2, {5, 4}},
           {"a.jpg", HY_U8, 2, {5, 4}},     {"a.jpg", HY_U8, 3, {9, 9, 3}}, {"a.pfm", HY_F32, 3, {2, 3, 3}}};

static size_t read_all(uint8_t *bytes, size_t room) {
  FILE *file = fopen(path, "rb");
  size_t length = fread(bytes, 1, room, file);
  fclose(file);
  return length;
}

// Every prefix of a file is refused, with a report, by a parser that may not look behind it.
START_TEST(refuses_prefixes) {
  uint8_t bytes[1024];
  hy_buffer *out = random_image(cut[_i].type, cut[_i].rank, cut[_i].len);
  ck_assert(hy_image_write(in_folder(cut[_i].name), out, HY_IMAGE_QUALITY, said));
  size_t length = read_all(bytes, sizeof bytes);
  ck_assert_uint_lt(length, sizeof bytes);
  for (size_t n = 0; n < length; n++) {
    uint8_t *prefix = malloc(n ? n : 1);
    memcpy(prefix, bytes, n);
    size_t before = hy_diagnostics_errors(said);
    hy_buffer *in = hy_image_parse(path, prefix, n, said);
    ck_assert_msg(!in, "the first %zu of %zu bytes are accepted", n, length);
    ck_assert_uint_eq(hy_diagnostics_errors(said), before + 1);
    free(prefix);
  }
  hy_buffer_free(out);
}
END_TEST

// Whatever single byte is changed: an image or a report, never harm.
START_TEST(survives_spoilt_bytes) {
  uint8_t bytes[1024];
  hy_buffer *out = random_image(cut[_i].type, cut[_i].rank, cut[_i].len);
  ck_assert(hy_image_write(in_folder(cut[_i].name), out, HY_IMAGE_QUALITY, said));
  size_t length = read_all(bytes, sizeof bytes);
  for (size_t n = 0; n < length; n++)
    for (int bit = 0; bit < 8; bit++) {
      uint8_t *spoilt = malloc(length);
      memcpy(spoilt, bytes, length);
      spoilt[n] ^= (uint8_t)(1 << bit);
      size_t before = hy_diagnostics_errors(said);
      hy_buffer *in = hy_image_parse(path, spoilt, length, said);
      ck_assert(in ? hy_diagnostics_errors(said) == before : hy_diagnostics_errors(said) > before);
      hy_buffer_free(in);
      free(spoilt);
    }
  hy_buffer_free(out);
}
END_TEST

#define NPY(header) "\x93NUMPY\x01\x00\x76\x00" header

static const struct {
  const char *text; // "|" stands for the blanks that fill a .npy header
  hy_code code;
} broken[] = {
    {"", HY_E_FILE_KIND},
    {"hello", HY_E_FILE_KIND},
    {"P7 1 1 255\nx", HY_E_FILE_KIND},
    {"P5", HY_E_IMAGE_BROKEN},
    {"P5 1", HY_E_IMAGE_BROKEN},
    {"P5 1 1 0\nx", HY_E_IMAGE_BROKEN},
    {"P5 1 1 65536\nxx", HY_E_IMAGE_BROKEN},
    {"P5 -1 1 255\nx", HY_E_IMAGE_BROKEN},
    {"P5 99999999999999999999 1 255\nx", HY_E_IMAGE_BROKEN},
    {"P5 2000000000 2000000000 65535\nx", HY_E_IMAGE_BROKEN},
    {"P6 1 1 255\nxx", HY_E_IMAGE_BROKEN},
    {"P2 2 1 9\n1", HY_E_IMAGE_BROKEN},
    {"P2 1 1 9\n10", HY_E_IMAGE_BROKEN},
    {"P2 1 1 9\nten", HY_E_IMAGE_BROKEN},
    {"P5 1 1 9\nx", HY_E_IMAGE_BROKEN},
    {"\x89PNG", HY_E_IMAGE_BROKEN},
    {"MM\x01*", HY_E_FILE_KIND},
    {"\xff\xd8\xff", HY_E_IMAGE_BROKEN},
    {"\xff\xd8\xff\xe0 not a marker", HY_E_IMAGE_BROKEN},
    {"Pf\n1 1\n0\nxxxx", HY_E_IMAGE_BROKEN},
    {"Pf\n1 1\nnan\nxxxx", HY_E_IMAGE_BROKEN},
    {"Pf\n1 -1\n1\nxxxx", HY_E_IMAGE_BROKEN},
    {"PF\n1 1\n-1.0\nxxxx", HY_E_IMAGE_BROKEN},
    {"PF\n2000000000 2000000000\n-1.0\nxxxx", HY_E_IMAGE_BROKEN},
    {"Pf\n1 1\n-1.0", HY_E_IMAGE_BROKEN},
    {"\x93NUMPY", HY_E_IMAGE_BROKEN},
    {"\x93NUMPY\x09\x01\x01\x01", HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': True, 'shape': (1, 1), }|xx"), HY_E_IMAGE_TYPE},
    {NPY("{'descr': '>u2', 'fortran_order': False, 'shape': (1, 1), }|xx"), HY_E_IMAGE_TYPE},
    {NPY("{'descr': '<c8', 'fortran_order': False, 'shape': (1, ), }|xxxxxxxx"), HY_E_IMAGE_TYPE},
    {NPY("{'descr': '|O', 'fortran_order': False, 'shape': (1, ), }|xxxxxxxx"), HY_E_IMAGE_TYPE},
    {NPY("{'descr': [('a', '<u2')], 'fortran_order': False, 'shape': (1, ), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': False, 'shape': (1, 2), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': False, 'shape': (-1, ), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': False, 'shape': (99999999999999999999, ), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': False, 'shape': (4294967296, 4294967296), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': False, }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2', 'fortran_order': Maybe, 'shape': (1, ), }|xx"), HY_E_IMAGE_BROKEN},
    {NPY("{'descr': '<u2'|xx"), HY_E_IMAGE_BROKEN},
    {NPY("|xx"), HY_E_IMAGE_BROKEN},
};

// The row's bytes; the last "|" of a .npy row becomes blanks up to byte 128.
static size_t spell(const char *text, uint8_t *out) {
  size_t length = 0;
  if (strncmp(text, "\x93NUMPY\x01", 7) != 0) {
    memcpy(out, text, strlen(text));
    return strlen(text);
  }
  const char *header = text + 10; // behind the version's NUL and the length
  memcpy(out, text, 10);
  length = 10;
  const char *bar = strrchr(header, '|');
  memcpy(out + length, header, (size_t)(bar - header));
  length += (size_t)(bar - header);
  while (length < 128) out[length++] = ' ';
  memcpy(out + length, bar + 1, strlen(bar + 1));
  return length + strlen(bar + 1);
}

START_TEST(refuses_broken_files) {
  uint8_t bytes[256] = {0};
  size_t length = spell(broken[_i].text, bytes);
  ck_assert_ptr_null(hy_image_parse("file", bytes, length, said));
  ck_assert_int_eq(last_code(), broken[_i].code);
}
END_TEST

START_TEST(accepts_python_spelling) {
  static const char *const texts[] = {
      NPY("{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<u2\"}|xyzw"),
      NPY("{'descr': '<u2', 'fortran_order': True, 'shape': (2,)}|xyzw"),
      NPY("{'descr': '<u1', 'fortran_order': False, 'shape': (2, 1, 1), }|xyzw"),
      NPY("{'descr': '=u1', 'fortran_order': False, 'shape': (), }|x"),
  };
  for (size_t i = 0; i < HY_COUNT(texts); i++) {
    uint8_t bytes[256] = {0};
    size_t length = spell(texts[i], bytes);
    hy_buffer *in = hy_image_parse("file", bytes, length, said);
    ck_assert_msg(in, "row %zu", i);
    ck_assert_uint_eq(in->count, i == 3 ? 1 : 2);
    hy_buffer_free(in);
  }
}
END_TEST

START_TEST(missing_and_folder) {
  ck_assert_ptr_null(hy_image_read(in_folder("none.png"), said));
  ck_assert_int_eq(last_code(), HY_E_CANNOT_READ);
  ck_assert_ptr_null(hy_image_read(folder, said));
  ck_assert_int_eq(last_code(), HY_E_CANNOT_READ);
}
END_TEST

// A failed write leaves what was there before.
START_TEST(failed_write_keeps_the_old_file) {
  const int64_t len[] = {2, 2};
  hy_buffer *out = random_image(HY_U8, 2, len);
  ck_assert(hy_image_write(in_folder("a.png"), out, HY_IMAGE_QUALITY, said));
  ck_assert_int_eq(chmod(path, 0640), 0);
  out->rank = 1;
  ck_assert(!hy_image_write(path, out, HY_IMAGE_QUALITY, said));
  out->rank = 2;
  ck_assert_int_eq(files(), 1);
  out->data[0] ^= 1;
  ck_assert(hy_image_write(path, out, HY_IMAGE_QUALITY, said));
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  ck_assert_int_eq(about.st_mode & 0777, 0640);
  hy_buffer *in = hy_image_read(path, said);
  ck_assert_mem_eq(in->data, out->data, 4);
  hy_buffer_free(in);
  hy_buffer_free(out);
}
END_TEST

Suite *driver_image_suite(void) {
  Suite *suite = suite_create("driver_image");
  TCase *tests = tcase_create("files");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_loop_test(tests, round_trips, 0, (int)HY_COUNT(held));
  tcase_add_test(tests, int_is_i64);
  tcase_add_test(tests, coordinates);
  tcase_add_test(tests, wide_samples_are_big_endian);
  tcase_add_loop_test(tests, reads_kinds_of_png, 0, (int)HY_COUNT(made));
  tcase_add_loop_test(tests, refuses_outputs, 0, (int)HY_COUNT(refused));
  tcase_add_loop_test(tests, refuses_prefixes, 0, (int)HY_COUNT(cut));
  tcase_add_loop_test(tests, survives_spoilt_bytes, 0, (int)HY_COUNT(cut));
  tcase_add_loop_test(tests, refuses_broken_files, 0, (int)HY_COUNT(broken));
  tcase_add_test(tests, accepts_python_spelling);
  tcase_add_test(tests, missing_and_folder);
  tcase_add_test(tests, failed_write_keeps_the_old_file);
  suite_add_tcase(suite, tests);
  return suite;
}
