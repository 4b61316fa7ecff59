#ifndef HY_PROOFS_TESTS_CERTIFICATE_SAYS_H
#define HY_PROOFS_TESTS_CERTIFICATE_SAYS_H

/* Does a certificate speak of its obligation (decision D64)? Its formulas are read off the table and held against the
 * obligation's, node by node; no code of oracle/ is asked.
 */

#include "proofs_tests/unit/certcheck/certificate_slices.h"

#include "bounds/query.h"
#include "oracle/prover/pair_map.h"

typedef enum {
  SAYS_IT,
  SAYS_MORE, // "(for any ...)": divisors or hulls are unknowns there
  SAYS_ELSE,
} says;

// Lines and expressions that were held against each other: certificates of a file share most of their facts.
typedef struct certificate_reader {
  hy_context *context;
  const slice_file *file;
  hy_pair_map alike, unlike; // (expression, row) -> row
} certificate_reader;
void certificate_reader_free(certificate_reader *reader);

// The certificate that begins in row "at". "part": 0, or which of the numbers that fit.
says certificate_says(certificate_reader *reader, int at, const hy_obligation *obligation, int part);

#endif
