#include "cli/images/image_internal.h"

#include "semantics/base/whole_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const hy_loc nowhere = {0};

/* -- reading -- */

void hy_image_broken(const hy_image_bytes *bytes, const char *format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  hy_report(bytes->diagnostics, HY_E_IMAGE_BROKEN, nowhere, NULL, NULL, "'%s': %s", bytes->path, message);
}

hy_buffer *hy_image_buffer(const hy_image_bytes *bytes, hy_type type, int rank, const int64_t *len) {
  const int64_t min[HY_MAX_RANK] = {0};
  hy_buffer *buffer = hy_buffer_new(type, rank, min, len);
  if (!buffer)
    hy_report(bytes->diagnostics, HY_E_RUN_MEMORY, nowhere, NULL, NULL, "'%s' does not fit into memory", bytes->path);
  return buffer;
}

typedef struct {
  bool (*is)(const uint8_t *data, size_t length); // by how it begins
  hy_buffer *(*parse)(const hy_image_bytes *bytes);
} reader;

// NULL: of no known format.
static const reader *reader_of(const uint8_t *data, size_t length) {
  static const reader readers[] = {
      {hy_image_is_png, hy_image_parse_png}, {hy_image_is_tiff, hy_image_parse_tiff},
      {hy_image_is_pnm, hy_image_parse_pnm}, {hy_image_is_jpeg, hy_image_parse_jpeg},
      {hy_image_is_npy, hy_image_parse_npy}, {hy_image_is_pfm, hy_image_parse_pfm},
  };
  for (size_t i = 0; i < HY_COUNT(readers); i++)
    if (readers[i].is(data, length)) return &readers[i];
  return NULL;
}

hy_buffer *hy_image_parse(const char *path, const uint8_t *data, size_t length, hy_diagnostics *diagnostics) {
  hy_image_bytes bytes = {path, data, length, diagnostics};
  const reader *reader = reader_of(data, length);
  if (reader) return reader->parse(&bytes);
  hy_report(diagnostics, HY_E_FILE_KIND, nowhere, NULL, "images are PNG, TIFF, JPEG, PGM, PPM or PFM, and .npy arrays",
            "'%s' %s", path, length ? "is not an image of a known format" : "is empty");
  return NULL;
}

static bool cannot_read(const char *path, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "cannot read '%s': %s", path, strerror(errno));
  return false;
}

// More could not be held twice, which is what reading takes; a pipe need not end.
static bool is_too_long(size_t length) {
  return (long double)length > (long double)sysconf(_SC_PHYS_PAGES) * (long double)sysconf(_SC_PAGESIZE) / 2;
}

static bool read_stream(FILE *file, const char *path, hy_text *content, hy_diagnostics *diagnostics) {
  char piece[1 << 16];
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) {
    hy_text_add_bytes(content, piece, got);
    if (!reader_of((const uint8_t *)content->data, content->length)) break; // /dev/zero has no end
    if (!is_too_long(content->length)) continue;
    hy_report(diagnostics, HY_E_RUN_MEMORY, nowhere, NULL, NULL, "'%s' does not fit into memory", path);
    return false;
  }
  return !ferror(file) || cannot_read(path, diagnostics); // a folder opens and fails here
}

static bool read_file(const char *path, hy_text *content, hy_diagnostics *diagnostics) {
  FILE *file = fopen(path, "rb");
  if (!file) return cannot_read(path, diagnostics);
  bool fine = read_stream(file, path, content, diagnostics);
  fclose(file);
  return fine;
}

hy_buffer *hy_image_read(const char *path, hy_diagnostics *diagnostics) {
  hy_text content = {0};
  hy_buffer *buffer = NULL;
  bool is_stdin = strcmp(path, "-") == 0;
  if (is_stdin) path = "standard input";
  if (is_stdin ? read_stream(stdin, path, &content, diagnostics) : read_file(path, &content, diagnostics))
    buffer = hy_image_parse(path, (const uint8_t *)hy_text_string(&content), content.length, diagnostics);
  hy_text_free(&content);
  return buffer;
}

