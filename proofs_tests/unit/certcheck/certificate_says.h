#ifndef HY_PROOFS_TESTS_CERTIFICATE_SAYS_H
#define HY_PROOFS_TESTS_CERTIFICATE_SAYS_H

/* Does a certificate speak of its obligation (decision D64)? Its formulas are read off the table and held against the
 * obligation's, node by node; no code of oracle/ is asked.
 */

#include "proofs_tests/unit/certcheck/certificate_slices.h"

#include "bounds/query.h"

typedef enum {
  SAYS_IT,
  SAYS_MORE, // "(for any ...)": divisors or hulls are unknowns there
  SAYS_ELSE,
} says;

// "part": 0, or which of the numbers that fit.
says certificate_says(hy_context *context, const slice *s, const hy_obligation *obligation, int part);

#endif
