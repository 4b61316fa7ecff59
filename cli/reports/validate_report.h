#ifndef HY_VALIDATE_REPORT_H
#define HY_VALIDATE_REPORT_H

#include "cli/session/session.h"

// Validates every directive of a schedule that check accepted, L0 to L3: says in one line how that was shown, or
// "listed" per directive, what it promised and how that was shown. HY_STATUS_DEFECT if a promise is broken,
// HY_STATUS_UNDECIDED if one could not be decided for all inputs.
typedef struct hy_validate_totals {
  int directives, traces, outputs; // after so many they were compared on inputs
  size_t questions, by_z3;         // of L3, proved
  uint64_t work;                   // of sampling; what it is counted in does not depend on the machine
  double seconds;
} hy_validate_totals;
hy_status hy_validate_count(hy_session *session, const hy_pipeline *pipeline, bool listed, hy_record *record,
                            hy_validate_totals *totals);
hy_status hy_validate_report(hy_session *session, const hy_pipeline *pipeline, bool listed, hy_record *record);

#endif