bool hy_image_adopt(hy_buffer *buffer, hy_type type) {
  if ((buffer->type == HY_I64 && type == HY_INT) || (buffer->type == HY_INT && type == HY_I64)) buffer->type = type;
  return buffer->type == type;
}

void hy_image_describe(const hy_buffer *buffer, hy_text *out) {
  hy_text_printf(out, "%s[%d]", hy_type_name(buffer->type), buffer->rank);
  for (int d = 0; d < buffer->rank; d++) hy_text_printf(out, "%s%lld", d ? " x " : ", ", (long long)buffer->len[d]);
}

/* -- writing -- */

typedef enum {
  FORMAT_PNG,
  FORMAT_TIFF,
  FORMAT_JPEG,
  FORMAT_PGM,
  FORMAT_PPM,
  FORMAT_PFM,
  FORMAT_NPY,
  FORMAT_TEXT,
  FORMAT_FITTING, // standard output without a word: of PGM, PPM and .npy the first that holds the output
  FORMAT_UNKNOWN,
} file_format;

static file_format format_called(const char *name, size_t length) {
  static const struct {
    const char *name;
    file_format format;
  } rows[] = {
      {"png", FORMAT_PNG}, {"tif", FORMAT_TIFF}, {"tiff", FORMAT_TIFF}, {"jpg", FORMAT_JPEG}, {"jpeg", FORMAT_JPEG},
      {"pgm", FORMAT_PGM}, {"ppm", FORMAT_PPM},  {"pfm", FORMAT_PFM},   {"npy", FORMAT_NPY},  {"txt", FORMAT_TEXT},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strlen(rows[i].name) == length && strncasecmp(rows[i].name, name, length) == 0) return rows[i].format;
  return FORMAT_UNKNOWN;
}

bool hy_image_is_stream_name(const char *path) {
  size_t length = strlen(path);
  return strcmp(path, "-") == 0 || (length > 2 && strcmp(path + length - 2, ":-") == 0);
}

static file_format format_of(const char *path) {
  if (strcmp(path, "-") == 0) return FORMAT_FITTING;
  if (hy_image_is_stream_name(path)) return format_called(path, strlen(path) - 2);
  const char *dot = strrchr(path, '.');
  return dot ? format_called(dot + 1, strlen(dot + 1)) : FORMAT_UNKNOWN;
}

bool hy_image_is_jpeg_name(const char *path) { return format_of(path) == FORMAT_JPEG; }

static const char *refuses(file_format format, hy_type type, int rank, const int64_t *len) {
  switch (format) {
  case FORMAT_PNG: return hy_image_png_refuses(type, rank, len);
  case FORMAT_TIFF: return hy_image_tiff_refuses(type, rank, len);
  case FORMAT_JPEG: return hy_image_jpeg_refuses(type, rank, len);
  case FORMAT_PGM: return hy_image_pgm_refuses(type, rank, len);
  case FORMAT_PPM: return hy_image_ppm_refuses(type, rank, len);
  case FORMAT_PFM: return hy_image_pfm_refuses(type, rank, len);
  case FORMAT_TEXT: return hy_image_text_refuses(type, rank, len);
  case FORMAT_NPY:
  case FORMAT_FITTING: return NULL;
  case FORMAT_UNKNOWN: return "nothing";
  }
  HY_UNREACHABLE();
}

static bool no_format(const char *path, hy_diagnostics *diagnostics) {
  bool is_stream = hy_image_is_stream_name(path);
  hy_report(diagnostics, HY_E_OUTPUT_FORMAT, nowhere, NULL,
            is_stream ? "write -, or one of png, tiff, jpg, pgm, ppm, pfm, npy and txt before :-"
                      : "end its name in .png, .tif, .jpg, .pgm, .ppm, .pfm, .npy or .txt",
            "the name '%s' does not say which format to write", path);
  return false;
}

