#ifndef HY_TUNE_REPORT_H
#define HY_TUNE_REPORT_H

/* What 'halyard tune' found and why: the graph of funcs in their groups, where each went, the steps of level 1, and
 * everything that was measured. As a page that needs nothing else (--report), and in the JSON answer. */

#include "autosched/measured.h"
#include "cli/tune/reasons.h"

typedef struct hy_tune_report {
  hy_explained explained;      // proposal: NULL where numbers were too large for levels 0 and 1
  const hy_measured *measured; // level 2; count 0: nothing was
  const char *schedule;        // what is written, without its head
  const char *text;            // with it
} hy_tune_report;

void hy_tune_report_page(const hy_tune_report *report, hy_text *out);
// "funcs" and "steps"; "candidates", if there are any.
void hy_tune_report_record(const hy_tune_report *report, hy_record *record);

#endif
