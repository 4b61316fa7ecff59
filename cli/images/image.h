#ifndef HY_IMAGE_H
#define HY_IMAGE_H

/* Images on disk: PNG, TIFF, JPEG, PGM and PPM, PFM, .npy. Coordinates are (x, y, c, ...), x fastest; an .npy array is
 * [..., c, y, x]. Small outputs are written as text, too, for people.
 *
 * Reading looks at a file's content, writing at its name. Nothing is scaled or converted. A malformed, truncated or
 * hostile file is reported and gives NULL; what a library says of it stands in the report, and memory is not asked for
 * that so few bytes cannot fill. A written file appears complete or not at all.
 *
 * "-" is standard input, or standard output: there "png:-" is a format, and "-" alone is PGM or PPM where these hold the
 * output, else .npy.
 */

#include "semantics/alg/input.h"
#include "semantics/base/diagnostic.h"

// An image's place: what its first element's coordinates are is the caller's to decide, so every min is 0.
// .npy's "<i8" reads as i64; see hy_image_adopt.
HY_GIVE hy_buffer *hy_image_read(const char *path, hy_diagnostics *diagnostics);
HY_GIVE hy_buffer *hy_image_parse(const char *path, const uint8_t *bytes, size_t length, hy_diagnostics *diagnostics);
// "int" and i64 are one thing in a file: retypes the buffer if that makes it "type". True if it has that type then.
bool hy_image_adopt(hy_buffer *buffer, hy_type type);

// Can "path" hold an output of that type and shape, and can it be written? Asked before a long run. "len" may be NULL:
// then only what type and rank say is checked.
bool hy_image_can_write(const char *path, hy_type type, int rank, const int64_t *len, hy_diagnostics *diagnostics);
// "quality" is of JPEG, from 1 to 100.
bool hy_image_write(const char *path, const hy_buffer *buffer, int quality, hy_diagnostics *diagnostics);

enum { HY_IMAGE_QUALITY = 90 };                 // where none is given
bool hy_image_is_jpeg_name(const char *path);   // would it be written as JPEG?
bool hy_image_is_stream_name(const char *path); // "-", or a format before it: does it go to standard output?

// "u16[2], 640 x 480"
void hy_image_describe(const hy_buffer *buffer, hy_text *out);

#endif
