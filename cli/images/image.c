#include "cli/images/image_internal.h"

#include "semantics/base/whole_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

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

static bool is_image(const uint8_t *data, size_t length) {
  return hy_image_is_png(data, length) || hy_image_is_pnm(data, length) || hy_image_is_npy(data, length);
}

hy_buffer *hy_image_parse(const char *path, const uint8_t *data, size_t length, hy_diagnostics *diagnostics) {
  hy_image_bytes bytes = {path, data, length, diagnostics};
  if (hy_image_is_png(data, length)) return hy_image_parse_png(&bytes);
  if (hy_image_is_pnm(data, length)) return hy_image_parse_pnm(&bytes);
  if (hy_image_is_npy(data, length)) return hy_image_parse_npy(&bytes);
  hy_report(diagnostics, HY_E_FILE_KIND, nowhere, NULL, "images are PNG, PGM or PPM, and .npy arrays", "'%s' %s", path,
            length ? "is not an image of a known format" : "is empty");
  return NULL;
}

static bool cannot_read(const char *path, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "cannot read '%s': %s", path, strerror(errno));
  return false;
}

static bool read_file(const char *path, hy_text *content, hy_diagnostics *diagnostics) {
  FILE *file = fopen(path, "rb");
  if (!file) return cannot_read(path, diagnostics);
  char piece[1 << 16];
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) {
    hy_text_add_bytes(content, piece, got);
    if (!is_image((const uint8_t *)content->data, content->length)) break; // /dev/zero has no end
  }
  bool fine = !ferror(file) || cannot_read(path, diagnostics); // a folder opens and fails here
  fclose(file);
  return fine;
}

hy_buffer *hy_image_read(const char *path, hy_diagnostics *diagnostics) {
  hy_text content = {0};
  hy_buffer *buffer = NULL;
  if (read_file(path, &content, diagnostics))
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

typedef enum { FORMAT_PNG, FORMAT_PGM, FORMAT_PPM, FORMAT_NPY, FORMAT_UNKNOWN } file_format;

static file_format format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (!dot) return FORMAT_UNKNOWN;
  if (strcasecmp(dot, ".png") == 0) return FORMAT_PNG;
  if (strcasecmp(dot, ".pgm") == 0) return FORMAT_PGM;
  if (strcasecmp(dot, ".ppm") == 0) return FORMAT_PPM;
  if (strcasecmp(dot, ".npy") == 0) return FORMAT_NPY;
  return FORMAT_UNKNOWN;
}

static const char *refuses(file_format format, hy_type type, int rank, const int64_t *len) {
  switch (format) {
  case FORMAT_PNG: return hy_image_png_refuses(type, rank, len);
  case FORMAT_PGM: return hy_image_pgm_refuses(type, rank, len);
  case FORMAT_PPM: return hy_image_ppm_refuses(type, rank, len);
  case FORMAT_NPY: return NULL;
  case FORMAT_UNKNOWN: return "nothing";
  }
  HY_UNREACHABLE();
}

static bool format_fits(const char *path, hy_type type, int rank, const int64_t *len, hy_diagnostics *diagnostics) {
  file_format format = format_of(path);
  if (format == FORMAT_UNKNOWN) {
    hy_report(diagnostics, HY_E_OUTPUT_FORMAT, nowhere, NULL, "end its name in .png, .pgm, .ppm or .npy",
              "the name '%s' does not say which format to write", path);
    return false;
  }
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
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return cannot_write(path, S_ISDIR(about.st_mode) ? "it is a folder" : "it is not a plain file", diagnostics);
  if (!hy_whole_file_open(&file, path)) return cannot_write(path, strerror(errno), diagnostics);
  hy_whole_file_drop(&file);
  return true;
}

bool hy_image_can_write(const char *path, hy_type type, int rank, const int64_t *len, hy_diagnostics *diagnostics) {
  return format_fits(path, type, rank, len, diagnostics) && can_write_there(path, diagnostics);
}

static bool write_format(FILE *file, file_format format, const hy_buffer *buffer) {
  switch (format) {
  case FORMAT_PNG: return hy_image_write_png(file, buffer);
  case FORMAT_PGM:
  case FORMAT_PPM: return hy_image_write_pnm(file, buffer);
  case FORMAT_NPY: return hy_image_write_npy(file, buffer);
  case FORMAT_UNKNOWN: return false;
  }
  HY_UNREACHABLE();
}

bool hy_image_write(const char *path, const hy_buffer *buffer, hy_diagnostics *diagnostics) {
  hy_whole_file file;
  if (!format_fits(path, buffer->type, buffer->rank, buffer->len, diagnostics)) return false;
  if (!hy_whole_file_open(&file, path)) return cannot_write(path, strerror(errno), diagnostics);
  errno = 0;
  if (write_format(file.stream, format_of(path), buffer))
    return hy_whole_file_keep(&file) || cannot_write(path, strerror(errno), diagnostics);
  int why = errno;
  hy_whole_file_drop(&file);
  return cannot_write(path, why ? strerror(why) : "the encoder failed", diagnostics);
}
