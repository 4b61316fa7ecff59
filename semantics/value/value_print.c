/* Values as literals of the language, which read back as the same value where their type is known: of a float the
 * fewest digits that do; of NaN and the infinities, which have no literals, a quotient. Of an error its name.
 */

#include "semantics/value/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reads_back(const char *digits, hy_type type, double d) {
  return hy_value_to_double(hy_value_from_text(type, digits)) == d;
}

// The fewest significant digits that read back as "d", with a point: "0.5", "-0.0", "1.0e20".
static void print_finite(hy_type type, double d, hy_text *out) {
  char digits[40];
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, d);
    if (reads_back(digits, type, d)) break;
  }
  char *exponent = strchr(digits, 'e');
  size_t mantissa = exponent ? (size_t)(exponent - digits) : strlen(digits);
  hy_text_add_bytes(out, digits, mantissa);
  if (!memchr(digits, '.', mantissa)) hy_text_add(out, ".0");
  if (exponent) hy_text_printf(out, "e%d", atoi(exponent + 1));
}

static void print_float(hy_type type, double d, hy_text *out) {
  bool converts = hy_type_is_storage(type) && !isfinite(d); // there is no division of these
  if (converts) hy_text_add(out, hy_type_name(type));
  if (isnan(d))
    hy_text_add(out, "(0.0 / 0.0)");
  else if (isinf(d))
    hy_text_add(out, d > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)");
  else
    print_finite(type, d, out);
}

void hy_value_print(hy_value value, hy_text *out) {
  if (value.error != HY_OK) {
    hy_text_add(out, hy_error_name(value.error));
    return;
  }
  switch (hy_type_class_of(value.type)) {
  case HY_CLASS_BOOL: hy_text_add(out, value.u ? "true" : "false"); return;
  case HY_CLASS_INTEGER:
  case HY_CLASS_SIGNED: hy_text_printf(out, "%" PRId64, value.i); return;
  case HY_CLASS_UNSIGNED: hy_text_printf(out, "%" PRIu64, value.u); return;
  case HY_CLASS_FLOAT: print_float(value.type, hy_value_to_double(value), out); return;
  }
  HY_UNREACHABLE();
}
