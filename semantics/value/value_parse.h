#ifndef HY_PARSE_H
#define HY_PARSE_H

/* Numbers and values as the command line writes them. The take functions read a prefix and move *at behind it; nothing
 * but digits (and a sign) counts, so no blank, locale or base surprises anybody. False if there is none or it
 * overflows.
 */

#include "semantics/value/value.h"

bool hy_take_int(const char **at, int64_t *value);
bool hy_take_uint(const char **at, uint64_t *value);

// The whole text as a value of a type. False: *why is "is not a whole number", "is outside 0 .. 255", ...
bool hy_parse_value(const char *text, hy_type type, hy_value *value, const char **why);
bool hy_parse_double(const char *text, double *value);

// The candidate that "word" was probably meant to be; NULL if none is near. "count" candidates, NULL ones are skipped.
const char *hy_nearest(const char *word, const char *const *candidates, size_t count);

#endif