static bool format_fits(const char *path, hy_type type, int rank, const int64_t *len, hy_diagnostics *diagnostics) {
  file_format format = format_of(path);
  if (format == FORMAT_UNKNOWN) return no_format(path, diagnostics);
  const char *holds = refuses(format, type, rank, len);
  if (!holds) return true;
  char shape[24 * HY_MAX_RANK] = "";
  for (int d = 0, at = 0; len && d < rank; d++)
    at += snprintf(shape + at, sizeof shape - (size_t)at, "%s%lld", d ? " x " : ", ", (long long)len[d]);
  hy_report(diagnostics, HY_E_OUTPUT_FORMAT, nowhere, NULL,
            "write .npy, which holds any type and rank, or convert in the output func",
            "'%s' cannot hold the output, which is %s[%d]%s; it holds %s", path, hy_type_name(type), rank, shape,
            holds);
  return false;
}

static bool cannot_write(const char *path, const char *why, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, why);
  return false;
}

static bool can_write_there(const char *path, hy_diagnostics *diagnostics) {
  struct stat about;
  hy_whole_file file;
  if (hy_image_is_stream_name(path))
    return format_of(path) == FORMAT_TEXT || !isatty(STDOUT_FILENO) ||
           cannot_write(path, "standard output is a terminal", diagnostics);
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return cannot_write(path, S_ISDIR(about.st_mode) ? "it is a folder" : "it is not a plain file", diagnostics);
  if (!hy_whole_file_open(&file, path)) return cannot_write(path, strerror(errno), diagnostics);
  hy_whole_file_drop(&file);
  return true;
}

bool hy_image_can_write(const char *path, hy_type type, int rank, const int64_t *len, hy_diagnostics *diagnostics) {
  return format_fits(path, type, rank, len, diagnostics) && can_write_there(path, diagnostics);
}

static file_format fitting(const hy_buffer *buffer) {
  for (file_format format = FORMAT_PGM; format <= FORMAT_PPM; format++)
    if (!refuses(format, buffer->type, buffer->rank, buffer->len)) return format;
  return FORMAT_NPY;
}

static bool write_format(FILE *file, file_format format, const hy_buffer *buffer, int quality) {
  switch (format) {
  case FORMAT_PNG: return hy_image_write_png(file, buffer);
  case FORMAT_TIFF: return hy_image_write_tiff(file, buffer);
  case FORMAT_JPEG: return hy_image_write_jpeg(file, buffer, quality);
  case FORMAT_PGM:
  case FORMAT_PPM: return hy_image_write_pnm(file, buffer);
  case FORMAT_PFM: return hy_image_write_pfm(file, buffer);
  case FORMAT_NPY: return hy_image_write_npy(file, buffer);
  case FORMAT_TEXT: return hy_image_write_text(file, buffer);
  case FORMAT_FITTING: return write_format(file, fitting(buffer), buffer, quality);
  case FORMAT_UNKNOWN: return false;
  }
  HY_UNREACHABLE();
}

static const char *failure(int why) { return why ? strerror(why) : "the encoder failed"; }

// Encoded as a whole before the first byte is written.
static bool write_stdout(const char *path, const hy_buffer *buffer, int quality, hy_diagnostics *diagnostics) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&bytes, &length);
  if (!memory) return cannot_write(path, strerror(errno), diagnostics);
  errno = 0;
  bool fine = write_format(memory, format_of(path), buffer, quality);
  fine = fclose(memory) == 0 && fine;
  fine = fine && fwrite(bytes, 1, length, stdout) == length && fflush(stdout) == 0;
  int why = errno;
  free(bytes);
  return fine || cannot_write(path, failure(why), diagnostics);
}

bool hy_image_write(const char *path, const hy_buffer *buffer, int quality, hy_diagnostics *diagnostics) {
  hy_whole_file file;
  if (!format_fits(path, buffer->type, buffer->rank, buffer->len, diagnostics)) return false;
  if (hy_image_is_stream_name(path)) return write_stdout(path, buffer, quality, diagnostics);
  if (!hy_whole_file_open(&file, path)) return cannot_write(path, strerror(errno), diagnostics);
  errno = 0;
  if (write_format(file.stream, format_of(path), buffer, quality))
    return hy_whole_file_keep(&file) || cannot_write(path, strerror(errno), diagnostics);
  int why = errno;
  hy_whole_file_drop(&file);
  return cannot_write(path, failure(why), diagnostics);
}
