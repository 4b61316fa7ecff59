// Text: a small output for people, one line for each row, columns of one width. numpy.loadtxt reads it, too.

#include "cli/images/image_internal.h"
#include "semantics/value/half.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NUMBERS = 10000 };

const char *hy_image_text_refuses(hy_type type, int rank, const int64_t *len) {
  (void)type;
  long double count = 1;
  for (int d = 0; len && d < rank; d++) count *= (long double)len[d];
  return count <= MOST_NUMBERS ? NULL : "at most 10000 numbers, for people to read";
}

static bool reads_back(hy_value value, const char *text) {
  hy_type type = (hy_type)value.type;
  if (hy_type_is_storage(type)) return hy_half_from_text(type, text) == value.u;
  return type == HY_F32 ? strtof(text, NULL) == value.f32 : strtod(text, NULL) == value.f64;
}

// The fewest digits that read back.
static void print_float(hy_value value, hy_text *out) {
  double number = hy_value_to_double(value);
  char text[40] = "nan";
  for (int digits = 1; digits <= 17 && !isnan(number); digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (reads_back(value, text)) break;
  }
  hy_text_add(out, text);
}

static void print_number(const hy_buffer *buffer, size_t index, hy_text *out) {
  hy_value value = hy_value_load(buffer->type, buffer->data + index * hy_type_bytes(buffer->type));
  switch (hy_type_class_of(buffer->type)) {
  case HY_CLASS_BOOL: hy_text_add(out, value.u ? "1" : "0"); return;
  case HY_CLASS_FLOAT: print_float(value, out); return;
  case HY_CLASS_INTEGER:
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: hy_value_print(value, out); return;
  }
  HY_UNREACHABLE();
}

static size_t widest(const hy_buffer *buffer) {
  size_t width = 0;
  for (size_t i = 0; i < buffer->count; i++) {
    hy_text number = {0};
    print_number(buffer, i, &number);
    if (number.length > width) width = number.length;
    hy_text_free(&number);
  }
  return width;
}

// "# u8[3], 6 x 3 x 2, from (0, 0, 0)"
static void print_shape(const hy_buffer *buffer, hy_text *out) {
  hy_text_add(out, "# ");
  hy_image_describe(buffer, out);
  for (int d = 0; d < buffer->rank; d++)
    hy_text_printf(out, "%s%lld", d ? ", " : ", from (", (long long)buffer->min[d]);
  hy_text_add(out, buffer->rank ? ")\n" : "\n");
}

// "# (.., .., 1)": the coordinates behind the first two of what follows.
static void print_plane(const hy_buffer *buffer, size_t plane, hy_text *out) {
  hy_text_add(out, "# (.., ..");
  for (int d = 2; d < buffer->rank; d++) {
    size_t len = (size_t)buffer->len[d];
    hy_text_printf(out, ", %lld", (long long)buffer->min[d] + (long long)(plane % len));
    plane /= len;
  }
  hy_text_add(out, ")\n");
}

bool hy_image_write_text(FILE *file, const hy_buffer *buffer) {
  size_t columns = buffer->rank > 0 ? (size_t)buffer->len[0] : 1;
  size_t plane = columns * (buffer->rank > 1 ? (size_t)buffer->len[1] : 1), width = widest(buffer);
  hy_text text = {0};
  print_shape(buffer, &text);
  for (size_t i = 0; i < buffer->count; i++) {
    hy_text number = {0};
    if (buffer->rank > 2 && i % plane == 0) print_plane(buffer, i / plane, &text);
    print_number(buffer, i, &number);
    hy_text_printf(&text, "%s%*s%s", i % columns ? " " : "", (int)width, hy_text_string(&number),
                   i % columns == columns - 1 ? "\n" : "");
    hy_text_free(&number);
  }
  fwrite(hy_text_string(&text), 1, text.length, file);
  hy_text_free(&text);
  return !ferror(file);
}
