#include "semantics/value/value_parse.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool hy_take_uint(const char **at, uint64_t *value) {
  const char *p = *at;
  uint64_t total = 0;
  for (; *p >= '0' && *p <= '9'; p++)
    if (__builtin_mul_overflow(total, UINT64_C(10), &total) ||
        __builtin_add_overflow(total, (uint64_t)(*p - '0'), &total))
      return false;
  if (p == *at) return false;
  *at = p;
  *value = total;
  return true;
}

bool hy_take_int(const char **at, int64_t *value) {
  const char *p = *at;
  bool negative = *p == '-';
  uint64_t size;
  if (*p == '-' || *p == '+') p++;
  if (!hy_take_uint(&p, &size) || size > (uint64_t)INT64_MAX + negative) return false;
  *value = negative ? (int64_t)(0 - size) : (int64_t)size;
  *at = p;
  return true;
}

static bool is_whole_number(const char *text) {
  if (*text == '-' || *text == '+') text++;
  return *text && text[strspn(text, "0123456789")] == 0;
}

static bool parse_integral(const char *text, hy_type type, hy_value *value, const char **why) {
  static const char *const ranges[] = {
      [HY_INT] = "is outside -2^63 .. 2^63 - 1", [HY_U8] = "is outside 0 .. 255",
      [HY_U16] = "is outside 0 .. 65535",        [HY_U32] = "is outside 0 .. 2^32 - 1",
      [HY_U64] = "is outside 0 .. 2^64 - 1",     [HY_I8] = "is outside -128 .. 127",
      [HY_I16] = "is outside -32768 .. 32767",   [HY_I32] = "is outside -2^31 .. 2^31 - 1",
      [HY_I64] = "is outside -2^63 .. 2^63 - 1",
  };
  *why = "is not a whole number";
  if (!is_whole_number(text)) return false;
  *why = ranges[type];
  int64_t least, greatest, number;
  hy_type_range(type, &least, &greatest);
  if (type == HY_U64) {
    uint64_t size;
    if (*text == '+') text++;
    *value = hy_value_zero(type);
    if (!hy_take_uint(&text, &size)) return false;
    value->u = size;
    return true;
  }
  if (!hy_take_int(&text, &number) || number < least || number > greatest) return false;
  *value = hy_value_integral(type, number);
  return true;
}

static bool parse_bool(const char *text, hy_value *value, const char **why) {
  bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  *why = "is neither true nor false";
  if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0) return false;
  *value = hy_value_bool(yes);
  return true;
}

bool hy_parse_double(const char *text, double *value) {
  if (!*text || strspn(text, " \t\r\n")) return false;
  char *end;
  *value = strtod(text, &end);
  return *end == 0;
}

static bool parse_float(const char *text, hy_type type, hy_value *value, const char **why) {
  double number;
  *why = "is not a number";
  if (!hy_parse_double(text, &number)) return false;
  static const char *const large[] = {[HY_F32] = "is too large for f32",
                                      [HY_F64] = "is too large for f64",
                                      [HY_F16] = "is too large for f16",
                                      [HY_BF16] = "is too large for bf16"};
  bool written_infinite = strcspn(text, "iI") < strlen(text);
  *value = hy_value_from_text(type, text);
  *why = large[type];
  return written_infinite || !isinf(hy_value_to_double(*value));
}

bool hy_parse_value(const char *text, hy_type type, hy_value *value, const char **why) {
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER:
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return parse_integral(text, type, value, why);
  case HY_CLASS_BOOL: return parse_bool(text, value, why);
  case HY_CLASS_FLOAT: return parse_float(text, type, value, why);
  }
  HY_UNREACHABLE();
}

/* -- suggestions -- */

enum { WORD_LIMIT = 40 };

// How many letters must be changed, added or dropped to make one word of the other (Levenshtein).
static size_t distance(const char *a, const char *b) {
  size_t row[WORD_LIMIT + 1], width = strlen(b);
  for (size_t j = 0; j <= width; j++) row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 1; j <= width; j++) {
      size_t changed = diagonal + (a[i] != b[j - 1]);
      diagonal = row[j];
      size_t moved = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = changed < moved ? changed : moved;
    }
  }
  return row[width];
}

const char *hy_nearest(const char *word, const char *const *candidates, size_t count) {
  const char *best = NULL;
  size_t least = strlen(word) / 3 + 1;
  if (strlen(word) > WORD_LIMIT) return NULL;
  for (size_t i = 0; i < count; i++) {
    if (!candidates[i] || strlen(candidates[i]) > WORD_LIMIT) continue;
    size_t far = distance(word, candidates[i]);
    if (far > least || far >= strlen(candidates[i]) || (best && far == least)) continue;
    best = candidates[i];
    least = far;
  }
  return best;
}
