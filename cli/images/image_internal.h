#ifndef HY_IMAGE_INTERNAL_H
#define HY_IMAGE_INTERNAL_H

/* Between image.c and the formats, one file each. */

#include "cli/images/image.h"

#include <stdio.h>

// The bytes of a file being read; "path" and "diagnostics" are for what goes wrong.
typedef struct hy_image_bytes {
  const char *path;
  const uint8_t *data;
  size_t length;
  hy_diagnostics *diagnostics;
} hy_image_bytes;

void hy_image_broken(const hy_image_bytes *bytes, const char *format, ...) HY_PRINTF(2, 3);
// A zeroed buffer with every min 0; NULL after reporting that it does not fit into memory.
HY_GIVE hy_buffer *hy_image_buffer(const hy_image_bytes *bytes, hy_type type, int rank, const int64_t *len);

bool hy_image_is_png(const uint8_t *data, size_t length);
bool hy_image_is_pnm(const uint8_t *data, size_t length);
bool hy_image_is_npy(const uint8_t *data, size_t length);
bool hy_image_is_pfm(const uint8_t *data, size_t length);
bool hy_image_is_tiff(const uint8_t *data, size_t length);
bool hy_image_is_jpeg(const uint8_t *data, size_t length);
HY_GIVE hy_buffer *hy_image_parse_png(const hy_image_bytes *bytes);
HY_GIVE hy_buffer *hy_image_parse_pnm(const hy_image_bytes *bytes);
HY_GIVE hy_buffer *hy_image_parse_npy(const hy_image_bytes *bytes);
HY_GIVE hy_buffer *hy_image_parse_pfm(const hy_image_bytes *bytes);
HY_GIVE hy_buffer *hy_image_parse_tiff(const hy_image_bytes *bytes);
HY_GIVE hy_buffer *hy_image_parse_jpeg(const hy_image_bytes *bytes);

// NULL if the format can hold it, else what it can hold ("u8 or u16 images of rank 2 ...").
const char *hy_image_png_refuses(hy_type type, int rank, const int64_t *len);
const char *hy_image_pgm_refuses(hy_type type, int rank, const int64_t *len);
const char *hy_image_ppm_refuses(hy_type type, int rank, const int64_t *len);
const char *hy_image_pfm_refuses(hy_type type, int rank, const int64_t *len);
const char *hy_image_tiff_refuses(hy_type type, int rank, const int64_t *len);
const char *hy_image_jpeg_refuses(hy_type type, int rank, const int64_t *len);
const char *hy_image_text_refuses(hy_type type, int rank, const int64_t *len);
// requires: not refused. False if writing failed (errno or the library says why; the caller reports).
bool hy_image_write_png(FILE *file, const hy_buffer *buffer);
bool hy_image_write_pnm(FILE *file, const hy_buffer *buffer);
bool hy_image_write_npy(FILE *file, const hy_buffer *buffer);
bool hy_image_write_pfm(FILE *file, const hy_buffer *buffer);
bool hy_image_write_text(FILE *file, const hy_buffer *buffer);
bool hy_image_write_tiff(FILE *file, const hy_buffer *buffer);
bool hy_image_write_jpeg(FILE *file, const hy_buffer *buffer, int quality); // from 1 to 100

#endif
