#ifndef HY_GATE_REPORT_H
#define HY_GATE_REPORT_H

/* What the gate found, for people, for programs, and in the forms that CI systems show. */

#include "cli/session/session.h"
#include "gate/manifest/result.h"

void hy_gate_report(hy_session *session, const hy_gate_result *result, hy_record *record);
hy_status hy_gate_status(hy_gate_verdict verdict);

void hy_gate_print_junit(const hy_gate_result *result, hy_text *out);
void hy_gate_print_sarif(const hy_gate_result *result, hy_text *out);
void hy_gate_print_markdown(const hy_gate_result *result, hy_text *out);
// An in-toto statement of what may be relied on, with the time of SOURCE_DATE_EPOCH or now.
void hy_gate_print_svr(const hy_gate_result *result, hy_text *out);

#endif
