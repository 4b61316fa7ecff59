#ifndef HY_STATEMENT_H
#define HY_STATEMENT_H

/* What the gate found as in-toto statements (version 1), unsigned, about the objects, archives and shared objects that
 * ship: a simple verification result (svr/v0.1), which says what may be relied on, and a test result
 * (test-result/v0.1), which lists what was looked at.
 */

#include "gate/manifest/result.h"

// "created": when, in UTC, "2001-09-09T01:46:40Z"
void hy_statement_print_svr(const hy_gate_result *result, const char *created, hy_text *out);
void hy_statement_print_test_result(const hy_gate_result *result, hy_text *out);

#endif
