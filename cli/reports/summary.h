#ifndef HY_SUMMARY_H
#define HY_SUMMARY_H

/* An output in a few numbers: the same for the same elements, whatever computed them. */

#include "cli/session/report.h"
#include "semantics/alg/input.h"

typedef struct hy_summary {
  size_t numbers, nans;     // elements that are a number, and those that are not
  hy_value least, greatest; // valid if numbers > 0
  double mean;
  uint64_t checksum;
} hy_summary;

// requires: no errors in the buffer
// Exact for every type: a long double holds 64 bits.
long double hy_number_of(hy_value value);
hy_summary hy_summarize(const hy_buffer *buffer);
// As "summary" of the record.
void hy_summary_report(const hy_summary *summary, const hy_buffer *buffer, hy_record *of, hy_reporter *reporter);

#endif
