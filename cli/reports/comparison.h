#ifndef HY_COMPARISON_H
#define HY_COMPARISON_H

/* An output held against a file (halyard run --compare): how many points differ, by how much, and where the first is.
 *
 * What counts is the absolute difference of two numbers, so that 0 and -0 are equal; NaNs are one value (decision D1).
 * A point at which the output is an error value is no number that could be compared, and is counted apart.
 */

#include "cli/session/session.h"

typedef struct hy_comparison {
  uint64_t points, errors, differing; // all; where the output is an error value; of the others, those that differ
  uint64_t nans;                      // of those that differ: where one of the two is NaN, so that there is no distance
  double greatest, mean;              // the absolute difference, where both are numbers; 0 if they are nowhere
  int64_t point[HY_MAX_RANK];         // the first that differs, in the output's coordinates, and what stands there
  hy_value computed, expected;
} hy_comparison;

// requires: same type, rank and lengths; "expected" holds no errors. A difference of at most "tolerance" is none.
hy_comparison hy_comparison_of(const hy_buffer *computed, const hy_buffer *expected, double tolerance);

// The file that a part of an output is compared with, on the output's window; NULL after reporting that it cannot be read or is of
// another type, rank or size.
HY_GIVE hy_buffer *hy_comparison_read(hy_session *session, const char *path, const hy_output_part *part,
                                      const hy_input *input);
// Says what was found, in text and as a record. HY_STATUS_WRONG after reporting that they differ.
hy_status hy_comparison_report(hy_session *session, const hy_output_part *part, const char *path,
                               const hy_comparison *comparison);

#endif
