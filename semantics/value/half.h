#ifndef HY_HALF_H
#define HY_HALF_H

/* f16 and bf16, the floats that are stored and not computed with: their bits and their numbers (VAL.Cast, VAL.Reinterpret). f16 is IEEE
 * 754 binary16; bf16 is the upper half of a binary32. Integer arithmetic alone, exact until the one rounding, to nearest
 * even: subnormal numbers are kept, what is too large becomes an infinity, every NaN is one. All functions are pure.
 *
 * "type" is HY_F16 or HY_BF16.
 */

#include "semantics/value/value.h"

uint16_t hy_half_from_double(hy_type type, double d);
// (-1)^is_negative * magnitude, rounded once
uint16_t hy_half_from_integer(hy_type type, bool is_negative, uint64_t magnitude);
// Of a number as strtod reads it, rounded once from the text: by way of a double it would be rounded twice.
uint16_t hy_half_from_text(hy_type type, const char *text);
bool hy_half_is_nan(hy_type type, uint64_t bits);
uint16_t hy_half_nan(hy_type type); // the bits of the one NaN

#endif
