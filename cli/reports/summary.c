#include "cli/reports/summary.h"

#include "engines/engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

long double hy_number_of(hy_value value) {
  switch (hy_type_class_of((hy_type)value.type)) {
  case HY_CLASS_INTEGER:
  case HY_CLASS_SIGNED: return (long double)value.i;
  case HY_CLASS_BOOL:
  case HY_CLASS_UNSIGNED: return (long double)value.u;
  case HY_CLASS_FLOAT: return (long double)hy_value_to_double(value);
  }
  HY_UNREACHABLE();
}

hy_summary hy_summarize(const hy_buffer *buffer) {
  hy_summary summary = {.checksum = hy_checksum(buffer)};
  long double sum = 0, least = 0, greatest = 0;
  size_t bytes = hy_type_bytes(buffer->type);
  for (size_t i = 0; i < buffer->count; i++) {
    hy_value value = hy_value_load(buffer->type, buffer->data + i * bytes);
    long double number = hy_number_of(value);
    if (isnan(number)) {
      summary.nans++;
      continue;
    }
    if (!summary.numbers || number < least) least = number, summary.least = value;
    if (!summary.numbers || number > greatest) greatest = number, summary.greatest = value;
    summary.numbers++;
    sum += number;
  }
  summary.mean = summary.numbers ? (double)(sum / (long double)summary.numbers) : 0;
  return summary;
}

void hy_summary_report(const hy_summary *summary, const hy_buffer *buffer, hy_record *of, hy_reporter *reporter) {
  hy_record *record = hy_record_child(of, "summary");
  char checksum[24];
  snprintf(checksum, sizeof checksum, "%016" PRIx64, summary->checksum);
  hy_record_text(record, "checksum", checksum);
  hy_record_int(record, "elements", (int64_t)buffer->count);
  hy_record_int(record, "nans", (int64_t)summary->nans);
  if (summary->numbers) {
    hy_text least = {0}, greatest = {0};
    hy_value_print(summary->least, &least);
    hy_value_print(summary->greatest, &greatest);
    hy_record_text(record, "min", hy_text_string(&least));
    hy_record_text(record, "max", hy_text_string(&greatest));
    hy_record_real(record, "mean", summary->mean);
    hy_reporter_print(reporter, "  min %s, max %s", hy_text_string(&least), hy_text_string(&greatest));
    if (!isnan(summary->mean)) hy_reporter_print(reporter, ", mean %.6g", summary->mean); // of both infinities: none
    hy_reporter_print(reporter, "\n");
    hy_text_free(&least);
    hy_text_free(&greatest);
  }
  if (summary->nans)
    hy_reporter_print(reporter, "  %zu of %zu elements are not a number\n", summary->nans, buffer->count);
  hy_reporter_print(reporter, "  checksum %s\n", checksum);
}
